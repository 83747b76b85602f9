"""What ``treeline serve --mode team`` checks before it starts: whether the server could know who comes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEADERS = "STREAMLIT_SERVER_TRUSTED_USER_HEADERS"
SECRET = "TREELINE_PROXY_SECRET"


def _check(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    own = {
        name: value for name, value in os.environ.items() if not name.startswith(("STREAMLIT_", "TREELINE_"))
    }
    return subprocess.run(
        [sys.executable, "-P", "-m", "treeline.pages.parts.identity"],
        cwd=folder,
        env={**own, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def test_headers_of_a_proxy_that_the_environment_names_are_a_way(tmp_path: Path) -> None:
    found = _check(tmp_path, **{HEADERS: '{"X-Email": "email"}', SECRET: "a secret of the proxy alone"})
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "none is set"),
        ({HEADERS: '{"X-Email": "email"}'}, SECRET),
        ({HEADERS: '{"X-Name": "name"}', SECRET: "a secret of the proxy alone"}, "email"),
        ({HEADERS: '{"X-Email": "email"}', SECRET: "short"}, "16"),
    ],
)
def test_what_is_missing_is_said(tmp_path: Path, settings: dict[str, str], said: str) -> None:
    found = _check(tmp_path, **settings)
    assert found.returncode != 0
    assert said in found.stderr and "Traceback" not in found.stderr
