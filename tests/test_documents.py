"""What the README and CONTRIBUTING.md say is so: commands, settings, files."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from treeline.core.cli import build_parser, main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
SETTING = r"(TREELINE_[A-Z]+(?:_[A-Z]+)*)\b(?!_)"
PACKAGES = ("core", "toolkit", "knowledge", "pages")


def commands() -> list[list[str]]:
    """Return the words of each ``treeline`` command of the README."""
    lines = re.findall(r"^\$ (treeline .*?)(?: +# .*)?$", README.replace("\\\n", " "), re.MULTILINE)
    return [shlex.split(command)[1:] for line in lines for command in line.split(";")]


def _reads(text: str) -> bool:
    return any(reading in text for reading in ("os.environ", "require_allowed(", "read_numbers("))


def read_settings() -> set[str]:
    """Return the settings that are named where the environment is read."""
    sources = [path.read_text("utf-8") for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return {name for text in sources if _reads(text) for name in re.findall(SETTING, text)}


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_a_command_of_the_readme_is_one(words):
    assert callable(build_parser().parse_args(words).run)


def test_the_search_that_the_readme_shows_finds_a_card(capsys):
    (words,) = (words for words in commands() if words[:2] == ["cards", "search"])
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_the_readme_tells_every_setting_and_no_other():
    told = set(re.findall(rf"^\| `{SETTING}`", README, re.MULTILINE))
    assert told == read_settings() - {"TREELINE_MODEL"}, "TREELINE_MODEL is told with the language model"
    assert "`TREELINE_MODEL`" in README


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_targets_and_files_that_are_named_exist(text):
    made = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"make ([a-z]+)", text)) <= set(made)
    files = re.findall(r"`((?:tests|toolkit|core|pages|knowledge)/[\w/]+(?:\.\w+)?)`|\]\(([\w/.]+)\)", text)
    named = [name for pair in files for name in pair if name]
    assert named and not [name for name in named if not (ROOT / name).exists()]
