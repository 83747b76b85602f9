"""The Memory page: from a failure to its fix, and the upkeep of entries."""

from __future__ import annotations

import pytest

from tests.core.memory import scenes
from tests.core.memory.test_rounds_planner import THERMAL
from tests.pages.conftest import assert_whole
from treeline.core.context.guardrails import RequireRole
from treeline.core.memory.failure import FailureMemory
from treeline.core.runs.options import RunOptions
from treeline.pages.parts.memory.charts import rounds_option, timeline_option
from treeline.pages.parts.memory.entries import fits
from treeline.pages.parts.shared.session import PendingStart


@pytest.fixture
def corrected_question(home, served):
    """A question that failed and was mended, in a workspace of its own."""
    name = served.library.create("Thermal")
    folder = home / "workspaces" / name / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    scenes.spoilt_thermal(folder)
    run = served.manager.create(name, THERMAL, RunOptions(rounds=3))
    served.manager.work(run)
    return name, run


def open_page(app, entry=None):
    app.run()
    if entry is not None:
        app.session_state["memory-entry"] = entry
    app.switch_page("memory.py").run()
    assert_whole(app)


def texts(app):
    return " ".join(item.value for item in (*app.markdown, *app.caption))


def test_an_empty_memory_says_how_it_fills(app):
    open_page(app)
    assert "Rounds" in app.info[0].value


def test_a_failure_is_followed_to_its_fix(app, served, corrected_question):
    (entry,) = FailureMemory(served.store).entries()
    open_page(app, entry.id)
    listed = next(item.value for item in app.dataframe if "What failed" in item.value.columns)
    assert list(listed["What failed"]) == ["failed call, refusal"] and list(listed["Helped"]) == [1]
    compared = next(item.value for item in app.dataframe if "Round 2" in item.value.columns)
    assert any("lst_multi_channel" in text for text in compared["Round 2"])
    assert "+ new" in set(compared[""])
    shown = texts(app)
    assert "Make lst another way" in shown and "times shorter" in shown
    assert any("lst_single_channel" in item.value for item in app.code)
    assert len(app.get("echarts_chart")) == 2


def test_an_entry_is_pinned_muted_deleted_and_brought_back(app, served, corrected_question):
    memory = FailureMemory(served.store)
    entry = memory.entries()[0].id
    open_page(app, entry)
    app.button(key="memory-pinned").click().run()
    app.button(key="memory-muted").click().run()
    assert (memory.get(entry).pinned, memory.get(entry).muted) == (True, True)
    app.button(key="memory-deleted").click().run()
    assert_whole(app)
    assert memory.entries() == []
    next(button for button in app.button if button.label == "Undo").click().run()
    assert_whole(app)
    assert [found.id for found in memory.entries()] == [entry]


def test_an_entry_is_edited_and_a_wrong_guardrail_is_refused(app, served, corrected_question):
    memory = FailureMemory(served.store)
    entry = memory.entries()[0]
    open_page(app, entry.id)

    def save(text, rules):
        app.text_area[0].set_value(text)
        app.text_area[1].set_value(rules)
        next(button for button in app.button if button.label == "Save").click().run()
        assert_whole(app)

    save("Mind the emissivity.", '{"kind": "no_such"}')
    assert "Line 1" in app.error[0].value and memory.versions(entry.id) == []
    save("Mind the emissivity.", '{"kind": "require_role", "role": "lst", "instead_of": ["bt10"]}')
    edited = memory.get(entry.id).lesson
    assert (edited.text, edited.guardrails) == ("Mind the emissivity.", (RequireRole("lst", ("bt10",)),))
    assert memory.versions(entry.id) == [entry.lesson]


def test_the_workbench_shows_the_rounds(app, served, corrected_question):
    name, run = corrected_question
    app.session_state["wanted-workspace"] = PendingStart(name)
    app.session_state["run"] = run
    app.run()
    assert_whole(app)
    choices = [[option.content for option in group.proto.options] for group in app.get("button_group")]
    assert ["Round 1 ✕", "Round 2 ✓"] in choices
    assert any("LST" in item.value for item in app.markdown)


def test_charts_and_search(served, corrected_question):
    (entry,) = FailureMemory(served.store).entries()
    option = timeline_option([entry], "#000")
    assert option["yAxis"]["data"] == ["failed call"]
    assert option["series"][0]["data"][0]["itemStyle"]["color"] == "#1b7f4d"
    from treeline.core.memory.inspection import by_round

    shares = rounds_option(by_round(served.store), "#000")["series"][0]["data"]
    assert shares == [0.0, 100.0]
    assert fits(entry, "SPLIT_WINDOW failed") and not fits(entry, "clouds")
