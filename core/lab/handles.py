"""The expert's calls with handles in place of lists of paths, as a policy of ours would write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from treeline.core.engine.actions import Call, Observation
from treeline.core.engine.rundata import RunData
from treeline.core.lab.records import ToolCall
from treeline.core.workspace import Collection
from treeline.toolkit import Registry
from treeline.toolkit.tool import Parameter, Reads, Writes


@dataclass
class HandleWriter:
    """Rewrites recorded calls; knows which product came of which recorded name.

    Attributes
    ----------
    made : dict of str to str
        Recorded name of an output (without folders) to the address of the product.
    loose : dict of str to str
        The same to a handle, where the record names more or fewer outputs than there were inputs.
    series : list of (step, numbers)
        Recorded lists of numbers, which later calls repeat.
    """

    data: RunData
    registry: Registry
    made: dict[str, str] = field(default_factory=dict)
    loose: dict[str, str] = field(default_factory=dict)
    series: list[tuple[int, list[Any]]] = field(default_factory=list)

    def rewrite(self, call: ToolCall) -> Call:
        """Return a recorded call with handles for whole collections and for parts of them by date.

        Tool and parameters have the names of their document. Lists of outputs are left out:
        the environment derives their names; single ones lose their folders.
        """
        if call.tool not in self.registry:
            return Call(call.tool, dict(call.arguments))
        tool = self.registry.get(call.tool)
        contracts = {p.name: p for p in tool.parameters}
        named = {tool.parameter_aliases.get(name, name): value for name, value in call.arguments.items()}
        arguments = {
            name: self._value(value, contracts.get(name))
            for name, value in named.items()
            if not _is_output_list(value, contracts.get(name))
        }
        return Call(tool.name, arguments)

    def learn(self, number: int, call: ToolCall, observation: Observation) -> None:
        """Remember which product stands for which recorded output, and which numbers were its result."""
        if call.tool not in self.registry or not observation.is_success:
            return
        if _is_series(call.output) and isinstance(observation.value, list):
            self.series.append((number, call.output))
        outputs = [p.name for p in self.registry.get(call.tool).outputs]
        recorded = [str(item) for name in outputs for item in _as_list(call.arguments.get(name))]
        if len(recorded) == len(observation.products):
            pairs = zip(recorded, observation.products, strict=True)
            self.made.update({PurePosixPath(name).name: product.name for name, product in pairs})
        # Outputs cannot be told apart then, and only all of them together have an address.
        elif observation.products:
            self.loose.update({PurePosixPath(name).name: observation.products[0].handle for name in recorded})

    def _value(self, value: Any, parameter: Parameter | None) -> Any:
        if _is_series(value):
            return next(
                # The latest of equal ones: a model names what it has just read.
                (f"@result{number}" for number, known in reversed(self.series) if known == value),
                value,
            )
        if parameter is not None and isinstance(parameter.contract, Writes) and isinstance(value, str):
            return PurePosixPath(value).name
        if parameter is None or not isinstance(parameter.contract, Reads):
            return value
        if isinstance(value, list) and all(isinstance(item, str) for item in value) and value:
            names = [self._address(item) for item in value]
            return self._handle(names) or names
        return self._address(value) if isinstance(value, str) else value

    def _address(self, path: str) -> str:
        name = PurePosixPath(path).name
        return self.made.get(name, name)

    def _handle(self, names: list[str]) -> str | None:
        for collection in self.data.collections.values():
            addresses = collection.addresses
            if addresses == names:
                return collection.handle
            # One raster is no part of a collection but a raster: its name is shorter than a handle
            # with two dates.
            if len(names) > 1 and set(names) < set(addresses):
                part = _part(collection, names)
                if part:
                    return part
        handles = {self.loose.get(PurePosixPath(name).name) for name in names}
        return handles.pop() if len(handles) == 1 else None


def _part(collection: Collection, names: list[str]) -> str | None:
    """Return the handle of the part between the first and the last date, if it is exactly the names."""
    dates: Mapping[str, str] = {
        member.address: member.date.strftime("%Y-%m-%d") for member in collection.members if member.date
    }
    if names[0] not in dates or names[-1] not in dates:
        return None
    first, last = dates[names[0]], dates[names[-1]]
    between = [name for name in collection.addresses if first <= dates.get(name, "") <= last]
    return f"{collection.handle}[{first}:{last}]" if between == names else None


def _is_series(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(isinstance(item, int | float) for item in value)


def _is_output_list(value: Any, parameter: Parameter | None) -> bool:
    return parameter is not None and isinstance(parameter.contract, Writes) and isinstance(value, list)


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else ([] if value is None else [value])
