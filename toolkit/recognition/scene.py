"""What the other bands of a Sentinel-2 scene tell of the offset that one band leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from treeline.toolkit.errors import TreelineError
from treeline.toolkit.opening import open_raster_file
from treeline.toolkit.recognition.baseline import TOO_DARK
from treeline.toolkit.recognition.facts import NameFacts
from treeline.toolkit.recognition.model import Band
from treeline.toolkit.recognition.names import describe_name
from treeline.toolkit.recognition.sample import Sample, statistics

# From the darkest on: with the offset, a cirrus band lies just above 1000.
DARK_ROLES = ("cirrus", "swir2", "red", "swir1", "green", "blue")
# The darkest bands come first; where these do not show it, no other will, and opening files takes time.
MOST_OPENED = 3


def band_without_offset(bands: Sequence[Band]) -> str | None:
    """Return the name of a band of the same file whose values show that there is no offset."""
    shown = (
        band.name
        for band in bands
        if any(e.source == "value" and e.concludes == "offset=0" for e in band.evidence)
    )
    return next(shown, None)


def file_without_offset(path: Path, name: NameFacts, siblings: Sequence[Path]) -> str | None:
    """Return the name of a single-band file of the same scene whose values show that there is no offset.

    Only a few files are opened, the darkest bands first.
    """
    names = tuple(sibling.name for sibling in siblings)
    same = []
    for sibling in siblings:
        facts = describe_name(sibling.name, names)
        scene = (facts.place, facts.date, facts.product) == (name.place, name.date, name.product)
        if scene and facts.role in DARK_ROLES and facts.encoding == name.encoding and sibling != path:
            same.append((DARK_ROLES.index(facts.role), sibling))
    return next((sibling.name for _, sibling in sorted(same)[:MOST_OPENED] if _is_dark(sibling)), None)


def _is_dark(path: Path) -> bool:
    try:
        with open_raster_file(path) as dataset:
            fill = (0.0, *(n for n in dataset.nodatavals[:1] if n is not None))
            whole = dataset.dtypes[0].startswith(("int", "uint"))
            found = statistics(Sample(dataset).band(1), fill, None)
    except TreelineError:
        return False
    return whole and found is not None and found.low < TOO_DARK
