"""A conversation on the Workbench: parts that are changed, what can follow, a branch."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.conftest import DATES, ask, assert_whole, frame
from tests.rasters import write_raster
from treeline.core.runs.rephrasing import branches_of
from treeline.pages.parts.shared.answer import without_file_names
from treeline.pages.parts.shared.session import PendingStart
from treeline.pages.parts.shared.text import plain
from treeline.pages.parts.workbench.thread import rephrasing_of


def press(app, served, key):
    """Click what asks a question, wait for its end and return the run."""
    app.button(key=key).click().run()
    run = app.session_state["run"]
    served.manager.wait(run, 60)
    app.run()
    assert_whole(app)
    return run


@pytest.fixture
def page_with_question(app, served):
    return ask(app, served, "What is the mean NDVI of each date?")


def test_what_can_follow_is_asked_by_a_click_and_follows(app, served, page_with_question):
    assert_whole(app)
    found = rephrasing_of(page_with_question)
    assert found is not None and "in 2021" not in found.following
    run = press(app, served, f"following-{page_with_question}-0")
    assert run != page_with_question
    record = served.store.run(run)
    assert record.options["after"] == page_with_question and record.question == found.following[0]
    assert app.text_input(key="question").value == record.question
    assert record.status == "answered"
    assert served.store.run(page_with_question).status == "answered"
    # A fragment that is declined offers what can follow the answer before it, and first questions.
    app.text_input(key="question").set_value("and the purple elephants?")
    next(button for button in app.button if button.label == "Ask").click().run()
    declined = app.session_state["run"]
    served.manager.wait(declined, 60)
    app.run()
    assert_whole(app)
    assert served.store.run(declined).status == "declined"
    offered = [button.key or "" for button in app.button]
    assert f"following-{run}-0" in offered and "first-0" in offered
    # A question that can be read by itself follows nothing.
    alone = ask(app, served, f"What is the maximum NDVI on {DATES[0]}?")
    assert served.store.run(alone).options["after"] == ""


def test_a_part_is_changed_and_asked_again(app, served, page_with_question):
    parts = {part.name: part for part in rephrasing_of(page_with_question).parts}
    assert parts["statistic"].now == "mean" and parts["variable"].now == "NDVI"
    app.session_state[f"part-statistic-{page_with_question}"] = True
    app.run()
    assert_whole(app)
    run = press(app, served, f"change-statistic-{page_with_question}-0")
    record = served.store.run(run)
    assert record.options["after"] == page_with_question and "median" in record.question
    assert record.status == "answered"
    assert app.session_state["run"] == run


def test_a_fragment_is_pinned_and_listed_with_what_it_follows(app, home, served, page_with_question):
    run = press(app, served, f"following-{page_with_question}-0")
    served.pins.add(run)
    app.switch_page("pinned.py").run()
    assert_whole(app)
    first, second = (served.store.run(each).question for each in (page_with_question, run))
    assert any(plain(f"{first} \u2192 {second}") in each.value for each in app.markdown)
    news = "ask again to see what that changes"
    assert not any(news in each.value for each in app.caption)
    bands = np.stack([np.full((40, 40), 0.1), np.full((40, 40), 0.5)]).astype("float32")
    write_raster(home / "workspaces" / "demo" / "inputs" / "Place_2031-01-01.tif", bands)
    served.library.get("demo").refresh()
    app.run()
    assert any(news in each.value for each in app.caption)
    # While it is asked again, what it was stays in sight.
    before = served.pins.result(served.pins.of_run(run)).answer
    asked = served.pins.ask(served.pins.of_run(run).id)
    served.manager.wait(asked, 60)
    served.store.set_status(asked, "running")
    app.run()
    assert_whole(app)
    # The card shows the map, whose file it does not name.
    assert before is not None and " is ndvi_mean" in before
    assert any(plain(without_file_names(before)) in each.value for each in app.markdown)
    assert not any(" is ndvi" in each.value for each in app.markdown)
    served.store.set_status(asked, "answered")
    app.switch_page("runs.py").run()
    assert f"{second} \u2190 {first}" in list(frame(app, "Question")["Question"])


def test_an_earlier_question_is_edited_as_a_branch(app, served, page_with_question):
    second = press(app, served, f"following-{page_with_question}-0")
    app.session_state["thread"] = True
    app.run()
    app.button(key=f"thread-edit-{second}").click().run()
    assert_whole(app)
    assert app.text_input(key="question").value == served.store.run(second).question
    app.text_input(key="question").set_value("the median")
    next(button for button in app.button if button.label == "Ask").click().run()
    branch = app.session_state["run"]
    served.manager.wait(branch, 60)
    assert served.store.run(branch).options["after"] == page_with_question
    app.run()
    app.session_state["thread"] = True
    app.run()
    assert_whole(app)
    # The branch that was left can be seen, and gone back to.
    app.button(key=f"thread-show-{second}").click().run()
    assert app.session_state["run"] == second
    # What is edited is told, and can be left.
    app.session_state["thread"] = True
    app.run()
    app.button(key=f"thread-edit-{page_with_question}").click().run()
    assert app.session_state["thread"] is False
    assert app.button(key="editing").label.startswith("Editing: What is the mean")
    app.button(key="editing").click().run()
    assert_whole(app)
    assert app.text_input(key="question").value == served.store.run(second).question
    # So can the first question, whose edition follows nothing.
    app.session_state["thread"] = True
    app.run()
    app.button(key=f"thread-edit-{page_with_question}").click().run()
    app.text_input(key="question").set_value(f"What is the maximum NDVI on {DATES[1]}?")
    next(button for button in app.button if button.label == "Ask").click().run()
    other = app.session_state["run"]
    served.manager.wait(other, 60)
    assert served.store.run(other).options["after"] == ""
    conversation = [(depth, each.id) for depth, each in branches_of(served.store, served.store.run(other))]
    assert conversation == [(1, page_with_question), (2, second), (2, branch), (1, other)]
    app.run()
    app.session_state["thread"] = True
    app.run()
    app.button(key=f"thread-show-{page_with_question}").click().run()
    assert app.session_state["run"] == page_with_question


def test_what_was_begun_and_is_not_shown_yet_is_not_begun_again():
    new, began = PendingStart(), []

    def start() -> str:
        began.append(1)
        return f"run-{len(began)}"

    new.begin(start)
    new.begin(start)
    assert (new.name, len(began)) == ("run-1", 1)
    new.name = ""
    new.begin(start)
    assert new.name == "run-2"
