"""The lessons that there are: those that ship, those made of runs, and one more from a file."""

from __future__ import annotations

import tempfile
from pathlib import Path

import streamlit as st

from treeline.core.access import in_team
from treeline.core.runs.exports.lesson import open_lesson
from treeline.core.runs.lessons.lesson import Lesson, delete_lesson, lessons_in
from treeline.core.runs.lessons.shipped_lessons import ReadyLesson, prepare, ready_lessons
from treeline.pages.parts.lessons.play import start
from treeline.pages.parts.shared.services import DEMO, services
from treeline.pages.parts.shared.text import count_text, plain
from treeline.toolkit.errors import TreelineError


def show_lessons() -> None:
    """Show every lesson with a button that plays it."""
    st.markdown("## Lessons")
    st.caption("A run, one step at a time: you say what comes next, then it is shown with its rasters.")
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Ready, on the demo workspace**")
        for ready in ready_lessons().values():
            _show_ready(ready)
    with right:
        st.markdown("**Made of runs**")
        ready_titles = {ready.title for ready in ready_lessons().values()}
        mine = [(name, lesson) for name, lesson in _own() if lesson.title not in ready_titles]
        for workspace, lesson in mine:
            _show_own(workspace, lesson)
        if not mine:
            st.caption("None yet. On the Runs page, choose a run and press “Make a lesson”.")
        # As with bundles: the record in it names files, which on a server of a team may be those of others.
        if not in_team():
            _import()


def _own() -> list[tuple[str, Lesson]]:
    """Return the lessons of all workspaces whose run is there."""
    library, store = services().library, services().store
    found = [(name, lesson) for name in library.names() for lesson in lessons_in(library.get(name).folder)]
    return [(name, lesson) for name, lesson in found if store.run(lesson.run) is not None]


def _show_ready(ready: ReadyLesson) -> None:
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{plain(ready.title)}**")
        st.caption(f"{plain(ready.introduction)} {count_text(len(ready.steps), 'step')}.")
        if st.button("Play", key=f"ready-{ready.name}", icon=":material/school:"):
            _play_ready(ready)


def _play_ready(ready: ReadyLesson) -> None:
    library = services().library
    if DEMO not in library.names():
        st.error("The demo, which this lesson is of, is not shared with you.", icon=":material/error:")
        return
    known = [lesson for lesson in lessons_in(library.get(DEMO).folder) if lesson.title == ready.title]
    lesson = next((each for each in known if services().store.run(each.run) is not None), None)
    if lesson is None:
        with st.spinner("The run is made on the demo workspace", show_time=True):
            try:
                lesson = prepare(services().manager, DEMO, ready)
            except TreelineError as error:
                st.error(plain(error), icon=":material/error:")
                return
    start(lesson.run)
    st.rerun()


def _show_own(workspace: str, lesson: Lesson) -> None:
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{plain(lesson.title)}**")
        told = f"{plain(lesson.introduction)} " if lesson.introduction else ""
        st.caption(f"{told}Workspace: {plain(services().library.title(workspace))}.")
        with st.container(horizontal=True, gap="xsmall"):
            if st.button("Play", key=f"play-{lesson.run}", icon=":material/school:"):
                start(lesson.run)
                st.rerun()
            st.button(
                "Delete",
                key=f"delete-{lesson.run}",
                icon=":material/delete:",
                type="tertiary",
                on_click=delete_lesson,
                args=(services().library.get(workspace).folder, lesson.run),
                disabled=not services().library.get(workspace).writable,
                help="The run stays.",
            )


def _import() -> None:
    with st.expander("Open a lesson from a file", icon=":material/upload:"):
        given = st.file_uploader("A lesson, ZIP", type=["zip"], key="lesson-file")
        if given is None or not st.button("Open it", key="lesson-open"):
            return
        with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
            path = Path(folder) / "lesson.zip"
            path.write_bytes(given.getbuffer())
            try:
                run = open_lesson(services().manager, services().library, path)
            except TreelineError as error:
                st.error(plain(error), icon=":material/error:")
                return
        start(run)
        st.rerun()
