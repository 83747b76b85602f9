"""A raster file's description: everything that the file, its name and its company say, the most trusted first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from rasterio.crs import CRS
from rasterio.io import DatasetReader

from toolkit.recognition.bands import FileFacts, describe_band, file_facts
from toolkit.recognition.model import Correction, Evidence, RasterDescription
from toolkit.recognition.names import NameFacts
from toolkit.recognition.sample import opened
from toolkit.recognition.sidecars import read_sidecar
from toolkit.recognition.tags import acquisition, written


@dataclass(frozen=True, slots=True)
class _Dated:
    date: datetime | None = None
    precision: str | None = None
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[str, ...] = ()


def describe(
    path: Path, siblings: Sequence[Path] = (), corrections: Mapping[str, Correction] | None = None
) -> RasterDescription:
    """Return what is known of a raster file, with a reason for each conclusion.

    Parameters
    ----------
    path : Path
        The file; it is opened once.
    siblings : sequence of Path
        Files of the same upload, among which the names decide what one name leaves open.
    corrections : mapping of str to Correction, optional
        What a person said, by ``file name`` or ``file name#band``; a band is named by its name, index or role.

    Raises
    ------
    RasterUnreadable
        The file is no raster, is damaged, or needs a driver that is not allowed.
    RasterMissing
        There is no such file.
    """
    path = Path(path)
    said = {key: value for key, value in (corrections or {}).items() if key.partition("#")[0] in (path.name, str(path))}
    whole = said.get(path.name) or said.get(str(path)) or Correction()
    with opened(path) as dataset:
        facts = file_facts(dataset, path, [s.name for s in siblings], read_sidecar(path))
        dated = _find_date(facts, whole)
        results = [describe_band(dataset, facts, index, _band_corrections(said, whole), dated.date)
                   for index in dataset.indexes]  # fmt: skip
        return RasterDescription(
            path=path,
            driver=dataset.driver,
            width=dataset.width,
            height=dataset.height,
            dtype=dataset.dtypes[0],
            crs=_crs_text(dataset.crs),
            transform=tuple(dataset.transform)[:6],
            bounds=tuple(dataset.bounds),
            bands=tuple(result.band for result in results),
            date=dated.date,
            date_precision=dated.precision,
            sensor=whole.sensor or facts.sensor,
            product=facts.product,
            place=whole.place if whole.place is not None else facts.name.place,
            warnings=_once(
                [*_georeference_warnings(dataset, facts.name), *facts.warnings, *dated.warnings,
                 *(warning for result in results for warning in result.warnings)]
            ),  # fmt: skip
            evidence=(*dated.evidence, *facts.evidence),
        )


def _band_corrections(said: Mapping[str, Correction], whole: Correction) -> dict[str, Correction]:
    by_band = {key.partition("#")[2].casefold(): value for key, value in said.items() if "#" in key}
    return {"": whole, **by_band}


def _find_date(facts: FileFacts, whole: Correction) -> _Dated:
    if whole.date is not None:
        reason = Evidence(f"date={whole.date.isoformat()}", "person", "A person said so.")
        return _Dated(whole.date, whole.date_precision or _precision(whole.date), (reason,))
    if facts.sidecar is not None and facts.sidecar.date is not None:
        because = f"{facts.sidecar.source} beside the file states it."
        reason = Evidence(f"date={facts.sidecar.date.isoformat()}", "metadata", because)
        return _Dated(facts.sidecar.date, _precision(facts.sidecar.date), (reason,))
    stated = acquisition(facts.tags)
    if stated is not None:
        reason = Evidence(f"date={stated[0].isoformat()}", "tag", f"The tag {stated[1]} states it.", 0.95)
        return _Dated(stated[0], _precision(stated[0]), (reason,))
    return _written_or_named(facts)


def _written_or_named(facts: FileFacts) -> _Dated:
    """Weigh the name's date against ``TIFFTAG_DATETIME``, which most programs set to the time of writing."""
    name, tagged = facts.name, written(facts.tags)
    if facts.own and tagged is not None:
        reason = Evidence(f"date={tagged.isoformat()}", "tag", "Treeline wrote it when it made the file.", 0.98)
        return _Dated(tagged, _precision(tagged), (reason,))
    if name.date is None:
        return _written_only(tagged)
    if tagged is None:
        return _Dated(name.date, name.date_precision)
    if tagged.date() == name.date.date():
        reason = Evidence(f"date={tagged.date().isoformat()}", "tag", "TIFFTAG_DATETIME agrees with the name.", 0.95)
    else:
        because = f"TIFFTAG_DATETIME says {tagged.isoformat()}, which is taken for the time of writing."
        reason = Evidence(f"date={name.date.date().isoformat()}", "name", because, 0.8)
    return _Dated(name.date, name.date_precision, (reason,))


def _written_only(tagged: datetime | None) -> _Dated:
    if tagged is None:
        return _Dated()
    reason = Evidence(f"date={tagged.isoformat()}", "tag", "Only TIFFTAG_DATETIME gives a date.", 0.5)
    warning = f"The date {tagged:%Y-%m-%d %H:%M} is from a tag that may be the time of writing."
    return _Dated(tagged, _precision(tagged), (reason,), (warning,))


def _precision(moment: datetime) -> str:
    return "day" if (moment.hour, moment.minute, moment.second) == (0, 0, 0) else "instant"


def _georeference_warnings(dataset: DatasetReader, name: NameFacts) -> list[str]:
    if dataset.crs is not None or dataset.driver in ("PNG", "JPEG"):
        return []
    return ["The file has no coordinate reference system, so it cannot be placed on the map or compared."]


def _crs_text(crs: CRS | None) -> str | None:
    return None if crs is None else _crs_of_wkt(crs.to_wkt())


@lru_cache(maxsize=256)
def _crs_of_wkt(wkt: str) -> str:
    code = CRS.from_wkt(wkt).to_epsg()
    return f"EPSG:{code}" if code else wkt


def _once(sentences: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sentence for sentence in sentences if sentence))
