"""Both teams in the browser: chosen, watched on their board, their cost read, what they learned looked at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.workbench import PATIENCE, Workbench
from treeline.core.memory.bank import MemoryBank
from treeline.core.record.store import Store
from treeline.core.teams.report import team_report

pytestmark = pytest.mark.browser
QUESTION = "What was the mean NDVI and the mean NDWI of June 2021, clouds masked?"


def choose_team(workbench: Workbench, name: str) -> None:
    """Choose a team in the sidebar."""
    page = workbench.page
    page.get_by_role("combobox", name="Team").click()
    page.get_by_role("option", name=name).click()
    workbench.wait_until_idle()


def test_variants_stand_side_by_side_and_what_they_taught_is_in_the_bank(
    workbench: Workbench, store: Store, screenshots: Path, tmp_path: Path
) -> None:
    page = workbench.page
    workbench.open()
    choose_team(workbench, "Evolver")
    workbench.ask(QUESTION)
    board = page.locator(".team")
    expect(board.locator(".card").first).to_be_visible(timeout=PATIENCE)
    page.screenshot(path=screenshots / "evolver-live.png")
    workbench.wait_for("answered")
    expect(board.locator(".badge.taken").first).to_be_visible(timeout=PATIENCE)
    report = team_report(store, workbench.run)
    lanes = [lane.bounding_box() for lane in board.locator(".lane").all()]
    assert len(lanes) == len({member["variant"] for member in report["members"]}) == 2
    assert lanes[0]["y"] == lanes[1]["y"] and lanes[0]["x"] + lanes[0]["width"] <= lanes[1]["x"]
    assert board.locator(".card").count() == len(report["members"])
    for verdict in report["verdicts"]:
        expect(board.get_by_text(f"Judge: {verdict['why']}").first).to_be_attached()
    page.screenshot(path=screenshots / "evolver.png")

    page.get_by_role("button", name="Cost").click()
    expect(page.get_by_text("Not taken: variant", exact=False)).to_be_visible(timeout=PATIENCE)
    page.screenshot(path=screenshots / "evolver-cost.png")
    page.keyboard.press("Escape")
    look_at_the_bank(workbench, store, screenshots)


def look_at_the_bank(workbench: Workbench, store: Store, screenshots: Path) -> None:
    """From what the run learned to an item, muted and unmuted, and the file of all."""
    page = workbench.page
    items = MemoryBank(store).items()
    page.get_by_role("button", name="Learned").click()
    expect(page.get_by_text("Before: not in the bank", exact=False).first).to_be_visible(timeout=PATIENCE)
    told = page.get_by_test_id("stMarkdown").get_by_text(items[0].text.splitlines()[0], exact=False)
    expect(told.first).to_be_visible()
    page.screenshot(path=screenshots / "bank-run.png")
    page.get_by_text("Items", exact=True).click()
    workbench.wait_until_idle()
    choose_row(page, 0)
    page.get_by_role("button", name="Mute", exact=True).click()
    expect(page.get_by_role("button", name="Unmute", exact=True)).to_be_visible(timeout=PATIENCE)
    page.screenshot(path=screenshots / "bank-item.png")
    assert sum(item.muted for item in MemoryBank(store).items()) == 1
    workbench.wait_until_idle()  # a file belongs to one drawing of the page
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Export").click()
    exported = json.loads(downloaded.value.path().read_text("utf-8"))
    assert {item["text"] for item in exported} == {item.text for item in items}


def choose_row(page: Page, row: int) -> None:
    """Tick a row of the first table."""
    box = page.get_by_test_id("stDataFrame").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 15, box["y"] + 31 + 28 * row + 14)


def test_three_layers_stand_above_each_other_and_the_data_flows_up(
    workbench: Workbench, store: Store, screenshots: Path
) -> None:
    page = workbench.page
    workbench.open()
    choose_team(workbench, "Layered")
    workbench.ask("What was the mean NDVI of 2021-07-22 without clouds?")
    workbench.wait_for("answered")
    board = page.locator(".team")
    expect(board.locator(".badge.taken").first).to_be_visible(timeout=PATIENCE)
    run = workbench.run
    tops = [board.get_by_text(f"Layer {layer}", exact=True).bounding_box()["y"] for layer in (3, 2, 1)]
    assert tops == sorted(tops)
    flows = board.locator(".flow p").all_inner_texts()
    assert any("SemanticSegmentor →" in flow and "ndvi ×1" in flow for flow in flows), flows
    page.screenshot(path=screenshots / "layered.png")

    page.get_by_text("Tree and steps", exact=True).click()
    page.get_by_role("combobox", name="Whose steps").click()
    page.get_by_role("option", name="Layer 2").click()
    expect(page.locator(".st-key-steps").get_by_text("calculate_batch_ndvi").first).to_be_visible()
    page.screenshot(path=screenshots / "layered-member.png")

    page.reload()
    expect(board.locator(".badge.taken").first).to_be_visible(timeout=PATIENCE)
    assert workbench.run == run
