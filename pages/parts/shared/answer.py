"""The answer with its evidence, and what the run cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import streamlit as st

from treeline.core.engine.actions import ASKING, OFFERING, Answer, action_name, tell_unconfirmed
from treeline.core.engine.citations import read_citations
from treeline.core.engine.events import RunFinished, ending
from treeline.core.engine.verification import say_what_was_checked
from treeline.core.record.status import Status
from treeline.core.runs.listings import listing_in
from treeline.core.runs.question_options import list_options
from treeline.core.runs.queue import place_of
from treeline.core.runs.result import NUMBERS, name_choice
from treeline.core.workspace.area import inside
from treeline.pages.parts.shared.asking_again import ask_again
from treeline.pages.parts.shared.faults import show_faults
from treeline.pages.parts.shared.model import money_text
from treeline.pages.parts.shared.reading import is_reading
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.services import REPLAY, area_of_run, services
from treeline.pages.parts.shared.text import (
    bars,
    count_text,
    mark_what_differs,
    number,
    plain,
    seconds,
    shorten,
)

_DECIMAL = re.compile(r"(?<![\w.,])-?\d[\d,]*\.(\d+)(?![\w.]*\d)")
# How the planner tells a product that answers: the page shows it.
_A_MAP, _A_CHART = (re.compile(rf" is [\w.\-]+\.{ending}\b") for ending in ("tif", "png"))
_MAP_OF = re.compile(rf"The map of (?P<what>(?:(?!\. ).)+?){_A_MAP.pattern}(?P<more>:?)")
# As Markdown has what stands in square brackets.
_IN_BRACKETS = re.compile(r" ?\\\[([^\[\]\\]{1,60})\\\]")
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=\S+$)")
_LONGEST_VALUE, _FEW_ITEMS = 60, 3
STATUS: dict[Status, tuple[str, str, str]] = {
    "waiting": ("gray", "schedule", "waiting"),
    "running": ("blue", "progress_activity", "running"),
    "answered": ("green", "check_circle", "answered"),
    "unverified": ("orange", "gpp_maybe", "unverified"),
    "asks": ("blue", "contact_support", "asks back"),
    "declined": ("gray", "help", "cannot be answered"),
    "stopped": ("gray", "stop_circle", "stopped"),
    "failed": ("red", "error", "failed"),
    "interrupted": ("orange", "power_off", "interrupted"),
}


def standing(status: Status, ended: RunFinished | None) -> tuple[str, str, str]:
    """Return colour, icon and word of how a run stands.

    Who used up a limit did not fail, and can go on; an answer with a doubtful sentence in it is not green.
    """
    if status == "failed" and ended is not None and ended.limit:
        return "orange", "hourglass_bottom", f"{'time' if ended.limit == 'seconds' else ended.limit} used up"
    if status == "answered" and ended is not None and ended.answer and ended.answer.doubtful_sentences:
        return "orange", "help", "answered, not all of it confirmed"
    return STATUS[status]


def answer_text(view: RunView, status: Status | None) -> str:
    """Return how a run stands and what it answers, to be read aloud."""
    if status is None:
        return ""
    ended = view.finished
    # Who does not see the page is told as well why there is no answer.
    told = (ended.answer.words if ended.answer else ended.reason) if ended else ""
    word = "waits for you" if view.awaited else standing(status, ended)[2]
    return f"{word}: {without_file_names(told)}" if told else word


def show_question_asked(view: RunView, status: Status | None, run: str = "") -> None:
    """Show the question and how it stands; of a run that waits in the queue, its place."""
    if status is None:
        st.markdown("Ask a question below, and the answer comes here with its evidence.")
        return
    colour, icon, word = _standing(view, status, run)
    # A run that has not begun has told nothing of itself.
    silent = status == "waiting" or not view.state.question
    record = services().store.run(run) if run and silent else None
    question = view.state.question or (record.question if record else "")
    choices = view.state.choices or (record.options.get("choices", ()) if record else ())
    st.markdown(f":{colour}-badge[:material/{icon}: {word}] **{plain(question)}**")
    if choices:  # apart: in a narrow window the question is cut at the end of its line, and they must not be
        st.caption(plain(list_options(choices)))
    if status == "running" and not view.steps and view.pending is None and view.awaited is None:
        # Of a thousand files that takes seconds, in which nothing else would be seen to happen.
        st.caption("It reads the question and looks at the data; the first step comes then.")
    place = place_of(services().store, record) if record else None
    if place is not None:
        ahead = "It begins next" if place == 1 else f"{count_text(place - 1, 'run')} before it"
        st.markdown(f"In the queue: {ahead}. Stop takes it out.")


def _standing(view: RunView, status: Status, run: str) -> tuple[str, str, str]:
    """Return colour, icon and word of how a run stands; of one that is replayed, where that is."""
    if run.endswith(REPLAY) and not is_reading() and view.finished is None:
        return "gray", "history", f"as it was at step {len(view.steps)}"
    if status == "running" and services().manager.is_stopping(run):
        return "gray", "stop_circle", "stops after what it has begun"
    return ("violet", "front_hand", "waits for you") if view.awaited else standing(status, view.finished)


def show_reading(view: RunView, *, run: str) -> None:
    """Show how the question was read, above everything that follows from it."""
    answer = view.finished.answer if view.finished else None
    if view.planner_reads:
        st.caption(f"The planner reads this as: {plain(view.planner_reads)}")
    if answer is not None and answer.read_as:
        st.caption(f"Read as: {plain(inside(answer.read_as, area_of_run(run)))}")


def show_answer(view: RunView, on_select: Callable[[int], None], *, run: str) -> None:
    """Show the answer and the steps it rests on, or why there is none."""
    answer = view.finished.answer if view.finished else None
    if answer is not None:
        _answer(answer, view.state.choices)
        _show_unconfirmed(answer)
        _planners_answer(view)
        _checks(answer, view)
        _show_sources(answer)
        _offer_readings(answer, run)
        _evidence(answer, view, on_select, run)
    elif view.finished is not None and view.finished.reason:
        st.markdown(plain(view.finished.reason))
    show_faults(run)
    for note in view.notes[-2:]:
        st.caption(plain(note))


def _answer(answer: Answer, choices: Sequence[str]) -> None:
    chosen = name_choice(answer.choice, choices)
    choice = f":green-badge[{plain(chosen)}] " if chosen else ""
    reason = ending(answer).reason
    # Before the answer: below a long one nobody would see it.
    if answer.status == "unverified" and reason not in answer.text:
        st.markdown(f":orange[{plain(reason)}]")
    show_text(_answer_text(answer), lead=choice, doubtful=answer.doubtful_sentences, cited=answer.evidence)


def without_file_names(text: str) -> str:
    """Return an answer as it reads beside what it names: a map that is shown needs no name of a file."""
    text = _MAP_OF.sub(lambda told: f"On the map: {told['what']}{',' * bool(told['more'])}", text)
    return _A_CHART.sub(" stands beside", _A_MAP.sub(" is on the map", text))


def show_text(
    text: str,
    *,
    lead: str = "",
    key: str = "listing",
    doubtful: Sequence[str] = (),
    cited: Sequence[int] = (),
) -> None:
    """Show what an answer says; what it lists, such as a value of each date, stands one below another.

    The page shows a map or a chart that answers, so that its file is not named.

    Parameters
    ----------
    lead : str
        Markdown that stands before it.
    key : str
        Begins with ``listing``; another one for each answer of a page.
    doubtful : sequence of str
        Sentences of it that are not confirmed, which have another colour.
    cited : sequence of int
        The steps that it may cite, which stand small behind what they show.
    """
    text = without_file_names(text)
    listing = listing_in(text)
    if listing is None:
        told = plain(text)
        for sentence in map(plain, doubtful):
            told = told.replace(sentence, f":orange[{sentence}]")
        st.markdown(f"{lead}{_with_small_citations(told, cited)}")
        return
    st.markdown(f"{lead}{plain(listing.head)}:")
    with st.container(key=key):
        # A unit never stands on a line of its own.
        items = (_BEFORE_UNIT.sub("\u00a0", plain(item)) for item in listing.items)
        st.markdown("\n".join(f"- {item}" for item in items))
    if listing.rest:
        st.markdown(plain(listing.rest))


def _with_small_citations(told: str, cited: Sequence[int]) -> str:
    """Return Markdown in which the steps that it cites are small: the numbers lead."""

    def small(match: re.Match[str]) -> str:
        told = match[0].lstrip()
        # A citation never begins a line.
        return f"\u00a0:small[:gray[{told}]]" if read_citations(f"[{match[1]}]", cited) else match[0]

    return _IN_BRACKETS.sub(small, told)


def _show_unconfirmed(answer: Answer) -> None:
    """Show what a model said and no step bears out, with why, where nobody takes it for a result."""
    for told in tell_unconfirmed(answer.unconfirmed):
        told = _with_small_citations(plain(told), answer.evidence)
        st.markdown(f":orange[:material/help: Not confirmed:] {told}")


def _planners_answer(view: RunView) -> None:
    """Show what the planner answers beside a model; where it makes that unverified, the reason tells it."""
    other = view.planner_answers
    if other is None or view.finished and other["text"] in view.finished.reason:
        return
    if other["differs"]:
        st.markdown(
            f":orange[:material/difference: The planner gives another answer: {plain(other['text'])}]"
        )
    else:
        st.caption(f"The planner answers: {plain(other['text'])}")


def _checks(answer: Answer, view: RunView) -> None:
    """Show what of a model's words was checked, and what was not, where nobody takes it for a result.

    The planner's own sentences are made of its numbers.
    """
    if answer.status != "answered" or not any(step.tokens.output for step in view.steps):
        return
    if told := say_what_was_checked(answer.text):
        st.caption(told)


def _show_sources(answer: Answer) -> None:
    """Show what each number of a model's answer is: who doubts its words looks here, and not at all steps."""
    if not answer.sources:
        return
    with st.expander(f"{NUMBERS} ({len(answer.sources)})", key="sources"):
        lines = (f"- **{plain(each.number)}** {plain(each.with_steps)}" for each in answer.sources)
        st.markdown("\n".join(lines))


def _evidence(answer: Answer, view: RunView, on_select: Callable[[int], None], run: str) -> None:
    # Of several questions in one each has its own.
    told = [(p.value, p.unit, p.answer) for p in answer.parts] or [(answer.value, answer.unit, answer.text)]
    values = [_value(value, unit, text) for value, unit, text in told if value is not None]
    if not answer.evidence and not values:
        return
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="evidence"):
        if values:
            carried = "" if answer.status != "unverified" else " :orange[(unverified)]"
            st.markdown(f"Value: **{' · '.join(values)}**{carried}", width="content")
        if answer.evidence:
            st.caption("Evidence", width="content")
        for name, steps in steps_by_tool(answer, view).items():
            for number_ in steps:
                # Of many steps of one tool the first alone is told by its name.
                first = number_ == steps[0]
                st.button(
                    f"{number_} {plain(name)}" if first else str(number_),
                    key=f"evidence-{run}-{number_}",
                    type="tertiary",
                    on_click=on_select,
                    args=(number_,),
                    icon=":material/link:" if first else None,
                    help=f"Step {number_}: {plain(name)}",
                )


def steps_by_tool(answer: Answer, view: RunView) -> dict[str, list[int]]:
    """Return the steps that an answer rests on, together by what they called."""
    found: dict[str, list[int]] = {}
    for number_ in answer.evidence:
        step = view.step(number_)
        found.setdefault(action_name(step.action) if step else "", []).append(number_)
    return found


def _answer_text(answer: Answer) -> str:
    """Return what an answer says, less what its buttons say."""
    if not answer.readings:
        return answer.text
    if answer.status != "asks":
        return answer.text.partition(OFFERING)[0].strip()
    if _outcomes(answer) or _lists_readings(answer) or not answer.text:
        why, listed, _ = answer.text.partition(f"({answer.readings[0].number}) ")
        why = why.strip() if listed else ""
        return f"{why or f'That can be meant in {len(answer.readings)} ways that differ.'} {ASKING}"
    return answer.text


def _outcomes(answer: Answer) -> list[str]:
    """Return what each reading comes to where the text tells all, such as ``(1) It fell. (2) It rose.``"""
    rest, found = answer.text.removesuffix(ASKING), []
    for each in reversed(answer.readings):
        rest, mark, outcome = rest.rpartition(f"({each.number}) ")
        if not mark or not outcome.strip():
            return []
        found.append(outcome.strip())
    return found[::-1]


def _lists_readings(answer: Answer) -> bool:
    """Return whether the text of an answer lists its readings; a model asks in words of its own."""
    return all(each.read_as in answer.text for each in answer.readings)


def _offer_readings(answer: Answer, run: str) -> None:
    """Show the readings to choose from; a click asks the same question again, read that way."""
    if is_reading() or not answer.readings:
        return
    if answer.declined:
        st.caption(f"{OFFERING}:")
    with st.container(key="readings", gap="xsmall"):
        for each, words in zip(answer.readings, _labels(answer), strict=True):
            if st.button(
                f"{each.number}. {words}",
                key=f"reading-{run}-{each.number}",
                icon=":material/question_answer:",
                help=each.read_as,
            ):
                ask_again(run, each.number)


def _labels(answer: Answer) -> list[str]:
    """Return the readings of an answer as Markdown: what they come to, else how they are read."""
    if answer.status == "asks" and (outcomes := _outcomes(answer)):
        return mark_what_differs([_without_list(_A_MAP.sub("", outcome)) for outcome in outcomes])
    told = mark_what_differs([each.read_as for each in answer.readings])
    values = (shorten(each.value, _LONGEST_VALUE) for each in answer.readings)
    return [
        words + (f" \u2192 {plain(value)}" * bool(value)) for words, value in zip(told, values, strict=True)
    ]


def _without_list(outcome: str) -> str:
    """Return an outcome without most of what it lists, which would fill the answer's place."""
    listing = listing_in(outcome)
    if listing is None:
        return outcome
    left = len(listing.items) - _FEW_ITEMS
    return f"{listing.head}: {'; '.join(listing.items[:_FEW_ITEMS])}; and {left} more"


def _value(value: float, unit: str, text: str) -> str:
    shown = "" if unit in ("", "1") else f" {plain(unit)}"
    return f"{_as_told(value, text)}{shown}"


def _as_told(value: float, text: str) -> str:
    """Return a value with the digits that its sentence tells it by: with more it looks like another one."""
    for match in _DECIMAL.finditer(text):
        if round(value, len(match[1])) == float(match[0].replace(",", "")):
            return match[0]
    return number(value, 6)


def cost_text(view: RunView) -> str:
    """Return what the run cost so far, in one line."""
    tokens = view.state.tokens
    used = [step.tokens.input + step.tokens.output for step in view.steps]
    parts = [count_text(len(view.steps), "step"), seconds(view.seconds)]
    if any(used):
        parts.append(f"tokens {bars(used[-24:])} {tokens.input:,} in · {tokens.output:,} out")
        if tokens.cached:
            parts.append(f"{tokens.cached:,} cached")
        parts += filter(None, [money_text(tokens)])
    else:
        parts.append("no tokens used")
    return " · ".join(parts)
