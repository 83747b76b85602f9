from __future__ import annotations

import json
import math

import numpy as np
import pytest

import toolkit.analysis
import toolkit.profiles.earth_bench.analysis
import toolkit.profiles.earth_bench.statistics
import toolkit.statistics  # noqa: F401
from toolkit.tool import REGISTRY

KITS = ("Statistics", "Analysis")


def run(name, **arguments):
    tool = REGISTRY.get(name)
    return tool.implementation("earth_bench")(**tool.validate(arguments))


def same(found, expected):
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, float):
        return math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)
    return found == expected


def test_every_recorded_scalar_case_is_met(shared):
    cases = json.loads((shared / "earth_bench" / "scalar_cases.json").read_text())
    ours = [case for case in cases if case["tool"] in REGISTRY and REGISTRY.get(case["tool"]).kit in KITS]
    wrong = [c for c in ours if not same(run(c["tool"], **c["arguments"]), c["reference_output"])]
    assert len(ours) > 100
    assert wrong == []


def test_names_parameters_order_and_defaults_are_those_of_the_contracts(shared):
    contracts = json.loads((shared / "earth_bench" / "tool_contracts.json").read_text())
    for contract in contracts:
        if contract["kit"] not in KITS:
            continue
        parameters = REGISTRY.get(contract["name"]).parameters
        assert REGISTRY.get(contract["name"]).kit == contract["kit"]
        for ours, theirs in zip(parameters, contract["parameters"], strict=False):
            assert ours.name == theirs["name"], contract["name"]
            if not theirs["required"]:
                assert ours.default == theirs["default"], contract["name"]
        assert all(not p.required for p in parameters[len(contract["parameters"]) :])


def test_quirks_of_lists():
    example = [2.0, 4, 4, 5, 7, 9, 12]
    assert run("skewness", x=example, bias=False) != pytest.approx(0.762451, abs=1e-3)
    assert run("kurtosis", x=example, bias=False) == pytest.approx(-3.104618, abs=1e-6)
    assert run("kurtosis", x=example, bias=False, fisher=False) == pytest.approx(-0.104618, abs=1e-6)
    assert run("skewness", x=[1, 1]) == 0
    assert math.isnan(run("mean", x=[1, math.nan]))
    assert run("division", a=0, b=1) == math.inf
    assert run("percentage_change", a=-10, b=-5) == -50


def test_quirks_of_series():
    assert run("detect_change_points", signal=[0] * 12 + [9] * 13) == [10, 15, 25]
    assert run("autocorrelation_function", x=[1, 2, 3, 4], nlags=3) == pytest.approx([1, 1 / 3, -0.6, -1.8])
    assert run("detect_seasonality_acf", values=list(range(40))) == 2
    assert run("detect_seasonality_acf", values=[1, 2, 1, 2, 1]) == "Data is not cyclical"
    step = float(np.float32(0.1))
    assert run("count_spikes_from_values", values=[0, step], spike_threshold=0.1) == 0
