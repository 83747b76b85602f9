"""A fault of ours on the pages: one sentence with a code, details where one person is served."""

from __future__ import annotations

import pytest
import streamlit as st
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import ask, assert_whole
from treeline.core.policies.registry import POLICIES
from treeline.core.record.faults import faults_of
from treeline.core.record.tables import FAULTS


class FaultyPolicy:
    """A policy with a fault."""

    name = "broken"

    def decide(self, state, notify, stop):
        return 1 / 0


def broken_page() -> None:
    """What the application does with a page that fails."""
    from treeline.pages.parts.shared.faults import tell_fault

    try:
        1 / 0  # noqa: B018
    except ZeroDivisionError as error:
        tell_fault(error)


@pytest.fixture
def address():
    """A function that sets the address that the server listens at."""
    before = st.get_option("server.address")
    yield lambda value: st._config.set_option("server.address", value)
    st._config.set_option("server.address", before)


def test_a_page_that_fails(served, caplog, address):
    address("localhost")
    page = AppTest.from_function(broken_page).run()
    assert_whole(page)
    with served.store.engine.connect() as connection:
        (row,) = connection.execute(select(FAULTS)).all()
    (told,) = page.error
    assert row.code in told.value and "This page failed with ZeroDivisionError" in told.value
    assert "Traceback" not in told.value and "Traceback" in row.traceback
    (details,) = page.expander
    assert row.code in details.label and details.code[0].value == row.traceback.strip()
    assert any(record.exc_info and row.code in record.getMessage() for record in caplog.records)


def test_others_who_use_the_server_see_no_traceback(served, address):
    address("0.0.0.0")
    page = AppTest.from_function(broken_page).run()
    assert len(page.error) == 1 and not page.expander and not page.code


def test_a_run_that_fails(app, served, monkeypatch, address):
    address("localhost")
    monkeypatch.setitem(POLICIES, "planner", lambda *_: FaultyPolicy())
    run = ask(app, served, "NDVI?")
    assert_whole(app)
    (stored,) = faults_of(served.store, run)
    told = f"code {stored.fault.code}"
    assert any(told in text.value and "ZeroDivisionError" in text.value for text in app.markdown)
    (details,) = [each for each in app.expander if stored.fault.code in each.label]
    assert "ZeroDivisionError" in details.code[0].value
