"""From a function to a tool: its signature, type hints and docstring are read and checked."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable
from typing import Any

import docstring_parser

from treeline.toolkit.contracts import Gives, Reads, Writes
from treeline.toolkit.definition import Tool
from treeline.toolkit.errors import ContractError
from treeline.toolkit.functions import Functions
from treeline.toolkit.likeness import nearest_names
from treeline.toolkit.parameters import Parameter
from treeline.toolkit.value_types import PLAIN, text_of, type_of
from treeline.toolkit.variables import VARIABLES, declare, variable

MAP = "give the function of arrays to treeline.toolkit.raster.map_pixels"


def build_tool(function: Callable[..., Any], *, kit: str, source: str, gives: Gives, **more: Any) -> Tool:
    """Derive a tool from a function's signature and docstring.

    Raises
    ------
    ContractError
        A description, a type or a unit is missing, a parameter or the result is an array, or a role
        is that of no variable: what cannot be explained, called or checked is not registered.
    """
    documented = docstring_parser.parse(
        inspect.getdoc(function) or "", style=docstring_parser.DocstringStyle.NUMPYDOC
    )
    name = more.pop("name", None) or function.__name__
    if not documented.short_description:
        raise ContractError(f"The tool {name} has no docstring.", "Its first line is the tool's brief.")
    described = {n.strip(): p.description or "" for p in documented.params for n in p.arg_name.split(",")}
    hints = _hints(name, function)
    if _is_array(text_of(hints.get("return"))):
        raise ContractError(
            f"The tool {name} returns an array, which no caller could be given.",
            f"Return what map_pixels returns, or a number: {MAP}.",
        )
    parameters = tuple(
        _parameter(name, parameter, hints, described.get(parameter.name, ""))
        for parameter in inspect.signature(function).parameters.values()
    )
    for parameter in parameters:
        _check_contract(name, parameter)
    _check_unit(name, gives)
    return Tool(
        name=name,
        kit=kit,
        brief=documented.short_description,
        details=documented.long_description or "",
        returns=(documented.returns.description or "") if documented.returns else "",
        source=source,
        gives=gives,
        parameters=parameters,
        functions=Functions(function),
        **more,
    )


def _hints(tool: str, function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise ContractError(
            f"The tool {tool} has a type hint that cannot be read ({error}).",
            "Import or define the name at the top of the module.",
        ) from None


def _parameter(tool: str, parameter: inspect.Parameter, hints: dict[str, Any], description: str) -> Parameter:
    name = parameter.name
    if not description:
        raise ContractError(
            f"The tool {tool} does not describe its parameter {name}.",
            "Put it under Parameters in the docstring, with its unit.",
        )
    if name not in hints:
        raise ContractError(
            f"The tool {tool} gives its parameter {name} no type.", 'Write Annotated[str, Reads("nir")].'
        )
    hint, contract = hints[name], None
    if typing.get_origin(hint) is typing.Annotated:
        hint, *stated = typing.get_args(hint)
        contract = next((each for each in stated if isinstance(each, Reads | Writes)), None)
    required = parameter.default is inspect.Parameter.empty
    return Parameter(
        name=name,
        type_text=_plain(tool, name, hint),
        required=required,
        default=None if required else parameter.default,
        description=" ".join(description.split()),
        contract=contract,
    )


def _is_array(text: str) -> bool:
    # From numpy 2.5 on ``NDArray`` is a name of its own, and no longer that of an ``ndarray``.
    return "ndarray" in text.casefold()


def _plain(tool: str, name: str, hint: Any) -> str:
    text = text_of(hint)
    if _is_array(text):
        raise ContractError(
            f"The tool {tool} takes an array as its parameter {name}; callers have the path of a raster.",
            f'Write Annotated[str, Reads("nir")] and {MAP}.',
        )
    try:
        type_of(text)
    except ContractError:
        raise ContractError(
            f"The tool {tool} takes its parameter {name} as {text}, which no caller can write in JSON.",
            f"Types are {PLAIN}.",
        ) from None
    return text


def _check_contract(tool: str, parameter: Parameter) -> None:
    contract = parameter.contract
    if contract is None:
        return
    if not re.search(r"\bstr\b", parameter.type_text):
        raise ContractError(
            f"The tool {tool} takes the raster {parameter.name} as {parameter.type_text}.",
            "Callers have the path of a raster: write str, or list[str].",
        )
    if isinstance(contract, Writes):
        for new in contract.declares:
            declare(new)
    for role in contract.roles:
        _check_role(tool, parameter.name, role)
    if isinstance(contract, Writes) and not contract.keeps_role and contract.unit is None:
        known = variable(contract.role)
        if known and not known.unit:
            raise ContractError(
                f"The tool {tool} writes {contract.role}, whose unit it does not state.",
                'Say Writes(..., unit="m"), "1" for a pure number, or OF_INPUT for that of the input.',
            )


def _check_role(tool: str, name: str, role: str) -> None:
    if role in VARIABLES:
        return
    near = ", ".join(nearest_names(role, VARIABLES))
    raise ContractError(
        f"The tool {tool} gives its parameter {name} the role {role!r}, which no variable has.",
        f"Nearest: {near}. A new one is declared where it is first written: "
        f'Writes("{role}", declares=(Variable("{role}", "Title", "unit", (lowest, highest)),)).',
    )


def _check_unit(tool: str, gives: Gives) -> None:
    if gives.kind in ("number", "series") and gives.unit is None:
        raise ContractError(
            f"The tool {tool} gives a {gives.kind} whose unit it does not state.",
            'Say Gives(..., unit="m"), "1" for a pure number, or OF_INPUT for that of the input.',
        )
