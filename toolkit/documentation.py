"""``toolkit/README.md``: a table of every tool, made from the registry.

``python -m treeline.toolkit.documentation`` writes it; a test fails when it is stale.
"""

from __future__ import annotations

from pathlib import Path

from treeline.toolkit import KITS, registry
from treeline.toolkit.contracts import measured
from treeline.toolkit.tool import Reads, Tool, Writes
from treeline.toolkit.variables import variable

README = Path(__file__).with_name("README.md")

_HEAD = """# The toolkit

{count} tools in {kits} kits, usable alone: `from toolkit import registry`. This page is made from the
registry by `python -m treeline.toolkit.documentation`; change the docstrings, not this file.

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
    tools = list(registry())
    parts = [_HEAD.format(count=len(tools), kits=len(KITS))]
    for kit in KITS.values():
        rows = [_row(tool) for tool in registry().of_kit(kit.name)]
        if rows:
            header = [f"| {' | '.join(_COLUMNS)} |", f"|{' --- |' * len(_COLUMNS)}"]
            parts.append("\n".join([f"## {kit.name}", "", kit.summary, "", *header, *rows]) + "\n")
    return "\n".join(parts)


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


def _written(tool: Tool) -> list[Writes]:
    return [p.contract for p in tool.outputs if isinstance(p.contract, Writes)]


def _output(tool: Tool) -> str:
    written = _written(tool)
    if written:
        first = [f"{w.role} [{w.unit or _unit(w.role)}]" for w in written]
        return "; ".join([*first, *(measured(role) for w in written for role in w.further)])
    gives = tool.gives
    return (
        f"{gives.kind}: {gives.quantity}" + (f" [{gives.unit}]" if gives.unit else "")
        if gives.quantity
        else gives.kind
    )


def _unit(role: str) -> str:
    known = variable(role)
    return (known.unit or "1") if known else "1"


def _range(tool: Tool) -> str:
    ranges = []
    for written in _written(tool):
        known = variable(written.role)
        if known and known.plausible[0] > float("-inf"):
            ranges.append(f"{known.plausible[0]:g} to {known.plausible[1]:g}")
    return "; ".join(ranges)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def main() -> None:
    """Write the page."""
    README.write_text(readme(), "utf-8")


if __name__ == "__main__":
    main()
