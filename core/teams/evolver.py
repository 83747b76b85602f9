"""GeoEvolver's team: retrieve, orchestrate, execute in parallel, judge, and learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from treeline.core.context.guardrails import MEMORY_PART
from treeline.core.engine.events import RunFinished
from treeline.core.teams.adopting import adopt, begin
from treeline.core.teams.crew import Crew
from treeline.core.teams.dispatch import carry_out
from treeline.core.teams.judge import Variant
from treeline.core.teams.judges import judge_variants
from treeline.core.teams.learning import Experience, learn_from
from treeline.core.teams.model import Member, SubGoal
from treeline.core.teams.retrieval import PriorKnowledge, recall_items
from treeline.core.teams.strategies import Strategy, strategies_of
from treeline.core.teams.work import TeamOptions, Work


@dataclass(frozen=True)
class _Way:
    """A variant before it is taken."""

    number: int
    strategy: Strategy


def work_as_evolver(work: Work) -> RunFinished:
    """Work on a question with variants of executors in parallel, and take the one that the judge chooses."""
    crew = Crew(work)
    begin(work)
    known = recall_items(crew)
    crew.enforce(rule for item in known.items for rule in item.guardrails)
    variants = _explore(crew, known, first=1)
    # A procedure that no longer fits must not keep a question from being answered.
    if known.pattern is not None and not _has_ended(variants):
        crew.tell("memory", "The known procedure did not lead to an answer; the question is worked on again.")
        variants += _explore(crew, replace(known, pattern=None), first=len(variants) + 1)
    taken, verdicts = judge_variants(crew, variants)
    for verdict in verdicts:
        crew.tell("verdict", f"Variant {verdict.variant}: {verdict.why}", **verdict.to_json())
    if "memory" not in crew.options.without:
        learn_from(Experience(crew, taken, variants, verdicts, known))
    return adopt(crew, taken.outcomes)


def _count(options: TeamOptions) -> int:
    return 1 if "exploration" in options.without else options.variants


def _explore(crew: Crew, known: PriorKnowledge, first: int) -> list[Variant]:
    strategies = strategies_of(crew, _count(crew.options), known)
    ways = [_Way(number, strategy) for number, strategy in enumerate(strategies, first)]
    if len(ways) > 1 and crew.team.may_part:
        crew.team.prepare(len(ways))
    jobs = [_job(crew, way, known, apart=len(ways) > 1) for way in ways]
    return crew.work_all(jobs)


def _job(crew: Crew, way: _Way, known: PriorKnowledge, *, apart: bool) -> Callable[[], Variant]:
    return lambda: _work(crew, way, known, apart=apart)


def _work(crew: Crew, way: _Way, known: PriorKnowledge, *, apart: bool) -> Variant:
    goals = way.strategy.goals
    for goal in goals:
        crew.tell("sub_goal", f"{way.number}: {goal.brief}", variant=way.number, **goal.as_note())
    told = {MEMORY_PART: "\n".join(f"- {line}" for line in known.lines)} if known.items else {}
    context = {**told, **way.strategy.context}

    def staff(goal: SubGoal) -> Member:
        return Member(
            "executor",
            goal,
            way.number,
            strategy=way.strategy.name,
            tools=goal.tools,
            opened=way.strategy.opened,
            context=context,
        )

    return Variant(way.number, way.strategy.name, tuple(carry_out(crew, goals, staff, apart=apart)))


def _has_ended(variants: list[Variant]) -> bool:
    """Return whether a way led to an answer, or to an end that no other way changes.

    A question back and a refusal follow from the question and the data, which are the same on every way.
    """
    last = [variant.last_outcome for variant in variants]
    return any(each is not None and each.finished.status in _ENDS for each in last)


_ENDS = frozenset({"answered", "asks", "declined"})
