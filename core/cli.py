"""The command line.

Exit codes: 0 done (a declined question too), 2 bad input, 1 a fault of Treeline. With ``--json``
exactly one JSON value goes to standard output; everything else goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Sequence

from core.teams.workers import WORKERS


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    _prepare_team(arguments)
    from toolkit.errors import BackendMissing, InputError, RasterError, TreelineError

    parser = build_parser()
    options = parser.parse_args(arguments)
    try:
        outcome = options.run(options)
    except (InputError, RasterError, BackendMissing) as error:
        print(f"treeline: {error}", file=sys.stderr)
        return 2
    except TreelineError as error:
        print(f"treeline: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("treeline: stopped", file=sys.stderr)
        return 130
    except Exception:
        traceback.print_exc()
        print("treeline: this is a fault of Treeline, not of your input.", file=sys.stderr)
        return 1
    print(json.dumps(outcome.value, ensure_ascii=False, allow_nan=False) if options.json else outcome.text)
    return outcome.code


def build_parser() -> argparse.ArgumentParser:
    """Return the parser with every command in it."""
    from core.commands import COMMANDS

    parser = argparse.ArgumentParser(
        prog="treeline", description="Answer questions on rasters in plain sight."
    )
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="print exactly one JSON value")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands, common)
    return parser


def _prepare_team(arguments: Sequence[str] | None) -> None:
    """Start the processes of a team that explores, which load while the commands do."""
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--team", default="")
    parser.add_argument("--policy", default="planner")
    parser.add_argument("--variants", type=int, default=2)
    try:
        known, _ = parser.parse_known_args(arguments)
    except (argparse.ArgumentError, SystemExit):
        return
    if known.team == "evolver" and known.policy == "planner" and known.variants > 1:
        WORKERS.prepare(known.variants)


if __name__ == "__main__":
    sys.exit(main())
