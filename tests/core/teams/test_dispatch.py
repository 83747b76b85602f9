from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from treeline.core.context.guardrails import CONTEXT_PART
from treeline.core.engine.actions import Answer, Call, Observation, ProductRecord
from treeline.core.engine.events import RunFinished
from treeline.core.engine.state import State, Step
from treeline.core.teams.crew import Outcome
from treeline.core.teams.dispatch import OTHERS_PART, _tell_of_others, correction_of, equip, equip_planner
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


def test_the_planner_is_handed_the_last_of_a_role_and_place_and_a_model_all_of_them(tmp_path: Path):
    def made(folder: str, place: str) -> Outcome:
        product = ProductRecord("a.tif", f"/{folder}/a.tif", "ndvi", "1", kind="raster", place=place)
        done = work(
            ("mask", Observation("result", "1", products=(product,))), finished=RunFinished("answered")
        )
        goal = SubGoal("make", "Make it.", contract=Contract(outputs=("ndvi",)))
        return replace(done, member=Member("executor", goal), folder=Path("/") / folder)

    outcomes = [made("first", "Lake"), made("other", "Field"), made("last", "Lake")]
    last = [
        layer.addresses[0]
        for layer in equip_planner(Member("executor", answer_goal("?", ())), outcomes).handed
    ]
    both = [layer.addresses[0] for layer in equip(Member("executor", answer_goal("?", ())), outcomes).handed]
    assert last == ["/other/a.tif", "/last/a.tif"] and both == ["/first/a.tif", "/other/a.tif", "/last/a.tif"]
