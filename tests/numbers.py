"""The numbers of a package: constants, defaults of fields, defaults of arguments.

``tests/numbers.yaml`` lists them. Who changes one changes the list too, where a reviewer sees it; ``python -m
tests.numbers`` writes it anew.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml
from pydantic import BaseModel

from tests.mutation import HOUSE, modules_of
from tests.syntax_trees import tree_of

LIST = Path(__file__).with_name("numbers.yaml")
PACKAGES = (
    "core/engine",
    "core/memory",
    "core/lab",
    "core/disclosure",
    "core/context",
    "core/teams",
    "core/runs",
    "knowledge",
    "toolkit/thresholding.py",
    "toolkit/plausible.py",
)
# How much of a text or a list is shown, as in the exceptions of ``tests.mutation``.
_FREE = re.compile(r"_(LONGEST|MOST|PAIRS|FEWEST)\w*|_NEAR")


def numbers_of(file: str) -> dict[str, float]:
    """Return the numbers of a module by name, such as ``Budget.steps`` or ``Elo.update(k)``."""
    module = import_module("treeline." + file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    found: dict[str, float] = {}
    for name in _defined_names(file):
        value = getattr(module, name, None)
        if inspect.isclass(value):
            found.update(_of_class(name, value))
        elif inspect.isfunction(value) and value.__module__ == module.__name__:
            found.update(_of_arguments(name, value))
        elif not _FREE.fullmatch(name):
            found.update(_of_value(name, value))
    return found


def all_numbers() -> dict[str, dict[str, float]]:
    """Return the numbers of the packages that are listed, by module; modules without any are left out."""
    found = {file: numbers_of(file) for file in modules_of(PACKAGES)}
    return {file: numbers for file, numbers in found.items() if numbers}


def listed_numbers() -> dict[str, dict[str, float]]:
    """Return the list."""
    return yaml.safe_load(LIST.read_text("utf-8"))


def _defined_names(file: str) -> Iterator[str]:
    for node in tree_of((HOUSE / file).read_text("utf-8")).body:
        match node:
            case ast.AnnAssign(value=ast.Dict(keys=[])) | ast.Assign(value=ast.Dict(keys=[])):
                continue  # what fills while the program runs is no constant
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=[ast.Tuple(elts=names)]):
                yield from (each.id for each in names if isinstance(each, ast.Name))
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name


def _of_class(name: str, kind: type) -> Iterator[tuple[str, float]]:
    if is_dataclass(kind):
        for field in fields(kind):
            if field.default is not MISSING and not is_dataclass(field.default):
                yield from _of_value(f"{name}.{field.name}", field.default)
    elif issubclass(kind, BaseModel):
        for each, info in kind.model_fields.items():
            yield from _of_value(f"{name}.{each}", info.default)
    else:
        for each in vars(kind):
            if not each.startswith("__"):
                yield from _of_value(f"{name}.{each}", vars(kind)[each])
    for each, value in vars(kind).items():
        if inspect.isfunction(value) and value.__module__ == kind.__module__ and each != "__init__":
            yield from _of_arguments(f"{name}.{each}", value)
    if not is_dataclass(kind) and not issubclass(kind, BaseModel) and "__init__" in vars(kind):
        yield from _of_arguments(name, vars(kind)["__init__"])


def _of_arguments(name: str, function: Any) -> Iterator[tuple[str, float]]:
    for each in inspect.signature(function).parameters.values():
        if each.default is not inspect.Parameter.empty and not is_dataclass(each.default):
            yield from _of_value(f"{name}({each.name})", each.default)


def _of_value(name: str, value: Any) -> Iterator[tuple[str, float]]:
    match value:
        case bool() | str() | bytes() | ModuleType() | type():
            return
        case int() | float():
            yield name, value
        case Mapping():
            for key, item in value.items():
                # A number may also be what something is found by: ``{4: "year"}``.
                yield from _of_value(f"{name}[{key}]", item if isinstance(item, int | float) else key)
                if not isinstance(item, int | float):
                    yield from _of_value(f"{name}[{key}]", item)
        case frozenset() | set():
            numbers = sorted(item for item in value if isinstance(item, int | float))
            yield from _of_value(name, numbers)
        case tuple() | list():
            for place, item in enumerate(value):
                yield from _of_value(f"{name}[{place}]", item)
        case _ if is_dataclass(value):
            for field in fields(value):
                yield from _of_value(f"{name}.{field.name}", getattr(value, field.name))


if __name__ == "__main__":
    LIST.write_text(yaml.safe_dump(all_numbers(), allow_unicode=True, width=110, sort_keys=False), "utf-8")
