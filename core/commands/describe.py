"""``treeline describe`` and ``treeline correct``: what the files are taken for, and what they really are."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.addresses import fetch_addresses
from treeline.core.commands.outcome import Outcome, add_command

if TYPE_CHECKING:
    from treeline.core.workspace import Workspace
    from treeline.toolkit.recognition.model import Band, RasterDescription


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the commands."""
    describe = add_command(commands, common, "describe", COMMANDS["describe"].summary, run_describe)
    describe.add_argument("--data", nargs="+", action="extend", required=True, metavar="PATH")
    parser = add_command(commands, common, "correct", COMMANDS["correct"].summary, run_correct)
    parser.add_argument("file", metavar="FILE[#BAND]", help="a band goes by its name, number or role")
    parser.add_argument("--role", help="what the band is, such as nir or lst")
    parser.add_argument("--unit")
    parser.add_argument("--scale", type=float, help="value = stored * scale + offset")
    parser.add_argument("--offset", type=float)
    parser.add_argument("--fill", type=float, nargs="+", help="stored values that mean no data")
    parser.add_argument(
        "--valid", type=float, nargs=2, metavar=("LOW", "HIGH"), help="stored values that count"
    )
    parser.add_argument("--date", help="YYYY-MM-DD, of the file")
    parser.add_argument("--sensor", help="of the file")
    parser.add_argument("--forget", action="store_true", help="take back what was said before")


def run_describe(options: argparse.Namespace) -> Outcome:
    """Tell of each raster what it is taken for, and of each other file why it is not read."""
    workspace = _workspace(fetch_addresses(options.data))
    rasters = [raster_as_json(raster) for raster in workspace.rasters]
    value = {
        "rasters": rasters,
        "vectors": [path.name for path in workspace.vector_files()],
        "problems": dict(workspace.problems),
    }
    return Outcome(value, _in_words(value))


def run_correct(options: argparse.Namespace) -> Outcome:
    """Keep a correction of a file or band; every later command of the command line uses it."""
    from treeline.toolkit.errors import InputError
    from treeline.toolkit.recognition import Correction
    from treeline.toolkit.variables import VARIABLES

    said = {
        name: value
        for name in ("role", "unit", "scale", "offset", "date", "sensor")
        if (value := getattr(options, name)) is not None
    }
    for name in ("fill", "valid"):
        if getattr(options, name) is not None:
            said[name] = tuple(getattr(options, name))
    if not said and not options.forget:
        raise InputError("Nothing is said.", "Give --role, --scale, --offset, --fill or --date, or --forget.")
    if options.role is not None and options.role not in VARIABLES:
        raise InputError(f"There is no role {options.role!r}.", f"There are {', '.join(sorted(VARIABLES))}.")
    file, mark, band = options.file.partition("#")
    path = Path(file)
    # A path holds for this file alone, a bare name for every file of that name.
    key = f"{path.resolve() if path.is_file() else file}{mark}{band}"
    workspace = _workspace([path] if path.is_file() else [])
    known = Correction() if options.forget else workspace.corrections.get(key, Correction())
    correction = Correction.from_json({**known.stated_fields(), **said})
    workspace.correct({key: correction})
    value = {"file": options.file, "correction": correction.stated_fields()}
    if not path.is_file():
        print(f"treeline: there is no {file!r} here; it holds for files of that name.", file=sys.stderr)
        return Outcome(value, f"Kept for {options.file}.")
    (found,) = (raster_as_json(raster) for raster in workspace.rasters)
    return Outcome({**value, "raster": found}, _in_words({"rasters": [found], "vectors": [], "problems": {}}))


def _workspace(data: Sequence[str | Path]) -> Workspace:
    # These take most of a second, which the options of the command do without.
    from treeline.core.runs.asking import run_manager
    from treeline.core.runs.names import COMMAND_LINE
    from treeline.core.runs.places import workspace_of
    from treeline.toolkit.errors import InputError

    for path in data:
        if not Path(path).exists():
            raise InputError(f"There is nothing at {str(path)!r}.", "Give a folder or a raster that exists.")
    places = tuple(str(Path(path).resolve()) for path in data)
    return run_manager().workspace(COMMAND_LINE, places) if places else workspace_of(COMMAND_LINE)


def raster_as_json(raster: RasterDescription) -> dict[str, Any]:
    """Return what is known of a raster as plain data."""
    return {
        "file": raster.path.name,
        "sensor": raster.sensor,
        "product": raster.product,
        "date": raster.date.isoformat() if raster.date else None,
        "date_precision": raster.date_precision,
        "crs": raster.crs,
        "size": [raster.width, raster.height],
        "bounds": list(raster.bounds),
        "bands": [_band_as_json(band) for band in raster.bands],
        "warnings": list(raster.warnings),
    }


def _band_as_json(band: Band) -> dict[str, Any]:
    return {
        "index": band.index,
        "name": band.name,
        "date": band.date.isoformat() if band.date else None,
        "role": band.role,
        "unit": band.unit,
        "scale": band.scale if band.scale_known else None,
        "offset": band.offset if band.scale_known else None,
        "fill": list(band.fill),
        "doubtful": list(band.doubtful),
        "because": [evidence.because for evidence in band.evidence],
    }


def _in_words(value: dict[str, Any]) -> str:
    from treeline.toolkit.recognition.dates import moment_text

    lines = []
    for raster in value["rasters"]:
        date = raster["date"] and moment_text(
            datetime.fromisoformat(raster["date"]), raster["date_precision"]
        )
        lines.append(f"{raster['file']}: {raster['sensor'] or 'sensor unknown'}, {date or 'no date'}")
        for band in raster["bands"]:
            scale = "scale unknown" if band["scale"] is None else f"x {band['scale']:g} + {band['offset']:g}"
            fills = f", no data {', '.join(f'{v:g}' for v in band['fill'])}" if band["fill"] else ""
            role = band["role"] or "role unknown"
            lines.append(f"  {band['index']} {band['name']}: {role} ({band['unit'] or '-'}), {scale}{fills}")
        lines += [f"  ! {warning}" for warning in raster["warnings"]]
    lines += [f"{name}: polygons, lines or points" for name in value["vectors"]]
    lines += [f"{name}: not read: {why}" for name, why in value["problems"].items()]
    return "\n".join(lines) or "There is nothing that is read."
