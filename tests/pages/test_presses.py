"""A press that another one ends at once: all of it is done, or nothing."""

from __future__ import annotations

from collections import UserDict
from contextlib import suppress
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from treeline.pages.parts.lessons import play
from treeline.pages.parts.lessons.score import Attempt
from treeline.pages.parts.shared import selection
from treeline.pages.parts.shared.session import PendingStart, pending_start
from treeline.pages.parts.workbench import question, style_panel, thread
from treeline.pages.parts.workbench.thread import Branch, branch

MOST_LOOKS = 8


class Session(UserDict):
    """A session at whose n-th look a press is ended by the next one, as Streamlit does it."""

    def __init__(self, values, looks=None):
        self.left = None
        super().__init__(values)
        self.left = looks

    def _look(self):
        if self.left is not None:
            if self.left == 0:
                raise StopException
            self.left -= 1

    def __getitem__(self, key):
        self._look()
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        self._look()
        super().__setitem__(key, value)

    def __contains__(self, key):
        self._look()
        return super().__contains__(key)


def record(run="second", words="and in 2021?", after="first"):
    return SimpleNamespace(id=run, question=words, options={"after": after})


@pytest.fixture(params=range(MOST_LOOKS))
def press(request, monkeypatch):
    """Press in a session that begins with some values, and return it, to be looked at freely."""

    def press(act, *arguments, **values):
        session = Session(values, request.param)
        monkeypatch.setattr(st, "session_state", session)
        with suppress(StopException):
            act(*arguments)
        session.left = None
        return session

    return press


def test_a_run_of_the_thread_is_shown_with_its_question_or_not_at_all(press):
    session = press(question._show, record(), question="old", branch=Branch("x", "y"))
    assert (session["question"], pending_start().name, branch().edited) in (
        ("old", "", "y"),
        ("and in 2021?", "second", ""),
    )


def test_a_question_is_edited_as_a_branch_or_not_at_all(press):
    session = press(thread._edit, record(), question="old")
    assert (session["question"], branch()) in (
        ("old", Branch()),
        ("and in 2021?", Branch("first", "second")),
    )


def test_a_step_and_its_layer_are_selected_together(press):
    press(selection.select_step, 3, selected=selection.Selection(2, "product a.tif"))
    assert selection.selected_step() != 2 or selection.selected_layer() == "product a.tif"
    assert selection.selected_step() != 3 or selection.selected_layer() is None


def test_a_style_is_changed_or_stays(press):
    entry = SimpleNamespace(key="product a.tif")
    session = press(style_panel._take, entry, (), "new", **{style_panel.STYLES: {entry.key: "old"}})
    assert session[style_panel.STYLES][entry.key] in ("old", "new")


def test_a_press_that_nothing_ends_is_done(monkeypatch):
    monkeypatch.setattr(st, "session_state", Session({"question": "old", "begun-run": PendingStart()}))
    question._show(record())
    assert (st.session_state["question"], pending_start().name) == ("and in 2021?", "second")
    thread._edit(record())
    assert branch() == Branch("first", "second")


def test_the_second_press_of_a_double_one_costs_no_points(monkeypatch):
    attempt = Attempt()
    values = {play._ATTEMPTS: {0: attempt}, play._AT: 0}
    monkeypatch.setattr(st, "session_state", Session(values))
    play._try(0, 1, True)
    play._try(0, 1, True)
    assert attempt.points == 1
