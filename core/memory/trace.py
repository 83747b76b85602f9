"""An attempt at a question as the critic judges it: what was called, made and measured."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath

from treeline.core.engine.actions import Call, ProductRecord
from treeline.core.engine.calls import RoleOf, arguments_of, file_name, inputs_of, measures
from treeline.core.engine.events import RunFinished
from treeline.core.engine.state import Step
from treeline.toolkit import Registry
from treeline.toolkit.tool import Tool


@dataclass(frozen=True)
class Attempt:
    """One try at a question, to be judged.

    Attributes
    ----------
    role_of : callable
        Returns what an address is, empty where nobody knows.
    """

    question: str
    choices: tuple[str, ...]
    steps: tuple[Step, ...]
    finished: RunFinished
    registry: Registry
    role_of: RoleOf = field(default=lambda address: "")

    @property
    def calls(self) -> tuple[Step, ...]:
        """The steps that are calls."""
        return tuple(step for step in self.steps if isinstance(step.action, Call))

    def tool(self, step: Step) -> Tool | None:
        """Return the tool of a call, ``None`` where there is none of that name."""
        assert isinstance(step.action, Call)
        return self.registry.get(step.action.tool) if step.action.tool in self.registry else None

    @property
    def products(self) -> dict[str, ProductRecord]:
        """What was written, by file name."""
        return {PurePath(p.name).name: p for step in self.calls for p in step.observation.products}

    def role(self, address: str) -> str:
        """Return what a raster is: of the record where the run wrote it, else of the workspace."""
        product = self.products.get(file_name(address))
        return product.role if product is not None else self.role_of(address)

    def measurements(self) -> list[tuple[Step, Tool, tuple[str, ...]]]:
        """Return the calls that gave numbers of rasters, with the addresses of these."""
        found = []
        for step in self.calls:
            tool = self.tool(step)
            if tool is None or not step.observation.is_success or not measures(tool):
                continue
            addresses = tuple(inputs_of(tool, arguments_of(step)))
            if addresses:
                found.append((step, tool, addresses))
        return found
