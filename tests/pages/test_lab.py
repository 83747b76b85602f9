from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import assert_whole
from treeline.core.lab.ablation import SETTINGS, AblationOptions
from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.geoplan.planners import PLANNERS
from treeline.pages.parts.lab.benches import benches, report_of, standing_of, title_of
from treeline.pages.parts.lab.files import check_readable, keep_file
from treeline.toolkit.errors import InputError, PathOutside

QUESTIONS = [
    {
        "id": n,
        "modality": "products" if n % 2 else "spectrum",
        "auto_planning": "What is the mean NDVI on 2021-06-01?",
        "files": ["Lake_2021-06-01_NDVI.tif"],
        "ground_truth": [{"tool": "get_filelist"}, {"tool": "mean" if n == 3 else "calc_batch_image_mean"}],
    }
    for n in range(4)
]
TASKS = [
    {
        "id": str(n),
        "question": "Count the ships",
        "ground_truth": ["crop_image", "detect_ships"],
        "domain": "Sea",
        "complexity": "Simple",
    }
    for n in range(3)
]


@pytest.fixture
def lab(app, home):
    """The Lab page, with a file of questions and one of tasks that were uploaded."""
    for bench, entries in (("earth-bench", QUESTIONS), ("geoplan", TASKS)):
        keep_file(bench, "questions.jsonl", "\n".join(json.dumps(entry) for entry in entries).encode())
    app.run()
    app.switch_page("lab.py").run()
    return app


def start(lab, home, bench="earth-bench", **changed) -> str:
    lab.session_state["lab-benchmark"] = bench
    lab.run()
    for key, value in {"workers": 1, **changed}.items():
        lab.session_state[f"lab-{key}"] = value
    lab.run()
    lab.button(key="lab-start").click().run()
    run = lab.session_state["lab-bench"]
    benches().manager.wait(run, 120)
    lab.run()
    assert_whole(lab)
    return run


def table(lab, column):
    """Return the first table that has a column."""
    return next(frame.value for frame in lab.dataframe if column in frame.value.columns)


def test_a_bench_runs_in_the_background_and_its_results_are_shown(lab, home):
    run = start(lab, home)
    record = benches().manager.record(run)
    assert record.status == "answered" and title_of(record).startswith("Earth-Bench, AP, planner")
    metrics = table(lab, "from").set_index("Metric")
    assert metrics.loc["tool exact match", "All"] == pytest.approx(0.875)
    assert metrics.loc["tool exact match", "spectrum"] == 1.0
    failures = table(lab, "Cause")
    assert "calc_batch_image_mean instead of mean" in list(failures["Cause"])
    spec = json.loads(lab.get("echarts_chart")[0].proto.spec)
    assert [series["name"] for series in spec["series"]] == ["all", "spectrum", "products"]
    assert list(table(lab, "Calls")["Id"]) == ["0", "1", "2", "3"]


def test_a_new_session_finds_the_bench_by_its_address(lab, home):
    run = start(lab, home)
    lab.session_state["lab-bench"] = ""
    lab.query_params["bench"] = run
    lab.run()
    assert any("4 of 4 done" in bar.proto.text for bar in lab.get("progress"))


def test_an_ablation_of_the_workspace_shows_what_each_part_is_worth(lab, home):
    asked = {"question": "What is the mean NDVI of 2021-07-12?", "value": 0.5}
    keep_file("ablation", "asked.jsonl", json.dumps(asked).encode())
    run = start(lab, home, "ablation", variants=1, executors=1)
    assert title_of(benches().manager.record(run)) == "Ablation, planner, 1 variant, on demo"
    shown = table(lab, "Setting").set_index("Setting")
    assert list(shown.index) == list(SETTINGS) and set(shown["Right"]) == {1.0}
    spec = json.loads(lab.get("echarts_chart")[0].proto.spec)
    assert [series["name"] for series in spec["series"]] == list(SETTINGS)
    assert set(spec["series"][0]["data"]) == {1.0}
    assert list(table(lab, "Status")["Status"]) == ["answered right"] * len(SETTINGS)


def test_two_benches_are_compared(lab, home):
    first = start(lab, home)
    start(lab, home, disclosure="flat")
    lab.selectbox(key="lab-other").set_value(first).run()
    found = table(lab, "Difference").set_index("Metric")
    assert set(found["Difference"]) == {0.0}
    assert any("Better in 0, worse in 0, equal in 4" in text.value for text in lab.markdown)


def test_planners_come_from_their_registry_and_plans_are_scored(lab, home):
    start(lab, home, "geoplan", planner="template", embedder="lexical")
    assert list(lab.selectbox(key="lab-planner").options) == list(PLANNERS)
    metrics = table(lab, "from").set_index("Metric")
    assert 0 < metrics.loc["path similarity", "All"] < 1
    assert "leaves out detect_ships" in list(table(lab, "Cause")["Cause"])


def test_what_cannot_be_run_is_said_in_words(lab, home):
    lab.session_state["lab-data"] = "/nowhere"
    lab.run()
    lab.button(key="lab-start").click().run()
    assert_whole(lab)
    assert any("no folder or file" in error.value for error in lab.error)
    assert benches().records() == []


def test_files_outside_the_roots_are_refused(served, home, monkeypatch):
    outside = home.parent / f"{home.name}-outside.jsonl"
    outside.write_text("{}")
    own = keep_file("geoplan", "a.json", b"{}")
    assert check_readable(str(outside)) == str(outside) and check_readable(" ") == ""
    monkeypatch.setattr(served.library, "roots", ())
    for address in (str(outside), f"{home}/lab/../../{outside.name}"):
        with pytest.raises(PathOutside, match="may not be read"):
            check_readable(address)
    assert check_readable(str(own)) == str(own)


def test_an_upload_never_overwrites_another(home):
    first, second = (
        keep_file("geoplan", name, text) for name, text in (("../a b?.jsonl", b"{}"), ("a b?.jsonl", b"[]"))
    )
    assert first != second and first.parent == second.parent == home / "lab" / "geoplan"
    with pytest.raises(InputError, match="no question file"):
        keep_file("geoplan", "a.html", b"")


def test_a_bench_is_no_run_of_the_history_and_can_be_deleted(lab, home):
    run = start(lab, home)
    assert standing_of(run).total == 4
    lab.switch_page("runs.py").run()
    assert any("No question was asked yet" in info.value for info in lab.info)
    lab.switch_page("lab.py").run()
    lab.button(key="lab-delete").click().run()
    assert_whole(lab)
    assert benches().records() == []


def test_a_papers_table_is_started_watched_and_shown_beside_the_published_values(lab, home):
    lab.session_state["lab-benchmark"] = "reproduce"
    lab.run()
    lab.session_state["lab-paper"] = "earth-agent"
    lab.run()
    lab.button(key="lab-estimate").click().run()
    assert any("**0** calls" in text.value for text in lab.markdown), [text.value for text in lab.markdown]
    run = start(lab, home, "reproduce", paper="earth-agent", table="1", limit=2)
    record = benches().manager.record(run)
    assert record.status == "answered", standing_of(run).reason
    assert title_of(record) == "A paper's table, earth-agent, table 1, 2 questions a row, without a model"
    rows = table(lab, "Published")
    assert {"ours", "published", "floor"} == set(rows["Kind"])
    assert rows.set_index("Row").loc["GPT-5, Earth-Agent, ap", "Published"] == 68.74
    assert rows["Ours"].notna().sum() == 2 + 3
    assert any("training scores" in caption.value for caption in lab.caption)


def lab_reading(content: bytes) -> AppTest:
    """Return what the Lab of a team shows of a file that is given to it."""

    def page(content: bytes) -> None:
        import io
        from unittest import mock

        import streamlit as st

        from treeline.pages.parts.lab.reading import show_reading

        given = io.BytesIO(content)
        given.name = "report.json"
        with mock.patch.object(st, "file_uploader", lambda label, **_: given if "bench" in label else None):
            show_reading()

    return AppTest.from_function(page, args=(content,), default_timeout=30).run()


@pytest.mark.parametrize(
    "content",
    [
        b"no JSON",
        b"[" * 200_000,
        b"[]",
        b'{"bench": "geoplan", "tasks": []}',
        b'{"bench": "geoplan", "tasks": [1]}',
    ],
)
def test_what_is_no_report_is_told_so_in_a_team(content):
    shown = lab_reading(content)
    assert len(shown.error) == 1 and not shown.exception


def test_a_report_is_read_in_a_team(lab, home):
    run = start(lab, home, "geoplan")
    shown = lab_reading(json.dumps(report_of(benches().manager.record(run))).encode())
    assert not shown.error and not shown.exception
    assert len(table(shown, "Metric")) > 0


def test_fields_of_numbers_begin_in_the_browser_with_what_is_usual(lab):
    begun = {}
    for bench in ("earth-bench", "ablation", "reproduce"):
        lab.session_state["lab-benchmark"] = bench
        lab.run()
        begun |= {field.key: field.proto.default for field in lab.number_input}
    bench, ablation = BenchOptions(), AblationOptions()
    assert begun["lab-workers"] == bench.workers > 1 and begun["lab-limit"] > 1
    assert (begun["lab-variants"], begun["lab-executors"]) == (ablation.variants, ablation.executors)
