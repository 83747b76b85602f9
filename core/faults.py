"""Faults of Treeline itself: an exception that nobody foresaw, with a code that a person can quote."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass

from treeline.core.logs import NAME, frames_of, traceback_text

# Short enough to be read out; faults of one server hardly ever share one.
_CODE_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Fault:
    """An unforeseen exception.

    Attributes
    ----------
    code : str
        The same for the same exception at the same place.
    subject : str
        What failed, as a person knows it: ``The planner``.
    error : str
        Name of the exception's type.
    where : str
        The innermost module and line of Treeline.
    traceback : str
        Redacted.
    """

    code: str
    subject: str
    error: str
    where: str
    traceback: str

    @property
    def sentence(self) -> str:
        """The sentence for a person."""
        return (
            f"{self.subject} failed with {self.error}: a fault of Treeline, not of your input. "
            f"Quote the code {self.code} when you report it."
        )


ReportFault = Callable[[BaseException, str], Fault]
"""Takes an exception and what failed; keeps it wherever faults are kept."""


def fault_of(error: BaseException, subject: str) -> Fault:
    """Return an exception as a fault of ours."""
    frames = frames_of(error)
    inside = [frame for frame in frames if frame[0].startswith(NAME)] or frames
    module, line = inside[-1] if inside else (NAME, 0)
    said = repr((type(error).__qualname__, inside))
    code = hashlib.sha256(said.encode()).hexdigest()[:_CODE_LENGTH]
    return Fault(code, subject, type(error).__name__, f"{module}:{line}", traceback_text(error))


def log_fault(error: BaseException, subject: str) -> Fault:
    """Write a fault to the log of the package that it is in, and return it."""
    fault = fault_of(error, subject)
    module = fault.where.partition(":")[0]
    logger = logging.getLogger(module if module.startswith(NAME) else NAME)
    logger.error("%s (at %s)", fault.sentence, fault.where, exc_info=error)
    return fault
