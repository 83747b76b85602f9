"""A team's board: variants as lanes side by side, or three layers with the data flowing up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from treeline.core.teams.subagents import LAYERS
from treeline.pages.parts.shared.text import count_text
from treeline.pages.parts.shared.tree_view import KitNode
from treeline.pages.parts.workbench.team.card import card, chip, input_chip, text
from treeline.pages.parts.workbench.team.model import HandedLayers, Lane, Team, layers_between

_STAGES = ("plan", "members at work", "judge", "answer")
# Without an answer it is no confidence in one.
_SUM = {True: "confidence", False: "signals together"}
TreeOf = Callable[[Lane], Iterable[KitNode]]
SIGNALS = {
    "traceable": "numbers traceable to steps",
    "agreement": "agrees with the other ways",
    "contracts": "promised products",
    "format": "in the form asked for",
    "brevity": "few steps",
}
STRATEGIES = {
    "sub-goals": "sub-goals",
    "whole": "as a whole",
    "another way": "another tool",
    "known pattern": "known pattern",
    "direct": "shortest way",
    "careful": "inputs checked first",
    "layers": "three layers",
}


def board(team: Team, tree_of: TreeOf, *, dark: bool) -> str:
    """Return a team as HTML; every text from data is escaped."""
    body = _BODIES[team.kind](team, tree_of)
    turns = "".join(f'<p class="told">{text(told)}</p>' for _, told in team.turns)
    return (
        f'<div class="team{" dark" if dark else ""}">{_stages(team)}{turns}{_memory_line(team)}{body}</div>'
    )


def _stages(team: Team) -> str:
    here = _stage(team)
    said = [
        f'<span class="stage{" done" if i < here else _here(team) if i == here else ""}">{name}</span>'
        for i, name in enumerate(_STAGES)
    ]
    return f'<div class="stages">{"<span class=faint>›</span>".join(said)}</div>'


def _here(team: Team) -> str:
    return "" if team.finished else " now"


def _stage(team: Team) -> int:
    """Return the number of the stage that a team reached."""
    if team.verdicts:
        return len(_STAGES) if team.finished else 3
    if not team.members:
        return 0
    return 2 if all(lane.view.finished for lane in team.lanes) else 1


def _memory_line(team: Team) -> str:
    parts = [found["text"] for found in (team.remembered, team.learned) if found]
    return f'<p class="known">{text(" ".join(parts))}</p>' if parts else ""


def _evolver(team: Team, tree_of: TreeOf) -> str:
    if not team.lanes:
        return '<p class="faint">The question is being split.</p>'
    lanes = "".join(_variant(team, variant, tree_of) for variant in team.variants)
    return f'<div class="lanes">{lanes}</div>'


def _variant(team: Team, variant: int, tree_of: TreeOf) -> str:
    lanes = team.of_variant(variant)
    verdict = team.verdict(variant)
    strategy = _strategy(lanes, verdict)
    steps = sum(len(lane.view.steps) for lane in lanes)
    taken = verdict is not None and verdict["chosen"]
    title = (
        f'<p class="title"><b>Variant {variant}</b><span class="faint">{text(strategy)}</span>'
        f'<span class="end">{_short(verdict)}{count_text(steps, "step")}</span></p>'
    )
    cards = "".join(_arrow(lane) + card(lane, tree_of(lane), titled=lane.goal) for lane in lanes)
    judged = _verdict(verdict, several=len(team.variants) > 1)
    return f'<div class="lane{" taken" if taken else ""}">{title}{cards}{judged}</div>'


def _short(verdict: dict[str, Any] | None) -> str:
    """Return the verdict where it is seen before the lane is scrolled."""
    if verdict is None:
        return ""
    taken = '<span class="badge taken">taken</span> ' if verdict["chosen"] else ""
    return f"{taken}<b>{verdict['confidence']:.2f}</b> · " if verdict["success"] else taken


def _strategy(lanes: Sequence[Lane], verdict: dict[str, Any] | None) -> str:
    name = verdict["strategy"] if verdict else next((lane.strategy for lane in lanes if lane.strategy), "")
    return STRATEGIES.get(name, name)


def _arrow(lane: Lane) -> str:
    if not lane.handed:
        return ""
    return f'<div class="flow"><span class="arrow">↓</span>{"".join(map(chip, lane.handed))}</div>'


def _verdict(verdict: dict[str, Any] | None, *, several: bool) -> str:
    if verdict is None:
        return ""
    choice, word = ("taken", "taken") if verdict["chosen"] else ("", "not taken")
    sign, success = ("yes", "✓ succeeded") if verdict["success"] else ("no", "✕ did not succeed")
    signals = "".join(
        _signal(SIGNALS.get(name, name), value)
        for name, value in verdict["signals"].items()
        # One way agrees with no other.
        if several or name != "agreement"
    )
    together = _measure(_SUM[verdict["success"]], verdict["confidence"])
    return (
        f'<div class="verdict"><p class="title"><span class="badge {choice}">{word}</span>'
        f'<span class="{sign}">{success}</span></p>'
        f'<div class="signals"><p class="signal all">{together}</p>'
        f"{signals}</div><p>Judge: {text(verdict['why'])}</p></div>"
    )


def _signal(name: str, value: float) -> str:
    return f'<p class="signal">{_measure(name, value)}</p>'


def _measure(name: str, value: float) -> str:
    share = max(0.0, min(value, 1.0))
    bar = f'<span class="bar"><i style="width:{share:.0%}"></i></span>'
    return f"<span>{text(name)}</span>{bar}<span>{value:.2f}</span>"


def _layers(team: Team, tree_of: TreeOf) -> str:
    if not team.lanes:
        return '<p class="faint">The layers are being planned from the top.</p>'
    bands = [
        _band(layer, [lane for lane in team.lanes if lane.layer == layer], tree_of) + _flow(team, layer - 1)
        for layer in sorted(LAYERS, reverse=True)
    ]
    verdict = team.verdict(1)
    judged = (
        f'<div class="band">{_verdict(verdict, several=False)}</div><div class="flow"></div>'
        if verdict
        else ""
    )
    return f"{judged}{''.join(bands)}{_ground(team)}"


def _ground(team: Team) -> str:
    """Return what the workspace gives, on which the layers stand."""
    roles = dict.fromkeys(role for lane in team.lanes for role in _from_workspace(team, lane))
    chips = "".join(map(input_chip, roles)) or '<span class="faint">what each layer asks for</span>'
    return f'<div class="ground chips"><span>Workspace</span>{chips}</div>'


def _band(layer: int, members: Sequence[Lane], tree_of: TreeOf) -> str:
    title = f'<p class="title"><b>Layer {layer}</b><span class="faint">{LAYERS[layer]}</span></p>'
    cards = "".join(card(lane, tree_of(lane), titled=lane.role) for lane in members)
    body = f'<div class="cards">{cards}</div>' if members else '<p class="faint">Nobody is needed here.</p>'
    return f'<div class="band">{title}{body}</div>'


def _flow(team: Team, below: int) -> str:
    """Return what passes from a layer and those below it to those above it."""
    passing: dict[tuple[str, str], list[HandedLayers]] = {}
    for handed in layers_between(team, below):
        passing.setdefault((handed.source, handed.target), []).append(handed)
    if below == 0:
        return '<div class="flow"><span class="arrow">↑</span></div>'
    lines = [f"<p>{_way(team, *way)}{''.join(map(chip, given))}</p>" for way, given in passing.items()]
    return f'<div class="flow">{"".join(lines)}</div>'


def _way(team: Team, source: str, target: str) -> str:
    names = [text(lane.role if lane else "") for lane in map(team.lane, (source, target))]
    return f'<span class="arrow">↑</span> {names[0]} → {names[1]} '


def _from_workspace(team: Team, lane: Lane) -> list[str]:
    given = {handed.role for handed in lane.handed}
    return [role for role in lane.contract.inputs if role not in given]


_BODIES: dict[str, Callable[[Team, TreeOf], str]] = {"evolver": _evolver, "layered": _layers}
