"""A run as files: the same numbers when its calls are made again, a report, a bundle that is checked."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from PIL import Image

from tests.rasters import ORIGIN, UTM, write_raster
from treeline.core.cli import main
from treeline.core.runs.asking import ask, run_manager
from treeline.core.runs.exports import report
from treeline.core.runs.exports.bundle import compare_inputs, open_bundle
from treeline.core.runs.exports.forms import FORMS, write_export
from treeline.core.runs.names import EXPORTS
from treeline.core.runs.result import RunResult
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import InputError, TreelineError
from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.raster.pictures import map_figure, map_picture

DATES = ("2021-06-03", "2021-07-12", "2021-08-20")
QUESTION = "On which date was the mean NDVI highest?"


@pytest.fixture
def rasters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    rng = np.random.default_rng(4)
    folder = tmp_path / "rasters"
    folder.mkdir()
    for number, date in enumerate(DATES):
        layer = rng.uniform(0.2, 0.4 + 0.1 * (number == 1), (40, 40)).astype("float32")
        write_raster(folder / f"Lake_NDVI_{date}.tif", layer)
    return folder


@pytest.fixture
def answered_run(rasters: Path) -> RunResult:
    return ask(QUESTION, [rasters])


@pytest.fixture
def map_run(rasters: Path) -> RunResult:
    return ask(f"Map where NDVI > 0.3 on {DATES[0]}", [rasters])


def export(run: str, kind: str, target: Path) -> Path:
    write_export(run_manager(), run, kind, target, "9.9.9")
    return target


def rewrite_manifest(bundle: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what a bundle says of its first run."""
    with zipfile.ZipFile(bundle) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(held["manifest.json"])
    change(manifest["runs"][0])
    held["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(bundle, "w") as archive:
        for name, content in held.items():
            archive.writestr(name, content)


@pytest.mark.parametrize("kind", EXPORTS)
def test_the_command_writes_each_kind_and_says_where(
    answered_run: RunResult, tmp_path: Path, capsys, kind: str
) -> None:
    target = tmp_path / "out" / f"run.{kind}"
    assert main(["export", answered_run.run, "--as", kind, "--out", str(target), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"path": str(target)}
    assert target.stat().st_size > 500


def test_json_is_what_ask_prints(answered_run: RunResult, tmp_path: Path) -> None:
    content = json.loads(export(answered_run.run, "json", tmp_path / "run.json").read_text("utf-8"))
    assert content == json.loads(json.dumps(answered_run.to_json()))


def test_the_script_gives_the_runs_numbers_elsewhere(
    answered_run: RunResult, rasters: Path, tmp_path: Path
) -> None:
    script = export(answered_run.run, "script", tmp_path / "elsewhere" / "run.py")
    moved = rasters.rename(tmp_path / "moved")
    how = {"cwd": script.parent, "capture_output": True, "text": True, "timeout": 120, "check": False}
    done = subprocess.run([sys.executable, str(script), str(moved)], **how)
    assert done.returncode == 0, done.stderr
    assert f"[{answered_run.value!r}, 1]" in done.stdout.splitlines()[-1]


def test_the_script_takes_results_over_as_variables(answered_run: RunResult, tmp_path: Path) -> None:
    text = export(answered_run.run, "script", tmp_path / "run.py").read_text("utf-8")
    assert "@result" not in text and str(answered_run.value) not in re.sub(r"(?m)^#.*$", "", text)
    assert re.search(r"x=step_\d+", text)


def test_a_question_cannot_break_out_of_its_comment(rasters: Path, tmp_path: Path) -> None:
    found = ask('Mean NDVI on 2021-06-03?\n"""\nraise SystemExit(3)', [rasters], partial=True)
    assert [step for step in found.steps if step.action == "call"], "the script has nothing to call"
    text = export(found.run, "script", tmp_path / "run.py").read_text("utf-8")
    compile(text, "run.py", "exec")
    assert "SystemExit" in text and not any(line.startswith("raise") for line in text.splitlines())


def test_the_notebook_gives_the_same_numbers(answered_run: RunResult, tmp_path: Path, monkeypatch) -> None:
    content = json.loads(export(answered_run.run, "notebook", tmp_path / "run.ipynb").read_text("utf-8"))
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in content["cells"]}) == len(content["cells"])
    code = ["".join(cell["source"]) for cell in content["cells"] if cell["cell_type"] == "code"]
    monkeypatch.chdir(tmp_path)
    shown, names = io.StringIO(), {}
    with contextlib.redirect_stdout(shown):
        for cell in code:
            exec(compile(cell, "cell", "exec"), names)
    assert str(answered_run.value) in shown.getvalue()


def test_the_report_has_answer_picture_steps_and_versions(map_run: RunResult, tmp_path: Path) -> None:
    text = export(map_run.run, "html", tmp_path / "run.html").read_text("utf-8")
    assert map_run.question.replace(">", "&gt;") in text and "data:image/png;base64," in text
    assert "9.9.9" in text and "rasterio" in text and "http" not in text.replace("http-equiv", "")
    assert Path(map_run.map or "").name in text


def test_the_report_draws_a_series_with_two_passes_of_a_day(rasters: Path, tmp_path: Path) -> None:
    passes, days = ("2021-12-08T1004", "2021-12-08T1011"), ("2021-12-11", "2021-12-18", "2021-12-25")
    for moment in (*passes, *days):
        write_raster(rasters / f"Lake_NDVI_{moment}.tif", np.full((40, 40), 0.25, "float32"))
    run = ask("Mean NDVI of each date", [rasters]).run
    text = export(run, "html", tmp_path / "run.html").read_text("utf-8")
    assert text.partition("<svg")[2].partition("</svg>")[0].count("<circle") == len(DATES) + 5
    assert text.count("<td>2021-12-08</td>") == 2
    assert '<ul class="listing"><li>' in text and "<li>2021-12-25 0.2500</li>" in text


def test_what_a_person_wrote_is_escaped_in_the_report(rasters: Path, tmp_path: Path) -> None:
    run = ask("<script>alert(1)</script> mean NDVI on 2021-06-03", [rasters]).run
    text = export(run, "html", tmp_path / "run.html").read_text("utf-8")
    assert "<script" not in text and "&lt;script&gt;" in text


def test_what_a_person_wrote_is_no_markup_in_markdown(rasters: Path, tmp_path: Path) -> None:
    question = "<img src=x>\n# ![mean](https://x.example/a.png) NDVI on 2021-06-03 ```"
    text = export(ask(question, [rasters]).run, "markdown", tmp_path / "run.md").read_text("utf-8")
    title = text.splitlines()[0]
    assert "\\<img" in title and "]\\(" in title and "# ![" in title


def test_a_run_without_calls_has_no_script(rasters: Path, tmp_path: Path) -> None:
    run = ask("What is the average income of the owners of cows?", [rasters]).run
    with pytest.raises(InputError, match="no call"):
        export(run, "script", tmp_path / "run.py")
    assert not (tmp_path / "run.py").exists()
    assert "income" in export(run, "markdown", tmp_path / "run.md").read_text("utf-8")


def test_a_run_that_there_is_not(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path))
    for kind in EXPORTS:
        with pytest.raises(InputError, match="no run"):
            export("abc", kind, tmp_path / "x")
    with pytest.raises(InputError, match="exported as"):
        write_export(run_manager(), "abc", "parquet", tmp_path / "x", "1")


def test_a_series_kept_on_some_ground_is_drawn_by_its_dates(rasters: Path, tmp_path: Path) -> None:
    cover = np.where(np.arange(40) < 10, 1, 2).astype("uint8") * np.ones((40, 40), "uint8")
    write_raster(rasters / "landcover.tif", cover, tags={"TREELINE_CLASSES": "1 forest, 2 lake"})
    found = ask("What is the mean NDVI of the forest on each date?", [rasters])
    text = export(found.run, "html", tmp_path / "report.html").read_text("utf-8")
    assert text.partition("<svg")[2].partition("</svg>")[0].count("<circle") == len(DATES)


class TestBundle:
    """A bundle is opened by another home, and refused where it was changed."""

    @pytest.fixture
    def bundle(self, map_run: RunResult, tmp_path: Path) -> Path:
        return export(map_run.run, "bundle", tmp_path / "run.zip")

    def test_another_home_opens_it(
        self, bundle: Path, map_run: RunResult, tmp_path: Path, monkeypatch, capsys
    ) -> None:
        monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "other"))
        assert main(["import", str(bundle), "--json"]) == 0
        run = json.loads(capsys.readouterr().out)["run"]
        target = tmp_path / "again.json"
        assert main(["export", run, "--as", "json", "--out", str(target)]) == 0
        again = json.loads(target.read_text("utf-8"))
        assert (again["question"], again["answer"], again["status"]) == (
            map_run.question,
            map_run.answer,
            "answered",
        )
        own = [Path(path) for path in again["products"]]
        assert own and all(path.is_file() and path.is_relative_to(tmp_path / "other") for path in own)
        assert Path(again["map"]).read_bytes() == Path(map_run.map or "").read_bytes()

    def test_its_run_keeps_the_times_of_what_happened(
        self, bundle: Path, map_run: RunResult, tmp_path: Path, monkeypatch
    ) -> None:
        former = run_manager().store
        asked, moments = former.run(map_run.run).created, [r.time for r in former.event_rows(map_run.run)]
        monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "other"))
        here = run_manager()
        run = open_bundle(here, bundle, "command-line")
        assert here.store.run(run).created == asked
        assert [row.time for row in here.store.event_rows(run)] == moments

    def test_one_of_an_earlier_treeline_has_no_times(self, bundle: Path, tmp_path: Path, monkeypatch) -> None:
        rewrite_manifest(bundle, lambda run: (run.pop("created"), run.pop("times")))
        monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "other"))
        here = run_manager()
        assert here.store.run(open_bundle(here, bundle, "command-line")).status == "answered"

    def test_times_of_some_events_are_refused(self, bundle: Path) -> None:
        rewrite_manifest(bundle, lambda run: run["times"].pop())
        with pytest.raises(InputError, match="differ in number"):
            open_bundle(run_manager(), bundle, "command-line")

    def test_it_names_its_inputs_with_their_hashes(self, bundle: Path, rasters: Path) -> None:
        with zipfile.ZipFile(bundle) as archive:
            manifest = json.loads(archive.read("manifest.json"))
        assert {each["name"] for each in manifest["inputs"]} == {f"Lake_NDVI_{DATES[0]}.tif"}
        assert str(rasters) not in json.dumps(manifest["runs"][0]["options"])
        (name,) = [each["name"] for each in manifest["inputs"]]
        here = Workspace(rasters.parent / "here", [rasters])
        assert compare_inputs(bundle, here) == {name: "same"}
        (rasters / name).write_bytes(b"other")
        assert compare_inputs(bundle, here) == {name: "different"}
        assert compare_inputs(bundle, Workspace(rasters.parent / "empty")) == {name: "missing"}

    @pytest.mark.parametrize(
        "change", ["pixel", "extra", "outside", "event", "status", "version", "elsewhere"]
    )
    def test_what_was_changed_is_refused_and_leaves_nothing(
        self, bundle: Path, tmp_path: Path, monkeypatch, change: str
    ) -> None:
        with zipfile.ZipFile(bundle) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        manifest = json.loads(files["manifest.json"])
        product = next(name for name in files if name.startswith("products/"))
        match change:
            case "pixel":
                files[product] = files[product][:-1] + bytes([files[product][-1] ^ 1])
            case "extra":
                files["products/more.tif"] = b"x"
            case "outside":
                files["products/../../x.tif"] = files.pop(product)
                manifest["products"][0]["name"] = "../../x.tif"
            case "event":
                manifest["runs"][0]["events"] = ["{}"]
            case "status":
                manifest["runs"][0]["status"] = "running"
            case "version":
                manifest["version"] = 99
            case "elsewhere":
                events = [e.replace(manifest["folder"], "/etc") for e in manifest["runs"][0]["events"]]
                manifest["runs"][0]["events"] = events
        files["manifest.json"] = json.dumps(manifest).encode()
        with zipfile.ZipFile(bundle, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "other"))
        manager = run_manager()
        with pytest.raises(TreelineError):
            open_bundle(manager, bundle, "command-line")
        assert manager.store.runs() == [] and not list((tmp_path / "other").rglob("*.tif"))
        assert not list((tmp_path / "other").glob("workspaces/*/products/*"))

    @pytest.mark.parametrize("content", [b"", b"no archive", None])
    def test_what_is_no_bundle_is_refused_in_a_sentence(
        self, tmp_path: Path, monkeypatch, capsys, content
    ) -> None:
        monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
        path = tmp_path / "run.zip"
        if content is None:
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("a.txt", "x")
        else:
            path.write_bytes(content)
        assert main(["import", str(path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_map_as_a_picture_has_its_colours(tmp_path: Path) -> None:
    values = np.zeros((40, 60), "float32")
    values[:, 30:] = 1.0
    values[:20, :10] = 2.0
    write_raster(tmp_path / "classes.tif", values)
    (tmp_path / "map.png").write_bytes(map_picture(tmp_path / "classes.tif"))
    with Image.open(tmp_path / "map.png") as picture:
        colours = {colour for _, colour in sorted(picture.convert("RGB").getcolors(1 << 20))[-4:]}
    assert {(230, 159, 0), (86, 180, 233), (0, 158, 115)} <= colours


def test_a_picture_of_what_was_made_inside_an_area_ends_there(tmp_path: Path) -> None:
    values = np.full((60, 60), np.nan, "float32")
    values[:10, :10] = 1.0
    path = write_raster(tmp_path / "inside.tif", values)
    box = shapely.box(ORIGIN[0], ORIGIN[1] - 100, ORIGIN[0] + 100, ORIGIN[1])
    whole, inside = (
        map_figure(path, area=area).axes[0].images[0].get_array()
        for area in (None, AreaOfInterest(box, UTM, "a box"))
    )
    assert whole.shape == (60, 60) and inside.shape == (10, 10)
    assert np.ma.count_masked(inside) == 0
    # Beside the raster nothing would be seen: then all of it is shown.
    away = AreaOfInterest(shapely.affinity.translate(box, 1e5), UTM, "a box")
    assert map_figure(path, area=away).axes[0].images[0].get_array().shape == (60, 60)


def test_a_reports_picture_is_that_of_the_area(rasters: Path, tmp_path: Path, monkeypatch) -> None:
    drawn = []
    monkeypatch.setattr(report, "call", lambda function, *given: drawn.append(given) or function(*given))
    corner = shapely.box(ORIGIN[0], ORIGIN[1] - 100, ORIGIN[0] + 100, ORIGIN[1])
    run = ask(f"Map NDVI on {DATES[0]}", [rasters], aoi=f"SRID=32633;{corner.wkt}").run
    assert "<figure>" in export(run, "html", tmp_path / "run.html").read_text("utf-8")
    assert [given[2].geometry for given in drawn if len(given) == 3] == [corner]


def test_every_form_says_its_suffix_and_type() -> None:
    assert len({form.suffix for form in FORMS.values()}) == len(FORMS)
    assert all("/" in form.media_type and form.title for form in FORMS.values())
