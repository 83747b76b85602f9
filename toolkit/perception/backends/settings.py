"""The file beside ONNX weights that says what the network expects and gives."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treeline.toolkit.errors import InputError

Side = Annotated[int, Field(gt=0)]
Spread = Annotated[float, Field(gt=0)]


class NetworkSettings(BaseModel):
    """The contents of ``<tool>.json`` beside ``<tool>.onnx``.

    Attributes
    ----------
    labels : list of str
        Classes in the order of the network's output.
    input_size : (int, int), optional
        Rows and columns that the network takes; ``None`` takes any.
    mean, std : three floats
        Subtracted from and divided by, after the bytes were divided by ``divisor``; networks that take
        whole numbers get the bytes as they are.
    divisor : float
        255 makes 0 to 1 of bytes.
    channels, axes : str
        ``rgb`` or ``bgr``; ``nchw`` or ``nhwc``.
    inputs, outputs : dict
        Names of the network's inputs (``image``, ``before``, ``after``, ``boxes``) and outputs
        (``scores``, ``boxes``, ``labels``, ``mask``, ``buildings``); what is not named is taken in the
        network's order.
    output : str
        ``probabilities``, ``logits`` or ``embedding`` (scenes); ``boxes_scores_labels`` or ``rows`` of
        x1, y1, x2, y2, score, class (detection); ``mask`` (one layer, above ``mask_threshold``) or
        ``classes`` (a layer per class; those in ``object_classes`` count).
    box_format : str
        ``xyxy``, ``xywh`` or ``cxcywh``.
    normalised : bool
        Boxes are shares of the input's size instead of pixels.
    score_threshold, overlap : float
        Least score of a detection; intersection over union from which two are one.
    label_embeddings : str, optional
        For ``embedding``: name of a ``.npy`` file beside the weights, one row per label.
    temperature : float
        Factor on cosine similarities before the softmax.
    band_mean, band_std : list of float
        For encoders of chips, which take physical values: subtracted from and divided by, one for each band.
    """

    model_config = ConfigDict(extra="forbid", defer_build=True)

    labels: list[str] = []
    input_size: tuple[Side, Side] | None = None
    mean: tuple[float, float, float] = (0.0, 0.0, 0.0)
    std: tuple[Spread, Spread, Spread] = (1.0, 1.0, 1.0)
    divisor: float = Field(255.0, gt=0)
    channels: Literal["rgb", "bgr"] = "rgb"
    axes: Literal["nchw", "nhwc"] = "nchw"
    inputs: dict[Literal["image", "before", "after", "boxes"], str] = {}
    outputs: dict[Literal["scores", "boxes", "labels", "mask", "buildings"], str] = {}
    output: Literal[
        "probabilities", "logits", "embedding", "boxes_scores_labels", "rows", "mask", "classes"
    ] = "logits"
    box_format: Literal["xyxy", "xywh", "cxcywh"] = "xyxy"
    normalised: bool = False
    score_threshold: float = 0.3
    overlap: float = 0.5
    mask_threshold: float = 0.0
    object_classes: list[int] = [1]
    label_embeddings: str | None = None
    temperature: float = 100.0
    band_mean: list[float] = []
    band_std: list[Spread] = []

    @classmethod
    def read(cls, path: Path) -> NetworkSettings:
        """Return the settings of a file.

        Raises
        ------
        InputError
            It is no JSON, or a field is unknown or of the wrong type.
        """
        try:
            return cls.model_validate_json(path.read_bytes())
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"]) or "file"
            raise InputError(
                f"{path.name}: {field!r} is not usable ({first['msg']}).",
                f"Its fields are {', '.join(cls.model_fields)}.",
            ) from None
