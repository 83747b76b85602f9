"""A form from a tool's schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import streamlit as st

from treeline.core.workspace import Workspace, is_handle, select
from treeline.toolkit import Tool
from treeline.toolkit.errors import InputError
from treeline.toolkit.tool import Parameter, Reads, Writes

Schema = Mapping[str, Any]


def show_form(tool: Tool, workspace: Workspace) -> dict[str, Any] | None:
    """Show the form and return the arguments once it is sent.

    Raises
    ------
    ValueError
        A field that is written as JSON cannot be read; the message names it.
    """
    with st.form(f"tool-{tool.name}"):
        given = {p.name: _field(p, tool.schema["properties"][p.name], workspace) for p in tool.parameters}
        if not st.form_submit_button("Run", type="primary", icon=":material/play_arrow:"):
            return None
    arguments = {name: value for name, value in given.items() if value is not None}
    return with_outputs(tool, arguments, workspace)


def with_outputs(tool: Tool, arguments: dict[str, Any], workspace: Workspace) -> dict[str, Any]:
    """Return arguments in which one name for the outputs of a collection became a name for each raster."""
    inputs = next((arguments.get(p.name) for p in tool.inputs if p.many and arguments.get(p.name)), None)
    if not isinstance(inputs, str) or not is_handle(inputs):
        return arguments
    try:
        members = select(inputs, workspace.collections).members
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


def _field(parameter: Parameter, schema: Schema, workspace: Workspace) -> Any:
    label = parameter.name + ("" if parameter.required else " (optional)")
    help_text = schema.get("description", "")
    if isinstance(parameter.contract, Reads):
        return _raster(parameter, label, help_text, workspace)
    if isinstance(parameter.contract, Writes):
        value = f"{parameter.contract.role or 'product'}.tif"
        return _several(st.text_input(label, value, help=help_text))
    return _plain(parameter, schema, label, help_text)


def _raster(parameter: Parameter, label: str, help_text: str, workspace: Workspace) -> Any:
    collections = workspace.collections
    addresses = [*collections, *(address for c in collections.values() for address in c.addresses)]
    fitting = fitting_address(parameter, workspace) if parameter.required else None
    chosen = st.selectbox(
        label,
        addresses,
        addresses.index(fitting) if fitting else None,
        help=help_text,
        accept_new_options=True,
        placeholder="A handle, a raster, or several with commas between",
    )
    return _several(chosen or "")


def fitting_address(parameter: Parameter, workspace: Workspace) -> str | None:
    """Return the collection, or its newest raster, that a parameter's contract asks for."""
    roles = parameter.contract.roles if isinstance(parameter.contract, Reads) else ()
    for role in roles:
        for handle, collection in workspace.collections.items():
            if collection.role == role:
                return handle if parameter.many else collection.addresses[-1]
    return None


def _several(text: str) -> Any:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return parts if len(parts) > 1 else (parts[0] if parts else None)


def _plain(parameter: Parameter, schema: Schema, label: str, help_text: str) -> Any:
    options = _options(schema)
    kind = str(next((o.get("type") for o in options if o.get("type") != "null"), "string"))
    choices = next((o["enum"] for o in options if "enum" in o), None)
    default = parameter.default
    if choices:
        return st.selectbox(
            label, choices, choices.index(default) if default in choices else None, help=help_text
        )
    if kind == "boolean":
        return st.checkbox(label, bool(default), help=help_text)
    if kind == "integer":
        return st.number_input(label, value=default, step=1, format="%d", help=help_text)
    if kind == "number":
        return st.number_input(
            label, value=None if default is None else float(default), format="%.6g", help=help_text
        )
    text = st.text_input(label, "" if default is None else _default_text(default), help=help_text) or ""
    return _read(parameter.name, kind, text) if text else None


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
