"""The Lessons page: made of a run, played with choices, hints and a score, annotated by a teacher."""

from __future__ import annotations

import pytest

from tests.pages.conftest import NDVI_ACTIONS, ask, assert_whole
from treeline.core.engine.journal import recorded_state
from treeline.core.runs.lessons.choices import choices_at
from treeline.core.runs.lessons.lesson import Lesson, StepNote, keep_lesson, lesson_of
from treeline.pages.parts.lessons.score import Attempt, points_of
from treeline.pages.parts.shared.services import tree_of


@pytest.fixture
def lesson(app, served, scripted):
    """A lesson of five steps, opened at its beginning."""
    scripted(*NDVI_ACTIONS)
    run = ask(app, served, "What is the mean NDVI?")
    folder = served.library.folder / "demo"
    notes = {1: StepNote(hint="Think of indices.", note="A kit is opened first.")}
    keep_lesson(folder, Lesson(run=run, title="First steps", notes=notes))
    app.switch_page("lessons.py").run()
    assert_whole(app)
    app.button(key=f"play-{run}").click().run()
    assert_whole(app)
    return run


def right(served, run, at):
    """Return the place of the choice that the run took."""
    steps = recorded_state(served.store, run).steps
    return next(i for i, choice in enumerate(choices_at(steps, at, tree_of(run))) if choice.taken)


def texts(app):
    return "\n".join(item.value for kind in ("markdown", "caption", "info") for item in app.get(kind))


def test_a_run_becomes_a_lesson_and_is_deleted_as_one(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    run = ask(app, served, "What is the mean NDVI?")
    app.session_state["listed-run"] = run
    app.switch_page("runs.py").run()
    next(button for button in app.button if button.label == "Make a lesson").click().run()
    assert_whole(app)
    assert lesson_of(served.library.folder / "demo", run).title == "What is the mean NDVI?"
    app.session_state["lesson-run"] = None
    app.query_params.clear()
    app.switch_page("lessons.py").run()
    assert_whole(app)
    app.button(key=f"delete-{run}").click().run()
    assert_whole(app)
    assert served.store.run(run) is not None
    assert not any((button.key or "") == f"play-{run}" for button in app.button)


def test_whoever_is_sent_to_another_page_stays_in_the_workspace(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    app.session_state["listed-run"] = ask(app, served, "What is the mean NDVI?")
    name = served.library.create("Other")
    app.run()
    app.selectbox(key="workspace").set_value(name).run()
    app.switch_page("runs.py").run()
    next(button for button in app.button if button.label == "Make a lesson").click().run()
    assert_whole(app)
    assert app.selectbox(key="workspace").value == name


def test_a_lesson_asks_before_it_shows(app, served, lesson):
    assert "What would you do next?" in texts(app) and "A kit is opened first" not in texts(app)
    app.button(key=f"choice-0-{right(served, lesson, 0)}").click().run()
    assert_whole(app)
    assert "A kit is opened first" in texts(app)
    assert app.session_state["lesson-at"] == 1 and "· 1 point" in texts(app)


def test_a_wrong_choice_and_a_hint_cost_points(app, served, lesson):
    app.button(key="hint-0").click().run()
    assert "Think of indices" in texts(app)
    place = right(served, lesson, 0)
    wrong = next(i for i in range(4) if i != place)
    app.button(key=f"choice-0-{wrong}").click().run()
    assert app.session_state["lesson-at"] == 0 and app.button(key=f"choice-0-{wrong}").disabled
    assert "Try again" in texts(app)
    app.button(key=f"choice-0-{place}").click().run()
    assert "0 points" in texts(app)


def test_a_hint_that_is_read_after_the_step_costs_nothing(app, served, lesson):
    app.button(key=f"choice-0-{right(served, lesson, 0)}").click().run()
    assert "Think of indices" not in texts(app)
    app.button(key="lesson-previous").click().run()
    assert_whole(app)
    assert "Think of indices" in texts(app) and "· 1 point" in texts(app)
    assert "hint-0" not in [button.key for button in app.button]


def test_a_lesson_ends_with_its_score_and_can_be_played_again(app, served, lesson):
    app.button(key="lesson-next").click().run()
    for at in range(1, 5):
        app.button(key=f"choice-{at}-{right(served, lesson, at)}").click().run()
        assert_whole(app)
    assert "4 of 5 points" in texts(app) and app.button(key="lesson-next").disabled
    app.button(key="lesson-previous").click().run()
    assert app.session_state["lesson-at"] == 4
    app.button(key="lesson-next").click().run()
    app.button(key="lesson-again").click().run()
    assert_whole(app)
    assert app.session_state["lesson-at"] == 0 and "0 points" in texts(app)


def test_it_plays_by_itself_and_in_full_screen(app, lesson):
    app.button(key="lesson-play").click().run()
    assert_whole(app)
    assert app.session_state["lesson-playing"] and app.session_state["lesson-at"] >= 1
    app.button(key="lesson-play").click().run()
    assert not app.session_state["lesson-playing"]
    app.button(key="lesson-full-button").click().run()
    assert_whole(app)
    assert any("stSidebar" in item.proto.body for item in app.get("html"))


def test_a_teacher_gives_it_another_title(app, served, lesson):
    field = next(field for field in app.text_input if field.label == "Title")
    field.set_value("NDVI for beginners")
    next(button for button in app.button if button.label == "Save").click().run()
    assert_whole(app)
    kept = lesson_of(served.library.folder / "demo", lesson)
    assert kept.title == "NDVI for beginners" and kept.note(1).hint == "Think of indices."


@pytest.mark.parametrize(
    ("attempt", "points"),
    [
        (Attempt([2], right=True), 1.0),
        (Attempt([2], hinted=True, right=True), 0.5),
        (Attempt([1, 2], right=True), 0.5),
        (Attempt([1, 2], hinted=True, right=True), 0.0),
        (Attempt([0, 1, 2], right=True), 0.0),
        (Attempt([1]), 0.0),
        (Attempt(shown=True), 0.0),
    ],
)
def test_what_a_step_is_worth(attempt, points):
    assert attempt.points == points
    assert points_of({0: attempt, 1: Attempt([0], right=True)}) == points + 1
