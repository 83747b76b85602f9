"""What pages compute of a record before they draw it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Transformer
from shapely import box

from tests.rasters import ORIGIN, UTM, write_raster
from treeline.core.engine.actions import Answer, Call, Doc, Observation, ProductRecord, Reading, Skill
from treeline.core.engine.events import (
    BudgetRaised,
    Progress,
    RunFinished,
    RunResumed,
    RunStarted,
    StepFinished,
    StepStarted,
)
from treeline.core.engine.journal import StoredEvent, record_event
from treeline.core.engine.state import State, Step
from treeline.core.record.store import Store
from treeline.core.runs.exports.forms import as_json
from treeline.core.runs.exports.markdown import as_markdown
from treeline.core.runs.listings import Listing, listing_in
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import run_result
from treeline.core.serving import MapLayer
from treeline.core.workspace import Workspace
from treeline.pages.parts.map.class_rows import ClassRow, class_rows_of
from treeline.pages.parts.map.layers import Entry, product_entries, union
from treeline.pages.parts.map.places import places_of
from treeline.pages.parts.map.product_titles import title_of_product
from treeline.pages.parts.map.zones import Zone
from treeline.pages.parts.shared import selection
from treeline.pages.parts.shared.answer import steps_by_tool
from treeline.pages.parts.shared.origin import years_of_answer
from treeline.pages.parts.shared.run_view import RunView, run_view
from treeline.pages.parts.shared.selection import layer_of_run, remember_layer
from treeline.pages.parts.shared.text import (
    bars,
    number,
    plain,
    seconds,
    shorten,
    tell_apart,
)
from treeline.pages.parts.shared.tree_chart import (
    drawing_after,
    fit_rows,
    tree_entries,
    tree_option,
    tree_rows,
)
from treeline.pages.parts.shared.tree_view import node_of_step, step_of_node, tree_view
from treeline.pages.parts.workbench.map_panel import MOST_LISTED, entries_to_offer
from treeline.pages.parts.workbench.series import Point, Series, evidence_series, series_csv
from treeline.pages.parts.workbench.steps import tell_briefly
from treeline.pages.parts.workbench.zone_bars import lie_close, zones_csv
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.raster import Source
from treeline.toolkit.recognition.describe import describe

TREE = SkillTree.of(registry())
GOOD, RAN = Observation("information", "x"), Observation("result", "y")
REFUSED, FAILED = Observation("refusal", "no", hint="do"), Observation("failure", "broke")
START = datetime(2026, 1, 1, tzinfo=UTC)


def record(*events):
    return [StoredEvent(i, START + timedelta(seconds=i), event) for i, event in enumerate(events, start=1)]


def steps(*pairs):
    return [Step(i, action, observation) for i, (action, observation) in enumerate(pairs, start=1)]


def kits(*pairs, pending=None):
    return {kit.name: kit for kit in tree_view(TREE, steps(*pairs), pending)}


def test_only_what_was_opened_is_open():
    seen = kits((Skill("index/vegetation"), GOOD), (Skill("Nothing"), REFUSED), (Skill("odd part"), GOOD))
    assert seen["Index"].opened and seen["Index"].step == 1
    assert [kit for kit, node in seen.items() if node.opened] == ["Index"]
    assert all(node.tools == () for node in seen.values())


def test_the_last_call_decides_how_a_tool_looks():
    doc, call = Doc("calculate_batch_ndvi"), Call("calculate_batch_ndvi", {})
    for observation, state in ((RAN, "succeeded"), (REFUSED, "refused"), (FAILED, "failed")):
        (tool,) = kits((doc, GOOD), (call, RAN), (call, observation))["Index"].tools
        assert (tool.state, tool.calls, tool.step) == (state, 2, 3)


def test_reading_the_document_again_does_not_undo_a_call():
    doc, call = Doc("calculate_batch_ndvi"), Call("calculate_batch_ndvi", {})
    (tool,) = kits((doc, GOOD), (call, RAN), (doc, GOOD))["Index"].tools
    assert (tool.state, tool.step) == ("succeeded", 2)


def test_an_older_name_is_the_same_node():
    seen = kits((Doc("calculate_ndvi"), GOOD), (Call("calculate_batch_ndvi", {}), RAN))
    assert [tool.name for tool in seen["Index"].tools] == ["calculate_batch_ndvi"]


def test_a_tool_that_does_not_exist_makes_no_node():
    assert all(not kit.tools for kit in kits((Call("nonsense", {}), REFUSED)).values())


def test_the_pending_call_runs():
    pending = StepStarted(2, Call("calculate_batch_ndvi", {}))
    (tool,) = kits((Doc("calculate_batch_ndvi"), GOOD), pending=pending)["Index"].tools
    assert tool.state == "running"


def test_node_and_step_lead_to_each_other():
    taken = steps((Skill("Index"), GOOD), (Doc("calculate_batch_ndvi"), GOOD), (Answer("x"), GOOD))
    nodes = tree_view(TREE, taken)
    for step in taken[:2]:
        assert step_of_node(nodes, node_of_step(TREE, step)) == step.number
    assert node_of_step(TREE, taken[2]) is None
    assert step_of_node(nodes, "Statistics") is None


def test_the_chart_has_the_opened_branches_only_and_says_how_many_more():
    nodes = tree_view(TREE, steps((Skill("Index"), GOOD), (Doc("calculate_batch_ndvi"), GOOD)))
    for dark in (False, True):
        (root,) = tree_option(nodes, "Index", dark=dark, height=900)["series"][0]["data"]
        children = {kit["name"]: kit.get("children", []) for kit in root["children"]}
        assert [child["name"] for child in children["Index"]] == ["calculate_batch_ndvi", "Index rest"]
        assert f"+{len(TREE.tools['Index']) - 1} more" in children["Index"][1]["label"]["formatter"]
        assert children["Statistics"] == []
        # Behind its node a kit's name would lie on the branches of the one above it.
        assert {kit["label"]["position"] for kit in root["children"]} == {"left"}
    kit, tool, rest, *_ = tree_entries(tree_option(nodes, None, dark=False, height=900), nodes)
    assert (kit.told, kit.level) == ("Index, opened in step 1", 1)
    assert (tool.told, tool.level) == ("calculate_batch_ndvi, document read in step 2", 2)
    assert (rest.name, rest.told) == ("Index rest", f"+{len(TREE.tools['Index']) - 1} more")
    rows = tree_rows(nodes)
    assert len(rows) == len(TREE.kits) + 1
    assert {row["kit"]: row["step"] for row in rows if not row["tool"]} == {
        kit: "1" if kit == "Index" else "" for kit in TREE.kits
    }


def test_closed_kits_fold_when_the_tree_is_too_tall():
    nodes = tree_view(TREE, steps((Skill("Index"), GOOD), (Doc("calculate_batch_ndvi"), GOOD)))
    shown, folded = fit_rows(nodes, 4)
    assert [kit.name for kit in shown] == ["Index"] and folded == len(TREE.kits) - 1
    assert fit_rows(nodes, 99) == (nodes, 0)
    two = tree_view(
        TREE,
        steps((Skill("Index"), GOOD), (Doc("spectral_index"), GOOD), (Doc("calculate_batch_ndvi"), GOOD)),
    )
    assert [kit.name for kit in fit_rows(two, 99)[0]] == ["Index"]
    closed = tree_view(TREE, [])
    assert fit_rows(closed, 2) == (closed, 0)


def test_a_tree_that_loses_branches_is_drawn_anew_and_one_that_grows_is_not():
    def drawn(kept, *branches):
        root = {"children": [{"name": name, "children": [{}]} for name in branches] + [{"name": "Series"}]}
        return drawing_after(kept, {"series": [{"data": [root]}]})

    first = drawn(None, "Index")
    grown = drawn(first, "Index", "Statistics")
    assert grown[0] == first[0]
    assert drawn(grown, "Index", "Statistics") == grown
    assert drawn(grown, "Index")[0] != grown[0]


def test_a_record_is_read_as_it_stands():
    events = record(
        RunStarted("Q"),
        StepStarted(1, Skill("Index")),
        StepFinished(1, GOOD, 0.1),
        StepStarted(2, Call("x", {})),
        Progress(2, 3, 10, "rasters"),
    )
    view = run_view(events)
    assert view.pending.step == 2 and view.progress.done == 3 and view.finished is None
    assert [step.number for step in view.steps] == [1]
    assert view.seconds == 4.0


def test_a_step_of_the_past_hides_what_came_later():
    events = record(
        RunStarted("Q"),
        StepStarted(1, Skill("Index")),
        StepFinished(1, GOOD, 0.1),
        StepStarted(2, Answer("A")),
        StepFinished(2, GOOD, 0.0),
        RunFinished("answered", Answer("A")),
    )
    assert run_view(events, 1).finished is None
    assert [step.number for step in run_view(events, 1).steps] == [1]
    assert run_view(events, 2).finished.status == "answered"


def test_a_resumed_run_is_not_finished():
    for then in (RunResumed(0), BudgetRaised({"steps": 60})):
        assert run_view(record(RunStarted("Q"), RunFinished("stopped"), then)).finished is None


def test_exports_tell_question_steps_and_answer(tmp_path):
    store = Store(tmp_path / "store.sqlite")
    store.create_run("r", "w", "Q?", RunOptions().to_json())
    for event in (
        RunStarted("Q?"),
        StepStarted(1, Call("mean", {"x": [1]}), "why"),
        StepFinished(1, REFUSED, 0.1),
        StepStarted(2, Answer("A", choice="B")),
        StepFinished(2, GOOD, 0.0),
        RunFinished("answered", Answer("A", choice="B")),
    ):
        record_event(store, "r", event)
    store.set_status("r", "answered")
    result = run_result(store, "r")
    store.close()
    for text in (as_json(result), as_markdown(result)):
        for part in ("Q?", "mean", "why", "B", "do"):
            assert part in text


@given(st.text())
def test_plain_text_has_no_bare_markdown(text):
    shown = plain(text)
    assert "\n" not in shown
    bare = shown.replace("\\\\", "")
    for sign in "*_`[]<>#$~|":
        assert bare.count(sign) == bare.count(f"\\{sign}")


@given(st.text(), st.integers(2, 50))
def test_shortened_keeps_to_its_length(text, longest):
    assert len(shorten(text, longest)) <= longest


def zones_of(*values):
    return [Zone(box(0, 0, 1, 1), f"zone {place}", value) for place, value in enumerate(values)]


@pytest.mark.parametrize(
    ("values", "close"),
    [
        ((295.6, 308.4), True),
        ((-20.0, -18.0), True),
        ((20.0, 90.0), False),
        ((0.0, 0.0), False),
        ((-1.0, 1.0), False),
        ((80.0, 100.0), False),
        ((80.1, 100.0), True),
        ((None, None), False),
    ],
)
def test_numbers_that_lie_close_are_dots_on_an_axis_of_their_own(values, close):
    assert lie_close(zones_of(*values)) is close


@given(st.lists(st.integers(0, 10**6), max_size=30))
def test_bars_are_one_a_value(values):
    assert len(bars(values)) == len(values)


def test_of_very_many_layers_products_and_colour_images_are_offered_first():
    def entry(key, step, role):
        layer = SimpleNamespace(role=role)
        return SimpleNamespace(key=key, step=step, layer=layer)

    inputs = [entry(f"i{n}", None, "red") for n in range(1000)]
    colour, product = entry("c", None, "rgb"), entry("p", 3, "ndvi")
    offered = entries_to_offer([product, *inputs, colour], inputs[-1])
    assert offered[:3] == [inputs[-1], product, colour] and len(offered) == MOST_LISTED
    assert entries_to_offer(inputs[:5], None) == inputs[:5]


def test_choices_that_are_called_alike_are_told_apart():
    labels = {"a": "NDVI", "b": "EVI", "c": "NDVI"}
    assert tell_apart(labels) == {"a": "NDVI (a)", "b": "EVI", "c": "NDVI (c)"}
    told = tell_apart(labels, {"a": "one.tif", "b": "one.tif", "c": "one.tif"})
    assert told == {"a": "NDVI (one.tif)", "b": "EVI", "c": "NDVI (one.tif) 2"}


def test_numbers_and_times_read_well():
    assert number(None) == "–"
    assert number(1234.5678) == "1,235"
    assert (seconds(0.123), seconds(12.34), seconds(185)) == ("0.12 s", "12.3 s", "3 min 5 s")
    assert union([None, (1, 2, 3, 4), (0, 3, 2, 9)]) == (0, 2, 3, 9)
    assert union([None]) is None


def test_a_series_goes_away_as_it_is():
    text = series_csv(Series((Point("2021-06-03", 0.25), Point("2021-07-12", None)), "K"))
    assert text.splitlines() == ["date,value [K]", "2021-06-03,0.25", "2021-07-12,"]


def test_zones_go_away_with_their_names_as_text():
    zones = [ClassRow("=cmd", 1, -0.5), ClassRow("forest", 2, None)]
    assert zones_csv(zones).splitlines() == ["zone,value", "'=cmd,-0.5", "forest,"]


def test_the_classes_beside_an_answer_have_what_it_rests_on(tmp_path: Path):
    (tmp_path / "data").mkdir()
    classes = write_raster(tmp_path / "data" / "land_cover.tif", np.tile([1, 2], (4, 2)).astype("uint8"))
    workspace = Workspace(tmp_path / "workspace", [tmp_path / "data"])

    def table(number: int, rows: dict[str, float]) -> Step:
        arguments = {"file_list": [f"ndvi_{number}.tif"], "classes_path": str(classes)}
        found = Observation("result", "", value=[rows], arguments=arguments)
        return Step(number, Call("statistics_by_class", arguments), found)

    after, before = table(1, {"1": 0.5, "2": 0.25}), table(2, {"1": 0.75, "2": 0.125})
    lists = {"left": [0.5, 0.25], "right": [0.75, 0.125]}
    change = Step(
        3, Call("combine_values", lists), Observation("result", "", value=[-0.25, 0.125], arguments=lists)
    )
    ranked = {"values": [0.5, 0.25]}
    ranks = Step(4, Call("rank_values", ranked), Observation("result", "", value=[1, 2], arguments=ranked))
    state = State("q", steps=(after, before, change, ranks))
    for evidence, values in (
        ((1, 2, 3), [-0.25, 0.125]),
        ((1, 2), [0.75, 0.125]),
        ((1,), [0.5, 0.25]),
        ((1, 4), [0.5, 0.25]),
    ):
        view = RunView(state=state, finished=RunFinished("answered", Answer("So.", evidence=evidence)))
        found = class_rows_of(view, workspace)
        assert found is not None and [row.value for row in found.rows] == values


def test_classes_beside_an_answer_in_hectares_do_not_count_pixels(tmp_path: Path):
    (tmp_path / "data").mkdir()
    classes = write_raster(tmp_path / "data" / "land_cover.tif", np.tile([1, 2], (4, 2)).astype("uint8"))
    workspace = Workspace(tmp_path / "workspace", [tmp_path / "data"])
    counted = {"classes_path": str(classes), "statistic": "sum"}
    pixels = Observation("result", "", value=[{"1": 1500.0, "2": 250.0}], arguments=counted)
    rows = [
        {"class": 1.0, "pixels": 1500, "area": 15.0, "percent": 85.71},
        {"class": 2.0, "pixels": 250, "area": 2.5, "percent": 14.29},
    ]
    areas = Observation("result", "", value=rows, arguments={"input_path": "kept.tif"}, unit="ha")
    steps = (
        Step(1, Call("statistics_by_class", counted), pixels),
        Step(2, Call("area_by_class", {}), areas),
    )

    def beside(text: str, unit: str):
        answer = Answer(text, unit=unit, evidence=(1, 2))
        view = RunView(state=State("q", steps=steps), finished=RunFinished("answered", answer))
        found = class_rows_of(view, workspace)
        assert found is not None
        return found.what, [(row.value, row.unit) for row in found.rows]

    told = "The area by class: class 1 15.00 ha; class 2 2.50 ha."
    assert beside(told, "ha") == ("Area", [(15.0, "ha"), (2.5, "ha")])
    assert beside("Class 1 has 85.71 %.", "%") == ("Share", [(85.71, "%"), (14.29, "%")])
    what, numbers = beside("There are 250 pixels of class 2 and 1,500 of class 1.", "")
    assert what != "Area" and numbers == [(1500.0, ""), (250.0, "")]


def test_the_series_beside_an_answer_is_the_one_that_it_tells(tmp_path: Path):
    names = [f"Lake_NDVI_2021-0{month}-01.tif" for month in (5, 6, 7)]
    (tmp_path / "data").mkdir()
    for name in names:
        write_raster(tmp_path / "data" / name, np.full((4, 4), 0.5, "float32"))
    workspace = Workspace(tmp_path / "workspace", [tmp_path / "data"])

    def step(number: int, values: list[float]) -> Step:
        call = Call("a_tool", {"file_list": names})
        return Step(number, call, Observation("result", "", value=values, arguments={"file_list": names}))

    clouds, means = step(1, [0.0, 100.0, 50.0]), step(2, [0.2512, 0.7341, 0.5])
    view = RunView(state=State("q", steps=(clouds, means)))
    answer = Answer("It is highest on 2021-06-01 (0.7341).", evidence=(1, 2))
    series = evidence_series(view, answer, workspace)
    assert [point.value for point in series.points] == [0.2512, 0.7341, 0.5]
    assert (series.marked, series.unit, series.title) == (("2021-06",), "", "a_tool, step 2")
    averaged = replace(means, action=replace(means.action, tool="calc_batch_image_mean"))
    told = evidence_series(RunView(state=State("q", steps=(clouds, averaged))), answer, workspace)
    assert told.title == "Mean NDVI, step 2"
    areas = replace(means, observation=replace(means.observation, unit="ha"))
    sizes = RunView(state=State("q", steps=(clouds, replace(areas, action=Call("calculate_area", {})))))
    told = evidence_series(sizes, answer, workspace)
    assert (told.title, told.unit) == ("Area, step 2", "ha")
    turned = RunView(state=State("q", steps=(replace(means, number=1), replace(clouds, number=2))))
    assert [point.value for point in evidence_series(turned, answer, workspace).points] == [
        0.2512,
        0.7341,
        0.5,
    ]


@pytest.mark.parametrize(
    ("later", "prefix", "title"),
    [
        (2022, "Lake", "a_tool, steps 1, 2"),
        # Of another ground, and of dates that both have, no one line can be drawn.
        (2022, "Pond", "a_tool, step 2"),
        (2018, "Lake", "a_tool, step 2"),
    ],
)
def test_two_summers_that_are_compared_are_in_one_chart(
    tmp_path: Path, later: int, prefix: str, title: str
) -> None:
    workspace, steps = Workspace(tmp_path / "workspace", [tmp_path]), []
    for taken, (place, year) in enumerate((("Lake", 2018), (prefix, later)), start=1):
        names = [f"{place}_NDVI_{year}-0{month}-01.tif" for month in (6, 7, 8)]
        for name in names:
            write_raster(tmp_path / name, np.full((4, 4), 0.5, "float32"))
        values = [taken / 10, taken / 10 + 0.01, taken / 10 + 0.02]
        given = {"file_list": names}
        steps.append(
            Step(taken, Call("a_tool", given), Observation("result", "", value=values, arguments=given))
        )
    answer = Answer("The mean NDVI rose by 0.57.", evidence=(1, 2))
    series = evidence_series(RunView(state=State("q", steps=tuple(steps))), answer, workspace)
    assert series.title == title
    assert len(series.points) == (6 if "steps" in title else 3)


def test_a_series_by_month_is_the_one_beside_an_answer_that_tells_months(tmp_path: Path):
    names = [f"Lake_NDVI_2021-0{day}.tif" for day in ("5-01", "5-11", "6-01", "7-01", "7-21")]
    (tmp_path / "data").mkdir()
    for name in names:
        write_raster(tmp_path / "data" / name, np.full((4, 4), 0.5, "float32"))
    workspace = Workspace(tmp_path / "workspace", [tmp_path / "data"])
    daily = [0.21, 0.45, None, 0.3, 0.36]
    grouped = {"values": [[0.21, 0.45], [None], [0.3, 0.36]]}
    monthly = [0.33, None, 0.33]
    made = (
        Step(1, Call("a", {"x": 1}), Observation("result", "", value=daily, arguments={"file_list": names})),
        Step(2, Call("b", {"x": 1}), Observation("result", "", value=monthly, arguments=grouped)),
    )
    answer = Answer("By month: 2021-05 0.33; 2021-07 0.33.", evidence=(1, 2))
    series = evidence_series(RunView(state=State("q", steps=made)), answer, workspace)
    assert [point[:2] for point in series.points] == [("2021-05", 0.33), ("2021-06", None), ("2021-07", 0.33)]
    whole = Answer("It is lowest on 2021-05-01 (0.21).", evidence=(1, 2))
    assert len(evidence_series(RunView(state=State("q", steps=made)), whole, workspace).points) == len(daily)


def test_what_a_call_gave_is_told_briefly_and_rounded():
    assert tell_briefly([0.6537884495872082]) == "0.6538"
    assert tell_briefly({"slope": -0.015583547800362158, "p": 0.0421}) == "slope -0.01558, p 0.0421"
    assert tell_briefly([True, None, False, True]) == "yes 2 of 4 times"
    assert tell_briefly([{"1": 299.0109, "2": 310.0065, "7": None}]) == "3 classes, 299 to 310"
    assert tell_briefly([0.5, None, 0.25]) == "3 numbers, 0.25 to 0.5"
    assert tell_briefly([0.7400277, 2]) == "0.74, 2"
    assert tell_briefly([{"a": 1}, {"a": 2}]) == "2 rows"
    assert tell_briefly([[{"a": 1}, {"a": 2}], [{"a": 3}, {"a": 4}]]) == "4 rows"
    assert tell_briefly("as it stands") == ""


def test_steps_of_one_tool_are_named_together_as_evidence():
    steps = tuple(Step(n, Call(t, {}), Observation("result", "")) for n, t in enumerate("abab", start=1))
    view = RunView(state=State("q", steps=steps))
    assert steps_by_tool(Answer("", evidence=(1, 2, 3, 4)), view) == {"a": [1, 3], "b": [2, 4]}


def test_a_mask_of_ground_is_called_by_the_ground(tmp_path: Path):
    path = tmp_path / "mask_artificial_surface.tif"
    write_raster(path, np.ones((4, 4), "uint8"))
    (entry,) = product_entries([(3, ProductRecord(path.name, str(path), "mask", "class"))])
    assert entry.layer.title == "Mask \u00b7 artificial surface"


@pytest.mark.parametrize(
    ("name", "role", "date", "arguments", "title"),
    [
        ("ndvi_2021-07-22.tif", "ndvi", "2021-07-22", {}, "NDVI \u00b7 2021-07-22"),
        ("ndvi_clear_2021-07-22.tif", "ndvi", "2021-07-22", {}, "NDVI, clouds masked \u00b7 2021-07-22"),
        (
            "ndvi_above_2021-07-22_2.tif",
            "mask",
            "2021-07-22",
            {"threshold": 0.5, "mode": "above"},
            "NDVI > 0.5 \u00b7 2021-07-22 (2)",
        ),
        (
            "ndvi_where_2021-07-22.tif",
            "ndvi",
            "2021-07-22",
            {"condition_path": ["products/mask_Broadleaf-forest_Built-up.tif"]},
            "NDVI in Broadleaf forest, Built up \u00b7 2021-07-22",
        ),
        (
            "mask_min_2021-04-12T2021-10-05.tif",
            "mask",
            None,
            {},
            "Condition met on every date \u00b7 2021-04-12 to 2021-10-05",
        ),
        (
            "ndvi_max_2021-04-12T2021-10-05.tif",
            "ndvi",
            None,
            {},
            "NDVI, maximum \u00b7 2021-04-12 to 2021-10-05",
        ),
        ("zones_marked_some_land_cover.tif", "landcover", None, {}, "Land cover"),
        ("out_7.tif", "ndvi", None, {}, "NDVI"),
        ("gi_star_2021-07-22.tif", "gi_star", "2021-07-22", {}, "Getis-Ord Gi* z-score \u00b7 2021-07-22"),
        ("a_b.tif", "no_role_at_all", None, {}, "no role at all"),
    ],
)
def test_a_layer_that_a_run_made_is_called_what_it_is(name, role, date, arguments, title):
    record = ProductRecord(name, f"/products/{name}", role, "", date=date)
    step = Step(1, Call("a_tool", {}), Observation("result", "", arguments=arguments))
    assert title_of_product(record, step) == (title, date or "")


def test_a_raster_of_which_pixels_were_kept_is_called_a_part():
    record = ProductRecord("zones_marked.tif", "zones_marked.tif", "landcover", "class")
    step = Step(1, Call("keep_where", {}), Observation("result", "", arguments={}))
    assert title_of_product(record, step) == ("Land cover, part of the ground", "")


def test_what_was_made_of_a_change_is_of_none_of_its_dates_and_on_the_map(tmp_path: Path):
    days = ("2021-07-22", "2022-07-18")
    records = []
    named = [*((f"ndvi_{day}.tif", "ndvi", day) for day in days)]
    named.append((f"mask_ndvi_change_{'T'.join(days)}.tif", "mask", None))
    for step, (name, role, date) in enumerate(named, start=1):
        path = write_raster(tmp_path / name, np.ones((4, 4), "uint8"))
        records.append((step, ProductRecord(name, str(path), role, "", date=date)))
    entries = product_entries(records)[::-1]
    mask = next(entry for entry in entries if entry.step == 3)
    assert (mask.title, mask.date) == ("Mask \u00b7 NDVI change \u00b7 2021-07-22 to 2022-07-18", "")
    observation = Observation("result", "", value=0.72, arguments={"mask_path": records[2][1].name})
    area = Step(4, Call("calculate_area", {}), observation)
    answer = Answer("NDVI on 2022-07-18 is below that of 2021-07-22 in 0.72 ha.", 0.72, evidence=(1, 2, 4))
    view = RunView(state=State("q", steps=(area,)), finished=RunFinished("answered", answer))
    assert layer_of_run(entries, view) == mask


def test_while_a_series_is_made_the_map_keeps_to_the_date_that_is_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    records = []
    for step, role in enumerate(("nir", "red"), start=1):
        for day in ("2021-06-19", "2022-10-04"):
            name = f"{role}_clear_{day}.tif"
            path = write_raster(tmp_path / name, np.ones((4, 4), "float32"))
            records.append((step, ProductRecord(name, str(path), role, "", date=day)))
    entries = product_entries(records)[::-1]
    call = Call("apply_cloud_mask", {})
    steps = tuple(Step(n, call, Observation("result", "", arguments={})) for n in (1, 2))
    view = RunView(state=State("q", steps=steps))
    newest = layer_of_run(entries, view)
    assert newest is not None and (newest.step, newest.date) == (2, "2022-10-04")
    monkeypatch.setattr(selection.st, "session_state", {})
    remember_layer(next(entry for entry in entries if (entry.step, entry.date) == (1, "2021-06-19")))
    kept = layer_of_run(entries, view)
    assert kept is not None and (kept.step, kept.date) == (2, "2021-06-19")


def cloudy(entry: Entry) -> Source:
    """Return the band of a layer as one of clouds."""
    (source,) = entry.layer.sources
    return replace(source, band=replace(source.band, role="cloud_mask"))


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("2021 has the highest mean NDVI: 0.6386. There are images until 2022-10-04.", ["2021"]),
        ("It fell from 2021 to 2022.", ["2021", "2022"]),
        ("2021-06-19 has the highest mean, 1.2021 or 2021.5.", []),
    ],
)
def test_years_are_told_from_days_and_other_numbers(text: str, years: list[str]):
    assert years_of_answer(text) == years


def test_the_map_shows_what_the_answers_number_was_computed_from(tmp_path: Path):
    names = [f"Lake_NDVI_2021-0{month}-01.tif" for month in (5, 6, 7)]
    layers = []
    for place, name in enumerate([*names, "clear_2021-07-01.tif"]):
        values = np.full((4, 4), 0.1 * (place + 1), "float32")
        values[2, 3] = 0.5 + 0.1 * place
        write_raster(tmp_path / name, values)
        description = describe(tmp_path / name)
        layer = MapLayer.of((Source(description, description.bands[0]),), name)
        layers.append(Entry(name, layer, name[-14:-4], step=4 if place == 3 else None))

    def step(number: int, tool: str, value: object, **arguments: object) -> Step:
        observation = Observation("result", "", value=value, arguments=arguments)
        return Step(number, Call(tool, arguments), observation)

    means = step(1, "calc_batch_image_mean", [0.11, 0.22, 0.31], file_list=names)
    mean = step(2, "mean", 0.2133, x=[0.11, 0.22, 0.31])
    clouds = step(4, "apply_cloud_mask", ["saved"], sr_band_path=[names[2]])
    formula = step(4, "calculate_batch_formula", ["saved"], formula="(x0 == 0.7)", rasters={"x0": [names[1]]})
    answer = Answer("Yes: the mean over the dates is 0.2133.", 0.2133, evidence=(1, 2, 4))

    def view(answer: Answer, *steps: Step) -> RunView:
        return RunView(state=State("q", steps=steps), finished=RunFinished("answered", answer))

    # What was called last only checks the answer; the mean of the dates is nearest to the second.
    found = layer_of_run(list(reversed(layers)), view(answer, means, mean, clouds))
    assert found is not None and found.key == names[1]
    change = Answer("It rose by 0.20 from the first to the last.", 0.2, evidence=(1, 2, 4))
    found = layer_of_run(
        list(reversed(layers)),
        view(change, means, replace(mean, observation=replace(mean.observation, value=0.2)), clouds),
    )
    assert found is not None and found.key == names[2]
    # Clouds that were looked at last, beside what was measured, are not the answer.
    dated = Answer("It was highest on 2021-06-01.", evidence=(1, 4))
    mask = replace(layers[1], key="clouds", layer=replace(layers[1].layer, sources=(cloudy(layers[1]),)))
    looked = step(4, "calculate_cloud_cover", 0.0, qa_pixel_path=[names[1]])
    found = layer_of_run([mask, *layers], view(dated, means, looked))
    assert found is not None and found.key == names[1]
    # Of a list by date the newest that has values is shown.
    listed = Answer("The mean: 2021-05-01 0.11; 2021-06-01 0.22; 2021-07-01 no value.", evidence=(1,))
    nothing = replace(layers[2], empty=True)
    found = layer_of_run([*layers[:2], nothing], view(listed, means))
    assert found is not None and found.key == names[1]
    # What a step read is shown where its number is a whole one, and its statistic a text beside the raster.
    whole = Answer("The range is 137 m.", 137.0, evidence=(1,))
    spread = step(1, "image_statistics", [137], image_paths=[names[2]], statistic="range")
    found = layer_of_run(layers[:3], view(whole, spread))
    assert found is not None and found.key == names[2]
    # Of files of several variables whose dates were only counted none is shown before the first input.
    counted = Answer("Yes: there are 3 dates.", evidence=(1,))
    dates = step(1, "summarize_dates", {"count": 4}, file_list=names)
    found = layer_of_run(
        [*layers[:2], replace(mask, layer=replace(mask.layer, sources=(cloudy(layers[2]),)))],
        view(counted, dates),
    )
    assert found is not None and found.key == names[0]
    # Of a year that is told one of its rasters is shown, which its number was made of on the way.
    later = replace(layers[2], date="2022-07-01")
    split = step(2, "summarize_values", [0.165, 0.31], values=[[0.11, 0.22], [0.31]], statistic="mean")
    checked = step(4, "apply_cloud_mask", ["saved"], sr_band_path=[names[2]])
    best = Answer("2021 has the lowest mean NDVI: 0.165. In 2022 it was 0.31.", 0.165, evidence=(1, 2, 4))
    found = layer_of_run([later, *layers[:2]], view(best, means, split, checked))
    assert found is not None and found.date[:4] == "2021"
    both = replace(best, text="It was 0.165 in 2021 and 0.31 in 2022.")
    assert layer_of_run([later, *layers[:2]], view(both, means, split, checked)) is later
    # A mask, on which nothing may be seen, is no first input where there is another.
    found = layer_of_run([mask, *layers[:2]], view(counted))
    assert found is not None and found.key == names[0]
    # A question that asks back shows the map that its first reading comes to.
    made = replace(layers[3], key="product change.tif")
    asks = Answer("Which is meant?", readings=(Reading(1, "a", "none"), Reading(2, "b", "change.tif")))
    found = layer_of_run([*layers[:3], made], view(asks, clouds))
    assert found is made
    # A place is seen on what it was found in, not on the mask of its one pixel.
    place = {"longitude": 15.2, "latitude": 46.9, "pixels": 1}
    located = step(5, "mask_centroid", place, mask_path="change.tif")
    found = layer_of_run([*layers[:3], made], view(replace(asks, evidence=(4, 5)), clouds, located))
    assert found is not None and found.key == names[2]
    found = layer_of_run([*layers[:3], made], view(replace(asks, evidence=(4, 5)), formula, located))
    assert found is not None and found.key == names[1]
    maxima = step(1, "calc_batch_image_max", [0.5, 0.7, 0.6], file_list=[names[0], names[2], names[1]])
    answer = Answer("The maximum over all pixels is 0.7002.", 0.7, evidence=(1,))
    assert places_of(view(answer, maxima), layers) == ()
    of_extreme = view(replace(answer, text="The maximum over all pixels is 0.700."), maxima)
    found = layer_of_run(layers, of_extreme)
    assert found is not None and found.key == names[2]
    (place,) = places_of(of_extreme, layers)
    # Of the maxima of several dates each is marked on its own raster.
    several = replace(answer, text="The maxima: 2021-05-01 0.500; 2021-06-01 0.600; 2021-07-01 0.700.")
    listed = [places_of(view(several, maxima), layers, None, shown) for shown in (*layers[:3], None)]
    assert [[each.label for each in found] for found in listed] == [["0.5"], ["0.6"], ["0.7"], []]
    way = Transformer.from_crs("EPSG:4326", UTM, always_xy=True)
    assert way.transform(place.longitude, place.latitude) == pytest.approx((ORIGIN[0] + 35, ORIGIN[1] - 25))
    assert place.label == "0.7"


def test_what_an_answer_lists_is_taken_apart_and_nothing_is_lost():
    items = [f"2021-0{month}-12 0.{month}154" for month in range(1, 9)]
    text = f"The mean NDVI in 2021: {'; '.join(items)}. 2 dates have no valid pixel and were left out."
    found = listing_in(text)
    assert found == Listing(
        "The mean NDVI in 2021", tuple(items), "2 dates have no valid pixel and were left out."
    )
    assert listing_in(f"Areas: {'; '.join(items)}.") == Listing("Areas", tuple(items), "")
    # The dates of a season in a row would break between a date and its value.
    assert listing_in(f"Means: {'; '.join(items[:5])}.") == Listing("Means", tuple(items[:5]), "")


@pytest.mark.parametrize(
    "text",
    [
        "2016-08-14 (0.7341): there the mean NDVI without cloudy pixels is highest.",
        "Forest 12 ha; water 3 ha; grassland 4 ha.",
        "The mean: " + "; ".join(["2021-01-12 0.6"] * 4) + ".",
        "The mean: " + "; ".join(["2021-01-12, of which more is said than a table has room for: 0.6"] * 8),
        "The mean: " + "; ".join(["It fell. It rose"] * 8) + ".",
    ],
)
def test_a_sentence_stays_one(text):
    assert listing_in(text) is None
