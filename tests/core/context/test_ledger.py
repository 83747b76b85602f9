from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeline.core.context import conversation as conversations
from treeline.core.context.conversation import (
    MESSAGE_OVERHEAD,
    conversation,
    count_folded_steps,
    folds_of,
    repetition,
)
from treeline.core.context.digest import digest, names_of
from treeline.core.context.folds import STEPS_KEPT_WHOLE, Size, fold_further, folds
from treeline.core.context.functions import (
    DEFINITIONS,
    AnswerFunction,
    _as_number,
    _as_object,
    _one,
    arguments_of,
)
from treeline.core.context.ledger import PARTS, Prices, context_tokens, ledger_of
from treeline.core.context.tokens import count_tokens
from treeline.core.engine.actions import Call, Doc, Observation, ProductRecord, Skill, TokenUse
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
    refused = state_of((Skill("Statistics"), LISTING), (Doc("slope"), Observation("refusal", "no slope")))
    moved_on = state_of(*[(Skill("Statistics"), LISTING)] * 3)
    assert "the sum" in text_of(conversation(before)) and "the sum" in text_of(conversation(refused))
    shown = text_of(conversation(after))
    assert "the sum" not in shown and "mean, sum" in shown
    assert context_tokens(after)["tree"] < context_tokens(refused)["tree"]
    assert text_of(conversation(moved_on)).count("- sum: the sum") == 2 * LISTING.text.count("- sum: the sum")


def test_a_digest_tells_files_that_were_written_alike_in_one_line():
    made = (ProductRecord("m", "m", "masked", "1"),)
    steps = [
        (Call("mask", {"b": f"B{band}_{date}.tif"}), replace(result(f"wrote m_{date}.tif"), products=made))
        for date in ("2021-05-03", "2021-07-12")
        for band in (3, 5)
    ]
    (line,) = digest(state_of(*steps).steps).splitlines()
    assert line.startswith(
        "[steps with <a> <b>: 1: 3 2021-05-03; 2: 5 2021-05-03; 3: 3 2021-07-12; 4: 5 2021-07-12]"
    )
    assert line.endswith("call mask {b:B<a>_<b>.tif} -> wrote m_<b>.tif")


def test_what_was_sent_stays_as_it_was_until_half_of_the_window_is_used():
    calls = [(Call("mean", {"x": [n]}), result(f"result number {n}")) for n in range(30)]
    state = state_of((Skill("Statistics"), LISTING), (Doc("mean"), DOCUMENT), *calls)
    assert count_folded_steps(state) == 0
    sent = [conversation(State(state.question, (), CONTEXT, state.steps[:count])) for count in range(2, 32)]
    for shorter, longer in zip(sent, sent[1:], strict=False):
        assert longer[: len(shorter)] == shorter


def test_the_ledger_counts_what_is_sent():
    state = state_of(*[(Call("mean", {"x": [n]}), result(f"{n} " * 50)) for n in range(30)])
    folded = count_folded_steps(state, 4_000)
    counted = sum(context_tokens(state, folded).values())
    messages = conversation(state, folded=folded)
    calls = [call["function"]["arguments"] for m in messages for call in m.get("tool_calls", ())]
    texts = [*(m["content"] for m in messages), *calls, json.dumps(DEFINITIONS, separators=(",", ":"))]
    sent = sum(map(count_tokens, texts)) + MESSAGE_OVERHEAD * len(messages)
    assert folded > 0 and abs(counted - sent) < 0.02 * sent


def test_a_fold_keeps_every_number_date_handle_and_warning():
    table = "class | mean\n" + "\n".join(f"class {n} | {n / 7:.5f}" for n in range(1, 45))
    made = Observation(
        "result",
        "wrote @ndvi-made, 2 rasters: ndvi [1], 2021-05-03 to 2021-07-12\nwarning: no scale is declared",
    )
    calls = [(Call("mean", {"x": [n]}), result(f"result number {n}")) for n in range(60)]
    state = state_of(
        (Skill("Statistics"), LISTING),
        (Doc("mean"), DOCUMENT),
        (Call("by_class"), result(table)),
        (Call("make"), made),
        *calls,
    )
    folded = count_folded_steps(state, 6_000)
    assert folded > 4
    shown = text_of(conversation(state, folded=folded))
    assert "The mean of numbers." in shown and "Statistics: mean, sum" in shown and "the sum" not in shown
    for kept in (*table.splitlines(), "@ndvi-made", "2021-07-12", "no scale is declared", "result number 59"):
        assert kept in shown
    assert all(f"result number {n}" in shown for n in range(60))
    assert sum(context_tokens(state, folded).values()) < 0.75 * sum(context_tokens(state).values())


def test_nothing_but_the_end_changes_between_two_folds():
    openings = [(Skill("Statistics"), LISTING), (Doc("mean"), DOCUMENT)]
    calls = [(Call("mean", {"x": [n]}), result(f"result number {n} " * 10)) for n in range(30)]
    state = state_of(*openings, *calls)
    sent, folded = [], []
    for count in range(3, len(state.steps) + 1):
        before = State(state.question, (), CONTEXT, state.steps[:count])
        folded.append(count_folded_steps(before, 3_600))
        sent.append(json.dumps(conversation(before, folded=folded[-1]))[:-1])
    same = [later.startswith(earlier) for earlier, later in zip(sent, sent[1:], strict=False)]
    unfolded = [earlier == later for earlier, later in zip(folded, folded[1:], strict=False)]
    assert same == unfolded
    assert 0 < len(unfolded) - sum(unfolded) < 5, "never folded, or at nearly every step"


def test_the_beginning_of_the_prompt_stays_the_same():
    calls = [(Call("mean", {"x": [n]}), result(f"result number {n} " * 40)) for n in range(40)]
    beginnings = set()
    for count in range(0, 41, 5):
        state = state_of(*calls[:count])
        system, task, *_ = conversation(state, folded=count_folded_steps(state, 4_000))
        beginnings.add((system["content"], task["content"].partition("# Earlier steps in short")[0].strip()))
    assert len(beginnings) == 1


def test_repeated_tokens_are_those_of_the_turn_before_unless_it_folded():
    state = state_of(*[(Call("mean", {"x": [n]}), result(f"{n} " * 300)) for n in range(12)])
    turns = ledger_of(state, 6_000).turns
    assert turns[0].repeated == 0 and turns[-1].folded > 0
    for before, turn in zip(turns, turns[1:], strict=False):
        if turn.folded == before.folded:
            assert turn.repeated == pytest.approx(before.total, rel=0.01)
        else:
            assert turn.repeated < 0.99 * before.total


def test_what_an_endpoint_reports_counts_before_what_was_counted():
    step = Step(1, Skill("Index"), LISTING, "Think.", TokenUse(1_000, 50, 400))
    ledger = ledger_of(State("q").after(step))
    assert (ledger.input, ledger.cached_input, ledger.output) == (1_000, 400, 50)
    assert Prices(2.0, 1.0, 10.0).of(ledger) == (600 * 2 + 400 * 1 + 50 * 10) / 1e6
    assert ledger.as_json()["turns"][0]["reported"] == {"input": 1_000, "output": 50, "cached": 400}


def test_a_digest_tells_each_call_and_faults_of_a_kind_once():
    faults = [(Call("mean", {"x": n}), Observation("refusal", f"no list {n}", "Give one.")) for n in range(2)]
    state = state_of(*[(Call("mean", {"x": [n]}), result(str(n * 7))) for n in range(40)], *faults)
    lines = digest(state.steps).splitlines()
    assert len(lines) == 41 and lines[39] == "[step 40] call mean {x:[39]} -> 273"
    assert "2 times" in lines[40] and "no list 1 Give one." in lines[40]


@settings(max_examples=60)
@given(st.lists(st.integers(0, 900), max_size=40), st.integers(600, 8_000))
def test_folding_keeps_the_newest_whole_and_never_goes_back(wholes, window):
    sizes = [Size(whole, whole // 5) for whole in wholes]
    numbers = list(folds(sizes, 100, window))
    assert len(numbers) == len(sizes) + 1 and numbers[0] == 0
    for count, (before, folded) in enumerate(zip(numbers, numbers[1:], strict=False), start=1):
        newest = max(0, count - STEPS_KEPT_WHOLE)
        used = 100 + sum(s.short for s in sizes[:folded]) + sum(s.whole for s in sizes[folded:count])
        assert before <= folded <= max(newest, before)
        assert folded in (before, newest) or used <= window / 4
        assert used <= 0.8 * window or folded == newest


def test_a_context_that_fits_is_never_folded():
    assert list(folds([Size(100, 10)] * 20, 1_000, 8_000)) == [0] * 21


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


@pytest.mark.parametrize(
    ("beginning", "sizes", "expected"),
    [
        (0, [Size(100, 10)] * 9, [0] * 9 + [6]),  # above half of the window: down to a quarter
        (1, [Size(100, 0)] * 8, [0] * 8 + [5]),
        (0, [Size(100, 0)] * 9, [0] * 9 + [5]),  # a quarter exactly is little enough
        (0, [Size(100, 86)] * 9, [0] * 10),  # 7 x 14 saved: less than a sixteenth is not worth it
        (0, [Size(100, 86)] * 6 + [Size(100, 84)] * 3, [0] * 9 + [7]),  # a sixteenth is
        (980, [Size(100, 90)] * 3, [0] * 4),  # four fifths used: not yet pressed
        (981, [Size(100, 90)] * 3, [0] * 3 + [1]),
    ],
)
def test_a_fold_comes_at_its_share_of_the_window_and_goes_to_its_share(beginning, sizes, expected):
    assert list(folds(sizes, beginning, 1_600)) == expected


def test_a_warning_of_repetition_comes_with_the_third():
    calls = [(Call("mean", {"x": 1}), result("1"))] * 3
    other = [(Call("sum", {"x": 1}), result("1"))]
    assert repetition(()) == repetition(state_of(*calls[:2]).steps) == ""
    assert "3 times" in repetition(state_of(*calls).steps)
    assert "3 times" in repetition(state_of(*other, *calls).steps)
    assert repetition(state_of(*calls, *other).steps) == ""


def test_a_digest_cuts_long_lines_and_words_that_tell_nothing():
    long = "The result follows." + " It is a raster of the place." * 9 + " Its mean is 0.25; so."
    word = "w" * 81
    state = state_of(
        (Call("a"), result(long)),
        (Call("b"), result(f"{long} {word} {word[1:]} {word}2")),
        (Call("c"), result("x" * 240)),
        (Doc("mean"), Observation("refusal", "No.", error="UnknownTool")),
    )
    first, second, third, fault = digest(state.steps).splitlines()
    assert first == "[step 1] call a {} -> The result follows. Its mean is 0.25;"
    assert second.endswith(f" ... {word[1:]} {word}2")
    assert third.endswith("x" * 240)
    assert fault.startswith("[step 4] doc mean -> refusal: No."), "one fault has no number"


def test_prices_are_of_a_million_tokens_and_zero_unless_given():
    ledger = ledger_of(State("q").after(Step(1, Skill("Index"), LISTING, "T", TokenUse(2_000_000, 0, 0))))
    assert Prices().of(ledger) == 0.0 and Prices(input=3.0).of(ledger) == 6.0


def test_a_turn_is_counted_to_the_token():
    state = state_of(
        (Skill("Statistics"), LISTING), (Doc("mean"), DOCUMENT), (Call("mean", {"x": 1}), result("1"))
    )
    ledger = ledger_of(state)
    for turn in ledger.turns:
        messages = conversation(State(state.question, (), CONTEXT, state.steps[: turn.step - 1]))
        calls = [call["function"]["arguments"] for m in messages for call in m.get("tool_calls", ())]
        texts = [*(m["content"] for m in messages), *calls, json.dumps(DEFINITIONS, separators=(",", ":"))]
        # Sections of the first message are counted one by one, which splits a few tokens otherwise.
        assert turn.total == pytest.approx(
            sum(map(count_tokens, texts)) + MESSAGE_OVERHEAD * len(messages), abs=2 * len(CONTEXT)
        )
        action = state.steps[turn.step - 1].action
        assert turn.written == count_tokens("So I think.") + count_tokens(arguments_of(action))
    second = ledger.turns[1]
    assert second.repeated == pytest.approx(ledger.turns[0].total, abs=2 * len(CONTEXT))
    assert ledger.input == sum(turn.total for turn in ledger.turns)
    assert ledger.cached_input == sum(turn.repeated for turn in ledger.turns)


def test_a_list_of_one_stands_for_its_item():
    assert [_one([5]), _one([]), _one([1, 2]), _one("a")] == [5, [], [1, 2], "a"]
    assert [_as_object('[{"a": 1}]'), _as_object(""), _as_object(None)] == [{"a": 1}, {}, {}]


def test_folds_are_counted_from_what_stands_before_the_first_step(monkeypatch):
    state = state_of(*[(Call("mean", {"x": [n]}), result(f"{n} " * 50)) for n in range(9)])
    counted: list[tuple[int, int]] = []
    monkeypatch.setattr(
        conversations, "folds", lambda sizes, beginning, window: counted.append((beginning, window)) or [0]
    )
    assert folds_of(state, 5_000) == [0]
    first = context_tokens(State(state.question, (), CONTEXT))
    assert counted == [(sum(first.values()) - 2 * MESSAGE_OVERHEAD, 5_000)]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("\u22123.5 K", "-3.5"),
        ("1,234 ha", "1234"),
        ("12 of 30", "12"),
        ("1e-3", "1e-3"),
        (".5", ".5"),
        ("None", None),
        ("", None),
        ("north", "north"),
        (7, 7),
    ],
)
def test_the_number_of_an_answer_is_read_from_what_is_written(written: object, read: object):
    assert _as_number(written) == read


def test_a_question_is_asked_back_with_two_ways_at_least():
    assert AnswerFunction(text="Which?", asks=["a", "b"]).asks == ["a", "b"]
    assert AnswerFunction(text="So.").asks == []
    for asks in (["a"], ["a", "a"]):
        with pytest.raises(ValueError, match="two ways"):
            AnswerFunction(text="Which?", asks=asks)
