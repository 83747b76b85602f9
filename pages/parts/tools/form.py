"""A form from a tool's schema."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Protocol

import streamlit as st

from treeline.core.workspace import Collection, is_handle, select
from treeline.pages.parts.shared.text import without_marks
from treeline.toolkit import Tool
from treeline.toolkit.errors import InputError
from treeline.toolkit.tool import Parameter, Reads, Writes
from treeline.toolkit.variables import variable

Schema = Mapping[str, Any]

_LONGEST_LABEL = 48
_CLAUSE = re.compile(r"[;,:.(]\s*")
_UNIT = re.compile(r"\bin (K|MW|m|km|nm|km2|m2|ha|percent|metres|pixels|degrees|days|dB|g/m3)\b")
_NO_UNIT = ("", "1", "class")
# Of a parameter without a contract: rasters have one, folders and products begin with these words.
_ASKS_FOR_VECTORS = re.compile(r"(?!output_|dir_)\w+_path")
_OF_FILES = frozenset({"input", "path", "paths", "list", "file", "files"})
# Names of the reference tools are those of programs.
_WORDS = {
    "dir": "folder",
    "uint8": "stretched to 0..255",
    "cmap": "colormap",
    "coeffs": "coefficients",
    "bbox": "box",
    "bboxes": "boxes",
    "nlags": "lags",
}
_ACRONYMS = frozenset(
    {"ndvi", "lst", "nir", "swir", "tir", "dem", "qa", "frp", "sr", "bt", "ndwi", "nbr", "crs", "ndsi", "gsd"}
)


_TYPED = st.components.v2.component(
    "treeline_typed",
    html="<div></div>",
    js=(Path(__file__).parent / "typed.js").read_text("utf-8"),
)


class Holds(Protocol):
    """What the fields for files offer: a workspace, or the data of a run with what it made."""

    @property
    def collections(self) -> dict[str, Collection]:
        """The collections, by handle."""

    def vector_files(self) -> list[Path]:
        """Return the vector files, sorted by path."""


def show_form(
    tool: Tool,
    data: Holds,
    *,
    key: str = "",
    submit: str = "Run",
    given: Mapping[str, Any] | None = None,
) -> dict[str, Any] | None:
    """Show the form and return the arguments once it is sent.

    Parameters
    ----------
    key : str
        Tells this form from others of the same tool.
    given : mapping, optional
        Arguments that the fields begin with.

    Raises
    ------
    ValueError
        What was sent lacks a field, or one that is written as JSON cannot be read; the message names it.
    """
    form = f"tool-{tool.name}{key}"
    fields: dict[str, Any] = {}
    unread: list[str] = []
    with st.container(key=f"typed-{form}"):
        _TYPED(key=f"typed-mark-{form}")
    with st.form(form):
        for p in tool.parameters:
            try:
                fields[p.name] = _field(p, tool.schema["properties"][p.name], data, f"{form}-{p.name}", given)
            except ValueError as error:
                unread.append(str(error))
        if not st.form_submit_button(submit, type="primary", icon=":material/play_arrow:"):
            return None
    if unread:
        raise ValueError(" ".join(unread))
    missing = [label_of(p) for p in tool.parameters if p.required and fields[p.name] is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise ValueError(f"{tool.name} needs {', '.join(missing)}, which {verb} missing.")
    arguments = {name: value for name, value in fields.items() if value is not None}
    return with_outputs(tool, arguments, data)


def with_outputs(tool: Tool, arguments: dict[str, Any], data: Holds) -> dict[str, Any]:
    """Return arguments in which one name for the outputs of a collection became a name for each raster."""
    inputs = next((arguments.get(p.name) for p in tool.inputs if p.many and arguments.get(p.name)), None)
    if not isinstance(inputs, str) or not is_handle(inputs):
        return arguments
    try:
        members = select(inputs, data.collections).members
    except InputError:  # the call refuses it, with a hint
        return arguments
    marks = [member.date_text.replace(":", "") or str(i) for i, member in enumerate(members, start=1)]
    single = {
        p.name: arguments[p.name] for p in tool.outputs if p.many and isinstance(arguments.get(p.name), str)
    }
    many = {name: [_mark(value, mark) for mark in marks] for name, value in single.items()}
    return {**arguments, **many}


def _mark(name: str, mark: str) -> str:
    path = PurePath(name)
    return str(path.with_name(f"{path.stem}_{mark.replace(' ', 'T')}{path.suffix}"))


def _field(
    parameter: Parameter, schema: Schema, data: Holds, key: str, given: Mapping[str, Any] | None
) -> Any:
    label = label_of(parameter) + ("" if parameter.required else " (optional)")
    help_text = f"{parameter.name}: {schema.get('description', '')}"
    known = given is not None and parameter.name in given
    start = given[parameter.name] if given is not None and known else parameter.default
    if isinstance(parameter.contract, Reads):
        return _raster(parameter, label, help_text, data, key, start if known else None)
    if isinstance(parameter.contract, Writes):
        name = f"{parameter.contract.role or 'product'}.tif"
        return _several(st.text_input(label, _text_of(start) if known else name, help=help_text, key=key))
    if _ASKS_FOR_VECTORS.fullmatch(parameter.name):
        return _vector(parameter, label, help_text, data, key, start)
    return _plain(parameter, schema, label, help_text, key, start)


def label_of(parameter: Parameter) -> str:
    """Return a parameter in words, with its unit where it has one."""
    contract = parameter.contract
    if isinstance(contract, Writes):
        written = variable(contract.role)
        return f"Write to: {written.title}" if written else "Write to"
    if isinstance(contract, Reads):
        # Descriptions are written for models, and long; what stands before the first comma names
        # the thing mostly.
        first = _CLAUSE.split(parameter.description, maxsplit=1)[0].strip()
        roles = [known for role in contract.roles if (known := variable(role))]
        # A radar's role is that of decibels and of the intensities that become decibels.
        units = {known.unit for known in roles if known.kind != "radar"}
        unit = units.pop() if len(units) == 1 else ""
        first = without_marks(first)
        words = first if 0 < len(first) <= _LONGEST_LABEL else _in_words(parameter.name)
        return _with_unit(words, unit)
    found = _UNIT.search(parameter.description)
    return _with_unit(_in_words(parameter.name), found[1] if found else "")


def _with_unit(words: str, unit: str) -> str:
    """Return words with a unit that is not said already."""
    said = unit in _NO_UNIT or re.search(rf"\b{re.escape(unit)}\b", words)
    return words if said else f"{words}, in {unit}"


def _in_words(name: str) -> str:
    """Return a parameter's name in words, without what only says that it is a file."""
    words = [_WORDS.get(part, part) for part in name.split("_")]
    parts = [part for part in words if part not in _OF_FILES] or words
    said = " ".join(part.upper() if part in _ACRONYMS else part for part in parts)
    return f"{said[:1].upper()}{said[1:]}"


def _raster(parameter: Parameter, label: str, help_text: str, data: Holds, key: str, given: Any) -> Any:
    roles = parameter.contract.roles if isinstance(parameter.contract, Reads) else ()
    # What the parameter asks for first.
    collections = dict(sorted(data.collections.items(), key=lambda named: named[1].role not in roles))
    addresses = [*collections, *(address for c in collections.values() for address in c.addresses)]
    start = _text_of(given) if given is not None else None
    if start is None and parameter.required:
        start = fitting_address(parameter, data)
    # What a call proposes may be a path, or a product that is in no collection.
    if start is not None and start not in addresses:
        addresses.insert(0, start)
    chosen = st.selectbox(
        label,
        addresses,
        addresses.index(start) if start is not None else None,
        help=help_text,
        accept_new_options=True,
        placeholder="A handle, a raster, or several with commas between",
        key=key,
    )
    found = _several(whole_handle(chosen or "", start or ""))
    return (
        [meant_address(part, addresses) for part in found]
        if isinstance(found, list)
        else meant_address(found, addresses)
    )


def whole_handle(typed: str, start: str) -> str:
    """Return what was typed into a field that began with a handle.

    Of a text that begins with what stood there, the field gives what follows: of ``@nir[2021]`` ``[2021]``.
    """
    return f"{start}{typed}" if typed.startswith("[") and is_handle(start) else typed


def meant_address(text: str | None, addresses: Sequence[str]) -> str | None:
    """Return the one address that a typed text is a part of: Enter takes the text as it is."""
    if not text or text in addresses:
        return text
    near = [address for address in addresses if text.casefold() in address.casefold()]
    return near[0] if len(near) == 1 else text


def _vector(
    parameter: Parameter, label: str, help_text: str, data: Holds, key: str, start: Any
) -> str | None:
    names = [path.name for path in data.vector_files()]
    if start is None and parameter.required and len(names) == 1:
        start = names[0]
    if start is not None and start not in names:
        names.insert(0, start)
    return st.selectbox(
        label,
        names,
        None if start is None else names.index(start),
        help=help_text,
        accept_new_options=True,
        placeholder="A vector file, WKT or GeoJSON",
        key=key,
    )


def _text_of(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def fitting_address(parameter: Parameter, data: Holds) -> str | None:
    """Return the collection, or its newest raster, that a parameter's contract asks for."""
    roles = parameter.contract.roles if isinstance(parameter.contract, Reads) else ()
    for role in roles:
        for handle, collection in data.collections.items():
            if collection.role == role:
                return handle if parameter.many else collection.addresses[-1]
    return None


def _several(text: str) -> Any:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return parts if len(parts) > 1 else (parts[0] if parts else None)


def _plain(parameter: Parameter, schema: Schema, label: str, help_text: str, key: str, start: Any) -> Any:
    options = _options(schema)
    kind = str(next((o.get("type") for o in options if o.get("type") != "null"), "string"))
    choices = next((o["enum"] for o in options if "enum" in o), None)
    if choices:
        index = choices.index(start) if start in choices else None
        return st.selectbox(label, choices, index, help=help_text, key=key)
    if kind == "boolean":
        return st.checkbox(label, bool(start), help=help_text, key=key)
    if kind == "integer" and _is_number(start, int):
        return st.number_input(label, value=start, step=1, format="%d", help=help_text, key=key)
    if kind == "number" and _is_number(start, int | float):
        value = None if start is None else float(start)
        return st.number_input(label, value=value, format="%.6g", help=help_text, key=key)
    text = st.text_input(label, "" if start is None else _default_text(start), help=help_text, key=key) or ""
    return _read(parameter.name, kind, text) if text else None


def _is_number(value: Any, kind: Any) -> bool:
    return value is None or (isinstance(value, kind) and not isinstance(value, bool))


def _options(schema: Schema) -> list[Schema]:
    return list(schema.get("anyOf", [schema]))


def _default_text(default: Any) -> str:
    return default if isinstance(default, str) else json.dumps(default)


def _read(name: str, kind: str, text: str) -> Any:
    if kind == "string":
        return text
    if kind == "array" and text[0] not in "[@":
        text = f"[{text}]"
    if text.startswith("@"):
        return text
    try:
        return json.loads(text)
    except ValueError:
        raise ValueError(f"{name} cannot be read: write numbers with commas between, or JSON.") from None
