from __future__ import annotations

from toolkit import registry
from toolkit.documentation import README, readme


def test_the_page_is_not_stale():
    assert README.read_text("utf-8") == readme(), "run python -m toolkit.documentation"


def test_every_tool_names_its_source_and_is_on_the_page():
    page = readme()
    for tool in registry():
        assert tool.source.strip(), tool.name
        assert f"| `{tool.name}`" in page
