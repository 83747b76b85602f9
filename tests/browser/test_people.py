"""Two people sign in, each with a browser of the own, and one looks for what is the other's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import SIZE
from tests.browser.workbench import PATIENCE, Workbench
from tests.security.team import ADA, ANA, BEN, ServedTeam, write_home
from treeline.core.access import Grant
from treeline.core.record.audit import deeds
from treeline.core.record.ownership import Ownership
from treeline.core.record.store import Store

provider_mock = pytest.importorskip("oidc_provider_mock", reason="the extra for tests is not installed")

pytestmark = pytest.mark.browser
QUESTION = "What is the mean NDVI of each date?"
PEOPLE = {"ana": ANA, "ben": BEN, "ada": ADA}


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTeam]:
    home = tmp_path_factory.mktemp("people")
    write_home(home)
    users = [
        provider_mock.User(sub=name, claims={"email": email, "email_verified": True, "name": name.title()})
        for name, email in PEOPLE.items()
    ]
    with (
        provider_mock.run_server_in_thread(user_claims=users) as provider,
        ServedTeam(home, f"http://localhost:{provider.server_port}") as running,
    ):
        yield running


def sign_in(browser: Browser, team: ServedTeam, name: str) -> Page:
    page = browser.new_context(viewport=SIZE, accept_downloads=True).new_page()
    page.goto(team.url)
    page.get_by_role("button", name="Sign in").click(timeout=PATIENCE)
    page.wait_for_url("**/oauth2/authorize**")
    page.fill("input[name=sub]", name)
    page.keyboard.press("Enter")
    person = page.get_by_test_id("stSidebar").locator(".st-key-person")
    expect(person).to_contain_text(name.title(), timeout=PATIENCE)
    return page


def test_two_people_in_two_browsers(browser: Browser, team: ServedTeam, screenshots: Path) -> None:
    ana = sign_in(browser, team, "ana")
    workbench = Workbench(ana, team.url)
    workbench.ask(QUESTION)
    workbench.wait_for("answered")
    address = ana.url
    assert "run=" in address

    ana.get_by_role("button", name="Export").click()
    with ana.expect_download(timeout=PATIENCE) as download:
        ana.get_by_role("button", name="Report, HTML").click()
    assert "NDVI" in Path(download.value.path()).read_text("utf-8")
    ana.screenshot(path=screenshots / "team.png")
    ana.get_by_role("button", name="Link to read").click()
    link = ana.get_by_test_id("stCode").get_by_text("read=only").inner_text()

    ana.keyboard.press("Escape")
    ana.get_by_role("button", name="Pin", exact=True).click()
    expect(ana.get_by_test_id("stToast")).to_be_visible()
    workbench.wait_until_settled()
    # The message takes nothing else away: the heading is read aloud and not seen, as before.
    assert ana.locator("h1.unseen").evaluate("head => head.closest('.stElementContainer').offsetHeight") == 1
    workbench.go_to("Pinned")
    ana.get_by_text("Colleagues see it").click()
    workbench.wait_until_settled()

    ben = sign_in(browser, team, "ben")
    ben.goto(address)
    expect(ben.get_by_text("No run yet")).to_be_visible(timeout=PATIENCE)
    expect(ben.get_by_role("combobox", name="Workspace")).to_have_value("Harbour of Ben")
    assert "quarry" not in ben.content().casefold()

    ben.get_by_role("button", name="Sign out").click()
    ben.wait_for_url("**/oauth2/end_session**", timeout=PATIENCE)
    # A link asks who the reader is, leads to the run afterwards, and shows it where it is shared alone.
    ben.goto(link)
    ben.get_by_role("button", name="Sign in").click(timeout=PATIENCE)
    ben.wait_for_url("**/oauth2/authorize**")
    ben.fill("input[name=sub]", "ben")
    ben.keyboard.press("Enter")
    expect(ben.get_by_text("not shared with you")).to_be_visible(timeout=PATIENCE)
    store = Store(team.home / "treeline.sqlite")
    # What is shown to colleagues takes that they see the workspace.
    assert Ownership(store).thing("run", store.runs()[0].id).visibility == "public"
    Ownership(store).share("workspace", "quarry", Grant.to_person(BEN, "see"))
    store.close()
    ben.reload()
    expect(ben.get_by_text("This link is for reading")).to_be_visible(timeout=PATIENCE)
    expect(ben.locator(".st-key-answer").get_by_text("answered")).to_be_visible(timeout=PATIENCE)
    assert ben.get_by_label("Question").count() == ben.get_by_role("button", name="Pin").count() == 0
    ben.screenshot(path=screenshots / "reading.png")
    # Whoever opens what is shown to all is refused nothing: here a run that its person has not looked at.
    ana.get_by_role("button", name="Ask again").click()
    expect(ana.get_by_text("As before")).to_be_visible(timeout=PATIENCE)
    store = Store(team.home / "treeline.sqlite")
    asked_again = store.runs()[0].id
    store.close()
    assert asked_again not in address
    ben.goto(f"{team.url}/?run={asked_again}")
    expect(ben.locator(".st-key-answer").get_by_text("answered")).to_be_visible(timeout=PATIENCE)
    Workbench(ben, team.url).wait_until_settled()
    store = Store(team.home / "treeline.sqlite")
    assert not [deed for deed in deeds(store, BEN) if (deed.action, deed.detail) == ("refused", "change")]
    store.close()
    for page in (ana, ben):
        page.context.close()


def test_an_admin_gives_a_role_and_reads_the_trail(
    browser: Browser, team: ServedTeam, screenshots: Path
) -> None:
    ada = sign_in(browser, team, "ada")
    ada.get_by_role("link", name="Admin").click()
    expect(ada.get_by_role("radio", name="People")).to_be_visible(timeout=PATIENCE)
    ada.screenshot(path=screenshots / "admin.png")
    # She has no workspace, and so none to choose from.
    expect(ada.get_by_text("No workspace yet")).to_be_visible()
    Workbench(ada, team.url).expect_no_barriers()
    ada.get_by_role("radio", name="Audit").click()
    ada.get_by_role("radio", name="Without an owner").click()
    expect(ada.get_by_role("button", name="Give")).to_be_visible(timeout=PATIENCE)
    ada.context.close()


def test_who_opens_a_page_by_its_address_signs_in_there_and_comes_to_it(
    browser: Browser, team: ServedTeam
) -> None:
    page = browser.new_context(viewport=SIZE).new_page()
    page.goto(f"{team.url}/runs")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible(timeout=PATIENCE)
    Workbench(page, team.url).wait_until_settled()
    assert page.get_by_text("Page not found").count() == 0
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/oauth2/authorize**")
    page.fill("input[name=sub]", "ana")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{team.url}/runs*", timeout=PATIENCE)
    expect(page.get_by_role("heading", level=1, name="Runs")).to_be_attached(timeout=PATIENCE)
    page.context.close()
