"""A failure is followed to its fix in the browser: asked in rounds, looked at, edited, deleted, restored."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.workbench import PATIENCE, Workbench
from tests.core.memory import scenes
from tests.core.memory.test_rounds_planner import THERMAL
from treeline.core.memory.failure import FailureMemory
from treeline.core.record.store import Store

pytestmark = pytest.mark.browser


def test_follow_a_failure_to_its_fix(
    workbench: Workbench, store: Store, tmp_path: Path, screenshots: Path
) -> None:
    page = workbench.page
    scenes.spoilt_thermal(tmp_path)
    workbench.open()
    workbench.create_workspace("Thermal")
    workbench.go_to("Data")
    workbench.upload(sorted(tmp_path.glob("*.tif")))
    expect(page.get_by_text("4 rasters", exact=False).first).to_be_visible(timeout=PATIENCE)
    workbench.go_to("Workbench")
    expect(page.get_by_label("Question")).to_be_visible(timeout=PATIENCE)
    page.get_by_text("Disclosure and budget").click()
    rounds = page.get_by_label("Rounds", exact=True)
    rounds.fill("3")
    rounds.press("Tab")
    workbench.wait_until_settled()
    workbench.ask(THERMAL)
    expect(page.get_by_role("radio", name="Round 2 ✓")).to_be_visible(timeout=PATIENCE)
    workbench.wait_for("Answered")
    page.screenshot(path=screenshots / "rounds.png")

    page.get_by_role("radio", name="Round 1 ✕").click()
    page.get_by_role("button", name="What was learned").click()
    expect(page.get_by_text("Make lst another way", exact=False).first).to_be_visible(timeout=PATIENCE)
    workbench.wait_until_settled()
    page.screenshot(path=screenshots / "memory-reflection.png")
    page.get_by_role("tab", name="What changed").click()
    expect(page.get_by_text("steps differ", exact=False)).to_be_visible()
    workbench.wait_until_settled()
    page.screenshot(path=screenshots / "memory-changed.png")
    page.get_by_role("tab", name="Trace").click()
    expect(page.get_by_text("times shorter", exact=False)).to_be_visible()
    page.screenshot(path=screenshots / "memory-trace.png")

    (entry,) = FailureMemory(store).entries()
    page.get_by_role("tab", name="Edit").click()
    page.get_by_label("Reflection", exact=True).fill("Mind the emissivity.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Version 1")).to_be_visible(timeout=PATIENCE)
    assert FailureMemory(store).get(entry.id).lesson.text == "Mind the emissivity."
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("The entry was deleted")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0, timeout=PATIENCE)
    assert [found.id for found in FailureMemory(store).entries()] == [entry.id]
    page.get_by_role("tab", name="By round").click()
    workbench.wait_until_settled()
    page.screenshot(path=screenshots / "memory-by-round.png")
