"""What is learned of the steps of a team's members."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from treeline.core.engine.actions import Answer, Call, Observation, ProductRecord
from treeline.core.engine.events import RunFinished
from treeline.core.engine.state import State, Step
from treeline.core.errors import GuardrailBroken
from treeline.core.memory.items import BankItem
from treeline.core.memory.procedure import Procedure, ProcedureStep
from treeline.core.teams.adopting import _failure
from treeline.core.teams.crew import Outcome
from treeline.core.teams.judge import Variant
from treeline.core.teams.learning import Experience, _faults, _outcome, _was_followed
from treeline.core.teams.model import NUMBERS, Member, SubGoal


def outcome(*steps: Step, status: str = "answered", clear: tuple[str, ...] = ()) -> Outcome:
    goal = SubGoal("1", "Make the rasters.", clear=clear)
    finished = RunFinished(status, Answer("Done."))
    return Outcome("run", Member("executor", goal, 1), finished, State("?", steps=steps), Path("/products"))


@pytest.mark.parametrize(("error", "told"), [("RoleMismatch", True), (GuardrailBroken.__name__, False)])
def test_what_a_lesson_forbade_is_no_fault_of_the_tool(error: str, told: bool):
    step = Step(1, Call("mean"), Observation("refusal", "It was refused.", hint="Take another.", error=error))
    variant = Variant(1, "plain", (outcome(step),))
    assert _faults(variant) == ({"mean": "It was refused. Take another."} if told else {})


def make_product(name: str, role: str, date: str, kind: str = "raster") -> ProductRecord:
    return ProductRecord(name, f"/products/{name}", role, "1", kind=kind, date=date, place="Lake")


MADE = Step(
    1,
    Call("calculate_batch_ndvi"),
    Observation(
        "result",
        "Done.",
        warnings=("Few.",),
        products=(
            make_product("a.tif", "ndvi", "2021-05-03"),
            make_product("b.tif", "ndvi", "2021-06-10"),
            make_product("c.tif", "lst", "2021-05-03"),
            make_product("d.csv", "ndvi", "2021-05-03", "table"),
        ),
    ),
)


@pytest.mark.parametrize(
    ("roles", "found"),
    [(["ndvi"], {"ndvi": 2}), (["ndvi", NUMBERS], {"ndvi": 2}), ([NUMBERS], {"ndvi": 2, "lst": 1})],
)
def test_a_member_hands_over_its_rasters_of_the_roles_that_are_wanted(roles: list[str], found: dict):
    layers = outcome(MADE, clear=("ndvi",)).layers_of(roles)
    assert {layer.role: len(layer.addresses) for layer in layers} == found
    ndvi = layers[0]
    assert ndvi.addresses == ("/products/a.tif", "/products/b.tif")
    assert ndvi.dates == ("2021-05-03", "2021-06-10")
    assert (ndvi.place, ndvi.unit, ndvi.clear) == ("Lake", "1", True)
    assert (ndvi.shares, ndvi.warnings) == ((None, None), ("Few.",))


def test_a_member_that_did_not_reach_its_goal_hands_over_nothing():
    assert outcome(MADE, status="failed").layers_of([]) == ()


@pytest.mark.parametrize(
    ("tools", "followed"),
    [
        (["calculate_batch_ndvi"], True),
        ([], True),
        (["calculate_batch_ndvi", "calc_batch_image_mean"], False),
        (["calculate_batch_evi"], False),
    ],
)
def test_a_procedure_was_followed_where_all_its_tools_were_called(tools: list[str], followed: bool):
    procedure = Procedure(tuple(ProcedureStep(tool, {}) for tool in tools))
    variant = Variant(1, "plain", (outcome(MADE),))
    assert _was_followed(BankItem("pattern", "ndvi", "So.", procedure), variant) is followed
    assert _was_followed(BankItem("pattern", "ndvi", "So.", None), variant), "a sentence may have been"


@pytest.mark.parametrize(
    ("key", "followed", "team", "fared"),
    [
        ("pattern", True, True, "helped"),
        ("pattern", False, True, "harmed"),  # another way than the one that it told led there
        ("pattern", False, False, "neither"),
        ("other", False, True, "helped"),  # of the other items nobody knows which way went by them
        ("other", False, False, "harmed"),
    ],
)
def test_a_pattern_is_judged_by_the_way_that_followed_it_and_other_items_by_the_team(
    key: str, followed: bool, team: bool, fared: str
):
    told = {name: BankItem("pattern", name, f"The {name} one.", None) for name in ("pattern", "other")}
    experience = SimpleNamespace(
        says_nothing=False,
        known=SimpleNamespace(pattern=told["pattern"]),
        variants=[Variant(1, "plain", (outcome(MADE),))],
        verdicts=[SimpleNamespace(success=followed)],
        success=team,
        taken=Variant(1, "plain", (outcome(MADE),)),
    )
    assert _outcome(told[key], experience) == fared  # type: ignore[arg-type]


def test_the_last_reason_of_a_member_is_the_teams():
    ended = outcome(status="failed")
    ends = [RunFinished("failed", reason=reason, error=reason.upper()) for reason in ("one", "two", "")]
    assert _failure([replace(ended, finished=end) for end in ends]) == ends[1]
    assert _failure([ended]).reason == "No member of the team answered the question."


@pytest.mark.parametrize(
    ("status", "error", "nothing"),
    [
        ("failed", "EndpointRefused", True),
        ("failed", "EndpointUnreachable", True),
        ("failed", "EndpointConfused", False),
        ("failed", "ContextTooLong", False),
        ("declined", "", True),
        ("asks", "", True),
        ("stopped", "", True),
        ("unverified", "", False),
        ("answered", "", False),
    ],
)
def test_what_ends_a_run_from_outside_says_nothing_of_its_way(status: str, error: str, nothing: bool):
    finished = RunFinished(status, Answer("So."), error=error)  # type: ignore[arg-type]
    ended = Variant(1, "plain", (replace(outcome(), finished=finished),))
    experience = Experience(None, ended, [ended], [], None)  # type: ignore[arg-type]
    assert experience.says_nothing is nothing
