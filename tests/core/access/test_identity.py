"""Who a visitor is, by claims and by the headers of a proxy."""

from __future__ import annotations

from typing import Any

import pytest

from treeline.core.access import LOCAL_PERSON, Actor, Person, acting_person, as_person, set_finder, who_acts
from treeline.core.access.identity import identity_of
from treeline.core.access.mode import mode_of_environment
from treeline.core.access.proxy import TrustedProxy, proxy_of_environment
from treeline.core.errors import NotSignedIn
from treeline.core.record.people import admins
from treeline.toolkit.errors import InputError

SECRET = "s" * 24
HEADERS = {"X-Email": "email", "X-Name": "name"}


@pytest.mark.parametrize(
    ("claims", "self_asserted", "expected"),
    [
        ({"email": "Ana@Example.org", "email_verified": True}, True, "ana@example.org"),
        ({"email": "ana@example.org"}, True, None),
        ({"email": "ana@example.org", "email_verified": False}, True, None),
        ({"email": "ana@example.org", "email_verified": "true"}, True, None),
        ({"email": "ana@example.org"}, False, "ana@example.org"),
        ({"sub": "17"}, False, None),
        ({"email": ""}, False, None),
        ({"email": None}, False, None),
        ({"email": ["ana@example.org"]}, False, None),
        ({"email": " ana@example.org"}, False, None),
        ({"email": "ana@example.org\n"}, False, None),
        ({"email": "a" * 200}, False, None),
    ],
)
def test_claims(claims: dict[str, Any], self_asserted: bool, expected: str | None) -> None:
    identity = identity_of(claims, self_asserted=self_asserted)
    assert (identity.id if identity else None) == expected


def test_another_claim_names_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREELINE_USER_CLAIM", "sub")
    identity = identity_of({"sub": "A17", "email": "x@y"}, self_asserted=True)
    assert identity is not None and identity.id == "A17"
    assert identity_of({"email": "x@y", "email_verified": True}, self_asserted=True) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [("strau\u00df@x.org", "strauss@x.org"), ("\ufb01n@x.org", "fin@x.org"), ("\u212aim@x.org", "kim@x.org")],
)
def test_letters_that_fold_into_others_make_nobody_another_person(one: str, other: str) -> None:
    told = [identity_of({"email": email}, self_asserted=False) for email in (one, other)]
    assert None not in told and told[0] != told[1]


def test_admins_are_compared_as_people_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREELINE_ADMINS", "Ada@Example.org root")
    assert admins() == {"ada@example.org", "root"}
    monkeypatch.setenv("TREELINE_USER_CLAIM", "sub")
    assert admins() == {"Ada@Example.org", "root"}


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("TREELINE_PROXY_SECRET", "TREELINE_PROXY_ADDRESSES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "")
    return monkeypatch


def headers_of(**headers: str) -> list[tuple[str, str]]:
    return [(name.replace("_", "-"), value) for name, value in headers.items()]


def test_a_secret_tells_the_proxy(settings: pytest.MonkeyPatch) -> None:
    settings.setenv("TREELINE_PROXY_SECRET", SECRET)
    proxy = proxy_of_environment(HEADERS)
    told = headers_of(x_email="ana@example.org", x_treeline_proxy_secret=SECRET)
    assert proxy.claims(told, "10.0.0.9") == {"email": "ana@example.org"}
    assert proxy.claims([*told, ("X-Email", "ben@example.org")], "10.0.0.9") is None
    assert proxy.claims([*told, ("X-Treeline-Proxy-Secret", "x")], "10.0.0.9") is None
    assert proxy.claims(headers_of(x_email="ana@example.org"), "10.0.0.9") is None
    assert proxy.claims(headers_of(x_email="a", x_treeline_proxy_secret=SECRET[:-1]), "10.0.0.9") is None
    assert proxy.claims(headers_of(x_email="a", x_treeline_proxy_secret="\u00e9"), "10.0.0.9") is None
    assert SECRET not in repr(proxy)


def test_addresses_tell_the_proxy(settings: pytest.MonkeyPatch) -> None:
    settings.setenv("TREELINE_PROXY_ADDRESSES", "10.0.0.0/24 ::1")
    proxy = proxy_of_environment(HEADERS)
    for peer, believed in (
        ("10.0.0.9", True),
        ("::1", True),
        ("10.0.1.9", False),
        (None, False),
        ("x", False),
    ):
        assert (proxy.claims(headers_of(x_email="a"), peer) is not None) == believed


def test_both_are_asked_where_both_are_set(settings: pytest.MonkeyPatch) -> None:
    settings.setenv("TREELINE_PROXY_SECRET", SECRET)
    settings.setenv("TREELINE_PROXY_ADDRESSES", "10.0.0.1")
    proxy = proxy_of_environment(HEADERS)
    with_secret = headers_of(x_email="a", x_treeline_proxy_secret=SECRET)
    assert proxy.claims(with_secret, "10.0.0.2") is None
    assert proxy.claims(headers_of(x_email="a"), "10.0.0.1") is None
    assert proxy.claims(with_secret, "10.0.0.1") is not None


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("TREELINE_PROXY_SECRET", "", "nothing says how the proxy is told"),
        ("TREELINE_PROXY_SECRET", "short", "shorter than 16"),
        ("TREELINE_PROXY_ADDRESSES", "10.0.0.300", "no address"),
        ("TREELINE_PROXY_ADDRESSES", "10.0.0.1/8", "no address"),
    ],
)
def test_a_proxy_that_cannot_be_told_is_refused(
    settings: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    settings.setenv(name, value)
    with pytest.raises(InputError, match=said):
        proxy_of_environment(HEADERS)


def test_addresses_are_not_compared_with_what_a_header_says(settings: pytest.MonkeyPatch) -> None:
    settings.setenv("TREELINE_PROXY_ADDRESSES", "10.0.0.1")
    settings.delenv("FORWARDED_ALLOW_IPS")
    with pytest.raises(InputError, match="FORWARDED_ALLOW_IPS"):
        proxy_of_environment(HEADERS)


def test_without_secret_and_addresses_nobody_is_believed() -> None:
    assert TrustedProxy({"x-email": "email"}).claims(headers_of(x_email="a"), "127.0.0.1") is None


def test_the_mode_is_set_and_never_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TREELINE_MODE", raising=False)
    assert mode_of_environment() == "local"
    assert acting_person() == LOCAL_PERSON
    monkeypatch.setenv("TREELINE_MODE", "Team")
    with pytest.raises(InputError, match="no mode 'Team'"):
        mode_of_environment()


def test_in_a_team_somebody_acts_or_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREELINE_MODE", "team")
    monkeypatch.setattr("treeline.core.access.actor._finder", lambda: None)
    with pytest.raises(NotSignedIn):
        who_acts()
    with as_person(Person("ana")):
        assert acting_person().id == "ana"
    with pytest.raises(NotSignedIn):
        who_acts()
    set_finder(lambda: Actor(Person("ben"), "s"))
    assert who_acts() == Actor(Person("ben"), "s")
