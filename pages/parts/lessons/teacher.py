"""What a teacher says of a lesson: title, introduction, a hint and a note for each step."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from treeline import __version__
from treeline.core.engine.state import Step
from treeline.core.runs.exports.forms import LESSON, write_export
from treeline.core.runs.lessons.choices import in_words
from treeline.core.runs.lessons.lesson import LONGEST_NOTE, Lesson, StepNote, keep_lesson
from treeline.pages.parts.shared.downloads import offer_download
from treeline.pages.parts.shared.services import services
from treeline.pages.parts.shared.text import shorten
from treeline.toolkit.errors import TreelineError

_WIDTHS = {"Step": 50, "What is done": 380, "Hint": 310, "Note": 310}


def show_teacher(folder: Path, lesson: Lesson, steps: Sequence[Step]) -> None:
    """Show the fields of a teacher, folded."""
    with st.expander("For the teacher", icon=":material/edit_note:", key="teacher"):
        _offer(lesson)
        with st.form("teacher-form", border=False):
            title = st.text_input("Title", lesson.title, max_chars=200)
            introduction = st.text_area(
                "Introduction", lesson.introduction, max_chars=LONGEST_NOTE, height=80
            )
            rows: list[dict[str, Any]] = st.data_editor(
                [_row(lesson, step) for step in steps],
                disabled=["Step", "What is done"],
                hide_index=True,
                key=f"teacher-notes-{lesson.run}",
                column_config={name: st.column_config.Column(width=width) for name, width in _WIDTHS.items()},
            )
            if not st.form_submit_button("Save", icon=":material/save:"):
                return
        notes = {
            int(row["Step"]): StepNote(hint=row["Hint"] or "", note=row["Note"] or "")
            for row in rows
            if row["Hint"] or row["Note"]
        }
        kept = lesson.model_copy(
            update={"title": title.strip() or lesson.title, "introduction": introduction, "notes": notes}
        )
        try:
            keep_lesson(folder, kept)
        except TreelineError as error:
            st.error(str(error))
            return
        st.rerun()


def _row(lesson: Lesson, step: Step) -> dict[str, Any]:
    note, done = lesson.note(step.number), shorten(in_words(step.action), 70)
    return {"Step": step.number, "What is done": done, "Hint": note.hint, "Note": note.note}


def _offer(lesson: Lesson) -> None:
    """Show the download of the lesson with the rasters that its steps read."""
    manager = services().manager

    def content() -> bytes:
        with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
            path = Path(folder) / "lesson.zip"
            write_export(manager, lesson.run, LESSON, path, __version__)
            return path.read_bytes()

    offer_download(
        "Download as one file",
        content,
        f"lesson-{lesson.run}.zip",
        "application/zip",
        icon=":material/download:",
        help="With the rasters that its steps read; another Treeline opens it.",
    )
