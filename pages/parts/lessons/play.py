"""A lesson that is played: the question what comes next, then the step with its rasters."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from treeline.core.engine.events import RunFinished
from treeline.core.engine.journal import StoredEvent, events_of
from treeline.core.engine.state import Step
from treeline.core.memory.rounds import shown_run
from treeline.core.record.store import RunRecord
from treeline.core.runs.lessons.choices import Choice, choices_at
from treeline.core.runs.lessons.lesson import Lesson, lesson_of
from treeline.pages.parts.lessons.score import Attempt, points_of
from treeline.pages.parts.lessons.teacher import show_teacher
from treeline.pages.parts.map.layers import inputs_of, product_entries
from treeline.pages.parts.map.zones import zones_of
from treeline.pages.parts.shared import selection
from treeline.pages.parts.shared.look import add_style
from treeline.pages.parts.shared.run_view import RunView, run_view
from treeline.pages.parts.shared.services import area_of_run, services, tree_of, workspace_of
from treeline.pages.parts.shared.text import number, plain, shorten
from treeline.pages.parts.shared.tree_chart import show_tree
from treeline.pages.parts.shared.tree_view import node_of_step, tree_view
from treeline.pages.parts.workbench.map_panel import show_panel
from treeline.pages.parts.workbench.steps import show_details

PLAYED = "lesson-run"
_AT, _ATTEMPTS, _PLAYING, _FULL = "lesson-at", "lesson-attempts", "lesson-playing", "lesson-full"
_SECONDS = 4.0
_TREE_HEIGHT, _MAP_HEIGHT, _BOX_HEIGHT, _STEP_HEIGHT = 250, 446, 498, 230

_FULL_STYLE = """
<style>
[data-testid="stSidebar"], .stAppHeader { display: none; }
html { font-size: 19px; }
.stMainBlockContainer { padding: 1rem 2rem; }
</style>
"""


def start(run: str) -> None:
    """Begin a lesson anew."""
    state = st.session_state
    # The points of another time go first, in case that another press ends this one.
    state[_ATTEMPTS], state[_PLAYING], state[_AT] = {}, False, 0
    state[PLAYED] = run
    st.query_params["lesson"] = run
    selection.clear()


def show_lesson(record: RunRecord) -> None:
    """Show a lesson where it stands."""
    state = st.session_state
    for key, value in ((_AT, 0), (_ATTEMPTS, {}), (_PLAYING, False), (_FULL, False)):
        state.setdefault(key, value)
    if state[_FULL]:
        add_style(_FULL_STYLE)
    st.fragment(run_every=_SECONDS if state[_PLAYING] else None)(_play)(record, playing=state[_PLAYING])


def _play(record: RunRecord, *, playing: bool) -> None:
    run = shown_run(services().store, record.id)
    events = events_of(services().store, run)
    steps = run_view(events).steps
    lesson = _lesson(record)
    if not steps:
        st.info("This run has no steps, so there is nothing to teach.")
        _show_way_back()
        return
    if playing:
        _advance(steps)
    at = min(st.session_state[_AT], len(steps))
    _bar(lesson, at, len(steps))
    view = run_view(events if at == len(steps) else _without_end(events), at) if at else RunView()
    left, right = st.columns([5, 7], gap="small")
    with left.container(gap="xsmall"):
        _tree(view, run)
        with st.container(height=_BOX_HEIGHT, key="lesson-box", gap="xsmall"):
            _task(lesson, steps, at, run)
    with right.container(gap="xsmall"):
        workspace = workspace_of(record.workspace, record)
        inputs = inputs_of(workspace)
        entries = [*reversed(product_entries(view.products, view.steps)), *inputs.entries]
        show_panel(
            workspace,
            entries,
            inputs.bounds,
            view,
            area=area_of_run(run),
            zones=zones_of(view, workspace, inputs.bounds),
            key=workspace.folder.name,
            height=_MAP_HEIGHT,
        )
        with st.container(border=True, gap="xsmall", key="lesson-step", height=_STEP_HEIGHT):
            _shown_step(lesson, steps, at)
    if services().library.get(record.workspace).writable and not st.session_state[_FULL]:
        show_teacher(services().library.get(record.workspace).folder, lesson, steps)


def _lesson(record: RunRecord) -> Lesson:
    return lesson_of(services().library.get(record.workspace).folder, record.id)


def _without_end(events: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Return the events without the end, which the last step alone tells."""
    return [stored for stored in events if not isinstance(stored.event, RunFinished)]


def _bar(lesson: Lesson, at: int, count: int) -> None:
    state = st.session_state
    attempts: dict[int, Attempt] = state[_ATTEMPTS]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="lesson-bar"):
        _show_way_back()
        st.markdown(f"**{plain(shorten(lesson.title, 60))}**", width="stretch")
        points = points_of(attempts)
        told = f"{number(points)} point{'' if points == 1 else 's'}"
        st.markdown(f"Step {min(at + 1, count)} of {count} · {told}")
        st.button(
            "Previous",
            icon=":material/skip_previous:",
            on_click=_go,
            args=(at - 1,),
            disabled=at == 0,
            shortcut="Left",
            key="lesson-previous",
        )
        st.button(
            "Next",
            icon=":material/skip_next:",
            on_click=_skip,
            args=(at,),
            disabled=at >= count,
            shortcut="Right",
            key="lesson-next",
            help="Shows the step; it brings no points then.",
        )
        if st.button(
            "Pause" if state[_PLAYING] else "Play",
            key="lesson-play",
            shortcut="P",
            disabled=at >= count,
            icon=":material/pause:" if state[_PLAYING] else ":material/play_arrow:",
        ):
            state[_PLAYING] = not state[_PLAYING]
            st.rerun()
        label = "Small" if state[_FULL] else "Full screen"
        if st.button(label, icon=":material/fullscreen:", key="lesson-full-button", shortcut="F"):
            state[_FULL] = not state[_FULL]
            st.rerun()


def _show_way_back() -> None:
    if st.button("All lessons", icon=":material/arrow_back:", type="tertiary"):
        for key in (PLAYED, _AT, _ATTEMPTS, _PLAYING, _FULL):
            st.session_state.pop(key, None)
        st.query_params.pop("lesson", None)
        st.rerun()  # the list is the page's; what is drawn here would be the lesson that was left


def _go(at: int) -> None:
    st.session_state[_AT] = max(at, 0)
    selection.clear()


def _skip(at: int) -> None:
    attempt = st.session_state[_ATTEMPTS].setdefault(at, Attempt())
    if not attempt.done:
        attempt.shown = True
    _go(at + 1)


def _advance(steps: Sequence[Step]) -> None:
    """Show the next step by itself; at the end, stop."""
    if st.session_state[_AT] < len(steps):
        _skip(st.session_state[_AT])
    if st.session_state[_AT] >= len(steps):
        st.session_state[_PLAYING] = False


def _tree(view: RunView, run: str) -> None:
    tree = tree_of(run)
    nodes = tree_view(tree, view.steps)
    last = view.steps[-1] if view.steps else None
    with st.container(height=_TREE_HEIGHT, border=False, key="tree-box"):
        show_tree(nodes, node_of_step(tree, last), lambda name: None, height=_TREE_HEIGHT - 10)


def _task(lesson: Lesson, steps: Sequence[Step], at: int, run: str) -> None:
    """Show what is to be said at a step, or the score after the last."""
    st.markdown(f"**{plain(_question(run))}**")
    if at == 0 and lesson.introduction:
        st.markdown(plain(lesson.introduction))
    if at >= len(steps):
        _score(len(steps))
        return
    attempt: Attempt = st.session_state[_ATTEMPTS].setdefault(at, Attempt())
    st.markdown("What would you do next?")
    for place, choice in enumerate(choices_at(steps, at, tree_of(run))):
        _choice(choice, place, attempt, at)
    hint = lesson.note(steps[at].number).hint
    # Who looks back at a step that is done loses nothing by its hint.
    if hint and (attempt.hinted or attempt.done):
        st.info(plain(hint), icon=":material/lightbulb:")
    elif hint:
        st.button(
            "Hint",
            icon=":material/lightbulb:",
            key=f"hint-{at}",
            shortcut="H",
            type="tertiary",
            on_click=_hint,
            args=(at,),
        )
    if attempt.tried and not attempt.right:
        st.caption(":orange[The run did something else. Try again, or show it with Next.]")


def _choice(choice: Choice, place: int, attempt: Attempt, at: int) -> None:
    tried = place in attempt.tried
    mark = ":material/check:" if choice.taken else ":material/close:"
    st.button(
        f"{place + 1}\\. {plain(choice.text)}",
        key=f"choice-{at}-{place}",
        shortcut=str(place + 1),
        icon=mark if tried else None,
        disabled=tried or attempt.done,
        on_click=_try,
        args=(at, place, choice.taken),
        width="stretch",
    )


def _try(at: int, place: int, taken: bool) -> None:
    attempt: Attempt = st.session_state[_ATTEMPTS].setdefault(at, Attempt())
    # The second press of a double one is no second try.
    if place not in attempt.tried and not attempt.done:
        attempt.tried.append(place)
        attempt.right = taken
    if taken:
        _go(at + 1)


def _hint(at: int) -> None:
    st.session_state[_ATTEMPTS].setdefault(at, Attempt()).hinted = True


def _score(count: int) -> None:
    attempts: dict[int, Attempt] = st.session_state[_ATTEMPTS]
    first = sum(attempt.points == 1 for attempt in attempts.values())
    st.markdown(f"## {number(points_of(attempts))} of {count} points")
    st.markdown(f"{first} of {count} steps at the first try and without a hint.")
    st.button(
        "Play it again",
        icon=":material/replay:",
        on_click=start,
        args=(st.session_state[PLAYED],),
        key="lesson-again",
    )


def _shown_step(lesson: Lesson, steps: Sequence[Step], at: int) -> None:
    """Show the step that was shown last, with the teacher's note."""
    if at == 0:
        st.caption("What the first step gives comes here.")
        return
    step = steps[at - 1]
    attempt: Attempt | None = st.session_state[_ATTEMPTS].get(at - 1)
    mark = ":green[right] " if attempt and attempt.right else ""
    st.markdown(f"{mark}**Step {step.number}**")
    note = lesson.note(step.number).note
    if note:
        st.markdown(f":material/school: {plain(note)}")
    show_details(step)


def _question(run: str) -> str:
    record = services().store.run(run)
    return record.question if record else ""
