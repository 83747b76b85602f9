"""What a catalogue holds, and which of its items are wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from shapely.geometry import box, shape

from treeline.toolkit.catalogue_search.kit import CATALOGUE
from treeline.toolkit.catalogue_search.opening import open_catalogue
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, TreelineError
from treeline.toolkit.recognition.dates import calendar_moment, parse_moment
from treeline.toolkit.tool import Gives, tool

STAC = "STAC specification 1.1 (stacspec.org)"
MOST_ITEMS = 1000
MOST_VISITED = 20_000
Bounds = tuple[float, float, float, float]
Row = dict[str, Any]


@dataclass(frozen=True)
class SearchRequest:
    """What to look for; ``None`` asks nothing.

    Attributes
    ----------
    bounds : tuple of float, optional
        West, south, east, north in degrees.
    first, last : datetime, optional
        Both included, in UTC.
    collections : tuple of str
        None means all.
    max_cloud_cover : float, optional
        Percent.
    """

    bounds: Bounds | None = None
    first: datetime | None = None
    last: datetime | None = None
    collections: tuple[str, ...] = ()
    max_cloud_cover: float | None = None

    @classmethod
    def of(
        cls, bounds: Bounds | None, period: str | None, collections: list[str] | None, clouds: float | None
    ) -> SearchRequest:
        """Return what a tool's arguments ask for.

        Raises
        ------
        InputError
            Names the argument.
        """
        if bounds is not None and not (
            -180 <= bounds[0] < bounds[2] <= 180 and -90 <= bounds[1] < bounds[3] <= 90
        ):
            raise InputError(
                f"The argument 'bounds' is {list(bounds)}.", "Give west, south, east, north in degrees."
            )
        first, last = _moments(period)
        return cls(bounds, first, last, tuple(collections or ()), clouds)

    def fits(self, item: Any) -> bool:
        """Return whether an item is wanted."""
        return self._in_place(item) and self._in_time(item) and self._of_kind(item) and self._clear(item)

    def _in_place(self, item: Any) -> bool:
        if self.bounds is None:
            return True
        # A geometry says more than its bounds: the scenes of an orbit are turned against north.
        if item.geometry:
            return bool(shape(item.geometry).intersects(box(*self.bounds)))
        # A bounding box has four numbers, or six with heights between them.
        return bool(item.bbox and box(*item.bbox[:2], *item.bbox[-2:]).intersects(box(*self.bounds)))

    def _in_time(self, item: Any) -> bool:
        start = _plain(item.datetime or item.common_metadata.start_datetime)
        end = _plain(item.datetime or item.common_metadata.end_datetime) or start
        if start is None or end is None:
            # An item without a time fits only where no time is asked for.
            return self.first is None and self.last is None
        return (self.last is None or start <= self.last) and (self.first is None or end >= self.first)

    def _of_kind(self, item: Any) -> bool:
        return not self.collections or item.collection_id in self.collections

    def _clear(self, item: Any) -> bool:
        cover = item.properties.get("eo:cloud_cover")
        return self.max_cloud_cover is None or (cover is not None and cover <= self.max_cloud_cover)


@tool(kit=CATALOGUE, source=STAC, gives=Gives("table", "collections"))
def list_catalogue_collections(catalogue: str) -> list[Row]:
    """Collections of a STAC catalogue: what scenes it has, where and when.

    Parameters
    ----------
    catalogue : str
        A folder of the workspace with catalog.json, or an address such as
        ``https://earth-search.aws.element84.com/v1``.

    Returns
    -------
    list of dict
        ``id``, ``title``, ``bounds`` (west, south, east, north) and ``period`` of each collection.
    """
    opened = open_catalogue(catalogue)
    return [_collection_row(one) for one in _guard(catalogue, _collections(opened))]


@tool(kit=CATALOGUE, source=STAC, gives=Gives("table", "scenes"))
def search_catalogue(
    catalogue: str,
    bounds: Bounds | None = None,
    period: str | None = None,
    collections: list[str] | None = None,
    max_cloud_cover: float | None = None,
    limit: int = 50,
) -> list[Row]:
    """Scenes of a STAC catalogue by place, time, collection and cloud cover, the oldest first.

    Parameters
    ----------
    catalogue : str
        A folder of the workspace with catalog.json, or an address.
    bounds : list of four float, optional
        West, south, east, north in degrees.
    period : str, optional
        A date, month or year, or two with a slash: ``2021``, ``2021-07``, ``2021-06-01/2021-08-31``.
    collections : list of str, optional
        Their ids; default: all.
    max_cloud_cover : float, optional
        Percent of the scene; scenes that do not tell are left out.
    limit : int
        At most so many, up to 1000.

    Returns
    -------
    list of dict
        ``id``, ``collection``, ``datetime``, ``bounds``, ``cloud_cover`` and ``bands`` (names of the assets
        that are rasters) of each.
    """
    return [
        _item_row(item)
        for item in find(catalogue, SearchRequest.of(bounds, period, collections, max_cloud_cover), limit)
    ]


def find(catalogue: str, wanted: SearchRequest, limit: int) -> list[Any]:
    """Return the items of a catalogue that are wanted, by date.

    Raises
    ------
    InputError
        The limit is none, or the catalogue is not usable.
    """
    if not 1 <= limit <= MOST_ITEMS:
        raise InputError(f"The argument 'limit' is {limit}.", f"Give 1 to {MOST_ITEMS}.")
    opened = open_catalogue(catalogue)
    found = _guard(
        catalogue, _search(opened, wanted, limit) if _searchable(opened) else _walk(opened, wanted)
    )
    # One more than wanted, which tells that there are more.
    items = list(islice(found, limit + 1))
    if len(items) > limit:
        current_context().warn(f"There are more than {limit} scenes; narrow the search or raise 'limit'.")
    return sorted(items[:limit], key=lambda item: (_date_text(item), item.id))


def is_raster(asset: Any) -> bool:
    """Return whether an asset holds bands, by its media type or its name."""
    kind = (asset.media_type or "").lower()
    return kind.startswith("image/tiff") or asset.href.split("?")[0].lower().endswith((".tif", ".tiff"))


def _searchable(opened: Any) -> bool:
    conforms = getattr(opened, "conforms_to", None)
    return conforms is not None and bool(conforms("ITEM_SEARCH"))


def _search(opened: Any, wanted: SearchRequest, limit: int) -> Iterator[Any]:
    when = None if wanted.first is None and wanted.last is None else (wanted.first, wanted.last)
    search = opened.search(
        bbox=wanted.bounds,
        datetime=when,
        collections=list(wanted.collections) or None,
        # Not every service filters by cloud cover, so that its items are filtered here after they came.
        max_items=MOST_ITEMS if wanted.max_cloud_cover is not None else limit + 1,
    )
    return (item for item in search.items() if wanted.fits(item))


def _walk(opened: Any, wanted: SearchRequest) -> Iterator[Any]:
    for item in islice(opened.get_items(recursive=True), MOST_VISITED):
        current_context().check_stop()
        if wanted.fits(item):
            yield item


def _collections(opened: Any) -> Iterator[Any]:
    return opened.get_collections() if hasattr(opened, "get_collections") else opened.get_all_collections()


def _guard(catalogue: str, found: Iterator[Any]) -> Iterator[Any]:
    """Yield what a catalogue gives; its faults become those of the toolkit."""
    try:
        yield from found
    except Exception as error:  # libraries of the web raise many kinds, all of them the catalogue's
        own = _own_fault(error)
        if own is not None:
            raise own from None
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise InputError(
            f"The catalogue {catalogue!r} failed: {reason}", "Check the address and try again."
        ) from error


def _own_fault(error: BaseException | None) -> TreelineError | None:
    """Return the fault of ours that a library wrapped into one of its own."""
    while error is not None and not isinstance(error, TreelineError):
        error = error.__cause__ or error.__context__
    return error


def _collection_row(one: Any) -> Row:
    boxes, spans = one.extent.spatial.bboxes, one.extent.temporal.intervals
    ends = [moment.date().isoformat() if moment else "" for moment in (spans[0] if spans else ())]
    bounds = list(boxes[0]) if boxes else None
    return {"id": one.id, "title": one.title or one.id, "bounds": bounds, "period": "/".join(ends)}


def _item_row(item: Any) -> Row:
    return {
        "id": item.id,
        "collection": item.collection_id,
        "datetime": _date_text(item),
        "bounds": item.bbox,
        "cloud_cover": item.properties.get("eo:cloud_cover"),
        "bands": [key for key, asset in item.assets.items() if is_raster(asset)],
    }


def _date_text(item: Any) -> str:
    moment = _plain(item.datetime or item.common_metadata.start_datetime)
    return moment.isoformat(timespec="seconds") if moment else ""


def _plain(moment: datetime | None) -> datetime | None:
    if moment is None or moment.tzinfo is None:
        return moment
    # The moments of a period have no zone, and Python compares no others with them; STAC's are UTC.
    return moment.astimezone(UTC).replace(tzinfo=None)


def _moments(period: str | None) -> tuple[datetime | None, datetime | None]:
    if period is None:
        return None, None
    start, _, end = period.partition("/")
    return _moment(start, False), _moment(end or start, True)


def _moment(text: str, last: bool) -> datetime | None:
    text = text.strip()
    if text in ("", ".."):
        return None
    moment = calendar_moment(text, last=last) or parse_moment(text)
    if moment is None:
        raise InputError(
            f"The argument 'period' holds {text!r}, which is no date.",
            "Write 2021-07 or 2021-06-01/2021-08-31.",
        )
    return moment
