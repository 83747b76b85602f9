"""Sub-goals handed out: independent ones side by side, dependent ones in order, with retries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from treeline.core.actions import Call, action_name
from treeline.core.errors import NotDisclosed
from treeline.core.memory.guardrails import CONTEXT_PART, AvoidTool, from_lines, joined, to_lines
from treeline.core.state import State, Step
from treeline.core.teams.crew import Crew, Work
from treeline.core.teams.model import Member, SubGoal
from treeline.toolkit.errors import UnknownTool

_OF_ACCESS = (NotDisclosed.__name__, UnknownTool.__name__)

Staffing = Callable[[SubGoal], Member]


def carry_out(crew: Crew, goals: Sequence[SubGoal], staff: Staffing, *, apart: bool) -> list[Work]:
    """Work on sub-goals and return the work on each, in the order of the goals.

    Parameters
    ----------
    staff : callable
        Returns who works on a sub-goal; what it depends on is added here.
    apart : bool
        Members work in processes of their own.
    """
    done: dict[str, Work] = {}
    # What is not among these sub-goals was worked on before, or is given up.
    depends = {g.id: [d for d in g.depends if any(d == other.id for other in goals)] for g in goals}
    while len(done) < len(goals):
        ready = [g for g in goals if g.id not in done and all(d in done for d in depends[g.id])]
        members = [
            replace(equipped(staff(goal), [done[d] for d in depends[goal.id]]), looked=goal is not goals[0])
            for goal in ready
        ]
        jobs = [_job(crew, member, apart) for member in members]
        for goal, work in zip(ready, crew.work_all(jobs), strict=True):
            done[goal.id] = work
    return [done[goal.id] for goal in goals]


def equipped(member: Member, works: Sequence[Work]) -> Member:
    """Return a member with what others made for it: their rasters and what they said."""
    handed = [*member.handed]
    for work in works:
        handed += work.handed(work.member.goal.contract.outputs)
    replaced = {layer.role: layer for layer in handed}
    said = "\n".join(_told(work) for work in works)
    context = {**member.context, **({"products": said} if said else {})}
    clear = member.clear or any(_cleared(work) for work in works)
    kept = [
        layer
        for layer in handed
        if layer is replaced[layer.role] or layer.place != replaced[layer.role].place
    ]
    return replace(member, handed=tuple(kept), context=context, clear=clear)


def with_retries(crew: Crew, member: Member, *, apart: bool) -> Work:
    """Let a member work, and again with a correction where a call was at fault."""
    work = crew.work(member, apart=apart)
    while not work.reached and work.member.attempt <= crew.options.retries:
        correction = correction_of(work)
        if correction is None:
            break
        crew.tell(
            "retry", f"{work.member.name} did not reach its sub-goal; another attempt is made.",
            member=work.member.name, said=correction.get("memory", ""),
        )  # fmt: skip
        context = {**work.member.context, **correction}
        work = crew.work(replace(work.member, attempt=work.member.attempt + 1, context=context), apart=apart)
    return work


def correction_of(work: Work) -> Mapping[str, str] | None:
    """Return what the next attempt is told; ``None`` where no call was at fault.

    A tool that worked in the end was not at fault, nor is one that was not disclosed: it may be needed.
    """
    worked = {action_name(step.action) for step in work.state.calls if step.observation.succeeded}
    faults = [step for step in faults_of(work.state) if action_name(step.action) not in worked]
    if not faults or work.finished.answer is None:
        return None
    step = faults[-1]
    assert isinstance(step.action, Call)
    said = f"{step.action.tool} failed: {step.observation.text} {step.observation.hint}".strip()
    known = from_lines(work.member.context.get(CONTEXT_PART, ""))
    rules = joined(known, [AvoidTool(step.action.tool, step.observation.text)])
    earlier = work.member.context.get("memory", "")
    return {CONTEXT_PART: to_lines(rules), "memory": f"{earlier}\nAn earlier attempt failed. {said}".strip()}


def faults_of(state: State) -> list[Step]:
    """Return the calls that went wrong for another reason than that the tool was not disclosed."""
    return [s for s in state.calls if not s.observation.succeeded and s.observation.error not in _OF_ACCESS]


def _job(crew: Crew, member: Member, apart: bool) -> Callable[[], Work]:
    return lambda: with_retries(crew, member, apart=apart)


def _cleared(work: Work) -> bool:
    intent = work.member.goal.intent
    return work.reached and bool(intent and intent.get("clear_only"))


def _told(work: Work) -> str:
    answer = work.finished.answer
    layers = work.handed(work.member.goal.contract.outputs)
    names = ", ".join(f"{len(layer.addresses)} x {layer.role}" for layer in layers)
    return f"{work.member.goal.brief} {answer.text if answer else work.finished.reason} {names}".strip()
