"""A person at a run, in a browser: clicks on the tree, approval, a lesson by keyboard."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.workbench import PATIENCE, Workbench
from treeline.core.engine.actions import Call
from treeline.core.engine.journal import recorded_state
from treeline.core.record.store import Store
from treeline.core.runs.lessons.shipped_lessons import ready_lessons


def test_a_person_opens_and_reads_by_clicks_on_the_tree(workbench: Workbench, store: Store) -> None:
    page = workbench.page
    workbench.open()
    page.get_by_text("Person (you choose)").click()
    workbench.wait_until_idle()
    workbench.ask("What is the mean NDVI of each date?")
    expect(page.get_by_text("Step 1: what next?")).to_be_visible(timeout=PATIENCE)
    tree = page.locator('[data-testid="stEChartsChart"] svg').first
    workbench.click_in_chart(tree.get_by_text("Index", exact=True), page.get_by_text("Step 2: what next?"))
    named = tree.get_by_text("calculate_batch_ndvi", exact=True)
    workbench.click_in_chart(named, page.get_by_text("Step 3: what next?"))
    run = workbench.run
    assert [step.action.kind for step in recorded_state(store, run).steps] == ["skill", "doc"]
    page.get_by_role("button", name="Stop", exact=True).click()
    workbench.wait_for("stopped")


def test_a_plan_is_taken_step_by_step_and_calls_are_approved_edited_denied_and_remembered(
    workbench: Workbench, store: Store, screenshots: Path
) -> None:
    page = workbench.page
    workbench.open("/?workspace=demo")
    choose(workbench, "Ask me before", "The plan")
    workbench.ask("What is the mean NDWI of each date, clouds masked?")
    expect(page.get_by_text("The plan, before anything is called")).to_be_visible(timeout=PATIENCE)
    page.screenshot(path=screenshots / "plan.png")
    page.get_by_role("button", name="Step by step").click()
    expect(page.get_by_text("would call apply_cloud_mask")).to_be_visible(timeout=PATIENCE)
    workbench.wait_until_idle()
    expect(page.get_by_role("button", name="Approve", exact=True)).to_be_in_viewport()
    page.get_by_role("button", name="Always here").click()
    expect(page.get_by_text("would call calculate_batch_ndwi")).to_be_visible(timeout=PATIENCE)
    workbench.wait_until_idle()
    page.screenshot(path=screenshots / "approve.png")
    assert workbench.barriers() == []
    page.get_by_text("Edit the call").click()
    written = page.get_by_role("textbox", name="Write to: Normalised difference water index")
    named = [name.replace("ndwi", "mine") for name in written.input_value().split(", ")]
    written.fill(", ".join(named))
    # The form grows with what it says of the text; a button that moves under the pointer is not clicked.
    written.press("Tab")
    workbench.wait_until_idle()
    page.get_by_role("button", name="Change the call").click()
    expect(page.get_by_text("You changed output_paths")).to_be_visible(timeout=PATIENCE)
    # What is typed into a list counts, whether it is left by Tab or by a click.
    files = page.locator(".st-key-proposal").get_by_role("combobox").first
    files.fill("@nothing_such")
    files.press("Tab")
    expect(files).to_have_value("@nothing_such")
    page.get_by_role("button", name="Change the call").click()
    expect(page.get_by_text("There is no collection '@nothing_such'.", exact=False)).to_be_visible()
    files.fill("@nothing_else")
    # While the list is open all else is hidden from who asks for roles.
    page.locator("button", has_text="Change the call").click()
    expect(page.get_by_text("There is no collection '@nothing_else'.", exact=False)).to_be_visible()
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.get_by_text("would call calc_batch_image_mean")).to_be_visible(timeout=PATIENCE)
    page.get_by_label("Reason").fill("not these")
    page.get_by_role("button", name="Deny").click()
    workbench.wait_for("cannot be answered")
    steps = [step for step in recorded_state(store, workbench.run).steps if isinstance(step.action, Call)]
    assert steps[-2].action.arguments["output_paths"] == named
    assert "not these" in steps[-1].observation.text
    choose(workbench, "Ask me before", "Each call")
    expect(page.get_by_text("Not asked about here: apply_cloud_mask")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Ask about them again").click()
    expect(page.get_by_text("Not asked about here")).to_have_count(0)


def choose(workbench: Workbench, label: str, option: str) -> None:
    """Choose an option of a field of the sidebar."""
    workbench.page.get_by_role("combobox", name=label).click()
    workbench.page.get_by_role("option", name=option, exact=True).click()
    workbench.wait_until_idle()


def test_a_lesson_is_played_to_its_end_by_keyboard(workbench: Workbench) -> None:
    page = workbench.page
    workbench.open("/lessons")
    page.get_by_role("button", name="Play").first.click()
    lesson = next(iter(ready_lessons().values()))
    count = len(lesson.steps)
    expect(page.get_by_text(f"Step 1 of {count}", exact=False)).to_be_visible(timeout=PATIENCE)
    press(workbench, "h", lesson.steps[0].hint)
    for step in range(2, count + 1):
        press(workbench, "ArrowRight", f"Step {step} of {count}")
    press(workbench, "ArrowRight", f"of {count} points")
    page.get_by_role("button", name="All lessons").click()
    expect(page.get_by_text("Open a lesson from a file")).to_be_visible(timeout=PATIENCE)
    assert "lesson=" not in page.url


def press(workbench: Workbench, key: str, text: str) -> None:
    """Press a key until a text is there: a key that comes while the page is drawn is lost."""
    page = workbench.page
    expected = page.get_by_text(text, exact=False).first
    for _ in range(3):
        workbench.wait_until_idle()
        page.keyboard.press(key)
        try:
            expect(expected).to_be_visible(timeout=PATIENCE / 2)
            return
        except AssertionError:
            continue
    expect(expected).to_be_visible(timeout=PATIENCE)
