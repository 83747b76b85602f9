"""The Knowledge page, and the card of a run on the Workbench."""

from __future__ import annotations

import json

import pytest

from tests.knowledge.test_card import VALID
from tests.pages.conftest import NDVI_ACTIONS, ask, assert_whole
from treeline.core.context.cards import card_of_note, common_cards
from treeline.core.engine.events import Note
from treeline.core.engine.journal import events_of
from treeline.core.engine.state import state_of
from treeline.knowledge import TAXONOMY, CardMatch, TaskCard, built_in_cards
from treeline.pages.parts.knowledge.charts import (
    chain_option,
    chain_tools,
    scores_option,
    taxonomy_names,
    taxonomy_option,
)
from treeline.pages.parts.knowledge.edit import difference
from treeline.toolkit import SkillTree, registry

CARDS = built_in_cards()
TREE = SkillTree.of(registry())


def nodes_of(data: list[dict]) -> list[str]:
    """Return the names of a treemap's nodes in the order in which ECharts numbers them."""
    return [name for node in data for name in (node["name"], *nodes_of(node.get("children", [])))]


def open_page(app, card: str | None = None):
    app.run()
    if card:
        app.query_params["card"] = card
        app.session_state["knowledge-card"] = card
    app.switch_page("knowledge.py").run()
    assert_whole(app)
    return app


def page_text(app) -> str:
    return "\n".join(item.value for kind in (app.markdown, app.caption, app.error) for item in kind)


def button(app, label: str):
    return next(item for item in app.button if item.label == label)


def test_every_card_is_in_the_chart_under_its_sub_domain():
    (series,) = taxonomy_option(CARDS, dark=False)["series"]
    assert [domain["name"] for domain in series["data"]] == list(TAXONOMY)
    titles = {card.id: card.title for card in CARDS}
    drawn, meant = ["", *nodes_of(series["data"])], taxonomy_names(CARDS)
    assert len(drawn) == len(meant) == 1 + 3 + 12 + len(CARDS)
    for name, target in zip(drawn, meant, strict=True):
        assert name == titles.get(target, target) or name.startswith(f"{target} (")


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_the_chain_of_every_card_is_drawn_whole_over_the_tree(card):
    (series,) = chain_option(TREE, card.tools, dark=True)["series"]
    kit_of = {tool.name: kit for kit, tools in TREE.tools.items() for tool in tools}
    drawn = {node["name"] for node in series["data"]}
    assert drawn >= {registry().get(name).name for name in card.tools}
    links = {(link["source"], link["target"]) for link in series["links"]}
    own = [registry().get(name).name for name in card.tools]
    assert links >= {(kit_of[name], name) for name in own}
    assert links >= {(a, b) for a, b in zip(own, own[1:], strict=False) if a != b}
    assert all(source in drawn and target in drawn for source, target in links)


def test_a_tool_that_comes_twice_has_both_numbers_and_an_unknown_one_is_left_out():
    tools = chain_tools(TREE, ["mean", "difference", "mean", "no_such_tool"])
    assert [(tool.name, tool.places) for tool in tools] == [("mean", (1, 3)), ("difference", (2,))]


def test_bars_of_a_score_are_its_parts():
    card = CARDS[0]
    match = CardMatch(card.id, 0.5, 0.2, 0.1, 0.16, 0.04, ("a", "b"))
    option = scores_option([match], {card.id: card}, dark=False)
    parts = {series["name"]: series["data"] for series in option["series"]}
    assert parts == {"cosine": [0.2], "title": [0.1], "keywords": [0.16], "content": [0.04]}


def test_two_versions_differ_in_the_lines_that_were_changed():
    before = TaskCard.from_content(VALID)
    after = before.model_copy(update={"title": "Quite another title", "version": 2})
    lines = difference(before, after).splitlines()
    assert {line[0] for line in lines} == {"-", "+"} and len(lines) == 2
    assert any("Quite another title" in line for line in lines)


def test_the_page_lists_all_cards_and_shows_the_chart(app):
    open_page(app)
    (chart,) = app.get("echarts_chart")
    assert json.loads(chart.proto.spec)["series"][0]["type"] == "treemap"
    assert len(app.dataframe[0].value) == len(CARDS)
    assert f"{len(CARDS)} cards" in page_text(app)


def test_a_search_takes_the_score_apart(app):
    open_page(app)
    app.text_input(key="card-search").set_value("share of dry land by TVDI from NDVI and LST").run()
    assert_whole(app)
    rows = app.dataframe[0].value
    assert rows["Card"][0].startswith("Share of dry land")
    parts = rows["Cosine"] + rows["Title"] + rows["Keywords"] + rows["Content"]
    assert list(parts) == pytest.approx(list(rows["Score"]))
    spec = json.loads(app.get("echarts_chart")[0].proto.spec)
    assert [series["name"] for series in spec["series"]] == ["cosine", "title", "keywords", "content"]
    app.text_input(key="card-search").set_value("the capital of France").run()
    assert "No card fits" in app.info[0].value


def test_a_card_is_edited_checked_and_restored(app):
    open_page(app, "snow_cover")
    app.text_area(key="edit-snow_cover-1-tools").set_value("get_filelist\ncalculate_batch_ndsy")
    button(app, "Save as a new version").click().run()
    assert "calculate_batch_ndsy" in app.error[0].value.replace("\\", "")
    assert "calculate_batch_ndsi" in app.error[0].value.replace("\\", "")
    assert [card.version for card in common_cards().versions("snow_cover")] == [1]

    app.text_area(key="edit-snow_cover-1-tools").set_value("get_filelist\ncalculate_batch_ndsi")
    button(app, "Save as a new version").click().run()
    assert_whole(app)
    assert common_cards().get("snow_cover").tools == ("get_filelist", "calculate_batch_ndsi")
    assert "version 2 of 2" in page_text(app)
    assert any(item.value.startswith("-  - ") and "+" not in item.value for item in app.code)

    app.button(key="restore-1").click().run()
    assert_whole(app)
    restored = common_cards().get("snow_cover")
    assert restored.version == 3 and restored.tools == common_cards().versions("snow_cover")[0].tools


def test_nothing_changed_is_no_new_version(app):
    open_page(app, "snow_cover")
    button(app, "Save as a new version").click().run()
    assert "Nothing was changed" in app.error[0].value
    assert common_cards().get("snow_cover").version == 1


def test_a_new_card_is_written_in_the_browser(app):
    open_page(app)
    button(app, "New card").click().run()
    app.text_input(key="edit-new-id").set_value("snow_cover")
    app.text_input(key="edit-new-title").set_value(VALID["title"])
    app.text_area(key="edit-new-definition").set_value(VALID["definition"])
    for field in ("suggestion", "pitfalls", "keywords"):
        app.text_area(key=f"edit-new-{field}").set_value("\n".join(VALID[field]))
    button(app, "Save the new card").click().run()
    assert "already" in app.error[0].value
    app.text_input(key="edit-new-id").set_value("dune_migration")
    button(app, "Save the new card").click().run()
    assert_whole(app)
    assert common_cards().get("dune_migration").version == 1
    assert VALID["title"].split()[0] in page_text(app)


def test_a_question_is_asked_with_a_card_and_the_workbench_tells_it(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    open_page(app, "vegetation_state")
    app.text_input(key="card-question").set_value("What is the mean NDVI of each date?")
    button(app, "Ask with this card").click().run()
    (record,) = served.store.runs()
    served.manager.wait(record.id, 30)
    card = common_cards().get("vegetation_state")
    events = [stored.event for stored in events_of(served.store, record.id)]
    assert state_of(events).context["cards"] == card.guidance
    assert record.options["card"] == card.id
    assert [card_of_note(event)["id"] for event in events if isinstance(event, Note)] == [card.id]
    app.switch_page("workbench.py").run()
    assert_whole(app)
    assert "Vegetation coverage" in app.button(key="card-of-run").label


def test_a_run_gets_the_best_card_or_none_when_that_is_chosen(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    run = ask(app, served, "What is the mean NDVI of each date?")
    events = [stored.event for stored in events_of(served.store, run)]
    (told,) = [card_of_note(event) for event in events if isinstance(event, Note) and card_of_note(event)]
    assert told["match"]["score"] > 0.2
    app.session_state["card"] = "none"
    scripted(*NDVI_ACTIONS)
    run = ask(app, served, "What is the mean NDVI of each date?")
    events = [stored.event for stored in events_of(served.store, run)]
    assert "cards" not in state_of(events).context
    assert not [event for event in events if isinstance(event, Note) and card_of_note(event)]
