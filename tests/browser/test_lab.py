"""The Lab page in a browser: a benchmark is started, watched, stopped, resumed and looked at."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.workbench import PATIENCE, Workbench

# Enough that a fast machine is still at work when Stop is pressed.
COUNT = 60


@pytest.fixture
def questions(tmp_path):
    """A file of questions of three modalities."""
    modalities = ("spectrum", "products", "rgb")
    last = ("mean", *["calc_batch_image_mean"] * 3)
    lines = [
        {
            "id": n,
            "modality": modalities[n % 3],
            "auto_planning": "What is the mean NDVI on 2021-06-01?",
            "files": ["Lake_2021-06-01_NDVI.tif"],
            "ground_truth": [{"tool": "get_filelist"}, {"tool": last[n % 4]}],
        }
        for n in range(COUNT)
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    return file


def test_a_bench_is_started_stopped_resumed_and_read(workbench: Workbench, screenshots, store, questions):
    page = workbench.page
    workbench.open("/lab")
    page.get_by_role("button", name="Upload").click()
    page.get_by_test_id("stPopoverBody").locator("input[type=file]").set_input_files(str(questions))
    start = page.get_by_role("button", name="Start", exact=True)
    expect(start).to_be_enabled(timeout=PATIENCE)
    page.keyboard.press("Escape")
    start.click()
    stop = page.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_enabled(timeout=PATIENCE)
    expect(page.get_by_text(re.compile(rf"^[1-9]\d* of {COUNT} done"))).to_be_visible(timeout=PATIENCE)
    top = stop.bounding_box()
    stop.click()
    resume = page.get_by_role("button", name="Resume", exact=True)
    expect(resume).to_be_enabled(timeout=PATIENCE)
    assert stop.bounding_box() == top, "the page jumped"
    run = page.url.split("bench=")[1]
    assert store.run(run).status == "stopped"

    done = page.get_by_text(re.compile(rf"^[1-9]\d* of {COUNT} done"))
    before = done.inner_text()
    resume.click()
    expect(stop).to_be_enabled(timeout=PATIENCE)
    expect(page.get_by_text(before, exact=True)).to_be_hidden(timeout=PATIENCE)
    page.reload()
    expect(page.get_by_text(f"{COUNT} of {COUNT} done")).to_be_visible(timeout=4 * PATIENCE)
    chart = page.locator('[data-testid="stEChartsChart"] svg').first
    expect(chart.get_by_text("spectrum", exact=True)).to_be_visible(timeout=PATIENCE)
    workbench.wait_until_settled()
    page.screenshot(path=screenshots / "lab.png")
    page.get_by_role("tab", name="Failures").click()
    workbench.wait_until_settled()
    page.screenshot(path=screenshots / "lab-failures.png")
    page.get_by_role("tab", name="Results").click()

    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
        page.get_by_role("button", name="Report, JSON").click()
    kept = questions.with_name("report.json")
    download.value.save_as(kept)
    report = json.loads(kept.read_text())
    assert report["metrics"]["tool_exact_match"] == pytest.approx(1 - 0.5 / 4)
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Compare").click()
    page.locator("input[type=file]").last.set_input_files(str(kept))
    expect(page.get_by_text(f"Better in 0, worse in 0, equal in {COUNT}")).to_be_visible(timeout=PATIENCE)
    workbench.wait_until_settled()
    page.screenshot(path=screenshots / "lab-compare.png")
