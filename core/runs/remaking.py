"""Products of a run that are gone when it goes on: the calls that wrote them are made once more."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from treeline.core.engine.actions import action_name
from treeline.core.engine.environment import Environment
from treeline.core.engine.events import Note
from treeline.core.engine.loop import Emit
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import Step
from treeline.toolkit.errors import Stopped, TreelineError


def make_again(steps: Sequence[Step], environment: Environment, emit: Emit, stop: threading.Event) -> None:
    """Make again what is gone of what earlier steps wrote, so that later calls find it.

    The record of the steps stays as it is: the same call with the same arguments writes the same files.

    Parameters
    ----------
    steps : sequence of Step
        In their order, as a later one may read what an earlier one wrote.

    Raises
    ------
    Stopped
        The person stopped the run meanwhile.
    """
    for step in steps:
        gone = _names_of_gone(step, environment.data)
        if not gone:
            continue
        more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
        told = f"{gone[0]}{more} of step {step.number}"
        try:
            environment.repeat(action_name(step.action), step.observation.arguments or {}, stop)
        except Stopped:
            raise
        except TreelineError as error:  # a later call that needs it is refused, and says so
            reason = environment.data.without_folders(error.message)
            emit(Note(f"{told}: gone, and not to be made again: {reason}"))
            continue
        emit(Note(f"{told}: gone, and made again."))
        environment.data.restore(step.observation.products)


def _names_of_gone(step: Step, data: RunData) -> list[str]:
    return [
        each.name
        for each in step.observation.products
        if not (data.folder / each.name).is_file() and not data.is_handed(each)
    ]
