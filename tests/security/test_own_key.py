"""The server's key reaches the server's endpoint and nothing else, whatever address a visitor names."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import openai
import pytest

from tests.endpoint import Refuse, Say, ScriptedEndpoint
from treeline.core.errors import EndpointError
from treeline.core.policies.language.exchange import Exchange, Patience
from treeline.core.settings import Endpoint
from treeline.toolkit.errors import BackendMissing, PathOutside, TreelineError
from treeline.toolkit.perception.backends.endpoint import ask
from treeline.toolkit.perception.backends.vision import SceneAnswer

KEY = "sk-of-the-server-0123456789"
ORGANISATION = "org-of-the-server"
CUSTOM = "tenant-secret-of-the-server"
IMPATIENT = Patience(attempts=1, silence=5, message=5)


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedEndpoint]:
    """The server's endpoint, named in the environment with its key."""
    with ScriptedEndpoint(lambda messages: Say("Yes.")) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_ORG_ID", ORGANISATION)
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Tenant: {CUSTOM}\nAuthorization: Bearer {KEY}")
        monkeypatch.setenv("TREELINE_MODEL", "some-model")
        yield endpoint


@pytest.fixture
def stranger() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint(lambda messages: Say("Yes.")) as endpoint:
        yield endpoint


def say(endpoint: Endpoint) -> str:
    """Ask an endpoint for one message."""
    exchange = Exchange(endpoint, stream=False, patience=IMPATIENT, offers=False)
    return exchange.reply([{"role": "user", "content": "?"}], lambda note: None, threading.Event()).text


def sent_headers(endpoint: ScriptedEndpoint) -> str:
    """Return every header that reached an endpoint, as one text."""
    return "\n".join(f"{name}: {value}" for r in endpoint.requests for name, value in r.headers.items())


def test_the_servers_endpoint_gets_its_key(own: ScriptedEndpoint) -> None:
    assert say(Endpoint.of_visitor()) == "Yes."
    assert say(Endpoint.of_visitor(own.url + "/")) == "Yes."
    assert [r.headers["authorization"] for r in own.requests] == [f"Bearer {KEY}"] * 2


def test_a_visitors_endpoint_gets_nothing_of_the_server(
    own: ScriptedEndpoint, stranger: ScriptedEndpoint
) -> None:
    assert say(Endpoint.of_visitor(stranger.url)) == "Yes."
    for secret in (KEY, ORGANISATION, CUSTOM):
        assert secret not in sent_headers(stranger)
    assert not own.requests


def test_a_visitors_endpoint_gets_the_visitors_key(own: ScriptedEndpoint, stranger: ScriptedEndpoint) -> None:
    say(Endpoint.of_visitor(stranger.url, key="sk-of-the-visitor"))
    assert [r.headers["authorization"] for r in stranger.requests] == ["Bearer sk-of-the-visitor"]


def test_the_vision_model_of_a_visitors_endpoint_gets_none(
    own: ScriptedEndpoint, stranger: ScriptedEndpoint
) -> None:
    seeing = Endpoint.of_visitor(stranger.url, vision_model="sees-7b").vision
    assert seeing is not None
    with pytest.raises(TreelineError):
        ask(seeing, "?", [], SceneAnswer)
    assert stranger.requests
    for secret in (KEY, ORGANISATION, CUSTOM):
        assert secret not in sent_headers(stranger)


@pytest.mark.parametrize(
    "url",
    [
        "http://{own}.example.org/v1",
        "http://{own}@127.0.0.1:9/v1",
        "http://{own}/v1/../../other",
        "http://{own}/v1/%2e%2e/other",
        "http://{own}/other",
        "https://{own}/v1",
        "http://127.0.0.1:9/v1#http://{own}/v1",
        "http://127.0.0.1\\@{own}/v1",
    ],
)
def test_what_only_looks_like_the_servers_address_gets_no_key(own: ScriptedEndpoint, url: str) -> None:
    host = own.url.removeprefix("http://").removesuffix("/v1")
    assert Endpoint.of_visitor(url.replace("{own}", host)).key == ""


def test_the_default_address_is_the_servers_where_none_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert Endpoint.of_visitor("https://api.openai.com/v1/").key == KEY
    assert Endpoint.of_visitor("https://api.openai.com.example.org/v1").key == ""


def test_a_redirection_is_not_followed(own: ScriptedEndpoint, stranger: ScriptedEndpoint) -> None:
    moved = Refuse(307, "moved", headers={"Location": f"{stranger.url}/chat/completions"})
    with ScriptedEndpoint(lambda messages: moved) as moving, pytest.raises(EndpointError):
        say(Endpoint.of_visitor(moving.url, key="sk-of-the-visitor"))
    assert not stranger.requests


def test_only_listed_endpoints_may_be_named(
    own: ScriptedEndpoint, stranger: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREELINE_ENDPOINTS", "https://models.example.org/v1 http://127.0.0.1:1/v1")
    for url in (stranger.url, "https://models.example.org.evil.example/v1", "https://models.example.org/v10"):
        with pytest.raises(PathOutside, match="may not be used here"):
            Endpoint.of_visitor(url).check()
    with pytest.raises(PathOutside):
        say(Endpoint.of_visitor(stranger.url))
    seeing = Endpoint.of_visitor(stranger.url, vision_model="sees-7b").vision
    assert seeing is not None
    with pytest.raises(PathOutside):
        ask(seeing, "?", [], SceneAnswer)
    assert not stranger.requests
    Endpoint.of_visitor("https://models.example.org/v1/").check()
    assert say(Endpoint.of_visitor()) == "Yes."


def test_the_key_is_in_no_representation_and_no_fault(own: ScriptedEndpoint) -> None:
    endpoint = Endpoint.of_visitor(own.url)
    assert KEY not in f"{endpoint!r} {endpoint.vision!r}"
    repeats = ScriptedEndpoint(lambda messages: Refuse(401, f"wrong key {KEY}"))
    with repeats as refusing, pytest.raises(EndpointError) as fault:
        say(Endpoint(refusing.url, "m", KEY))
    assert KEY not in str(fault.value)
    chain: BaseException | None = fault.value
    while chain is not None:
        assert not isinstance(chain, openai.OpenAIError)
        chain = chain.__cause__ or chain.__context__


def test_an_endpoint_without_a_model_is_refused(
    own: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TREELINE_MODEL")
    with pytest.raises(BackendMissing):
        Endpoint.of_visitor(own.url).check()
