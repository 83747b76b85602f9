"""``treeline call``: one tool on the rasters of a folder."""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.addresses import fetch_addresses
from treeline.core.commands.area import add_area
from treeline.core.commands.outcome import Outcome, add_command, error_as_json
from treeline.core.runs.names import COMMAND_LINE
from treeline.toolkit.errors import InputError, NoValidPixels

if TYPE_CHECKING:
    from treeline.core.engine.actions import Observation

EMPTY = re.compile(r"No pixel of \S+ is valid")


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "call", COMMANDS["call"].summary, run)
    parser.add_argument("tool")
    parser.add_argument("--arguments", default="{}", metavar="JSON")
    parser.add_argument("--data", nargs="+", action="extend", default=[], metavar="DIR")
    parser.add_argument("--out", required=True, metavar="DIR", help="where products go")
    add_area(parser)
    parser.add_argument("--profile", choices=("science", "earth_bench"), default="science")


def run(options: argparse.Namespace) -> Outcome:
    """Call the tool and report its result or its error."""
    try:
        arguments = json.loads(options.arguments)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"--arguments is not JSON that can be read: {error}.", "Write, for example, '{\"x\": [1, 2]}'."
        ) from None
    if not isinstance(arguments, dict):
        raise InputError("--arguments is not a JSON object.", "Write, for example, '{\"x\": [1, 2]}'.")
    # What knows rasters takes most of the time of a start, which a refusal of the arguments does without.
    from treeline.core.runs.calling import Calls
    from treeline.core.runs.places import workspace_of

    corrections = workspace_of(COMMAND_LINE).corrections
    call = Calls(fetch_addresses(options.data), options.out, options.profile, options.aoi, corrections)
    return outcome_of(without_emptiness(call.act(options.tool, arguments)))


def without_emptiness(observation: Observation) -> Observation:
    """Return a result as it is; a failure that says where the pixels went if no raster of it has a valid one.

    In a series a date under clouds is no fault, and a policy goes on from it; a single call has come to
    nothing then.
    """
    shares = [product.valid_share for product in observation.products if product.kind == "raster"]
    if not observation.is_success or not shares or any(share != 0 for share in shares):
        return observation
    reasons = [warning for warning in observation.warnings if EMPTY.match(warning)]
    text = " ".join(reasons) or "No pixel of the result is valid."
    hint = "Check nodata, clouds and extent."
    return replace(observation, kind="failure", text=text, hint=hint, error=NoValidPixels.__name__)


def result_as_json(observation: Observation) -> dict[str, Any]:
    """Return ``{result}`` or ``{error}`` with the warnings and the products."""
    if observation.is_success:
        return {
            "result": observation.value,
            "warnings": list(observation.warnings),
            "products": [product.path for product in observation.products],
        }
    return {"error": error_as_json(observation.error, observation.text, observation.hint)}


def outcome_of(observation: Observation) -> Outcome:
    """Return what the command prints: the result, or the error with exit code 2 or 1."""
    value = result_as_json(observation)
    if observation.is_success:
        return Outcome(value, observation.text)
    message = f"{observation.text} {observation.hint}".strip()
    print(f"treeline: {message}", file=sys.stderr)
    return Outcome(value, "", 2 if observation.kind == "refusal" else 1)
