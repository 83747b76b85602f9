from __future__ import annotations

import pytest

from treeline.toolkit.addresses import WebAddress, require_allowed, require_public
from treeline.toolkit.endpoints import check_address
from treeline.toolkit.errors import InputError, PathOutside

SETTING = "TREELINE_CATALOGUES"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ftp://a.org",
        "a.org",
        "//a.org/x",
        "http://",
        "http://u:p@a.org",
        "http://a.org/x/../y",
        "http://a.org/%2E%2e/y",
        "http://a.org:99999/",
        "http://a.org\\@b.org/",
        "http://[::1",
        "file:///etc/passwd",
        "http://a.org/\nx",
    ],
)
def test_what_is_no_plain_address_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        WebAddress.of(text)


@pytest.mark.parametrize(
    ("allowed", "address", "covered"),
    [
        ("https://a.org", "https://a.org/x", True),
        ("https://a.org/v1/", "https://A.org:443/v1", True),
        ("https://a.org/v1", "https://a.org/v1/search?x=1", True),
        ("https://a.org/v1", "https://a.org/v10", False),
        ("https://a.org", "https://a.org.evil.org/", False),
        ("https://a.org", "http://a.org/", False),
        ("https://a.org", "https://a.org:8443/", False),
        ("http://127.0.0.1:80", "http://127.0.0.1:8080/", False),
        ("http://[::1]:9/x", "http://[::1]:9/x/y", True),
    ],
)
def test_a_list_is_compared_by_parts(
    allowed: str, address: str, covered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, f"https://other.org {allowed}")
    if covered:
        require_allowed(address, SETTING)
        return
    with pytest.raises(PathOutside, match="may not be used here"):
        require_allowed(address, SETTING)


def test_an_empty_list_allows_any_address_of_the_web(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SETTING, raising=False)
    require_allowed("http://anywhere.org/x", SETTING)
    with pytest.raises(InputError):
        require_allowed("ftp://anywhere.org/x", SETTING)


def test_an_empty_list_allows_none_on_a_server_of_a_team(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SETTING, raising=False)
    monkeypatch.setenv("TREELINE_MODE", "team")
    with pytest.raises(PathOutside, match=f"until {SETTING} lists one"):
        require_allowed("https://anywhere.org/x", SETTING)
    monkeypatch.setenv(SETTING, "http://10.0.0.7/stac")
    require_allowed("http://10.0.0.7/stac/search", SETTING)


@pytest.mark.parametrize(
    "address",
    [
        "https://localhost/v1",
        "https://127.0.0.1/v1",
        "https://127.1/v1",
        "https://2130706433/v1",
        "https://10.0.0.7/v1",
        "https://192.168.1.1:8443/v1",
        "https://172.16.0.1/v1",
        "https://169.254.169.254/",
        "https://100.64.0.1/v1",
        "https://0.0.0.0/v1",
        "https://224.0.0.1/v1",
        "https://[::1]/v1",
        "https://[fd00::1]/v1",
        "https://[fe80::1]/v1",
        "https://[::ffff:127.0.0.1]/v1",
        "https://[64:ff9b::7f00:1]/v1",
        "https://[2002:7f00:1::]/v1",
        "https://nowhere.invalid/v1",
        "https://[64:ff9b:1::7f00:1]/v1",
        "https://[::127.0.0.1]/v1",
        "https://[::ffff:0:127.0.0.1]/v1",
        "http://93.184.216.34/v1",
    ],
)
def test_what_is_not_of_the_public_web_is_no_endpoint_of_a_visitor(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PathOutside):
        require_public(address)
    monkeypatch.delenv("TREELINE_ENDPOINTS", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("TREELINE_MODE", "team")
    with pytest.raises(PathOutside):
        check_address(address)


def test_an_endpoint_of_the_public_web_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREELINE_MODE", "team")
    monkeypatch.delenv("TREELINE_ENDPOINTS", raising=False)
    check_address("https://93.184.216.34/v1")
    check_address("https://[2606:2800:220:1::1]/v1")
    monkeypatch.setenv("TREELINE_ENDPOINTS", "http://127.0.0.1:11434/v1")
    check_address("http://127.0.0.1:11434/v1")
    with pytest.raises(PathOutside):
        check_address("https://93.184.216.34/v1")


def test_the_servers_own_endpoint_may_be_private(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREELINE_MODE", "team")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:11434/v1")
    check_address("")
    check_address("http://127.0.0.1:11434/v1/")
