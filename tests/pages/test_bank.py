"""The Memory page's bank: search, what a run distilled, mute and merge, export and import."""

from __future__ import annotations

import pytest

from tests.core.teams.test_bank_history import CONTRAST, PATTERN, work
from tests.pages.conftest import assert_whole
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.items import BankItem
from treeline.pages.parts.memory.bank.charts import growth_option
from treeline.pages.parts.memory.bank.view import CHOSEN, search_items

ATTACK = "<script>alert(1)</script> [a](javascript:alert(1)) **b**"


@pytest.fixture
def bank(served) -> MemoryBank:
    work(served.store, "first", PATTERN, CONTRAST)
    work(served.store, "second", used=(PATTERN.key,))
    return MemoryBank(served.store)


def open_bank(app, **query: str):
    app.run()
    app.switch_page("memory.py").run()
    app.segmented_control(key="memory-part").set_value("Memory bank").run()
    assert_whole(app)
    return app


def shown_text(app) -> str:
    return " ".join(item.value for item in (*app.markdown, *app.caption))


def choose(app, bank, *rows: int):
    """Choose rows of the list, the newest item first, as the table's callback does."""
    newest_first = [item.key for item in reversed(bank.items())]
    app.session_state[CHOSEN] = [newest_first[row] for row in rows]
    return app.run()


def test_an_empty_bank_says_how_it_fills(app):
    open_bank(app)
    assert "Evolver" in app.info[0].value


def test_the_list_has_sources_uses_and_successes(app, bank):
    open_bank(app)
    rows = next(item.value for item in app.dataframe if "What it says" in item.value.columns)
    assert set(rows["Kind"]) == {"pattern", "contrast"}
    (used,) = rows[rows["Kind"] == "pattern"].to_dict("records")
    assert (used["Runs"], used["Used"], used["Helped"], used["Harmed"]) == (1, 1, 1, 0)
    assert len(app.get("echarts_chart")) == 1


def test_a_run_shows_the_bank_before_and_after_it(app, bank):
    open_bank(app)
    app.segmented_control(key="bank-side").set_value("What a run changed").run()
    assert_whole(app)
    assert "question of second" in shown_text(app)
    assert "Before: distilled from 1 run · After: distilled from 1 run, used in 1 run" in shown_text(app)
    app.selectbox(key="bank-run-picked").set_value("first").run()
    assert "2 items new" in shown_text(app) and "Before: not in the bank" in shown_text(app)


def test_an_item_is_muted_and_enters_no_run_until_it_is_unmuted(app, bank):
    app = choose(open_bank(app), bank, 0)
    assert_whole(app)
    chosen = bank.items()[-1]
    app.button(key=f"bank-mute-{chosen.key}").click().run()
    assert [item.key for item in bank.items() if item.muted] == [chosen.key]
    assert chosen.key not in {hit.item.key for hit in bank.search(chosen.topic, 5)}


def test_what_waits_for_a_review_enters_runs_once_it_is_accepted(app, bank):
    offered = BankItem(
        "guardrail", "mean lst", "Measure lst.", None, ("gone",), review="proposed", reviewer=""
    )
    bank.consolidate([offered])
    app = open_bank(app)
    app.toggle(key="bank-to-review").set_value(True).run()
    assert_whole(app)
    rows = next(item.value for item in app.dataframe if "What it says" in item.value.columns)
    assert list(rows["What it says"]) == ["proposed: Measure lst."]
    app = choose(app, bank, 0)
    assert "No run uses it before it is accepted" in shown_text(app)
    app.button(key=f"bank-accepted-{offered.key}").click().run()
    assert_whole(app)
    item = bank.get(offered.key)
    assert item.enters and item.reviewer not in ("", "judge")


def test_words_and_key_are_edited_and_a_key_that_is_none_is_refused(app, bank):
    app = choose(open_bank(app), bank, 0)
    chosen = bank.items()[-1]
    text, key, _ = (next(a for a in app.text_area if a.label == label) for label in _EDITED)
    text.set_value("Say it otherwise.")
    key.set_value("no key")
    save(app)
    assert "A key is a list of expressions" in app.error[0].value
    next(a for a in app.text_area if a.label == "Key").set_value('[{"node": "Number", "b": 1}]')
    save(app)
    assert_whole(app)
    item = bank.get(chosen.key)
    assert (item.text, item.expression) == ("Say it otherwise.", '[{"b":1,"node":"Number"}]')


_EDITED = ("What it says", "Key", "Checks of the answer, one a line")


def save(app) -> None:
    next(button for button in app.button if button.label == "Save").click().run()


def test_items_are_merged_into_the_one_that_is_kept(app, bank):
    app = choose(open_bank(app), bank, 0, 1)
    app.button(key="bank-merge").click().run()
    assert_whole(app)
    assert len(bank.items()) == 1


def test_what_is_chosen_stays_chosen_where_the_list_changes(app, bank, served):
    app = choose(open_bank(app), bank, 1)
    chosen = app.session_state[CHOSEN]
    app.text_input(key="bank-search").set_value("mean").run()
    work(
        served.store,
        "third",
        BankItem("pattern", "another topic", "Another text.", None, ("third",)),
    )
    app.text_input(key="bank-search").set_value("").run()
    assert_whole(app)
    assert app.session_state[CHOSEN] == chosen
    assert app.button(key=f"bank-mute-{chosen[0]}") is not None


def test_a_search_finds_by_words_and_by_likeness(bank):
    items = bank.items()
    assert search_items(bank, items, "")[0][1] is None
    words = search_items(bank, items, "called")
    assert [item.key for item, _ in words][0] == CONTRAST.key
    like = search_items(bank, items, "what is the mean ndvi of june")
    assert {item.key for item, _ in like} == {PATTERN.key, CONTRAST.key}
    assert all(score is not None and score > 0.1 for _, score in like)
    bank.mute(CONTRAST.key)
    assert CONTRAST.key in {item.key for item, _ in search_items(bank, bank.items(), "called")}


def test_the_growth_ends_with_the_counts(bank):
    option = growth_option(bank.items(), [], dark=False)
    assert {s["name"]: s["data"][-1][1] for s in option["series"]} == {"pattern": 1, "contrast": 1}


def test_what_an_item_says_is_shown_as_it_stands(app, served):
    bank = MemoryBank(served.store)
    bank.consolidate([BankItem("guardrail", ATTACK, ATTACK, None, ("gone",))])
    app = choose(open_bank(app), bank, 0)
    assert "\\<script\\>" in shown_text(app) and "\\[a\\]\\(javascript" in shown_text(app)
    assert "gone: not in this store" in shown_text(app)
