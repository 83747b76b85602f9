"""The lock file serves every version of Python that is promised, and says nothing but what to install."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LINES = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSIONS = ("3.11.9", "3.12.9", "3.13.9")


def required_packages() -> list[Requirement]:
    """Return what the project requires with the extras of its tests, without itself."""
    extras = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *extras["test"]]
    lines += [line for extra in ("cluster", "hdf5", "onnx", "series", "stac") for line in extras[extra]]
    return [Requirement(line) for line in lines if not line.startswith("treeline")]


def locked_versions(version: str) -> dict[str, str]:
    """Return the versions that the lock file names for Linux with a version of Python."""
    surroundings = {
        "python_full_version": version,
        "python_version": version.rpartition(".")[0],
        "sys_platform": "linux",
        "platform_python_implementation": "CPython",
    }
    lines = [Requirement(line) for line in LINES]
    used = [line for line in lines if line.marker is None or line.marker.evaluate(surroundings)]
    assert len({canonicalize_name(line.name) for line in used}) == len(used), "a library is named twice"
    return {canonicalize_name(line.name): str(line.specifier).removeprefix("==") for line in used}


def test_a_line_is_a_name_a_version_and_a_marker():
    form = re.compile(r"[\w.-]+==[\w.+!]+( ; [\w .<>=!'\"()]+)?")
    assert LINES and not [line for line in LINES if not form.fullmatch(line)]


@pytest.mark.parametrize("version", VERSIONS)
def test_what_the_project_requires_is_locked(version):
    found = locked_versions(version)
    for requirement in required_packages():
        assert requirement.specifier.contains(found[canonicalize_name(requirement.name)], prereleases=True)


def test_the_extra_full_is_every_extra_but_the_embeddings():
    extras = PROJECT["optional-dependencies"]
    (line,) = extras["full"]
    assert set(Requirement(line).extras) == set(extras) - {"full", "embeddings", "test"}
