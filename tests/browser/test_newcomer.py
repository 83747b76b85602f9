"""What a newcomer does: upload, look, ask, watch, read the answer; close the tab and come back; stop."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import rasterio
from playwright.sync_api import Browser, expect
from rasterio.warp import transform
from rio_tiler.colormap import cmap

from tests.browser.conftest import SIZE
from tests.browser.server import Server
from tests.browser.workbench import PATIENCE, Workbench
from tests.endpoint import Hang, ScriptedEndpoint, use
from treeline.core.engine.actions import Call, Doc, Skill
from treeline.core.engine.journal import recorded_state
from treeline.core.record.store import Store

pytestmark = pytest.mark.browser
QUESTION = "What is the mean NDVI of each date?"
NDVI_RANGE = (-0.2, 0.9)


@pytest.fixture(scope="module")
def scenes(shared: Path) -> list[Path]:
    return sorted((shared / "rasters" / "slovenia_sentinel2" / "scenes").glob("*.tif"))


def ndvi_of(scene: Path) -> np.ndarray:
    """Return NDVI from the band descriptions of a scene, in plain numpy."""
    with rasterio.open(scene) as dataset:
        names = [str(text) for text in dataset.descriptions]
        red, nir = (dataset.read(names.index(name) + 1).astype("float64") for name in ("B04", "B08"))
    return (nir - red) / (nir + red)


def calm_place(scene: Path) -> tuple[float, float, float]:
    """Return latitude, longitude and NDVI of a pixel whose surroundings are like it."""
    values = ndvi_of(scene)
    windows = np.lib.stride_tricks.sliding_window_view(values, (5, 5))
    spread = windows.max(axis=(2, 3)) - windows.min(axis=(2, 3))
    row, column = (int(i) + 2 for i in np.unravel_index(spread.argmin(), spread.shape))
    with rasterio.open(scene) as dataset:
        x, y = dataset.xy(row, column)
        (longitude,), (latitude,) = transform(dataset.crs, "EPSG:4326", [x], [y])
    return latitude, longitude, float(values[row, column])


def expected_colour(value: float) -> np.ndarray:
    low, high = NDVI_RANGE
    return np.array(cmap.get("rdylgn")[round((value - low) / (high - low) * 255)][:3])


def test_upload_ask_and_read_the_answer(
    workbench: Workbench, store: Store, scenes: list[Path], screenshots: Path
) -> None:
    workbench.open()
    workbench.create_workspace("Slovenian scenes")
    workbench.go_to("Data")
    workbench.upload(scenes)
    expect(workbench.page.get_by_text(f"{len(scenes)} rasters")).to_be_visible(timeout=PATIENCE)
    workbench.page.screenshot(path=screenshots / "data.png")

    workbench.go_to("Workbench")
    workbench.wait_for_tiles()
    workbench.ask(QUESTION)
    workbench.wait_for("answered")
    steps = recorded_state(store, workbench.run).steps
    last = [s.action.tool for s in steps if isinstance(s.action, Doc | Call)][-1]
    workbench.wait_until(lambda: last in {label.split(" ")[0] for label in workbench.tree_labels()}, last)
    workbench.wait_until_settled()
    check_tree(workbench.tree_labels(), steps)
    check_answer(workbench, scenes)
    check_map(workbench, scenes[-1])
    workbench.page.screenshot(path=screenshots / "workbench.png")


def check_tree(labels: list[str], steps) -> None:
    """The branches that are open are those that the events opened, and no other."""
    opened = {s.action.kit for s in steps if isinstance(s.action, Skill) and s.observation.is_success}
    tools = {s.action.tool for s in steps if isinstance(s.action, Doc | Call)}
    assert opened and tools
    shown = {label.split(" ")[0] for label in labels}
    assert tools <= shown
    assert sum(label.endswith("more") for label in labels) == len(opened)
    kits = {label.split(" (")[0] for label in labels if label.endswith(")")}
    assert opened <= kits
    known = tools | kits | {"skills"}
    assert {name for name in shown if not name.startswith("+")} - {k.split(" ")[0] for k in known} == set()


def check_answer(workbench: Workbench, scenes: list[Path]) -> None:
    """The numbers of the answer are those of ten lines of numpy."""
    text = workbench.page.locator(".st-key-answer").inner_text()
    for scene in scenes:
        date = scene.stem.rsplit("_", 1)[1]
        found = re.search(rf"{date}\s+(-?\d+\.\d+)", text)
        assert found is not None, text
        shown = float(found[1])
        assert shown == pytest.approx(float(np.nanmean(ndvi_of(scene))), abs=1e-3)


def check_map(workbench: Workbench, newest: Path) -> None:
    """The newest product is on the map, and a place on the screen has the colour of its value."""
    loaded = workbench.map.locator('img.leaflet-tile-loaded[src*="colormap=rdylgn"]')
    expect(loaded.first).to_be_attached(timeout=PATIENCE)
    workbench.wait_for_tiles()
    addresses = workbench.tile_addresses()
    assert addresses and all("colormap=rdylgn" in address for address in addresses), addresses
    latitude, longitude, value = calm_place(newest)
    shown = np.array(workbench.colour_at(latitude, longitude))
    assert np.abs(shown - expected_colour(value)).max() <= 12


def test_tree_steps_and_map_select_each_other(workbench: Workbench, store: Store, scenes: list[Path]) -> None:
    run = store.runs()[0].id
    workbench.open(f"/?run={run}")
    workbench.wait_for_tiles()
    page = workbench.page
    page.locator("svg text", has_text="calculate_batch_ndvi").first.click()
    steps = page.locator(".st-key-steps")
    expect(steps.get_by_text("output_paths").first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="calc_batch_image_mean").first.click()
    expect(steps.get_by_text("file_list").first).to_be_visible(timeout=PATIENCE)
    # A kit has no raster: its step, the first one and the last in the list, is scrolled to, the map stays.
    layer = page.get_by_role("combobox", name="Layer").input_value()
    page.locator("svg text", has_text="Statistics (").first.click()
    expect(steps.get_by_text("skill Statistics")).to_be_in_viewport(timeout=PATIENCE)
    assert page.get_by_role("combobox", name="Layer").input_value() == layer
    # The same by keyboard: the tree is one stop, in which arrows go from node to node.
    workbench.wait_until_settled()
    tree = page.locator(".st-key-tree-keys-box").get_by_role("tree")
    tree.press("Home")
    tree.press("Enter")
    expect(steps.get_by_text("skill Index")).to_be_in_viewport(timeout=PATIENCE)
    workbench.wait_until_settled()
    tree.press("ArrowDown")
    tree.press("Enter")
    expect(steps.get_by_text("output_paths").first).to_be_visible(timeout=PATIENCE)
    page.locator("svg text", has_text="more").first.click()
    expect(page.locator("svg text", has_text="show fewer").first).to_be_attached(timeout=PATIENCE)


def test_the_value_under_the_pointer_is_shown(workbench: Workbench, store: Store, scenes: list[Path]) -> None:
    workbench.open(f"/?run={store.runs()[0].id}")
    workbench.wait_for_tiles()
    box = workbench.page.locator("iframe").first.bounding_box()
    assert box is not None
    workbench.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    readout = workbench.map.locator(".treeline-value")
    expect(readout).to_contain_text(" at 4", timeout=PATIENCE)
    assert -1.0 <= float(readout.inner_text().split()[0]) <= 1.0


def test_a_base_map_is_fetched_only_when_it_is_chosen(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport=SIZE)
    page = context.new_page()
    asked: list[str] = []
    page.route(re.compile(r"^https://"), lambda route: (asked.append(route.request.url), route.abort()))
    workbench = Workbench(page, server.url)
    workbench.open()
    workbench.wait_for_tiles()
    assert asked == []
    page.get_by_role("button", name="Base").click()
    page.get_by_text("Streets (OpenStreetMap)").click()
    workbench.wait_until(lambda: bool(asked), "a tile of the base map")
    page.wait_for_timeout(1_000)
    assert all(address.startswith("https://tile.openstreetmap.org/") for address in asked)
    context.close()


def test_a_live_run_is_found_again_and_can_be_stopped(workbench: Workbench, store: Store) -> None:
    page = workbench.page
    with ScriptedEndpoint([use("skill", kit="Index", thought="I look at the indices."), Hang()]) as endpoint:
        workbench.open()
        workbench.choose_language(endpoint.url)
        workbench.ask("How green is it?")
        workbench.wait_for("running")
        expect(page.locator("svg text", has_text="more").first).to_be_attached(timeout=PATIENCE)
        run = workbench.run

        page.reload()
        workbench.wait_for("running")
        assert workbench.run == run
        expect(page.locator("svg text", has_text="more").first).to_be_attached(timeout=PATIENCE)

        page.get_by_role("button", name="Stop", exact=True).click()
        workbench.wait_for("stopped")
        workbench.forget_language()
    record = store.run(run)
    assert record is not None and record.status == "stopped"


def test_a_run_that_used_up_its_steps_is_watched_as_it_goes_on(workbench: Workbench) -> None:
    page = workbench.page
    workbench.open()
    page.get_by_text("Disclosure and budget").click()
    steps = page.get_by_label("Steps", exact=True)
    steps.fill("3")
    steps.press("Enter")
    workbench.wait_until_settled()
    workbench.ask(QUESTION)
    page.get_by_role("button", name="Go on with 3 more steps").click()
    told = page.locator(".st-key-answer").get_by_text("The budget of 6 steps is used up.")
    expect(told).to_be_visible(timeout=PATIENCE)


def test_a_killed_server_leaves_a_run_that_resumes(
    browser: Browser, tmp_path: Path, scenes: list[Path]
) -> None:
    inputs = tmp_path / "workspaces" / "demo" / "inputs"
    inputs.mkdir(parents=True)
    shutil.copy(scenes[0], inputs)
    guess = use("answer", text="All is green.", value=None)
    script = [use("skill", kit="Index"), Hang(), guess, guess]
    with ScriptedEndpoint(script) as endpoint, Server(tmp_path) as server:
        workbench = Workbench(browser.new_page(viewport=SIZE), server.url)
        workbench.open()
        workbench.choose_language(endpoint.url)
        workbench.ask("How green is it?")
        workbench.wait_for("running")
        expect(workbench.page.locator("svg text", has_text="more").first).to_be_attached(timeout=PATIENCE)
        run = workbench.run
        # The tree opens before the next request is sent; killed in between, the script would be one behind.
        try:
            endpoint.wait_for_requests(2)
        except AssertionError as error:
            shown = workbench.page.locator("main").inner_text()
            raise AssertionError(f"{error}\n{shown}\n{server.log.read_text()[-4000:]}") from error
        server.end(killed=True)

        server.start()
        workbench.open(f"/?run={run}")
        workbench.wait_for("interrupted")
        workbench.choose_language(endpoint.url)
        workbench.page.get_by_role("button", name="Resume", exact=True).click()
        workbench.wait_for("unverified")
        expect(workbench.page.locator(".st-key-answer")).to_contain_text("All is green")
        workbench.page.close()


def test_the_keyboard_begins_at_the_question_and_the_answer_is_told(workbench: Workbench) -> None:
    page = workbench.page
    workbench.open("/?workspace=demo")
    expect(page.get_by_label("Question", exact=True)).to_be_focused(timeout=PATIENCE)
    names = []
    for _ in range(3):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.textContent"))
    assert [word for word in ("Ask", "Examples", "Options") for name in names if word in name] == [
        "Ask",
        "Examples",
        "Options",
    ]
    page.get_by_label("Question", exact=True).fill("What is the mean NDWI of each date, clouds masked?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="answered: ")).to_contain_text(
        "2021-04-12", timeout=PATIENCE
    )
    assert workbench.barriers() == []


def test_a_first_question_is_one_click_and_a_problem_moves_nothing(workbench: Workbench) -> None:
    page = workbench.page
    page.set_viewport_size({"width": 1024, "height": 768})
    workbench.open("/?workspace=demo")
    page.locator("[class*='st-key-first-0'] button").click()
    workbench.wait_for("answered")
    expect(page.locator("[class*='st-key-part-statistic'] button").first).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Series for Excel, CSV").click()
    assert download.value.path().read_text("utf-8").startswith("date,value\n2021-04-12,0.6")
    page.keyboard.press("Escape")
    workbench.wait_until_idle()
    before = page.locator(".st-key-ask-row").bounding_box()
    assert before is not None and before["y"] + before["height"] <= 768
    page.get_by_text("Language model", exact=True).click()
    workbench.forget_language()
    workbench.wait_until_idle()
    workbench.ask("How green is it?")
    expect(page.locator(".st-key-problems").get_by_text("No language model is named")).to_be_visible()
    assert page.locator(".st-key-ask-row").bounding_box() == before


def test_a_double_press_asks_once_and_shows_the_run(workbench: Workbench, store: Store) -> None:
    page = workbench.page
    workbench.open("/?workspace=demo")
    before = len(store.runs())
    page.get_by_label("Question").fill("How green is it?")
    page.get_by_label("Question").press("Tab")
    workbench.wait_until_idle()
    page.get_by_role("button", name="Ask", exact=True).dblclick()
    workbench.wait_until_settled()
    assert len(store.runs()) == before + 1
    assert workbench.run == store.runs()[0].id

    # However long a question is, what is answered to it is in sight.
    workbench.ask("asdf " * 400)
    expect(page.locator(".st-key-answer").get_by_text("I do not know").first).to_be_in_viewport()
    workbench.wait_until_settled()
    page.go_back()
    expect(page.locator(".st-key-answer")).to_contain_text("How green is it?")

    # The way back stops at pages and at runs, not at what was selected, and forward is kept.
    workbench.go_to("Runs")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    workbench.wait_until_settled()
    assert "listed-run" not in page.url
    words = page.get_by_placeholder("Search questions")
    words.fill("how green")
    expect(page).to_have_url(re.compile("history-search"))
    workbench.wait_until_settled()
    page.get_by_test_id("stDataFrame").click(position={"x": 16, "y": 42})
    page.get_by_role("button", name="Open on the Workbench").click()
    expect(page.locator(".st-key-answer")).to_contain_text("How green is it?")
    page.go_back()
    expect(page.get_by_role("button", name="Open on the Workbench")).to_be_visible()
    workbench.wait_until_settled()
    assert "/runs?" in page.url and "&run=" not in page.url and "?run=" not in page.url
    expect(words).to_have_value("how green")
    page.go_forward()
    expect(page.locator(".st-key-answer")).to_contain_text("How green is it?")
    assert workbench.run == store.runs()[0].id
