"""What a drawing of a page looks up once."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from treeline.pages.parts.shared import drawing
from treeline.pages.parts.shared.drawing import begin_drawing, once


def page() -> None:
    import streamlit as st

    from treeline.pages.parts.shared.drawing import begin_drawing, once

    def look_up() -> int:
        st.session_state["looks"] = st.session_state.get("looks", 0) + 1
        return int(st.session_state["looks"])

    before = [once("it", look_up) for _ in range(2)]
    begin_drawing()
    st.session_state["found"] = [*before, *(once("it", look_up) for _ in range(3))]


def test_a_drawing_looks_once_and_the_next_one_anew() -> None:
    app = AppTest.from_function(page).run()
    assert app.session_state["found"] == [1, 2, 3, 3, 3]
    app.run()
    assert app.session_state["found"][-1] > 3


def test_what_was_looked_up_long_ago_is_looked_up_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "LONGEST", 0.0)
    app = AppTest.from_function(page).run()
    assert app.session_state["found"] == [1, 2, 3, 4, 5]


def test_outside_of_a_page_nothing_is_kept() -> None:
    looks = iter(range(9))
    begin_drawing()
    assert [once("it", lambda: next(looks)) for _ in range(3)] == [0, 1, 2]
