"""The planner's answer beside that of a language model: where the two differ, the model's is unverified.

The model is told of it once, and may answer anew: it may have read the question otherwise than it was meant.

A model may cite a true number that answers another question: of another date, class, unit or statistic. What
it cites cannot show that; an answer that was computed from the question's own expression can. The planner
works when the model has answered, on data and in a folder of its own, and for some seconds at most; what it
does not read whole, or asks back, is left to what the model cites.
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from treeline.core.context.holdings import holdings
from treeline.core.disclosure.strategies import make_disclosure
from treeline.core.engine.actions import Answer, action_name
from treeline.core.engine.budget import Budget, Deadline
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.events import Event, Note, RunFinished, ending
from treeline.core.engine.journal import recorded_state
from treeline.core.engine.loop import drive
from treeline.core.engine.state import State, state_of
from treeline.core.engine.verification import contradictions_with
from treeline.core.engine.verification.claims import Claim, claim_of, claims_in, dates_in, with_plain_dates
from treeline.core.engine.verification.columns import Column, columns_of
from treeline.core.engine.verification.labels import find_names, legend_in
from treeline.core.engine.verification.notation import with_english_months
from treeline.core.engine.verification.phrases import way
from treeline.core.engine.verification.question_words import asks_either, leads_elsewhere, polarity
from treeline.core.engine.verification.readings import readings_of
from treeline.core.engine.verification.statistic_words import find_statistics
from treeline.core.policies.reading_choice import PLANNER_ANSWERS, how_to_read
from treeline.core.policies.registry import make_policy
from treeline.core.query.asked_parts import AskedPart
from treeline.core.runs.options import RunOptions
from treeline.core.runs.parts_left_out import (
    LeftOut,
    SaidPart,
    describe_left_out,
    find_left_out,
    reason_of_left_out,
    warning_of_left_out,
)
from treeline.core.runs.task import Task
from treeline.core.teams.model import Member
from treeline.core.workspace.workspace import RASTER_SUFFIXES, VECTOR_SUFFIXES
from treeline.toolkit import registry
from treeline.toolkit.units import UNITS

T = TypeVar("T")

# So long a person waits for the planner at the end of a run; means of some hundred rasters take less.
_LONGEST = 10.0
# What a team's members are compared with is computed once: by the run that was asked for, few at a time.
_ANSWERS: dict[str, SecondAnswer | None] = {}
# What questions ask for, kept in the same way.
_PARTS: dict[str, tuple[SaidPart, ...]] = {}
# The members of a team ask for the answer to the same question, one after the other.
_MOST_KEPT = 8
_ENDS_OF_TIME = 2
_WHOLE = "all"  # the zone that tools name what all of them come to
_ASKING = threading.Lock()


# What a test does not find.
_NO_TREND = re.compile(r"\b(?:not|no|without|n't)\b[^.;:]{0,30}?\bsignifican|\binsignifican", re.I)


# Numbers of several dates made one, where the question does not say so.
_POOLED = re.compile(r"\(assumed: [^)]*\b(?:all dates|of the dates)\b")
# A question for how something went, which the numbers on its way answer too.
_HOW_IT_WENT = re.compile(r"\s*how (?:did|does|do|has|have|is|was)\b", re.I)


@dataclass(frozen=True)
class SecondAnswer:
    """What the planner answers to a question, and the steps that it rests on."""

    answer: Answer
    state: State

    @property
    def finding(self) -> str:
        """The answer without what it says of how that was found, which may name what was not found."""
        return self.answer.text.split(": ")[0]

    @property
    def dates(self) -> frozenset[str]:
        """The dates that its steps found something for."""
        return frozenset(label for c in columns_of(self.state.calls, {}) if c.dated for label in c.numbers)

    @property
    def listed(self) -> frozenset[str]:
        """The dates that it counts, where it lists them all."""
        found = frozenset(dates_in(self.answer.text.partition(": ")[2]))
        counted = claims_in(self.finding)[:1]
        return found if counted and counted[0].number == len(found) > 1 else frozenset()

    @property
    def reads_rasters(self) -> bool:
        """Whether a raster is among what its steps were given; polygons may be all that is asked of."""
        given = [text for step in self.state.calls for text in texts(step.observation.arguments)]
        suffixes = {Path(file_name(text)).suffix.casefold() for text in given}
        return not suffixes & VECTOR_SUFFIXES or bool(suffixes & RASTER_SUFFIXES)


def compare_with_planner(task: Task, finished: RunFinished) -> tuple[Note | None, RunFinished]:
    """Return what the planner answers, if it does in time, and how the run ends beside that."""
    if finished.answer is None or finished.status not in ("answered", "unverified", "declined"):
        return None, finished
    second = _planners_answer(task)
    if second is None:
        return None, finished
    other = second.answer
    differs = _differs(task, finished.answer, second)
    said = f"The planner answers{' differently' if differs else ''}: {other.text}"
    kept = {name: asdict(other)[name] for name in ("text", "value", "unit", "choice", "read_as")}
    note = Note(said, {PLANNER_ANSWERS: {**kept, "differs": differs}})
    if not differs or finished.status != "answered":
        return note, finished
    doubt = (
        f"It follows from what it cites, but the planner, which reads the question as {other.read_as!r}, "
        f"computes another answer: {other.text} Either may be what was meant: compare how each was found."
    )
    return note, ending(replace(finished.answer, unverified=doubt))


def compare_with_question(task: Task, finished: RunFinished) -> tuple[Note | None, RunFinished]:
    """Return which parts of the question an answer says why it cannot tell, and how the run ends.

    It is unverified where it leaves out a part in silence.
    """
    if finished.answer is None or finished.status != "answered":
        return None, finished
    left = _left_out(task, finished.answer, recorded_state(task.store, task.run))
    if left.said:
        return None, ending(replace(finished.answer, unverified=reason_of_left_out(left.said)))
    return (Note(warning_of_left_out(left.explained)) if left.explained else None), finished


def describe_difference(task: Task, answer: Answer, state: State) -> str:
    """Return what a model is told where its answer leaves out a part, or is another than the planner's."""
    left = _left_out(task, answer, state).said
    return "\n".join(filter(None, [describe_left_out(left), _describe_other(task, answer)]))


def _describe_other(task: Task, answer: Answer) -> str:
    second = _planners_answer(task)
    if second is None or not _differs(task, answer, second):
        return ""
    tools = ", ".join(dict.fromkeys(action_name(step.action) for step in second.state.calls))
    return (
        f"The planner of this workbench reads the question as {second.answer.read_as!r} and answers, by "
        f"{tools}: {second.answer.text}\nThat is another answer than yours. If the question means what the "
        "planner reads, call the tools that show it and cite their steps. If it means something else, answer "
        "again and say in a sentence how you read the question."
    )


def _differs(task: Task, answer: Answer, second: SecondAnswer) -> bool:
    """Return whether an answer differs from the planner's; where that cannot be told, it stands."""
    return _beside(
        task,
        lambda: answers_differ(answer, second, task.options.choices),
        False,
        "The comparison of the model's answer with the planner's",
    )


def _left_out(task: Task, answer: Answer, state: State) -> LeftOut:
    """Return which parts of the question of a run an answer leaves out; none where that cannot be told."""
    return _beside(
        task,
        lambda: find_left_out(answer, state, _asked_parts(task)),
        LeftOut(),
        "The planner's reading beside the model's answer",
    )


def _beside(task: Task, work: Callable[[], T], without: T, subject: str) -> T:
    """Return what is found beside the model's answer, which stands whatever befalls the finding."""
    try:
        return work()
    except Exception as error:
        task.report(error, subject)
        return without


def answers_differ(answer: Answer, second: SecondAnswer, choices: Sequence[str] = ()) -> bool:
    """Return whether two answers to a question say what cannot both be so.

    Options, yes and no, numbers, dates, names, and which way something goes are compared: the first that both
    tell decides, where the question asks which or when that is a date or a name. Where they tell nothing
    alike, what the first says is compared with the results that the second rests on.
    """
    if not answer.answers:
        return True
    told = with_plain_dates(with_english_months(answer.text), second.dates)
    answer, other = replace(answer, text=told), second.answer
    if choices and answer.choice and other.choice:
        return answer.choice != other.choice
    if all(_NO_TREND.search(text) for text in (answer.text, other.text)):
        return False  # each by a test of its own, whose numbers differ
    if _tells_course(answer, second):
        return any(True for _ in contradictions_with(answer, second.state))
    things = (_date_apart, _name_apart)
    numbers = (_number_apart,)
    asks_thing = leads_elsewhere(second.state.question) or asks_either(second.state.question)
    kinds = (*things, *numbers) if asks_thing else (*numbers, *things)
    for differ in (_deny_apart, *kinds, _move_apart):
        apart = differ(answer, second)
        if apart is not None:
            return apart
    return any(True for _ in contradictions_with(answer, second.state))


def _tells_course(answer: Answer, second: SecondAnswer) -> bool:
    """Return whether an answer tells what something had on its way, and the other by how much it changed."""
    asks_course = _HOW_IT_WENT.match(second.state.question) is not None
    return asks_course and " minus " in second.answer.read_as and len(claims_in(answer.text)) > 1


def _number_apart(answer: Answer, second: SecondAnswer) -> bool | None:
    """Compare the number of one answer with that of the other, or with those that its text tells.

    What polygons alone come to is another thing than the part of them that rasters show: both may be right.
    """
    other = second.answer
    if other.value is None or other.parts or not second.reads_rasters:
        return None  # of several numbers an answer may tell one, or what they come to
    said = claims_in(answer.text)
    value = [_value_of(answer, said)] if answer.value is not None else []
    rates = {claim.per for claim in claims_in(other.text) if claim.per}
    if rates and not rates & {claim.per for claim in said}:
        return None  # a slope by year, and one by image or by what is not told
    alike = [claim for claim in value or said if _is_comparable(claim, other.unit)]
    alike = alike or [claim for claim in said if _is_comparable(claim, other.unit)]
    if not alike or _is_span(said, second):
        return None
    # One number of all dates was assumed, and each date has its own; a time is told by two of them at most.
    several = len(dates_in(answer.text)) > (1 if len(alike) > 1 else _ENDS_OF_TIME)
    if several and _POOLED.search(other.read_as):
        return None
    falls = way(f"{answer.text} {other.read_as}") < 0
    plus = not falls and any(claim.text.startswith("+") for claim in said)
    return not (
        any(_means(claim, other.value, other.unit, plus) for claim in alike)
        or _comes_to(alike, other.value, other.unit)
    )


def _value_of(answer: Answer, said: Sequence[Claim]) -> Claim:
    """Return the number of an answer, in its unit or else in that which its text tells it in."""
    value = claim_of(answer.value or 0.0, answer.unit)
    told = (c.unit for c in said if not answer.unit and abs(c.number - value.number) <= c.half)
    return replace(value, unit=next(told, value.unit))


def _is_span(said: Sequence[Claim], second: SecondAnswer) -> bool:
    """Return whether two numbers of an answer lie as far apart as the other's range, or difference."""
    value = second.answer.value
    if value is None or not re.search(r"^range\b|\bminus\b", second.answer.read_as):
        return False
    apart = ((abs(a.number - b.number), a.half + b.half) for a, b in combinations(said, 2))
    return any(abs(distance - abs(value)) <= half * (1 + 1e-6) for distance, half in apart)


def _comes_to(said: Sequence[Claim], value: float, unit: str) -> bool:
    """Return whether several numbers of an answer come to the other's together: its parts in its own unit."""
    parts = [claim for claim in said if unit and claim.unit == unit and not claim.limit]
    total, half = math.fsum(c.number for c in parts), math.fsum(c.half for c in parts)
    return len(parts) > 1 and abs(total - value) <= half * (1 + 1e-6)


def _is_comparable(claim: Claim, unit: str) -> bool:
    """Return whether a number can be of a unit: hectares are no percent; without a unit nothing is said."""
    one, other = (UNITS[u].quantity if u in UNITS else "" for u in (claim.unit, unit))
    return not (one and other) or one == other


def _date_apart(answer: Answer, second: SecondAnswer) -> bool | None:
    dates, others = dates_in(answer.text), dates_in(second.finding)
    if dates and second.listed and len(dates) > 1:
        return not second.listed <= set(dates)
    if not dates or not others:
        return None
    return not any(a.startswith(b) or b.startswith(a) for a in dates for b in others)


def _name_apart(answer: Answer, second: SecondAnswer) -> bool | None:
    """Compare the classes or zones that both name, of those that the second found."""
    legend = legend_in(second.state.context.get("holdings", ""))
    columns = [*columns_of(second.state.calls, legend), Column(dict.fromkeys(legend.values(), 0.0))]
    said, others = (find_names(text, columns) for text in (answer.text, second.finding))
    if others == [_WHOLE] and len(said) > 1 and "sum" not in find_statistics(second.state.question):
        return None  # what several parts have answers for them, where no sum is asked
    return None if not said or not others else not set(said) & set(others)


def _deny_apart(answer: Answer, second: SecondAnswer) -> bool | None:
    said, others = polarity(answer.text), polarity(second.answer.text)
    return None if said is None or others is None else said != others


def _move_apart(answer: Answer, second: SecondAnswer) -> bool | None:
    both = way(answer.text) * way(second.answer.text)
    return both < 0 if both else None


def _means(claim: Claim, value: float, unit: str, signed: bool = False) -> bool:
    """Return whether a number is another one as it is written, in its unit; its sign counts if ``signed``."""
    half = claim.half * (1 + 1e-6)
    read = readings_of(claim, value, (unit,) if unit else ())
    return any(abs(claim.number - n if signed else abs(claim.number) - abs(n)) <= half for n in read)


def work_beside_planner(task: Task, work: Callable[[Task], RunFinished]) -> RunFinished:
    """Work on a run to its end, and set what the planner answers beside what a language model does.

    Left alone are members that work on a part of the question, and runs under the regime of a paper.
    """
    if not is_compared(task.options):
        return work(task)
    settled: list[RunFinished] = []

    def emit(event: Event) -> None:
        if isinstance(event, RunFinished):
            for judge in (compare_with_question, compare_with_planner):
                note, event = judge(task, event)
                if note is not None:
                    task.emit(note)
            settled.append(event)
        task.emit(event)

    finished = work(replace(task, emit=emit))
    return settled[-1] if settled else finished


def is_compared(options: RunOptions) -> bool:
    """Return whether the answer of a run is set beside the planner's.

    It is a language model's, to the whole question: no member's, or that of the member who answers it.
    """
    if options.policy != "language" or not options.open_tools:
        return False
    return not options.member or Member.from_json(options.member).goal.kind == "answer"


def _asked_parts(task: Task) -> tuple[SaidPart, ...]:
    """Return what the question of a run asks for, by the planner's reading; a team reads it once."""
    from treeline.core.policies.planner.policy import parts_in_words  # many modules, for few runs

    root = task.record.parent or task.run
    with _ASKING:
        if root not in _PARTS:
            record = task.parts.record(root)
            unread: tuple[tuple[AskedPart, str], ...] = ()
            found = _beside(
                task,
                lambda: parts_in_words(
                    record.question, task.parts.data(root), how_to_read(task.store, record.options)
                ),
                unread,
                "The planner's reading beside the model's answer",
            )
            _PARTS[root] = tuple(SaidPart(part, said) for part, said in found)
            while len(_PARTS) > _MOST_KEPT:
                _PARTS.pop(next(iter(_PARTS)))
        return _PARTS[root]


def _planners_answer(task: Task) -> SecondAnswer | None:
    """Return what the planner answers to the question of a run; a team and its members ask it once."""
    root = task.record.parent or task.run
    with _ASKING:
        if root in _ANSWERS:
            return _ANSWERS[root]
        found = _ask_planner(task, root)
        if not task.stop.is_set():  # of a run that goes on later it is asked again
            _ANSWERS[root] = found
            while len(_ANSWERS) > _MOST_KEPT:
                _ANSWERS.pop(next(iter(_ANSWERS)))
        return found


def _ask_planner(task: Task, root: str) -> SecondAnswer | None:
    def work() -> SecondAnswer | None:
        with TemporaryDirectory(prefix="planner-", dir=task.data().folder) as folder:
            return _work(task, root, Path(folder))

    return _beside(task, work, None, "The planner's answer beside the model's")


def _work(task: Task, root: str, folder: Path) -> SecondAnswer | None:
    parts, record = task.parts, task.parts.record(root)
    options, question = RunOptions.from_json(record.options), record.question
    data = parts.surroundings.data(parts.workspace(record.workspace, options.data), root, folder)
    data.area = options.area
    disclosure = make_disclosure("flat", parts.surroundings.tree(), question)
    policy = make_policy("planner", data, None, disclosure, task.how_to_read())
    environment = parts.surroundings.environment(
        data, disclosure, registry(), options.profile, (), task.report
    )
    stop = Deadline(task.stop, time.monotonic() + _LONGEST)
    state, events = State(question, options.choices, holdings(data)), list[Event]()
    answer = drive(state, policy, environment, Budget(seconds=_LONGEST), events.append, stop).answer
    if answer is None or answer.status != "answered":
        return None
    return SecondAnswer(answer, replace(state, steps=state_of(events).steps))


def planners_answer(events: Sequence[Event]) -> dict[str, Any] | None:
    """Return what the planner answered to the question of a run, by its events; ``None`` where nothing."""
    told = (event.data for event in events if isinstance(event, Note))
    return next((data[PLANNER_ANSWERS] for data in told if PLANNER_ANSWERS in data), None)
