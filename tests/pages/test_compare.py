from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from tests.pages.conftest import NDVI_ACTIONS, ask, assert_whole
from treeline.core.context.ledger import PARTS, Prices, ledger_of
from treeline.core.engine.actions import Answer, Doc, Skill
from treeline.core.engine.journal import recorded_state
from treeline.pages.parts.compare.view import ComparedRun, names_of, sequence_text
from treeline.pages.parts.shared.ledger_chart import ledger_option
from treeline.pages.parts.shared.run_view import RunView


@pytest.fixture
def compare(app):
    """The Compare page."""
    app.run()
    app.switch_page("compare.py").run()
    return app


def start(app, served, strategies, expert=""):
    app.text_input(key="compare-question").set_value("What is the mean NDVI of each date?")
    app.multiselect(key="compare-strategies").set_value(strategies)
    if expert:
        app.text_input(key="compare-expert").set_value(expert)
    app.run()
    app.button(key="compare-start").click().run()
    runs = app.session_state["compared"].split(",")
    for run in runs:
        served.manager.wait(run, 30)
    app.run()
    return runs


def summary(app):
    return app.dataframe[0].value.set_index("Strategy")


def test_strategies_run_on_the_same_question_and_are_told_apart(compare, served, scripted):
    scripted(*NDVI_ACTIONS)
    runs = start(compare, served, ["progressive", "flat"], "calculate_batch_ndvi, mean")
    assert_whole(compare)
    assert [served.store.run(run).options["disclosure"] for run in runs] == ["progressive", "flat"]
    table = summary(compare)
    assert list(table.index) == ["progressive", "flat"]
    columns = json.loads(compare.dataframe[0].proto.columns)
    for tokens in ("Input tokens", "A turn", "Cached", "Output"):
        assert columns[tokens]["type_config"]["format"] == "localized"
    assert set(table["Status"]) == {"answered"} and set(table["Any order"]) == {0.5}
    # The endpoint of the script reports 100 tokens a turn; what flat would cost shows in the chart.
    spec = next(
        json.loads(chart.proto.spec)
        for chart in compare.get("echarts_chart")
        if json.loads(chart.proto.spec)["series"][0]["type"] == "line"
    )
    lines = {series["name"]: series["data"] for series in spec["series"]}
    assert min(lines["flat"]) > 5 * max(lines["progressive"])
    assert "What is the mean NDVI" in compare.text_input(key="compare-question").value


def test_five_strategies_have_a_row_a_line_and_a_tree_each(compare, served, scripted):
    scripted(*NDVI_ACTIONS)
    strategies = ["progressive", "adaptive", "flat", "retrieval", "two_layer"]
    runs = start(compare, served, strategies)
    assert_whole(compare)
    assert list(summary(compare).index) == strategies
    charts = [json.loads(chart.proto.spec)["series"] for chart in compare.get("echarts_chart")]
    (lines,) = (series for series in charts if series[0]["type"] == "line")
    assert [line["name"] for line in lines] == strategies
    assert len({line["itemStyle"]["color"] for line in lines}) == len(strategies)
    assert sum(series[0]["type"] == "tree" for series in charts) == len(runs)
    assert all(compare.button(key=f"open-{run}").label == "Open" for run in runs)


def test_the_cost_follows_the_prices(compare, served, scripted):
    scripted(*NDVI_ACTIONS)
    start(compare, served, ["progressive", "two_layer"])
    assert "Cost" not in summary(compare)
    compare.session_state["price-input"] = 10.0
    compare.run()
    assert list(summary(compare)["Cost"]) == pytest.approx([10.0 * 5 * 100 / 1e6] * 2)


def test_one_strategy_is_no_comparison(compare):
    compare.multiselect(key="compare-strategies").set_value(["flat"]).run()
    assert compare.button(key="compare-start").disabled


def test_an_empty_question_is_refused_in_words(compare):
    compare.button(key="compare-start").click().run()
    assert_whole(compare)
    assert any("question is empty" in error.value.replace("\\", "") for error in compare.error)


def test_runs_of_one_strategy_are_told_apart_by_their_questions():
    def run(number, strategy, question):
        record = SimpleNamespace(id=str(number), options={"disclosure": strategy}, question=question)
        return ComparedRun(record, RunView(), ledger_of(RunView().state))

    runs = [run(1, "flat", "How green?"), run(2, "flat", "How warm?"), run(3, "adaptive", "How green?")]
    assert names_of(runs) == ["flat (How green?)", "flat (How warm?)", "adaptive"]
    assert len(set(names_of([run(1, "flat", "How green?"), run(2, "flat", "How green?")]))) == 2


def test_the_experts_tools_are_marked():
    text = sequence_text(["get_filelist", "mean"], ["mean"])
    assert text.startswith("get") and ":green-badge[mean]" in text


def test_a_price_of_cached_tokens_counts_for_them_alone(served, app, scripted):
    scripted(Skill("Index"), Doc("calculate_batch_ndvi"), Answer("No."))
    run = ask(app, served, "What is NDVI?")
    ledger = ledger_of(_state(served, run))
    assert Prices(input=1.0).of(ledger) == pytest.approx((ledger.input - ledger.cached_input) / 1e6)


def test_the_bars_of_a_turn_are_its_parts(served, app, scripted):
    scripted(Skill("Index"), Doc("calculate_batch_ndvi"), Answer("No."))
    ledger = ledger_of(_state(served, ask(app, served, "What is NDVI?")))
    option = ledger_option(ledger, dark=False)
    names = [series["name"] for series in option["series"]]
    assert set(names) <= set(PARTS) and {"system", "tree", "documents", "catalogue", "question"} <= set(names)
    heights = [sum(values) for values in zip(*(series["data"] for series in option["series"]), strict=True)]
    assert heights == [turn.total for turn in ledger.turns]


def _state(served, run):
    return recorded_state(served.store, run)
