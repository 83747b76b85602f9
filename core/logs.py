"""The log: loggers below ``treeline``, written to standard error, without anything that is secret.

``TREELINE_LOG`` sets level and form: ``info``, ``debug:json``, ``:json``; by default warnings as text.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

NAME = "treeline"
SETTING = "TREELINE_LOG"
LEVELS = ("debug", "info", "warning", "error")
_DEFAULT_LEVEL = "warning"

_HIDDEN = "***"
# A shorter one would be taken out of ordinary words, and a log without these tells nothing.
_SHORTEST_SECRET = 6
# A message may quote a file or a model, and a log is read by people.
_LONGEST_MESSAGE = 2_000
# What a library says of a value it could not use can be the value itself, such as a line of an upload.
_LONGEST_ERROR = 300
# What another process sends along may be anything.
_LONGEST_TRACEBACK = 50_000
# Where an exception holds the traceback of the process that raised it: a traceback itself cannot be sent.
_KEPT = "treeline_traceback"

_secrets: set[str] = set()

_NAMED = r"(?:api[-_ ]?key|key|token|password|passwd|secret|authorization)"
_PATTERNS = (
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{6,}"), rf"\1 {_HIDDEN}"),
    (re.compile(rf"(?i)({_NAMED}\"?'?\s*[=:]\s*[\"']?)[^\s\"',;&)\]}}]{{6,}}"), rf"\1{_HIDDEN}"),
    (re.compile(r"\b(?:sk|pk|hf|ghp)[-_][\w-]{8,}"), _HIDDEN),
    (re.compile(r"(://)[^/\s:@]*:[^/\s@]+@"), rf"\1{_HIDDEN}@"),
    # The addresses of layers and uploads hold tokens.
    (re.compile(r"(/(?:tiles|upload)/)[^/\s?\"']+"), rf"\1{_HIDDEN}"),
    # What was uploaded: bytes as Python prints them, and the value in a complaint of pydantic.
    (re.compile(r"\bb(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", re.DOTALL), "<bytes>"),
    (re.compile(r"input_value=.*?(?=, input_type=)", re.DOTALL), f"input_value={_HIDDEN}"),
)


def hide(secret: str) -> None:
    """Keep a secret out of every log from now on."""
    if len(secret) >= _SHORTEST_SECRET:
        _secrets.add(secret)


def redact(text: str) -> str:
    """Return a text without keys, passwords, tokens and what was uploaded."""
    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, _HIDDEN)
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def keep_traceback(error: BaseException) -> None:
    """Keep the traceback with an exception that is to be sent to another process: it is then sent too."""
    error.__dict__[_KEPT] = (traceback_text(error), frames_of(error))


def frames_of(error: BaseException) -> list[tuple[str, int]]:
    """Return module and line of each frame, the innermost last, of the process that raised the exception."""
    if kept := _sent_traceback(error):
        return kept[1]
    walked = traceback.walk_tb(error.__traceback__)
    return [(_module_of(frame), line) for frame, line in walked]


def _module_of(frame: FrameType) -> str:
    """Return the name of a frame's module; Streamlit runs a page under the name of the main module."""
    name, package = str(frame.f_globals.get("__name__", "")), Path(__file__).resolve().parents[1]
    path = Path(frame.f_code.co_filename).resolve()
    if name != "__main__" or not path.is_relative_to(package):
        return name
    return ".".join((NAME, *path.relative_to(package).with_suffix("").parts))


def traceback_text(error: BaseException) -> str:
    """Return the traceback of an exception and of those that led to it, redacted, with short messages."""
    if kept := _sent_traceback(error):
        return redact(_cut(kept[0], _LONGEST_TRACEBACK))
    formatted: traceback.TracebackException | None = traceback.TracebackException.from_exception(error)
    parts: list[str] = []
    while formatted is not None:
        said = redact(_cut("".join(formatted.format_exception_only()).strip(), _LONGEST_ERROR))
        frames = redact("".join(formatted.stack.format()))
        parts.append(f"Traceback (most recent call last):\n{frames}{said}\n")
        formatted = formatted.__cause__ or (None if formatted.__suppress_context__ else formatted.__context__)
    return "\nThen:\n\n".join(reversed(parts))


def _sent_traceback(error: BaseException) -> tuple[str, list[tuple[str, int]]] | None:
    """Return the traceback that another process sent along; what is no such thing counts as none."""
    try:
        text, frames = error.__dict__[_KEPT]
        return str(text), [(str(module), int(line)) for module, line in frames]
    except (KeyError, TypeError, ValueError):
        return None


class Redaction(logging.Filter):
    """Takes what is secret out of a record before it is written: message, arguments, traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record and let it pass."""
        if isinstance(record.args, tuple):
            record.args = tuple(_without_content(value) for value in record.args)
        record.msg, record.args = _cut(redact(record.getMessage()), _LONGEST_MESSAGE), ()
        if record.exc_info and record.exc_info[1] is not None:
            record.exc_text = traceback_text(record.exc_info[1])
        return True


class _Text(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")


class _Json(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_text:
            told["traceback"] = record.exc_text
        return json.dumps(told, ensure_ascii=False)


class _StandardError(logging.Handler):
    """Writes to what is standard error at the moment."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            print(self.format(record), file=sys.stderr, flush=True)
        except Exception:  # a log that cannot be written must not end the work that it reports
            self.handleError(record)


_FORMS: dict[str, type[logging.Formatter]] = {"text": _Text, "json": _Json}


def set_up_logging() -> None:
    """Write the log as ``TREELINE_LOG`` says; called again, it is set up again.

    Raises
    ------
    InputError
        The setting names a level or a form that does not exist.
    """
    level, form = _level_and_form()
    hide(os.environ.get("OPENAI_API_KEY", ""))
    logger = logging.getLogger(NAME)
    for handler in [h for h in logger.handlers if isinstance(h, _StandardError)]:
        logger.removeHandler(handler)
    handler = _StandardError()
    handler.setFormatter(_FORMS[form]())
    handler.addFilter(Redaction())
    logger.addHandler(handler)
    logger.setLevel(level.upper())


def _level_and_form() -> tuple[str, str]:
    level, _, form = os.environ.get(SETTING, "").strip().casefold().partition(":")
    level, form = level or _DEFAULT_LEVEL, form or "text"
    if level not in LEVELS or form not in _FORMS:
        # The toolkit is loaded with its errors, which takes a second; this module is to be light.
        from treeline.toolkit.errors import InputError

        raise InputError(
            f"{SETTING} is {os.environ[SETTING]!r}.",
            f"Give a level ({', '.join(LEVELS)}), a form ({', '.join(_FORMS)}) or both: info, debug:json.",
        )
    return level, form


def _without_content(value: Any) -> Any:
    return f"<{len(value)} bytes>" if isinstance(value, bytes | bytearray | memoryview) else value


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 4]} ..."
