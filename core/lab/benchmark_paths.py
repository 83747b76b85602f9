"""Calls as the benchmark writes them: full paths of inputs and outputs in its own folders."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from treeline.core.engine.actions import Call
from treeline.core.engine.state import State, Step
from treeline.core.lab.records import Question, ToolCall
from treeline.toolkit import Registry
from treeline.toolkit.tool import Reads, Writes

# The reference puts its own output folder before the paths that these tools are given.
_BELOW_OUT = frozenset(
    {
        "ATI",
        "ChangeOS",
        "SAM2",
        "band_ratio",
        "calc_batch_image_hotspot_tif",
        "compute_tvdi",
        "lst_multi_channel",
        "lst_single_channel",
        "modis_day_night_lst",
        "split_window",
        "temperature_emissivity_separation",
        "ttm_lst",
    }
)


@dataclass(frozen=True)
class BenchmarkPaths:
    """Turns the paths of a run into those of the benchmark.

    Parameters
    ----------
    question : Question
    inputs : Path
        Where the question's files really lie.
    outputs : Path
        Where the run wrote.
    by_member : bool
        Each member of a team wrote into a folder of its own there.
    """

    question: Question
    inputs: Path
    outputs: Path
    by_member: bool = False

    def calls(self, state: State, registry: Registry) -> tuple[ToolCall, ...]:
        """Return the calls of a run as the benchmark would have recorded them."""
        made: set[str] = set()
        calls = []
        for step in state.calls:
            calls.append(self._call(step, registry, made))
            made.update(Path(product.path).name for product in step.observation.products)
        return tuple(calls)

    def _call(self, step: Step, registry: Registry, made: Set[str]) -> ToolCall:
        assert isinstance(step.action, Call)
        name = step.action.tool
        # As they were run, with handles written out, since the benchmark knows paths alone; a refused call
        # has none.
        arguments = step.observation.arguments or step.action.arguments
        known = registry.get(name) if name in registry else None
        contracts = {p.name: p.contract for p in known.parameters} if known else {}
        written = {key: self._value(value, contracts.get(key), made) for key, value in arguments.items()}
        if known and known.name in _BELOW_OUT:
            outputs = {parameter.name for parameter in known.outputs}
            written |= {key: self._short(written[key]) for key in outputs & set(written)}
        return ToolCall(tool=name, arguments=written, output=step.observation.value)

    def _short(self, value: Any) -> Any:
        """Return output paths without the folder of all outputs, but with the question's own."""
        if isinstance(value, list):
            return [self._short(item) for item in value]
        return str(PurePosixPath(value).relative_to(PurePosixPath(self.question.output_folder).parent))

    def _value(self, value: Any, contract: Reads | Writes | None, made: Set[str]) -> Any:
        match value:
            case str():
                return self._path(value, contract, made)
            case list() | tuple():
                return [self._value(item, contract, made) for item in value]
            case Mapping():
                return {key: self._value(item, contract, made) for key, item in value.items()}
            case _:
                return value

    def _path(self, text: str, contract: Reads | Writes | None, made: Set[str]) -> str:
        if isinstance(contract, Writes):
            return self._output(text)
        path = Path(text)
        if path.is_absolute():
            if path.is_relative_to(self.inputs):
                return _join(self.question.folder, path.relative_to(self.inputs))
            if path.is_relative_to(self.outputs):
                return _join(self.question.output_folder, self._below_member(path.relative_to(self.outputs)))
            return text
        if not isinstance(contract, Reads):
            return text
        return self._output(text) if path.name in made else _join(self.question.folder, path)

    def _below_member(self, path: Path) -> Path:
        return Path(*path.parts[1:]) if self.by_member and len(path.parts) > 1 else path

    def _output(self, text: str) -> str:
        path = Path(text)
        if path.is_relative_to(self.question.output_folder):
            return text
        return _join(self.question.output_folder, Path(path.name) if path.is_absolute() else path)


def _join(folder: str, path: Path) -> str:
    text = path.as_posix()
    return str(PurePosixPath(folder) / text) if text != "." else folder
