"""What ``treeline serve`` refuses, and its version; that it serves is tested with the wheel."""

from __future__ import annotations

import json
import socket
from importlib.metadata import version
from pathlib import Path

import pytest

from treeline.core.cli import main
from treeline.core.commands.serve import APPLICATION, server_command


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["serve", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("treeline: ") and err.count("\n") == 1
    return err


def test_a_team_is_refused_without_a_way_to_know_users(capsys, home):
    assert "know users" in refusal(capsys, "--mode", "team")
    assert not home.exists()


def test_a_port_in_use_is_refused(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert port in refusal(capsys, "--host", "127.0.0.1", "--port", port)


@pytest.mark.parametrize(
    "arguments", [("--port", "0"), ("--port", "70000"), ("--port", "http"), ("--host", "no such host")]
)
def test_an_address_that_is_none_is_refused(capsys, arguments):
    refusal(capsys, *arguments)


@pytest.mark.parametrize("setting", ["TREELINE_LIMITS", "TREELINE_QUOTAS", "TREELINE_PRICES"])
def test_a_limit_that_cannot_be_read_is_refused_at_the_start(capsys, monkeypatch, setting):
    monkeypatch.setenv(setting, "bands=many")
    assert setting in refusal(capsys)


def test_a_home_that_is_a_file_is_refused(capsys, tmp_path):
    (tmp_path / "file").write_text("a file")
    assert "--home" in refusal(capsys, "--home", str(tmp_path / "file"))


def test_streamlit_finds_the_settings_beside_the_application():
    assert str(APPLICATION) in server_command("localhost", 8501)
    settings = APPLICATION.parent / ".streamlit" / "config.toml"
    assert APPLICATION.is_file() and "gatherUsageStats = false" in settings.read_text("utf-8")


def test_the_version_is_that_of_the_installation(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"{version('treeline')}\n"
    assert main(["--version", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"version": version("treeline")}
