"""Servers as they are: each has its own way to number calls, to end a stream, and to say what is wrong."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace

import pytest

from tests.endpoint import Refuse, Say, ScriptedEndpoint, Send, send_json, send_pieces, use, use_raw
from treeline.core.engine.actions import Call, Doc, Observation, Reasoning, Skill
from treeline.core.engine.state import State, Step
from treeline.core.errors import ContextTooLong, EndpointRefused
from treeline.core.model_settings import ModelSettings
from treeline.core.policies.language import LanguagePolicy, Patience
from treeline.core.policies.language.faults import window_in
from treeline.core.policies.language.probing import probe
from treeline.core.settings import Endpoint

FAST = Patience(attempts=3, first=0.01, longest=0.1, silence=30.0, message=30.0)
QUESTION = State("Mean NDVI?", context={"catalogue": "@ndvi: 2 rasters"})
NAMES = ("mean", "max", "min")


def decide(script, state=QUESTION, stream=True, count=1, **settings):
    """Return as many decisions as are asked for, the notes and the requests."""
    notes, decisions = [], []
    with ScriptedEndpoint(script) as server:
        endpoint = Endpoint(server.url, "m", "key", settings=ModelSettings(**settings))
        policy = LanguagePolicy(endpoint, stream, FAST)
        for _ in range(count):
            decision = policy.decide(state, notes.append, threading.Event())
            decisions.append(decision)
            step = Step(
                len(state.steps) + 1,
                decision.action,
                Observation("information", "so"),
                decision.thought,
                reasoning=decision.reasoning,
                joined=decision.joined,
            )
            state = state.after(step)
    return decisions, notes, server.requests


def piece(arguments, name="doc", **more):
    return {"tool_calls": [{"type": "function", "function": {"name": name, "arguments": arguments}, **more}]}


def document(name):
    return json.dumps({"tool": name})


# The calls of a stream


@pytest.mark.parametrize(
    "numbers",
    [
        lambda n: {"index": n, "id": "call_0"},
        lambda n: {"index": 0, "id": f"call_{n}"},
        lambda n: {"index": 0, "id": "call_0"},
        lambda n: {"index": 0, "id": ""},
        lambda n: {"id": f"call_{n}"},
        lambda n: {},
    ],
    ids=["index", "identifier", "neither", "no identifier", "no index", "nothing"],
)
def test_calls_are_told_apart_however_a_server_numbers_them(numbers):
    stream = send_pieces(*(piece(document(name), **numbers(n)) for n, name in enumerate(NAMES)))
    decisions, notes, _ = decide([stream], count=3)
    assert [decision.action for decision in decisions] == [Doc(name) for name in NAMES] and notes == []


@pytest.mark.parametrize("identifier", ["call_0", "", None])
def test_a_name_that_comes_with_every_piece_is_one_name(identifier):
    pieces = ("", '{"tool":', '"mean"}', "")
    stream = send_pieces(*(piece(part, index=0, id=identifier) for part in pieces))
    (decision,), notes, _ = decide([stream])
    assert decision.action == Doc("mean") and notes == []


def test_a_call_in_the_older_field_is_a_call():
    stream = send_pieces(
        {"function_call": {"name": "doc", "arguments": '{"tool":'}},
        {"function_call": {"arguments": ' "mean"}'}},
        finish_reason="function_call",
    )
    (decision,), notes, _ = decide([stream])
    assert decision.action == Doc("mean") and notes == []


def test_a_stream_that_never_says_that_it_ends_is_asked_for_whole():
    endless = send_pieces(piece(document("mean"), index=0), finish_reason=None)
    (decision,), notes, requests = decide([endless, endless, use("doc", tool="mean")])
    assert decision.action == Doc("mean") and len(notes) == 1
    assert [bool(request.body.get("stream")) for request in requests] == [True, True, False]
    assert notes[0].startswith("the stream ended before the message did")


def test_a_message_that_an_endpoint_gave_up_is_asked_for_again():
    broken = send_pieces({"content": "I would"}, finish_reason="error")
    (decision,), notes, _ = decide([broken, use("doc", tool="mean")])
    assert decision.action == Doc("mean") and "gave the message up" in notes[0]


def test_a_message_that_comes_slowly_is_waited_for():
    def begin(messages):
        time.sleep(2.5)
        return Say(calls=(("doc", document("mean")),), pause=lambda: time.sleep(2.5))

    with ScriptedEndpoint([begin]) as server:
        patience = replace(FAST, attempts=1, message=4.0)
        policy = LanguagePolicy(Endpoint(server.url, "m", "key"), patience=patience)
        assert policy.decide(QUESTION, print, threading.Event()).action == Doc("mean")


# What was reasoned


def test_what_stands_beside_a_call_goes_back_beside_it():
    sign = {"google": {"thought_signature": "c2lnbg=="}}
    stream = send_pieces(
        piece(document("mean"), index=0, id="a", extra_content=sign), piece(document("max"), index=1, id="b")
    )
    _, _, requests = decide([stream, use("skill", kit="Index")], count=3)
    first, second = requests[1].messages[2]["tool_calls"]
    assert first["extra_content"] == sign and "extra_content" not in second


def test_thoughts_in_parts_are_thoughts():
    thinking = {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "It is a mean."}]}]}
    said = {"content": [{"type": "text", "text": "I look."}]}
    (decision,), _, _ = decide([send_pieces(thinking, piece(document("mean"), index=0))])
    assert decision.thought == "It is a mean."
    (decision,), _, _ = decide([send_pieces(thinking, said, piece(document("mean"), index=0))])
    assert decision.thought == "I look."


def test_what_was_reasoned_goes_back_once():
    thinking = Say(reasoning="Means are statistics.", calls=(("skill", '{"kit": "Statistics"}'),))
    _, _, requests = decide([thinking, use("skill", kit="Index")], count=2)
    assert json.dumps(requests[1].messages).count("Means are statistics.") == 1
    assert requests[1].messages[2]["content"] == "skill"


def test_people_read_what_was_reasoned_in_words_and_items_go_back_as_they_came():
    thinking = Say(reasoning="Means are statistics.", calls=(("skill", '{"kit": "Statistics"}'),))
    decisions, _, requests = decide([thinking, use("skill", kit="Index")], count=2, form="responses")
    assert decisions[0].thought == "Means are statistics."
    kinds = [item.get("type", item.get("role")) for item in requests[1].messages[2:]]
    assert kinds == ["reasoning", "function_call", "function_call_output"]
    assert requests[1].messages[2]["encrypted_content"] == "c2VjcmV0"


def test_an_endpoint_that_takes_no_reasoning_back_goes_on_without():
    reasoned = Step(
        1, Skill("Index"), Observation("information", "so"), reasoning=Reasoning("reasoning_content", "Hm.")
    )
    refused = send_json(
        {"detail": [{"loc": ["messages", 2, "reasoning_content"], "msg": "Extra inputs"}]}, 422
    )
    (decision,), notes, requests = decide([refused, use("doc", tool="mean")], QUESTION.after(reasoned))
    assert decision.action == Doc("mean") and notes == []
    assert (
        "reasoning_content" in requests[0].messages[2] and "reasoning_content" not in requests[1].messages[2]
    )


# What is wrong, in the words of the server


@pytest.mark.parametrize(
    "body",
    [
        {"error": "temperature must be 1"},
        {"message": "temperature must be 1"},
        {"detail": "temperature must be 1"},
        {"detail": [{"loc": ["body"], "msg": "temperature must be 1"}]},
        [{"error": {"message": "temperature must be 1"}}],
        {"errors": [{"message": "temperature must be 1"}]},
    ],
)
def test_the_words_of_a_refusal_are_told_wherever_they_stand(body, stream_or_not):
    with pytest.raises(EndpointRefused, match="temperature must be 1"):
        decide([send_json(body, 400)], stream=stream_or_not)


@pytest.fixture(params=[True, False], ids=["stream", "whole"])
def stream_or_not(request):
    return request.param


def test_words_that_are_no_object_still_tell_what_to_leave_out():
    refused = send_json({"error": "this model does not support tools"}, 400)
    (decision,), _, requests = decide([refused, Say('{"name": "doc", "arguments": {"tool": "mean"}}')])
    assert decision.action == Doc("mean") and "tools" not in requests[1].body


@pytest.mark.parametrize("form", ["chat", "responses"])
def test_a_page_is_no_message_of_a_model(form):
    page = Send("<html><head><style>p {}</style></head><body><h1>Welcome</h1></body></html>")
    with pytest.raises(EndpointRefused, match="no endpoint of a model: Welcome") as caught:
        decide([page, page], form=form)
    assert "/v1" in str(caught.value.hint)


def test_a_fault_that_comes_with_status_200_is_told(stream_or_not):
    broken = send_json({"error": {"message": "Provider returned error", "code": 502}})
    script = [broken, broken, use("doc", tool="mean")] if stream_or_not else [broken, use("doc", tool="mean")]
    (decision,), notes, _ = decide(script, stream=stream_or_not)
    assert decision.action == Doc("mean") and "Provider returned error" in notes[-1]


def test_a_call_that_an_endpoint_could_not_read_is_read_here():
    written = '<function=skill{"kit": "Index"}</function>'
    body = {"error": {"message": "Failed to call a function.", "failed_generation": written}}
    (decision,), notes, requests = decide([send_json(body, 400)])
    assert decision.action == Skill("Index") and notes == [] and len(requests) == 1


# How much the context of a model holds


WINDOWS = [
    (
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        8192,
    ),
    (
        "Input tokens exceed the configured limit of 12000 tokens. Your messages resulted in 13000 tokens.",
        12000,
    ),
    ("Your input exceeds the context window of this model. Please adjust your input and try again.", None),
    ("The decoder prompt (length 5123) is longer than the maximum model length of 4096.", 4096),
    ("However, the model's context length is only 4096 tokens, resulting in a maximum of 3996.", 4096),
    (
        "'max_tokens' is too large: 3000. This model's maximum context length is 4096 (3000 > 4096 - 2000).",
        4096,
    ),
    ("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096),
    ("prompt too long; exceeded max context length by 1234 tokens", None),
    (
        "Trying to keep the first 5000 tokens; the model is loaded with context length of only 4096 tokens",
        4096,
    ),
    ("The number of tokens to keep is greater than the context length (n_keep: 5000>= n_ctx: 4096).", 4096),
    ("prompt is too long: 210,500 tokens > 200,000 maximum", 200_000),
    (
        "input length and `max_tokens` exceed context limit: 9000 + 2000 > 10000, decrease input length",
        10_000,
    ),
    ("The input token count (12000) exceeds the maximum number of tokens allowed (8192).", 8192),
    (
        "Prompt contains 9000 tokens, too large for model with 8000 maximum context length",
        8000,
    ),
    ("`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100", 4096),
    ("`inputs` must have less than 4095 tokens. Given: 5000", 4095),
    ("The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4096),
    ("This model's maximum prompt length is 8192 but the request contains 9000 tokens.", 8192),
    ("too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.", 4081),
    ("Prompt length (5000) exceeds maximum input length (4096).", 4096),
]


@pytest.mark.parametrize(("said", "window"), WINDOWS)
def test_the_window_is_learnt_in_the_words_of_any_server(said, window):
    assert window_in(said) == window
    state = QUESTION
    for number in range(1, 6):
        found = Observation("result", f"result {number} {'x' * 900}", value=number)
        state = state.after(Step(number, Call("mean", {"x": number}), found))
    (decision,), notes, _ = decide([send_json({"error": said}, 400), use("doc", tool="mean")], state)
    assert decision.action == Doc("mean") and len(notes) == 1 and "outgrew" in notes[0]


@pytest.mark.parametrize(
    "refused",
    [
        Refuse(500, "Context size has been exceeded."),
        Refuse(429, "Request too large for gpt on tokens per min (TPM): Limit 6000, Requested 8000."),
        send_json(
            {
                "error": {
                    "message": "the request exceeds the available context size",
                    "type": "exceed_context_size_error",
                    "n_prompt_tokens": 5000,
                    "n_ctx": 4096,
                }
            },
            400,
        ),
    ],
    ids=["a fault of its own", "a rate", "numbers beside the words"],
)
def test_what_is_too_long_is_not_tried_again_as_it_is(refused):
    with pytest.raises(ContextTooLong, match="does not fit") as caught:
        decide([refused])
    assert caught.value.window in (None, 6000, 4096)


@pytest.mark.parametrize(
    "said",
    [
        "max_tokens is too large: 50000. This model supports at most 16384 completion tokens.",
        "Unsupported value: 'temperature' does not support 0 with this model.",
        "messages.1.content.0.image: the file exceeds 5 MB",
    ],
)
def test_other_refusals_are_not_taken_for_a_length(said):
    with pytest.raises(EndpointRefused, match=said[:20]):
        decide([Refuse(400, said)] * 2)


def test_a_rate_limit_is_waited_for():
    limited = Refuse(429, "Rate limit reached: Limit 30000 tokens, Used 29000, Requested 2000.")
    (decision,), notes, _ = decide([limited, use_raw(("doc", document("mean")))])
    assert decision.action == Doc("mean") and notes[0].startswith("rate limit")


def test_the_words_of_a_passing_fault_are_told_while_it_is_waited():
    loading = send_json({"error": {"message": "Loading model", "code": 503}}, 503)
    _, notes, _ = decide([loading, use("doc", tool="mean")])
    assert notes[0].startswith("fault 503 of the endpoint (Loading model): trying again")


@pytest.mark.parametrize("listed", [Send("<html>Welcome</html>"), send_json({"models": ["m"]})])
def test_what_is_no_list_of_models_is_told_as_that(listed):
    with ScriptedEndpoint([use("skill", kit="Statistics")], listed=listed) as server:
        found = probe(Endpoint(server.url, "m", "key"))
    assert found.works and found.problems == (
        "Its models cannot be listed: what it sends is no list of models.",
    )
