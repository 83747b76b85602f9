"""Backends that run weights of the user.

The weights of the tool ``MSCN`` are ``$TREELINE_WEIGHTS/MSCN.onnx``, with ``MSCN.json`` beside them; see
:class:`treeline.toolkit.perception.backends.settings.NetworkSettings`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.perception.backends.labels import find_labels
from treeline.toolkit.perception.backends.network import Network, Outputs, pad_pixels, resize_pixels
from treeline.toolkit.perception.picture import Box, Picture, Tile
from treeline.toolkit.perception.tasks import (
    CUT,
    Detection,
    Mask,
    Ranking,
    Task,
    choose_detection,
    without_doubles,
)

FOLDER = "TREELINE_WEIGHTS"
TILE = (1024, 1024)
TILE_OVERLAP = 0.2


class _OfWeights:
    def __init__(self, network: Network) -> None:
        self.network = network
        self.settings = network.settings
        self.name = f"onnx: {network.weights.name}"

    @property
    def size(self) -> tuple[int, int]:
        return self.settings.input_size or TILE


class SceneNetwork(_OfWeights):
    """A classifier, or an image encoder with the embeddings of its labels."""

    def classify(self, picture: Picture, labels: Sequence[str]) -> Ranking:
        """Return the network's labels with probabilities, the highest first.

        Raises
        ------
        InputError
            The settings name more or fewer labels than the network has classes.
        """
        pixels = resize_pixels(picture.pixels, self.settings.input_size)
        outputs = self.network.run({"image": self.network.prepare(pixels)})
        found = self.network.output(outputs, "scores").astype(np.float64).ravel()
        with self.network.check_outputs():
            probabilities = _PROBABILITIES.get(self.settings.output, _softmax)(found, self)
        if len(self.settings.labels) != len(probabilities):
            raise InputError(
                f"{self.network.weights.name} gives {len(probabilities)} classes, but its JSON file names "
                f"{len(self.settings.labels)} labels.",
                "List the labels in the order of the output.",
            )
        order = np.argsort(-probabilities, kind="stable")
        return [(self.settings.labels[i], float(probabilities[i])) for i in order]

    def embeddings(self) -> NDArray[np.float64]:
        """Return the embeddings of the labels, of length 1.

        Raises
        ------
        InputError
            There is no file of them.
        """
        name = self.settings.label_embeddings or ""
        path = self.network.weights.parent / Path(name).name
        if not name or not path.is_file():
            raise InputError(
                f"{self.network.weights.name} gives embeddings, but those of the labels are missing.",
                "Name a .npy file beside it as 'label_embeddings'.",
            )
        return _unit(np.load(path, allow_pickle=False).astype(np.float64))


class DetectionNetwork(_OfWeights):
    """A detector over tiles; it grounds a description by its words of place and size."""

    def detect(self, picture: Picture, prompt: str) -> list[Detection]:
        """Return the objects of the labels that the words name."""
        wanted = set(find_labels(prompt, self.settings.labels, self.network.weights.name))
        size = self.size
        tiles = list(picture.tiles(min(size), int(TILE_OVERLAP * min(size))))
        found: list[Detection] = []
        for done, tile in enumerate(tiles, start=1):
            current_context().check_stop()
            found += [d for d in self._of_tile(tile) if d.label in wanted]
            current_context().progress(done, len(tiles), self.name)
        return without_doubles(found, self.settings.overlap, CUT if len(tiles) > 1 else None)

    def ground(self, picture: Picture, prompt: str) -> Detection | None:
        """Return the object that the description means."""
        return choose_detection(self.detect(picture, prompt), prompt)

    def _of_tile(self, tile: Tile) -> list[Detection]:
        pixels = pad_pixels(tile.pixels, self.settings.input_size and self.size)
        outputs = self.network.run({"image": self.network.prepare(pixels)})
        with self.network.check_outputs():
            boxes, scores, classes = self._read(outputs)
            if not len(boxes) == len(scores) == len(classes):
                raise ValueError(f"{len(boxes)} boxes, {len(scores)} scores, {len(classes)} labels")
        # Normalised boxes are shares of the padded tile, which is what the network saw.
        boxes = self._in_pixels(boxes, pixels.shape[:2]) + np.array([tile.x, tile.y, tile.x, tile.y])
        chosen = np.flatnonzero(scores >= self.settings.score_threshold)
        left, top = float(tile.x), float(tile.y)
        # Cut at the tile: beyond it lies only padding.
        right, bottom = left + tile.pixels.shape[1], top + tile.pixels.shape[0]
        return [
            Detection(
                (max(left, x1), max(top, y1), min(right, x2), min(bottom, y2)),
                self._label(int(classes[i])),
                float(scores[i]),
            )
            for i, (x1, y1, x2, y2) in ((i, map(float, boxes[i])) for i in chosen)
            if min(right, x2) > max(left, x1) and min(bottom, y2) > max(top, y1)
        ]

    def _read(self, outputs: Outputs) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        if self.settings.output == "rows":
            # (n, 6): four numbers of the box, then score and class.
            rows = self.network.output(outputs, "boxes").reshape(-1, 6)
            return rows[:, :4], rows[:, 4], rows[:, 5]
        boxes, scores, classes = (
            self.network.output(outputs, meaning, index)
            for index, meaning in enumerate(("boxes", "scores", "labels"))
        )
        return boxes.reshape(-1, 4), scores.ravel(), classes.ravel()

    def _in_pixels(self, boxes: NDArray[Any], shape: tuple[int, int]) -> NDArray[np.float64]:
        a, b, c, d = boxes.astype(np.float64).T
        corners = {
            "xyxy": (a, b, c, d),
            "xywh": (a, b, a + c, b + d),
            "cxcywh": (a - c / 2, b - d / 2, a + c / 2, b + d / 2),
        }[self.settings.box_format]
        rows, columns = shape
        factor = (columns, rows, columns, rows) if self.settings.normalised else (1, 1, 1, 1)
        return np.stack(corners, axis=1) * np.array(factor)

    def _label(self, number: int) -> str:
        labels = self.settings.labels
        # A class without a name keeps its number, so that no word of a user means it by accident.
        return labels[number] if 0 <= number < len(labels) else str(number)


class SegmentationNetwork(_OfWeights):
    """A network that takes a picture and boxes, or the part of a picture in a box."""

    def segment(self, picture: Picture, boxes: Sequence[Box]) -> Mask:
        """Return the pixels of the objects in the boxes."""
        mask = np.zeros(picture.shape, dtype=bool)
        for box in boxes:
            current_context().check_stop()
            rows, columns = _slices(box)
            mask[rows, columns] |= self._in_box(picture, box, rows, columns)
        return mask

    def _in_box(self, picture: Picture, box: Box, rows: slice, columns: slice) -> Mask:
        if len(self.network.input_names) == 1:
            return self._mask(picture.pixels[rows, columns], {})
        height, width = self.settings.input_size or picture.shape
        factor = np.array([width / picture.shape[1], height / picture.shape[0]] * 2)
        # (batch, boxes, corners), in pixels of the picture as the network gets it.
        prompt = (np.array(box) * factor).astype(np.float32).reshape(1, 1, 4)
        return self._mask(picture.pixels, {"boxes": prompt})[rows, columns]

    def _mask(self, pixels: NDArray[np.uint8], more: Mapping[str, NDArray[Any]]) -> Mask:
        image = self.network.prepare(resize_pixels(pixels, self.settings.input_size))
        outputs = self.network.run({"image": image, **more})
        return _as_mask(self.network.output(outputs, "mask"), self, pixels.shape[:2])


class ChangeNetwork(_OfWeights):
    """A network that takes two pictures; of one picture taken twice it draws the buildings."""

    def changes(self, before: Picture, after: Picture) -> Mask:
        """Return the pixels that changed."""
        return self._by_tiles(before, after, "mask")

    def buildings(self, picture: Picture) -> Mask:
        """Return the pixels of buildings, from the output that the settings name for them.

        Raises
        ------
        InputError
            They name none.
        """
        if "buildings" not in self.settings.outputs:
            raise InputError(
                f"{self.network.weights.name} names no output for the buildings of one picture.",
                "Name it in its JSON file: outputs.buildings.",
            )
        return self._by_tiles(picture, picture, "buildings")

    def _by_tiles(self, before: Picture, after: Picture, meaning: str) -> Mask:
        mask = np.zeros(before.shape, dtype=bool)
        pairs = zip(before.tiles(min(self.size), 0), after.tiles(min(self.size), 0), strict=True)
        for first, second in pairs:
            current_context().check_stop()
            rows, columns = first.pixels.shape[:2]
            found = self._of_pair(first, second, meaning)[:rows, :columns]
            mask[first.y : first.y + rows, first.x : first.x + columns] |= found
        return mask

    def _of_pair(self, first: Tile, second: Tile, meaning: str) -> Mask:
        wanted = self.settings.input_size
        arrays = [self.network.prepare(pad_pixels(tile.pixels, wanted)) for tile in (first, second)]
        shape = wanted or first.pixels.shape[:2]
        # A network of one input takes both pictures as six channels.
        if len(self.network.input_names) == 1:
            axis = 1 if self.settings.axes == "nchw" else 3
            outputs = self.network.run({"image": np.concatenate(arrays, axis=axis)})
        else:
            outputs = self.network.run({"before": arrays[0], "after": arrays[1]})
        return _as_mask(self.network.output(outputs, meaning), self, shape)


_BY_TASK: Mapping[Task, type[_OfWeights]] = {
    "scene": SceneNetwork,
    "detection": DetectionNetwork,
    "grounding": DetectionNetwork,
    "segmentation": SegmentationNetwork,
    "change": ChangeNetwork,
    "buildings": ChangeNetwork,
}


def offer(tool: str, task: Task, subject: str, forced: bool) -> Any | None:
    """Return the backend of a tool whose weights are there."""
    weights = weights_of(tool)
    return _BY_TASK[task](Network(weights)) if weights is not None and weights.is_file() else None


def how_to_get(tool: str, task: Task) -> str:
    """Return where the weights belong."""
    weights = weights_of(tool)
    if weights is None:
        return f"Set {FOLDER} to a folder with {tool}.onnx and {tool}.json."
    return f"Put {tool}.onnx and {tool}.json into {weights.parent} ({FOLDER})."


def weights_of(tool: str) -> Path | None:
    """Return where the weights of a tool belong; ``None`` without a folder of weights."""
    folder = os.environ.get(FOLDER)
    return Path(folder).expanduser() / f"{tool}.onnx" if folder else None


def _softmax(values: NDArray[np.float64], backend: Any) -> NDArray[np.float64]:
    # Less the largest value, which changes no share and keeps the powers finite.
    powers = np.exp(values - values.max())
    return powers / powers.sum()


def _similar(values: NDArray[np.float64], backend: Any) -> NDArray[np.float64]:
    return _softmax(backend.embeddings() @ _unit(values) * backend.settings.temperature, backend)


_PROBABILITIES: Mapping[str, Callable[[NDArray[np.float64], Any], NDArray[np.float64]]] = {
    "probabilities": lambda values, backend: values,
    "embedding": _similar,
}


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def _as_mask(output: NDArray[Any], backend: _OfWeights, shape: tuple[int, int]) -> Mask:
    with backend.network.check_outputs():
        if output.ndim < 2:
            raise ValueError(f"{output.ndim} dimensions")
        # Leading axes of 1, such as the batch, differ from export to export: (layers, rows, columns).
        layers = output.reshape(-1, *output.shape[-2:])
    if backend.settings.output == "classes":
        mask = np.isin(layers.argmax(axis=0), backend.settings.object_classes)
    else:
        mask = layers[0] > backend.settings.mask_threshold
    return resize_pixels(mask.astype(np.uint8) * 255, shape) > 127


def _slices(box: Box) -> tuple[slice, slice]:
    x1, y1, x2, y2 = box
    return slice(int(y1), int(np.ceil(y2))), slice(int(x1), int(np.ceil(x2)))
