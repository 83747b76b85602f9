"""The results of a bench on disk: kept line by line, read again, never mixed with those of another bench."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeline.core.lab.results import Results
from treeline.toolkit.errors import InputError

SETTINGS = {"bench": "earth-bench", "policy": "planner", "seed": 0}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    kept = Results(tmp_path / "kept" / "results.jsonl", SETTINGS)
    for number in (1, 2):
        kept.keep({"id": number, "correct": 1.0})
    return kept.path


def test_what_was_kept_is_there_again(path: Path) -> None:
    assert Results(path, SETTINGS).rows == {"1": {"id": 1, "correct": 1.0}, "2": {"id": 2, "correct": 1.0}}


@pytest.mark.parametrize(
    ("settings", "differ"),
    [
        ({**SETTINGS, "seed": 1}, "seed"),
        ({**SETTINGS, "policy": "language", "rounds": 3}, "policy, rounds"),
        ({"bench": "earth-bench"}, "policy, seed"),
    ],
)
def test_results_of_other_settings_are_refused_with_those_that_differ(
    path: Path, settings: dict[str, object], differ: str
) -> None:
    with pytest.raises(InputError, match=rf"another bench \({differ} differ\)"):
        Results(path, settings)


def test_a_line_that_was_cut_off_is_dropped_and_one_before_it_is_refused(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines, '{"id": 3, "cor']), "utf-8")
    kept = Results(path, SETTINGS)
    kept.keep({"id": 4})
    assert list(Results(path, SETTINGS).rows) == ["1", "2", "4"]
    path.write_text("\n".join([lines[0], '{"id": 1, "cor', lines[2]]), "utf-8")
    with pytest.raises(InputError, match="Line 2 of"):
        Results(path, SETTINGS)
