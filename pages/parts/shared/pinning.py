"""Pinning the answer of a run."""

from __future__ import annotations

import streamlit as st

from treeline.core.access import acting_person
from treeline.core.record.status import Status
from treeline.core.runs.pins import PINNED
from treeline.pages.parts.shared.services import REPLAY, services
from treeline.pages.parts.shared.text import plain
from treeline.toolkit.errors import TreelineError


def show_pinning(run: str, status: Status) -> None:
    """Offer to pin the answer of a run that has one; of one that is pinned, to take the pin off."""
    # A run that is stepped through is shown under another name, which the record does not know.
    if status not in PINNED or run.endswith(REPLAY):
        return
    pin = services().pins.of_run(run)
    if pin is None:
        told = "Keep it on the page Pinned, and ask it again when new scenes come in"
        st.button("Pin", icon=":material/push_pin:", key="pin-answer", help=told, on_click=_pin, args=(run,))
    else:
        told, taken = "It stands on the page Pinned. A click takes it off.", (pin.id,)
        st.button(
            "Unpin", icon=":material/keep_off:", key="unpin-answer", help=told, on_click=_unpin, args=taken
        )


def _pin(run: str) -> None:
    try:
        services().pins.add(run)
        shown = "shows it." if acting_person().local else "shows it, to others once you say so."
        st.toast(f"Pinned. The page Pinned {shown}", icon=":material/push_pin:")
    except TreelineError as error:
        st.toast(plain(str(error)), icon=":material/error:")


def _unpin(pin: str) -> None:
    try:
        services().pins.remove(pin)
        st.toast("It is no longer pinned.", icon=":material/keep_off:")
    except TreelineError as error:
        st.toast(plain(str(error)), icon=":material/error:")
