"""How much a person and a workspace may use: runs, files, disk, tokens."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from treeline.core.access import in_team
from treeline.core.engine.actions import TokenUse
from treeline.core.errors import QuotaReached
from treeline.core.model_settings import ModelSettings
from treeline.core.record.audit import RecordedAct, deeds
from treeline.core.record.ownership import Ownership
from treeline.core.record.store import RunRecord, Store, now
from treeline.core.record.tables import RUNS
from treeline.core.runs.usage import count_tokens_used
from treeline.toolkit.errors import InputError
from treeline.toolkit.limits import Limits, read_numbers

SETTING, PRICES = "TREELINE_QUOTAS", "TREELINE_PRICES"
DAY, MINUTE = 86_400.0, 60.0
LOST = "lose"
"""What the trail says of whoever asked a run that another person deleted with the workspace."""
_MOST_RECENT = 100_000
_TOLD = re.compile(r"(\d+) tokens read, (\d+) of them from a cache, (\d+) written")

# On fewer processors as many still make sense: a run often waits, for a disk or for a language model.
_FEWEST_AT_ONCE = 4
# So many runs of a language model keep as many processors busy as one that waits for nobody.
_OF_MODEL = 4

# What a team's server allows unless it is set otherwise: a person who works hard stays below it.
_OF_TEAM = {
    "runs": 4,
    "runs_each": 2,
    "model_runs": 16,
    "model_runs_each": 4,
    "queue_each": 20,
    "seconds": 3_600,
    "files": 20_000,
    "workspaces": 100,
    "disk": 50 * 2**30,
    "disk_each": 100 * 2**30,
    "memory": 4 * 2**30,
    "asks": 30,
    "uploads": 120,
    "tiles": 3_000,
}


# Of these 0 means no limit.
_ENDLESS = frozenset(
    {"seconds", "files", "workspaces", "disk", "disk_each", "tokens", "money", "asks", "uploads", "tiles"}
)


def _as_many_as_processors() -> int:
    return max(os.cpu_count() or 1, _FEWEST_AT_ONCE)


def _as_many_as_wait() -> int:
    return _OF_MODEL * _as_many_as_processors()


@dataclass(frozen=True, slots=True)
class Quotas:
    """What a person and a workspace may use; decisions, meant to be met by nobody who works alone.

    Attributes
    ----------
    runs : int
        At once, in all processes of a record; more than there are processors would only make each one slow.
        Runs of a language model are counted apart.
    runs_each : int
        At once, of one person.
    model_runs, model_runs_each : int
        The same for runs of a language model, which mostly wait for its replies.
    queue_each : int
        Runs of one person that wait or work.
    seconds : int
        Of one run; 0 for no limit.
    files : int
        In a workspace, products not counted; 0 for no limit.
    workspaces : int
        Of one person; 0 for no limit.
    disk, disk_each : int
        Bytes of a workspace, and of all workspaces of one person, products counted; 0 for no limit.
    memory : int
        Bytes of a process that works on a run, where runs work in processes of their own.
    tokens : int
        Of language models, of one person within 24 hours; 0 for no limit.
    money : int
        That these cost by ``TREELINE_PRICES``; 0 for no limit.
    asks, uploads, tiles : int
        Of one person in a minute; 0 for no limit.
    """

    runs: int = field(default_factory=_as_many_as_processors)
    runs_each: int = field(default_factory=_as_many_as_processors)
    model_runs: int = field(default_factory=_as_many_as_wait)
    model_runs_each: int = field(default_factory=_as_many_as_wait)
    queue_each: int = 100
    seconds: int = 0
    files: int = 0
    workspaces: int = 0
    disk: int = 0
    disk_each: int = 0
    memory: int = 8 * 2**30
    tokens: int = 0
    money: int = 0
    asks: int = 0
    uploads: int = 0
    tiles: int = 0

    @classmethod
    def from_environment(cls) -> Quotas:
        """Read ``TREELINE_QUOTAS``: ``runs=4 disk=2e10``; what it leaves out is the default of the mode.

        Raises
        ------
        InputError
            It names no such quota, or no positive number (nor 0 where that stands for no limit); money is
            limited, and no prices are set.
        """
        quotas = cls(**((_OF_TEAM if in_team() else {}) | read_numbers(SETTING, cls, _ENDLESS)))
        if quotas.money and not prices().has_prices:
            raise InputError(
                f"{SETTING} limits money, and what tokens cost is not set.",
                f"Set {PRICES} to the price of a million tokens: input=2.5 cached=0.25 output=10.",
            )
        return quotas


def check_limits() -> None:
    """Read every limit once, so that a server refuses at its start what a run would refuse much later.

    Raises
    ------
    InputError
        A setting cannot be read.
    """
    Limits.from_environment()
    Quotas.from_environment()
    prices()


def prices() -> ModelSettings:
    """Return what a million tokens cost, as ``TREELINE_PRICES`` says it: ``input=2.5 output=10``.

    Raises
    ------
    InputError
        It names something else, or no number.
    """
    given = dict(part.partition("=")[::2] for part in os.environ.get(PRICES, "").split())
    if not given.keys() <= {"input", "cached", "output"}:
        raise InputError(
            f"{PRICES} holds {', '.join(given)[:60]!r}.", "Give input=2.5 cached=0.25 output=10."
        )
    return ModelSettings.of({f"price_{name}": price for name, price in given.items()})


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
    # Rounds and members are parts of a run that is counted itself.
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
        # Those to come were asked before the clock was set back.
        lately = _runs_since(store, person, now() - MINUTE)
        recent = sum(record.created.timestamp() <= now() for record in lately)
        if recent >= quotas.asks:
            raise QuotaReached(
                f"You asked {recent} questions within a minute; {quotas.asks} are allowed.", "Wait a moment."
            )
    if quotas.tokens or quotas.money:
        used = tokens_today(store, person)
        _check_day("{:,.0f} tokens", used.input + used.output, quotas.tokens)
        _check_day("{:,.2f} of money", cost_of(used), quotas.money)


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
    used = size_of(folder) if quotas.disk else 0
    if quotas.disk and used + more > quotas.disk:
        raise QuotaReached(
            f"The workspace holds {used / 2**30:.3g} GiB; {quotas.disk / 2**30:.3g} GiB are allowed, "
            "products counted.",
            "Remove rasters or runs that are not needed.",
        )


def check_own(store: Store, folder: Path, person: str, more: int, quotas: Quotas) -> None:
    """Refuse to write more into the workspaces of a person than all of them may hold.

    Parameters
    ----------
    folder : Path
        Where the workspaces are.

    Raises
    ------
    QuotaReached
    """
    if not person or not quotas.disk_each:
        return
    used = bytes_of(store, folder, person)
    if used + more > quotas.disk_each:
        raise QuotaReached(
            f"All workspaces of {person} hold {used / 2**30:.3g} GiB; {quotas.disk_each / 2**30:.3g} GiB are "
            "allowed, products counted.",
            "Remove rasters or runs that are not needed.",
        )


def room_of(store: Store, folder: Path) -> float:
    """Return how many bytes may still come into a workspace's folder, by its quota and its owner's."""
    quotas = Quotas.from_environment()
    room = quotas.disk - size_of(folder) if quotas.disk else math.inf
    owner = Ownership(store).thing("workspace", folder.name).owner
    if not owner or not quotas.disk_each:
        return room
    return min(room, quotas.disk_each - bytes_of(store, folder.parent, owner))


def check_another(store: Store, person: str, quotas: Quotas) -> None:
    """Refuse another workspace of a person who has as many as there may be.

    Raises
    ------
    QuotaReached
    """
    count = len(Ownership(store).names_owned_by("workspace", person)) if quotas.workspaces else 0
    if quotas.workspaces and count >= quotas.workspaces:
        raise QuotaReached(
            f"You have {count} workspaces; {quotas.workspaces} are allowed.", "Use one that you have."
        )


def bytes_of(store: Store, folder: Path, person: str) -> int:
    """Return how many bytes the workspaces of a person hold, products counted."""
    return sum(size_of(folder / name) for name in Ownership(store).names_owned_by("workspace", person))


def size_of(folder: Path) -> int:
    """Return how many bytes the files below a folder have."""
    return sum(_sizes(folder))


def tokens_today(store: Store, person: str) -> TokenUse:
    """Return what a person's runs of the last 24 hours used, deleted ones among them."""
    kept = (count_tokens_used(store, record.id) for record in _runs_since(store, person, now() - DAY))
    return sum([*kept, *(tokens_in_trail(each.detail) for each in _deletions_of(store, person))], TokenUse())


def tell_tokens(used: TokenUse) -> str:
    """Return how the trail says what a run that is deleted had used."""
    return f"{used.input} tokens read, {used.cached} of them from a cache, {used.output} written"


def tokens_in_trail(detail: str) -> TokenUse:
    """Return what the trail says that a run had used."""
    found = _TOLD.search(detail)
    if found is None:
        return TokenUse()
    read, cached, written = map(int, found.groups())
    return TokenUse(read, written, cached)


def cost_of(used: TokenUse) -> float:
    """Return what tokens cost by the prices that are set."""
    return prices().cost_of(used.input, used.cached, used.output)


def _check_day(what: str, used: float, allowed: int) -> None:
    if allowed and used >= allowed:
        raise QuotaReached(
            f"Your runs of the last 24 hours used {what.format(used)}; {what.format(allowed)} are allowed.",
            "Ask the planner, which uses none, or go on tomorrow.",
        )


def _deletions_of(store: Store, person: str) -> Iterable[RecordedAct]:
    return (
        deed
        for deed in deeds(store, person, None, now() - DAY)
        if deed.action in ("delete", LOST) and deed.kind == "run"
    )


def _runs_since(store: Store, person: str, moment: float) -> list[RunRecord]:
    recent = store.runs(condition=RUNS.c.created > moment, limit=_MOST_RECENT)
    return [record for record in recent if record.person == person]


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
