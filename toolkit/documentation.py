"""What is made from the tools: ``README.md``, a table of them, and ``inventory.json``, for the start.

``python -m treeline.toolkit.documentation`` writes both; with ``--check`` it says whether they are stale.
"""

from __future__ import annotations

import sys
from pathlib import Path

from treeline.toolkit import KITS, registry
from treeline.toolkit.contracts import Reads, Writes, role_text
from treeline.toolkit.definition import Tool
from treeline.toolkit.discovery import PACKAGE, fill, folder_of, kit_folders
from treeline.toolkit.inventory import FILE, Inventory, as_text, digest
from treeline.toolkit.registering import REGISTRY
from treeline.toolkit.variables import variable

README = Path(__file__).with_name("README.md")

_HEAD = """# The toolkit

{count} tools in {kits} kits, usable alone: `from treeline.toolkit import registry`. This page is
made from the registry by `python -m treeline.toolkit.documentation`; change the docstrings, not this file.

Two profiles: `science`, the default, is the published algorithm; `earth_bench` reproduces the formulas
of the reference toolkit of the benchmark where they differ, for scoring. A tool without a difference
is the same in both.
"""

_COLUMNS = (
    "Tool",
    "What it gives",
    "Formula",
    "Inputs",
    "Output",
    "Plausible range",
    "Source",
    "`science` against `earth_bench`",
)


def readme() -> str:
    """Return the page as Markdown."""
    tools = _own_tools()
    kits = [kit for kit in KITS.values() if any(tool.kit == kit.name for tool in tools)]
    parts = [_HEAD.format(count=len(tools), kits=len(kits))]
    for kit in kits:
        rows = [_row(tool) for tool in tools if tool.kit == kit.name]
        header = [f"| {' | '.join(_COLUMNS)} |", f"|{' --- |' * len(_COLUMNS)}"]
        parts.append("\n".join([f"## {kit.name}", "", kit.summary, "", *header, *rows]) + "\n")
    return "\n".join(parts)


def inventory() -> str:
    """Return the text of the inventory."""
    tools = _own_tools()
    folders = {name: digest(path) for name, path in kit_folders().items()}
    kits = {
        tool.kit: (folder_of(tool.functions.modules["science"]), KITS[tool.kit].summary) for tool in tools
    }
    return as_text(Inventory(folders, kits, tuple(tools)))


def _own_tools() -> list[Tool]:
    """Return the tools of the toolkit itself, not those of other packages."""
    return [t for t in registry() if t.functions.modules["science"].startswith(f"{PACKAGE}.")]


def _row(tool: Tool) -> str:
    older = f" (also {', '.join(f'`{alias}`' for alias in tool.aliases)})" if tool.aliases else ""
    cells = (
        f"`{tool.name}`{older}",
        tool.brief,
        tool.formula,
        "; ".join(_input(p.name, p.contract) for p in tool.inputs if isinstance(p.contract, Reads)),
        _output(tool),
        _range(tool),
        tool.source,
        tool.difference,
    )
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _input(name: str, contract: Reads) -> str:
    return f"{name}: {' or '.join(contract.roles) or 'any'}"


def _outputs_of(tool: Tool) -> list[Writes]:
    return [p.contract for p in tool.outputs if isinstance(p.contract, Writes)]


def _output(tool: Tool) -> str:
    written = _outputs_of(tool)
    if written:
        first = [_with_unit(w) for w in written]
        return "; ".join([*first, *(role_text(role) for w in written for role in w.further)])
    gives = tool.gives
    return (
        f"{gives.kind}: {gives.quantity}" + (f" [{gives.unit}]" if gives.unit else "")
        if gives.quantity
        else gives.kind
    )


def _with_unit(written: Writes) -> str:
    known = variable(written.role)
    unit = written.unit or (known.unit if known else "")
    return f"{written.role} [{unit}]" if unit else f"{written.role} (unit of the input)"


def _range(tool: Tool) -> str:
    ranges = []
    for written in _outputs_of(tool):
        known = variable(written.role)
        if known and known.plausible[0] > float("-inf"):
            ranges.append(f"{known.plausible[0]:g} to {known.plausible[1]:g}")
    return "; ".join(ranges)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def main() -> int:
    """Write what is stale, or with ``--check`` only name it."""
    # Every module is imported: what the inventory says is what is to be found out.
    fill(REGISTRY, Inventory({}, {}, ()))
    stale = {path: text for path, text in ((README, readme()), (FILE, inventory())) if _differs(path, text)}
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.name} is stale: run python -m treeline.toolkit.documentation.")
        return int(bool(stale))
    for path, text in stale.items():
        path.write_text(text, "utf-8")
    return 0


def _differs(path: Path, text: str) -> bool:
    return not path.is_file() or path.read_text("utf-8") != text


if __name__ == "__main__":
    sys.exit(main())
