from __future__ import annotations

import subprocess
import sys

import pytest

from treeline.toolkit import KITS, registry
from treeline.toolkit.documentation import README, readme


def test_the_page_is_not_stale():
    assert README.read_text("utf-8") == readme(), "run python -m treeline.toolkit.documentation"


def test_every_tool_names_its_source_and_is_on_the_page():
    page = readme()
    for tool in registry():
        assert tool.source.strip(), tool.name
        assert f"| `{tool.name}`" in page


@pytest.mark.parametrize("first", ["treeline.toolkit.statistics", "treeline.toolkit.change.irmad"])
def test_what_is_imported_first_does_not_change_the_order_of_tools(first):
    script = (
        f"import {first}; from treeline import toolkit; "
        "print(*(tool.name for tool in toolkit.registry()), *toolkit.KITS)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [*(tool.name for tool in registry()), *KITS]
