"""Where the benchmarks lie: as named, by a setting, or beside the project."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from treeline.core.lab.geoplan.tasks import FOLDER_SETTING as GEOPLAN_SETTING
from treeline.core.lab.published.places import find_file
from treeline.toolkit.errors import InputError

EARTH_SETTING = "TREELINE_EARTH_BENCH"
THINK_GEO_SETTING = "TREELINE_THINKGEO"

_BESIDE = Path(__file__).resolve().parents[4] / "shared"
_PLACES: dict[str, tuple[str, str, str]] = {
    "earth-bench": (EARTH_SETTING, "earth_bench/questions.jsonl", "Earth-Bench's question.json"),
    "thinkgeo": (THINK_GEO_SETTING, "think_geo/ThinkGeoBench.json", "ThinkGeoBench.json"),
    "geoplan": (GEOPLAN_SETTING, "geoplan_bench/tasks.jsonl", "GeoPlan-bench's tasks"),
}
_NAMES = ("questions.jsonl", "tasks.jsonl")
_PUBLISHED = {"earth-bench": "question.json", "thinkgeo": "ThinkGeoBench.json"}


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the benchmarks lie.

    Attributes
    ----------
    questions : str
        File or folder of the questions or tasks; empty for what the setting names.
    data : str
        Folder of the rasters; empty means by file names alone.
    neighbours : str
        Solved tasks that a planner may draw on.
    """

    questions: str = ""
    data: str = ""
    neighbours: str = ""

    def file(self, bench: str) -> Path:
        """Return where the questions of a benchmark lie.

        Raises
        ------
        InputError
            Nothing is named, and nothing is to be found.
        """
        setting, beside, what = _PLACES[bench]
        named = self.questions or os.environ.get(setting, "")
        if named:
            place = Path(named)
            inner = next((place / name for name in _NAMES if (place / name).is_file()), place)
            if not inner.exists():
                raise InputError(f"There is no file {named!r}.", f"Name {what} with --questions.")
            # A folder may hold several archives.
            own = find_file(inner, _PUBLISHED[bench]) if inner.is_dir() and bench in _PUBLISHED else None
            return own or inner
        if (_BESIDE / beside).exists():
            return _BESIDE / beside
        raise InputError(
            f"{what} is not to be found.", f"Name it with --questions FILE, or its place in {setting}."
        )
