"""A question that was asked back, asked again with one of its readings."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import record_of_question
from treeline.pages.parts.shared.model import session_endpoint
from treeline.pages.parts.shared.opening import open_run
from treeline.pages.parts.shared.services import REPLAY, services
from treeline.pages.parts.shared.session import pending_start
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import TreelineError


def ask_again(run: str, reading: int) -> None:
    """Ask the question of a run again, with its own options and a reading of it, and show the new run."""
    manager, endpoint, new = services().manager, session_endpoint(), pending_start()
    try:
        asked = record_of_question(services().store, run.removesuffix(REPLAY))
        options = replace(RunOptions.from_json(asked.options), reading=reading, edited=asked.id)
        new.begin(partial(manager.start, asked.workspace, asked.question, options, endpoint))
    except TreelineError as error:
        st.error(plain(error))
        return
    open_run(manager.record(new.name))
