"""Repair of a call's arguments where the meaning is certain.

Each repair is a small function of (tool, name, value, data); those that apply are told to the
policy as warnings, so that nothing is changed in silence.
"""

from __future__ import annotations

import json
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from treeline.core.engine.rundata import RunData
from treeline.core.engine.values import list_of, unquote, unwrap
from treeline.core.workspace import is_handle
from treeline.toolkit.errors import InputError
from treeline.toolkit.json_texts import read_json
from treeline.toolkit.lists import number_output
from treeline.toolkit.naming import name_argument
from treeline.toolkit.tool import Parameter, Reads, Tool, Writes

# The value of an earlier step by its number.
_RESULT = re.compile(r"^@result(\d{1,9})$")
# What statistics are called besides their short names.
_OPTIONS = {
    "maximum": "max",
    "minimum": "min",
    "average": "mean",
    "avg": "mean",
    "standard deviation": "std",
    "stdev": "std",
    "stddev": "std",
}


@dataclass
class Repair:
    """A call's arguments under repair.

    Attributes
    ----------
    results : mapping
        Values of earlier steps by number; ``@result4`` stands for one.
    notes : list of str
        What was changed, in sentences.
    """

    tool: Tool
    data: RunData
    results: Mapping[int, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with every certain repair made.

        Raises
        ------
        InputError
            A handle, a period or a result that does not exist.
        """
        arguments = self._rename(given)
        for parameter in self.tool.parameters:
            if parameter.name in arguments:
                with name_argument(parameter.name):
                    arguments[parameter.name] = self._repair(parameter, arguments[parameter.name])
        self._number_outputs(arguments)
        self._derive_outputs(arguments)
        self._leave_out(arguments)
        return arguments

    def _number_outputs(self, arguments: dict[str, Any]) -> None:
        """Make one name that was given for the outputs of a series a name for each of its rasters."""
        lists = [arguments.get(parameter.name) for parameter in self.tool.inputs if parameter.many]
        lists += [item for value in arguments.values() if isinstance(value, dict) for item in value.values()]
        count = max((len(found) for found in lists if isinstance(found, list)), default=1)
        for name in (parameter.name for parameter in self.tool.outputs if parameter.many):
            if count > 1 and isinstance(arguments.get(name), list) and len(arguments[name]) == 1:
                outputs = [number_output(arguments[name][0], place, count) for place in range(count)]
                arguments[name] = outputs
                self.notes.append(f"{name} was one name for {count} rasters: {outputs[0]} to {outputs[-1]}.")

    def _leave_out(self, arguments: dict[str, Any]) -> None:
        """Take an argument that is missing for none where none may be given, and nothing else is usual."""
        for parameter in self.tool.parameters:
            missing = parameter.required and parameter.name not in arguments
            if missing and parameter.contract is None and parameter.type_text.endswith("| None"):
                arguments[parameter.name] = None
                self.notes.append(f"{parameter.name} was left out: it was taken for null.")

    def _repair(self, parameter: Parameter, value: Any) -> Any:
        for step in _VALUE_REPAIRS:
            value = step(self, parameter, value)
        return value

    def _rename(self, given: Mapping[str, Any]) -> dict[str, Any]:
        names = {parameter.name for parameter in self.tool.parameters}
        arguments: dict[str, Any] = {}
        for name, value in given.items():
            target = name if name in names else self._current_name(name, names, names - set(given))
            if target != name:
                self.notes.append(f"The argument {name!r} is now called {target!r}.")
            # Where a model gives a parameter by its old and its current name, the current one counts.
            if target not in arguments or name == target:
                arguments[target] = value
        return arguments

    def _current_name(self, name: str, names: set[str], missing: set[str]) -> str:
        known = self.tool.parameter_aliases.get(name)
        if known in names:
            return str(known)
        if len(self.tool.outputs) == 1 and name in _OUTPUT_NAMES:
            return self.tool.outputs[0].name
        if len(self.tool.inputs) == 1 and name in _INPUT_NAMES:
            return self.tool.inputs[0].name
        # Only what is not given may be meant: a name that is like a given one would overwrite it.
        alike = [each for each in missing if _same_words(name, each)]
        return alike[0] if len(alike) == 1 else name

    def _derive_outputs(self, arguments: dict[str, Any]) -> None:
        for parameter in self.tool.outputs:
            if arguments.get(parameter.name) or not parameter.required:
                continue
            first = next((arguments[p.name] for p in self.tool.inputs if p.name in arguments), None)
            if first is None:
                continue
            assert isinstance(parameter.contract, Writes)
            names = [
                _output_name(parameter.contract, item)
                for item in (first if isinstance(first, list) else [first])
            ]
            arguments[parameter.name] = names if isinstance(first, list) or parameter.many else names[0]
            self.notes.append(f"{parameter.name} was not given; named after role and input.")


_OUTPUT_NAMES = frozenset(
    {
        "output",
        "output_path",
        "output_paths",
        "output_filename",
        "out_path",
        "save_path",
        "output_file",
        "output_path_list",
    }
)
_INPUT_NAMES = frozenset(
    {
        "path",
        "paths",
        "file",
        "files",
        "image_path",
        "image_paths",
        "input_path",
        "input_image_path",
        "file_path",
        "file_list",
        "input_paths",
        "img_path",
    }
)


def _same_words(first: str, second: str) -> bool:
    """Return whether one name has all the words of the other, such as red_paths and input_red_path."""
    mine, theirs = (frozenset(w.rstrip("s") for w in name.casefold().split("_")) for name in (first, second))
    return not (mine - theirs and theirs - mine)


def _output_name(contract: Writes, address: Any) -> str:
    stem = PurePosixPath(str(address).split("#")[0]).stem
    return f"{contract.role}_{stem}.{contract.ending}"


def _names_files(parameter: Parameter) -> bool:
    """Return whether a parameter names rasters or vector files that are read."""
    if parameter.contract is not None:
        return isinstance(parameter.contract, Reads)
    return parameter.name.endswith(_FILE_ENDINGS) and not parameter.name.startswith("output")


_FILE_ENDINGS = ("_path", "_paths")


def _result(repair: Repair, parameter: Parameter, value: Any) -> Any:
    if isinstance(value, list):
        found: list[Any] = []
        for item in value:
            of_item = _result(repair, parameter, item)
            # A list that is named among the items stands for its items: ["@result5"] is all of result 5.
            spread = isinstance(of_item, list) and isinstance(item, str) and not _takes_rows(parameter)
            found += of_item if spread else [of_item]
        return found
    if isinstance(value, dict):
        return {key: _result(repair, parameter, item) for key, item in value.items()}
    match = _RESULT.match(value) if isinstance(value, str) else None
    if match is None:
        return value
    number, known = int(match[1]), [n for n, found in repair.results.items() if found is not None]
    if number not in known:
        there = ", ".join(f"@result{n}" for n in known)
        hint = f"There are {there}." if there else "Call the tool that gives it first."
        raise InputError(f"There is no result of step {number} ({value!r}).", hint)
    return repair.results[number]


def _takes_rows(parameter: Parameter) -> bool:
    """Return whether a parameter takes lists within a list, such as the rows of a matrix."""
    return parameter.type_text.startswith("list[list")


def _parse(repair: Repair, parameter: Parameter, value: Any) -> Any:
    inner = unwrap(value)
    if inner is not value:
        repair.notes.append(f"{parameter.name} was written as a schema; its value was taken.")
        value = inner
    if parameter.contract is None and _names_files(parameter) and isinstance(value, dict):
        return json.dumps(value)  # a geometry, written out where a vector file may stand
    if not isinstance(value, str) or not value.strip().startswith(("[", "{")):
        return value
    try:
        parsed = read_json(value)
    except ValueError:
        # Models write Python lists too, in single quotes or none, which are no JSON.
        parsed = list_of(value) if parameter.many or parameter.contract else None
        if parsed is None:
            return value
    # A parameter of text may want the JSON itself, such as a geometry.
    if isinstance(parsed, dict) and parameter.type_text.startswith("str"):
        return value
    repair.notes.append(f"{parameter.name} was JSON in a text; it was read.")
    return parsed


def _expand(repair: Repair, parameter: Parameter, value: Any) -> Any:
    if (
        isinstance(value, dict)
        and parameter.contract is None
        and parameter.type_text.startswith("dict[str, ")
    ):
        return {name: _expand_formula_name(repair, parameter, item) for name, item in value.items()}
    if not isinstance(parameter.contract, Reads):
        return value
    if isinstance(value, list):
        items = [a for item in value for a in (_addresses(repair, item) if is_handle(item) else [item])]
        return items
    if not is_handle(value):
        return value
    addresses = _addresses(repair, value)
    return addresses if parameter.many or len(addresses) > 1 else addresses[0]


def _expand_formula_name(repair: Repair, parameter: Parameter, value: Any) -> Any:
    """Return a raster, or the rasters, of one name of a formula, with handles as addresses."""
    if isinstance(value, list):
        return [a for item in value for a in (_addresses(repair, item) if is_handle(item) else [item])]
    if not is_handle(value):
        series = parameter.type_text.startswith("dict[str, list[")
        return [value] if series and isinstance(value, str) else value
    addresses = _addresses(repair, value)
    if "list[" in parameter.type_text:
        return addresses
    if len(addresses) > 1:
        raise InputError(
            f"{value} is {len(addresses)} rasters, where one is wanted.",
            "Name one by its date, as in @ndvi[2021-07-12], or take the tool for series.",
        )
    return addresses[0]


def _addresses(repair: Repair, handle: str) -> list[str]:
    collection = repair.data.select(handle)
    if not handle.strip().startswith(collection.handle):
        repair.notes.append(f"{handle} was read as {collection.handle}: handles are written so.")
    return collection.addresses


def _choose(repair: Repair, parameter: Parameter, value: Any) -> Any:
    """Return the option of a parameter that a word is another one for, where it is none itself."""
    options = typing.get_args(parameter.annotation) if parameter.type_text.startswith("Literal[") else ()
    if not isinstance(value, str) or value in options:
        return value
    plain = value.strip().casefold().replace("_", " ")
    meant = next((option for option in options if option in (plain, _OPTIONS.get(plain))), None)
    if meant is None:
        return value
    repair.notes.append(f"{parameter.name} was {value!r}; it is called {meant!r}.")
    return meant


def _unwrap(repair: Repair, parameter: Parameter, value: Any) -> Any:
    if _names_files(parameter):
        return [_address(item) for item in value] if isinstance(value, list) else _address(value)
    if isinstance(value, str) and parameter.contract is None and parameter.type_text == "str":
        return unquote(value)
    return value


def _address(value: Any) -> Any:
    return _SAVED.sub("", unquote(value)).strip() if isinstance(value, str) else value


# Tools answer with this sentence, and models give it back as the address.
_SAVED = re.compile(r"^Result saved? at ", re.IGNORECASE)


def _as_list(repair: Repair, parameter: Parameter, value: Any) -> Any:
    if (
        parameter.contract is not None
        and parameter.many
        and isinstance(value, str)
        and parameter.type_text.startswith("list")
    ):
        return [value]
    return value


def _locate(repair: Repair, parameter: Parameter, value: Any) -> Any:
    if not _names_files(parameter):
        return value
    if isinstance(value, list):
        return [_locate(repair, parameter, item) for item in value]
    # A path that climbs is left as it is, so that the resolver refuses it: the file that it would find by its
    # name is not the one that was named.
    if not isinstance(value, str) or not value or is_handle(value) or ".." in value:
        return value
    file, mark, band = value.partition("#")
    found = repair.data.locate(file)
    if found is None and (found := repair.data.alike(file)) is not None:
        repair.notes.append(f"There is no {file!r}; {found!r} is of the same variable, place and date.")
    return value if found is None else f"{found}{mark}{band}"


# The order matters: a result may be a list of addresses; a list that is written as a text must be parsed
# before quotation marks are taken off its items; a handle becomes addresses before files are looked for; and
# only what is still a single address after all of these becomes a list of one.
_VALUE_REPAIRS: tuple[Callable[[Repair, Parameter, Any], Any], ...] = (
    _result,
    _parse,
    _unwrap,
    _choose,
    _expand,
    _locate,
    _as_list,
)
