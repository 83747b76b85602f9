"""Pinned answers: kept in sight, asked again by hand or when new scenes come in, with what has changed."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from treeline.core.access import Person, tell_refusal
from treeline.core.errors import AccessDenied
from treeline.core.record.audit import note
from treeline.core.record.ownership import Ownership
from treeline.core.record.pins import (
    Pin,
    add_pin,
    pin_of,
    pins_of,
    remove_pin,
    replace_run,
    set_every,
    take_turn,
)
from treeline.core.record.store import RunRecord, Store, now
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import run_result
from treeline.core.runs.result import RunResult
from treeline.core.settings import Endpoint
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import InputError, TreelineError

_LOG = logging.getLogger(__name__)

HOUR, DAY, WEEK = 3_600, 86_400, 604_800
INTERVALS = {0: "By hand", HOUR: "Every hour", DAY: "Every day", WEEK: "Every week"}
PINNED = ("answered", "unverified")
# A model is asked with a key that may be a session's alone, so that nobody asks it while that one is away.
SCHEDULED = "planner"


@dataclass(frozen=True, slots=True)
class Change:
    """What has changed between two answers to one question.

    Attributes
    ----------
    before : str
        The answer before.
    difference : float, optional
        Of the two values, where both have one in the same unit.
    same : bool
        Whether the answers say the same.
    """

    before: str
    difference: float | None
    unit: str
    same: bool


class Pins:
    """The pinned answers that a person sees; the person's own can be changed.

    Parameters
    ----------
    person : Person
    store : Store
        With everything in it.
    manager : RunManager
        As far as the person reaches it.
    """

    def __init__(self, person: Person, store: Store, manager: RunManager) -> None:
        self._person = person
        self._store = store
        self._manager = manager

    def pins(self, workspace: str = "") -> list[Pin]:
        """Return the pins of a workspace, or all, whose run the person may see; the newest first."""
        found = (pin for pin in pins_of(self._store) if workspace in ("", pin.workspace))
        return [pin for pin in found if self._manager.store.run(pin.run) is not None]

    def is_own(self, pin: Pin) -> bool:
        """Return whether the person may change a pin."""
        return self._person.local or pin.person == self._person.id

    def of_run(self, run: str) -> Pin | None:
        """Return the pin of a run that the person may change; ``None`` without."""
        return next((p for p in pins_of(self._store) if p.run == run and self.is_own(p)), None)

    def add(self, run: str) -> Pin:
        """Pin the answer of a run that the person sees; pinned already, it stays as it is.

        A question has one pin: where an older answer to it is pinned, that pin shows this one now.

        Raises
        ------
        AccessDenied, InputError
        """
        record = self._manager.record(run)
        if record.status not in PINNED:
            raise InputError(f"The run is {record.status}.", "An answer is pinned; ask what has one.")
        if (known := self.of_run(run)) is not None:
            return known
        if self._person.has_role("analyst") or self._person.local:
            files = files_of(self._manager.workspace(record.workspace))
            if (older := self._of_same_question(record)) is not None:
                replace_run(self._store, older, run, files)
                note(self._store, self._person, "pin", "run", run, f"as {older.id}, in place of {older.run}")
                return pin_of(self._store, older.id)
            added = add_pin(self._store, self._person.id, record.workspace, run, files)
            note(self._store, self._person, "pin", "run", run, f"as {added.id}")
            return added
        raise AccessDenied("You may not pin answers.", "It takes the role 'analyst'. An admin gives roles.")

    def _of_same_question(self, record: RunRecord) -> Pin | None:
        """Return the person's pin of another answer to the question of a run; ``None`` without.

        Raises
        ------
        InputError
            That answer is the newer one.
        """
        asked = self._question_of(record)
        for pin in self.pins(record.workspace):
            known = self._manager.store.run(pin.run)
            if known is None or not self.is_own(pin) or self._question_of(known) != asked:
                continue
            if known.created > record.created:
                raise InputError(
                    "A newer answer to this question is pinned already.",
                    "Take that one off first, on the page Pinned.",
                )
            return pin
        return None

    def _question_of(self, record: RunRecord) -> tuple[object, ...]:
        """Return what two runs have in common that answer one question in the same way."""
        options = RunOptions.from_json(record.options)
        read_as = run_result(self._manager.store, record.id).read_as
        # The words of a fragment mean something else after another question; what was read tells all.
        words = (read_as,) if read_as else (" ".join(record.question.split()).casefold(), options.after)
        area = json.dumps(options.aoi, sort_keys=True)
        return (*words, options.policy, options.team, options.profile, options.choices, area)

    def remove(self, pin: str) -> None:
        """Forget a pin; its runs stay.

        Raises
        ------
        AccessDenied, InputError
        """
        found = self._own(pin)
        remove_pin(self._store, found)
        note(self._store, self._person, "unpin", "run", found.run, f"as {found.id}")

    def schedule(self, pin: str, seconds: int) -> None:
        """Look for new files every so many seconds, and ask again where there are any; 0 for by hand alone.

        Raises
        ------
        AccessDenied, InputError
        """
        found = self._own(pin)
        policy = RunOptions.from_json(self._manager.record(found.run).options).policy
        if seconds and policy != SCHEDULED:
            raise InputError(
                f"An answer of the policy {policy!r} is asked again by hand: its key is not kept.",
                "Ask the same of the planner, and pin that answer.",
            )
        if seconds not in INTERVALS:
            raise InputError(f"There is no interval of {seconds} seconds.", f"Choose of {list(INTERVALS)}.")
        set_every(self._store, found, seconds)
        note(
            self._store,
            self._person,
            "schedule",
            "run",
            found.run,
            f"as {found.id}: {INTERVALS[seconds].lower()}",
        )

    def ask(self, pin: str, endpoint: Endpoint | None = None) -> str:
        """Ask the question of a pin again and return the run; those who see the one before see it too.

        Raises
        ------
        AccessDenied, InputError, QuotaReached
        """
        found = self._own(pin)
        record = self._manager.record(found.run)
        workspace = self._manager.workspace(found.workspace)
        workspace.refresh()
        files = files_of(workspace)
        # What follows another question is a fragment, and means nothing without it.
        options = replace(RunOptions.from_json(record.options), edited="")
        run = self._manager.start(record.workspace, record.question, options, endpoint)
        ownership = Ownership(self._store)
        for grant in ownership.thing("run", found.run).grants:
            ownership.share("run", run, grant)
        replace_run(self._store, found, run, files)
        return run

    def result(self, pin: Pin) -> RunResult:
        """Return the newest result of a pin."""
        return run_result(self._manager.store, pin.run)

    def change(self, pin: Pin) -> Change | None:
        """Return what the newest answer changed; ``None`` where there is no other, or none yet."""
        if not pin.before or self._manager.store.run(pin.before) is None:
            return None
        before, after = run_result(self._manager.store, pin.before), self.result(pin)
        if before.answer is None or after.answer is None:
            return None
        told = before.value is not None and after.value is not None and before.unit == after.unit
        difference = after.value - before.value if told else None  # type: ignore[operator]
        return Change(before.answer, difference, after.unit, before.answer == after.answer)

    def has_news(self, pin: Pin) -> bool:
        """Return whether the files of a pin's workspace are others than when it was asked."""
        return files_of(self._manager.workspace(pin.workspace)) != pin.files

    def _own(self, pin: str) -> Pin:
        try:
            found = pin_of(self._store, pin)
        except KeyError:
            found = None
        if found is None or self._manager.store.run(found.run) is None:
            if found is not None:
                tell_refusal(self._person, "change", "run", found.run)
            raise InputError("There is no such pinned answer.", "The page Pinned lists those that there are.")
        if not self.is_own(found):
            tell_refusal(self._person, "change", "run", found.run)
            raise AccessDenied("Another person pinned this answer.", "Pin it yourself.")
        return found


def ask_due(store: Store, reached: Callable[[str], Pins | None]) -> list[str]:
    """Ask again what is due and has new files, each as its person; return the runs.

    Parameters
    ----------
    reached : callable
        Returns the pins as a person reaches them; ``None`` for who is not let in any more.
    """
    runs = []
    for pin in pins_of(store):
        # What was looked at in days to come was so before the clock was set back.
        early = 0 <= now() - pin.looked.timestamp() < pin.every
        if not pin.every or early or not take_turn(store, pin):
            continue
        try:
            pins = reached(pin.person)
            if pins is not None and pins.has_news(pin):
                runs.append(pins.ask(pin.id))
        except TreelineError as error:
            _LOG.warning("A pinned answer of %s is not asked again: %s", pin.workspace, error)
    return runs


def files_of(workspace: Workspace) -> str:
    """Return what names the files of a workspace as they are: another text once one came, went or changed."""
    states = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in workspace.files()]
    return f"{len(states)}:{hashlib.sha256(repr(sorted(states)).encode()).hexdigest()[:32]}"
