"""The table of the oracles."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from tests.toolkit.oracles.registry import ORACLES
from treeline.toolkit import KITS, registry

README = Path(__file__).with_name("README.md")
for module in iter_modules([str(README.parent)]):
    if module.name not in ("__main__", "table"):
        import_module(f"tests.toolkit.oracles.{module.name}")

HEAD = """# Second oracles

What each of the {count} tools is held against on random scenes (holes, odd sizes, strips and tiles, types and
scales, turned grids, both hemispheres, across the date line, at 70 degrees north): another library, another
formulation of its method, or a property that it has. Made by `python -m tests.toolkit.oracles`.
"""


def text() -> str:
    """Return the page as Markdown."""
    tools = [t for t in registry() if t.functions.modules["science"].startswith("treeline.")]
    parts = [HEAD.format(count=len(tools))]
    for kit in KITS.values():
        own = [tool for tool in tools if tool.kit == kit.name]
        rows = [f"| `{tool.name}` | {_about(tool.name)} |" for tool in own]
        if rows:
            parts.append(
                "\n".join([f"## {kit.name}", "", "| Tool | Kind | Against |", "| --- | --- | --- |", *rows])
                + "\n"
            )
    return "\n".join(parts)


def _about(tool: str) -> str:
    found = ORACLES.get(tool)
    return f"{found.kind} | {found.by}" if found else "none | "
