"""The symbolic critic: each sign is found where it is, and not where it is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from treeline.core.context.guardrails import AvoidCall, AvoidTool, LeaveOut, RequireRole, UseTool
from treeline.core.engine.actions import Answer, Call, Observation, ProductRecord
from treeline.core.engine.events import RunFinished
from treeline.core.engine.state import Step
from treeline.core.memory import reflection
from treeline.core.memory.critic import judge
from treeline.core.memory.reflection import by_rules
from treeline.core.memory.trace import Attempt
from treeline.toolkit import registry
from treeline.toolkit.variables import variable

ROLES = {
    "bt.tif": "bt10",
    "lst.tif": "lst",
    "a.tif": "ndvi",
    "b.tif": "ndvi",
    "evi.tif": "evi",
    "night.tif": "lst_night",
}


def mean_of(name="a.tif", value=0.5, number=1, thought=""):
    observation = Observation("result", str([value]), value=[value], arguments={"file_list": [name]})
    return Step(number, Call("calc_batch_image_mean", {"file_list": [name]}), observation, thought)


def failed_step(
    number=1, tool="calc_batch_image_mean", arguments=None, text="It failed.", error="InputError", hint=""
):
    observation = Observation("refusal", text, hint=hint, error=error)
    return Step(number, Call(tool, arguments or {"file_list": ["x.tif"]}), observation)


def attempt(
    question="What is the mean NDVI?", steps=(), answer=None, status="answered", choices=(), reason=""
):
    finished = RunFinished(status, answer, reason)
    return Attempt(question, choices, tuple(steps), finished, registry(), lambda a: ROLES.get(a, ""))


def signs(*args, **kwargs):
    return [issue.sign for issue in judge(attempt(*args, **kwargs))]


SPENT = "The budget of 60 steps is used up."
GOOD = Answer("The mean NDVI is 0.50.", 0.5, choice="A")


@pytest.mark.parametrize(
    ("expected", "kwargs"),
    [
        ([], {"answer": GOOD}),
        ([], {"answer": GOOD, "choices": ("0.5", "0.7")}),
        ([], {"answer": None, "status": "stopped"}),
        (["missing_answer"], {"answer": None, "status": "failed", "reason": "The endpoint is gone."}),
        (["missing_answer"], {"answer": Answer("<Answer>", 0.5)}),
        ([], {"answer": Answer("<Answer>A<Answer>", 0.5)}),
        (["empty"], {"answer": Answer("  ", 0.5)}),
        (["invalid_option"], {"answer": Answer("0.5", 0.5, choice="E"), "choices": ("1", "2")}),
        (["invalid_option"], {"answer": Answer("0.5", 0.5), "choices": ("1", "2")}),
        (["refusal"], {"answer": Answer("No.", declined=True), "status": "declined"}),
        (["refusal"], {"answer": Answer("I am unable to compute it; 0.5.", 0.5)}),
        (["hedging"], {"answer": Answer("It is probably 0.5.", 0.5)}),
        ([], {"answer": Answer("It is 0.5 in August. The clouds of July may be the cause.", 0.5)}),
        (["unverified"], {"answer": Answer("It is 0.62.", unverified="No."), "status": "unverified"}),
        ([], {"answer": Answer("It.", unverified="A fault.", check_fault="1a"), "status": "unverified"}),
        (["budget"], {"answer": None, "status": "failed", "reason": "The budget of 60 steps is used up."}),
        (
            ["invalid_option", "no_option_fits"],
            {"answer": Answer("0.5. None of the options fits.", 0.5), "choices": ("7", "8")},
        ),
    ],
)
def test_signs_of_the_answer(expected, kwargs):
    assert signs(steps=[mean_of()], **kwargs) == expected


@pytest.mark.parametrize(
    ("error", "expected"), [("EndpointRefused", []), ("EndpointConfused", ["missing_answer"])]
)
def test_an_endpoint_that_refuses_the_key_is_no_failure_of_the_way(error: str, expected: list[str]):
    finished = RunFinished("failed", reason="The endpoint does not accept the key.", error=error)
    ended = replace(attempt(), finished=finished)
    assert [issue.sign for issue in judge(ended)] == expected


@pytest.mark.parametrize(
    ("question", "measured", "expected"),
    [
        ("What is the mean land surface temperature?", "bt.tif", ["wrong_variable"]),
        ("What is the mean LST from band BT10?", "bt.tif", ["wrong_variable"]),
        ("What is the mean brightness temperature of the land surface temperature product?", "bt.tif", []),
        ("What is the mean land surface temperature?", "lst.tif", []),
        ("What is the mean daytime land surface temperature?", "night.tif", ["wrong_variable"]),
        ("What is the mean NDVI?", "evi.tif", ["wrong_variable"]),
        ("What is the mean vegetation?", "evi.tif", []),
        ("What is the mean NDVI and EVI?", "evi.tif", []),
        ("What is the mean NDVI where EVI is above 0.3?", "evi.tif", []),
        ("What is the mean NDVI where clouds are excluded?", "a.tif", ["unmasked_clouds"]),
        ("How cloudy was it and what is the mean NDVI?", "a.tif", []),
    ],
)
def test_signs_of_the_variable(question, measured, expected):
    assert signs(question, [mean_of(measured)], Answer("It is 0.5.", 0.5)) == expected


def test_the_wrong_variable_gives_a_guardrail():
    (issue,) = judge(attempt("mean surface temperature", [mean_of("bt.tif", 300.0)], Answer("300 K", 300.0)))
    (rule,) = issue.guardrails
    assert isinstance(rule, RequireRole) and rule.role == "lst" and "bt10" in rule.instead_of
    assert issue.step == 1


def test_a_masked_product_counts_as_masked():
    product = ProductRecord("clear.tif", "/clear.tif", "ndvi", "1", mean=0.5, minimum=0.1, maximum=0.9)
    arguments = {"sr_band_path": "a.tif", "qa_pixel_path": "m.tif", "output_path": "clear.tif"}
    mask = Step(1, Call("apply_cloud_mask", arguments), Observation("result", "saved", products=(product,)))
    assert signs("mean NDVI without clouds", [mask, mean_of("clear.tif", number=2)], GOOD) == []


def product_of(mean, low, high, role="lst", tool="lst_single_channel"):
    product = ProductRecord("p.tif", "/p.tif", role, "K", minimum=low, maximum=high, mean=mean)
    return Step(1, Call(tool, {"bt_path": "bt.tif"}), Observation("result", "saved", products=(product,)))


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (product_of(301, 290, 310), []),
        (product_of(12, 5, 20), ["outside_contract"]),
        (product_of(variable("lst").plausible[0], 0, 300), []),
        (product_of(variable("lst").plausible[1], 0, 400), []),
        (product_of(300, 300, 300), ["outside_contract"]),
    ],
)
def test_a_product_outside_its_contract(step, expected):
    steps = [step, mean_of("p.tif", 0.5, 2)]
    issues = judge(attempt("mean of it", steps, Answer("It is 0.5.", 0.5)))
    assert [issue.sign for issue in issues] == expected
    assert [type(rule) for issue in issues for rule in issue.guardrails] == [AvoidTool] * len(expected)


def test_a_repeated_failure_forbids_the_call():
    steps = [failed_step(1), failed_step(2), mean_of(number=3)]
    (issue,) = judge(attempt(steps=steps, answer=GOOD))
    assert issue.sign == "repeated_failure" and issue.step == 2
    other = failed_step(4, arguments={"file_list": ["y.tif"]})
    (issue,) = judge(attempt(steps=[*steps, other], answer=GOOD))
    assert issue.step == 2, "the last of those that are alike"
    assert issue.guardrails == (AvoidCall("calc_batch_image_mean", {"file_list": ["x.tif"]}, "It failed."),)
    assert (
        signs(
            steps=[failed_step(1), failed_step(2, arguments={"file_list": ["y.tif"]}), mean_of()], answer=GOOD
        )
        == []
    )


def test_a_damaged_raster_of_several_is_left_out_and_a_single_one_is_not():
    text = "Item 2 of 3: b.tif cannot be read at row 0, column 0."
    declined = {"answer": Answer("No.", declined=True), "status": "declined"}
    several = failed_step(1, arguments={"file_list": ["a.tif", "b.tif"]}, text=text, error="RasterUnreadable")
    single = failed_step(1, arguments={"file_list": ["b.tif"]}, text=text, error="RasterUnreadable")
    rules = [r for issue in judge(attempt(steps=[several], **declined)) for r in issue.guardrails]
    assert rules == [LeaveOut("b.tif", "It cannot be read.")]
    assert not [r for issue in judge(attempt(steps=[single], **declined)) for r in issue.guardrails]


def test_a_used_up_budget_points_to_the_tool_for_many():
    many = [
        Step(
            n,
            Call("calculate_threshold_ratio", {"image_paths": f"{n}.tif"}),
            Observation("result", "1", value=1),
        )
        for n in range(1, 6)
    ]
    found = judge(attempt(steps=many, status="failed", reason="The budget of 5 steps is used up."))
    (rule,) = [rule for issue in found for rule in issue.guardrails]
    assert rule == UseTool("calc_batch_threshold_ratio", "It takes all rasters in one call.")


def test_the_rules_tell_cause_and_fix_and_keep_what_was_learned_before():
    bad = attempt("mean LST", [mean_of("bt.tif", 300.0)], Answer("Probably 300 K.", 300.0), choices=())
    earlier = (LeaveOut("b.tif", "It is empty."),)
    lesson = by_rules(bad, judge(bad), earlier, 2)
    assert lesson.text.startswith("Attempt 2 failed at step 1: calc_batch_image_mean measured bt10")
    assert "Derive lst first" in lesson.text
    assert [type(rule) for rule in lesson.guardrails] == [LeaveOut, RequireRole]
    assert [issue["sign"] for issue in lesson.issues] == ["wrong_variable", "hedging"]


def test_the_first_two_signs_are_told_and_a_mere_consequence_only_alone():
    answer = Answer("It is probably 0.62.", 0.62)
    tried = attempt("What is the mean NDVI?", [mean_of("evi.tif"), failed_step(2), failed_step(3)], answer)
    issues = judge(tried)
    assert len(issues) > 2
    assert by_rules(tried, issues).text.count("Attempt 1 failed") == 2
    assert by_rules(tried, issues, round_number=3).text.count("Attempt 3 failed") == 2


def test_a_failed_call_is_answered_by_another_tool_for_the_same_role():
    wrong = failed_step(tool="lst_single_channel", arguments={"bt_path": "bt.tif"}, text="There is no band.")
    (issue,) = judge(attempt(steps=[wrong], status="failed", answer=Answer("None.", declined=False)))[-1:]
    assert issue.sign == "failed_call" and issue.step == 1
    assert [type(rule) for rule in issue.guardrails] == [AvoidTool] and "split_window" in issue.fix
    plain = failed_step(tool="mean", arguments={"x": []}, text="There is no number.", hint="Give numbers.")
    (issue,) = [i for i in judge(attempt(steps=[plain], status="failed")) if i.sign == "failed_call"]
    assert issue.fix == "Give numbers." and not issue.guardrails


@pytest.mark.parametrize(("times", "told"), [(0, False), (1, False), (2, False), (3, True)])
def test_a_used_up_budget_names_the_tool_that_was_called_again_and_again(times: int, told: bool):
    call = Call("calculate_threshold_ratio", {"image_path": "a.tif"})
    steps = [Step(n, call, Observation("result", "0.5", value=0.5)) for n in range(1, times + 1)]
    steps.append(mean_of(number=times + 1))
    (issue,) = [i for i in judge(attempt(steps=steps, status="failed", reason=SPENT)) if i.sign == "budget"]
    assert ("calculate_threshold_ratio was called 3 times" in issue.cause) == told
    assert [type(rule) for rule in issue.guardrails] == [UseTool] * told


@pytest.mark.parametrize(
    ("tool", "fix"),
    [
        ("calculate_batch_ndmi", "Name other bands."),  # nothing else makes it
        ("spectral_index", "Make spectral_index another way, such as with spectral_index_series."),
    ],
)
def test_a_failed_call_is_put_right_by_its_hint_where_no_other_tool_makes_the_same(tool: str, fix: str):
    step = failed_step(tool=tool, hint="Name other bands.")
    (issue,) = [i for i in judge(attempt(steps=[step], status="failed")) if i.sign == "failed_call"]
    assert issue.fix == fix


def test_where_no_word_may_be_kept_the_first_sign_tells_its_fix_alone(monkeypatch):
    tried = attempt("What is the mean NDVI?", [mean_of("evi.tif")], Answer("It is probably 0.62.", 0.62))
    issues = judge(tried)
    assert len(issues) > 1
    monkeypatch.setattr(reflection, "without_answers", lambda text, choices: "")
    first = min(issues, key=lambda issue: reflection._TELLING.index(issue.sign))
    assert by_rules(tried, issues).text == first.fix
