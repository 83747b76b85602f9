"""Objects in pictures: found, grounded in words, counted.

The plain answers are boxes x1, y1, x2, y2 in pixels, or a number, so that other tools take them; with
``details`` each object comes with its bounds on the map, its confidence and who found it.
"""

from __future__ import annotations

from typing import Annotated, Any

from toolkit.context import current_context
from toolkit.errors import InputError
from toolkit.perception.backends import Choice
from toolkit.perception.backends import backend as backend_of
from toolkit.perception.kit import PERCEPTION
from toolkit.perception.picture import Picture, picture
from toolkit.perception.tasks import Detection, Detector, Grounder
from toolkit.tool import Gives, Reads, tool

Numbers = list[float]
Table = dict[str, Any]

ALIASES = {"image_path": "input_image_path"}
DIFFERENCE = (
    "None in formula: the benchmark looked answers up in a table of stored ones, whatever the prompt; here a "
    "model or a named classical method looks at the image."
)


@tool(
    kit=PERCEPTION,
    source="Yuan et al. 2025, arXiv:2501.03775 (Strip R-CNN).",
    gives=Gives("boxes", "objects", "px"),
    difference=DIFFERENCE,
    parameter_aliases=ALIASES,
)
def Strip_R_CNN(
    input_image_path: Annotated[str, Reads()],
    text_prompt: str,
    backend: Choice = "auto",
    details: bool = False,
) -> list[Numbers] | Table:
    """Boxes of all objects of a kind; for long thin ones such as ships, bridges and runways.

    Parameters
    ----------
    input_image_path : str
        Colour image or raster.
    text_prompt : str
        Kind of object, such as ``ship``.
    backend : str
        ``auto``: the weights ``Strip_R_CNN.onnx`` where they are, else a vision language model where
        one is set; bright or dark blobs classically where no more is asked for. Or one of ``onnx``,
        ``vision``, ``classical``.
    details : bool
        Return a table with bounds on the map, confidence and backend instead.

    Returns
    -------
    list of list of float, or dict
        Boxes x1, y1, x2, y2 in pixels, the surest first; empty where there is none. With ``details``
        a dict of ``objects`` (``box``, ``map_bounds`` left, bottom, right, top in the CRS or null,
        ``label``, ``confidence``), ``crs`` and ``backend``.
    """
    return _all_objects("Strip_R_CNN", input_image_path, text_prompt, backend, details)


@tool(
    kit=PERCEPTION,
    source="Li et al. 2024, arXiv:2412.20665 (SM3Det).",
    gives=Gives("boxes", "objects", "px"),
    difference=DIFFERENCE,
    parameter_aliases=ALIASES,
)
def SM3Det(
    input_image_path: Annotated[str, Reads()],
    text_prompt: str,
    backend: Choice = "auto",
    details: bool = False,
) -> list[Numbers] | Table:
    """Boxes of all objects of a kind (planes, ships, harbours, tennis courts ...) in optical or radar images.

    Parameters
    ----------
    input_image_path : str
        Colour image or raster.
    text_prompt : str
        Kind of object, such as ``tennis court``.
    backend : str
        ``auto``: the weights ``SM3Det.onnx`` where they are, else a vision language model where one
        is set; bright or dark blobs classically where no more is asked for. Or one of ``onnx``,
        ``vision``, ``classical``.
    details : bool
        Return a table with bounds on the map, confidence and backend instead.

    Returns
    -------
    list of list of float, or dict
        Boxes x1, y1, x2, y2 in pixels, the surest first; empty where there is none. With ``details``
        a dict of ``objects`` (``box``, ``map_bounds`` left, bottom, right, top in the CRS or null,
        ``label``, ``confidence``), ``crs`` and ``backend``.
    """
    return _all_objects("SM3Det", input_image_path, text_prompt, backend, details)


@tool(
    kit=PERCEPTION,
    source="Yao et al. 2025, arXiv:2505.18022 (RemoteSAM).",
    gives=Gives("boxes", "object", "px"),
    difference=DIFFERENCE,
    parameter_aliases=ALIASES,
)
def RemoteSAM(
    input_image_path: Annotated[str, Reads()],
    text_prompt: str,
    backend: Choice = "auto",
    details: bool = False,
) -> Numbers | Table:
    """Box of the one object that a description means (visual grounding).

    Parameters
    ----------
    input_image_path : str
        Colour image or raster.
    text_prompt : str
        Description, such as ``the largest storage tank on the northernmost side``.
    backend : str
        ``auto``: the weights ``RemoteSAM.onnx`` where they are, else a vision language model where
        one is set; bright or dark blobs classically where no more is asked for. Or one of ``onnx``,
        ``vision``, ``classical``.
    details : bool
        Return a table with bounds on the map, confidence and backend instead.

    Returns
    -------
    list of float, or dict
        x1, y1, x2, y2 in pixels; empty where there is no such object. With ``details`` a dict of
        ``objects`` (``box``, ``map_bounds`` left, bottom, right, top in the CRS or null, ``label``,
        ``confidence``), ``crs`` and ``backend``.
    """
    prompt = _asked(text_prompt)
    image = picture(input_image_path)
    grounder: Grounder = backend_of("RemoteSAM", "grounding", backend, _subject(image, prompt))
    found = grounder.ground(image, prompt)
    if found is None:
        current_context().warn(f"{grounder.name} sees nothing that is meant by {prompt!r}.")
    if details:
        return _table(image, [found] if found else [], grounder.name)
    _tell(grounder.name)
    return list(found.box) if found else []


@tool(
    kit=PERCEPTION,
    source="Zheng et al. 2025, arXiv:2505.15818 (InstructSAM).",
    gives=Gives("number", "count_objects"),
    difference=DIFFERENCE,
    parameter_aliases=ALIASES,
)
def InstructSAM(
    input_image_path: Annotated[str, Reads()],
    text_prompt: str,
    backend: Choice = "auto",
    details: bool = False,
) -> int | Table:
    """Number of objects of a kind in an image.

    Parameters
    ----------
    input_image_path : str
        Colour image or raster, or a mask whose components are the objects.
    text_prompt : str
        Kind of object, such as ``storage tank``.
    backend : str
        ``auto``: the weights ``InstructSAM.onnx`` where they are, else a vision language model where
        one is set; the components of a mask, bright or dark blobs classically where no more is asked
        for. Or one of ``onnx``, ``vision``, ``classical``.
    details : bool
        Return a table of the objects that were counted instead.

    Returns
    -------
    int, or dict
        The number. With ``details`` a dict of ``count``, ``objects`` (``box``, ``map_bounds`` left,
        bottom, right, top in the CRS or null, ``label``, ``confidence``), ``crs`` and ``backend``.
    """
    image, found, name = _detected("InstructSAM", input_image_path, text_prompt, backend)
    if details:
        return {"count": len(found), **_table(image, found, name)}
    _tell(name)
    return len(found)


def _all_objects(
    name: str, address: str, text_prompt: str, choice: Choice, details: bool
) -> list[Numbers] | Table:
    image, found, backend_name = _detected(name, address, text_prompt, choice)
    if details:
        return _table(image, found, backend_name)
    _tell(backend_name)
    return [list(detection.box) for detection in found]


def _detected(
    name: str, address: str, text_prompt: str, choice: Choice
) -> tuple[Picture, list[Detection], str]:
    prompt = _asked(text_prompt)
    image = picture(address)
    detector: Detector = backend_of(name, "detection", choice, _subject(image, prompt))
    found = sorted(detector.detect(image, prompt), key=lambda d: -(d.confidence or 0.0))
    return image, found, detector.name


def _subject(image: Picture, prompt: str) -> str:
    # In a mask the objects are marked already, whatever they are called.
    return f"components ({prompt})" if image.is_mask else prompt


def _asked(text_prompt: str) -> str:
    prompt = " ".join(text_prompt.split())
    if not prompt:
        raise InputError("The argument 'text_prompt' is empty.", "Name the kind of object, such as 'ship'.")
    return prompt


def _tell(name: str) -> None:
    current_context().warn(f"Found by the backend {name}.")


def _table(image: Picture, found: list[Detection], name: str) -> Table:
    objects = [
        {
            "box": list(detection.box),
            "map_bounds": image.on_map(detection.box),
            "label": detection.label,
            "confidence": detection.confidence,
        }
        for detection in found
    ]
    return {"objects": objects, "crs": image.grid.crs, "backend": name}
