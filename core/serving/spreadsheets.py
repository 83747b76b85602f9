"""Tables as CSV that a spreadsheet opens as what they are."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

# What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARK = "\ufeff"


def csv_text(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows under their names; a text that a spreadsheet would run is quoted as text.

    Numbers are written so that they read back as they are; what is ``None`` is an empty cell. Only what has
    other letters than ASCII begins with the mark of UTF-8, without which Excel misreads them.
    """
    stream = io.StringIO()
    written = csv.writer(stream, lineterminator="\n")
    written.writerow([_cell(name) for name in names])
    written.writerows([_cell(value) for value in row] for row in rows)
    text = stream.getvalue()
    return text if text.isascii() else f"{_MARK}{text}"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return float.__repr__(value)  # of numpy's too, which add their type
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) and not isinstance(value, int) else text
