"""A team as its record has it at a moment: members, contracts, what was handed on, verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from pathlib import PurePath
from typing import Any

from pydantic import TypeAdapter

from treeline.core.engine.actions import TokenUse
from treeline.core.engine.events import Note, StepFinished
from treeline.core.engine.journal import StoredEvent, events_of, recorded_draft
from treeline.core.engine.state import State, Step
from treeline.core.record.store import RunRecord, Store
from treeline.core.teams.model import Contract, Member
from treeline.core.teams.names import SOLO
from treeline.core.teams.orchestrator import ANSWER
from treeline.pages.parts.shared.run_view import RunView, run_view

_CONTRACT: TypeAdapter[Contract] = TypeAdapter(Contract)
WAITING, RUNNING = "waiting", "running"
_TURNS = ("lost", "retry", "rollback")


@dataclass(frozen=True, slots=True)
class HandedLayers:
    """Rasters of one role that a member received.

    Attributes
    ----------
    source, target : str
        Names of the members.
    planned : bool
        The contract says so, and it has not happened yet.
    """

    role: str
    count: int
    source: str
    target: str
    planned: bool = False


@dataclass(frozen=True)
class Lane:
    """A member, or a sub-goal that nobody works on yet.

    Attributes
    ----------
    name : str
        Unique in the team.
    status : str
        Of its run; ``waiting`` before it has one.
    """

    name: str
    role: str
    goal: str
    brief: str
    contract: Contract = field(default_factory=Contract)
    depends: tuple[str, ...] = ()
    variant: int = 1
    attempt: int = 1
    layer: int = 0
    status: str = WAITING
    run: str = ""
    view: RunView = field(default_factory=RunView)
    times: tuple[datetime, ...] = ()
    handed: tuple[HandedLayers, ...] = ()
    lost: int = 0
    strategy: str = ""

    @property
    def rasters_by_role(self) -> dict[str, tuple[int, str]]:
        """How many rasters of each role it made, and their handle."""
        rasters = [product for _, product in self.view.products if product.kind == "raster"]
        counts = Counter(product.role for product in rasters)
        return {p.role: (counts[p.role], p.handle) for p in rasters}

    def keeps_promise(self, output: str) -> bool | None:
        """Return whether it gave what its contract promises; ``None`` while that is open."""
        if output in self.rasters_by_role:
            return True
        answer = self.view.finished.answer if self.view.finished else None
        if output == ANSWER and answer is not None:
            return answer.status == "answered"
        return None if self.view.finished is None else False

    @property
    def seconds(self) -> float:
        """What its actions took."""
        return sum(step.seconds for step in self.view.steps)

    @property
    def answer_text(self) -> str:
        """What it answered, or why it did not."""
        finished = self.view.finished
        return "" if finished is None else finished.answer.text if finished.answer else finished.reason


@dataclass(frozen=True)
class Team:
    """A team at work.

    Attributes
    ----------
    verdicts : tuple of dict
        As :class:`treeline.core.teams.judge.Verdict` has them.
    turns : tuple of (str, str)
        What went another way than planned: ``lost``, ``retry``, ``rollback``, and how it was told.
    remembered, learned : dict, optional
        What the memory bank gave and got: ``text``, ``keys``, of learned also ``texts``.
    """

    kind: str
    lanes: tuple[Lane, ...]
    verdicts: tuple[dict[str, Any], ...] = ()
    turns: tuple[tuple[str, str], ...] = ()
    remembered: dict[str, Any] | None = None
    learned: dict[str, Any] | None = None
    orchestrator: TokenUse = TokenUse()
    finished: bool = False

    @property
    def variants(self) -> tuple[int, ...]:
        """Numbers of the ways that are explored."""
        return tuple(sorted({lane.variant for lane in self.lanes}))

    @property
    def members(self) -> tuple[Lane, ...]:
        """The lanes that somebody works on."""
        return tuple(lane for lane in self.lanes if lane.run)

    @property
    def moments(self) -> list[datetime]:
        """When a step of a member was answered, in order."""
        return sorted(moment for lane in self.lanes for moment in lane.times)

    def of_variant(self, variant: int) -> tuple[Lane, ...]:
        """Return the lanes of a way, in the order in which they depend on each other."""
        return tuple(lane for lane in self.lanes if lane.variant == variant)

    def verdict(self, variant: int) -> dict[str, Any] | None:
        """Return what the judge said of a way."""
        return next((v for v in self.verdicts if v["variant"] == variant), None)

    def lane(self, name: str) -> Lane | None:
        """Return the lane of a name."""
        return next((lane for lane in self.lanes if lane.name == name), None)


def team_of(store: Store, run: str, until: datetime | None = None) -> Team | None:
    """Return a run's team as it was at a moment, by default as it is; ``None`` for a run without one."""
    record = store.run(run) if run else None
    if record is None or record.options.get("team", SOLO) == SOLO:
        return None
    notes = [s for s in _events_before(events_of(store, run), until) if isinstance(s.event, Note)]
    told = [s.event for s in notes if isinstance(s.event, Note) and s.event.data.get("team")]
    lost = Counter(note.data["member"] for note in told if note.data["team"] == "lost")
    children = [c for c in store.runs(parent=run, limit=1000) if c.options.get("member")]
    members = [
        _lane(store, child, lost, until)
        for child in reversed(children)
        if until is None or child.created <= until
    ]
    lanes = _add_waiting_goals(members, told)
    return Team(
        record.options["team"],
        tuple(_add_planned_inputs(lane, lanes) for lane in lanes),
        tuple({v["variant"]: v for v in _notes_of(told, "verdict")}.values()),
        tuple((note.data["team"], note.text) for note in told if note.data["team"] in _TURNS),
        next(iter(_notes_of(told, "memory")), None),
        next(iter(_notes_of(told, "distilled")), None),
        _orchestrator(told),
        record.is_finished and until is None,
    )


def merge_members(team: Team, own: RunView) -> RunView:
    """Return the steps of all members as one run's, in the order in which they were answered."""
    steps = sorted(
        (
            (moment, lane, step)
            for lane in team.members
            for moment, step in zip(lane.times, lane.view.steps, strict=True)
        ),
        key=lambda found: found[0],
    )
    numbered = tuple(_renumber(step, lane, number) for number, (_, lane, step) in enumerate(steps, 1))
    pending = [lane.view for lane in team.members if lane.view.pending is not None]
    state = State(own.state.question, own.state.choices, own.state.context, numbered)
    busy = pending[-1] if pending else own
    return replace(own, state=state, pending=busy.pending, progress=busy.progress)


def layers_between(team: Team, below: int) -> list[HandedLayers]:
    """Return what passed from layers up to ``below`` to those above it."""
    layer_of = {lane.name: lane.layer for lane in team.lanes}
    return [
        handed
        for lane in team.lanes
        for handed in lane.handed
        if layer_of.get(handed.source, 0) <= below < lane.layer
    ]


def _renumber(step: Step, lane: Lane, number: int) -> Step:
    products = tuple(replace(p, name=f"{lane.name}/{p.name}") for p in step.observation.products)
    observation = replace(step.observation, products=products)
    return replace(step, number=number, thought=f"[{lane.role}] {step.thought}", observation=observation)


def _orchestrator(notes: Iterable[Note]) -> TokenUse:
    used = [data["tokens"] for data in _notes_of(notes, "orchestrator") if "tokens" in data]
    return sum((TokenUse(**tokens) for tokens in used), TokenUse())


def _events_before(events: Iterable[StoredEvent], until: datetime | None) -> list[StoredEvent]:
    return [stored for stored in events if until is None or stored.time <= until]


def _notes_of(notes: Iterable[Note], kind: str) -> list[dict[str, Any]]:
    return [{**note.data, "text": note.text} for note in notes if note.data["team"] == kind]


def _lane(store: Store, child: RunRecord, lost: Mapping[str, int], until: datetime | None) -> Lane:
    member = Member.from_json(child.options["member"])
    # What has ended does not change; its events are read once, not twice a second.
    view, times = (
        _read_once(store, child.id, child.updated.timestamp())
        if child.is_finished and until is None
        else _read(store, child.id, until)
    )
    status = view.finished.status if view.finished else RUNNING if until else child.status
    if status == RUNNING and until is None:
        view = replace(view, draft=recorded_draft(store, child.id))
    goal = member.goal
    return Lane(
        name=member.name,
        role=member.role,
        goal=goal.id,
        brief=goal.brief,
        contract=goal.contract,
        depends=goal.depends,
        variant=member.variant,
        attempt=member.attempt,
        layer=goal.layer,
        status=status,
        run=child.id,
        view=view,
        times=times,
        handed=_handed_layers(member),
        lost=lost[member.name],
        strategy=member.strategy,
    )


@lru_cache(maxsize=256)
def _read_once(store: Store, run: str, updated: float) -> tuple[RunView, tuple[datetime, ...]]:
    return _read(store, run, None)


def _read(store: Store, run: str, until: datetime | None) -> tuple[RunView, tuple[datetime, ...]]:
    events = _events_before(events_of(store, run), until)
    return run_view(events), tuple(s.time for s in events if isinstance(s.event, StepFinished))


def _handed_layers(member: Member) -> tuple[HandedLayers, ...]:
    found: Counter[tuple[str, str]] = Counter()
    for layer in member.handed:
        for address in layer.addresses:
            found[layer.role, PurePath(address).parent.name] += 1
    return tuple(HandedLayers(role, count, source, member.name) for (role, source), count in found.items())


def _add_waiting_goals(members: Sequence[Lane], notes: Iterable[Note]) -> list[Lane]:
    """Return the members, and the sub-goals that nobody works on, in the order of the plan."""
    lanes: list[Lane] = []
    for goal in _notes_of(notes, "sub_goal"):
        hired = [m for m in members if (m.variant, m.goal) == (goal["variant"], goal["id"])]
        name = f"{goal['variant']}-{goal['id']}"
        lanes += hired or [
            Lane(
                name,
                goal.get("agent", "executor"),
                goal["id"],
                goal["brief"],
                _CONTRACT.validate_python(goal["contract"]),
                tuple(goal["depends"]),
                goal["variant"],
                layer=goal["layer"],
            )
        ]
    return list({lane.name: lane for lane in [*lanes, *members]}.values())


def _add_planned_inputs(lane: Lane, lanes: Iterable[Lane]) -> Lane:
    """Return a lane that waits with what it is to receive."""
    if lane.run:
        return lane
    planned = {
        (role, other.name): HandedLayers(role, 0, other.name, lane.name, planned=True)
        for other in lanes
        if other.variant == lane.variant and other.goal in lane.depends
        for role in other.contract.outputs
    }
    return replace(lane, handed=tuple(planned.values()))
