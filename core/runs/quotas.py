"""How much a person and a workspace may use: runs, files, disk, tokens."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from treeline.core.access import in_team
from treeline.core.errors import QuotaReached
from treeline.core.record.store import RunRecord, Store, now
from treeline.core.runs.usage import count_tokens_used
from treeline.toolkit.limits import read_numbers

SETTING = "TREELINE_QUOTAS"
DAY, MINUTE = 86_400.0, 60.0

# What a team's server allows unless it is set otherwise: a person who works hard stays below it.
_OF_TEAM = {
    "runs": 4, "runs_each": 2, "queue_each": 20, "seconds": 3_600, "files": 20_000, "disk": 50 * 2**30,
    "memory": 4 * 2**30, "asks": 30, "uploads": 120, "tiles": 3_000,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quotas:
    """What a person and a workspace may use; decisions, meant to be met by nobody who works alone.

    Attributes
    ----------
    runs : int
        At once, in this process.
    runs_each : int
        At once, of one person.
    queue_each : int
        Runs of one person that wait or work.
    seconds : int
        Of one run; 0 for no limit.
    files : int
        In a workspace, products not counted; 0 for no limit.
    disk : int
        Bytes of a workspace, its products counted; 0 for no limit.
    memory : int
        Bytes of a process that works on a run, where runs work in processes of their own.
    tokens : int
        Of language models, of one person within 24 hours; 0 for no limit.
    asks, uploads, tiles : int
        Of one person in a minute; 0 for no limit.
    """

    runs: int = 8
    runs_each: int = 8
    queue_each: int = 100
    seconds: int = 0
    files: int = 0
    disk: int = 0
    memory: int = 8 * 2**30
    tokens: int = 0
    asks: int = 0
    uploads: int = 0
    tiles: int = 0

    @classmethod
    def from_environment(cls) -> Quotas:
        """Read ``TREELINE_QUOTAS``: ``runs=4 disk=2e10``; what it leaves out is the default of the mode.

        Raises
        ------
        InputError
            It names no such quota, or no positive number.
        """
        return cls(**((_OF_TEAM if in_team() else {}) | read_numbers(SETTING, cls)))


def check_asking(store: Store, person: str, seconds: float | None, quotas: Quotas) -> None:
    """Refuse another run of a person who has used up what may be used.

    Parameters
    ----------
    seconds : float, optional
        That the run may take, by its own budget.

    Raises
    ------
    QuotaReached
    """
    unfinished = sum(record.person == person and not record.parent for record in store.unfinished_runs())
    if unfinished >= quotas.queue_each:
        raise QuotaReached(
            f"You have {unfinished} runs that wait or work; {quotas.queue_each} are allowed.",
            "Wait until one has ended, or stop one.",
        )
    if quotas.seconds and (seconds is None or seconds > quotas.seconds):
        asked = "no limit of seconds" if seconds is None else f"{seconds:,.0f} seconds"
        raise QuotaReached(
            f"The budget of the run has {asked}; {quotas.seconds:,} seconds are allowed.",
            "Lower it in the sidebar, and ask of fewer dates.",
        )
    if quotas.asks:
        recent = len(_runs_since(store, person, now() - MINUTE))
        if recent >= quotas.asks:
            raise QuotaReached(
                f"You asked {recent} questions within a minute; {quotas.asks} are allowed.", "Wait a moment."
            )
    if quotas.tokens:
        used = _tokens_today(store, person)
        if used >= quotas.tokens:
            raise QuotaReached(
                f"Your runs of the last 24 hours used {used:,} tokens; {quotas.tokens:,} are allowed.",
                "Ask the planner, which uses none, or go on tomorrow.",
            )


def check_workspace(folder: Path, more: int, quotas: Quotas) -> None:
    """Refuse another file in a workspace that holds as many, or as much, as it may.

    Parameters
    ----------
    more : int
        Bytes that are to come.

    Raises
    ------
    QuotaReached
    """
    count = sum(1 for _ in _sizes(folder / "inputs")) if quotas.files else 0
    if quotas.files and count >= quotas.files:
        raise QuotaReached(
            f"The workspace holds {count:,} files; {quotas.files:,} are allowed.",
            "Remove what is not needed, or begin another workspace.",
        )
    check_disk(folder, more, quotas)


def check_disk(folder: Path, more: int, quotas: Quotas) -> None:
    """Refuse to write into a workspace that holds as many bytes as it may.

    Raises
    ------
    QuotaReached
    """
    used = sum(_sizes(folder)) if quotas.disk else 0
    if quotas.disk and used + more > quotas.disk:
        raise QuotaReached(
            f"The workspace holds {used / 2**30:.3g} GiB; {quotas.disk / 2**30:.3g} GiB are allowed, "
            "products counted.",
            "Remove rasters or runs that are not needed.",
        )


def _tokens_today(store: Store, person: str) -> int:
    used = [count_tokens_used(store, record.id) for record in _runs_since(store, person, now() - DAY)]
    return sum(each.input + each.output for each in used)


def _runs_since(store: Store, person: str, moment: float) -> list[RunRecord]:
    return [r for r in store.runs() if r.person == person and r.created.timestamp() > moment]


def _sizes(folder: Path) -> Iterator[int]:
    """Yield the bytes of each file below a folder; links are not followed."""
    try:
        entries = list(os.scandir(folder))
    except OSError:  # removed since it was listed
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _sizes(Path(entry.path))
        elif entry.is_file(follow_symlinks=False):
            with suppress(OSError):
                yield entry.stat(follow_symlinks=False).st_size
