"""Masks of objects: those in boxes, and those that changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.perception.backends import Choice
from treeline.toolkit.perception.backends import backend as backend_of
from treeline.toolkit.perception.boxes import Boxes, as_boxes
from treeline.toolkit.perception.kit import PERCEPTION
from treeline.toolkit.perception.masks import write_mask
from treeline.toolkit.perception.picture import Box, Mask, Picture, picture, picture_pair
from treeline.toolkit.perception.tasks import BuildingMapper, ChangeDetector, Segmenter
from treeline.toolkit.raster import bands_of
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool


@tool(
    kit=PERCEPTION,
    source="Ravi et al. 2024, arXiv:2408.00714 (SAM 2).",
    gives=Gives("raster", "object_mask"),
    difference="None in formula: the benchmark named stored files and wrote none; here a model or a named "
    "classical method draws the mask.",
    parameter_aliases={"image_path": "input_image_path", "bboxes": "bbox", "save_name": "output_path"},
)
def SAM2(
    input_image_path: Annotated[str, Reads()],
    bbox: Boxes,
    output_path: Annotated[str, Writes("mask")],
    backend: Choice = "auto",
) -> str:
    """Mask of the objects in one or several boxes; by a watershed where there are no weights.

    Parameters
    ----------
    input_image_path : str
        Colour image or raster.
    bbox : list of float, or list of list of float
        One box x1, y1, x2, y2 in pixels, or several.
    output_path : str
        Where to write the mask: a GeoTIFF with 1 in the objects, 0 outside and 255 without data, or a
        PNG with 255 and 0.
    backend : str
        ``auto``: the weights ``SAM2.onnx`` where they are, else a vision language model where one is
        set, else watershed from the middle of each box. Or one of ``onnx``, ``vision``,
        ``classical``.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    boxes = as_boxes(bbox, "bbox")
    segmenter: Segmenter = backend_of("SAM2", "segmentation", backend)
    image = picture(input_image_path)
    mask = segmenter.segment(image, [_inside(tuple(box), image) for box in boxes.tolist()])
    return _write_mask(mask, image, output_path, segmenter.name)


@tool(
    kit=PERCEPTION,
    source="Zheng et al. 2021, Remote Sens. Environ. 265:112636 (ChangeOS).",
    gives=Gives("raster", "change_mask"),
    difference="None in formula: the released benchmark cannot run this tool; here a model or a named "
    "classical method draws the mask.",
)
def ChangeOS(
    pre_image_path: Annotated[str, Reads()],
    post_image_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("mask")],
    backend: Choice = "auto",
) -> str:
    """Mask of buildings changed or damaged between two images; needs weights, else any change is marked.

    Parameters
    ----------
    pre_image_path : str
        Colour image or raster before the event.
    post_image_path : str
        After it, laid onto the first by its georeference; the same file again asks for the buildings.
    output_path : str
        Where to write the mask: a GeoTIFF with 1 where it changed, 0 elsewhere and 255 without data,
        or a PNG with 255 and 0.
    backend : str
        ``auto``: the weights ``ChangeOS.onnx`` where they are, else a vision language model where one
        is set, else change of any kind by IR-MAD (not for buildings of one image). Or one of
        ``onnx``, ``vision``, ``classical``.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    if _one_file(pre_image_path, post_image_path):
        mapper: BuildingMapper = backend_of("ChangeOS", "buildings", backend, "the buildings of one image")
        image = picture(pre_image_path)
        return _write_mask(mapper.buildings(image), image, output_path, mapper.name)
    detector: ChangeDetector = backend_of("ChangeOS", "change", backend)
    before, after = picture_pair(pre_image_path, post_image_path)
    return _write_mask(detector.changes(before, after), before, output_path, detector.name)


def _write_mask(mask: Mask, image: Picture, output_path: str, name: str) -> str:
    current_context().warn(f"Drawn by the backend {name}.")
    if not mask.any():
        current_context().warn(f"The mask {Path(output_path).name} is empty.")
    return report_saved(write_mask(mask, image, output_path, name))


def _inside(box: tuple[float, ...], image: Picture) -> Box:
    rows, columns = image.shape
    x1, y1, x2, y2 = max(0.0, box[0]), max(0.0, box[1]), min(columns, box[2]), min(rows, box[3])
    if x2 - x1 < 1 or y2 - y1 < 1:
        raise InputError(
            f"bbox: the box {[round(value, 2) for value in box]} is outside the image "
            f"({columns} x {rows} pixels).",
            "Boxes are x1, y1, x2, y2 in pixels, y downwards.",
        )
    return x1, y1, float(x2), float(y2)


def _one_file(first: str, second: str) -> bool:
    one, other = bands_of(first)[0], bands_of(second)[0]
    return one.path.resolve() == other.path.resolve() and one.band.index == other.band.index
