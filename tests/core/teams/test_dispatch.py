from __future__ import annotations

from pathlib import Path

from treeline.core.context.guardrails import CONTEXT_PART
from treeline.core.engine.actions import Answer, Call, Observation
from treeline.core.engine.events import RunFinished
from treeline.core.engine.state import State, Step
from treeline.core.teams.crew import Outcome
from treeline.core.teams.dispatch import OTHERS_PART, _tell_of_others, correction_of
from treeline.core.teams.model import Contract, Member, SubGoal
from treeline.core.teams.orchestrator import answer_goal

DECLINED = RunFinished("declined", Answer("It cannot be.", declined=True))


def work(*observed: tuple[str, Observation], finished: RunFinished = DECLINED) -> Outcome:
    steps = tuple(Step(n, Call(tool), observation) for n, (tool, observation) in enumerate(observed, 1))
    return Outcome(
        "r", Member("executor", answer_goal("?", ())), finished, State("?", steps=steps), Path(".")
    )


def refusal(error: str) -> Observation:
    return Observation("refusal", "It was refused.", error=error)


def test_the_next_attempt_leaves_out_what_was_at_fault():
    told = correction_of(work(("mean", refusal("RoleMismatch"))))
    assert "mean" in told[CONTEXT_PART] and "It was refused." in told["memory"]


def test_a_tool_that_was_not_disclosed_or_worked_in_the_end_was_not_at_fault():
    assert correction_of(work(("mean", refusal("NotDisclosed")), ("maen", refusal("UnknownTool")))) is None
    assert (
        correction_of(work(("mean", refusal("RoleMismatch")), ("mean", Observation("result", "1")))) is None
    )


def test_an_endpoint_that_fails_is_not_asked_again_for_a_call_that_failed():
    failed = RunFinished("failed", reason="The endpoint cannot be used.")
    assert correction_of(work(("mean", refusal("RoleMismatch")), finished=failed)) is None


def test_a_member_is_told_which_rasters_the_others_hand_on():
    goals = [
        SubGoal("index", "Make it.", contract=Contract(outputs=("ndvi", "lst"))),
        SubGoal("mean", "Average it.", contract=Contract(outputs=("answer",))),
        SubGoal("map", "Draw it."),
    ]
    told = _tell_of_others(Member("executor", goals[2]), goals).context[OTHERS_PART]
    assert told == "- index: Make it. It hands on ndvi, lst.\n- mean: Average it."


def test_a_member_is_told_of_the_others_and_not_of_itself():
    goals = [SubGoal("index", "Make the NDVI."), SubGoal("mean", "Average it.")]
    told = _tell_of_others(Member("executor", goals[0]), goals).context[OTHERS_PART]
    assert "Average it." in told and "Make the NDVI." not in told
    alone = Member("executor", goals[0])
    assert _tell_of_others(alone, goals[:1]) == alone
