"""A question, a task or an attempt of a bench as a row of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Row = Mapping[str, Any]
_RIGHT = {None: "", True: "right", False: "wrong"}


def question_row(bench: str, row: Row) -> dict[str, Any]:
    """Return a result of a bench as the table shows it."""
    return _ROWS[bench](row)


def _of_question(row: Row) -> dict[str, Any]:
    return {
        "Id": str(row["id"]),
        "Question": row.get("question", ""),
        "Status": f"{row['status']} {_RIGHT[row['correct']]}".strip(),
        "Score": row["scores"]["tool_exact_match"],
        "Calls": " → ".join(call["tool"] for call in row["calls"]),
        "Expert": " → ".join(call["tool"] for call in row["expected"] or ()),
        "Answer": row["answer"] or row["reason"],
        "Seconds": row["seconds"],
    }


def _of_task(row: Row) -> dict[str, Any]:
    return {
        "Id": str(row["id"]),
        "Question": row["question"],
        "Score": row["path_similarity"],
        "Calls": " → ".join(row["path"]),
        "Expert": " → ".join(row["ground_truth"]),
    }


def _of_cell(row: Row) -> dict[str, Any]:
    shown = _of_task(row) if "path" in row else _of_question(row)
    return {"Setting": row["cell"], **shown, "Id": row["question_id"]}


def _of_attempt(row: Row) -> dict[str, Any]:
    measures = row["measures"]
    right = None if measures["right"] is None else bool(measures["right"])
    return {
        "Setting": row["setting"],
        "Question": row["question"],
        "Status": f"{row['status']} {_RIGHT[right]}".strip(),
        "Steps": measures["steps"],
        "Tokens": measures["tokens"],
        "Seconds": row["seconds"],
        "Answer": row["answer"] or row["reason"],
    }


_ROWS: Mapping[str, Callable[[Row], dict[str, Any]]] = {
    "earth-bench": _of_question,
    "geoplan": _of_task,
    "ablation": _of_attempt,
    "reproduce": _of_cell,
}
