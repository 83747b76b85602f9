"""``treeline replay``: recorded tool calls, in order, each trajectory in a workspace of its own."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from treeline.core.commands import COMMANDS
from treeline.core.commands.call import result_as_json
from treeline.core.commands.outcome import Outcome, add_command
from treeline.toolkit.errors import InputError

if TYPE_CHECKING:
    from treeline.core.engine.actions import Observation


class RecordedCall(BaseModel):
    """One call of a trajectory."""

    tool: str
    arguments: dict[str, Any]


class Trajectory(BaseModel):
    """One line of the file of trajectories."""

    id: int | str
    calls: list[RecordedCall]


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "replay", COMMANDS["replay"].summary, run)
    parser.add_argument("--trajectories", required=True, metavar="FILE")
    parser.add_argument("--data", required=True, metavar="DIR")
    parser.add_argument("--out", required=True, metavar="DIR")
    parser.add_argument("--profile", choices=("science", "earth_bench"), default="science")


def run(options: argparse.Namespace) -> Outcome:
    """Replay every trajectory and report each call."""
    # What knows rasters takes most of the time of a start, which the options of the command do without.
    from treeline.core.runs.calling import Calls

    trajectories = read_trajectories(Path(options.trajectories))
    results: list[dict[str, Any]] = []
    for trajectory in trajectories:
        call = Calls([options.data], Path(options.out) / str(trajectory.id), options.profile)
        calls = [_as_json(each, call.act(each.tool, each.arguments)) for each in trajectory.calls]
        results.append({"id": trajectory.id, "calls": calls})
    done = sum(call["ok"] for result in results for call in result["calls"])
    total = sum(len(result["calls"]) for result in results)
    return Outcome({"trajectories": results}, f"{done} of {total} calls ran.")


def read_trajectories(path: Path) -> list[Trajectory]:
    """Read a file with one trajectory a line.

    Raises
    ------
    InputError
        The file is not there, or a line is no trajectory.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise InputError(
            f"{str(path)!r} cannot be read: {error.strerror}.", "Give a JSON-lines file."
        ) from None
    trajectories = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                trajectories.append(Trajectory.model_validate(json.loads(line)))
            except (ValueError, RecursionError, ValidationError):
                raise InputError(
                    f"Line {number} of {str(path)!r} is no trajectory.",
                    'A line is {"id": ..., "calls": [{"tool": ..., "arguments": {...}}]}.',
                ) from None
    return trajectories


def _as_json(call: RecordedCall, observation: Observation) -> dict[str, Any]:
    return {"tool": call.tool, "ok": observation.is_success, **result_as_json(observation)}
