"""Objects in pictures: found, grounded in words, counted.

The plain answers are boxes x1, y1, x2, y2 in pixels, or a number, so that other tools take them; with
``details`` each object comes with its bounds on the map, its confidence and who found it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.perception.backends import Choice
from treeline.toolkit.perception.backends import backend as backend_of
from treeline.toolkit.perception.kit import PERCEPTION
from treeline.toolkit.perception.picture import Picture, picture
from treeline.toolkit.perception.tasks import Detection, Detector, Grounder
from treeline.toolkit.table_functions import Argument, Text, make_function
from treeline.toolkit.tool import Gives, Reads, tool

Numbers = list[float]
Table = dict[str, Any]

ALIASES = {"image_path": "input_image_path"}
DIFFERENCE = (
    "None in formula: the benchmark looked answers up in a table of stored ones, whatever the prompt; here a "
    "model or a named classical method looks at the image."
)


PICTURE = "Colour image or raster."
BLOBS = "bright or dark blobs classically where no more is asked for"
BOXES = (
    "Boxes x1, y1, x2, y2 in pixels, the surest first; empty where there is none. With ``details`` a dict of "
)
BOX = "x1, y1, x2, y2 in pixels; empty where there is no such object. With ``details`` a dict of "
OBJECTS = (
    "``objects`` (``box``, ``map_bounds`` left, bottom, right, top in the CRS or null, ``label``, "
    "``confidence``), ``crs`` and ``backend``."
)


@dataclass(frozen=True, slots=True)
class DetectionTool:
    """A tool that looks for objects in one picture.

    Attributes
    ----------
    prompt, image, classical, detailed : str
        What the arguments ``text_prompt`` and ``input_image_path`` are, what is done without a model, and
        what ``details`` changes.
    run : callable
        Takes the name of the tool, the address, the prompt, the backend and whether details are wanted.
    """

    name: str
    brief: str
    source: str
    prompt: str
    gives: Gives
    run: Callable[..., Any]
    returned_type: str
    returns: str
    image: str = PICTURE
    classical: str = BLOBS
    detailed: str = "Return a table with bounds on the map, confidence and backend instead."


def _arguments(row: DetectionTool) -> tuple[Argument, ...]:
    backend = (
        f"``auto``: the weights ``{row.name}.onnx`` where they are, else a vision language model where one "
        f"is set; {row.classical}. Or one of ``onnx``, ``vision``, ``classical``."
    )
    return (
        Argument("input_image_path", Annotated[str, Reads()], "str", row.image),
        Argument("text_prompt", str, "str", row.prompt),
        Argument("backend", Choice, "str", backend, "auto"),
        Argument("details", bool, "bool", row.detailed, False),
    )


def _add(row: DetectionTool) -> None:
    register = tool(
        kit=PERCEPTION,
        source=row.source,
        gives=row.gives,
        difference=DIFFERENCE,
        parameter_aliases=ALIASES,
    )
    text = Text(row.brief, row.returns, row.returned_type)
    register(make_function(row.name, _arguments(row), text, partial(row.run, row.name), __name__))


def _ground(
    name: str, input_image_path: str, text_prompt: str, backend: Choice, details: bool
) -> Numbers | Table:
    prompt = _require_prompt(text_prompt)
    image = picture(input_image_path)
    grounder: Grounder = backend_of(name, "grounding", backend, _subject(image, prompt))
    found = grounder.ground(image, prompt)
    if found is None:
        current_context().warn(f"{grounder.name} sees nothing that is meant by {prompt!r}.")
    if details:
        return _table(image, [found] if found else [], grounder.name)
    _tell(grounder.name)
    return list(found.box) if found else []


def _count(name: str, input_image_path: str, text_prompt: str, backend: Choice, details: bool) -> int | Table:
    image, found, backend_name = _detect(name, input_image_path, text_prompt, backend)
    if details:
        return {"count": len(found), **_table(image, found, backend_name)}
    _tell(backend_name)
    return len(found)


def _all_objects(
    name: str, input_image_path: str, text_prompt: str, backend: Choice, details: bool
) -> list[Numbers] | Table:
    image, found, backend_name = _detect(name, input_image_path, text_prompt, backend)
    if details:
        return _table(image, found, backend_name)
    _tell(backend_name)
    return [list(detection.box) for detection in found]


def _detect(
    name: str, address: str, text_prompt: str, choice: Choice
) -> tuple[Picture, list[Detection], str]:
    prompt = _require_prompt(text_prompt)
    image = picture(address)
    detector: Detector = backend_of(name, "detection", choice, _subject(image, prompt))
    # Classical methods give no confidence: their order stays, for the sort is stable.
    found = sorted(detector.detect(image, prompt), key=lambda d: -(d.confidence or 0.0))
    return image, found, detector.name


def _subject(image: Picture, prompt: str) -> str:
    # In a mask the objects are marked already, whatever they are called.
    return f"components ({prompt})" if image.is_mask else prompt


def _require_prompt(text_prompt: str) -> str:
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


TOOLS = (
    DetectionTool(
        "Strip_R_CNN",
        "Boxes of all objects of a kind; for long thin ones (ships, bridges, runways); needs weights.",
        "Yuan et al. 2025, arXiv:2501.03775 (Strip R-CNN).",
        "Kind of object, such as ``ship``.",
        Gives("boxes", "objects", "px"),
        _all_objects,
        "list of list of float, or dict",
        BOXES + OBJECTS,
    ),
    DetectionTool(
        "SM3Det",
        "Boxes of all objects of a kind (planes, ships, harbours, tennis courts ...) in optical or "
        "radar images; needs weights.",
        "Li et al. 2024, arXiv:2412.20665 (SM3Det).",
        "Kind of object, such as ``tennis court``.",
        Gives("boxes", "objects", "px"),
        _all_objects,
        "list of list of float, or dict",
        BOXES + OBJECTS,
    ),
    DetectionTool(
        "RemoteSAM",
        "Box of the one object that a description means (visual grounding); needs weights.",
        "Yao et al. 2025, arXiv:2505.18022 (RemoteSAM).",
        "Description, such as ``the largest storage tank on the northernmost side``.",
        Gives("boxes", "object", "px"),
        _ground,
        "list of float, or dict",
        BOX + OBJECTS,
    ),
    DetectionTool(
        "InstructSAM",
        "Number of objects of a kind in an image; needs weights.",
        "Zheng et al. 2025, arXiv:2505.15818 (InstructSAM).",
        "Kind of object, such as ``storage tank``.",
        Gives("number", "count_objects", "1"),
        _count,
        "int, or dict",
        "The number. With ``details`` a dict of ``count``, " + OBJECTS,
        image="Colour image or raster, or a mask whose components are the objects.",
        classical="the components of a mask, " + BLOBS,
        detailed="Return a table of the objects that were counted instead.",
    ),
)

for _row in TOOLS:
    _add(_row)
