"""The question files that the Lab knows: uploaded ones, and those of earlier benches."""

from __future__ import annotations

import hashlib
from pathlib import Path

import streamlit as st

from treeline.core.home import home
from treeline.pages.parts.lab.benches import benches
from treeline.pages.parts.shared.services import services
from treeline.toolkit.errors import InputError

SUFFIXES = (".jsonl", ".json")
_LARGEST_MEGABYTES = 100
# A paper's table is made of the questions of one of these.
_ALSO = {"reproduce": ("earth-bench", "geoplan")}
_GENERATION = "lab-upload-generation"


def known_files(bench: str) -> list[str]:
    """Return the addresses of the question files that stand, those of the bench's own runs first."""
    kinds = (bench, *_ALSO.get(bench, ()))
    used = [r.options["file"] for r in benches().records() if r.options["bench"] in kinds]
    uploaded = sorted(
        str(path) for kind in kinds for path in folder_of(kind).glob("*") if path.suffix in SUFFIXES
    )
    return [path for path in dict.fromkeys([*used, *uploaded]) if Path(path).exists()]


def file_label(address: str) -> str:
    """Return a file as it is offered."""
    path = Path(address)
    return path.name if path.is_relative_to(home()) else f"{path.name} · {path.parent}"


def check_readable(address: str | None) -> str:
    """Return a path that may be read; empty for none.

    Raises
    ------
    InputError, PathOutside
        There is nothing there, or it lies outside what may be read.
    """
    if not (address or "").strip():
        return ""
    path = Path(str(address)).resolve()
    # What was uploaded lies in the home, which need not be among the folders that the server may read.
    if path.is_relative_to(home() / "lab") and path.exists():
        return str(path)
    return str(services().library.check_readable(str(address)))


def show_upload() -> None:
    """Show the uploader of question files."""
    generation = st.session_state.setdefault(_GENERATION, 0)
    st.file_uploader(
        "Questions or tasks: one JSON object a line, or the published question.json",
        type=[suffix[1:] for suffix in SUFFIXES],
        key=f"lab-upload-{generation}",
        on_change=_take,
        max_upload_size=_LARGEST_MEGABYTES,
    )


def _take() -> None:
    state = st.session_state
    given = state[f"lab-upload-{state[_GENERATION]}"]
    if given is None:
        return
    bench = state["lab-benchmark"]
    try:
        state[f"lab-file-{bench}"] = str(keep_file(bench, given.name, given.getvalue()))
    except InputError as error:
        state["lab-problems"] = (str(error),)
    state[_GENERATION] += 1


def keep_file(bench: str, name: str, content: bytes) -> Path:
    """Keep an uploaded file under a name made of its content, so that no other is overwritten.

    Raises
    ------
    InputError
        It is no file of questions by its name.
    """
    given = Path(name.replace("\\", "/"))
    if given.suffix.lower() not in SUFFIXES:
        raise InputError(f"{given.name!r} is no question file.", f"Give one of {', '.join(SUFFIXES)}.")
    # The name is a stranger's: of it only what no file system takes for anything but a name.
    stem = "".join(c if c.isalnum() or c in "-_. " else "_" for c in given.stem).strip(". ")[:60]
    digest = hashlib.sha256(content).hexdigest()[:8]
    path = folder_of(bench) / f"{stem or 'questions'}-{digest}{given.suffix.lower()}"
    path.write_bytes(content)
    return path


def folder_of(bench: str) -> Path:
    """Return the folder of the question files that were uploaded for a benchmark."""
    folder = home() / "lab" / bench
    folder.mkdir(parents=True, exist_ok=True)
    return folder
