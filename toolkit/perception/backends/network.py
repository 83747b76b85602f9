"""A network of the user, run by ONNX Runtime: bytes in, arrays out."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from treeline.toolkit.errors import BackendMissing, InputError
from treeline.toolkit.extras import import_optional
from treeline.toolkit.perception.backends.settings import NetworkSettings
from treeline.toolkit.perception.picture import Pixels

Outputs = dict[str, NDArray[Any]]

# How ONNX Runtime calls the types of inputs that numpy can give.
_NUMPY_TYPES = {
    "tensor(float)": "float32",
    "tensor(float16)": "float16",
    "tensor(double)": "float64",
    "tensor(uint8)": "uint8",
    "tensor(int32)": "int32",
    "tensor(int64)": "int64",
}
_OF_BYTES = ("tensor(uint8)", "tensor(int32)", "tensor(int64)")


class Network:
    """Weights and their settings.

    Parameters
    ----------
    weights : Path
        An ONNX file with a JSON file of the same name beside it.

    Raises
    ------
    BackendMissing
        ONNX Runtime or the JSON file is absent.
    InputError
        The weights or the settings cannot be used.
    """

    def __init__(self, weights: Path) -> None:
        sidecar = weights.with_suffix(".json")
        if not sidecar.is_file():
            raise BackendMissing(
                f"{weights.name} has no {sidecar.name} beside it, which says what the network expects.",
                f"Write one; its fields are {', '.join(NetworkSettings.model_fields)}.",
            )
        self.weights = weights
        self.settings = NetworkSettings.read(sidecar)
        self._session = _session(weights, weights.stat().st_mtime_ns)
        self._types = {entry.name: entry.type for entry in self._session.get_inputs()}
        self.input_names = list(self._types)
        self.output_names = [entry.name for entry in self._session.get_outputs()]

    def run(self, inputs: Mapping[str, NDArray[Any]]) -> Outputs:
        """Return all outputs for inputs by what they are (``image``, ``boxes`` ...).

        Raises
        ------
        InputError
            The network does not take these inputs.
        """
        named = {}
        for index, (meaning, array) in enumerate(inputs.items()):
            name = self._input(meaning, index)
            named[name] = array.astype(_NUMPY_TYPES.get(self._types.get(name, ""), array.dtype), copy=False)
        try:
            return dict(zip(self.output_names, self._session.run(None, named), strict=True))
        except Exception as error:  # ONNX Runtime has no public tree of errors
            reason = (str(error).splitlines() or ["unknown fault"])[0][:200]
            raise InputError(
                f"{self.weights.name} cannot be run: {reason}",
                f"Compare input_size, axes and inputs in {self.weights.with_suffix('.json').name}.",
            ) from error

    def output(self, outputs: Outputs, meaning: str, index: int = 0) -> NDArray[Any]:
        """Return one output by what it is; without a name in the settings that of the index.

        Raises
        ------
        InputError
            The network has no such output.
        """
        name = self.settings.outputs.get(meaning)  # type: ignore[call-overload]
        if name is None:
            name = self.output_names[index] if index < len(self.output_names) else f"output {index + 1}"
        if name not in outputs:
            raise InputError(
                f"{self.weights.name} has no output {name!r} for the {meaning}.",
                f"Its outputs are {', '.join(self.output_names)}.",
            )
        return outputs[name]

    @contextlib.contextmanager
    def check_outputs(self) -> Iterator[None]:
        """Tell outputs that have another form than the settings say.

        Raises
        ------
        InputError
            Names the settings to compare, and the shapes of the network's outputs.
        """
        try:
            yield
        except (ValueError, IndexError, TypeError, OSError) as error:
            shapes = ", ".join(f"{entry.name} {entry.shape}" for entry in self._session.get_outputs())
            raise InputError(
                f"{self.weights.name} gives no {self.settings.output} that can be read ({error}); its "
                f"outputs are {shapes}.",
                f"Compare output, outputs and box_format in {self.weights.with_suffix('.json').name}.",
            ) from None

    def prepare(self, pixels: Pixels) -> NDArray[np.float32]:
        """Return pixels as the network takes them: one batch, normalised or bytes, axes in order."""
        settings = self.settings
        colours = pixels[..., ::-1] if settings.channels == "bgr" else pixels
        mean, std = (np.array(values, dtype=np.float32) for values in (settings.mean, settings.std))
        scaled = np.asarray((colours / np.float32(settings.divisor) - mean) / std, dtype=np.float32)
        if self._types[self.input_names[0]] in _OF_BYTES:
            # A network that takes whole numbers normalises in its own graph.
            scaled = colours.astype(np.float32)
        # Copied, so that the array is contiguous.
        return (scaled.transpose(2, 0, 1) if settings.axes == "nchw" else scaled)[np.newaxis].copy()

    @property
    def takes_batches(self) -> bool:
        """Whether several images may be given at once."""
        return not isinstance(self._session.get_inputs()[0].shape[0], int)

    def _input(self, meaning: str, index: int) -> str:
        name = self.settings.inputs.get(meaning)  # type: ignore[call-overload]
        if name is not None:
            return name
        if index >= len(self.input_names):
            raise InputError(
                f"{self.weights.name} takes {len(self.input_names)} inputs; there is none for the {meaning}.",
                "Use a network for this task.",
            )
        return self.input_names[index]


def resize_pixels(pixels: Pixels, size: tuple[int, int] | None) -> Pixels:
    """Return pixels in a size (rows, columns), interpolated."""
    if size is None or pixels.shape[:2] == tuple(size):
        return pixels
    return np.asarray(Image.fromarray(pixels).resize((size[1], size[0]), Image.Resampling.BILINEAR))


def pad_pixels(pixels: Pixels, size: tuple[int, int] | None) -> Pixels:
    """Return pixels with black below and to the right, up to a size (rows, columns)."""
    if size is None or pixels.shape[:2] == tuple(size):
        return pixels
    rows, columns = size[0] - pixels.shape[0], size[1] - pixels.shape[1]
    return np.pad(pixels, ((0, rows), (0, columns), (0, 0)))


@lru_cache(maxsize=4)
# The time of the last change is part of the key, so that replaced weights are loaded again.
def _session(weights: Path, _modified: int) -> Any:
    onnxruntime = import_optional("onnxruntime", "onnx")
    try:
        return onnxruntime.InferenceSession(str(weights), providers=["CPUExecutionProvider"])
    except Exception as error:  # as above
        reason = (str(error).splitlines() or ["unknown fault"])[0][:200]
        raise InputError(f"{weights.name} is no usable ONNX file: {reason}") from error
