"""Statistics of the pixels of each of several parts of the ground."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from treeline.core.policies.planning.grounds import class_layer
from treeline.core.policies.planning.layers import Item, Layer
from treeline.core.policies.planning.masks import sector_formula
from treeline.core.policies.planning.plan import CannotAnswer, Steps
from treeline.core.policies.planning.titles import short_title
from treeline.core.policies.planning.values import Mark, Numbers, Rasters, Scale
from treeline.core.policies.planning.work import Work
from treeline.core.query.expression import Aggregate, Place, Variable, Zones


@dataclass(frozen=True, slots=True)
class ZoneRaster:
    """Numbered zones on the ground.

    Attributes
    ----------
    labels : mapping
        Number to what the zone is called; a number that is not in it is no zone.
    """

    address: str
    labels: Mapping[float, str]


def by_zones(work: Work, node: Aggregate, value: Rasters, zones: Zones) -> Steps[Numbers]:
    """Return a statistic of pixels for each zone, and for each date where there are several."""
    raise CannotAnswer("not yet")
    yield
