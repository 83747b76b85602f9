from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeline.core.context.conversation import MESSAGE_OVERHEAD, conversation, folded_steps
from treeline.core.context.digest import digest, names_of
from treeline.core.context.folds import STEPS_KEPT_WHOLE, fold_further, folds
from treeline.core.context.functions import DEFINITIONS
from treeline.core.context.ledger import PARTS, Prices, context_tokens, ledger_of
from treeline.core.context.tokens import count_tokens
from treeline.core.engine.actions import Call, Doc, Observation, Skill, TokenUse
from treeline.core.engine.state import State, Step

CONTEXT = {"tree": "- Index (27 tools): indices", "catalogue": "@ndvi: 12 rasters", "cards": "Mind clouds."}


def state_of(*steps, question="What is the mean NDVI?"):
    state = State(question, (), CONTEXT)
    for action, observation in steps:
        state = state.after(Step(len(state.steps) + 1, action, observation, "So I think."))
    return state


def result(text, value=None):
    return Observation("result", text, value=value)


LISTING = Observation(
    "information", "- mean: the mean\n- sum: the sum " * 9, value={"tools": ["mean", "sum"]}
)
DOCUMENT = Observation("information", "mean(x: list[float])\n\nThe mean of numbers.", value={"tool": "mean"})


def text_of(messages):
    return "\n".join(message["content"] for message in messages)


def test_tokens_are_those_of_the_byte_pair_encoding():
    assert count_tokens("") == 0
    assert count_tokens("hello world") == 2  # o200k_base: "hello", " world"
    assert count_tokens("2021-07-12") == 6  # 202 1 - 07 - 12


def test_each_part_is_where_it_belongs():
    state = state_of(
        (Skill("Statistics"), LISTING), (Doc("mean"), DOCUMENT), (Call("mean", {"x": "@ndvi"}), result("1"))
    )
    first, second, third = ledger_of(state).turns
    assert set(first.parts) == set(PARTS)
    assert first.parts["observations"] == first.parts["documents"] == 0 and first.parts["memory"] > 0
    assert second.parts["tree"] > first.parts["tree"]
    assert third.parts["documents"] > 0 and third.parts["observations"] == 0
    assert third.parts["catalogue"] == first.parts["catalogue"]
    assert context_tokens(state)["observations"] > 0


def test_a_listing_that_has_served_keeps_the_names_alone():
    before = state_of((Skill("Statistics"), LISTING))
    after = state_of((Skill("Statistics"), LISTING), (Doc("mean"), DOCUMENT))
    other = state_of((Skill("Statistics"), LISTING), (Doc("slope"), DOCUMENT))
    assert "the sum" in text_of(conversation(before)) and "the sum" in text_of(conversation(other))
    shown = text_of(conversation(after))
    assert "the sum" not in shown and "mean, sum" in shown
    assert context_tokens(after)["tree"] < context_tokens(other)["tree"]


def test_the_ledger_counts_what_is_sent():
    state = state_of(*[(Call("mean", {"x": [n]}), result(f"{n} " * 50)) for n in range(30)])
    folded = folded_steps(state)
    counted = sum(context_tokens(state, folded).values())
    messages = conversation(state, folded=folded)
    calls = [call["function"]["arguments"] for m in messages for call in m.get("tool_calls", ())]
    texts = [*(m["content"] for m in messages), *calls, json.dumps(DEFINITIONS, separators=(",", ":"))]
    sent = sum(map(count_tokens, texts)) + MESSAGE_OVERHEAD * len(messages)
    assert folded > 0 and abs(counted - sent) < 0.02 * sent


def test_old_steps_are_told_in_short_and_documents_stay():
    calls = [(Call("mean", {"x": [n]}), result(f"result number {n} " * 40)) for n in range(60)]
    state = state_of((Skill("Statistics"), LISTING), (Doc("mean"), DOCUMENT), *calls)
    totals = [turn.total for turn in ledger_of(state).turns]
    assert max(totals) < 1_700 < sum(count_tokens(o.text) for _, o in calls)
    shown = text_of(conversation(state, folded=folded_steps(state)))
    assert "The mean of numbers." in shown and "Statistics: mean, sum" in shown
    assert "result number 59" in shown and "the sum" not in shown


def test_nothing_but_the_end_changes_between_two_folds():
    openings = [(Skill("Statistics"), LISTING), (Doc("mean"), DOCUMENT)]
    calls = [(Call("mean", {"x": [n]}), result(f"result number {n} " * 10)) for n in range(30)]
    state = state_of(*openings, *calls)
    sent, folded = [], []
    for count in range(3, len(state.steps) + 1):
        before = State(state.question, (), CONTEXT, state.steps[:count])
        folded.append(folded_steps(before))
        sent.append(json.dumps(conversation(before, folded=folded[-1]))[:-1])
    same = [later.startswith(earlier) for earlier, later in zip(sent, sent[1:], strict=False)]
    unfolded = [earlier == later for earlier, later in zip(folded, folded[1:], strict=False)]
    assert same == unfolded
    assert sum(unfolded) > len(unfolded) / 2, "folded at nearly every step"


def test_the_beginning_of_the_prompt_stays_the_same():
    calls = [(Call("mean", {"x": [n]}), result(f"result number {n} " * 40)) for n in range(40)]
    beginnings = set()
    for count in range(0, 41, 5):
        state = state_of(*calls[:count])
        system, task, *_ = conversation(state, folded=folded_steps(state))
        beginnings.add((system["content"], task["content"].partition("# Earlier steps in short")[0].strip()))
    assert len(beginnings) == 1


def test_repeated_tokens_are_those_of_the_turn_before_unless_it_folded():
    state = state_of(*[(Call("mean", {"x": [n]}), result(f"{n} " * 300)) for n in range(12)])
    turns = ledger_of(state).turns
    assert turns[0].repeated == 0
    for before, turn in zip(turns, turns[1:], strict=False):
        if turn.folded == before.folded:
            assert turn.repeated == pytest.approx(before.total, rel=0.01)
        else:
            assert turn.repeated < 0.99 * before.total


def test_what_an_endpoint_reports_counts_before_what_was_counted():
    step = Step(1, Skill("Index"), LISTING, "Think.", TokenUse(1_000, 50, 400))
    ledger = ledger_of(State("q").after(step))
    assert (ledger.input, ledger.cached, ledger.output) == (1_000, 400, 50)
    assert Prices(2.0, 1.0, 10.0).of(ledger) == (600 * 2 + 400 * 1 + 50 * 10) / 1e6
    assert ledger.as_json()["turns"][0]["reported"] == {"input": 1_000, "output": 50, "cached": 400}


def test_a_digest_tells_the_calls_of_a_tool_in_one_line_and_faults_each():
    faults = [(Call("mean", {"x": n}), Observation("refusal", f"no list {n}")) for n in range(2)]
    state = state_of(*[(Call("mean", {"x": [n]}), result(str(n * 7))) for n in range(40)], *faults)
    lines = digest(state.steps).splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("1 to 40, 40 times") and "; 40: 273" in lines[0] and len(lines[0]) < 700
    assert "2 times" in lines[1] and "no list 1" in lines[1]


@settings(max_examples=60)
@given(st.lists(st.integers(0, 900), max_size=40), st.integers(1, 2_000))
def test_folding_keeps_the_newest_whole_and_never_goes_back(savings, worth):
    steps = [Step(n, Call("mean", {"saving": s}), result("r")) for n, s in enumerate(savings, start=1)]
    numbers = list(folds(steps, lambda step, later: step.action.arguments["saving"], worth))
    assert len(numbers) == len(steps) + 1 and numbers[0] == 0
    for count, (before, folded) in enumerate(zip(numbers, numbers[1:], strict=False), start=1):
        newest = max(0, count - STEPS_KEPT_WHOLE)
        assert before <= folded <= newest
        assert sum(savings[folded:newest]) < worth
        assert folded == before or sum(savings[before:folded]) >= worth


def test_names_that_begin_alike_are_told_together():
    names = ["calc_mean", "calc_sum", "calc_std", "mean", "ratio_of"]
    step = Step(1, Skill("S"), Observation("information", "", value={"tools": names}))
    assert names_of(step) == "calc_{mean,sum,std}, mean, ratio_of"


def test_the_arguments_of_a_call_go_back_as_they_were_written():
    names = [f"Lake_{n}.tif" for n in range(40)]
    sent = conversation(state_of((Call("mean", {"x": names}), result("1"))))
    (call,) = sent[-2]["tool_calls"]
    assert json.loads(call["function"]["arguments"])["arguments"] == {"x": names}


def test_an_endpoint_that_takes_no_more_gets_less_until_one_step_is_left():
    assert fold_further(20, 0) == 18
    assert fold_further(20, 18) == 19
    assert fold_further(20, 19) is None
