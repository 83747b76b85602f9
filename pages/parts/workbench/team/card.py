"""A member of a team as a card: its sub-goal, the contract, its own small tree. Text is escaped here."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from treeline.core.engine.actions import action_name
from treeline.pages.parts.shared.text import count_text, seconds, shorten
from treeline.pages.parts.shared.tree_chart import LOOK
from treeline.pages.parts.shared.tree_view import KitNode
from treeline.pages.parts.workbench.team.model import WAITING, HandedLayers, Lane
from treeline.toolkit.variables import variable

STATES = {
    "waiting": ("○", "waits"),
    "running": ("◐", "at work"),
    "answered": ("✓", "reached"),
    "unverified": ("≈", "reached, but the evidence does not support it"),
    "asks": ("?", "asks back"),
    "declined": ("?", "cannot be reached"),
    "failed": ("✕", "failed"),
    "stopped": ("■", "stopped"),
    "interrupted": ("!", "interrupted"),
}
_MOST_TOOLS = 8
_LONGEST = 400
_LAST_WORDS = 120


def card(lane: Lane, tree: Iterable[KitNode], *, titled: str) -> str:
    """Return a member as HTML.

    Parameters
    ----------
    titled : str
        What it is called: its sub-goal, or its role where that says more.
    """
    sign, word = STATES[lane.status]
    head = (
        f'<p class="title"><span class="state" title="{word}">{sign}</span><b>{text(titled)}</b>'
        f'{_attempt(lane)}<span class="end">{_cost(lane)}</span></p>'
    )
    task = f'<p class="clip" title="{text(lane.brief)}">{text(lane.brief)}</p>{_contract(lane)}'
    work = f"{_tree(tree)}{_now(lane)}{_answer_html(lane)}"
    body = "".join(f"<div>{part}</div>" for part in (task, work) if part)
    return f'<div class="card {lane.status}">{head}<div class="body">{body}</div></div>'


def text(value: object, longest: int = _LONGEST) -> str:
    """Return text that came from data, escaped for HTML."""
    return escape(shorten(" ".join(str(value).split()), longest))


def chip(handed: HandedLayers) -> str:
    """Return what is handed over as HTML."""
    count = f" ×{handed.count}" if handed.count else ""
    planned = " planned" if handed.planned else ""
    meaning = _title_of(handed.role)
    return f'<span class="chip{planned}" title="{meaning}">{text(handed.role)}{count}</span>'


def input_chip(role: str) -> str:
    """Return a role as HTML."""
    return f'<span class="chip" title="{_title_of(role)}">{text(role)}</span>'


def _title_of(role: str) -> str:
    known = variable(role)
    return text(known.title) if known else ""


def _attempt(lane: Lane) -> str:
    again = f' <span class="warn">attempt {lane.attempt}</span>' if lane.attempt > 1 else ""
    lost = f' <span class="warn">process lost ×{lane.lost}</span>' if lane.lost else ""
    return again + lost


def _cost(lane: Lane) -> str:
    if lane.status == WAITING:
        return "starts" if lane.run else STATES[WAITING][1]
    steps = len(lane.view.steps)
    return f"{count_text(steps, 'step')} · {seconds(lane.seconds)}" if steps else STATES[lane.status][1]


def _contract(lane: Lane) -> str:
    inputs = (
        "".join(input_chip(role) for role in lane.contract.inputs)
        or '<span class="faint">the workspace</span>'
    )
    outputs = "".join(_output(lane, role) for role in lane.contract.outputs)
    success = lane.contract.success
    return (
        f'<div class="contract"><span>in</span><div class="chips">{inputs}</div>'
        f'<span>out</span><div class="chips">{outputs}</div>'
        f'<span>done when</span><div class="faint">{text(success)}</div></div>'
    )


def _output(lane: Lane, role: str) -> str:
    kept = lane.keeps_promise(role)
    count, handle = lane.rasters_by_role.get(role, (0, ""))
    name = f"{handle or role} ×{count}" if count else role
    sign, colour = {True: ("✓ ", " yes"), False: ("✕ ", " no"), None: ("", "")}[kept]
    return f'<span class="chip{colour}" title="{_title_of(role)}">{sign}{text(name)}</span>'


def _tree(tree: Iterable[KitNode]) -> str:
    lines: list[str] = []
    for kit in tree:
        if not kit.opened and not kit.tools:
            continue
        lines.append(f'<li class="faint">{text(kit.name)}</li>')
        for tool in kit.tools[:_MOST_TOOLS]:
            times = f" ×{tool.calls}" if tool.calls > 1 else ""
            lines.append(f'<li class="tool {tool.state}">{text(tool.name)}{times} {LOOK[tool.state][1]}</li>')
        if len(kit.tools) > _MOST_TOOLS:
            lines.append(f'<li class="tool faint">+{len(kit.tools) - _MOST_TOOLS} more</li>')
    return f'<ul class="tree">{"".join(lines)}</ul>' if lines else ""


def _now(lane: Lane) -> str:
    pending, progress = lane.view.pending, lane.view.progress
    if lane.view.finished is not None:
        return ""
    if pending is None:
        return _draft(lane)
    what = f'<p class="now">{pending.action.kind} {text(action_name(pending.action), 60)} …</p>'
    if progress is None or not progress.total:
        return what
    share = min(progress.done / progress.total, 1.0)
    bar = f'<div class="bar"><i style="width:{share:.0%}"></i></div>'
    return f"{what}{bar}"


def _draft(lane: Lane) -> str:
    """Return what a model is writing: its last call as far as it is, or its last words."""
    draft = lane.view.draft
    said = (draft.calls[-1] if draft.calls else draft.thought) if draft else ""
    shown = text(f"… {said[-_LAST_WORDS:]}" if len(said) > _LAST_WORDS else said)
    return f'<p class="now" title="the model is writing">✎ {shown}</p>' if said else ""


def _answer_html(lane: Lane) -> str:
    if not lane.answer_text or (lane.status == "answered" and "answer" not in lane.contract.outputs):
        return ""
    colour = "" if lane.status == "answered" else "warn "
    return f'<p class="{colour}clip" title="{text(lane.answer_text)}">{text(lane.answer_text)}</p>'
