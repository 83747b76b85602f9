"""The calls of a run as Python: run again on the same rasters they give the same numbers.

The calls go through Treeline's own functions, which check and repair them as in the run. A result that a
later call took over is a variable, so that other rasters give other numbers throughout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from pprint import pformat
from typing import Any

from treeline.core.runs.exports.exported_run import ExportedRun
from treeline.core.runs.options import RunOptions
from treeline.core.runs.question_options import with_options
from treeline.core.runs.result import StepResult
from treeline.toolkit.errors import InputError
from treeline.toolkit.recognition import Correction

_RESULT = re.compile(r"@result(\d+)")
_WIDTH = 100
# They only list what there is, which the code names itself.
LISTING = frozenset({"get_filelist"})
_IMPORTS = "from pathlib import Path\n\nfrom treeline.core.runs.calling import Calls"


@dataclass(frozen=True, slots=True)
class CodeStep:
    """A call as code, and why it was made."""

    why: str
    code: str


class _Code:
    """A piece of code among literals."""

    def __init__(self, text: str) -> None:
        self._text = text

    # pformat writes literals by their repr: what is code must not get quotes.
    def __repr__(self) -> str:
        return self._text


def as_script(taken: ExportedRun, version: str) -> str:
    """Return a script that makes the run's calls again, on the same folders or on those that it is given.

    Raises
    ------
    InputError
        The run called no tool.
    """
    roots = f"[Path(text) for text in sys.argv[1:]] or {roots_as_code(taken.roots)}"
    parts = [
        "\n".join(comment_lines(taken, version)),
        how_to_run(taken.roots),
        f"import sys\n{_IMPORTS}",
        f"DATA = {roots}\n{check_roots(taken.roots)}{_calls(taken)}",
        *(f"{_comment(step.why)}{step.code}" for step in code_steps(taken)),
        "\n".join(last_lines(taken)),
    ]
    return "\n\n".join(parts) + "\n"


def how_to_run(roots: Sequence[Path]) -> str:
    """Return how a script is run, as a comment."""
    several = f" Give {len(roots)} paths, in the order of those below." if len(roots) > 1 else ""
    return f"# Run it as: python SCRIPT [RASTERS ...]; without paths it reads those of the run.{several}"


def check_roots(roots: Sequence[Path]) -> str:
    """Return code that says so where fewer paths are given than the run read."""
    if len(roots) < 2:
        return ""
    told = f"The run read {len(roots)} places: give as many, in the order of DATA."
    return f"if len(DATA) != {len(roots)}:\n    sys.exit({told!r})\n"


def set_up(taken: ExportedRun) -> str:
    """Return the code that goes before the calls, over the folders of the run."""
    return f"{_IMPORTS}\n\nDATA = {roots_as_code(taken.roots)}\n{_calls(taken)}"


def comment_lines(taken: ExportedRun, version: str) -> Iterator[str]:
    """Yield what the run was, as comments."""
    result = taken.result
    told = {
        "Question": with_options(result.question, result.choices),
        "Read as": result.read_as,
        "Answer": f"{result.chosen_option}: {result.answer}" if result.chosen_option else result.answer,
        "Status": f"{result.status}. {result.reason}" if result.reason else result.status,
        "Beside it": " ".join(result.beside),
        "Run": f"{result.run}, {taken.creation_time:%Y-%m-%d %H:%M} UTC, Treeline {version}",
    }
    yield from (f"# {name}: {one_line(text)}" for name, text in told.items() if text)


def code_steps(taken: ExportedRun) -> list[CodeStep]:
    """Return the calls as code, in order.

    Raises
    ------
    InputError
        The run called no tool.
    """
    steps = steps_that_gave(taken)
    numbers = {step.number for step in steps}
    return [CodeStep(step.thought, _call(step, numbers, taken.roots)) for step in steps]


def steps_that_gave(taken: ExportedRun) -> list[StepResult]:
    """Return the calls that gave a result.

    Raises
    ------
    InputError
        The run called no tool.
    """
    if not taken.calls:
        raise InputError(
            f"The run {taken.result.run} has no call that gave a result.",
            "Its question, answer and steps can be exported as json, markdown or html.",
        )
    return taken.calls


def last_lines(taken: ExportedRun) -> Iterator[str]:
    """Yield code that shows what the answer rests on."""
    calls = [step for step in taken.calls if step.name not in LISTING] or taken.calls
    numbers = [step.number for step in calls]
    shown = [number for number in taken.result.evidence if number in numbers] or numbers[-1:]
    yield "# What the answer rests on, the last result at the end."
    yield from (f'print("step {number}:", step_{number})' for number in shown)


def _call(step: StepResult, numbers: set[int], roots: Sequence[Path]) -> str:
    arguments = {name: _literal(value, numbers, roots) for name, value in step.arguments.items()}
    lines = [f"    {name}={_format(value)}," for name, value in arguments.items()]
    inside = "".join(f"\n{line}" for line in lines)
    return f"step_{step.number} = call(\n    {step.name!r},{inside}\n)"


def _format(value: Any) -> str:
    return pformat(value, width=_WIDTH, compact=True, sort_dicts=False).replace("\n", "\n    ")


def _literal(value: Any, numbers: set[int], roots: Sequence[Path]) -> Any:
    """Return a value in which results and folders of the run are code."""
    match value:
        case str():
            return _text(value, numbers, roots)
        case list() | tuple():
            return [_literal(item, numbers, roots) for item in value]
        case Mapping():
            return {key: _literal(item, numbers, roots) for key, item in value.items()}
        case _:
            return value


def _text(text: str, numbers: set[int], roots: Sequence[Path]) -> str | _Code:
    result = _RESULT.fullmatch(text)
    if result and int(result[1]) in numbers:
        return _Code(f"step_{result[1]}")
    path = Path(text)
    if path.is_absolute():
        for place, root in enumerate(roots):
            if path == root:
                return _Code(f"str(DATA[{place}])")
            if path.is_relative_to(root):
                return _Code(f"str(DATA[{place}] / {path.relative_to(root).as_posix()!r})")
    return text


def _calls(taken: ExportedRun) -> str:
    profile = taken.record.options.get("profile", "science")
    how = "" if profile == "science" else f", profile={profile!r}"
    area = RunOptions.from_json(taken.record.options).area
    how += f", aoi={area.address!r}" if area else ""
    if not taken.corrections:
        return f'call = Calls(DATA, "out"{how})'
    said = {name: _plain(correction) for name, correction in taken.corrections.items()}
    literal = pformat(said, width=_WIDTH, compact=True)
    return (
        "# What a person said of the rasters, without which the numbers are others.\n"
        "from treeline.toolkit.recognition import Correction\n\n"
        f"SAID = {literal}\n"
        f'call = Calls(\n    DATA, "out"{how},\n'
        "    corrections={name: Correction.from_json(said) for name, said in SAID.items()},\n)"
    )


def _plain(correction: Correction) -> dict[str, Any]:
    """Return what a correction says as literals."""
    said = correction.stated_fields().items()
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in said}


def roots_as_code(roots: Sequence[Path]) -> str:
    """Return the folders and files of a run as code."""
    return f"[{', '.join(f'Path({str(root)!r})' for root in roots)}]"


def _comment(text: str) -> str:
    return f"# {one_line(text)}\n" if text.strip() else ""


def one_line(text: object) -> str:
    """Return a text that stays in its comment, whatever it holds."""
    # A line break in a question would end the comment, and what follows would run as code.
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
