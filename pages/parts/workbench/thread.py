"""The conversation around an answer: its parts to be changed, what can follow, the questions before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from treeline.core.home import store_url
from treeline.core.query.edits import EVERYWHERE, Part
from treeline.core.record.store import RunRecord
from treeline.core.runs.rephrasing import Rephrasing, branches_of, rephrase, thread_of, whole_question
from treeline.pages.parts.shared.services import REPLAY, area_of_run, is_own_run, services
from treeline.pages.parts.shared.text import plain, shorten
from treeline.toolkit.errors import TreelineError

_BRANCH, _THREAD = "branch", "thread"
_SHORT = 30
_OTHER = ":material/alt_route:"


@dataclass
class Branch:
    """A question that is edited: the run that it followed, and the one that it was; empty while none is."""

    after: str = ""
    edited: str = ""

    def begin(self, record: RunRecord) -> None:
        """Edit the question of a run."""
        self.after, self.edited = str(record.options.get("after") or ""), record.id

    def clear(self) -> None:
        """Edit no question."""
        self.after = self.edited = ""


def branch() -> Branch:
    """Return the branch of the session, to be changed in place, see :func:`pending_start`."""
    found: Branch = st.session_state.setdefault(_BRANCH, Branch())
    return found


def show_parts(run: str, ask: Callable[[str, str], None]) -> None:
    """Show the parts of what was understood; each can be changed and asked again.

    Parameters
    ----------
    ask : callable
        Asks a question that follows a run.
    """
    found = rephrasing_of(run)
    if found is None or not found.parts:
        return
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="parts"):
        for part in found.parts:
            _part(found, part, run, ask)


def _part(found: Rephrasing, part: Part, run: str, ask: Callable[[str, str], None]) -> None:
    # Asked of the whole area of interest, which every tool is bound to.
    whole = part.name == "place" and part.now == EVERYWHERE and area_of_run(run) is not None
    now = "area of interest" if whole else plain(shorten(part.now, _SHORT))
    with st.popover(
        now,
        key=f"part-{part.name}-{run}",
        on_change="rerun",
        help=f"Change the {part.name} and ask again",
        type="tertiary",
        icon=_ICONS[part.name],
    ) as popover:
        if not popover.open:
            return
        with st.container(gap=None):
            for number, (text, question) in enumerate(found.questions(part)):
                key = f"change-{part.name}-{run}-{number}"
                if st.button(
                    plain(text),
                    key=key,
                    type="tertiary",
                    help=plain(question),
                    on_click=ask,
                    args=(question, run),
                ):
                    st.rerun()


_ICONS = {
    "variable": ":material/layers:",
    "period": ":material/calendar_month:",
    "clouds": ":material/cloud:",
    "place": ":material/location_on:",
    "statistic": ":material/functions:",
}


def show_following(run: str, ask: Callable[[str, str], None], told: str = "Ask next") -> None:
    """Show questions that can follow an answer, of which a click asks one.

    Parameters
    ----------
    told : str
        What stands before them.
    """
    found = rephrasing_of(run)
    if found is None or not found.following:
        return
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="following"):
        st.caption(plain(told), width="content")
        for number, text in enumerate(found.following):
            key = f"following-{run}-{number}"
            if st.button(
                plain(text), key=key, type="tertiary", icon=":material/reply:", on_click=ask, args=(text, run)
            ):
                st.rerun()


def rephrasing_of(run: str) -> Rephrasing | None:
    """Return what can be made of the question of a run that has ended, as long as its data are there."""
    if not run or run.endswith(REPLAY):
        return None
    record = services().store.run(run)
    # Of another person's nothing is asked: it would be refused, and the refusal kept for its person as well.
    if record is None or record.parent or not record.is_finished or not is_own_run(run):
        return None
    return _rephrasing(run, store_url(), record.updated.timestamp())


@st.cache_resource(max_entries=64, show_spinner=False)
def _rephrasing(run: str, url: str, updated: float) -> Rephrasing | None:
    manager = services().manager
    try:
        return rephrase(manager.store, run, manager.data(run))
    except TreelineError:  # its data are gone
        return None


def show_thread(record: RunRecord, show: Callable[[RunRecord], None]) -> None:
    """Show the questions that a run follows, and the branches beside them.

    Each can be shown, or edited and asked again as a branch.
    """
    records = thread_of(services().store, record)
    with st.popover(
        f"Thread ({len(records)})",
        icon=":material/forum:",
        key=_THREAD,
        on_change="rerun",
        help="The questions before this one and the branches beside it; edit one and ask again",
    ) as popover:
        if not popover.open:
            return
        path = {each.id for each in records}
        branches = branches_of(services().store, record)
        if len(branches) > len(path):
            st.caption(f"{_OTHER} marks what another branch asks.")
        for number, each in branches:
            with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
                mark = "**" if each.id == record.id else ""
                meant = f" (meaning {way})" if (way := each.options.get("reading")) else ""
                told = f"{number}\\. {mark}{plain(shorten(whole_question(each), 90))}{mark}{meant}"
                st.markdown(told if each.id in path else f":gray[{_OTHER} {told}]", width="stretch")
                st.button("Show", key=f"thread-show-{each.id}", type="tertiary", on_click=show, args=(each,))
                st.button(
                    "Edit",
                    key=f"thread-edit-{each.id}",
                    type="tertiary",
                    icon=":material/edit:",
                    on_click=_edit,
                    args=(each,),
                    help="Ask it in other words; the first question is kept.",
                )


def _edit(record: RunRecord) -> None:
    edited = branch()
    st.session_state[_THREAD] = False  # the list would hide the answer while the question is written
    st.session_state["question"] = whole_question(record)
    # Not in the session, where another press would end this one between the two.
    edited.begin(record)


def show_edited(shown: RunRecord | None) -> None:
    """Show which question is edited, until a click leaves it.

    Parameters
    ----------
    shown : RunRecord, optional
        The run that is shown, whose question comes back.
    """
    edited = branch()
    record = services().store.run(edited.edited) if edited.edited else None
    if record is None or shown is None or record.workspace != shown.workspace:
        edited.clear()
        return
    st.button(
        f"Editing: {plain(shorten(record.question, _SHORT))}",
        icon=":material/close:",
        key="editing",
        on_click=_leave,
        args=(shown,),
        help="It is asked again in these words, as a branch of its own. A click here edits it no more.",
    )


def _leave(shown: RunRecord) -> None:
    edited = branch()
    st.session_state["question"] = whole_question(shown)
    edited.clear()
