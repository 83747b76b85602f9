"""What a raster file, its name and the names beside it say of it, the most trusted source first."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from rasterio.crs import CRS
from rasterio.io import DatasetReader

from treeline.toolkit.errors import RasterUnreadable, TreelineError
from treeline.toolkit.opening import open_raster_file
from treeline.toolkit.recognition.band_dates import precision_of
from treeline.toolkit.recognition.bands import BandResult, describe_band
from treeline.toolkit.recognition.dates import PERIOD, date_of_folders, moment_text
from treeline.toolkit.recognition.identity import FileFacts, file_facts
from treeline.toolkit.recognition.model import Correction, Evidence, EvidenceSource, RasterDescription
from treeline.toolkit.recognition.names import describe_name
from treeline.toolkit.recognition.scene import band_without_offset, file_without_offset
from treeline.toolkit.recognition.siblings import Siblings
from treeline.toolkit.recognition.sidecars import read_sidecar
from treeline.toolkit.recognition.tags import (
    COUNTED_TIME,
    TIME_IN_GRIB,
    acquisition,
    counted_moment,
    tagged_moment,
)
from treeline.toolkit.variables import VARIABLES

_LOG = logging.getLogger(__name__)

# Written by whoever simulates a raster, so that it is never taken for a sensor's.
SIMULATED_TAG = "TREELINE_SIMULATED"


@dataclass(frozen=True, slots=True)
class _Dating:
    date: datetime | None = None
    precision: str | None = None
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    crs: str | None
    transform: tuple[float, float, float, float, float, float]
    bounds: tuple[float, float, float, float]
    broken: bool = False


def describe(
    path: Path, siblings: Sequence[Path] = (), corrections: Mapping[str, Correction] | None = None
) -> RasterDescription:
    """Return what is known of a raster file, with a reason for each conclusion.

    Parameters
    ----------
    path : Path
        The file; it is opened once. Where the offset of a Sentinel-2 band stays open, up to three other files
        of its scene are looked at.
    siblings : sequence of Path
        Files of the same upload, among which the names decide what one name leaves open.
    corrections : mapping of str to Correction, optional
        What a person said, by ``file name`` or ``file name#band``; a band goes by name, index or role.

    Raises
    ------
    RasterUnreadable
        The file is no raster, is damaged, or needs a driver that is not allowed.
    RasterMissing
        There is no such file.
    """
    try:
        beside = siblings if isinstance(siblings, Siblings) else Siblings(siblings)
        return _describe(Path(path), beside, corrections or {})
    except TreelineError:
        raise
    except Exception as error:  # a file that others made must not take those beside it along
        _LOG.warning("A file could not be described.", exc_info=error)
        raise RasterUnreadable(
            f"{Path(path).name} could not be understood ({type(error).__name__}).",
            "Copy or download the file again; if it is whole, this is a fault of ours.",
        ) from error


def _describe(path: Path, siblings: Siblings, corrections: Mapping[str, Correction]) -> RasterDescription:
    said = _corrections_of(path, corrections)
    whole = said.get("", Correction())
    with open_raster_file(path) as dataset:
        facts = file_facts(dataset, path, siblings.names, read_sidecar(path))
        if whole.date is not None:
            facts = replace(facts, band_dates=())
        dated = _find_date(facts, whole, path)
        dated = dated if dated.date else _date_of_scene(facts, path, siblings)
        results = [describe_band(facts, index, said, dated.date) for index in dataset.indexes]
        # Other bands and files are looked at only where a band leaves its offset open: each costs a read.
        if any(result.offset_open for result in results):
            facts = _with_scene(facts, results, path, siblings)
            results = [describe_band(facts, index, said, dated.date) for index in dataset.indexes]
        place = _place(dataset)
        return RasterDescription(
            path=path,
            driver=dataset.driver,
            width=dataset.width,
            height=dataset.height,
            dtype=dataset.dtypes[0],
            crs=place.crs,
            transform=place.transform,
            bounds=place.bounds,
            bands=tuple(result.band for result in results),
            date=dated.date,
            date_precision=dated.precision,
            sensor=whole.sensor or _sensor(facts, results),
            product=facts.product,
            place=whole.place if whole.place is not None else facts.name.place,
            warnings=_warnings(dataset, facts, dated, results, place),
            evidence=(*dated.evidence, *facts.evidence),
        )


def _place(dataset: DatasetReader) -> _Place:
    """Return where the pixels lie; nowhere where the transform gives them no size."""
    a, b, _, d, e, _ = transform = tuple(dataset.transform)[:6]
    left, bottom, right, top = dataset.bounds
    # Rows may run from south to north, and columns from east to west.
    bounds = (min(left, right), min(bottom, top), max(left, right), max(bottom, top))
    size = abs(a * e - b * d)
    if size > 0 and all(map(math.isfinite, (size, *transform, *bounds))):
        return _Place(_crs_text(dataset.crs), transform, bounds)
    return _Place(
        None, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0), (0.0, dataset.height, dataset.width, 0.0), broken=True
    )


def _sensor(facts: FileFacts, results: Sequence[BandResult]) -> str | None:
    if SIMULATED_TAG in facts.tags:
        return "simulated"
    return facts.sensor or next((result.sensor for result in results if result.sensor), None)


def _with_scene(
    facts: FileFacts, results: Sequence[BandResult], path: Path, siblings: Sequence[Path]
) -> FileFacts:
    """Add what other bands of the scene tell of the offset of Sentinel-2."""
    inside = band_without_offset([result.band for result in results])
    shown = inside or file_without_offset(path, facts.name, siblings)
    return replace(facts, groups={**facts.groups, "without_offset": shown}) if shown else facts


def _corrections_of(path: Path, corrections: Mapping[str, Correction]) -> dict[str, Correction]:
    """Return the corrections of a file by band without case; the empty name is the whole file."""
    said = {}
    for address, correction in corrections.items():
        file, _, band = address.partition("#")
        if file in (path.name, str(path)):
            said[band.casefold()] = correction
    return said


def _dated(
    moment: datetime,
    origin: EvidenceSource,
    because: str,
    confidence: float = 1.0,
    precision: str | None = None,
) -> _Dating:
    """Return a date with its reason; without a precision it is a moment that a tag states."""
    precision = precision or precision_of(moment)
    reason = Evidence(f"date={moment_text(moment, precision)}", origin, because, confidence)
    return _Dating(moment, precision, (reason,))


def _find_date(facts: FileFacts, whole: Correction, path: Path) -> _Dating:
    if whole.date is not None:
        precision = whole.date_precision or precision_of(whole.date)
        return _dated(whole.date, "person", "A person said so.", precision=precision)
    if facts.sidecar is not None and facts.sidecar.date is not None:
        because = f"{facts.sidecar.source} beside the file states it."
        return _dated(facts.sidecar.date, "metadata", because)
    stated = acquisition(facts.tags)
    if stated is not None:
        return _dated(stated[0], "tag", f"The tag {stated[1]} states it.", 0.95)
    counted = counted_moment(facts.header.band_tags[0], facts.tags) if facts.header.count == 1 else None
    if counted is not None:
        tag = COUNTED_TIME if COUNTED_TIME in facts.header.band_tags[0] else TIME_IN_GRIB
        because = f"The tag {tag} counts it."
        return _dated(counted, "tag", because, 0.95)
    return _weigh_dates(facts, path)


def _date_of_scene(facts: FileFacts, path: Path, siblings: Siblings) -> _Dating:
    """Return the date of the only scene in the folder, for a mask of it that bears no date of its own."""
    variable = VARIABLES.get(facts.name.role or "")
    if variable is None or variable.kind != "quality":
        return _Dating()
    beside = [describe_name(other.name, siblings.names) for other in siblings if other.parent == path.parent]
    dates = {(other.date, other.date_precision) for other in beside if other.date}
    if len(dates) != 1:
        return _Dating()
    ((found, precision),) = dates
    return _dated(found, "sibling", "All that is dated beside this mask is of that date.", 0.8, precision)


def _weigh_dates(facts: FileFacts, path: Path) -> _Dating:
    """Weigh the name's date against ``TIFFTAG_DATETIME``, which most programs set to the time of writing."""
    name, tagged = facts.name, tagged_moment(facts.tags)
    if facts.is_own and tagged is not None:
        because = "Treeline wrote it when it made the file."
        return _dated(tagged, "tag", because, 0.98)
    if facts.is_own and PERIOD.search(path.stem):
        return _Dating()
    if name.date is None:
        return _date_of_folder(path) or _date_of_tag(tagged)
    if tagged is None:
        return _Dating(name.date, name.date_precision)
    if tagged.date() == name.date.date():
        because = "TIFFTAG_DATETIME agrees with the name."
        return _dated(name.date, "tag", because, 0.95, name.date_precision)
    because = f"TIFFTAG_DATETIME says {tagged:%Y-%m-%d %H:%M}, which is taken for the time of writing."
    return _dated(name.date, "name", because, 0.8, name.date_precision)


def _date_of_folder(path: Path) -> _Dating | None:
    found = date_of_folders(path.parts[:-1])
    if found is None:
        return None
    return _dated(found.date, "name", "The folder is called so.", 0.8, found.precision)


def _date_of_tag(tagged: datetime | None) -> _Dating:
    if tagged is None:
        return _Dating()
    dated = _dated(tagged, "tag", "Only TIFFTAG_DATETIME gives a date.", 0.5)
    warning = f"The date {tagged:%Y-%m-%d %H:%M} is from a tag that may be the time of writing."
    return replace(dated, warnings=(warning,))


def _warnings(
    dataset: DatasetReader, facts: FileFacts, dated: _Dating, results: Sequence[BandResult], place: _Place
) -> tuple[str, ...]:
    sentences = [*facts.warnings, *dated.warnings]
    if place.broken:
        sentences.append("The file's georeference gives its pixels no size, so it has no place on the map.")
    elif place.crs is None and dataset.driver == "GTiff":
        sentences.append("The file has no coordinate reference system, so it has no place on the map.")
    if dataset.driver == "GTiff" and len(dataset.subdatasets) > 1:
        sentences.append(
            f"The file holds {len(dataset.subdatasets)} images, of which the first alone is read; save the "
            "others as files of their own, with `gdal_translate GTIFF_DIR:2:FILE` for the second."
        )
    bands: dict[str, list[int]] = {}
    for result in results:
        for warning in result.warnings:
            bands.setdefault(warning, []).append(result.band.index)
    sentences += [w.replace("{band}", _bands_text(which, dataset.count)) for w, which in bands.items()]
    return tuple(dict.fromkeys(sentences))


def _bands_text(indexes: Sequence[int], count: int) -> str:
    if count == 1:
        return "the band"
    if len(indexes) == count:
        return "all bands"
    return f"band {indexes[0]}" if len(indexes) == 1 else "bands " + ", ".join(map(str, indexes))


def _crs_text(crs: CRS | None) -> str | None:
    return None if crs is None else _crs_of_wkt(crs.to_wkt())


@lru_cache(maxsize=256)
def _crs_of_wkt(wkt: str) -> str:
    code = CRS.from_wkt(wkt).to_epsg()
    return f"EPSG:{code}" if code else wkt
