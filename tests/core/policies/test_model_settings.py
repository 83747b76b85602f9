"""How a language model is asked: what of the settings reaches the endpoint, in both forms of the exchange."""

from __future__ import annotations

import threading
import time

import pytest

from tests.endpoint import Hang, Refuse, Say, ScriptedEndpoint, use, use_raw
from treeline.core.engine.actions import Doc, Observation, Skill, TokenUse
from treeline.core.engine.budget import Deadline
from treeline.core.engine.state import State, Step
from treeline.core.errors import ContextTooLong, EndpointUnreachable
from treeline.core.model_settings import ModelSettings, headers_in
from treeline.core.policies.language import LanguagePolicy, Patience
from treeline.core.policies.language.faults import window_in
from treeline.core.policies.language.probing import probe
from treeline.core.settings import Endpoint
from treeline.toolkit.errors import InputError, Stopped

KEY = "sk-secret-0123456789"
QUESTION = State("Mean NDVI?", context={"catalogue": "@ndvi: 2 rasters", "tree": "- Statistics: numbers"})
FAST = Patience(attempts=2, first=0.01, longest=0.1, silence=30.0, message=30.0)


def decide(script, settings, state=QUESTION, stream=True, **options):
    with ScriptedEndpoint(script, **options) as server:
        policy = LanguagePolicy(Endpoint(server.url, "m", KEY, settings=settings), stream, FAST)
        decision = policy.decide(state, lambda text: None, threading.Event())
    return decision, server.requests


SET = ModelSettings(
    temperature=0.2, seed=7, effort="low", longest_reply=512, headers=(("X-Project", "lake-42"),)
)


def test_what_is_set_is_sent_and_nothing_else():
    _, (request,) = decide([use("doc", tool="mean")], SET)
    told = {name: request.body[name] for name in ("temperature", "seed", "reasoning_effort", "max_tokens")}
    assert told == {"temperature": 0.2, "seed": 7, "reasoning_effort": "low", "max_tokens": 512}
    assert request.headers["x-project"] == "lake-42"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    _, (plain,) = decide([use("doc", tool="mean")], ModelSettings())
    assert not plain.body.keys() & told.keys()


def test_the_newer_name_of_the_longest_reply_is_used_where_it_is_asked_for():
    def refuses(body):
        said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        return Refuse(400, said) if "max_tokens" in body else None

    _, requests = decide([use("doc", tool="mean")], SET, refuses=refuses)
    assert requests[-1].body["max_completion_tokens"] == 512


@pytest.mark.parametrize("stream", [True, False])
def test_the_responses_form_is_the_same_exchange(stream):
    several = use_raw(("skill", '{"kit": "Index"}'), ("doc", '{"tool": "mean"}'), text="I look.")
    script = [Say(several.text, "Hm.", calls=several.calls), use("skill", kit="Index")]
    settings = ModelSettings(form="responses", effort="high", temperature=0.5, longest_reply=64)
    with ScriptedEndpoint(script) as server:
        policy = LanguagePolicy(Endpoint(server.url, "m", KEY, settings=settings), stream, FAST)
        state = QUESTION
        for number in (1, 2):
            decision = policy.decide(state, print, threading.Event())
            seen = Observation("information", f"seen {number}")
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
        assert policy.decide(state, print, threading.Event()).action == Skill("Index")
    assert [step.action for step in state.steps] == [Skill("Index"), Doc("mean")]
    assert state.steps[0].tokens == TokenUse(100, 10, 60)
    first, second = (request.body for request in server.requests)
    assert server.requests[0].path.endswith("/responses") and "messages" not in first
    assert first["reasoning"] == {"effort": "high"} and first["max_output_tokens"] == 64
    assert {tool["name"] for tool in first["tools"]} == {"skill", "doc", "call", "answer"}
    kinds = [item.get("type") or item["role"] for item in second["input"]]
    assert kinds == [
        "system",
        "user",
        "reasoning",
        "assistant",
        "function_call",
        "function_call",
        "function_call_output",
        "function_call_output",
    ]
    assert second["input"][2]["encrypted_content"] == "c2VjcmV0"
    calls = [item["call_id"] for item in second["input"] if "call_id" in item]
    assert calls[:2] == calls[2:] and "seen 2" in second["input"][-1]["output"]


def test_a_reply_that_was_cut_is_told_in_the_responses_form_too():
    cut = Say(calls=(("call", '{"tool": "me'),), finish_reason="length")
    decision, requests = decide([cut, use("doc", tool="mean")], ModelSettings(form="responses"))
    assert decision.action == Doc("mean") and "cut off" in requests[1].last


def test_silence_may_last_an_hour_and_attempts_are_kept():
    patience = Patience.of(ModelSettings(silence=3600, attempts=2))
    assert (patience.silence, patience.attempts) == (3600, 2) and patience.message >= 3600
    with pytest.raises(InputError, match="silence"):
        ModelSettings.of({"silence": 3601})
    with ScriptedEndpoint([Refuse(503)] * 2) as server:
        settings = ModelSettings(attempts=2)
        policy = LanguagePolicy(Endpoint(server.url, "m", KEY, settings=settings))
        with pytest.raises(EndpointUnreachable):
            policy.decide(QUESTION, lambda text: None, threading.Event())


def test_a_server_that_is_slow_gets_through_within_its_silence():
    slow, quick = ModelSettings(silence=60), ModelSettings(silence=1, attempts=1)

    def late(messages):
        time.sleep(2.0)
        return use("doc", tool="mean")

    with ScriptedEndpoint([late]) as server:
        endpoint = Endpoint(server.url, "m", KEY, settings=slow)
        decision = LanguagePolicy(endpoint).decide(QUESTION, print, threading.Event())
    assert decision.action == Doc("mean")
    with ScriptedEndpoint([late]) as server:
        endpoint = Endpoint(server.url, "m", KEY, settings=quick)
        with pytest.raises(EndpointUnreachable, match="no answer in time"):
            LanguagePolicy(endpoint).decide(QUESTION, print, threading.Event())


def test_a_deadline_ends_a_request_that_waits(monkeypatch):
    deadline = Deadline(threading.Event(), time.monotonic() + 3600)

    def expire(_) -> Hang:
        # The moment comes once the request is there: before that, a busy machine could end the decision
        # unasked.
        monkeypatch.setattr(deadline, "_moment", time.monotonic() + 0.3)
        return Hang()

    with ScriptedEndpoint([expire]) as server:
        policy = LanguagePolicy(Endpoint(server.url, "m", KEY))
        with pytest.raises(Stopped):
            policy.decide(QUESTION, print, deadline)
        assert deadline.is_over and deadline.is_set() and deadline.wait(5)


@pytest.mark.parametrize(
    ("said", "window"),
    [
        ("This model's maximum context length is 4096 tokens. However, you requested 5,000 tokens", 4096),
        ("prompt is too long: 210,000 tokens > 200,000 maximum", 200_000),
        ("the request exceeds the available context size (n_ctx=8192)", 8192),
        ("input length 9000 exceeds maximum of 8192", 8192),
        ("too long", None),
    ],
)
def test_a_refusal_for_length_teaches_the_window(said, window):
    assert window_in(said) == window
    with pytest.raises(ContextTooLong) as caught:
        decide([Refuse(400, said, code="context_length_exceeded")], ModelSettings())
    assert caught.value.window == window


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"temperature": 3}, "temperature"),
        ({"attempts": 0}, "attempts"),
        ({"longest_reply": 1}, "longest"),
        ({"headers": (("Authorization", "Bearer x"),)}, "key has its own field"),
        ({"headers": (("X-A", "a\r\nX-B: b"),)}, "X-A"),
        ({"headers": (("X A", "a"),)}, "no name"),
        ({"effort": "lots"}, "effort"),
        ({"temperature": float("nan")}, "temperature"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_by_name(given, said):
    with pytest.raises(InputError, match=said):
        ModelSettings.of(given)


def test_headers_are_kept_out_of_every_representation():
    settings = ModelSettings(headers=headers_in("X-Token: very-secret\nX-Other: b"))
    endpoint = Endpoint("http://x/v1", "m", KEY, settings=settings)
    assert "very-secret" not in f"{settings!r}{settings}{endpoint!r}{settings.deciding}"
    with pytest.raises(InputError) as caught:
        headers_in("very-secret without a mark")
    assert "very-secret" not in str(caught.value)


def test_a_probe_lists_models_and_tries_a_call():
    with ScriptedEndpoint([use("skill", kit="Statistics")], models=("m", "other")) as server:
        found = probe(Endpoint(server.url, "m", KEY))
    assert found.works and found.models == ("m", "other") and not found.problems
    assert found.tokens == TokenUse(100, 10, 60)


@pytest.mark.parametrize(
    ("reply", "models", "said"),
    [
        (Say("Statistics it is."), ("m",), "called no function"),
        (use("skill", kit="Statistics"), ("other",), "does not list"),
        (use("skill", kit="Statistics"), (), "cannot be listed"),
        (Refuse(401, f"bad key {KEY}"), ("m",), "does not accept the key"),
    ],
)
def test_a_probe_tells_what_does_not_work(reply, models, said):
    with ScriptedEndpoint([reply], models=models) as server:
        found = probe(Endpoint(server.url, "m", KEY))
    assert any(said in problem for problem in found.problems)
    assert KEY not in str(found.to_json())


def test_headers_of_a_visitor_never_go_with_the_key_of_the_server(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    settings = ModelSettings(headers=(("X-Project", "mine"),))
    for url in ("", "http://127.0.0.1:9/v1"):
        with pytest.raises(InputError, match="key of the server"):
            Endpoint.of_visitor(url, "m", settings=settings)
    assert Endpoint.of_visitor("", "m", "sk-of-the-visitor", settings=settings).settings.headers
    assert Endpoint.of_visitor("http://127.0.0.1:8/v1", "m", settings=settings).key == ""
