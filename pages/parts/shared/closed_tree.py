"""The skill tree while no kit is open, as a drawing: the chart is fetched when a run opens a branch."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from treeline.pages.parts.shared.tree_view import KitNode

# To be seen on light and on dark: a page that changes between them is not drawn anew.
_RING, _BRANCH = "#84908c", "#84908c80"
# Where the root and the kits stand, in percent of the width, as in the chart.
_ROOT, _KITS = 4, 54
_FORK = 7


def is_closed(nodes: Sequence[KitNode]) -> bool:
    """Return whether no branch of the tree is open."""
    return not any(kit.opened or kit.tools for kit in nodes)


def closed_tree(nodes: Sequence[KitNode], *, height: int) -> str:
    """Return the kits as branches of one root, as HTML that is as wide as its place."""
    levels = _levels(len(nodes), height)
    labels = "".join(_label(kit, y) for kit, y in zip(nodes, levels, strict=True))
    return (
        f'<div role="figure" aria-label="Skill tree; opened kits: none" '
        f'style="position: relative; height: {height}px; font-size: 12px">'
        f'<img alt="" src="{_branches(levels, height, _BRANCH)}" '
        f'style="position: absolute; left: {_ROOT}%; width: {_KITS - _ROOT}%; height: {height}px">'
        f"{_dot(_ROOT, height / 2, 5, f'background: {_RING}')}{labels}</div>"
    )


def _levels(count: int, height: int) -> list[float]:
    """Return the distance of each kit from the top."""
    margin = max((height - count * 34) // 2, 8)
    step = (height - 2 * margin) / max(count - 1, 1)
    return [margin + i * step for i in range(count)]


def _branches(levels: Sequence[float], height: int, colour: str) -> str:
    """Return the lines from the root to the kits as the address of a picture that may be stretched."""
    middle = height / 2
    paths = "".join(f"M0 {middle:.1f}H{_FORK}V{y:.1f}H100" for y in levels)
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 {height}" preserveAspectRatio="none">'
        f'<path d="{paths}" fill="none" stroke="{colour}" stroke-width="1.2" '
        f'vector-effect="non-scaling-stroke"/></svg>'
    )
    return f"data:image/svg+xml,{quote(picture)}"


def _label(kit: KitNode, y: float) -> str:
    ring = f"border: 1.6px solid {_RING}; background: var(--background-color, Canvas)"
    return (
        f"{_dot(_KITS, y, 10, ring)}"
        f'<span data-kit="{escape(kit.name)}" style="position: absolute; left: calc({_KITS}% + 11px); '
        f'top: {y:.1f}px; transform: translateY(-50%); line-height: 1">'
        f"{escape(kit.name)} ({kit.count})</span>"
    )


def _dot(left: int, y: float, size: int, look: str) -> str:
    return (
        f'<span style="position: absolute; box-sizing: border-box; left: {left}%; top: {y:.1f}px; '
        f"width: {size}px; height: {size}px; border-radius: 50%; transform: translate(-50%, -50%); "
        f'{look}"></span>'
    )
