"""Pinning the answer of a run."""

from __future__ import annotations

import streamlit as st

from treeline.core.record.status import Status
from treeline.core.runs.pins import PINNED
from treeline.pages.parts.shared.services import REPLAY, services
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import TreelineError


def show_pinning(run: str, status: Status) -> None:
    """Offer to pin the answer of a run that has one."""
    if status not in PINNED or run.endswith(REPLAY):
        return
    if st.button(
        "Pin",
        icon=":material/push_pin:",
        key="pin-answer",
        help="Keep it on the page Pinned, and ask it again when new scenes come in",
    ):
        _pin(run)


def _pin(run: str) -> None:
    try:
        services().pins.add(run)
        st.toast("Pinned. The page Pinned shows it.", icon=":material/push_pin:")
    except TreelineError as error:
        st.toast(plain(str(error)), icon=":material/error:")
