"""A demo workspace: two years of a place that does not exist, simulated from a seed.

River, lake, fields, forests up to a tree line, a town; a fire and a drought. Everything is
written as an analyst would find it, and what is true of it is known.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from treeline.core.demo.files import VERSION, write_files
from treeline.core.demo.truth import TRUTH_FILE, DemoTruth
from treeline.toolkit.errors import InputError

__all__ = ["TRUTH_FILE", "DemoTruth", "write_demo"]

SMALLEST, LARGEST = 120, 2000


def write_demo(folder: Path, seed: int = 7, size: int = 600) -> DemoTruth:
    """Write the demo into a folder, unless it stands there already.

    Parameters
    ----------
    folder : Path
        Made if it is not there; it appears when all files are whole.
    seed : int
        The same seed and size give the same files. Not negative.
    size : int
        Rows and columns, 120 to 2000.

    Returns
    -------
    DemoTruth
        What is true of the place, for tours and tests.

    Raises
    ------
    InputError
        The folder holds something else, or seed or size is out of range.
    """
    if seed < 0 or not SMALLEST <= size <= LARGEST:
        raise InputError(
            f"There is no demo of seed {seed} and size {size}.",
            f"The seed is not negative and the size is {SMALLEST} to {LARGEST}.",
        )
    folder = Path(folder).absolute()
    found = _existing_truth(folder, seed, size)
    if found is not None:
        return found
    folder.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        truth = write_files(building, seed, size)
        return _take_place(building, folder, truth)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _existing_truth(folder: Path, seed: int, size: int) -> DemoTruth | None:
    truth = DemoTruth.load(folder)
    if truth is not None and (truth.version, truth.seed, truth.size) == (VERSION, seed, size):
        return truth
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(
            f"The folder {folder.name!r} holds something else than the demo of seed {seed} and size {size}.",
            "Name a folder that is empty or not there yet.",
        )
    return None


def _take_place(building: Path, folder: Path, truth: DemoTruth) -> DemoTruth:
    building.chmod(0o755)
    try:
        os.replace(building, folder)
    except OSError:
        # Somebody else may have written the same demo in the meantime.
        found = _existing_truth(folder, truth.seed, truth.size)
        if found is None:
            raise
        return found
    return truth
