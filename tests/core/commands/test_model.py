"""The command that tests an endpoint, and the options by which a model is asked."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.endpoint import Say, ScriptedEndpoint, use
from tests.rasters import write_raster
from treeline.core.cli import main

KEY = "sk-secret-0123456789"


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch):
    """A function that sets a scripted endpoint as that of the environment."""
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("TREELINE_MODEL", "scripted")

    def name_endpoint(server: ScriptedEndpoint) -> ScriptedEndpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        return server

    return name_endpoint


def test_an_endpoint_that_works(endpoint, capsys):
    with endpoint(ScriptedEndpoint([use("skill", kit="Statistics")], models=("scripted",))):
        assert main(["model", "--json"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["works"] and found["models"] == ["scripted"]
    assert KEY not in printed.out + printed.err


def test_an_endpoint_that_calls_nothing(endpoint, capsys):
    with endpoint(ScriptedEndpoint([Say("Hello.")], models=("scripted",))):
        assert main(["model"]) == 2
    assert "called no function" in capsys.readouterr().out


def test_the_key_of_the_environment_goes_nowhere_else(endpoint, capsys):
    with ScriptedEndpoint([use("skill", kit="Statistics")]) as other:
        with endpoint(ScriptedEndpoint([])):
            main(["model", "--url", other.url, "--model", "m", "--header", "X-A: b"])
        assert all(KEY not in str(request.headers) for request in other.requests)
        assert other.requests[0].headers["x-a"] == "b"


def test_a_question_is_asked_as_the_options_say(endpoint, tmp_path, capsys):
    (tmp_path / "data").mkdir()
    write_raster(tmp_path / "data" / "Lake_2021-05-03_NDVI.tif", np.full((4, 5), 0.5, "float32"))
    script = [use("answer", text="There is no thermal band.", declined=True)]
    with endpoint(ScriptedEndpoint(script)) as server:
        model = ["--temperature", "0.3", "--seed", "5", "--reasoning-effort", "low", "--longest-reply", "900"]
        prices = ["--price-input", "2", "--price-cached", "0.5", "--price-output", "10"]
        asked = ["ask", "How warm is it?", "--data", str(tmp_path / "data"), "--policy", "language"]
        code = main([*asked, *model, *prices, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert code == 0 and found["status"] == "declined"
    assert found["cost"] == pytest.approx((40 * 2 + 60 * 0.5 + 10 * 10) / 1e6)
    body = server.requests[0].body
    told = (body["temperature"], body["seed"], body["reasoning_effort"], body["max_tokens"])
    assert told == (0.3, 5, "low", 900)


@pytest.mark.parametrize("option", [["--temperature", "9"], ["--silence", "7200"], ["--header", "nonsense"]])
def test_a_setting_that_cannot_be_is_refused(endpoint, option, capsys):
    assert main(["model", *option]) == 2
    assert "Traceback" not in capsys.readouterr().err
