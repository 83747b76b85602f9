"""What a picture shows as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from treeline.toolkit.errors import InputError
from treeline.toolkit.perception.backends import Choice
from treeline.toolkit.perception.backends import backend as backend_of
from treeline.toolkit.perception.kit import PERCEPTION
from treeline.toolkit.perception.picture import picture
from treeline.toolkit.perception.tasks import Ranking, SceneClassifier
from treeline.toolkit.tool import Gives, Reads, tool

# The 30 classes of AID: Xia et al. 2017, IEEE Trans. Geosci. Remote Sens. 55:3965.
AID = (
    "Airport", "BareLand", "BaseballField", "Beach", "Bridge", "Center", "Church", "Commercial",
    "DenseResidential", "Desert", "Farmland", "Forest", "Industrial", "Meadow", "MediumResidential",
    "Mountain", "Park", "Parking", "Playground", "Pond", "Port", "RailwayStation", "Resort", "River",
    "School", "SparseResidential", "Square", "Stadium", "StorageTanks", "Viaduct",
)  # fmt: skip
SHOWN = 5
DIFFERENCE = (
    "None in formula: the benchmark looked answers up in a table of stored ones; here a model or a named "
    "classical method looks at the image."
)


@tool(
    kit=PERCEPTION,
    source="Ma et al. 2025, IEEE Trans. Geosci. Remote Sens. (multiscale sparse cross-attention network); "
    "classes: Xia et al. 2017, IEEE Trans. Geosci. Remote Sens. 55:3965.",
    gives=Gives("value", "scene_class"),
    difference=DIFFERENCE,
    parameter_aliases={"image_path": "input_image_path"},
)
def MSCN(input_image_path: Annotated[str, Reads()], backend: Choice = "auto") -> dict[str, Any]:
    """Scene class of an image (airport, farmland, port, dense residential ...); needs weights.

    Parameters
    ----------
    input_image_path : str
        Colour image or raster.
    backend : str
        ``auto``: the weights ``MSCN.onnx`` where they are, else a vision language model where one is
        set, else land cover by colour and texture. Or one of ``onnx``, ``vision``, ``classical``.

    Returns
    -------
    dict
        ``predicted_class``, ``confidence`` (0 to 1; a share of the area for land cover),
        ``top5_predictions`` as pairs of class and probability, ``backend`` (who says so).
    """
    ranking, name = _rank("MSCN", input_image_path, (), backend)
    top = [[label, probability] for label, probability in ranking[:SHOWN]]
    return _answer(ranking, top, name)


@tool(
    kit=PERCEPTION,
    source="Liu et al. 2024, IEEE Trans. Geosci. Remote Sens. 62:5622216 (RemoteCLIP).",
    gives=Gives("value", "scene_class"),
    difference=DIFFERENCE,
    parameter_aliases={"image_path": "input_image_path"},
)
def RemoteCLIP(
    input_image_path: Annotated[str, Reads()], labels: list[str] | None = None, backend: Choice = "auto"
) -> dict[str, Any]:
    """Scene class of an image among labels in plain words (zero-shot); needs weights.

    Parameters
    ----------
    input_image_path : str
        Colour image or raster.
    labels : list of str, optional
        Classes to choose from; default the 30 classes of AID. Weights have their own labels, and
        land cover is classified only without them.
    backend : str
        ``auto``: the weights ``RemoteCLIP.onnx`` where they are, else a vision language model where
        one is set, else land cover by colour and texture. Or one of ``onnx``, ``vision``,
        ``classical``.

    Returns
    -------
    dict
        ``predicted_class``, ``confidence`` (0 to 1; a share of the area for land cover),
        ``top5_predictions`` as ``rank``, ``class``, ``probability``, ``backend`` (who says so).
    """
    if labels is not None and not labels:
        raise InputError("The argument 'labels' is empty.", "Name at least two classes, or leave it out.")
    ranking, name = _rank("RemoteCLIP", input_image_path, labels or (), backend)
    top = [
        {"rank": rank, "class": label, "probability": probability}
        for rank, (label, probability) in enumerate(ranking[:SHOWN], start=1)
    ]
    return _answer(ranking, top, name)


def _rank(name: str, address: str, labels: Sequence[str], choice: Choice) -> tuple[Ranking, str]:
    classifier: SceneClassifier = backend_of(name, "scene", choice, ", ".join(labels))
    ranking = classifier.classify(picture(address), labels or AID)
    if not ranking:
        raise InputError(
            f"{classifier.name} gave none of the asked classes for {address!r}.",
            "Name other classes, or another backend.",
        )
    return ranking, classifier.name


def _answer(ranking: Ranking, top: list[Any], name: str) -> dict[str, Any]:
    label, confidence = ranking[0]
    return {"predicted_class": label, "confidence": confidence, "top5_predictions": top, "backend": name}
