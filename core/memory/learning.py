"""What a run learns of earlier attempts before it begins, and what is kept of it when it has ended."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treeline.core.context import guardrails
from treeline.core.context.tokens import count_tokens
from treeline.core.engine.calls import role_finder
from treeline.core.engine.events import Event, Note, RunFinished
from treeline.core.engine.journal import events_of, recorded_state
from treeline.core.engine.rundata import RunData
from treeline.core.memory.bank import MemoryBank, Outcome
from treeline.core.memory.critic import Issue, is_judged, judge
from treeline.core.memory.entries import Entry, Scope, Source, instance_of
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.items import BankItem
from treeline.core.memory.keys import NO_KEY, Key, key_of_question
from treeline.core.memory.model_reflection import (
    NO_REFLECTION,
    OWN,
    REFLECTIONS,
    by_model,
    reflection_exchange,
)
from treeline.core.memory.offering import accept_what_helped, offer
from treeline.core.memory.reflection import as_plain, by_rules
from treeline.core.memory.trace import Attempt
from treeline.core.policies.reading_choice import how_to_read
from treeline.core.record.faults import record_fault
from treeline.core.record.store import RunRecord, Store
from treeline.core.settings import Endpoint
from treeline.toolkit import registry
from treeline.toolkit.errors import TreelineError

_JUDGED = "judgement"
_ENFORCED = "The guardrails are enforced: a call that breaks one is refused."
# Whose failures are told at other questions than the one that failed; a benchmark asks for its own alone.
_ACROSS_QUESTIONS = frozenset({"user", "shared"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the critic said of a run.

    Attributes
    ----------
    issues : tuple of dict
        Sign, cause, fix and step; none for a run that shows no sign of failure.
    entry : str
        The memory entry that was made of it; empty where there is none.
    """

    issues: tuple[dict[str, Any], ...] = ()
    reflection: str = ""
    entry: str = ""
    tokens: int = 0

    @property
    def is_failure(self) -> bool:
        """Whether a sign of failure was found."""
        return bool(self.issues)

    @property
    def issue(self) -> str:
        """The causes in one text."""
        return " ".join(str(issue["cause"]) for issue in self.issues)


def source_of(record: RunRecord, round_number: int = 1, key: Key = NO_KEY) -> Source:
    """Return where a lesson from a run comes from."""
    options = record.options
    instance = instance_of(
        record.question,
        options.get("choices", ()),
        record.workspace,
        options.get("data", ()),
        options.get("aoi"),
    )
    # In a team a lesson is shared by hand, by those who may.
    shared = options.get("memory") == "shared" and not options.get("person")
    root = record.parent or record.id
    return Source(
        instance, record.question, record.workspace, root, record.id, round_number, shared, key.text
    )


def recall(store: Store, record: RunRecord, scope: Scope, data: RunData) -> dict[str, str]:
    """Return what memory adds to the context of a run, and record that it did.

    Of a question that never failed itself it is what the bank has for all questions of its kind.
    """
    if record.options.get("reflection") == NO_REFLECTION:
        return {}
    source = source_of(record)
    memory = FailureMemory(store, record.options.get("person", ""))
    withheld = record.options.get("withheld", ())
    entry = memory.latest(source.instance, scope, source.root, withheld)
    if entry is not None:
        context = context_of(entry)
        memory.record_use(entry.id, record.id, count_tokens("\n".join(context.values())))
        return context
    bank = _bank_of(store, record)
    if scope not in _ACROSS_QUESTIONS or not _uses_bank(record) or not bank.any_for_kinds():
        return {}
    key = key_of_question(record.question, data, how_to_read(store, record.options))
    items = [item for item in bank.of_key(key.text, withheld) if item.guardrails]
    for item in items:
        memory.record_use(item.key, record.id, count_tokens(item.text))
    return _context_of_kind(items)


def _uses_bank(record: RunRecord) -> bool:
    """Return whether a run may be given items of the bank; a team has taken its own already."""
    options = record.options
    return "memory" not in options.get("without", ()) and not options["member"]


def _bank_of(store: Store, record: RunRecord) -> MemoryBank:
    options = record.options
    return MemoryBank(store, owner=options.get("person", ""), shared=options.get("memory") == "shared")


def _context_of_kind(items: Sequence[BankItem]) -> dict[str, str]:
    rules = guardrails.join_guardrails(*(item.guardrails for item in items))
    if not rules:
        return {}
    lines = [f"- {item.text}" for item in items]
    told = "\n".join(["Earlier attempts at questions of this kind failed.", *lines, _ENFORCED])
    return {"memory": told, guardrails.CONTEXT_PART: guardrails.to_lines(rules)}


def context_of(entry: Entry) -> dict[str, str]:
    """Return an entry as parts of a context."""
    told = f"An earlier attempt at this question failed. {entry.lesson.text}"
    rules = entry.lesson.guardrails
    if not rules:
        return {"memory": told}
    told += f"\n{_ENFORCED}"
    return {"memory": told, guardrails.CONTEXT_PART: guardrails.to_lines(rules)}


def learn(
    store: Store,
    record: RunRecord,
    data_of: Callable[[str], RunData],
    finished: RunFinished,
    endpoint: Endpoint | None,
    emit: Callable[[Event], None],
    stop: threading.Event,
) -> Judgement:
    """Judge a run that has ended, record it, and keep what is learned from a failure.

    Whatever goes wrong here, the run keeps the answer that it has.

    Parameters
    ----------
    data_of : callable
        Returns what a run read and wrote.
    """
    try:
        return _learn(store, record, data_of, finished, endpoint, emit, stop)
    except TreelineError as error:
        emit(Note(f"Nothing was learned from this run: {error}"))
    except Exception as error:
        fault = record_fault(store, error, "Learning from the run", record.id)
        emit(Note(f"Nothing was learned from this run. {fault.sentence}"))
    return Judgement()


def _learn(
    store: Store,
    record: RunRecord,
    data_of: Callable[[str], RunData],
    finished: RunFinished,
    endpoint: Endpoint | None,
    emit: Callable[[Event], None],
    stop: threading.Event,
) -> Judgement:
    state = recorded_state(store, record.id)
    attempt = Attempt(
        record.question, state.choices, state.steps, finished, registry(), role_finder(data_of(record.id))
    )
    issues = judge(attempt)
    memory = FailureMemory(store, record.options.get("person", ""))
    if is_judged(finished):
        # Before anything is kept of this run, so that only what it was told is judged by it.
        memory.record_success(record.id, not issues)
        _review(_bank_of(store, record), memory, record.id, _outcome(finished, issues))
    judgement = Judgement()
    if issues:
        key = key_of_question(record.question, data_of(record.id), how_to_read(store, record.options))
        judgement = _keep(record, attempt, state.context, issues, memory, key, endpoint, emit, stop)
        if judgement.entry and _uses_bank(record):
            offer(_bank_of(store, record), memory.get(judgement.entry), key)
    text = f"Signs of failure: {judgement.issue}" if judgement.is_failure else "No sign of failure was found."
    emit(Note(text, {_JUDGED: _as_json(judgement)}))
    return judgement


def _outcome(finished: RunFinished, issues: Sequence[Issue]) -> Outcome:
    """Return whether what a run was told helped it; missing data are nobody's fault."""
    if finished.status == "declined":
        return "neither"
    return "harmed" if issues else "helped"


def _review(bank: MemoryBank, memory: FailureMemory, run: str, outcome: Outcome) -> None:
    """Count how the bank's items fared that entered a run; an entry that helped speaks for its offer."""
    entered = [use.entry for use in memory.uses(run=run)]
    of_bank = {item.key for item in bank.items()} & set(entered) if entered else set()
    bank.count_use(of_bank, outcome)
    # An entry that was deleted meanwhile still led to the item that was offered from it.
    if entered and outcome == "helped":
        failed = [entry.run for entry in memory.entries(deleted=True) if entry.id in entered]
        accept_what_helped(bank, failed)


def _keep(
    record: RunRecord,
    attempt: Attempt,
    context: Mapping[str, str],
    issues: tuple[Issue, ...],
    memory: FailureMemory,
    key: Key,
    endpoint: Endpoint | None,
    emit: Callable[[Event], None],
    stop: threading.Event,
) -> Judgement:
    number = int(record.options.get("round") or 1)
    lesson = by_rules(attempt, issues, guardrails.of_context(context), number)
    style = REFLECTIONS[str(record.options.get("reflection") or OWN)]
    if not style.guards:
        lesson = replace(lesson, guardrails=())
    if style.instruction and record.options.get("policy") == "language":
        exchange, card = reflection_exchange(endpoint), context.get("cards", "")
        lesson, _ = by_model(
            exchange, attempt, issues, lesson, card, lambda text: emit(Note(text)), stop, style
        )
    entry = memory.add(source_of(record, number, key), lesson)
    return Judgement(tuple(as_plain(issue) for issue in issues), lesson.text, entry.id, lesson.tokens)


def judgement_of(store: Store, run: str) -> Judgement | None:
    """Return what the critic said of a run; ``None`` where it was not judged."""
    # A run that was resumed may have been judged more than once; the last judgement counts.
    for stored in reversed(events_of(store, run)):
        if isinstance(stored.event, Note) and _JUDGED in stored.event.data:
            kept = stored.event.data[_JUDGED]
            return Judgement(**{**kept, "issues": tuple(kept["issues"])})
    return None


def _as_json(judgement: Judgement) -> dict[str, Any]:
    return {
        "issues": list(judgement.issues),
        "reflection": judgement.reflection,
        "entry": judgement.entry,
        "tokens": judgement.tokens,
    }
