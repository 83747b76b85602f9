"""Lessons: a run played step by step, with what else could have been done, hints, notes and a score."""

from __future__ import annotations

import streamlit as st

from treeline.pages.parts.lessons.listing import show_lessons
from treeline.pages.parts.lessons.play import PLAYED, show_lesson
from treeline.pages.parts.shared.services import services


def main() -> None:
    run = st.query_params.get("lesson") or st.session_state.get(PLAYED)
    record = services().store.run(run) if run else None
    # A link may name a run that is deleted, or one of a workspace that this person does not see.
    if record is None or record.workspace not in services().library.names():
        st.query_params.pop("lesson", None)
        st.session_state.pop(PLAYED, None)
        show_lessons()
        return
    st.session_state[PLAYED] = record.id
    st.query_params["lesson"] = record.id
    show_lesson(record)


main()
