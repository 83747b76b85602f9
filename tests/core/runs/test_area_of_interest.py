"""A question inside an area of interest: what numpy gives there, in every way that a run is worked on."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
import rasterio
import shapely
from pyproj import Transformer
from rasterio.features import geometry_mask

from tests.rasters import ORIGIN, UTM, write_raster
from treeline.core.cli import main
from treeline.core.lab.dry_run import explain
from treeline.core.memory.learning import source_of
from treeline.core.policies.reading_choice import AS_IT_STANDS
from treeline.core.runs.asking import ask, run_manager
from treeline.core.runs.exports.bundle import open_bundle
from treeline.core.runs.exports.forms import write_export
from treeline.core.runs.reporting import run_result
from treeline.core.workspace import Workspace
from treeline.core.workspace.area import area_of
from treeline.toolkit.errors import InputError

DATES = ("2021-06-03", "2021-07-12", "2021-08-20")
MEAN = f"What is the mean NDVI on {DATES[0]}?"
HIGHEST = "On which date was the mean NDVI highest?"
POLYGON = shapely.Polygon(
    [(ORIGIN[0] + 33, ORIGIN[1] - 41), (ORIGIN[0] + 305, ORIGIN[1] - 90), (ORIGIN[0] + 160, ORIGIN[1] - 300)]
)
AOI = f"SRID=32633;{POLYGON.wkt}"


@pytest.fixture
def rasters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    rng = np.random.default_rng(4)
    folder = tmp_path / "rasters"
    folder.mkdir()
    inside = _mask((40, 40))
    for number, date in enumerate(DATES):
        # The last date is the greenest as a whole, the first one inside.
        green = np.where(inside, 0.3 - 0.1 * number, 0.1 + 0.2 * number)
        layer = (green + rng.uniform(0, 0.05, (40, 40))).astype("float32")
        write_raster(folder / f"Lake_NDVI_{date}.tif", layer)
    return folder


def _mask(shape: tuple[int, int]) -> np.ndarray:
    transform = rasterio.transform.from_origin(*ORIGIN, 10, 10)
    return geometry_mask([POLYGON], shape, transform, invert=True)


def mean_inside(rasters: Path, date: str = DATES[0]) -> float:
    with rasterio.open(rasters / f"Lake_NDVI_{date}.tif") as dataset:
        return float(dataset.read(1)[_mask(dataset.shape)].astype("float64").mean())


def test_the_answer_is_that_of_the_pixels_inside(rasters: Path) -> None:
    found = ask(MEAN, [rasters], aoi=AOI)
    assert found.value == pytest.approx(mean_inside(rasters), rel=1e-6)
    assert found.status == "answered"
    assert found.read_as and found.read_as.endswith(
        f"inside the area of interest ({found.area_of_interest.square_kilometres:.4g} km²)"  # type: ignore[union-attr]
    )
    whole = ask(HIGHEST, [rasters])
    inner = ask(HIGHEST, [rasters], aoi=AOI)
    assert (whole.answer or "").startswith(DATES[2])
    assert (inner.answer or "").startswith(DATES[0])
    assert whole.area_of_interest is None


@pytest.mark.parametrize(
    ("beyond", "told"), [(0.0, ""), (100.0, "Part of the area"), (900.0, "Most of the area")]
)
def test_ground_without_rasters_is_said(rasters: Path, beyond: float, told: str) -> None:
    left, top = ORIGIN
    wide = f"SRID=32633;{shapely.box(left - beyond, top - 400, left + 400, top).wkt}"
    found = ask(MEAN, [rasters], aoi=wide)
    assert found.status == "answered"
    assert ("lies outside of the rasters" in (found.answer or "")) == bool(told)
    assert told in (found.answer or "")


def test_my_area_is_the_area_of_interest(rasters: Path) -> None:
    found = ask(f"What is the mean NDVI in the area of interest on {DATES[0]}?", [rasters], aoi=AOI)
    assert found.value == pytest.approx(mean_inside(rasters), rel=1e-6)
    assert (found.read_as or "").count("area of interest (") == 1


def test_a_product_has_no_data_outside(rasters: Path) -> None:
    found = ask(f"Map where NDVI > 0.3 on {DATES[0]}", [rasters], aoi=AOI)
    assert found.map
    with rasterio.open(found.map) as dataset:
        masked = np.ma.getmaskarray(dataset.read(1, masked=True))
    assert np.array_equal(~masked, _mask(masked.shape))


@pytest.mark.parametrize("team", [{"team": "evolver", "variants": 2}, {"team": "layered"}, {"rounds": 2}])
def test_members_variants_and_rounds_work_inside(rasters: Path, team: dict[str, object]) -> None:
    found = ask(MEAN, [rasters], aoi=AOI, **team)
    assert found.value == pytest.approx(mean_inside(rasters), rel=1e-6)


def test_a_follow_up_keeps_the_area_until_another_is_given(rasters: Path) -> None:
    first = ask(MEAN, [rasters], aoi=AOI)
    kept = ask(f"and on {DATES[1]}?", [rasters], after=first.run)
    assert kept.value == pytest.approx(mean_inside(rasters, DATES[1]), rel=1e-6)
    assert kept.area_of_interest == first.area_of_interest
    left = ask(f"and on {DATES[1]}?", [rasters], after=first.run, aoi="none")
    assert left.area_of_interest is None
    assert left.value != pytest.approx(kept.value)
    assert ask(f"and on {DATES[2]}?", [rasters], after=left.run).area_of_interest is None


def test_a_resumed_run_stays_inside(rasters: Path) -> None:
    manager = run_manager()
    first = ask(MEAN, [rasters], aoi=AOI, manager=manager)
    options = manager.record(first.run).options
    run = manager.store.create_run("cut", "command-line", MEAN, options) or "cut"
    for row in list(manager.store.event_rows(first.run))[:4]:
        manager.store.append("cut", row.kind, row.body)
    manager.work(run)
    assert run_result(manager.store, "cut").value == pytest.approx(mean_inside(rasters), rel=1e-6)


def test_a_script_and_a_bundle_give_the_same(rasters: Path, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    manager = run_manager()
    found = ask(MEAN, [rasters], aoi=AOI, manager=manager)
    script = tmp_path / "run.py"
    write_export(manager, found.run, "script", script, "9.9.9")
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", [str(script)])  # its arguments are other data
    runpy.run_path(str(script), run_name="__main__")
    assert repr(found.value) in capsys.readouterr().out
    write_export(manager, found.run, "bundle", tmp_path / "run.zip", "9.9.9")
    taken = run_result(manager.store, open_bundle(manager, tmp_path / "run.zip", "elsewhere"))
    assert taken.area_of_interest == found.area_of_interest
    write_export(manager, found.run, "html", tmp_path / "run.html", "9.9.9")
    assert "inside the area of interest" in (tmp_path / "run.html").read_text("utf-8")


def test_memory_knows_a_question_by_its_area(rasters: Path) -> None:
    manager = run_manager()
    instances = {
        source_of(manager.record(ask(MEAN, [rasters], manager=manager, **how).run)).instance  # type: ignore[arg-type]
        for how in ({}, {"aoi": AOI}, {"aoi": "15,46,15.003,46.054"})
    }
    assert len(instances) == 3


def test_the_context_tells_the_area(rasters: Path) -> None:
    manager = run_manager()
    found = ask(MEAN, [rasters], aoi=AOI, manager=manager)
    body = json.loads(next(iter(manager.store.event_rows(found.run))).body)
    assert "a pixel whose centre lies outside has no data" in body["context"]["area"]


def test_explain_reads_inside(rasters: Path, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "own", [rasters])
    explanation = explain(MEAN, workspace, AS_IT_STANDS, area_of(AOI, workspace)).to_json()
    assert "inside the area of interest" in explanation["readings"][0]["read_as"]
    assert explanation["plan"]
    assert explanation["area_of_interest"]["crs"] == UTM


def test_the_command_line_takes_a_box_with_a_minus_and_refuses_in_a_sentence(rasters: Path, capsys) -> None:
    way = Transformer.from_crs(UTM, "EPSG:4326", always_xy=True)
    bounds = way.transform_bounds(*POLYGON.bounds)
    box = ",".join(map(str, bounds))
    given = ["ask", MEAN, "--data", str(rasters), "--json", "--aoi"]
    assert main([*given, box]) == 0
    assert json.loads(capsys.readouterr().out)["area_of_interest"]["name"] == "a box"
    assert main([*given, "-10.5,3,-9,4"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]["message"]
    assert "outside of the rasters" in error
    assert main(["ask", MEAN, "--data", str(rasters), "--aoi", box]) == 0
    assert "taken in longitude and latitude (EPSG:4326)" in capsys.readouterr().out


def test_the_benchmarks_own_formulas_have_no_area(rasters: Path) -> None:
    with pytest.raises(InputError, match="earth_bench reads whole rasters"):
        ask(MEAN, [rasters], aoi=AOI, profile="earth_bench")


def test_a_call_works_inside(rasters: Path, tmp_path: Path, capsys) -> None:
    arguments = json.dumps({"file_list": [f"Lake_NDVI_{DATES[0]}.tif"]})
    given = ["call", "calc_batch_image_mean", "--arguments", arguments, "--data", str(rasters)]
    assert main([*given, "--out", str(tmp_path / "out"), "--json", "--aoi", AOI]) == 0
    assert json.loads(capsys.readouterr().out)["result"] == pytest.approx([mean_inside(rasters)], rel=1e-6)
