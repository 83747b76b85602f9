from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.toolkit.errors import InputError, ResourceLost
from treeline.toolkit.files import (
    LONGEST_NAME,
    is_usable,
    make_folder,
    mend_text,
    output_file,
    resolve_links,
)


@given(st.text(st.characters(exclude_categories=())))
def test_a_readable_text_can_be_written_anywhere(text: str) -> None:
    plain = mend_text(text)
    plain.encode()
    assert mend_text(plain) == plain
    if not any("\ud800" <= letter <= "\udfff" for letter in text):
        assert plain == text


def test_halves_of_a_letter_are_joined() -> None:
    assert mend_text("a \ud83d\ude80") == "a 🚀"
    assert mend_text("a \ud83d b") == "a \ufffd b"
    assert mend_text(os.fsdecode(b"Gr\xf6\xdfe.tif")) == "Gr\ufffd\ufffde.tif"


@pytest.mark.parametrize("name", ["a\0b", "x" * (LONGEST_NAME + 1), "é" * 200, "\ud800.tif", "a/" * 2000])
def test_what_no_file_can_be_called(name: str) -> None:
    assert not is_usable(name) and not is_usable(f"folder/{name}")


def test_links_that_lead_round_in_a_circle_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to(tmp_path / "round")
    assert not resolve_links(tmp_path / "round").is_file()


def test_an_output_that_cannot_be_written_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "deep" / ("n" * 240 + ".txt")
    with output_file(target) as temporary:
        temporary.write_text("first")
        assert not target.exists()
    (target.parent / (target.name + ".aux.xml")).write_text("of the first")
    full = pytest.raises(ResourceLost, match=r"nnn.txt cannot be written: No space left on device\.")
    with full, output_file(target) as temporary:
        temporary.write_text("sec")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert target.read_text() == "first"
    with output_file(target) as temporary:
        temporary.write_text("last")
    assert [path.name for path in target.parent.iterdir()] == [target.name]
    assert target.read_text() == "last"


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be made: Not a directory"):
        make_folder(tmp_path / "file" / "below")
    assert make_folder(tmp_path / "a" / "b").is_dir()
