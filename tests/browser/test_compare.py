"""The Compare page in a browser: two strategies at the same time."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.browser.workbench import PATIENCE, Workbench


def test_two_strategies_side_by_side(workbench: Workbench, screenshots, store):
    page = workbench.page
    workbench.open("/compare")
    field = page.get_by_label("Question", exact=True)
    field.fill("What is the mean NDVI of each date, clouds masked?")
    field.press("Tab")
    remove = page.get_by_role("button", name="Remove flat")
    removal = remove.or_(page.locator("[aria-label='Remove flat']"))
    removal.first.click()
    expect(removal).to_have_count(0)
    workbench.wait_until_idle()
    page.get_by_role("button", name="Compare", exact=True).click()
    cards = page.locator("[class*='st-key-compared-']")
    expect(cards).to_have_count(2, timeout=PATIENCE)
    for card in (cards.nth(0), cards.nth(1)):
        expect(card.get_by_text("answered")).to_be_visible(timeout=PATIENCE)
        expect(card.get_by_text("NDVI", exact=False).first).to_be_visible()
        expect(card.locator("svg text").first).to_be_visible()
    runs = [store.run(run) for run in page.url.split("runs=")[1].replace("%2C", ",").split(",")]
    assert [run.options["disclosure"] for run in runs] == ["progressive", "adaptive"]
    assert runs[1].created < runs[0].updated, "they did not run at the same time"
    workbench.wait_until_settled()
    page.screenshot(path=screenshots / "compare.png", full_page=True)

    question = {"id": 1, "auto_planning": "What is the mean NDVI of each date, clouds masked?"}
    calls = [{"tool": name, "arguments": {}} for name in ("get_filelist", "calc_batch_image_mean")]
    content = json.dumps({**question, "ground_truth": calls}).encode()
    page.get_by_role("button", name="More").click()
    file = {"name": "questions.jsonl", "mimeType": "application/json", "buffer": content}
    page.locator("input[type=file]").set_input_files(file)
    expect(cards.nth(0).locator(".stMarkdownBadge", has_text="calc_batch_image_mean")).to_be_visible()
    page.screenshot(path=screenshots / "compare-expert.png")

    page.reload()
    expect(cards).to_have_count(2, timeout=PATIENCE)


def test_the_context_of_a_run_unfolds_on_the_workbench(workbench: Workbench, screenshots):
    workbench.open()
    workbench.ask("What is the mean NDVI of each date, clouds masked?")
    workbench.wait_for("answered")
    workbench.page.get_by_role("button", name="Context").click()
    expect(workbench.page.get_by_text("what a language model would have been sent")).to_be_visible()
    workbench.wait_until_settled()
    workbench.page.screenshot(path=screenshots / "context.png")
