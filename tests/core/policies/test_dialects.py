from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.endpoint import Refuse, Say, ScriptedEndpoint, use, use_raw
from tests.model_dialects import DIALECTS, refuse_requests
from treeline.core.context.functions import FUNCTIONS
from treeline.core.context.json_reading import read_value, values_in
from treeline.core.engine.actions import Answer, Call, Doc, Observation, Skill
from treeline.core.engine.state import State, Step
from treeline.core.errors import EndpointConfused, EndpointRefused
from treeline.core.policies.language import LanguagePolicy, Patience
from treeline.core.policies.language.dialects import parse_calls
from treeline.core.policies.language.message import Reply
from treeline.core.policies.language.reply import settle
from treeline.core.settings import Endpoint

FAST = Patience(attempts=2, first=0.01, longest=0.1, silence=30.0, message=30.0)
QUESTION = State("Mean NDVI?", context={"catalogue": "@ndvi: 2 rasters", "tree": "- Statistics: numbers"})
TOOL = "calc_batch_image_mean"
MEAN_OF_ONE = Call("mean", {"x": 1})
MEASURED = QUESTION.after(Step(9, Call(TOOL), Observation("result", "[0.5, 12.0]", value=[0.5, 12.0])))


def decide(script, state=MEASURED, **options):
    notes: list[str] = []
    with ScriptedEndpoint(script, **options) as server:
        policy = LanguagePolicy(Endpoint(server.url, "small", "key"), patience=FAST)
        decision = policy.decide(state, notes.append, threading.Event())
    return decision, notes, server.requests


@pytest.mark.sample(3)
@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
@pytest.mark.parametrize(
    ("name", "arguments", "action"),
    [
        ("skill", {"kit": "Index"}, Skill("Index")),
        ("doc", {"tool": TOOL}, Doc(TOOL)),
        (
            "call",
            {"tool": TOOL, "arguments": {"file_list": "@ndvi", "uint8": False}},
            Call(TOOL, {"file_list": "@ndvi", "uint8": False}),
        ),
        ("answer", {"text": "It's 0.5 {so}", "value": 0.5, "unit": "1"}, Answer("It's 0.5 {so}", 0.5, "1")),
    ],
)
def test_a_call_is_understood_however_it_is_written(dialect, name, arguments, action):
    decision, notes, _ = decide([dialect(name, arguments)])
    assert decision.action == action
    assert not [note for note in notes if "corrected" in note]


def test_words_before_a_written_call_are_the_thought():
    decision, _, _ = decide([DIALECTS["ReAct"]("skill", {"kit": "Index"})])
    assert decision.thought == "I look first."
    decision, _, _ = decide([DIALECTS["tool_call"]("skill", {"kit": "Index"})])
    assert decision.thought == "Now."
    for dialect in ("kimi", "arg_key", "namespace", "DSML", "function", "thinking marks"):
        decision, _, _ = decide([DIALECTS[dialect]("skill", {"kit": "Index"})])
        assert decision.thought in ("", "Hm."), dialect


def test_a_call_that_comes_in_both_ways_is_one_and_no_thought():
    both = Say('I look.\n<tool_call>{"name": "skill", "arguments": {"kit": "Index"}}</tool_call>')
    calls = (("skill", '{"kit": "Index"}'),)
    decision, notes, _ = decide([replace(both, calls=calls, finish_reason="tool_calls")])
    assert decision.action == Skill("Index") and decision.thought == "I look." and notes == []


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ('Action: skill["Index"]', Skill("Index")),
        ("Action: doc\nAction Input: mean", Doc("mean")),
        ("Action: Finish[0.5]", Answer("0.5")),
        ('{"skill": "Index"}', Skill("Index")),
        ('{"answer": "It is 0.5.", "value": 0.5}', Answer("It is 0.5.", 0.5)),
        ('{"tool": "mean", "arguments": {"x": [1]}}', Call("mean", {"x": [1]})),
        ('{"tool": "doc", "arguments": {"tool": "mean"}}', Doc("mean")),
        ('{"name": "functions.skill", "parameters": {"kit": "Index",},}', Skill("Index")),
        ("mean(x=[1, 2])", Call("mean", {"x": [1, 2]})),
        ("`skill('Index')`", Skill("Index")),
        ("**Action**: `doc`\n**Action Input**: `mean`", Doc("mean")),
        ('{"thought": "Open.", "action": {"name": "skill", "arguments": {"kit": "Index"}}}', Skill("Index")),
        ("<call><tool>mean</tool><arguments>{'x': [1]}</arguments></call>", Call("mean", {"x": [1]})),
        ('Odprem zbirko. {"name": "skill", "arguments": {"kit": "Index"}} Hvala.', Skill("Index")),
        ('<think>{"name": "doc", "arguments": {"tool": "a"}}</think>{"skill": "Index"}', Skill("Index")),
    ],
)
def test_shorter_ways_to_write_a_call(text, action):
    assert decide([Say(text)])[0].action == action


@pytest.mark.parametrize(
    "text",
    [
        'The scene {"name": "scene_1.tif", "mean": 0.5} is bright.',
        "I could use mean(x) or call a tool {like this}.",
        "The table is [1, 2, 3] and {'a': 1}.",
        "See the function skill (a kit).",
        "mean(x=__import__('os').getcwd())",
    ],
)
def test_what_is_no_call_stays_text(text):
    assert parse_calls(text) == (text, ())


@given(st.text(alphabet='{}[]()"\\`<>=abdklo c,:\n', max_size=120))
def test_any_text_is_read_without_a_fault(text):
    said, calls = parse_calls(text)
    assert calls or said == text


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=8,
    )
)
def test_a_value_is_found_in_words_and_read_however_often_it_was_encoded(value):
    boxed = {"v": value}
    assert read_value(json.dumps(json.dumps(boxed))) == boxed
    assert [found for _, found in values_in(f"so: {json.dumps(boxed)} and on")] == [boxed]
    assert read_value(repr(boxed)) == boxed


def test_a_text_full_of_brackets_is_given_up_soon():
    assert parse_calls("[{" * 60_000) == ("[{" * 60_000, ())


def test_where_no_functions_are_offered_a_text_holds_no_call():
    text = '[{"kind": "avoid_tool", "tool": "mean", "reason": "so"}]'
    assert settle(Reply(text), written=False).text == text


@pytest.mark.parametrize(
    ("call", "action"),
    [
        (("call", '{"tool": "mean", "parameters": {"x": 1}}'), Call("mean", {"x": 1})),
        (("call", '{"tool_name": "mean", "x": 1}'), Call("mean", {"x": 1})),
        (("call", '{"tool": "mean"}'), Call("mean", {})),
        (("skill", '"Index"'), Skill("Index")),
        (("open_skill", '{"name": "Index"}'), Skill("Index")),
        (("functions.doc", '{"tool": "mean"}'), Doc("mean")),
        (("final_answer", '{"answer": "so", "value": "about"}'), None),
        (
            ("answer", '{"text": "so", "value": "12 % of it", "evidence": "steps 1 and 2"}'),
            Answer("so", 12.0),
        ),
        (("answer", '{"text": "so", "value": "n/a", "declined": "true"}'), Answer("so", declined=True)),
        (("answer", '{"text": "so", "value": "about 0.5"}'), Answer("so", 0.5)),
        (("answer", '{"text": "so", "value": "0,5", "asks": null}'), Answer("so", 0.5)),
        (("answer", '{"text": "so", "value": 0.5, "unit": ["1"]}'), Answer("so", 0.5, "1")),
        (("treeline_call", '{"tool": "mcp__treeline__mean", "arguments": null}'), Call("mean", {})),
        (("functions/call", '{"tool": "Statistics/mean", "arguments": [{"x": 1}]}'), Call("mean", {"x": 1})),
        (("call", '{"tool_name": "`mean()`", "tool_args": {"x": 1}}'), Call("mean", {"x": 1})),
        (("Statistics.mean", '{"x": 1}'), Call("mean", {"x": 1})),
        (("Mean", '{"x": 1}'), Call("mean", {"x": 1})),
        (("skill", '{"arguments": {"kit": "Index"}}'), Skill("Index")),
        (("call", '{"name": "call", "arguments": {"tool": "mean", "arguments": {"x": 1}}}'), MEAN_OF_ONE),
        (("call", '{"parameters": {"tool": "mean", "parameters": {"x": 1}}}'), MEAN_OF_ONE),
        (("answer", '{"text": "so", "value": [0.5]}'), Answer("so", 0.5)),
        (("doc", '{"tool": "Calc_Batch_Image_Mean"}'), Doc("calc_batch_image_mean")),
        (("call", '{"tool": "sam2", "arguments": {}}'), Call("SAM2", {})),
        (("functions.mean:0", '{"x": 1}'), Call("mean", {"x": 1})),
        (("skill<|channel|>commentary", '{"kit": "Index"}'), Skill("Index")),
        (("doc", '{"tool": ["Statistics > mean"]}'), Doc("mean")),
        (("doc", '{"tool": ["mean", "median"]}'), None),
    ],
)
def test_fields_are_taken_under_the_names_that_models_give_them(call, action):
    script = [use_raw(call)] if action else [use_raw(call), use("skill", kit="Index")]
    assert decide(script)[0].action == (action or Skill("Index"))


@pytest.mark.parametrize(
    ("written", "value"),
    [("\u22120.5", -0.5), ("1.234,5", 1234.5), ("1,234.5", 1234.5), ("ca. 5 x 10^3", 5000.0), ("none", None)],
)
def test_a_number_is_read_in_any_notation(written, value):
    assert FUNCTIONS["answer"].model_validate({"text": "so", "value": written}).value == value


# Servers that take a part of the protocol only


@pytest.mark.parametrize("refused", ["stream_options", "stream", "tools", "system", "tool"])
def test_what_a_server_refuses_is_left_out(refused):
    state = QUESTION.after(Step(1, Skill("Index"), _information("- mean: the mean")))
    dialect = DIALECTS["fence"]
    decision, notes, requests = decide(
        [dialect("doc", {"tool": "mean"})], state, refuses=refuse_requests(refused)
    )
    assert decision.action == Doc("mean")
    body = requests[-1].body
    assert refused not in body and refused not in {message["role"] for message in body["messages"]}
    assert notes == [] and len(requests) <= 4


def test_a_server_without_functions_is_told_them_and_the_run_in_words():
    state = QUESTION.after(Step(1, Skill("Index"), _information("- mean: the mean"), "I look."))
    _, _, requests = decide(
        [DIALECTS["bare"]("doc", {"tool": "mean"})], state, refuses=refuse_requests("tools", "system", "tool")
    )
    roles = [message["role"] for message in requests[-1].messages]
    assert roles == ["user", "assistant", "user"]
    first, action, observation = (message["content"] for message in requests[-1].messages)
    assert '"name": "doc"' in first and "Mean NDVI?" in first
    assert '{"name": "skill", "arguments": {"kit": "Index"}}' in action and "- mean: the mean" in observation


def test_what_was_left_out_once_is_left_out_from_then_on():
    script = [DIALECTS["bare"]("doc", {"tool": "mean"})] * 2
    with ScriptedEndpoint(script, refuses=refuse_requests("tools")) as server:
        policy = LanguagePolicy(Endpoint(server.url, "small", "key"), patience=FAST)
        for _ in range(2):
            policy.decide(QUESTION, print, threading.Event())
    assert ["tools" in request.body for request in server.requests] == [True, False, False]


def test_a_server_that_does_not_stream_is_read_whole():
    decision, _, requests = decide([use("skill", kit="Index")] * 2, streams=False)
    assert decision.action == Skill("Index")
    assert [bool(request.body.get("stream")) for request in requests] == [True, False]


def test_a_refusal_of_everything_is_told():
    with pytest.raises(EndpointRefused, match="tools are forbidden"):
        decide(lambda messages: Refuse(400, "tools are forbidden"))


def test_tokens_are_counted_where_none_are_reported():
    decision, _, _ = decide([Say("", usage=None), use("skill", kit="Index", usage=None)])
    assert decision.tokens.counted and decision.tokens.input > 2 * 300
    reported, _, _ = decide([use("skill", kit="Index")])
    assert not reported.tokens.counted


def test_a_thought_that_never_ends_is_told_so():
    with pytest.raises(EndpointConfused, match="think less"):
        decide([Say("<think>and so on and so on", finish_reason="length", usage=None)] * 4)


def _information(text):
    return Observation("information", text)
