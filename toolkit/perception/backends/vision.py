"""Backends that ask a vision language model.

Boxes and outlines are asked for in thousandths of the image, which is how such models are trained,
and come back as pixels of the whole picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from PIL import Image
from pydantic import BaseModel, Field, model_validator

from treeline.toolkit.context import current_context
from treeline.toolkit.endpoints import KEY, URL, VISION_MODEL
from treeline.toolkit.perception.backends.endpoint import ask
from treeline.toolkit.perception.picture import Box, Picture, Pixels, Tile
from treeline.toolkit.perception.tasks import CUT, Detection, Mask, Ranking, Task, without_doubles
from treeline.toolkit.vision_endpoint import VisionEndpoint, current_vision

TILE = 1024
TILE_OVERLAP = 128
# Boxes are asked for in thousandths of a tile, which need no decimals.
WHOLE = 1000
MARGIN = 0.15
AXES = "x from left to right and y downwards, in thousandths of the image's width and height"

Thousandths = Annotated[float, Field(ge=0, le=WHOLE)]
Share = Annotated[float, Field(ge=0, le=1)]


def _in_thousandths(values: list[list[float]]) -> list[list[float]]:
    """Return coordinates in thousandths; those that are shares of 1 throughout were meant as such."""
    flat = [value for several in values for value in several]
    shares = bool(flat) and max(flat) <= 1 and any(0 < value < 1 for value in flat)
    return [[value * WHOLE for value in several] for several in values] if shares else values


class _Label(BaseModel):
    label: str
    probability: Share


class SceneAnswer(BaseModel):
    """Labels of a scene, the most probable first."""

    ranking: list[_Label] = Field(min_length=1)


class _Object(BaseModel):
    box: list[Thousandths] = Field(min_length=4, max_length=4)
    confidence: Share = 0.5


class ObjectsAnswer(BaseModel):
    """Objects by their boxes x1, y1, x2, y2 in thousandths of the image's width and height."""

    objects: list[_Object]

    @model_validator(mode="after")
    def _scale(self) -> ObjectsAnswer:
        for one, box in zip(self.objects, _in_thousandths([o.box for o in self.objects]), strict=True):
            one.box = box
        return self


class OutlinesAnswer(BaseModel):
    """Outlines of objects: lists of points x, y in thousandths of the image's width and height."""

    outlines: list[list[Annotated[list[Thousandths], Field(min_length=2, max_length=2)]]]

    @model_validator(mode="after")
    def _scale(self) -> OutlinesAnswer:
        points = iter(_in_thousandths([point for outline in self.outlines for point in outline]))
        self.outlines = [[next(points) for _ in outline] for outline in self.outlines]
        return self


class VisionModel:
    """A vision language model for every task."""

    def __init__(self, endpoint: VisionEndpoint) -> None:
        self.endpoint = endpoint
        self.name = f"vision: {endpoint.model}"

    def classify(self, picture: Picture, labels: Sequence[str]) -> Ranking:
        """Return labels with the probabilities that the model states, the highest first."""
        question = (
            f"Which of these classes does the image show as a whole: {', '.join(labels)}? "
            "Give the five most probable with probabilities that sum to at most 1."
        )
        answer = ask(self.endpoint, question, [_shrink(picture.pixels)], SceneAnswer)
        # Without case, spaces and hyphens: StorageTanks may come back as "storage tanks".
        names = {_key(label): label for label in labels}
        ranked = [(names[_key(e.label)], e.probability) for e in answer.ranking if _key(e.label) in names]
        return sorted(ranked, key=lambda entry: -entry[1])

    def detect(self, picture: Picture, prompt: str) -> list[Detection]:
        """Return every object that the words name, tile by tile."""
        question = (
            f"Find every single instance of: {prompt!r}. Give one tight box x1, y1, x2, y2 for each, {AXES}, "
            "and how sure you are (0 to 1)."
        )
        tiles = list(picture.tiles(TILE, TILE_OVERLAP))
        found: list[Detection] = []
        for done, tile in enumerate(tiles, start=1):
            found += self._objects(tile, question, prompt)
            current_context().progress(done, len(tiles), "vision model")
        return without_doubles(found, inside=CUT) if len(tiles) > 1 else found

    def ground(self, picture: Picture, prompt: str) -> Detection | None:
        """Return the one object that the description means, from a look at the whole picture."""
        question = (
            f"Find the one object that this describes: {prompt!r}. North is at the top. Give its tight box "
            f"x1, y1, x2, y2, {AXES}, and how sure you are (0 to 1). Give no other object."
        )
        found = self._objects(Tile(0, 0, picture.pixels), question, prompt)
        return max(found, key=lambda d: d.confidence or 0.0, default=None)

    def segment(self, picture: Picture, boxes: Sequence[Box]) -> Mask:
        """Return the pixels inside the outlines of the objects in the boxes."""
        question = (
            f"Draw the outline of the one object in the middle of the image as points x, y, {AXES}; "
            "follow its edge closely."
        )
        mask = np.zeros(picture.shape, dtype=bool)
        for box in boxes:
            rows, columns = _around(box, picture.shape)
            drawn = self._outlines(picture.pixels[rows, columns], question)
            # The model is shown a margin around the object, but what it draws there belongs to others.
            mask[rows, columns] |= drawn & _inside(box, rows, columns)
        return mask

    def changes(self, before: Picture, after: Picture) -> Mask:
        """Return the pixels inside the outlines of buildings that changed."""
        question = (
            "The first image was taken before an event, the second after it, of the same ground. Outline in "
            "the second every building that was damaged, destroyed, removed or newly built."
        )
        return self._draw_mask(question, before, after)

    def buildings(self, picture: Picture) -> Mask:
        """Return the pixels inside the outlines of buildings."""
        return self._draw_mask("Outline every building.", picture)

    def _objects(self, tile: Tile, question: str, label: str) -> list[Detection]:
        answer = ask(self.endpoint, question, [_shrink(tile.pixels)], ObjectsAnswer)
        rows, columns = tile.pixels.shape[:2]
        found = []
        for entry in answer.objects:
            # Sorted, since models give the corners in either order.
            x1, x2 = sorted(tile.x + value / WHOLE * columns for value in entry.box[::2])
            y1, y2 = sorted(tile.y + value / WHOLE * rows for value in entry.box[1::2])
            found.append(Detection((x1, y1, x2, y2), label, entry.confidence))
        return found

    def _draw_mask(self, question: str, *pictures: Picture) -> Mask:
        question += f" Give points x, y, {AXES}."
        mask = np.zeros(pictures[0].shape, dtype=bool)
        tiles = list(zip(*(picture.tiles(TILE, 0) for picture in pictures), strict=True))
        for done, together in enumerate(tiles, start=1):
            first = together[0]
            rows, columns = first.pixels.shape[:2]
            drawn = self._outlines(first.pixels, question, *(tile.pixels for tile in together[1:]))
            mask[first.y : first.y + rows, first.x : first.x + columns] |= drawn
            current_context().progress(done, len(tiles), "vision model")
        return mask

    def _outlines(self, pixels: Pixels, question: str, *more: Pixels) -> Mask:
        from skimage.draw import polygon2mask

        answer = ask(self.endpoint, question, [_shrink(p) for p in (pixels, *more)], OutlinesAnswer)
        shape = pixels.shape[:2]
        mask = np.zeros(shape, dtype=bool)
        for outline in answer.outlines:
            # A line has no inside.
            if len(outline) >= 3:
                mask |= polygon2mask(shape, np.array([[y, x] for x, y in outline]) / WHOLE * shape)
        return mask


def offer(tool: str, task: Task, subject: str, forced: bool) -> Any | None:
    """Return the vision model where one is configured."""
    endpoint = current_vision()
    return VisionModel(endpoint) if endpoint is not None else None


def how_to_get(tool: str, task: Task) -> str:
    """Return which settings name a vision model."""
    return f"Set {VISION_MODEL} to a model that sees, and {URL} or {KEY} to where it is asked."


def _shrink(pixels: Pixels) -> Pixels:
    factor = TILE / max(pixels.shape[:2])
    if factor >= 1:
        return pixels
    rows, columns = (max(1, round(length * factor)) for length in pixels.shape[:2])
    return np.asarray(Image.fromarray(pixels).resize((columns, rows), Image.Resampling.BILINEAR))


def _around(box: Box, shape: tuple[int, int]) -> tuple[slice, slice]:
    x1, y1, x2, y2 = box
    across, down = MARGIN * (x2 - x1), MARGIN * (y2 - y1)
    rows = slice(max(0, int(y1 - down)), min(shape[0], int(np.ceil(y2 + down))))
    return rows, slice(max(0, int(x1 - across)), min(shape[1], int(np.ceil(x2 + across))))


def _inside(box: Box, rows: slice, columns: slice) -> Mask:
    y = np.arange(rows.start, rows.stop)[:, np.newaxis] + 0.5
    x = np.arange(columns.start, columns.stop)[np.newaxis] + 0.5
    return (x > box[0]) & (x < box[2]) & (y > box[1]) & (y < box[3])


def _key(label: str) -> str:
    return "".join(label.casefold().split()).replace("-", "").replace("_", "")
