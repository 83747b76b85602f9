"""The members at work: a run for each inside the team's run, in parallel; interrupted ones are resumed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from treeline.core.context.guardrails import (
    CONTEXT_PART,
    MASKED_PART,
    MEMORY_PART,
    Guardrail,
    join_guardrails,
    of_context,
    to_lines,
)
from treeline.core.engine.events import Event, Note, RunFinished
from treeline.core.engine.journal import ending_of, recorded_state
from treeline.core.engine.state import State, Step
from treeline.core.record.status import FINISHED
from treeline.core.teams.inheriting import inherited_steps
from treeline.core.teams.model import NUMBERS, HandedLayer, Member
from treeline.core.teams.names import MOST_MEMBERS
from treeline.core.teams.work import Work
from treeline.toolkit.errors import Stopped
from treeline.toolkit.variables import variable

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outcome:
    """What a member did.

    Attributes
    ----------
    state : State
        What it did itself.
    lost : int
        How often its process died.
    inherited : tuple of Step
        The results of others that its record began with.
    """

    run: str
    member: Member
    finished: RunFinished
    state: State
    folder: Path
    lost: int = 0
    inherited: tuple[Step, ...] = ()

    @property
    def whole_state(self) -> State:
        """All that its answer may rest on."""
        return replace(self.state, steps=(*self.inherited, *self.state.steps))

    @property
    def has_answer(self) -> bool:
        """True when the member ended with an answer."""
        return self.finished.status == "answered"

    @property
    def said(self) -> str:
        """What it answered, with what of that is not confirmed; else why it ended."""
        answer = self.finished.answer
        if answer is None:
            return self.finished.reason
        apart = (f'not confirmed: "{each.text}" ({each.doubt})' for each in answer.unconfirmed)
        return "\n".join([answer.words, *apart])

    def layers_of(self, roles: Sequence[str], *, by_handle: bool = False) -> tuple[HandedLayer, ...]:
        """Return the rasters of some roles that it made, by role and place; of all where none is named.

        A member that did not reach its sub-goal hands over none: some dates may be missing.

        Parameters
        ----------
        by_handle : bool
            What it had as several collections, such as rasters with clouds and without, stays several.
        """
        if not self.has_answer:
            return ()
        roles = [role for role in roles if role != NUMBERS]
        found: dict[tuple[str, str, str], dict[str, str | None]] = {}
        shares: dict[str, float | None] = {}
        warnings: dict[tuple[str, str, str], list[str]] = {}
        for step in self.state.calls:
            for product in step.observation.products:
                if product.kind == "raster" and (not roles or product.role in roles):
                    address = str((self.folder / product.name).resolve())
                    layer = (product.role, product.place, product.handle if by_handle else "")
                    for dates in found.values():  # a file that is written again is what it became
                        dates.pop(address, None)
                    found.setdefault(layer, {})[address] = product.date
                    shares[address] = product.valid_share
                    warnings.setdefault(layer, []).extend(step.observation.warnings)
        return tuple(
            HandedLayer(
                role,
                tuple(dates),
                tuple(dates.values()),
                place,
                unit.unit if unit else "",
                role in self.member.goal.clear,
                tuple(shares[address] for address in dates),
                tuple(dict.fromkeys(warnings[role, place, handle])),
                handle,
            )
            for (role, place, handle), dates in found.items()
            if dates
            for unit in [variable(role)]
        )


class Crew:
    """Members of one team's run.

    Parameters
    ----------
    work : Work
        The team's run.
    """

    def __init__(self, work: Work) -> None:
        self.team = work
        self.run = work.record.id
        self.question = work.record.question
        self.before = work.before()
        self.options = work.options
        self.store = work.store
        self.endpoint = work.endpoint
        self.stop = work.stop
        self.folder = work.data().folder
        self._lock = threading.RLock()
        # The runs of members from before the team was resumed.
        self._known = {_name(r.options): r.id for r in work.store.runs(parent=self.run, limit=MOST_MEMBERS)}

    @cached_property
    def lessons(self) -> dict[str, str]:
        """What earlier attempts at the question taught, as parts of a context."""
        context = recorded_state(self.store, self.run).context
        return {part: context[part] for part in (MEMORY_PART, CONTEXT_PART) if part in context}

    def enforce(self, rules: Iterable[Guardrail]) -> None:
        """Let guardrails that the memory bank has for the question hold for every member."""
        all_rules = join_guardrails(self.rules, rules)
        if all_rules:
            self.lessons[CONTEXT_PART] = to_lines(all_rules)

    @property
    def rules(self) -> tuple[Guardrail, ...]:
        """The guardrails among it."""
        return of_context(self.lessons)

    def emit(self, event: Event) -> None:
        """Record an event; members that work in parallel record one after the other."""
        with self._lock:
            self.team.emit(event)

    def tell(self, kind: str, text: str, **data: Any) -> None:
        """Record something about the team."""
        _LOG.debug("Run %s, %s.", self.run, kind)
        self.emit(Note(text, {"team": kind, **data}))

    def work(self, member: Member, *, apart: bool) -> Outcome:
        """Let a member work to the end; one whose process dies is taken up again from its record.

        Parameters
        ----------
        apart : bool
            In a process of its own.

        Raises
        ------
        Stopped
        """
        run = self._hire(member)
        lost = 0
        while (finished := self._ending_of(run)) is None:
            if self.stop.is_set():
                raise Stopped("The run was stopped.")
            if apart and self.team.may_part:
                lost += self._work_apart(run, member, lost)
            else:
                self.team.work_here(run)
            # What ends a process twice, such as too much memory, ends the next one too.
            if lost > self.options.retries:
                finished = RunFinished("failed", reason="The executor's process was lost.")
                self.store.set_status(run, "interrupted")
                break
        if finished.status == "stopped":
            raise Stopped("The run was stopped.")
        whole = recorded_state(self.store, run)
        count = len(inherited_steps(self.store, member))
        state = replace(whole, steps=whole.steps[count:])
        outcome = Outcome(run, member, finished, state, self.folder / member.name, lost, whole.steps[:count])
        answer = finished.answer
        self.tell(
            "member_finished",
            f"{member.name}: {finished.status}",
            run=run,
            member=member.name,
            status=finished.status,
            said=answer.words if answer else finished.reason,
            steps=len(state.steps),
        )
        self.tell("member", member.name, **member_as_json(outcome))
        return outcome

    def work_all(self, jobs: Sequence[Callable[[], Any]]) -> list[Any]:
        """Do jobs in parallel and return what they give, in order."""
        if len(jobs) < 2:
            return [job() for job in jobs]
        # The list is made inside: every job is submitted before the first one is waited for.
        with ThreadPoolExecutor(len(jobs), thread_name_prefix=f"team-{self.run}") as pool:
            return [future.result() for future in [pool.submit(job) for job in jobs]]

    def _hire(self, member: Member) -> str:
        """Return the run of a member; one that was there before a resume goes on."""
        with self._lock:
            if member.name in self._known:
                return self._known[member.name]
            member = _with_memory(member, self.lessons)
            asked = member.goal.kind == "answer"
            # A sub-goal in a few words is ambiguous to a model without the question that it is a part of; the
            # planner's has a reading.
            if not asked and self.options.policy == "language":
                member = replace(member, context={**member.context, QUESTION_PART: self.question})
            run = self.team.hire(
                self.question if asked else member.goal.brief,
                member.to_json(),
                data=tuple(dict.fromkeys([*self.options.data, *_folders(member)])),
                out=str(self.folder / member.name),
                choices=self.options.choices if asked else (),
                disclosure=self.options.disclosure,
            )
            self._known[member.name] = run
        self.tell(
            "member_started",
            f"{member.name} ({member.role}): {member.goal.brief}",
            run=run,
            member=member.name,
            role=member.role,
            goal=member.goal.id,
            variant=member.variant,
            attempt=member.attempt,
            layer=member.goal.layer,
            strategy=member.strategy,
            tools=len(member.tools),
        )
        return run

    def _work_apart(self, run: str, member: Member, lost: int) -> int:
        """Work in a process; return 1 when it died without an end."""

        def tell_begin(pid: int) -> None:
            self.tell("process", f"{member.name} works in process {pid}", run=run, pid=pid)

        code = self.team.work_apart(run, tell_begin)
        if code is None or self._ending_of(run) is not None or self.stop.is_set():
            return 0
        again = "it is taken up again" if lost < self.options.retries else "it is given up"
        self.tell(
            "lost",
            f"The process of {member.name} ended with {code}; {again}.",
            run=run,
            member=member.name,
            code=code,
        )
        self.store.set_status(run, "interrupted")
        return 1

    def _ending_of(self, run: str) -> RunFinished | None:
        """Return how a run ended; ``None`` while it has not, or was stopped and may go on."""
        record = self.store.run(run)
        if record is None or record.status not in FINISHED - {"stopped"}:
            return None
        return ending_of(self.store, run)


QUESTION_PART = "whole"


def _with_memory(member: Member, remembered: Mapping[str, str]) -> Member:
    """Return a member that knows what earlier attempts taught, and which of its rasters are clear."""
    parts = (remembered, member.context)
    memory = "\n".join(part[MEMORY_PART] for part in parts if part.get(MEMORY_PART))
    rules = join_guardrails(*map(of_context, parts))
    masked = [Path(address).name for layer in member.handed for address in layer.addresses if layer.clear]
    added = {MEMORY_PART: memory, CONTEXT_PART: to_lines(rules), MASKED_PART: "\n".join(masked)}
    return replace(member, context={**member.context, **{part: text for part, text in added.items() if text}})


def _name(options: dict[str, Any]) -> str:
    member = options.get("member")
    return Member.from_json(member).name if member else ""


def _folders(member: Member) -> list[str]:
    return sorted({str(Path(address).parent) for layer in member.handed for address in layer.addresses})


def member_as_json(outcome: Outcome) -> dict[str, Any]:
    """Return what a report says of a member."""
    member, state = outcome.member, outcome.state
    return {
        "name": member.name,
        "role": member.role,
        "run": outcome.run,
        "goal": member.goal.id,
        "variant": member.variant,
        "layer": member.goal.layer,
        "status": outcome.finished.status,
        "steps": len(state.steps),
        "tokens": {"input": state.tokens.input, "output": state.tokens.output},
        "seconds": round(sum(step.seconds for step in state.steps), 4),
        "lost": outcome.lost,
        "contract": asdict(member.goal.contract),
    }
