"""Running a tool: once, or over lists of rasters, in threads, in processes or on a cluster."""

from __future__ import annotations

import contextvars
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from treeline.toolkit import cluster
from treeline.toolkit.context import ToolContext, current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.items import Outcome, Surroundings, collected, run_item
from treeline.toolkit.tool import Tool


def each(function: Callable[..., Any], *lists: Sequence[Any], label: str = "") -> list[Any]:
    """Apply a function to the items of lists of one length and return the results in order.

    In threads of this process; in worker processes of this machine when ``TREELINE_WORKERS`` says
    how many; on a dask scheduler when ``TREELINE_SCHEDULER`` gives its address. In processes the
    function and its arguments must be picklable, and an item whose worker dies is run again.

    Parameters
    ----------
    function : callable
        ``function(*items)``. It finds its own context in force, whose warnings and products are
        added to the caller's in the order of the items.
    label : str
        Of the progress.

    Raises
    ------
    InputError
        The lists differ in length.
    TreelineError
        The first fault of an item; it names the item, and no further item is started.
    Stopped
        The person stopped the work.
    """
    items = _items(lists)
    context = current_context()
    context.check_stop()
    if not items:
        return []
    run = cluster.run_items if cluster.is_wanted() else _in_threads
    outcomes = run(function, items, context, label)
    for outcome in outcomes:
        for warning in outcome.warnings:
            context.warn(warning)
        context.products.extend(outcome.products)
    return [outcome.value for outcome in outcomes]


def call_mapped(tool: Tool, arguments: Mapping[str, Any]) -> Any:
    """Call a tool's implementation for the profile in force.

    A parameter that takes one raster and is given a list maps the tool over it; single values
    serve every item. Lists of outputs are taken item by item; one output name for many becomes
    ``<stem>_1``, ``<stem>_2`` and so on, padded with zeros so that names sort.

    Raises
    ------
    InputError
        The arguments do not fit the tool, or their lists differ in length (the ``earth_bench``
        profile cuts them to the shortest and warns).
    """
    context = current_context()
    named = {tool.parameter_aliases.get(name, name): value for name, value in arguments.items()}
    function = tool.implementation(context.profile)
    if context.profile == "earth_bench":
        named = _cut_to_shortest(tool, named)
    count = _mapped_count(tool, named)
    if count is None:
        return _call(tool.name, function, tool.validate(named))
    calls = [tool.validate(_item_arguments(tool, named, index, count)) for index in range(count)]
    return each(_call, [tool.name] * count, [function] * count, calls, label=tool.name)


def _cut_to_shortest(tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments with lists that are taken item by item cut to the shortest.

    The reference does so in silence. Lists that a tool takes as a whole are left as they are.
    """
    item_by_item = any(p.many for p in tool.outputs)
    lists = (*tool.inputs, *tool.outputs)
    names = [p.name for p in lists if _is_list(arguments.get(p.name)) and (item_by_item or not p.many)]
    lengths = {name: len(arguments[name]) for name in names}
    if len(set(lengths.values())) < 2:
        return arguments
    shortest = min(lengths.values())
    found = ", ".join(f"{name}: {length}" for name, length in lengths.items())
    current_context().warn(f"The lists differ in length ({found}); the first {shortest} of each were used.")
    return {**arguments, **{name: list(arguments[name])[:shortest] for name in names}}


def _call(name: str, function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    current_context().provenance = {"tool": name, "arguments": dict(arguments)}
    return function(**arguments)


def _mapped_count(tool: Tool, arguments: Mapping[str, Any]) -> int | None:
    lists = {p.name: arguments[p.name] for p in tool.inputs if not p.many and _is_list(arguments.get(p.name))}
    lengths = {name: len(values) for name, values in lists.items()}
    if not lists:
        return None
    if 0 in lengths.values():
        empty = next(name for name, length in lengths.items() if not length)
        raise InputError(f"{tool.name}: the list {empty!r} is empty.", "Give at least one raster.")
    _require_equal(tool.name, lengths)
    return next(iter(lengths.values()))


def _item_arguments(tool: Tool, arguments: Mapping[str, Any], index: int, count: int) -> dict[str, Any]:
    changed = dict(arguments)
    for parameter in tool.parameters:
        if parameter.contract is None or parameter.many:
            continue
        value = arguments.get(parameter.name, parameter.default)
        if _is_list(value):
            _require_equal(tool.name, {"the rasters": count, parameter.name: len(value)})
            changed[parameter.name] = value[index]
        elif parameter in tool.outputs and isinstance(value, str) and count > 1:
            changed[parameter.name] = _numbered(value, index, count)
    return changed


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _numbered(output: str, index: int, count: int) -> str:
    path = Path(output)
    number = str(index + 1).zfill(len(str(count)))
    return str(path.with_name(f"{path.stem}_{number}{path.suffix}"))


def _require_equal(name: str, lengths: Mapping[str, int]) -> None:
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{key}: {length}" for key, length in lengths.items())
        raise InputError(f"{name}: the lists differ in length ({found}).", "Give lists of one length.")


def _items(lists: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    _require_equal("each", {f"list {number}": len(values) for number, values in enumerate(lists, start=1)})
    return list(zip(*lists, strict=True))


def _in_threads(
    function: Callable[..., Any], items: list[tuple[Any, ...]], context: ToolContext, label: str
) -> list[Outcome]:
    workers = max(1, min(context.threads, len(items)))
    surroundings = Surroundings.of(context, max(1, context.threads // workers))
    with ThreadPoolExecutor(workers, thread_name_prefix="item") as pool:

        def start(item: tuple[Any, ...]) -> Future[Outcome]:
            own = contextvars.copy_context()
            return pool.submit(own.run, run_item, function, item, surroundings, context.stop)

        try:
            return collected(_finished_in_threads(start, items, workers), len(items), context, label)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _finished_in_threads(
    start: Callable[[tuple[Any, ...]], Future[Outcome]], items: list[tuple[Any, ...]], workers: int
) -> Iterator[tuple[int, Future[Outcome]]]:
    # No more items wait than run, so that after a fault none is started.
    numbered = enumerate(items)
    running = {start(item): number for number, item in itertools.islice(numbered, workers)}
    while running:
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future
            running.update({start(item): number for number, item in itertools.islice(numbered, 1)})
