"""A tool: its contract, its texts, its checks of arguments, and how it is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from treeline.toolkit.context import ToolContext, current_context, use_context
from treeline.toolkit.contracts import Gives, Writes
from treeline.toolkit.errors import InputError
from treeline.toolkit.execution import each
from treeline.toolkit.functions import DEFAULT, Functions
from treeline.toolkit.lists import calls_over, cut_to_shortest
from treeline.toolkit.naming import name_argument, name_arguments
from treeline.toolkit.parameters import Parameter

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True)
class Tool:
    """A callable with a contract.

    Attributes
    ----------
    name, kit, brief, source : str
        ``source`` is a citation, ``formula`` the formula in one line where there is one.
    aliases : tuple of str
        Older names of the same tool.
    parameter_aliases : mapping
        Older names of parameters to their names.
    functions : Functions
        What is called, by profile.
    difference : str
        How the ``science`` profile differs from ``earth_bench`` and why.
    of_scene : bool
        What it gives to a pixel depends on the others, so that to mask its inputs is not to mask its product.
    """

    name: str
    kit: str
    brief: str
    details: str
    returns: str
    source: str
    gives: Gives
    parameters: tuple[Parameter, ...]
    functions: Functions = field(compare=False, repr=False)
    formula: str = ""
    difference: str = ""
    aliases: tuple[str, ...] = ()
    parameter_aliases: Mapping[str, str] = field(default_factory=dict)
    of_scene: bool = False

    @property
    def function(self) -> Callable[..., Any]:
        """The function of the default profile."""
        return self.functions.of(DEFAULT)

    @property
    def profiles(self) -> tuple[str, ...]:
        """The profiles that have an implementation of their own."""
        return self.functions.profiles

    @cached_property
    def inputs(self) -> tuple[Parameter, ...]:
        """Parameters that are rasters."""
        return tuple(p for p in self.parameters if p.is_input)

    @cached_property
    def outputs(self) -> tuple[Parameter, ...]:
        """Parameters that say where to write rasters."""
        return tuple(p for p in self.parameters if p.is_output)

    def band_of(self, role: str) -> int | None:
        """Return the number of the band that holds a role in what the tool writes, from 1."""
        return self.bands.get(role)

    @cached_property
    def bands(self) -> Mapping[str, int]:
        """The roles that the tool writes, with the number of the band that holds each, from 1."""
        found: dict[str, int] = {}
        for output in self.outputs:
            if isinstance(output.contract, Writes):
                for role in (output.contract.role, *output.contract.further):
                    found.setdefault(role, output.contract.band_of(role) or 1)
        return found

    @property
    def signature(self) -> str:
        """The signature as a person reads it."""
        parts = [
            f"{p.name}: {p.type_text}" + ("" if p.required else f" = {p.default!r}") for p in self.parameters
        ]
        return f"{self.name}({', '.join(parts)})"

    @cached_property
    def model(self) -> type[BaseModel]:
        """The arguments as a pydantic model."""
        # A list of tools and their documents need no pydantic, which is slow to import.
        from treeline.toolkit.arguments import model_of

        return model_of(self.name, self.parameters)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """JSON schema of the arguments, with the parameters' descriptions."""
        schema = self.model.model_json_schema()
        for parameter in self.parameters:
            schema["properties"][parameter.name]["description"] = parameter.text
        return schema

    @cached_property
    def document(self) -> str:
        """The third layer of the tree: all that is needed to call the tool."""
        lines = [self.signature, "", self.brief]
        if self.details:
            lines += ["", self.details]
        lines += ["", "Parameters"]
        lines += [f"- {p.name} ({p.type_text}): {p.text}" for p in self.parameters]
        lines += ["", f"Returns: {self.returns}"]
        if self.formula:
            lines.append(f"Formula: {self.formula}")
        lines.append(f"Source: {self.source}")
        return "\n".join(lines)

    def validate(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with defaults filled in and certain conversions made.

        Raises
        ------
        InputError
            Names the argument, what was found, and the right signature.
        """
        from treeline.toolkit.arguments import check_arguments

        values = check_arguments(self.name, self.model, arguments, self.signature)
        empty = next((p.name for p in self.inputs if values[p.name] in ([], {})), None)
        if empty is not None:
            raise InputError(f"{self.name}: the list {empty!r} is empty.", "Give at least one raster.")
        return values

    def run(self, arguments: Mapping[str, Any], context: ToolContext) -> Any:
        """Validate the arguments and call the profile's implementation.

        A single-raster tool that is given lists maps over them.

        Raises
        ------
        TreelineError
            What was wrong, what was found, what would do.
        """
        rasters = [parameter.name for parameter in self.inputs if parameter.name in arguments]
        with use_context(context), name_arguments(arguments, rasters):
            self._check_outputs(arguments, context)
            return self.call(arguments)

    def _check_outputs(self, arguments: Mapping[str, Any], context: ToolContext) -> None:
        # Before the work, not when its result is to be written.
        names = {p.name for p in self.outputs}
        for given, value in arguments.items():
            if (name := self.parameter_aliases.get(given, given)) in names:
                with name_argument(name):
                    for path in value if isinstance(value, list | tuple) else [value]:
                        if isinstance(path, str):
                            context.output_path(path)

    def call(self, arguments: Mapping[str, Any]) -> Any:
        """Call the implementation for the profile in force, in the context in force.

        A parameter that takes one raster and is given a list maps the tool over it, see
        :func:`treeline.toolkit.lists.calls_over`.

        Raises
        ------
        InputError
            The arguments do not fit the tool, or their lists differ in length (the ``earth_bench``
            profile cuts them to the shortest and warns).
        """
        context = current_context()
        named = {self.parameter_aliases.get(name, name): value for name, value in arguments.items()}
        function = self.implementation(context.profile)
        if context.profile == "earth_bench":
            named = cut_to_shortest(self.parameters, named)
        several = calls_over(self.name, self.parameters, named)
        if several is None:
            return _call(self.name, function, self.validate(named))
        calls = [self.validate(one) for one in several]
        return each(_call, [self.name] * len(calls), [function] * len(calls), calls, label=self.name)

    def implementation(self, profile: str) -> Callable[..., Any]:
        """Return the function that a profile uses."""
        return self.functions.of(profile)


def _call(name: str, function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    current_context().provenance = {"tool": name, "arguments": dict(arguments)}
    return function(**arguments)
