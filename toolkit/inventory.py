"""What a start needs to know of the tools, as plain data: their contracts and texts without their modules.

``inventory.json`` is made from the registry by ``python -m treeline.toolkit.documentation``. It is
believed only for folders whose files are those that it was made from.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from treeline.toolkit.contracts import Gives, Reads, Writes
from treeline.toolkit.definition import Tool
from treeline.toolkit.functions import Functions
from treeline.toolkit.parameters import Parameter
from treeline.toolkit.variables import Variable

FILE = Path(__file__).with_name("inventory.json")
READ_SUFFIXES = (".py", ".yaml", ".json")


@dataclass(frozen=True)
class Inventory:
    """What is known of the tools.

    Attributes
    ----------
    folders : mapping of str to str
        The folders of the kits, with the digest of their files.
    kits : mapping of str to (str, str)
        Folder and summary of each kit.
    """

    folders: Mapping[str, str]
    kits: Mapping[str, tuple[str, str]]
    tools: tuple[Tool, ...]


def digest(folder: Path) -> str:
    """Return the digest of the files of a folder that say what tools there are."""
    found = hashlib.blake2b(digest_size=16)
    for path in sorted(path for path in folder.rglob("*") if path.suffix in READ_SUFFIXES):
        # Names are part of it, with a mark behind each part: moving a module, or bytes from one file to the
        # next, makes another digest.
        found.update(path.relative_to(folder).as_posix().encode() + b"\0")
        found.update(path.read_bytes() + b"\0")
    return found.hexdigest()


def read_inventory(file: Path = FILE) -> Inventory:
    """Return the inventory of a file; an empty one where there is none or it is of another form."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        return Inventory(
            content["folders"],
            {name: (folder, summary) for name, (folder, summary) in content["kits"].items()},
            tuple(map(_tool, content["tools"])),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return Inventory({}, {}, ())


def as_text(inventory: Inventory) -> str:
    """Return the text of the file: a line for each tool, so that changes are seen line by line."""
    parts = [
        f'"folders": {_lines(inventory.folders)}',
        f'"kits": {_lines(inventory.kits)}',
        '"tools": [\n' + ",\n".join(_json(_of_tool(tool)) for tool in inventory.tools) + "\n]",
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(entries: Mapping[str, Any]) -> str:
    return "{\n" + ",\n".join(f"{_json(key)}: {_json(value)}" for key, value in entries.items()) + "\n}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _of_tool(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "kit": tool.kit,
        "brief": tool.brief,
        "details": tool.details,
        "returns": tool.returns,
        "source": tool.source,
        "formula": tool.formula,
        "difference": tool.difference,
        "aliases": list(tool.aliases),
        "parameter_aliases": dict(tool.parameter_aliases),
        **({"of_scene": True} if tool.of_scene else {}),
        "gives": asdict(tool.gives),
        "modules": tool.functions.modules,
        "parameters": [_of_parameter(parameter) for parameter in tool.parameters],
    }


def _tool(content: dict[str, Any]) -> Tool:
    return Tool(
        gives=Gives(**content.pop("gives")),
        parameters=tuple(map(_parameter, content.pop("parameters"))),
        functions=Functions(modules=content.pop("modules")),
        aliases=tuple(content.pop("aliases")),
        **content,
    )


def _of_parameter(parameter: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": parameter.name,
        "type_text": parameter.type_text,
        "required": parameter.required,
        "default": parameter.default,
        "description": parameter.description,
    }
    match parameter.contract:
        case Reads(roles=roles):
            found["reads"] = list(roles)
        case Writes() as written:
            declares = [_of_variable(each) for each in written.declares]
            found["writes"] = {**asdict(written), "declares": declares}
    return found


def _parameter(content: dict[str, Any]) -> Parameter:
    contract: Reads | Writes | None = None
    if "reads" in content:
        contract = Reads(*content.pop("reads"))
    elif "writes" in content:
        written = content.pop("writes")
        written["further"] = tuple(written["further"])
        written["declares"] = tuple(map(_variable, written["declares"]))
        contract = Writes(**written)
    return Parameter(contract=contract, **content)


def _of_variable(variable: Variable) -> dict[str, Any]:
    # JSON has no infinity.
    limits = [limit if math.isfinite(limit) else None for limit in variable.plausible]
    return {**asdict(variable), "plausible": limits}


def _variable(content: dict[str, Any]) -> Variable:
    low, high = content.pop("plausible")
    possible = content.pop("possible")
    return Variable(
        plausible=(-math.inf if low is None else low, math.inf if high is None else high),
        words=tuple(content.pop("words")),
        possible=tuple(possible) if possible else None,
        **content,
    )


def declared_variables(tools: Iterable[Tool]) -> list[Variable]:
    """Return the variables that tools declare."""
    contracts = (parameter.contract for tool in tools for parameter in tool.outputs)
    return [new for contract in contracts if isinstance(contract, Writes) for new in contract.declares]
