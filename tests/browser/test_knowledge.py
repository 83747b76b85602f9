"""The Knowledge page in a browser: go into the chart, read, search, edit, ask from a card."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.workbench import PATIENCE, Workbench
from treeline.core.context.cards import card_of_note
from treeline.core.engine.events import Note
from treeline.core.engine.journal import events_of
from treeline.core.engine.state import state_of
from treeline.core.record.store import Store
from treeline.knowledge.card import cards_from_yaml, cards_to_yaml

pytestmark = pytest.mark.browser
TITLE = "Share of dry land by the temperature-vegetation dryness index (TVDI)"


def in_chart(page: Page, text: str):
    return page.locator('[data-testid="stEChartsChart"] svg text', has_text=text).first


# That the page opens without a fault in both themes is seen where every page is opened.
def test_a_card_is_reached_through_the_chart_and_its_chain_is_drawn(
    workbench: Workbench, screenshots: Path
) -> None:
    page = workbench.page
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.emulate_media(color_scheme="dark")
    workbench.open("/knowledge")
    expect(in_chart(page, "Wildfire")).to_be_visible(timeout=PATIENCE)
    workbench.wait_until_settled()
    page.screenshot(path=screenshots / "knowledge-chart.png")
    workbench.click_in_chart(in_chart(page, "Drought"), page.get_by_role("heading", name="Drought"))
    expect(in_chart(page, "Soil moisture")).to_be_visible(timeout=PATIENCE)
    workbench.click_in_chart(in_chart(page, "Share of dry"), page.get_by_role("heading", name=TITLE))
    for text in ("2  compute_tvdi", "3  calculate_threshold_ratio", "kits"):
        expect(in_chart(page, text)).to_be_visible(timeout=PATIENCE)
    expect(in_chart(page, "Soil moisture")).to_be_visible(timeout=PATIENCE)
    workbench.wait_until_settled()
    page.screenshot(path=screenshots / "knowledge-card.png")
    assert page.get_by_test_id("stException").count() == 0 and faults == []


def test_a_search_opens_a_card_that_is_edited_and_asked_with(
    workbench: Workbench, store: Store, screenshots: Path
) -> None:
    page = workbench.page
    workbench.open("/knowledge")
    page.get_by_role("searchbox", name="Search").fill("mean NDVI of each date")
    expect(in_chart(page, "keywords")).to_be_visible(timeout=PATIENCE)
    workbench.wait_until_settled()
    page.screenshot(path=screenshots / "knowledge-search.png")
    bar = page.locator('[data-testid="stEChartsChart"] svg path[fill="#44699f"]').nth(1)
    # The shadow that marks the row lies above its bar, and hands the click on.
    workbench.click_in_chart(bar, page.get_by_role("tab", name="Edit"), force=True)

    page.get_by_role("tab", name="Edit").click()
    tools = page.get_by_role("textbox", name="Chain of tools")
    tools.fill("get_filelist\ncalculate_batch_ndvy")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("which is no tool")).to_be_visible(timeout=PATIENCE)
    tools.fill("get_filelist\ncalculate_batch_ndvi\ncalc_batch_image_mean")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("version 2 of 2")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("tab", name="Versions (2)").click()
    expect(page.get_by_role("button", name="Restore")).to_be_visible(timeout=PATIENCE)
    page.screenshot(path=screenshots / "knowledge-versions.png")

    card = page.url.partition("card=")[2]
    question = page.get_by_role("textbox", name="Question with this card")
    question.fill("What is the mean NDVI of each date, clouds masked?")
    page.get_by_role("button", name="Ask with this card").click()
    workbench.wait_for("answered")
    events = [stored.event for stored in events_of(store, workbench.run)]
    (told,) = [found for event in events if isinstance(event, Note) and (found := card_of_note(event))]
    assert (told["id"], told["version"], told["match"]) == (card, 2, None)
    assert "calculate_batch_ndvi" in state_of(events).context["cards"]
    workbench.wait_until_settled()
    page.screenshot(path=screenshots / "workbench-card.png")
    page.locator(".st-key-card-of-run button").click()
    expect(page.get_by_text("version 2 of 2")).to_be_visible(timeout=PATIENCE)


def test_cards_are_given_out_and_taken_in(workbench: Workbench, tmp_path: Path) -> None:
    page = workbench.page
    workbench.open("/knowledge?card=sea_ice")
    expect(page.get_by_role("tab", name="Edit")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Files").click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="This card").click()
    (card,) = cards_from_yaml(download.value.path().read_text("utf-8"))
    assert card.id == "sea_ice"

    own = card.model_copy(update={"id": "lake_ice", "title": "Ice cover of lakes in winter"})
    file = tmp_path / "own.yaml"
    file.write_text(cards_to_yaml([own, card]), "utf-8")
    page.locator("input[type=file]").set_input_files(str(file))
    page.get_by_role("button", name="Take in").click()
    expect(page.get_by_text("Imported: 1")).to_be_visible(timeout=PATIENCE)
    workbench.open("/knowledge?card=lake_ice")
    expect(page.get_by_role("heading", name=own.title)).to_be_visible(timeout=PATIENCE)

    file.write_text("cards:\n- id: broken", "utf-8")
    page.get_by_role("button", name="Files").click()
    page.locator("input[type=file]").set_input_files(str(file))
    page.get_by_role("button", name="Take in").click()
    expect(page.get_by_text("is missing")).to_be_visible(timeout=PATIENCE)
