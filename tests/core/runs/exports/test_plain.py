"""A run in rasterio and numpy alone: the same numbers, and what cannot be said is named."""

from __future__ import annotations

import contextlib
import io
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
import rasterio
from rasterio.enums import ColorInterp

from tests.core.engine.test_loop import ScriptedPolicy
from tests.rasters import write_raster
from treeline.core.engine.actions import Answer, Call, Decision
from treeline.core.runs.asking import ask, run_manager
from treeline.core.runs.exports.forms import write_export
from treeline.core.runs.exports.plain.helpers import compare_raster, keep
from treeline.core.runs.exports.plain.helpers import read as read_band
from treeline.core.runs.names import COMMAND_LINE
from treeline.core.runs.options import RunOptions
from treeline.core.runs.places import workspace_of
from treeline.core.runs.result import RunResult
from treeline.core.workspace.library import WorkspaceLibrary
from treeline.toolkit.errors import InputError
from treeline.toolkit.recognition import Correction

pytestmark = pytest.mark.sample(2)

DATES = ("2021-06-03", "2021-07-12", "2021-08-20")
SIDE = 30


@pytest.fixture
def rasters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Red and near infrared as scaled whole numbers, with holes, and a mask of clouds, of three dates."""
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    rng = np.random.default_rng(8)
    folder = tmp_path / "rasters"
    folder.mkdir()
    for number, date in enumerate(DATES):
        bands = rng.integers(400, 900, (2, SIDE, SIDE))
        bands[1] += 1500 + 300 * number
        bands[:, :2, :5] = 0
        write_raster(
            folder / f"Lake_{date}.tif",
            bands.astype("uint16"),
            descriptions=["red", "nir"],
            nodata=0,
            scale=0.0001,
        )
        clouds = (rng.uniform(size=(SIDE, SIDE)) < 0.2 * number).astype("uint8")
        write_raster(folder / f"Lake_CLM_{date}.tif", clouds, descriptions=["cloud_mask"])
    return folder


def test_a_run_of_the_pages_is_written_with_the_folders_that_they_link(rasters: Path, tmp_path: Path):
    library = WorkspaceLibrary(tmp_path / "home" / "workspaces")
    name = library.create("Lake")
    library.link(name, str(rasters))
    assert workspace_of(name).sources == (rasters,)


def test_a_script_leaves_out_what_an_alpha_band_leaves_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    values = np.random.default_rng(4).uniform(-0.1, 0.9, (2, SIDE, SIDE)).astype("float32")
    values[1] = 1
    values[1, :7] = 0
    (tmp_path / "rasters").mkdir()
    path = write_raster(
        tmp_path / "rasters" / "Lake_NDVI_2021-06-03.tif", values, descriptions=["ndvi", "alpha"]
    )
    with rasterio.open(path, "r+") as dataset:
        dataset.colorinterp = [ColorInterp.gray, ColorInterp.alpha]
    result = ask("What is the mean NDVI?", [path.parent])
    assert result.value == pytest.approx(values[0, 7:].mean(), rel=1e-5)
    printed = run_script(script_of(result, tmp_path), path.parent, monkeypatch=monkeypatch)
    assert "(as in the run)" in printed


def script_of(result: RunResult, tmp_path: Path) -> Path:
    # What is asked back has been worked out in each of its ways.
    assert result.status in ("answered", "asks"), result.reason or result.answer
    target = tmp_path / "elsewhere" / "run.py"
    write_export(run_manager(), result.run, "plain", target, "9.9.9")
    return target


def run_script(script: Path, *roots: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what a script prints; it has to do without Treeline."""
    text = script.read_text("utf-8")
    assert "from treeline" not in text and "import treeline" not in text
    monkeypatch.setattr(sys, "argv", [str(script), *map(str, roots)])
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        runpy.run_path(str(script))
    return shown.getvalue()


@pytest.mark.parametrize(
    "question",
    [
        "On which date is the mean NDVI highest, clouds masked?",
        "By how much did the mean NDVI change from 2021-06-03 to 2021-08-20?",
        "Map the difference in NDVI between 2021-06-03 and 2021-07-12",
        "What percentage of the pixels has NDVI above 0.5 on 2021-07-12?",
        "Standard deviation of near infrared reflectance on each date",
        "Median NDVI on 2021-06-03",
        "Map the mean NDVI over all dates, clouds masked",
        "Map where NDVI was at least 0.5 on 2021-07-12",
        "Map where NDVI was above 0.5 and red below 0.07 on 2021-07-12",
    ],
)
def test_the_numbers_are_those_of_the_run(
    rasters: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    told = run_script(script_of(ask(question, [rasters]), tmp_path), monkeypatch=monkeypatch)
    assert "(as in the run)" in told
    assert "NOT AS IN THE RUN" not in told and "Not expressed" not in told, told


def test_a_threshold_may_be_the_result_of_a_step_or_a_text(
    rasters: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    red = f"{rasters / 'Lake_2021-06-03.tif'}#red"
    actions = (
        Call("image_statistics", {"file_list": [red], "statistic": "mean"}),
        Call("mean", {"x": "@result1"}),
        Call("calculate_threshold_ratio", {"image_paths": red, "threshold": "@result2"}),
        Call(
            "keep_where",
            {"image_path": red, "condition_path": red, "threshold": "0.06", "output_path": "a.tif"},
        ),
        Answer("About half.", evidence=(3,)),
    )
    manager = run_manager()
    options = RunOptions(data=(str(rasters),), disclosure="flat")
    policy = ScriptedPolicy(*map(Decision, actions))
    run = manager.play(COMMAND_LINE, "What share lies above the mean?", options, policy)
    manager.wait(run)
    script = tmp_path / "run.py"
    write_export(manager, run, "plain", script, "9.9.9")
    assert "> step_2" in script.read_text("utf-8")
    assert run_script(script, monkeypatch=monkeypatch).count("(as in the run)") == 4


def test_it_runs_on_the_rasters_elsewhere_inside_the_area(
    rasters: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ask("Mean NDVI on 2021-06-03", [rasters])
    box = "POLYGON ((500050 5099950, 500200 5099950, 500120 5099800, 500050 5099950))"
    part = ask("Mean NDVI on 2021-06-03", [rasters], aoi=f"SRID=32633;{box}")
    assert part.value is not None and part.value != whole.value
    script = script_of(part, tmp_path)
    told = run_script(script, rasters.rename(tmp_path / "moved"), monkeypatch=monkeypatch)
    assert f"{part.value:.9f}"[:8] in told and "NOT AS IN THE RUN" not in told


def test_what_it_cannot_say_is_named_and_taken_from_the_run(
    rasters: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ask("Is there a trend in the mean NDVI?", [rasters])
    target = tmp_path / "run.py"
    write_export(run_manager(), found.run, "plain", target, "9.9.9")
    text = target.read_text("utf-8")
    assert "# These steps are not expressed here" in text and "NOT EXPRESSED" in text
    assert "Not expressed: step" in run_script(target, monkeypatch=monkeypatch)


def test_a_number_that_differs_is_told(rasters: Path, tmp_path: Path, monkeypatch) -> None:
    script = script_of(ask("Mean NDVI on 2021-06-03", [rasters]), tmp_path)
    for path in rasters.glob("Lake_2021-*.tif"):
        path.unlink()
        write_raster(path, np.full((2, SIDE, SIDE), 7, "uint16"), descriptions=["red", "nir"], scale=0.0001)
    assert "NOT AS IN THE RUN" in run_script(script, monkeypatch=monkeypatch)


def test_a_benchmarks_formulas_are_refused(rasters: Path, tmp_path: Path) -> None:
    run = ask("Mean NDVI on 2021-06-03", [rasters], profile="earth_bench").run
    with pytest.raises(InputError, match="science formulas"):
        write_export(run_manager(), run, "plain", tmp_path / "run.py", "1")


@pytest.mark.parametrize("kind", ["script", "plain"])
def test_what_a_person_said_of_the_rasters_goes_along(
    rasters: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    manager = run_manager()
    own = manager.workspace_of(COMMAND_LINE)
    own.correct({"Lake_2021-06-03.tif#nir": Correction(scale=0.0002)})
    found = ask("Mean near infrared reflectance on 2021-06-03", [rasters])
    assert found.value == pytest.approx(2 * 0.21, rel=0.1)
    target = tmp_path / "run.py"
    write_export(manager, found.run, kind, target, "1")
    monkeypatch.setattr(sys, "argv", [str(target)])
    monkeypatch.chdir(tmp_path)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        runpy.run_path(str(target))
    assert f"{found.value:.9f}"[:9] in shown.getvalue()


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.25, "as in the run"), (0.2500001, "as in the run"), (0.26, "NOT AS IN THE RUN"), (None, "not here")],
)
def test_a_raster_is_held_against_that_of_the_run(
    tmp_path: Path, capsys, value: float | None, said: str
) -> None:
    found = np.array([[0.5, np.nan], [0.75, 0.25]], "float32")
    if value is not None:
        written = np.nan_to_num(found, nan=-9.0)
        written[1, 1] = value
        write_raster(tmp_path / "run.tif", written, nodata=-9.0)
    keep("ndvi", found)
    compare_raster(2, "ndvi", str(tmp_path / "run.tif"))
    told = capsys.readouterr().out
    assert told.startswith("step 2: ndvi") and said in told and ("NOT" in told) == ("NOT" in said)


def test_a_script_leaves_out_what_the_mask_of_a_file_leaves_out(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "a.tif", np.array([[1, 2], [3, -9]], "float32"), nodata=-9.0)
    found = read_band(str(path), 1, scale=2.0, masked=True)
    assert found.tolist()[0] == [2.0, 4.0] and found[1, 0] == 6.0 and np.isnan(found[1, 1])
