"""What a model that judges variants, or learns from them, reads of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from treeline.core.engine.actions import Answer, Call, Observation, UnconfirmedSentence
from treeline.core.engine.events import RunFinished
from treeline.core.engine.state import State, Step
from treeline.core.teams.crew import Outcome
from treeline.core.teams.dispatch import equip
from treeline.core.teams.judge import Variant, verdicts_by_rules
from treeline.core.teams.language.variants import describe_variants
from treeline.core.teams.model import Member, SubGoal
from treeline.core.teams.orchestrator import answer_goal

QUESTION = "Which region is the highest?"
ROWS = ["zone | name | mean"] + [f"{n} | Region number {n} of the land | {400 + n}.125" for n in range(1, 61)]
APART = UnconfirmedSentence("Its mean elevation is 455 m.", "No cited step gives 455.")


def outcome(goal: SubGoal, answer: Answer, text: str, calls: int = 1) -> Outcome:
    step = Step(1, Call("zonal_statistics"), Observation("result", text, value=[401.125]))
    state = State(goal.brief, steps=tuple(replace(step, number=n + 1) for n in range(calls)))
    return Outcome("run", Member("executor", goal), RunFinished("answered", answer), state, Path("."))


def variant(rows: int, calls: int = 1) -> Variant:
    ask = answer_goal(QUESTION, ())
    last = outcome(
        ask,
        Answer("The mean is 401.125.", evidence=(1,), unconfirmed=(APART,)),
        "\n".join(ROWS[:rows]),
        calls,
    )
    below = outcome(SubGoal("ndvi", "Make NDVI.", "prepare"), Answer("Three dates are clear."), "wrote a.tif")
    return Variant(1, "careful", (below, last))


def test_tables_are_told_by_whole_rows():
    told = describe_variants([variant(20)])
    assert all(row in told for row in ROWS[:20])
    cut = describe_variants([variant(61)])
    shown = [row for row in ROWS if f"{row}\n" in cut]
    assert 20 < len(shown) < 61 and f"{61 - len(shown)} of 61 lines are left out" in cut
    assert len(cut) < 2_000


def test_of_many_results_each_is_given_a_share():
    assert len(describe_variants([variant(61, 40)] * 3)) < 45_000


def test_it_is_told_what_members_said_and_what_was_not_confirmed():
    told = describe_variants([variant(2)])
    assert "it said: Three dates are clear." in told
    assert "Answer: The mean is 401.125." in told
    assert 'not confirmed: "Its mean elevation is 455 m." (No cited step gives 455.)' in told


def test_what_was_not_confirmed_makes_no_failure_and_reaches_the_members_above():
    made = variant(2)
    (verdict,) = verdicts_by_rules([made], ())
    assert verdict.success
    above = equip(Member("executor", answer_goal(QUESTION, ())), [made.outcomes[-1]])
    assert "Its mean elevation is 455 m." in above.context["products"]
