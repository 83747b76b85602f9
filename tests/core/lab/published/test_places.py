"""Where the folders and files of an unpacked archive are found."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from treeline.core.lab.published import places
from treeline.core.lab.published.places import find_file, find_folder

WRITTEN = "benchmark/data/question7"


@pytest.mark.parametrize(
    ("lies", "root"),
    [
        ("benchmark/data/question7", "."),
        ("benchmark/data/question7", "benchmark"),
        ("benchmark/data/question7", "benchmark/data"),
        ("benchmark/data/question7", "benchmark/data/question7"),
        ("Earth-Agent-main/benchmark/data/question7", "."),
        ("Earth-Bench/question7", "."),
        ("question7/question7", "."),
        ("Other disk/unpacked (2)/eb_v2/benchmark/data/question7", "."),
    ],
)
def test_a_folder_is_found_wherever_it_was_unpacked(tmp_path: Path, lies: str, root: str) -> None:
    place = tmp_path / lies
    place.mkdir(parents=True)
    (place / "a.tif").touch()
    assert find_folder(tmp_path / root, WRITTEN) == place.resolve()


def test_of_several_the_one_that_lies_as_written_is_taken(tmp_path: Path) -> None:
    for lies in ("out/question7", "unpacked/benchmark/data/question7"):
        (tmp_path / lies).mkdir(parents=True)
    assert find_folder(tmp_path, WRITTEN) == tmp_path / "unpacked/benchmark/data/question7"


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "benchmark/data/question70").mkdir(parents=True)
    assert find_folder(tmp_path, WRITTEN) is None and find_folder(tmp_path, ".") is None
    assert find_folder(tmp_path / "nowhere", WRITTEN) is None
    assert find_folder(tmp_path / "benchmark", "../question70", deep=False) is None


def test_a_file_is_found_as_deep_as_is_asked(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/calls.json").touch()
    assert find_file(tmp_path, "calls.json") == tmp_path / "a/b/calls.json"
    assert find_file(tmp_path, "calls.json", levels=1) is None


def test_what_is_unpacked_later_is_seen_after_ten_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(places, "time", SimpleNamespace(monotonic=lambda: now[0]))
    assert places.folders_below(tmp_path) == ()
    (tmp_path / "later").mkdir()
    now[0] = 109.9
    assert places.folders_below(tmp_path) == ()
    now[0] = 110.0
    assert places.folders_below(tmp_path) == (tmp_path / "later",)


def test_the_folder_whose_path_ends_most_as_written_is_taken():
    folders = tuple(map(Path, ("/a/data/question1", "/b/Other/question1", "/c/data/question1")))
    assert places._most_alike(folders, ["x", "data", "question1"]) == folders[0]
    assert places._most_alike(folders, ["other", "question1"]) == folders[1]
    assert places._most_alike(folders, ["elsewhere"]) is None and places._most_alike((), ["data"]) is None


def test_an_archive_that_holds_one_folder_of_its_name_is_that_folder(tmp_path: Path):
    inside = tmp_path / "data" / "data"
    inside.mkdir(parents=True)
    assert places._inner(tmp_path / "data") == inside
    (tmp_path / "data" / "beside.txt").touch()
    assert places._inner(tmp_path / "data") == tmp_path / "data"
