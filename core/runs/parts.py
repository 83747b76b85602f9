"""The parts of recorded runs, found by a run's identifier: record, workspace, data, tree."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from treeline.core.context.cards import Cards
from treeline.core.context.names import NONE
from treeline.core.context.subject import Subject, subject_of
from treeline.core.disclosure.strategies import make_disclosure
from treeline.core.engine.actions import Call
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.journal import recorded_state
from treeline.core.engine.rundata import RunData
from treeline.core.policies.reading_choice import HowToRead
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.options import RunOptions, check_options
from treeline.core.runs.question_options import split_options
from treeline.core.runs.surroundings import Surroundings
from treeline.core.runs.threads import question_in_thread
from treeline.core.settings import Endpoint
from treeline.core.teams.joining import data_handed_to, open_ahead, part_of
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import InputError
from treeline.toolkit.interest import AreaOfInterest

Foresee = Callable[[str, Workspace, HowToRead, AreaOfInterest | None], tuple[Call, ...]]


def no_plan(
    question: str, workspace: Workspace, how: HowToRead, area: AreaOfInterest | None
) -> tuple[Call, ...]:
    """Return no calls: nobody foresees any."""
    return ()


class RunParts:
    """What recorded runs are made of.

    Parameters
    ----------
    store : Store
    workspace_of : callable
        Returns the workspace of a name that a run was started in; used to resume.
    surroundings : Surroundings
        What the runs work in; by default real rasters.

    Attributes
    ----------
    foresee : callable
        Returns the calls that a question leads to, where they are certain before any is made.
    """

    def __init__(
        self, store: Store, workspace_of: Callable[[str], Workspace], surroundings: Surroundings | None = None
    ) -> None:
        self.store = store
        self.workspace_of = workspace_of
        self.surroundings = surroundings or Surroundings()
        self.foresee: Foresee = no_plan
        self._with_data: dict[tuple[str, tuple[str, ...]], Workspace] = {}

    def create(
        self,
        workspace: str,
        question: str,
        options: RunOptions,
        parent: str | None = None,
        endpoint: Endpoint | None = None,
    ) -> str:
        """Record a run without starting it."""
        if not options.choices:
            question, named = split_options(question)
            options = replace(options, choices=named)
        check_options(question, options, endpoint, Cards(self.store, options.person))
        if options.after:
            options = self._with_area_of_former(options)
        run = uuid.uuid4().hex[:12]
        self.store.create_run(run, workspace, question.strip(), options.to_json(), parent)
        return run

    def _with_area_of_former(self, options: RunOptions) -> RunOptions:
        """Return options with the area of interest of the run that is followed, unless they have one."""
        former = RunOptions.from_json(self.record(options.after).options)
        return options if options.aoi is not None else replace(options, aoi=former.aoi)

    def record(self, run: str) -> RunRecord:
        """Return a run's record.

        Raises
        ------
        InputError
            There is none.
        """
        record = self.store.run(run)
        if record is None:
            raise InputError(f"There is no run {run!r}.", "The Runs page lists those that exist.")
        return record

    def data(self, run: str) -> RunData:
        """Return the data of a run, with the products that it wrote."""
        record = self.record(run)
        options = RunOptions.from_json(record.options)
        workspace = self.workspace(record.workspace, options.data)
        data = self.surroundings.data(workspace, run, Path(options.out) if options.out else None)
        data.area = options.area
        data = data_handed_to(data, options.policy, options.member)
        for step in recorded_state(self.store, run).steps:
            data.restore(step.observation.products)
        return data

    def workspace(self, name: str, data: tuple[str, ...] = ()) -> Workspace:
        """Return a workspace, with files or folders beside it that are read in place."""
        if not data:
            return self.workspace_of(name)
        if (name, data) not in self._with_data:
            own = self.workspace_of(name)
            sources = [*own.sources, *(Path(folder) for folder in data)]
            self._with_data[name, data] = self.surroundings.workspace(own.folder, sources)
        return self._with_data[name, data]

    def subject(self, record: RunRecord, question: str) -> Subject | None:
        """Return what a question names of the data of a run, where its policy is told of them."""
        options = RunOptions.from_json(record.options)
        if options.policy != "language" or not options.open_tools:
            return None
        return subject_of(question, self.workspace(record.workspace, options.data))

    def disclosure(self, run: str) -> Disclosure:
        """Return how tool information reaches the policy of a run."""
        record = self.record(run)
        options = RunOptions.from_json(record.options)
        tree = part_of(self.surroundings.tree(), options.member)
        cards = options.card != NONE
        question = question_in_thread(self.store, record)
        subject = self.subject(record, question)
        disclosure = make_disclosure(options.disclosure, tree, question, options.seed, cards, subject)
        return open_ahead(disclosure, options.member)
