"""Which calls a person is asked about before they are made, and what is remembered of the answers.

A run asks about nothing unless it is told to: by its options, or by what a person says while it goes on.
What a person approved for good is kept with the workspace.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from treeline.core.engine.actions import Call, Decision
from treeline.core.engine.calls import inputs_of
from treeline.core.engine.events import ApprovalSet, DecisionAwaited
from treeline.core.engine.gate import Denial
from treeline.core.engine.journal import events_of, record_event
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State
from treeline.core.engine.waiting import Desk
from treeline.core.record.store import Store
from treeline.core.runs.names import APPROVALS, CALLS, OFF, PLAN, WRITES
from treeline.core.workspace import is_handle
from treeline.toolkit import Tool, registry
from treeline.toolkit.errors import InputError, Stopped, TreelineError
from treeline.toolkit.files import output_file

MEGABYTES = 200
"""A decision: a call that writes more is asked about by its size; a few such fill a small disk."""

_FILE = "approvals.json"
_BYTES_A_PIXEL = 4  # Products are 32 bit numbers.


class ApprovedTools(BaseModel):
    """The tools of a workspace that are called without being asked about."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    tools: frozenset[str] = frozenset()


def read_remembered(folder: Path) -> frozenset[str]:
    """Return the tools that are not asked about in a workspace, by its folder."""
    try:
        return ApprovedTools.model_validate_json((folder / _FILE).read_bytes()).tools
    except (OSError, ValidationError):
        return frozenset()


def remember(folder: Path, tools: frozenset[str]) -> None:
    """Keep which tools are not asked about in a workspace."""
    with output_file(folder / _FILE) as place:
        place.write_text(json.dumps({"tools": sorted(tools)}, indent=1), "utf-8")


def check_approval(ask: str) -> None:
    """Refuse a way to ask that there is none of.

    Raises
    ------
    InputError
    """
    if ask not in APPROVALS:
        raise InputError(f"Nothing can be approved by {ask!r}.", f"There are {', '.join(APPROVALS)}.")


def set_approval(store: Store, run: str, ask: str) -> None:
    """Change what a run asks about, from its next call on.

    Raises
    ------
    InputError
        There is no such way to ask.
    """
    check_approval(ask)
    record_event(store, run, ApprovalSet(ask))


class Approval:
    """The gate of a run: lets a call pass, asks a person about it, or says why it is denied.

    Parameters
    ----------
    desk : Desk
    store : Store
    runs : sequence of str
        The run, and the one that it is a part of: what is said of either counts.
    ask : str
        One of :data:`APPROVALS`, until a person says otherwise.
    data : RunData
    """

    def __init__(self, desk: Desk, store: Store, runs: Sequence[str], ask: str, data: RunData) -> None:
        self._desk = desk
        self._store = store
        self._seen = dict.fromkeys(runs, 0)
        self._ask = ask
        self._data = data

    def __call__(self, decision: Decision, state: State, stop: threading.Event) -> Decision | Denial:
        """Return the decision as a person wants it, or the denial.

        Raises
        ------
        Stopped
        """
        if not isinstance(decision.action, Call) or not self._is_asked(decision.action):
            return decision
        given = self._desk.ask(DecisionAwaited(len(state.steps) + 1, decision.action, decision.thought), stop)
        if given.denied:
            return Denial(given.denied)
        return replace(decision, action=given.action) if given.action is not None else decision

    def ask_plan(self, plan: tuple[Call, ...], stop: threading.Event) -> None:
        """Ask about the plan of a run that has not begun, where that is wanted; without a plan, about calls.

        Raises
        ------
        Stopped
            The person wants it otherwise.
        """
        if self._request() != PLAN:
            return
        if not plan:
            self._ask = CALLS
            return
        given = self._desk.ask(DecisionAwaited(1, plan=plan), stop)
        if given.denied:
            raise Stopped(f"The plan was not approved: {given.denied.rstrip('.')}.")
        self._ask = OFF

    def _request(self) -> str:
        """Return what is asked about now."""
        for run, seen in self._seen.items():
            for stored in events_of(self._store, run, seen):
                self._seen[run] = stored.number
                if isinstance(stored.event, ApprovalSet):
                    self._ask = stored.event.ask
        return self._ask

    def _is_asked(self, call: Call) -> bool:
        wanted = self._request()
        if wanted not in (CALLS, WRITES) or call.tool in read_remembered(self._data.workspace.folder):
            return False
        return wanted == CALLS or estimate_bytes(call, self._data) > MEGABYTES * 2**20


def estimate_bytes(call: Call, data: RunData) -> int:
    """Return about how many bytes a call writes, by the size of what it reads; 0 where that is not known."""
    if call.tool not in registry():
        return 0
    tool = registry().get(call.tool)
    if not tool.outputs:
        return 0
    sizes = [_pixels(address, data) for address in _addresses(tool, call.arguments, data)]
    # A tool of series writes one raster for each date, of which it may read one from each of several inputs.
    several = sum(sizes) / max(len(tool.inputs), 1) if any(p.many for p in tool.outputs) else 0
    # A call with a list where a tool writes one raster is carried out for each of the list.
    named = [call.arguments.get(parameter.name) for parameter in tool.outputs]
    written = max(1, sum(len(names) for names in named if isinstance(names, list)))
    return int(max(several, max(sizes, default=0) * written) * _BYTES_A_PIXEL)


def _addresses(tool: Tool, arguments: Mapping[str, Any], data: RunData) -> list[str]:
    found: list[str] = []
    for address in inputs_of(tool, arguments):
        try:
            found += data.select(address).addresses if is_handle(address) else [address]
        except InputError:
            continue
    return found


def _pixels(address: str, data: RunData) -> int:
    try:
        description = data.resolver.describe(address)[0]
    except TreelineError:
        return 0
    return prod((description.width, description.height))
