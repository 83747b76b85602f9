"""What rasters are called where several files have one name: by the folders that tell them apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from treeline.core.workspace.resolutions import is_size
from treeline.toolkit.recognition.dates import is_date


def short_addresses(paths: Iterable[Path]) -> dict[Path, str]:
    """Return each file's name, with as many folders before it as tell it from others of its name."""
    alike: defaultdict[str, list[Path]] = defaultdict(list)
    for path in paths:
        alike[path.name].append(path)
    return {path: name for name, group in alike.items() for path, name in _tell_apart(group)}


def place_of_folders(address: str) -> str:
    """Return the folders of an address that are no dates and no pixel sizes: places, or copies of one."""
    *folders, _ = address.split("/")
    return " ".join(folder for folder in folders if not is_date(folder) and not is_size(folder))


def _tell_apart(group: Sequence[Path]) -> Iterable[tuple[Path, str]]:
    unique, depth = list(dict.fromkeys(group)), 1
    while len({path.parts[-depth:] for path in unique}) < len(unique):
        depth += 1
    return [(path, "/".join(path.parts[-depth:])) for path in unique]
