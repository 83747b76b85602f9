"""One of several items of work: its surroundings, its outcome, and how outcomes come together."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treeline.toolkit.context import Product, ToolContext, use_context
from treeline.toolkit.errors import Stopped, TreelineError
from treeline.toolkit.interest import AreaOfInterest

_inside_item: contextvars.ContextVar[bool] = contextvars.ContextVar("inside_item", default=False)


@dataclass(frozen=True)
class Outcome:
    """What one item gave: its value, and what it said and wrote on the way."""

    value: Any
    warnings: tuple[str, ...]
    products: tuple[Product, ...]
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Surroundings:
    """The part of a context that can travel to another process."""

    output_folder: Path
    resolver: Any
    profile: str
    threads: int
    provenance: Mapping[str, Any]
    area: AreaOfInterest | None

    @classmethod
    def of(cls, context: ToolContext, threads: int) -> Surroundings:
        """Return the surroundings for one of several items that run at once."""
        return cls(
            context.output_folder,
            context.resolver,
            context.profile,
            threads,
            dict(context.provenance),
            context.area,
        )

    def context(self, stop: threading.Event | None = None) -> ToolContext:
        """Return a fresh context with no warnings and no products."""
        return ToolContext(
            output_folder=self.output_folder,
            resolver=self.resolver,
            profile=self.profile,
            threads=self.threads,
            stop=stop or threading.Event(),
            provenance=self.provenance,
            area=self.area,
        )


def inside_item() -> bool:
    """Return whether an item is at work here: it maps in its own process, workers start no clusters."""
    return _inside_item.get()


def run_item(
    function: Callable[..., Any],
    item: tuple[Any, ...],
    surroundings: Surroundings,
    stop: threading.Event | None = None,
) -> Outcome:
    """Apply a function to an item in a context of its own."""
    token = _inside_item.set(True)
    try:
        with use_context(surroundings.context(stop)) as context:
            context.check_stop()
            value = function(*item)
            return Outcome(value, tuple(context.warnings), tuple(context.products), tuple(context.doubts))
    finally:
        _inside_item.reset(token)


def _named_fault(error: TreelineError, number: int, count: int) -> TreelineError:
    if isinstance(error, Stopped) or count == 1:
        return error
    # Of the same type, by which callers tell a refusal from a failure.
    return type(error)(f"Item {number} of {count}: {error.message}", error.hint)


def collect(
    finished: Iterator[tuple[int, Any]], count: int, context: ToolContext, label: str
) -> list[Outcome]:
    """Return the outcomes in the order of the items, telling the progress; stop at the first fault.

    Parameters
    ----------
    finished : iterator of (int, future)
        The items by number as they are done.
    """
    outcomes: dict[int, Outcome] = {}
    for number, future in finished:
        try:
            outcomes[number] = future.result()
        except TreelineError as fault:
            raise _named_fault(fault, number + 1, count) from fault
        context.progress(len(outcomes), count, label)
        if len(outcomes) < count:
            context.check_stop()
    return [outcomes[number] for number in range(count)]
