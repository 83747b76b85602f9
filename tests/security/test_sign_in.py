"""Signing in by OpenID Connect, with a provider on this machine."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from tests.security.team import ANA, BEN, ServedTeam, write_home
from tests.security.visitor import Page, Visitor

provider_mock = pytest.importorskip("oidc_provider_mock", reason="the extra for tests is not installed")

PEOPLE = {
    "a": {"email": "Ana@Example.org", "email_verified": True, "name": "Ana"},
    "b": {"email": BEN, "email_verified": True},
    # Entered at the provider by whoever it is.
    "mallory": {"email": ANA, "email_verified": False},
    "nameless": {},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTeam]:
    home = tmp_path_factory.mktemp("openid")
    write_home(home)
    users = [provider_mock.User(sub=name, claims=claims) for name, claims in PEOPLE.items()]
    with (
        provider_mock.run_server_in_thread(user_claims=users) as provider,
        ServedTeam(home, f"http://localhost:{provider.server_port}") as running,
    ):
        yield running


def sign_in(server: ServedTeam, subject: str) -> Visitor:
    """Press the button, say at the provider who one is, and come back."""
    visitor = Visitor(server.url)
    with visitor.session() as session:
        button = session.open().element("button", "Sign in").id
        pressed = session.use({button: ("trigger_value", True)})
    (redirect,) = [m.auth_redirect.url for m in pressed.messages if m.HasField("auth_redirect")]
    asked = visitor.ask(f"/{redirect.removeprefix(server.url).lstrip('/')}")
    assert asked.status == 302
    code = say_who(asked.headers["location"], subject)
    assert visitor.ask(code.removeprefix(server.url)).status == 302
    return visitor


def say_who(address: str, subject: str) -> str:
    """Answer the provider's question, and return where it sends the browser."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", f"{parts.path}?{parts.query}", urlencode({"sub": subject}), form)
    response = connection.getresponse()
    response.read()
    connection.close()
    assert response.status in (302, 303), response.status
    return response.headers["location"]


def page_of(visitor: Visitor, page: str = "", query: str = "") -> Page:
    with visitor.session() as session:
        return session.open(page, query)


@pytest.mark.parametrize("page", ["", "data", "runs", "admin", "memory", "lessons"])
def test_whoever_has_not_signed_in_sees_the_entrance_alone(server: ServedTeam, page: str) -> None:
    shown = page_of(Visitor(server.url), page, "workspace=quarry")
    assert [e.label for e in shown.elements("button")] == ["Sign in"]
    # Each page has its address, to which the sign-in returns; what it is called is not told before.
    assert set(shown.titles) <= {"Treeline"} and "Quarry" not in shown.text


@pytest.mark.parametrize(
    "path",
    ["/tiles/x/preview.png", "/upload/x/y.tif", "/media/x.png", "/_stcore/upload_file/x/y", "/readyz/x"]
    + ["/_stcore/metrics", "/_stcore/script-health-check", "/_stcore/agent/mcp", "/mcp", "/docs"],
)
def test_without_signing_in_no_route_answers(server: ServedTeam, path: str) -> None:
    assert Visitor(server.url).ask(path).status == 401


def test_two_people_sign_in_and_have_the_own_things(server: ServedTeam) -> None:
    ana, ben = page_of(sign_in(server, "a"), "data"), page_of(sign_in(server, "b"), "data")
    assert "Quarry of Ana" in ana.text and "Harbour of Ben" not in ana.text
    assert "Harbour of Ben" in ben.text and "Quarry of Ana" not in ben.text


@pytest.mark.parametrize(("subject", "lacks"), [("mallory", "verified"), ("nameless", "email")])
def test_an_address_that_nobody_verified_is_nobodys(server: ServedTeam, subject: str, lacks: str) -> None:
    visitor = sign_in(server, subject)
    shown = page_of(visitor, "data")
    assert [e.label for e in shown.elements("button")] == ["Sign out"]
    assert lacks in shown.elements("alert")[0].body
    assert "Quarry" not in shown.text
    assert visitor.ask("/tiles/x/preview.png").status == 401


def test_after_signing_out_one_is_out(server: ServedTeam) -> None:
    ana = sign_in(server, "a")
    with ana.session() as session:
        button = session.open().element("button", "Sign out").id
        session.use({button: ("trigger_value", True)})
    ana.ask("/auth/logout")
    assert "_streamlit_user" not in ana.cookies
    assert [e.label for e in page_of(ana, "data").elements("button")] == ["Sign in"]


def test_what_was_signed_out_of_is_out_everywhere(server: ServedTeam) -> None:
    ana, another = sign_in(server, "a"), sign_in(server, "a")
    copied = Visitor(server.url)
    copied.cookies.update(ana.cookies)
    with ana.session() as second_tab, ana.session() as session:
        assert "Quarry of Ana" in second_tab.open("data").text
        button = session.open().element("button", "Sign out").id
        session.use({button: ("trigger_value", True)})
        left = second_tab.open("data")
        assert "signed out" in left.elements("alert")[0].body and "Quarry" not in left.text
    assert copied.ask("/tiles/x/preview.png").status == 401
    assert "Quarry" not in page_of(copied, "data").text
    assert "Quarry of Ana" in page_of(another, "data").text


def test_nobody_goes_on_in_the_session_of_another(server: ServedTeam) -> None:
    ana, ben = sign_in(server, "a"), sign_in(server, "b")
    with ana.session() as session:
        assert "Quarry of Ana" in session.open("data").text
        for who in (ben, Visitor(server.url)):
            with who.session(resumed=session.id) as other:
                assert "Quarry" not in other.open("data").text and other.id != session.id
        assert "Quarry of Ana" in session.open("data").text
    for who in (ben, Visitor(server.url)):
        with who.session(resumed=session.id) as other:
            assert "Quarry" not in other.open("data").text and other.id != session.id


def test_a_cookie_that_another_secret_signed_is_worth_nothing(server: ServedTeam) -> None:
    content = f'{{"email": "{ANA}", "email_verified": true, "is_logged_in": true, "origin": "{server.url}"}}'
    forged = create_signed_value("x" * 40, "_streamlit_user", content).decode()
    visitor = Visitor(server.url)
    visitor.cookies["_streamlit_user"] = forged
    assert visitor.ask("/tiles/x/preview.png").status == 401
    assert "Quarry" not in page_of(visitor, "data").text


def test_headers_of_a_proxy_are_not_believed(server: ServedTeam) -> None:
    visitor = Visitor(server.url, {"X-Email": ANA, "X-Forwarded-Email": ANA, "X-Treeline-Proxy-Secret": "x"})
    assert visitor.ask("/tiles/x/preview.png").status == 401
    assert "Quarry" not in page_of(visitor, "data").text


def test_a_provider_that_is_down_is_said_at_the_button(tmp_path: Path) -> None:
    write_home(tmp_path)
    with socket.socket() as taken:  # bound and not listening: nothing answers there
        taken.bind(("127.0.0.1", 0))
        address = f"http://localhost:{taken.getsockname()[1]}"
        with ServedTeam(tmp_path, address) as running, Visitor(running.url).session() as session:
            button = session.open().element("button", "Sign in").id
            pressed = session.use({button: ("trigger_value", True)})
    assert "The sign-in service at localhost does not answer" in pressed.text
    assert not any(message.HasField("auth_redirect") for message in pressed.messages)
    assert [e.label for e in pressed.elements("button")] == ["Sign in"]
