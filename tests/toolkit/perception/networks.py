"""Tiny ONNX networks whose answers can be told from their input by eye."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

FLOAT = TensorProto.FLOAT
IMAGE = ("image", FLOAT, [1, 3, "rows", "columns"])


def constant(name: str, values: Any, kind: str = "int64") -> Any:
    return numpy_helper.from_array(np.array(values, dtype=kind), name)


def write(
    path: Path,
    inputs: Sequence[tuple],
    outputs: Sequence[tuple],
    nodes: Sequence[Any],
    settings: Mapping[str, Any],
    constants: Sequence[Any] = (),
) -> Path:
    """Write a network and the file of settings beside it."""
    infos = [[helper.make_tensor_value_info(*one) for one in several] for several in (inputs, outputs)]
    graph = helper.make_graph(list(nodes), "tiny", *infos, initializer=list(constants))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    checker.check_model(model)
    save(model, str(path))
    path.with_suffix(".json").write_text(json.dumps(settings))
    return path


def colour_classifier(path: Path, **settings: Any) -> Path:
    """Logits are the mean red, green and blue."""
    nodes = [
        helper.make_node("GlobalAveragePool", ["image"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["scores"]),
    ]
    return write(path, [IMAGE], [("scores", FLOAT, [1, 3])], nodes, settings)


def byte_classifier(path: Path, **settings: Any) -> Path:
    """Logits are the mean red, green and blue of bytes whose channels come last, over 255."""
    image = ("image", TensorProto.UINT8, [1, "rows", "columns", 3])
    nodes = [
        helper.make_node("Cast", ["image"], ["numbers"], to=FLOAT),
        helper.make_node("ReduceMean", ["numbers", "sides"], ["mean"], keepdims=0),
        helper.make_node("Div", ["mean", "most"], ["scores"]),
    ]
    constants = [constant("sides", [1, 2]), constant("most", 255, "float32")]
    return write(path, [image], [("scores", FLOAT, [1, 3])], nodes, settings, constants)


def spot_detector(path: Path, **settings: Any) -> Path:
    """A box of 4 x 3 pixels from the brightest pixel on; its score is that brightness."""
    outputs = [("boxes", FLOAT, [1, 4]), ("scores", FLOAT, [1]), ("labels", TensorProto.INT64, [1])]
    constants = [
        constant("image_axes", [0, 1, 2, 3]),
        constant("down", [0, 1, 2]),
        constant("across", [0, 1, 3]),
        constant("size", [[0, 0, 4, 3]], "float32"),
        constant("labels_", [1]),
        constant("one", [1]),
    ]
    nodes = [
        helper.make_node("ReduceMax", ["image", "down"], ["by_column"], keepdims=0),
        helper.make_node("ReduceMax", ["image", "across"], ["by_row"], keepdims=0),
        helper.make_node("ArgMax", ["by_column"], ["x"], axis=0, keepdims=1),
        helper.make_node("ArgMax", ["by_row"], ["y"], axis=0, keepdims=1),
        helper.make_node("Concat", ["x", "y", "x", "y"], ["corner"], axis=0),
        helper.make_node("Cast", ["corner"], ["corner_"], to=FLOAT),
        helper.make_node("Add", ["corner_", "size"], ["boxes"]),
        helper.make_node("ReduceMax", ["image", "image_axes"], ["peak"], keepdims=0),
        helper.make_node("Reshape", ["peak", "one"], ["scores"]),
        helper.make_node("Identity", ["labels_"], ["labels"]),
    ]
    return write(path, [IMAGE], outputs, nodes, settings, constants)


def brightness_segmenter(path: Path, *, boxes: bool, **settings: Any) -> Path:
    """Mask values are the mean of the colours; boxes, where it takes them, are added with no weight."""
    inputs = [IMAGE, ("boxes", FLOAT, [1, "n", 4])] if boxes else [IMAGE]
    constants = [constant("colours", [1]), constant("all", [0, 1, 2]), constant("none", 0, "float32")]
    nodes = [helper.make_node("ReduceMean", ["image", "colours"], ["bright"], keepdims=1)]
    if boxes:
        nodes += [
            helper.make_node("ReduceSum", ["boxes", "all"], ["sum"], keepdims=0),
            helper.make_node("Mul", ["sum", "none"], ["nothing"]),
            helper.make_node("Add", ["bright", "nothing"], ["mask"]),
        ]
    else:
        nodes.append(helper.make_node("Identity", ["bright"], ["mask"]))
    return write(path, inputs, [("mask", FLOAT, [1, 1, "r", "c"])], nodes, settings, constants)


def difference_detector(path: Path, **settings: Any) -> Path:
    """Mask values are the largest change of a colour; a second output is the brightness before."""
    inputs = [("before", *IMAGE[1:]), ("after", *IMAGE[1:])]
    outputs = [("mask", FLOAT, [1, 1, "r", "c"]), ("houses", FLOAT, [1, 1, "r2", "c2"])]
    nodes = [
        helper.make_node("Sub", ["before", "after"], ["apart"]),
        helper.make_node("Abs", ["apart"], ["size"]),
        helper.make_node("ReduceMax", ["size", "colours"], ["mask"], keepdims=1),
        helper.make_node("ReduceMean", ["before", "colours"], ["houses"], keepdims=1),
    ]
    return write(path, inputs, outputs, nodes, settings, [constant("colours", [1])])


def mean_encoder(path: Path, bands: int, batch: Any = "batch", **settings: Any) -> Path:
    """The embedding of an image is the mean of each band."""
    nodes = [
        helper.make_node("GlobalAveragePool", ["image"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["scores"]),
    ]
    image = ("image", FLOAT, [batch, bands, "rows", "columns"])
    return write(path, [image], [("scores", FLOAT, [batch, bands])], nodes, settings)
