from __future__ import annotations

import json
import logging
import os
import pickle
import threading
import time
import traceback
from dataclasses import replace
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.endpoint import Drop, Hang, Refuse, Say, ScriptedEndpoint, use, use_raw
from treeline.core.context.ledger import ledger_of
from treeline.core.engine.actions import Answer, Call, Doc, Observation, Skill, TokenUse
from treeline.core.engine.state import State, Step
from treeline.core.errors import ContextTooLong, EndpointConfused, EndpointRefused, EndpointUnreachable
from treeline.core.policies.language import LanguagePolicy, Patience
from treeline.core.policies.language.exchange import Exchange
from treeline.core.policies.language.faults import Fault, seconds_to_wait
from treeline.core.policies.language.message import Reply
from treeline.core.policies.language.reply import settle
from treeline.core.settings import Endpoint
from treeline.toolkit.errors import BackendMissing, Stopped

KEY = "sk-secret-0123456789"
FAST = Patience(attempts=4, first=0.01, longest=2.0, silence=60.0, message=60.0)
# A server that hangs must be given up in a test's time, and a slow machine must not look like one.
IMPATIENT = Patience(attempts=4, first=0.01, longest=2.0, silence=2.0, message=5.0)
QUESTION = State("Mean NDVI?", context={"catalogue": "@ndvi: 2 rasters", "tree": "- Statistics: numbers"})
MEASURED = QUESTION.after(Step(1, Call("mean"), Observation("result", "0.5 and 34.2", value=[0.5, 34.2])))


@pytest.fixture(params=[True, False], ids=["stream", "whole"])
def stream(request):
    return request.param


def policy_for(server, stream=True, patience=FAST):
    return LanguagePolicy(Endpoint(server.url, "test-model", KEY), stream, patience)


def decide(script, state=QUESTION, stream=True, patience=FAST):
    """Return the decision, the notes and the requests."""
    notes = []
    with ScriptedEndpoint(script) as server:
        decision = policy_for(server, stream, patience).decide(state, notes.append, threading.Event())
    return decision, notes, server.requests


def after(*steps, state=QUESTION):
    for number, (action, observation) in enumerate(steps, 1):
        state = state.after(Step(number, action, observation, thought=f"thought {number}"))
    return state


def information(text):
    return Observation("information", text)


# One message, one action


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        (use("skill", kit="Statistics"), Skill("Statistics")),
        (use("doc", tool="mean"), Doc("mean")),
        (use("doc", tool="Statistics.mean"), Doc("mean")),
        (use("call", tool="mean", arguments={"x": [1, 2]}), Call("mean", {"x": [1, 2]})),
        (use("call", tool="mean", arguments='{"x": [1, 2]}'), Call("mean", {"x": [1, 2]})),
        (use_raw(("call", json.dumps('{"tool": "mean", "arguments": {}}'))), Call("mean", {})),
        (use("answer", text="0.5", value=0.5), Answer("0.5", 0.5)),
        (use("answer", text="34 %", value="34.2 %", unit="%"), Answer("34 %", 34.2, "%")),
        (use("answer", text="no", declined=True, choice=None), Answer("no", declined=True)),
        (
            Say(
                '<think>hm</think>Now\n<tool_call>{"name": "doc", "arguments": {"tool": "mean"}}</tool_call>'
            ),
            Doc("mean"),
        ),
    ],
)
def test_a_function_call_becomes_its_action(reply, action, stream):
    decision, notes, _ = decide([reply], MEASURED, stream=stream)
    assert decision.action == action
    assert notes == []


def test_thought_and_tokens_are_those_of_the_message(stream):
    spoken, _, _ = decide([use("skill", kit="Index", thought="I open the index kit.")], stream=stream)
    assert spoken.thought == "I open the index kit."
    assert spoken.tokens == TokenUse(100, 10, 60)
    reasoned = Say(reasoning="It is about NDVI.", calls=(("skill", '{"kit": "Index"}'),), usage=None)
    silent, _, _ = decide([reasoned], stream=stream)
    assert silent.thought == "It is about NDVI."
    assert silent.tokens.counted and silent.tokens.input > 300 and silent.tokens.output > 5


def test_arguments_that_come_as_an_object_are_read():
    decision, _, _ = decide([use_raw(("doc", {"tool": "mean"}))], stream=False)
    assert decision.action == Doc("mean")


@pytest.mark.parametrize(
    ("text", "thought", "said"),
    [
        ("<think>a</think>b", "a", "b"),
        ("a</think>b", "a", "b"),
        ("x <thinking>a</thinking>b", "a", "x b"),
        ("<think>never closed", "never closed", ""),
        ("b", "", "b"),
    ],
)
def test_thinking_is_told_apart_from_text(text, thought, said):
    settled = settle(Reply(text))
    assert (settled.reasoning, settled.text) == (thought, said)


def test_evidence_is_limited_to_steps_that_exist():
    state = after((Call("mean"), Observation("result", "1", value=1)))
    decision, _, _ = decide([use("answer", text="1", evidence=[1, 9])], state)
    assert decision.action.evidence == (1,)


@pytest.mark.parametrize("given", ["B", "b.", "(B)", "22.40%", "B. 22.40%"])
def test_an_option_is_named_by_its_letter_however_it_is_written(given):
    state = State("Share?", ("12.87%", "22.40%"))
    state = state.after(Step(1, Call("mean"), Observation("result", "22.4", value=22.4)))
    decision, _, _ = decide([use("answer", text="so", choice=given)], state)
    assert decision.action.choice == "B"


# What is sent


def test_the_beginning_of_the_prompt_never_changes():
    steps = [
        (Skill("Statistics"), information("- mean: the mean")),
        (Call("mean", {"x": "@ndvi"}), Observation("refusal", "not callable yet", "doc('mean')")),
        (Doc("mean"), information("mean(x)")),
    ]
    with ScriptedEndpoint([use("doc", tool="t")] * 4) as server:
        policy = policy_for(server)
        for count in range(4):
            policy.decide(after(*steps[:count]), print, threading.Event())
    bodies = [request.body for request in server.requests]
    for shorter, longer in zip(bodies, bodies[1:], strict=False):
        assert longer["messages"][: len(shorter["messages"])] == shorter["messages"]
        assert longer["tools"] == shorter["tools"]
    task = bodies[0]["messages"][1]["content"]
    assert task.index("Statistics") < task.index("@ndvi") < task.index("Mean NDVI?")


def test_steps_are_sent_as_function_calls_with_their_observations():
    state = after(
        (Call("mean", {"x": "@lst"}), Observation("refusal", "not callable", "Read doc", warnings=("w1",)))
    )
    _, _, (request,) = decide([use("doc", tool="mean")], state)
    assistant, tool = request.messages[-2:]
    (call,) = assistant["tool_calls"]
    assert assistant["content"] == "thought 1"
    assert json.loads(call["function"]["arguments"]) == {"tool": "mean", "arguments": {"x": "@lst"}}
    assert tool["tool_call_id"] == call["id"]
    for part in ("step 1", "refusal", "not callable", "Read doc", "w1"):
        assert part in tool["content"]


def test_options_are_lettered_in_the_prompt():
    state = State("Share?", ("10 %", "20 %"))
    _, _, (request,) = decide([use("doc", tool="mean")], state)
    assert "A. 10 %\nB. 20 %" in request.last


# Replies that are no action


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (use_raw(("call", '{"tool": "mean", "arguments": {"x": ')), "not JSON"),
        (use_raw(("call", "[1]")), "JSON object"),
        (use_raw(("call", '{"tool": "mean", "arguments": "{broken"}')), "arguments"),
        (use("frobnicate", ndvi="a.tif"), 'call(tool="frobnicate"'),
        (use("skill"), "kit"),
        (use("answer", text="x", value="lots"), "value"),
        (Say(""), "empty"),
        (Say("The next thing is the mean."), "called no function"),
        (
            Say(calls=(("call", '{"tool": "me'),), finish_reason="length"),
            "cut off",
        ),
    ],
)
def test_what_is_no_action_is_corrected_once(bad, said, stream):
    decision, notes, requests = decide([bad, use("doc", tool="mean")], stream=stream)
    assert decision.action == Doc("mean")
    assert decision.tokens == TokenUse(200, 20, 120)
    assert said in requests[1].last and requests[1].messages[-1]["role"] == "user"
    assert len(notes) == 1 and said in notes[0]


def test_corrections_are_not_kept_in_later_turns():
    with ScriptedEndpoint([Say(""), use("doc", tool="t"), use("doc", tool="u")]) as server:
        policy = policy_for(server)
        policy.decide(QUESTION, print, threading.Event())
        policy.decide(QUESTION, print, threading.Event())
    assert server.requests[2].messages == server.requests[0].messages


def test_four_useless_messages_in_a_row_end_the_run():
    with pytest.raises(EndpointConfused, match="no usable action"):
        decide([use_raw(("call", "{"))] * 4)


@pytest.mark.parametrize(
    ("finish_reason", "helps"),
    [("content_filter", "filter of contents"), ("length", "longer replies"), ("stop", "call functions")],
)
def test_what_helps_is_told_by_how_the_messages_ended(finish_reason: str, helps: str, stream):
    with pytest.raises(EndpointConfused) as caught:
        decide([Say("", finish_reason=finish_reason)] * 4, stream=stream)
    assert helps in str(caught.value.hint)


def test_text_that_is_insisted_on_is_the_answer():
    decision, _, _ = decide([Say("It is 0.5."), Say("It is 0.5.")])
    assert decision.action == Answer("It is 0.5.")


@pytest.mark.parametrize("tagged", ["So <Answer>C<Answer>", "<answer> C. 3 </answer>", "<Answer>3</Answer>"])
def test_the_answer_tag_names_the_option(tagged):
    decision, _, _ = decide([Say(tagged)] * 2, State("Which?", ("1", "2", "3")))
    assert decision.action.choice == "C"


def test_the_answer_tag_gives_the_number():
    decision, _, _ = decide([Say("<Answer>1,234.5 km2</Answer>")] * 2)
    assert decision.action == Answer("1,234.5 km2", 1234.5, "km2")


def test_an_answer_without_its_option_is_asked_for_once():
    state = State("Which?", ("1", "2"))
    corrected, _, _ = decide([use("answer", text="1"), use("answer", text="1", choice="A")], state)
    assert corrected.action.choice == "A"
    insisted, _, _ = decide([use("answer", text="7")] * 2, state)
    assert insisted.action == Answer("7")


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (QUESTION, "Open the kit"),
        (after((Skill("Statistics"), information("- mean"))), "Read the document"),
        (after((Doc("mean"), information("mean(x)"))), "Call what you read of: mean."),
        (
            after(
                (Call("mean", {"x": "@lst"}), Observation("refusal", "There is no @lst.", "Is @ndvi meant?"))
            ),
            "Is @ndvi meant?",
        ),
    ],
    ids=["nothing", "listing", "document", "refused"],
)
@pytest.mark.parametrize("guess", [use("answer", text="0.42", value=0.42), Say("It is 0.42.")])
def test_a_guess_goes_back_once_with_what_would_be_needed(state, said, guess):
    measured, notes, requests = decide([guess, use("doc", tool="mean")], state)
    assert measured.action == Doc("mean") and len(notes) == 1
    assert said in requests[1].last and "decline" in requests[1].last
    insisted, _, _ = decide([guess, guess], state)
    assert isinstance(insisted.action, Answer)


@pytest.mark.parametrize("wrapped", [lambda text: use("answer", text=text, choice="B"), Say])
def test_an_answer_too_long_to_be_verified_is_unverified_where_it_is_insisted_on(wrapped):
    state = replace(
        after((Call("mean", {"x": [1]}), Observation("result", "1", value=1))), choices=("1", "2")
    )
    long = wrapped("It is so. " * 1_100)
    decision, notes, requests = decide([long, long], state)
    assert "up to 10,000 can be" in decision.action.unverified and decision.action.status == "unverified"
    assert len(decision.action.text) < 10_010 and decision.action.text.endswith(" ...")
    assert decision.action.choice == ("B" if wrapped is not Say else None)
    assert len(notes) == 1 and ("what was asked alone" in requests[1].last or wrapped is Say)
    short, _, _ = decide([long, use("answer", text="It is 1.", choice="A")], state)
    assert short.action == Answer("It is 1.", choice="A")


def test_what_declines_without_a_call_is_taken_at_once():
    decision, notes, _ = decide([use("answer", text="There is no thermal band.", declined=True)])
    assert decision.action.declined and notes == []


def carry_out(script, count, state=QUESTION, stream=True):
    """Return the actions of so many decisions, the notes and the requests; each action is answered."""
    notes, actions = [], []
    with ScriptedEndpoint(script) as server:
        policy = policy_for(server, stream)
        for number in range(1, count + 1):
            decision = policy.decide(state, notes.append, threading.Event())
            actions.append(decision.action)
            seen = Observation("result", f"seen {number}", value={"number": number})
            state = state.after(
                Step(
                    number,
                    decision.action,
                    seen,
                    decision.thought,
                    decision.tokens,
                    0.0,
                    decision.reasoning,
                    decision.joined,
                )
            )
    return actions, notes, server.requests, state


def test_several_calls_of_one_message_are_carried_out_in_order(stream):
    several = use_raw(*[("doc", f'{{"tool": "{name}"}}') for name in ("mean", "max", "min")], text="All.")
    actions, notes, requests, state = carry_out([several, use("skill", kit="Index")], 4, stream=stream)
    assert actions == [Doc("mean"), Doc("max"), Doc("min"), Skill("Index")]
    assert len(requests) == 2 and notes == []
    assistant, *observed = requests[1].messages[2:]
    assert [call["id"] for call in assistant["tool_calls"]] == [m["tool_call_id"] for m in observed]
    assert assistant["content"] == "All." and "seen 3" in observed[-1]["content"]
    assert state.tokens == TokenUse(200, 20, 120)
    assert [turn.step for turn in ledger_of(state).turns] == [1, 4]


def test_what_is_asked_for_twice_in_a_message_is_carried_out_once():
    twice = use_raw(*[("doc", '{"tool": "mean"}')] * 2, ("doc", '{"tool": "max"}'))
    actions, notes, requests, _ = carry_out([twice, use("skill", kit="Index")], 3)
    assert actions == [Doc("mean"), Doc("max"), Skill("Index")]
    assert "Call 2 of your message" in requests[1].last and len(notes) == 1


def test_of_very_many_calls_in_a_message_the_first_are_carried_out():
    many = use_raw(*[("doc", f'{{"tool": "t{n}"}}') for n in range(200)])
    actions, _, requests, _ = carry_out([many, use("skill", kit="Index")], 25)
    assert actions == [*(Doc(f"t{n}") for n in range(24)), Skill("Index")]
    assert "Of the 200 calls" in requests[1].last


def test_what_is_unusable_among_several_calls_is_told():
    several = use_raw(("doc", '{"tool": "mean"}'), ("doc", '{"tool": '), ("answer", '{"text": "It is 1."}'))
    actions, notes, requests, _ = carry_out([several, use("skill", kit="Index")], 2)
    assert actions == [Doc("mean"), Skill("Index")]
    assert "Call 2 of your message" in requests[1].last and "answer behind calls" in requests[1].last
    assert len(notes) == 2


def test_reasoning_goes_back_in_the_field_that_it_came_in(stream):
    thinking = Say(reasoning="Means are statistics.", calls=(("skill", '{"kit": "Statistics"}'),))
    _, _, requests, state = carry_out([thinking, use("skill", kit="Index")], 2, stream=stream)
    assert requests[1].messages[2]["reasoning_content"] == "Means are statistics."
    written = Say("<think>hm</think>", calls=(("skill", '{"kit": "Statistics"}'),))
    _, _, requests, _ = carry_out([written, use("skill", kit="Index")], 2, stream=stream)
    assert "reasoning_content" not in requests[1].messages[2]


def test_a_person_is_asked_back():
    ways = ["the mean of all dates", "the mean of the last date"]
    decision, notes, _ = decide([use("answer", text="Which mean is meant?", asks=ways)])
    assert decision.action.status == "asks" and [r.read_as for r in decision.action.readings] == ways
    one, notes, _ = decide([use("answer", text="Which?", asks=ways[:1]), use("doc", tool="mean")])
    assert one.action == Doc("mean") and "two ways or more" in notes[0]


def test_a_third_repetition_is_pointed_out_to_model_and_person():
    refused = (Call("mean", {"x": 1}), Observation("refusal", "not callable"))
    for times, told in ((2, False), (3, True)):
        _, notes, (request,) = decide([use("doc", tool="mean")], after(*[refused] * times))
        assert ("3 times in a row" in request.last) is told
        assert bool(notes) is told


# Faults of the endpoint


@pytest.mark.parametrize(
    "fault", [Refuse(429), Refuse(500), Refuse(503), Drop(), Drop(clean=True), Hang(), Hang(begun=True)]
)
def test_a_passing_fault_is_tried_again(fault, stream):
    patience = IMPATIENT if isinstance(fault, Hang) else FAST
    decision, notes, requests = decide([fault, use("doc", tool="mean")], stream=stream, patience=patience)
    assert decision.action == Doc("mean")
    assert len(requests) == 2 and requests[0].body == requests[1].body
    assert len(notes) == 1 and "trying again in" in notes[0]


def test_an_endpoint_that_says_nothing_is_told_once_long_before_it_is_given_up(stream):
    patience = replace(IMPATIENT, quiet=0.2)
    decision, notes, _ = decide([Hang(), Hang(), use("doc", tool="mean")], stream=stream, patience=patience)
    assert decision.action == Doc("mean")
    quiet = "nothing has come from the endpoint for 0.2 s: it is waited for 2 s"
    assert notes[0] == quiet and notes.count(quiet) == 1 and len(notes) == 3


@pytest.mark.parametrize(
    ("header", "value", "told"),
    [
        ("Retry-After", "0.3", "0.3"),
        ("retry-after-ms", "300", "0.3"),
        ("Retry-After", formatdate(0, usegmt=True), "0"),
    ],
)
def test_the_wait_that_the_endpoint_asks_for_is_kept(header, value, told):
    decision, notes, _ = decide([Refuse(429, headers={header: value}), use("doc", tool="mean")])
    assert decision.action == Doc("mean")
    assert notes == [f"rate limit: trying again in {told} s"]


def test_a_date_to_wait_for_is_read():
    # The date has whole seconds, and a busy machine may let some pass before it is read.
    assert 540 < seconds_to_wait({"retry-after": formatdate(time.time() + 600, usegmt=True)}) <= 600
    assert seconds_to_wait({"retry-after": "soon"}) is None
    assert seconds_to_wait({}) is None


@given(attempt=st.integers(1, 30), first=st.floats(0.01, 10), longest=st.floats(10, 100))
def test_waits_grow_to_their_limit_and_never_synchronise(attempt, first, longest):
    fault = Fault(EndpointUnreachable("x"), "x", transient=True)
    waits = {Patience(100, first=first, longest=longest).wait(attempt, fault) for _ in range(5)}
    doubled = min(longest, first * 2 ** (attempt - 1))
    assert all(0.75 * doubled <= wait <= 1.25 * doubled for wait in waits) and len(waits) > 1


def test_a_wait_beyond_patience_is_not_waited():
    with pytest.raises(EndpointUnreachable, match="429"):
        decide([Refuse(429, headers={"Retry-After": "3600"})])


def test_faults_without_end_end_the_run(stream):
    with pytest.raises(EndpointUnreachable, match="500"):
        decide([Refuse(500, "out of order")] * FAST.attempts, stream=stream)


def test_nobody_at_the_address():
    with ScriptedEndpoint([]) as server:
        url = server.url
    policy = LanguagePolicy(Endpoint(url, "m", KEY), patience=FAST)
    with pytest.raises(EndpointUnreachable, match="no connection") as caught:
        policy.decide(QUESTION, lambda text: None, threading.Event())
    assert url in str(caught.value)


def test_where_nobody_listens_it_is_told_soon():
    fault = Fault(EndpointUnreachable("x"), "x", transient=True, absent=True)
    waits = [wait for attempt in range(1, 7) if (wait := Patience().wait(attempt, fault)) is not None]
    assert len(waits) == 2 and sum(waits) < 5


def test_a_server_that_has_answered_is_waited_for():
    with ScriptedEndpoint([use("doc", tool="mean")]) as server:
        exchange = Exchange(Endpoint(server.url, "m", KEY), patience=FAST)
        exchange.reply([{"role": "user", "content": "x"}], lambda text: None, threading.Event())
    assert exchange.patience.briefly == FAST.attempts


@pytest.mark.parametrize(
    ("fault", "match"),
    [
        (Refuse(401, f"Incorrect API key provided: {KEY}"), "key"),
        (Refuse(403), "key"),
        (Refuse(404), "no model 'test-model'"),
        (Refuse(400, "temperature must be 1"), "temperature must be 1"),
        (Refuse(429, "pay first", code="insufficient_quota"), "quota"),
    ],
)
def test_a_refusal_is_not_tried_again(fault, match, stream):
    with pytest.raises(EndpointRefused, match=match):
        decide([fault], stream=stream)


def test_an_old_server_without_stream_options_still_works():
    replies = [Refuse(400, "unknown field stream_options"), use("doc", tool="a")]
    decision, _, requests = decide(replies)
    assert decision.action == Doc("a") and "stream_options" not in requests[1].body


@pytest.mark.parametrize("missing", [{"url": "http://127.0.0.1:9/v1"}, {"model": "m"}])
def test_a_missing_setting_is_named(missing):
    setting = "OPENAI_BASE_URL" if "model" in missing else "TREELINE_MODEL"
    with pytest.raises(BackendMissing, match=setting):
        LanguagePolicy(Endpoint(**missing))


WAITING = Refuse(429, headers={"Retry-After": "3000"})


@pytest.mark.parametrize("fault", [Hang(), Hang(begun=True), WAITING], ids=["silent", "begun", "waiting"])
def test_stop_ends_a_request_and_a_wait(fault):
    stop, outcome = threading.Event(), []

    def work():
        try:
            policy_for(server, patience=Patience(longest=5000.0, silence=3000.0)).decide(
                QUESTION, print, stop
            )
        except Exception as error:
            outcome.append(error)

    with ScriptedEndpoint([fault]) as server:
        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        while not server.requests:
            time.sleep(0.01)
        stop.set()
        worker.join(10)
        assert not worker.is_alive() and isinstance(outcome[0], Stopped)


# The key


def test_the_key_is_sent_and_stands_nowhere_else(caplog, stream):
    caplog.set_level(logging.DEBUG)
    echo = [Refuse(500, f"key {KEY}"), Refuse(401, f"Incorrect API key provided: {KEY}")]
    notes = []
    with ScriptedEndpoint(echo) as server:
        policy = policy_for(server, stream)
        with pytest.raises(EndpointRefused) as caught:
            policy.decide(QUESTION, notes.append, threading.Event())
    assert all(request.headers["authorization"] == f"Bearer {KEY}" for request in server.requests)
    told = [
        *notes,
        caplog.text,
        repr(policy),
        repr(vars(policy)),
        "".join(traceback.format_exception(caught.value)),
    ]
    chain = caught.value
    while chain is not None:
        told.append(repr(vars(chain)) + str(chain))
        chain = chain.__cause__ or chain.__context__
    assert KEY not in "\n".join(told)
    assert KEY.encode() not in pickle.dumps(caught.value)


def test_the_key_of_the_environment_is_not_sent_to_an_address_without_one(monkeypatch):
    monkeypatch.setitem(os.environ, "OPENAI_API_KEY", KEY)
    with ScriptedEndpoint([use("doc", tool="a")]) as server:
        LanguagePolicy(Endpoint(server.url, "m")).decide(QUESTION, print, threading.Event())
    assert KEY not in json.dumps(dict(server.requests[0].headers))


# A conversation that outgrows the context

TOO_LONG = Refuse(400, "This model's maximum context length is 4096 tokens.", code="context_length_exceeded")
DOCUMENT = "mean(x)" + " a long document" * 30
LONG_RUN = [
    (Skill("Statistics"), information("- mean: the mean")),
    (Doc("mean"), information(DOCUMENT)),
    *[
        (Call("mean", {"x": number}), Observation("result", f"result {number} " + "x" * 900))
        for number in range(8)
    ],
]


@pytest.mark.parametrize("fault", [TOO_LONG, Refuse(413), Refuse(400, "prompt is too long: 300 > 200")])
def test_older_observations_are_folded_when_the_context_is_too_short(fault):
    notes = []
    state = after(*LONG_RUN)
    with ScriptedEndpoint([fault, use("doc", tool="a"), use("doc", tool="b")]) as server:
        policy = policy_for(server)
        assert policy.decide(state, notes.append, threading.Event()).action == Doc("a")
        policy.decide(state.after(Step(11, Doc("a"), information("a()"))), notes.append, threading.Event())
    full, folded, later = (json.dumps(request.messages) for request in server.requests)
    assert full.count("x" * 900) == 8 and folded.count("x" * 900) == 2 and len(folded) < len(full)
    assert DOCUMENT in folded and "result 0" in folded and "result 7" in folded
    assert later.count("x" * 900) <= 2, "what was folded came back"
    assert len(notes) == 1


def test_a_first_message_that_is_too_long_goes_again_without_its_advice_which_is_told():
    notes = []
    advice = {"cards": "Mask clouds first.", "memory": "An earlier run forgot the scale."}
    told = replace(QUESTION, context={**QUESTION.context, **advice})
    with ScriptedEndpoint(
        [TOO_LONG, use("doc", tool="a"), use("doc", tool="b"), use("doc", tool="a")]
    ) as server:
        policy = policy_for(server)
        assert policy.decide(told, notes.append, threading.Event()).action == Doc("a")
        policy.decide(told.after(Step(1, Doc("a"), information("a()"))), notes.append, threading.Event())
        policy.decide(told, notes.append, threading.Event())
    first, again, later, of_another_run = (json.dumps(request.messages) for request in server.requests)
    assert all(text in first and text in of_another_run for text in advice.values())
    assert not any(text in again or text in later for text in advice.values())
    assert "@ndvi: 2 rasters" in again and "Statistics: numbers" in again
    assert notes == [
        "The question outgrew the model's context: the advice on tasks of this kind and the lessons of "
        "earlier runs are left out of it."
    ]


def test_a_context_that_is_too_short_even_then_ends_the_run():
    with pytest.raises(ContextTooLong, match="test-model"):
        decide([TOO_LONG] * 3, after(*LONG_RUN))
    with pytest.raises(ContextTooLong):
        decide([TOO_LONG])
