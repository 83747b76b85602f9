"""An answer is as sure as the steps that it rests on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from treeline.core.engine.actions import Answer, Call, Observation, ProductRecord
from treeline.core.engine.checks import faults
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification import answer_check, settle, verify
from treeline.core.engine.verification.answer_check import find_doubts
from treeline.core.engine.verification.grounds import grounds_of
from treeline.core.policies.language.reply import mismatch


def product(name: str, share: float = 1.0, role: str = "ndvi", **more) -> ProductRecord:
    return ProductRecord(name, f"/run/{name}", role, "1", valid_share=share, **more)


def step(number: int, *products: ProductRecord, read: str = "", doubt: str = "", said: str = "") -> Step:
    doubts, warnings = ((doubt,) if doubt else ()), tuple(filter(None, (doubt, said)))
    seen = Observation(
        "result",
        "5",
        value=5.0,
        products=products,
        arguments={"path": read},
        doubts=doubts,
        warnings=warnings,
    )
    return Step(number, Call("tool", {"path": read}), seen)


def state(*steps: Step) -> State:
    return State("question", steps=steps)


def test_an_answer_on_sure_steps_stays_as_it_is() -> None:
    answer = Answer("5", evidence=(1,))
    assert verify(answer, state(step(1), step(2, doubt="No scale."))) is answer


def test_a_doubt_of_a_cited_step_makes_it_unverified() -> None:
    found = verify(Answer("5", evidence=(1,)), state(step(1, doubt="No scale.")))
    assert (found.status, found.unverified) == ("unverified", "No scale.")


def test_a_doubt_goes_on_to_what_is_made_of_a_product() -> None:
    made = step(1, product("ndvi.tif"), doubt="No offset.")
    found = verify(Answer("5", evidence=(3,)), state(made, step(2), step(3, read="ndvi.tif#1")))
    assert found.unverified == "No offset."
    handle = step(1, product("a.tif", handle="@ndvi"), doubt="No offset.")
    assert verify(Answer("5", evidence=(2,)), state(handle, step(2, read="@ndvi"))).status == "unverified"


def test_an_answer_that_cites_nothing_rests_on_every_call() -> None:
    trajectory = state(step(1, doubt="No scale."), step(2))
    assert len(grounds_of(Answer("5"), trajectory)) == 2
    assert verify(Answer("5"), trajectory).status == "unverified"


@pytest.mark.parametrize(
    "answer", [Answer("no", declined=True), Answer("5", unverified="A part is left out.")]
)
def test_what_is_no_answer_stays_what_it_is(answer: Answer) -> None:
    assert verify(answer, state(step(1, doubt="No scale."))) is answer


def test_an_empty_map_says_where_its_pixels_went() -> None:
    clear = step(
        1, product("clear.tif", 0.0), said="No pixel of clear.tif is valid: clouds cover every pixel."
    )
    ndvi = step(
        2,
        product("ndvi.tif", 0.0),
        read="clear.tif",
        said="No pixel of ndvi.tif is valid: clear.tif has nothing but no data.",
    )
    found = verify(Answer("Here.", evidence=(1, 2), map="ndvi.tif"), state(clear, ndvi))
    assert found.status == "unverified"
    assert found.unverified.endswith("clouds cover every pixel.")


def test_one_empty_map_of_several_is_no_empty_answer() -> None:
    several = step(1, product("a.tif", 0.0), product("b.tif", 0.4))
    assert verify(Answer("Here.", evidence=(1,), map="a.tif"), state(several)).status == "answered"


@pytest.mark.parametrize(
    ("role", "low", "mean", "high", "faulty"),
    [
        ("ndvi", -0.2, 0.4, 0.9, False),
        ("ndvi", 3.0, 4.0, 7.0, True),
        ("lst", 281.0, 295.0, 320.0, False),
        ("lst", 12.0, 20.0, 40.0, True),
        ("red", 0.01, 0.2, 1.9, False),
        ("red", 0.01, 0.2, 6.5, True),
        ("red", 1.7, 1.8, 1.9, True),
        ("difference", -9e9, 0.0, 9e9, False),
        ("no_such_role", -9e9, 0.0, 9e9, False),
    ],
)
def test_single_bright_pixels_are_no_fault_but_impossible_ones_are(
    role: str, low: float, mean: float, high: float, faulty: bool
) -> None:
    found = faults(product("p.tif", role=role, minimum=low, mean=mean, maximum=high))
    assert bool(found) is faulty


def test_a_rule_that_fails_leaves_the_answer_unverified_with_a_code(monkeypatch, caplog) -> None:
    def fail(grounded: object, relations: bool) -> list[str]:
        raise ZeroDivisionError

    monkeypatch.setattr(answer_check, "find_faults", fail)
    given, of_run = Answer("5. It is high.", evidence=(1,)), state(step(1))
    for checked in (verify(given, of_run), settle(given, of_run)):
        assert "failed with ZeroDivisionError" in checked.unverified and checked.text == given.text
        assert checked.check_fault and checked.check_fault in checked.unverified
    assert "Traceback" in caplog.text and checked.check_fault in caplog.text


def test_a_rule_that_fails_is_no_doubt_about_who_answered(monkeypatch) -> None:
    def fail_behind_a_doubt(grounded: object, relations: bool) -> Iterator[str]:
        yield from doubts
        raise ZeroDivisionError

    doubts: list[str] = []
    monkeypatch.setattr(answer_check, "find_faults", fail_behind_a_doubt)
    given, of_run = Answer("5", evidence=(1,)), state(step(1))
    assert find_doubts(given, of_run) == [] and mismatch(given, of_run) == ""
    doubts = ["No cited step gives 5."]
    assert find_doubts(given, of_run) == doubts and doubts[0] in mismatch(given, of_run)
    assert verify(given, of_run).unverified.startswith(doubts[0])


def test_what_was_calculated_of_cited_results_alone_is_cited_with_them() -> None:
    handed = Observation("result", "10", value=10.0, arguments={"formula": "2 * a", "values": {"a": 5.0}})
    told = state(step(1), step(2), Step(3, Call("calculate", handed.arguments), handed))
    assert [each.number for each in grounds_of(Answer("10", evidence=(1, 2)), told)] == [1, 2, 3]
    assert [each.number for each in grounds_of(Answer("10", evidence=(2,)), told)] == [2, 3]
