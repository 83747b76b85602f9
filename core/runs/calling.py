"""Tool calls from Python, over folders of rasters, checked and repaired as those of a run.

>>> from treeline.core.runs.calling import Calls
>>> call = Calls(["rasters/"], "out/")  # doctest: +SKIP
>>> call("calc_batch_image_mean", file_list=["NDVI_2021-06-01.tif"])  # doctest: +SKIP
[0.41]
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treeline.core.disclosure.fixed import Flat
from treeline.core.engine.actions import Call, Observation
from treeline.core.engine.environment import Environment
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State, Step
from treeline.core.faults import Fault
from treeline.core.workspace import Workspace
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.errors import InputError, TreelineError
from treeline.toolkit.recognition import Correction


def environment_over(data: Sequence[Path], out: Path, folder: Path, profile: str) -> Environment:
    """Return an environment in which every tool is callable, over folders of rasters.

    Parameters
    ----------
    out : Path
        Where products go.
    folder : Path
        Of the workspace itself, which keeps nothing that outlasts it.
    """
    run_data = RunData(Workspace(folder, list(data)), "call", out)
    return Environment(run_data, Flat(SkillTree.of(registry())), registry(), profile, report=_report)


def _report(error: BaseException, subject: str) -> Fault:
    # The record takes time to import, and few calls have a fault.
    from treeline.core.record.faults import record_in_home

    return record_in_home(error, subject)


class Calls:
    """Calls tools one after the other; a later call finds what an earlier one wrote, by its name.

    Parameters
    ----------
    data : sequence of str or Path
        Rasters, or folders of them, that are read in place.
    out : str or Path
        Folder for products.
    profile : str
        ``science`` or ``earth_bench``.
    aoi : str, optional
        The area of interest, inside which every tool works; see
        :func:`treeline.core.workspace.area.area_of`.
    corrections : mapping, optional
        What a person said of the files, by name or path.

    Raises
    ------
    InputError
        It is no area, or holds no pixel of the rasters.
    """

    def __init__(
        self,
        data: Sequence[str | Path],
        out: str | Path,
        profile: str = "science",
        aoi: str | None = None,
        corrections: Mapping[str, Correction] | None = None,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="treeline-")
        self._state = State("")
        if corrections:
            Workspace(Path(self._folder.name)).correct(corrections)
        self._environment = environment_over(
            [Path(path) for path in data], Path(out), Path(self._folder.name), profile
        )
        if aoi is not None:
            # What knows areas takes time to import, and few calls have one.
            from treeline.core.workspace.area import area_of, check_profile

            own = self._environment.data
            check_profile(profile)
            own.area = area_of(aoi, own.workspace)

    def act(self, tool: str, arguments: dict[str, Any]) -> Observation:
        """Call a tool and return what the environment answers, a refusal too."""
        action = Call(tool, arguments)
        observation = self._environment.act(action, self._state)
        self._state = self._state.after(Step(len(self._state.steps) + 1, action, observation))
        return observation

    def __call__(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool and return its result.

        Raises
        ------
        InputError
            The call was refused.
        TreelineError
            The tool failed.
        """
        observation = self.act(tool, arguments)
        if observation.is_success:
            return observation.value
        if observation.kind == "refusal":
            raise InputError(observation.text, observation.hint)
        raise TreelineError(observation.text, observation.hint)
