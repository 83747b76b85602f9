"""Traces in short: sizes on the recorded ones, and what is never lost."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeline.core.context.shortening import Detail, brief
from treeline.core.context.tokens import count_tokens
from treeline.core.engine.actions import Call, Observation
from treeline.core.engine.state import Step
from treeline.core.memory import compression
from treeline.core.memory.compression import (
    _DETAILS,
    CompressedTrace,
    _cycle,
    _Narrator,
    compress,
    full_text,
)


def lines_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def step_of(number, call, failed=False):
    output = call.get("output")
    kind = "failure" if failed else "result"
    observation = Observation(kind, str(output), value=None if failed else output)
    return Step(number, Call(call["tool"], call["arguments"]), observation)


def test_long_traces_of_the_open_questions_shrink_tenfold(shared):
    questions = lines_of(shared / "earth_bench" / "questions.jsonl")
    traces = [[step_of(n, c) for n, c in enumerate(q["ground_truth"], 1)] for q in questions]
    long = [found for found in map(compress, traces) if found.full_tokens > 4000]
    assert len(long) > 30
    assert min(found.factor for found in long) >= 10
    assert sum(f.full_tokens for f in long) / sum(f.tokens for f in long) > 20


def test_every_recorded_error_is_kept_whole(shared):
    runs: dict[tuple, list] = {}
    for record in lines_of(shared / "earth_bench" / "recorded_calls.jsonl"):
        runs.setdefault((record["run"], record["question"]), []).append(record)
    for records in runs.values():
        steps = [step_of(n, record, record["failed"]) for n, record in enumerate(records, 1)]
        text = compress(steps).text
        assert all(s.observation.text in text for s in steps if not s.observation.is_success)


TEXT = st.text("abc /_.-0123456789", max_size=80)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-1e3, 1e3) | TEXT,
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(TEXT, inner, max_size=6),
    max_leaves=20,
)
STEPS = st.lists(
    st.builds(
        lambda tool, arguments, kind, text, hint, value, thought: Step(
            0, Call(tool, arguments), Observation(kind, text, hint, value), thought
        ),
        st.sampled_from(["mean", "mask", "trend"]),
        st.dictionaries(st.sampled_from(["x", "paths"]), VALUES, max_size=2),
        st.sampled_from(["result", "refusal", "failure"]),
        TEXT.filter(str.strip),
        TEXT,
        VALUES,
        st.sampled_from(["", "I look.", "That was wrong " * 20]),
    ),
    max_size=30,
)


@settings(max_examples=60)
@given(STEPS)
def test_errors_hints_and_thoughts_are_never_cut(steps):
    from dataclasses import replace

    numbered = [replace(step, number=n) for n, step in enumerate(steps, 1)]
    text = compress(numbered).text
    for step in numbered:
        assert step.thought in text
        if not step.observation.is_success:
            assert step.observation.text in text and step.observation.hint in text


def test_lists_keep_the_first_three_and_the_last_two_and_dictionaries_two_pairs():
    names = [f"Lake_{year}.tif" for year in range(2000, 2020)]
    assert brief(names, Detail()) == "Lake_20[00,01,02,...20...,18,19].tif"
    assert brief({"a": 1, "b": [1, 2, 3, 4], "c": 2}, Detail()) == "{a:1,c:2,...3...}"


def test_a_list_that_was_told_is_referred_to():
    names = [f"Lake_{year}.tif" for year in range(2000, 2020)]
    steps = [
        step_of(n, {"tool": tool, "arguments": {"paths": names}, "output": n})
        for n, tool in ((1, "a"), (2, "b"))
    ]
    assert compress(steps).text.splitlines()[1] == "2 b(paths=as in 1) = 2"


def test_calls_that_repeat_are_told_once():
    calls = [
        {"tool": t, "arguments": {"x": f"{t}{n}.tif"}, "output": n}
        for n in range(9)
        for t in ("mask", "index")
    ]
    told = compress([step_of(n, call) for n, call in enumerate(calls, 1)]).text.splitlines()
    assert len(told) == 3 and told[2] == "... these 2 8 more times, until 18 = 8"


def test_the_factor_is_how_many_times_shorter_it_is() -> None:
    assert CompressedTrace("", 12, 4).factor == 3.0
    assert CompressedTrace("", 12, 1).factor == CompressedTrace("", 12, 0).factor == 12.0


def plain(*tools):
    return [step_of(n, {"tool": tool, "arguments": {}, "output": n}) for n, tool in enumerate(tools, 1)]


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        ("ab", (1, 1)),
        ("aab", (1, 2)),
        ("ababab", (2, 3)),
        ("aaaa", (1, 4)),  # of cycles that cover as much, the shorter
        ("aabaab", (3, 2)),
        ("abcdefabcdef", (6, 2)),
        ("aaabaaab", (4, 2)),  # more than the three that it begins with
        ("abcdefgabcdefg", (1, 1)),  # longer ones are not looked for
    ],
)
def test_steps_that_repeat_are_found_by_length_and_times(tools, expected):
    assert _cycle(plain(*tools), 0) == expected
    assert _cycle(plain("z", *tools), 1) == expected


def test_a_detail_is_taken_as_soon_as_it_is_short_enough(monkeypatch):
    steps = [step_of(1, {"tool": "a", "arguments": {"x": list(range(50))}, "output": list(range(70, 160))})]
    texts = ["\n".join(_Narrator(detail).lines(steps)) for detail in _DETAILS]
    sizes = [count_tokens(text) for text in texts]
    assert sizes[0] > sizes[-1]
    monkeypatch.setattr(compression, "FACTOR", 10**6)
    for enough, expected in ((sizes[0], texts[0]), (sizes[-1], texts[sizes.index(sizes[-1])])):
        monkeypatch.setattr(compression, "SHORT_ENOUGH", enough)
        assert compress(steps).text == expected
    monkeypatch.setattr(compression, "SHORT_ENOUGH", 0)
    monkeypatch.setattr(compression, "FACTOR", 1)
    full = count_tokens(full_text(steps))
    assert full > sizes[0] and compress(steps).text == texts[0]
    monkeypatch.setattr(compression, "full_text", lambda steps: texts[0])
    assert compress(steps).text == texts[0], "just so many times shorter is short enough"


def test_a_list_at_the_limit_is_told_twice_and_a_fault_once():
    names = [f"{n}" for n in range(Detail().first + Detail().last)]
    refusal = {"arguments": {"x": 1}, "output": "no such file"}
    steps = [
        *(
            step_of(n, {"tool": tool, "arguments": {"x": names}, "output": n})
            for n, tool in ((1, "a"), (2, "b"))
        ),
        *(step_of(n, {"tool": "c", **refusal}, failed=True) for n in (3, 4)),
    ]
    told = compress(steps).text.splitlines()
    assert told[0].removeprefix("1 a").replace("= 1", "") == told[1].removeprefix("2 b").replace("= 2", "")
    assert told[2].endswith("failure: no such file") and told[3].endswith("failure as in 3")


@pytest.mark.parametrize("times", [2, 3])
def test_a_repetition_says_how_often_and_where_it_ended(times):
    told = compress(plain(*"a" * times, "b")).text.splitlines()
    assert told == [
        "1 a() = 1",
        f"... these 1 {times - 1} more times, until {times} = {times}",
        f"{times + 1} b() = {times + 1}",
    ]


@pytest.mark.parametrize(
    ("observation", "told"),
    [
        (Observation("information", "abcdefghij"), "abcd ..."),
        (Observation("result", "Result saved at a.tif"), "saved"),
        (Observation("information", "Result saved at a.tif"), "Resu ..."),
    ],
)
def test_information_is_cut_and_a_file_that_was_saved_is_said_to_be(observation, told):
    assert _Narrator(Detail(information=8))._outcome(Step(1, Call("look"), observation)) == told
