"""Whether a reading contradicts what a question says of grounds and areas."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.query.checks import (
    measures_by_default,
)
from treeline.core.query.expression import (
    Aggregate,
    Centroid,
    Combine,
    Compare,
    Correlation,
    Distance,
    Facts,
    Node,
    Number,
    Place,
    Profile,
    Several,
    Variable,
    Which,
    Zones,
)
from treeline.core.query.slots import leaves


def turns_the_base(node: Node, ground: Place) -> bool:
    """Return whether something else is a share of a ground that is to be the share."""
    shares = [p for p in node.walk() if isinstance(p, Aggregate) and p.statistic == "share"]
    grounds = [leaf.where for share in shares for leaf in leaves(share.of)]
    return any(where is not None and ground in where.walk() for where in grounds)


def is_share_of_the_rest(node: Node, ground: Place) -> bool:
    """Return whether a ground is the share of something else, which is to be a share of that ground."""
    shares = [p for p in node.walk() if isinstance(p, Aggregate) and p.statistic == "share"]
    return any(share.of == ground and share.within is not None for share in shares)


def shares_the_scene(node: Node) -> bool:
    """Return whether a part is the share that a ground has of all there is."""
    parts = node.of if isinstance(node, Several) else ()
    shares = (part for part in parts if isinstance(part, Aggregate) and part.statistic == "share")
    return any(share.within is None and isinstance(share.of, Place) for share in shares)


def is_of_all_polygons(node: Node) -> bool:
    """Return whether something is taken of polygons that nobody named, or of all of them with a limit."""
    grounds = (part for part in node.walk() if isinstance(part, Place | Zones) and part.by == "feature")
    chosen = any(isinstance(part, Which) for part in node.walk())
    return not chosen and any(not ground.names for ground in grounds)


def is_of_no_polygons(node: Node) -> bool:
    """Return whether nothing is said of polygons, their classes, or what a file has."""
    return not any(
        isinstance(part, Facts)
        and part.about in ("classes", "features", "files")
        or isinstance(part, Place | Zones)
        and part.by in ("class", "feature")
        for part in node.walk()
    )


def is_at_no_point(node: Node) -> bool:
    """Return whether nothing is said of a point, a place that is found, or the area that is drawn."""
    return not any(
        isinstance(part, Centroid | Distance | Profile)
        or isinstance(part, Place)
        and (part.by in ("point", "aoi", "site") or part.at is not None)
        for part in node.walk()
    )


def is_of_patches(node: Node) -> bool:
    """Return whether connected pixels are looked at, which may be parts of polygons or several of them."""
    return any(isinstance(part, Zones) and part.by == "patch" for part in node.walk())


def chooses_by_its_own_limit(node: Node) -> bool:
    """Return whether what passes a limit is looked for where that limit is passed: that is all of it."""
    return any(
        isinstance(part, Compare)
        and isinstance(part.of, Variable)
        and part.of.where is not None
        and any(_is_same_limit(inner, part, part.of) for inner in part.of.where.walk())
        for part in node.walk()
    )


def _is_same_limit(inner: Node, limited: Compare, variable: Variable) -> bool:
    """Return whether a limit is that on a variable, of the same time and wherever it is looked at."""
    if not isinstance(inner, Compare) or not isinstance(inner.of, Variable):
        return False
    same = (inner.of.role, inner.of.when) == (variable.role, variable.when)
    return same and replace(inner, of=variable) == limited


def is_of_found_ground(node: Node) -> bool:
    """Return whether something is asked of ground that has to be found."""
    return any(isinstance(part, Place) and part.at is not None for part in node.walk())


def pools(node: Node, grounds: tuple[Place, Place]) -> bool:
    """Return whether two grounds are one in an expression."""
    names = {name for ground in grounds for name in ground.names}
    return any(isinstance(part, Place) and names <= set(part.names) for part in node.walk())


def is_area(node: Node) -> bool:
    """Return whether an area is told."""
    return isinstance(node, Aggregate) and node.statistic == "area"


def is_of_elevation(node: Node) -> bool:
    """Return whether elevation is part of what is told."""
    return any(getattr(leaf, "role", "") == "dem" for leaf in leaves(node))


def limits_one_of_two_grounds(node: Node) -> bool:
    """Return whether of two grounds that are set against each other one has a limit alone."""
    for part in node.walk():
        match part:
            case Combine(left=one, right=other) | Compare(of=one, limit=other):
                limited = [any(map(_is_limit, side.walk())) for side in (one, other)]
                placed = [any(isinstance(leaf, Place) for leaf in side.walk()) for side in (one, other)]
                if all(placed) and limited[0] != limited[1]:
                    return True
    return False


def _is_limit(node: Node) -> bool:
    return isinstance(node, Compare) and isinstance(node.limit, Number)


def measures_ground(node: Node) -> bool:
    """Return whether a node is an area, or the pixels that it is made of."""
    return (
        isinstance(node, Aggregate) and node.over == "pixel" and node.statistic in ("area", "count", "share")
    )


def drops_the_ground_before(node: Node) -> bool:
    """Return whether ground is named as if a mean of it were asked for, and what follows is of everything.

    "Take only forest above 600 m altitude. What is its mean NDVI" asks for no mean altitude.
    """
    if not isinstance(node, Several) or not measures_by_default(node.of[0]):
        return False
    grounds = [{leaf.where for leaf in leaves(part)} for part in node.of]
    return grounds[0] != {None} and any(ground == {None} for ground in grounds[1:])


def finds_a_class_by_its_area(node: Node) -> bool:
    """Return whether the largest or smallest class is looked for, all its polygons together."""
    match node:
        case Which(of=Aggregate("area", by=Zones(by="class"))):
            return True
        case Which(of=Aggregate("area", by=Zones(by="feature", attribute=attribute))):
            return bool(attribute)
    return False


def is_share_of_a_ground_in_what_passes(node: Node) -> bool:
    """Return whether the share of what passes a limit is told that is some ground."""
    return any(
        isinstance(part, Aggregate)
        and part.statistic == "share"
        and isinstance(part.of, Place)
        and isinstance(part.within, Compare)
        for part in node.walk()
    )


def is_between_extremes(node: Node) -> bool:
    """Return whether a distance on the ground is that between a highest and a lowest pixel."""
    return any(
        isinstance(part, Distance) and isinstance(part.of, Compare) and isinstance(part.to, Compare)
        for part in node.walk()
    )


def finds_the_highest_ground(node: Node) -> bool:
    """Return whether something is chosen by its elevation."""
    found = (leaf for part in node.walk() if isinstance(part, Which) for leaf in leaves(part))
    return any(isinstance(leaf, Variable) and leaf.role == "dem" for leaf in found)


def is_size(part: Node) -> bool:
    """Return whether a part is an area or share, or tells of the ground that the images cover."""
    sized = isinstance(part, Aggregate) and part.statistic in ("area", "share", "count", "sum")
    return sized or isinstance(part, Facts)


def chooses_pixels_by_a_statistic(node: Node) -> bool:
    """Return whether pixels count whose own statistic over the dates passes a limit."""
    held = [part.of for part in node.walk() if isinstance(part, Compare)]
    return any(isinstance(of, Aggregate) and of.over == "date" and isinstance(of.of, Variable) for of in held)


def passes_a_level(node: Node, *, of_all: bool) -> bool:
    """Return whether pixels of a ground are set against their own statistic, or that of all ground."""
    for part in node.walk():
        match part:
            case Compare(Variable() as of, _, Aggregate(of=level, over="pixel")) if of.where is not None:
                if level == (replace(of, where=None) if of_all else of):
                    return True
    return False


def correlates_in_each_zone(node: Node) -> bool:
    """Return whether pixels are correlated zone by zone: "across the regions" is rather of their means."""
    return any(isinstance(part, Correlation) and part.by is not None for part in node.walk())


def drops_the_groups_before(node: Node) -> bool:
    """Return whether the first of several is told for each of something, and one of the others is not."""
    if not isinstance(node, Several):
        return False
    groups = [
        {part.by for part in one.walk() if isinstance(part, Aggregate | Facts) and part.by} for one in node.of
    ]
    return bool(groups[0]) and any(group.isdisjoint(groups[0]) for group in groups[1:])
