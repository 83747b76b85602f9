from __future__ import annotations

import pytest

from treeline.toolkit.addresses import WebAddress, require_allowed
from treeline.toolkit.errors import InputError, PathOutside

SETTING = "TREELINE_CATALOGUES"


@pytest.mark.parametrize(
    "text",
    ["", "ftp://a.org", "a.org", "//a.org/x", "http://", "http://u:p@a.org", "http://a.org/x/../y",
     "http://a.org/%2E%2e/y", "http://a.org:99999/", "http://a.org\\@b.org/", "http://[::1", "file:///etc/passwd",
     "http://a.org/\nx"],
)  # fmt: skip
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
