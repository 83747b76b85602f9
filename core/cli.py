"""The command line.

Exit codes: 0 done (a declined question too), 2 bad input or an endpoint that gives no answer, 1 a fault of
Treeline, reported in a sentence with a code; its traceback goes to the log. With ``--json``
exactly one JSON value goes to standard output; everything else goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from treeline.core.commands import COMMANDS
from treeline.core.logs import set_up_logging

if TYPE_CHECKING:
    from treeline.toolkit.errors import TreelineError

_MINUS = re.compile(r"-[\d.]+(?:[eE][-+]?\d+)?,")


class _Parser(argparse.ArgumentParser):
    """A parser that refuses options as every other bad input is refused."""

    def error(self, message: str) -> NoReturn:
        """Raise an error of ours instead of printing the whole usage."""
        from treeline.toolkit.errors import InputError

        raise InputError(f"{message[:1].upper()}{message[1:]}.", f"See `{self.prog} --help`.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    # To find plugins, pydantic reads what every installed package says of itself, at each start.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    given = _join_numbers(sys.argv[1:] if arguments is None else list(arguments))
    as_json = "--json" in given
    _prepare_team(given)
    from treeline.core.errors import EndpointError, RecordError
    from treeline.toolkit.errors import BackendMissing, InputError, RasterError, TreelineError

    if given and set(given) <= {"--version", "--json"} and "--version" in given:
        from treeline import __version__

        _print({"version": __version__} if as_json else __version__, as_json)
        return 0
    try:
        set_up_logging()
        options = build_parser(given).parse_args(given)
        outcome = options.run(options)
    except (InputError, RasterError, BackendMissing, RecordError, EndpointError) as error:
        return _report_error(error, as_json, 2)
    except TreelineError as error:
        return _report_error(error, as_json, 1)
    except KeyboardInterrupt:
        return _report_error(TreelineError("The command was stopped."), as_json, 130)
    except Exception as error:
        from treeline.core.record.faults import record_in_home

        return _report_error(TreelineError(record_in_home(error, "The command").sentence), as_json, 1)
    _print(outcome.value if as_json else outcome.text, as_json)
    return outcome.code


def _join_numbers(given: Sequence[str]) -> list[str]:
    """Return arguments in which a list of numbers that begins with a minus is the value of its option.

    argparse takes ``-1,2,3,4`` for an option of its own.
    """
    joined: list[str] = []
    for word in given:
        if joined and _MINUS.match(word) and joined[-1].startswith("--") and "=" not in joined[-1]:
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _report_error(error: TreelineError, as_json: bool, code: int) -> int:
    """Say what was wrong, also as JSON where that is wanted; return the exit code."""
    from treeline.core.commands.outcome import error_as_json

    print(f"treeline: {error}", file=sys.stderr)
    if as_json:
        _print({"error": error_as_json(type(error).__name__, error.message, error.hint)}, as_json)
    return code


def _print(value: Any, as_json: bool) -> None:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False) if as_json else str(value)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # a name that is not UTF-8, or a terminal that knows few letters
        text = json.dumps(value, allow_nan=False) if as_json else ascii(text)
    try:
        print(text, flush=True)
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def build_parser(given: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser; of the commands only the one that is given knows its options, without any all do.

    A command's module is imported when its options are wanted: some need the engine, which takes seconds.
    """
    parser = _Parser(prog="treeline", description="Answer questions on rasters in plain sight.")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="print exactly one JSON value")
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    wanted = set(COMMANDS) if given is None else {next((w for w in given if not w.startswith("-")), "")}
    modules = {COMMANDS[name].module for name in wanted & COMMANDS.keys()}
    for module in dict.fromkeys(entry.module for entry in COMMANDS.values()):
        if module in modules:
            import_module(f"treeline.core.commands.{module}").add(commands, common)
            continue
        for name, entry in COMMANDS.items():
            if entry.module == module:
                commands.add_parser(name, help=entry.summary)
    return parser


def _prepare_team(arguments: Sequence[str]) -> None:
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
        from treeline.core.runs.workers import WORKERS

        WORKERS.prepare(known.variants)


if __name__ == "__main__":
    sys.exit(main())
