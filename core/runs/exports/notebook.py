"""The calls of a run as a Jupyter notebook, in the form of nbformat 4.5."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from treeline.core.runs.exports.exported_run import ExportedRun
from treeline.core.runs.exports.markdown import prose
from treeline.core.runs.exports.script import code_steps, comment_lines, last_lines, set_up


def as_notebook(taken: ExportedRun, version: str) -> str:
    """Return a notebook with a cell for each call.

    Raises
    ------
    InputError
        The run called no tool.
    """
    content = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        },
        "cells": [
            {"id": f"cell-{number}", **cell} for number, cell in enumerate(_cells(taken, version), start=1)
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _cells(taken: ExportedRun, version: str) -> Iterator[dict[str, Any]]:
    told = (line.removeprefix("# ") for line in comment_lines(taken, version))
    yield _text(prose("\n\n".join(told)))
    yield _code(set_up(taken))
    for step in code_steps(taken):
        if step.why.strip():
            yield _text(prose(step.why))
        yield _code(step.code)
    yield _code("\n".join(last_lines(taken)))


def _text(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(text: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }
