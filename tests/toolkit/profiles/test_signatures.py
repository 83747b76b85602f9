"""Names, kits, parameters, types, defaults and form of result of all reference tools, by their contracts."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.toolkit.calls import arguments_of
from tests.toolkit.scene import Scene
from treeline.toolkit import registry
from treeline.toolkit.context import ToolContext
from treeline.toolkit.tool import Tool

MODELS = ("MSCN", "RemoteCLIP", "Strip_R_CNN", "SM3Det", "RemoteSAM", "InstructSAM", "SAM2", "ChangeOS")


@pytest.fixture(scope="module")
def contracts(shared: Path) -> list[dict[str, Any]]:
    found = json.loads((shared / "earth_bench" / "tool_contracts.json").read_text())
    assert len(found) == len({contract["name"] for contract in found}) == 104
    return found


def _types(schema: dict[str, Any]) -> set[str]:
    """Return the JSON types that a property takes."""
    parts = schema.get("anyOf", [schema])
    named = {part["type"] for part in parts if "type" in part}
    return named | ({"integer"} if "number" in named else set())


def _faults(tool: Tool, contract: dict[str, Any]) -> list[str]:
    theirs = contract["parameters"]
    ours = tool.parameters[: len(theirs)]
    if [p.name for p in ours] != [p["name"] for p in theirs]:
        return [f"parameters {[p.name for p in ours]}"]
    found = [] if tool.kit == contract["kit"] else [f"kit {tool.kit}"]
    found += [f"{p.name} is required" for p in tool.parameters[len(theirs) :] if p.required]
    for mine, wanted in zip(ours, theirs, strict=True):
        if mine.required != wanted["required"]:
            found.append(f"{mine.name} is {'' if mine.required else 'not '}required")
        if not wanted["required"] and mine.default != wanted["default"]:
            found.append(f"{mine.name} = {mine.default!r}, not {wanted['default']!r}")
        asked = wanted["json_type"]
        asked = {asked} if isinstance(asked, str) else set(asked)
        taken = _types(tool.schema["properties"][mine.name])
        if asked != {"any"} and not asked - {"null"} <= taken:
            found.append(f"{mine.name} takes {sorted(taken)}, not {sorted(asked)}")
    return found


def test_signatures_are_those_of_the_contracts(contracts: list[dict[str, Any]]) -> None:
    faults = {c["name"]: _faults(registry().get(c["name"]), c) for c in contracts}
    assert {name: found for name, found in faults.items() if found} == {}


FORMS: dict[str, Any] = {
    "list[str]": list,
    "list[float]": list,
    "list[int]": list,
    "list[list": list,
    "list[tuple": list,
    "tuple": list,
    "list": list,
    "(str": list,
    "str": str,
    "float": float,
    "int": int,
    "number": float,
    "dict": dict,
    "{": dict,
}


def _wanted_types(contract: dict[str, Any]) -> tuple[Any, ...]:
    """Return the types that the contract's words for the result begin with."""
    parts = re.split(r",? or ", contract["returns"])
    known = [form for part in parts for start, form in FORMS.items() if part.startswith(start)]
    return (known[0], *(form for form in known if form in (int, float, str))) if known else (object,)


def _plain(result: Any) -> Any:
    return json.loads(json.dumps(result))


def test_results_have_the_form_of_the_contracts(
    contracts: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    scene, folder = Scene(tmp_path_factory.mktemp("scene")), tmp_path_factory.mktemp("out")
    wrong = {}
    for contract in contracts:
        tool = registry().get(contract["name"])
        if tool.name in MODELS:
            continue
        arguments = scene.in_state(arguments_of(tool), "good")
        for profile in ("science", "earth_bench"):
            context = ToolContext(folder, scene.resolver, profile, threads=1)
            result = _plain(tool.run(arguments, context))
            if "Result save" in contract["returns"]:
                first = result if isinstance(result, str) else result[0]
                good = first.startswith("Result saved at ") and isinstance(result, _wanted_types(contract))
            else:
                good = profile == "science" or isinstance(result, _wanted_types(contract))
            if not good:
                wrong[tool.name, profile] = result
    assert wrong == {}


def test_every_reference_tool_says_how_the_profiles_differ(contracts: list[dict[str, Any]]) -> None:
    for contract in contracts:
        tool = registry().get(contract["name"])
        assert tool.difference, tool.name
        assert tool.source and (tool.formula or tool.name in MODELS), tool.name


def test_every_variant_takes_the_parameters_of_its_tool() -> None:
    for tool in registry():
        for profile in tool.profiles:
            function = tool.implementation(profile)
            taken = inspect.signature(function).parameters.values()
            rest = any(p.kind is p.VAR_KEYWORD for p in taken)
            names = [p.name for p in taken if p.kind is not p.VAR_KEYWORD]
            wanted = [p.name for p in tool.parameters]
            assert names == (wanted[: len(names)] if rest else wanted), (tool.name, profile)
