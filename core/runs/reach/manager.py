"""Runs as one person may start, stop and look at them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from treeline.core.access import may, require, tell_refusal
from treeline.core.engine.actions import Action
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.loop import Policy
from treeline.core.engine.rundata import RunData
from treeline.core.errors import AccessDenied
from treeline.core.record.audit import note
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.quotas import Quotas, check_own
from treeline.core.runs.reach.closing import close_the_rest
from treeline.core.runs.reach.record import ReachedStore
from treeline.core.runs.reach.rights import Rights
from treeline.core.runs.reach.workspaces import ReachedLibrary
from treeline.core.settings import Endpoint
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import InputError


@close_the_rest
class ReachedManager(RunManager):
    """The runs of a person, and those that are shared with one.

    Parameters
    ----------
    manager : RunManager
    store : Store
    library : ReachedLibrary
    rights : Rights
    """

    def __init__(self, manager: RunManager, store: Store, library: ReachedLibrary, rights: Rights) -> None:
        self._manager = manager
        self._store = store
        self._rights = rights
        self._library = library
        self.store = ReachedStore(store, rights)
        self.workspace_of = library.get

    def record(self, run: str) -> RunRecord:
        """Return the record of a run that the person sees.

        Raises
        ------
        InputError
            There is none, as far as the person may know.
        """
        record = self.store.run(run)
        if record is None:
            # The answer is that of a run that does not exist; the trail keeps that it was asked for.
            if self._store.run(run) is not None:
                tell_refusal(self._rights.person, "see", "run", run)
            raise InputError(f"There is no run {run!r}.", "The Runs page lists those that exist.")
        return record

    def start(
        self, workspace: str, question: str, options: RunOptions, endpoint: Endpoint | None = None
    ) -> str:
        """Start working on a question of the person's and return the run's identifier at once.

        Raises
        ------
        AccessDenied
        InputError
            The question is empty, or an option has no such value.
        """
        own = self._own_options(workspace, options)
        return self._note_run(self._manager.start(workspace, question, own, endpoint), workspace)

    def play(
        self,
        workspace: str,
        question: str,
        options: RunOptions,
        policy: Policy,
        endpoint: Endpoint | None = None,
    ) -> str:
        """Start a run of the person's whose actions a given policy chooses.

        Raises
        ------
        AccessDenied, InputError
            As for :meth:`start`.
        """
        own = self._own_options(workspace, options)
        return self._note_run(self._manager.play(workspace, question, own, policy, endpoint), workspace)

    def _own_options(self, workspace: str, options: RunOptions) -> RunOptions:
        self._rights.require_workspace("ask", workspace)
        if options.after:
            self.record(options.after)
        # With these a person could read or write any file that the server can.
        if options.data or options.out or options.member:
            raise AccessDenied("Files of the server are not named here.", "Put them into a workspace.")
        # What a run writes is of the workspace, and so of whom that belongs to.
        owner = self._rights.ownership.thing("workspace", workspace).owner
        check_own(self._store, self._library.folder, owner, 0, Quotas.from_environment())
        return replace(options, person=self._rights.person.id)

    def _note_run(self, run: str, workspace: str) -> str:
        note(self._store, self._rights.person, "ask", "run", run, f"in {workspace}")
        return run

    def wait(self, run: str, timeout: float | None = None) -> None:
        """Wait until a run that the person sees has ended."""
        if self.store.run(run) is not None:
            self._manager.wait(run, timeout)

    def resume(
        self, run: str, endpoint: Endpoint | None = None, more: Mapping[str, float] | None = None
    ) -> None:
        """Go on with a run of the person's own.

        Raises
        ------
        AccessDenied, InputError, QuotaReached
        """
        record = self.record(run)
        require(self._rights.person, "change", self._rights.thing_of(record))
        self._rights.require_workspace("ask", record.workspace)
        self._manager.resume(run, endpoint, more)
        note(self._store, self._rights.person, "resume", "run", run)

    def stop(self, run: str) -> None:
        """Ask a run to stop: the person's own, or any for an admin; others stay as they are.

        Raises
        ------
        AccessDenied
        """
        record = self._store.run(run)
        if record is None or not (
            self._rights.sees_run(record) or may(self._rights.person, "stop", self._rights.thing_of(record))
        ):
            return
        require(self._rights.person, "stop", self._rights.thing_of(record))
        self._manager.stop(run)
        note(self._store, self._rights.person, "stop", "run", run)

    def give(self, run: str, step: int, action: Action | None = None, denied: str = "") -> None:
        """Tell a run of the person's own what is to be done at a step.

        Raises
        ------
        AccessDenied, InputError
        """
        self._require_own(run)
        self._manager.give(run, step, action, denied)
        note(self._store, self._rights.person, "give", "run", run, f"step {step}")

    def set_approval(self, run: str, ask: str) -> None:
        """Change what a run of the person's own asks about.

        Raises
        ------
        AccessDenied, InputError
        """
        self._require_own(run)
        self._manager.set_approval(run, ask)

    def remember_tool(self, run: str, tool: str) -> None:
        """Ask no more about a tool in a workspace that the person may change.

        Raises
        ------
        AccessDenied, InputError
        """
        self._require_own(run)
        self._rights.require_workspace("change", self.record(run).workspace)
        self._manager.remember_tool(run, tool)

    def _require_own(self, run: str) -> None:
        require(self._rights.person, "change", self._rights.thing_of(self.record(run)))

    def trouble(self, run: str) -> str:
        """Return why a run that the person sees cannot be recorded; empty while it can."""
        return self._manager.trouble(run) if self.store.run(run) is not None else ""

    def is_stopping(self, run: str) -> bool:
        """Return whether a run that the person sees was asked to stop and has not yet."""
        return self.store.run(run) is not None and self._manager.is_stopping(run)

    def workspace(self, name: str, data: tuple[str, ...] = ()) -> Workspace:
        """Return a workspace that the person sees; files beside it are nobody's to name.

        Raises
        ------
        AccessDenied, InputError
        """
        found = self.workspace_of(name)
        if data:
            raise AccessDenied("Files of the server are not named here.", "Put them into a workspace.")
        return found

    def data(self, run: str) -> RunData:
        """Return what a run of the person's own reads and writes.

        Raises
        ------
        AccessDenied, InputError
        """
        self._require_own(run)
        return self._manager.data(run)

    def disclosure(self, run: str) -> Disclosure:
        """Return how tool information reaches the policy of a run that the person sees."""
        self.record(run)
        return self._manager.disclosure(run)
