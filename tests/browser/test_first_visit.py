"""What a first visit asks for stays small, and what it shows is whole."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.first_visit import visit_first
from tests.browser.server import Server
from tests.browser.workbench import PATIENCE, Workbench
from treeline.pages.parts.shared.theme import INK

pytestmark = pytest.mark.browser

# A page that is drawn while its server still loads asks again for a picture or two.
MOST_REQUESTS, MOST_BYTES = 140, 2_200_000


def test_a_first_visit_is_light(browser: Browser, server: Server):
    visit = visit_first(browser, server.url)
    assert visit.requests <= MOST_REQUESTS
    assert visit.bytes <= MOST_BYTES


def test_the_closed_tree_becomes_the_chart_when_a_branch_opens(workbench: Workbench):
    workbench.open()
    page = workbench.page
    expect(page.locator('[data-kit="Index"]')).to_have_text(re.compile(r"Index \(\d+\)"), timeout=PATIENCE)
    workbench.ask("What is the mean NDVI of each date, clouds masked?")
    workbench.wait_for("answered")
    expect(page.get_by_test_id("stEChartsChart").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator("[data-kit]")).to_have_count(0)
    label = page.locator('[data-testid="stEChartsChart"] svg text').first
    expect(label).to_have_attribute("fill", INK[False])
    page.emulate_media(color_scheme="dark")
    expect(label).to_have_attribute("fill", INK[True])


def test_the_table_of_the_tree_comes_when_it_is_asked_for(workbench: Workbench):
    workbench.open()
    page = workbench.page
    expect(page.locator('[data-kit="Index"]')).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_test_id("stDataFrame")).to_have_count(0)
    page.get_by_role("radio", name="As a table").click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("radio", name="Skill tree").click()
    expect(page.locator('[data-kit="Index"]')).to_be_visible(timeout=PATIENCE)


def test_an_example_is_taken_from_the_list(workbench: Workbench):
    workbench.open()
    page = workbench.page
    menu, button = page.get_by_test_id("stPopoverBody"), page.get_by_role("button", name="Examples")
    button.press("Enter")
    expect(menu.get_by_role("button").first).to_be_visible(timeout=PATIENCE)
    button.press("Tab")
    expect(menu.get_by_role("button").first).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(button).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Question")).not_to_have_value("", timeout=PATIENCE)


def test_what_a_button_is_for_is_told_until_its_menu_is_open(workbench: Workbench):
    workbench.open("/?workspace=demo")
    button = workbench.page.get_by_role("button", name="Examples")
    told = workbench.page.get_by_test_id("stTooltipContent")
    button.hover()
    expect(told).to_be_visible()
    button.click()
    expect(workbench.page.get_by_test_id("stPopoverBody")).to_be_visible()
    expect(told).to_be_hidden()


def test_the_tour_waits_for_a_page_that_comes_slowly_and_follows_what_moves(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    # What a loaded server is to a browser: the stops are there long after the tour.
    page.add_init_script("""const real = Document.prototype.querySelector;
      const begun = Date.now();
      Document.prototype.querySelector = function (what) {
        const late = [".st-key-answer", ".st-key-steps"].includes(what) && Date.now() - begun < 12000;
        return late ? null : real.call(this, what === '[data-testid="stApp"]' && Date.now() - begun < 12000
          ? "nothing" : what);
      };""")
    page.goto(server.url)
    card = page.get_by_role("dialog", name="Tour", exact=True)
    expect(card).to_contain_text("1 of 5")
    ring, row = page.locator(".ring"), page.locator(".st-key-ask-row")
    page.evaluate("document.querySelector('.stMainBlockContainer').style.paddingTop = '90px'")
    page.wait_for_timeout(1_500)
    seen, stop = ring.bounding_box(), row.bounding_box()
    assert seen is not None and stop is not None and abs(seen["y"] + 4 - stop["y"]) < 6
    context.close()


def test_the_tour_has_five_stops_is_left_by_a_key_and_comes_once(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(server.url)
    card = page.get_by_role("dialog", name="Tour", exact=True)
    seen = []
    for stop in range(1, 6):
        expect(card).to_contain_text(f"{stop} of 5")
        seen.append(card.get_by_role("heading").inner_text())
        box = card.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 1024
        assert box["y"] >= 0 and box["y"] + box["height"] <= 768
        card.get_by_role("button", name="Done" if stop == 5 else "Next").click()
    assert len(set(seen)) == 5
    expect(card).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Question", exact=True)).to_be_focused()
    page.get_by_role("button", name="Glossary and tour").click()
    page.get_by_role("button", name="Take the tour").click()
    expect(card).to_contain_text("1 of 5")
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    context.close()
