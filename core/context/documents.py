"""A tool's document as a call needs it: each parameter that has an effect once, and without sources."""

from __future__ import annotations

import re

_LEFT_OUT = ("Parameters", "Source: ", "Formula: ", "Returns: Result saved at", "Returns: ``Result saved at")
_WITHOUT_EFFECT = "Kept for older calls; has no effect."
_SIGNATURE = re.compile(r"^(\w+)\((.*)\)$")
# Commas inside a type, as in dict[str, int], are followed by no name with a colon.
_NEXT = re.compile(r", (?=\w+: )")
_PARAMETER = re.compile(r"^- (\w+) \([^()]*\): (.*)$")
_CONTRACTS = (
    (re.compile(r" \(a raster of any role\)$"), ""),
    (re.compile(r"\((?:a raster of role|where to write) (.*)\)$"), r"(\1)"),
    (re.compile(r" \[(?:1|class)\]"), ""),
)


def working_document(document: str, details: bool = True) -> str:
    """Return what a tool does, its parameters with types, defaults and units, and what it returns.

    Parameters
    ----------
    document : str
        As :attr:`toolkit.tool.Tool.document` writes it; another text comes back as it is.
    details : bool
        With what the document says of the method between the first line and the parameters.

    Examples
    --------
    >>> print(working_document("f(x: int = 1)\\nDoes.\\nParameters\\n- x (int): In K.\\nSource: Me 1999"))
    f: Does.
    - x: int = 1. In K.
    """
    first, *rest = (line for line in document.splitlines() if line.strip())
    signature = _SIGNATURE.match(first)
    if signature is None or "Parameters" not in rest:
        return document
    declared = {part.partition(": ")[0]: part for part in _NEXT.split(signature[2])}
    lines = rest[1 if details else rest.index("Parameters") :]
    kept = (line for line in lines if not line.startswith(_LEFT_OUT) and _WITHOUT_EFFECT not in line)
    return "\n".join([f"{signature[1]}: {rest[0]}", *(_parameter(line, declared) for line in kept)])


def _parameter(line: str, declared: dict[str, str]) -> str:
    found = _PARAMETER.match(line)
    if found is None or found[1] not in declared:
        return line
    said = found[2]
    for pattern, replacement in _CONTRACTS:
        said = pattern.sub(replacement, said)
    return f"- {declared[found[1]]}. {said}"
