"""The kinds of file that a run can be taken away as."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from treeline.core.engine.events import to_json
from treeline.core.runs.exports.bundle import write_bundle
from treeline.core.runs.exports.exported_run import ExportedRun, take
from treeline.core.runs.exports.inspect_log import as_inspect_log
from treeline.core.runs.exports.lesson import write_lesson
from treeline.core.runs.exports.markdown import as_markdown
from treeline.core.runs.exports.notebook import as_notebook
from treeline.core.runs.exports.plain.script import as_plain_script
from treeline.core.runs.exports.report import as_html
from treeline.core.runs.exports.script import as_script
from treeline.core.runs.manager import RunManager
from treeline.core.runs.names import EXPORTS
from treeline.core.runs.result import RunResult
from treeline.toolkit.errors import InputError
from treeline.toolkit.files import output_file


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of text file.

    Attributes
    ----------
    title : str
        As a person is offered it.
    suffix : str
        Of the file, without the dot.
    media_type : str
    text : callable
        ``text(taken, version)`` returns the content.
    """

    title: str
    suffix: str
    media_type: str
    text: Callable[[ExportedRun, str], str]


def as_json(result: RunResult) -> str:
    """Return a run as ``ask --json`` prints it."""
    return json.dumps(result.to_json(), ensure_ascii=False, indent=1, allow_nan=False)


def as_trajectory(taken: ExportedRun, version: str) -> str:
    """Return the events of a run, a line each."""
    return "".join(f"{to_json(stored.event)}\n" for stored in taken.events)


FORMS: dict[str, Form] = {
    "html": Form("Report, HTML", "html", "text/html", as_html),
    "json": Form(
        "Answer and steps, JSON", "json", "application/json", lambda taken, version: as_json(taken.result)
    ),
    "markdown": Form(
        "Answer and steps, Markdown", "md", "text/markdown", lambda taken, version: as_markdown(taken.result)
    ),
    "trajectory": Form("Trajectory, one event per line", "jsonl", "application/jsonl", as_trajectory),
    "script": Form("Calls, Python script", "py", "text/x-python", as_script),
    "plain": Form("Calls, rasterio and numpy alone", "plain.py", "text/x-python", as_plain_script),
    "notebook": Form("Calls, Jupyter notebook", "ipynb", "application/x-ipynb+json", as_notebook),
    "inspect": Form("Question and steps, log of Inspect", "inspect.json", "application/json", as_inspect_log),
}

BUNDLE, LESSON = "bundle", "lesson"
ARCHIVES: dict[str, Callable[[RunManager, str, Path, str], None]] = {
    BUNDLE: write_bundle,
    LESSON: write_lesson,
}


def write_export(manager: RunManager, run: str, kind: str, target: Path, version: str) -> None:
    """Write a run as a file of some kind; it appears whole or not at all.

    Raises
    ------
    InputError
        There is no such run or kind, or the run has nothing of what the kind holds.
    RasterError
        The file cannot be written.
    """
    if kind in ARCHIVES:
        ARCHIVES[kind](manager, run, target, version)
        return
    if kind not in FORMS:
        raise InputError(f"A run cannot be exported as {kind!r}.", f"There are {', '.join(EXPORTS)}.")
    record = manager.record(run)
    workspace = manager.workspace_of(record.workspace)
    taken = take(manager.store, run, workspace, partial(manager.data, run))
    content = FORMS[kind].text(taken, version)
    with output_file(target) as place:
        place.write_text(content, "utf-8")
