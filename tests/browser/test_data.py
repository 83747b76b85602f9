"""Rasters come in, good ones and odd ones, large ones and folders; a role is corrected."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.server import Server
from tests.browser.workbench import PATIENCE, Workbench
from tests.rasters import write_raster

pytestmark = pytest.mark.browser


@pytest.fixture
def data_page(workbench: Workbench, request: pytest.FixtureRequest) -> Workbench:
    """The Data page of an empty workspace."""
    workbench.open()
    workbench.create_workspace(f"Data {request.node.name[-50:]}")
    workbench.go_to("Data")
    expect(workbench.page.get_by_text("The workspace is empty")).to_be_visible(timeout=PATIENCE)
    return workbench


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    return write_raster(tmp_path / "Place_NDVI_2021-07-12.tif", np.full((50, 50), 0.5, "float32"))


@pytest.mark.parametrize("way", ["through the page", "past the page"])
def test_odd_files_get_a_sentence_each_and_the_rest_is_kept(
    data_page: Workbench, scene: Path, tmp_path: Path, shared: Path, way: str
) -> None:
    (tmp_path / "empty.tif").touch()
    (tmp_path / "letter.tif").write_text("Dear analyst, this is no raster.", "utf-8")
    odd = sorted((shared / "rasters" / "odd").glob("*.tif"))
    files = [scene, tmp_path / "empty.tif", tmp_path / "letter.tif", *odd]
    page = data_page.page
    if way == "past the page":
        page.get_by_role("tab", name="Large files").click()
        page.get_by_label("Choose files of any size").set_input_files([str(path) for path in files])
    else:
        data_page.upload(files)
    told = page.get_by_test_id("stAlert")
    expect(told.get_by_text("empty.tif is empty")).to_be_visible(timeout=PATIENCE)
    expect(told.get_by_text("letter.tif is not a raster")).to_be_visible(timeout=PATIENCE)
    inputs = next(path for path in data_page_folder(data_page).iterdir() if path.name == "inputs")
    kept = {path.name for path in inputs.iterdir()}
    assert scene.name in kept and "empty.tif" not in kept and "letter.tif" not in kept
    assert page.get_by_test_id("stException").count() == 0
    for path in odd:
        assert path.name in kept or page.get_by_text(path.name).count() > 0


def data_page_folder(workbench: Workbench) -> Path:
    """Return the newest workspace of the server."""
    folders = [path for path in (workbench.home / "workspaces").iterdir() if path.is_dir()]
    return max(folders, key=lambda path: path.stat().st_ctime)


def test_a_large_file_is_streamed_past_the_page(data_page: Workbench, scene: Path) -> None:
    page = data_page.page
    page.get_by_role("tab", name="Large files").click()
    page.get_by_label("Choose files of any size").set_input_files(str(scene))
    expect(page.get_by_text("1 raster,")).to_be_visible(timeout=PATIENCE)


def test_a_folder_of_the_server_is_read_in_place(data_page: Workbench, scene: Path, server: Server) -> None:
    page = data_page.page
    page.get_by_role("tab", name="Folder on the server").click()
    field = page.get_by_label("Folder or file, read in place and never written")
    field.fill("/no/such/folder")
    page.get_by_role("button", name="Link", exact=True).click()
    expect(page.get_by_text("There is no folder")).to_be_visible(timeout=PATIENCE)
    field.fill(str(scene.parent))
    page.get_by_role("button", name="Link", exact=True).click()
    expect(page.get_by_text("1 raster,")).to_be_visible(timeout=PATIENCE)


def test_a_role_is_corrected_and_the_reason_is_the_person(data_page: Workbench, scene: Path) -> None:
    page = data_page.page
    data_page.upload([scene])
    expect(page.get_by_text("1 raster,")).to_be_visible(timeout=PATIENCE)
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 16, box["y"] + 45)
    role = page.get_by_role("combobox", name="Role")
    role.click()
    role.fill("evi2")
    page.get_by_role("option", name="evi2").first.click()
    page.get_by_role("button", name="Save correction").click()
    expect(page.get_by_text("Two-band enhanced vegetation index").first).to_be_visible(timeout=PATIENCE)
    stored = (data_page_folder(data_page) / "corrections.json").read_text("utf-8")
    assert '"evi2"' in stored


FILES = ("a_red.tif", "b_red.tif", "c_red.tif")


@pytest.fixture
def three(data_page: Workbench, tmp_path: Path) -> Path:
    """The folder of a workspace with three uploads of one role, which are listed by name."""
    files = [
        write_raster(tmp_path / name, np.full((40, 40), 0.2 + i / 5, "float32"), descriptions=["red"])
        for i, name in enumerate(FILES)
    ]
    data_page.upload(files)
    expect(data_page.page.get_by_text("3 rasters,")).to_be_visible(timeout=PATIENCE)
    data_page.wait_until_idle()
    return data_page_folder(data_page) / "inputs"


def click_row(workbench: Workbench, row: int) -> None:
    """Select a row of the catalogue by its box."""
    table = workbench.page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    workbench.page.mouse.click(box["x"] + 16, box["y"] + 45 + 28 * row)


def test_after_a_correction_the_same_file_is_selected_and_removed(
    data_page: Workbench, three: Path, screenshots: Path
) -> None:
    page = data_page.page
    click_row(data_page, 0)
    expect(page.get_by_role("button", name="Remove this file")).to_be_visible(timeout=PATIENCE)
    page.screenshot(path=screenshots / "data-selected.png")
    data_page.wait_until_settled()
    assert data_page.barriers() == []
    role = page.get_by_role("combobox", name="Role")
    role.click()
    role.fill("swir2")
    page.get_by_role("option", name="swir2").first.click()
    page.get_by_role("button", name="Save correction").click()
    expect(page.get_by_text("a_red.tif — Short-wave infrared")).to_be_visible(timeout=PATIENCE)
    data_page.wait_until_idle()
    page.screenshot(path=screenshots / "data-corrected.png")

    page.get_by_role("button", name="Remove this file").dblclick()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Remove a_red.tif from this workspace?")).to_be_visible(timeout=PATIENCE)
    page.screenshot(path=screenshots / "data-remove.png")
    assert sorted(path.name for path in three.iterdir()) == list(FILES)
    dialog.get_by_role("button", name="Remove", exact=True).dblclick()
    expect(page.get_by_text("2 rasters,")).to_be_visible(timeout=PATIENCE)
    data_page.wait_until_idle()
    assert sorted(path.name for path in three.iterdir()) == ["b_red.tif", "c_red.tif"]
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Remove this file")).to_have_count(0)

    expect(page.get_by_text("Removed: a_red.tif")).to_be_visible(timeout=PATIENCE)
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_visible(timeout=PATIENCE)
    page.screenshot(path=screenshots / "data-removed.png")
    undo.dblclick()
    expect(page.get_by_text("3 rasters,")).to_be_visible(timeout=PATIENCE)
    data_page.wait_until_idle()
    assert sorted(path.name for path in three.iterdir()) == list(FILES)
    expect(page.get_by_text("Removed: a_red.tif")).to_have_count(0)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


def test_a_removal_that_is_not_confirmed_removes_nothing(data_page: Workbench, three: Path) -> None:
    page = data_page.page
    click_row(data_page, 2)
    for keep in ("Keep", "Close", "Escape"):
        page.get_by_role("button", name="Remove this file").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_text("Remove c_red.tif from this workspace?")).to_be_visible(timeout=PATIENCE)
        if keep == "Escape":
            page.keyboard.press(keep)
        else:
            dialog.get_by_role("button", name=keep, exact=True).click()
        expect(dialog).to_have_count(0)
        data_page.wait_until_idle()
    assert sorted(path.name for path in three.iterdir()) == list(FILES)


def test_another_row_is_another_file(data_page: Workbench, three: Path) -> None:
    page = data_page.page
    for row, name in ((0, "a_red.tif"), (1, "b_red.tif"), (2, "c_red.tif")):
        click_row(data_page, row)
        preview = page.get_by_role("img", name=f"Preview of {name}")
        expect(preview).to_be_visible(timeout=PATIENCE)
    click_row(data_page, 2)
    expect(page.get_by_text("Choose a row to see the band")).to_be_visible(timeout=PATIENCE)
