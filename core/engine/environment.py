"""What an action does: information about tools, or a call in the workspace, or a refusal with a hint."""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath
from typing import Any, Literal

from treeline.core.engine.actions import Action, Answer, Call, Doc, Observation, Skill
from treeline.core.engine.advice import advice, find_tool, near_tools
from treeline.core.engine.arguments import Repair
from treeline.core.engine.call_reuse import from_record
from treeline.core.engine.calls import CallCheck, ProposedCall
from treeline.core.engine.checks import (
    check_inputs,
    doubts,
    doubts_of_value,
    faults,
    unit_of_result,
    units_of_items,
)
from treeline.core.engine.class_lines import class_line
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.observations import as_json, only_tells_paths, product_lines, result_text
from treeline.core.engine.parallel_calls import Ahead, independent
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State, Step
from treeline.core.engine.tool_process import run_tool
from treeline.core.engine.values import make_readable
from treeline.core.faults import ReportFault, log_fault
from treeline.core.logs import redact
from treeline.core.workspace import date_text
from treeline.toolkit import Registry, ToolContext, use_context
from treeline.toolkit.context import TellProgress
from treeline.toolkit.errors import (
    BackendMissing,
    InputError,
    RasterError,
    ResourceLost,
    Stopped,
    TreelineError,
    UnknownTool,
)
from treeline.toolkit.lists import rows_of
from treeline.toolkit.tool import Tool

# Warnings that one observation tells, and characters of each: the policy reads them again at every later
# turn. All of them stay in the record.
_MOST_WARNINGS = 8
_LONGEST_WARNING = 240
# Files of which the same is warned, by name.
_MOST_FILES = 12
# The name of a file, without which warnings of the same kind are the same text.
_FILE = re.compile(r"\S+\.\w{2,4}\b")


class Environment:
    """Carries out actions in the data of one run.

    Parameters
    ----------
    data : RunData
    disclosure : Disclosure
    registry : Registry
    profile : str
        ``science`` or ``earth_bench``.
    open_tools : collection of str
        May be called without their document.
    checks : sequence of callable
        Made of each call before it is carried out, besides the environment's own.
    report : callable
        Takes an exception of a tool that nobody foresaw.
    """

    def __init__(
        self,
        data: RunData,
        disclosure: Disclosure,
        registry: Registry,
        profile: str = "science",
        checks: Sequence[CallCheck] = (),
        report: ReportFault = log_fault,
        open_tools: Collection[str] = (),
    ) -> None:
        self.data = data
        self.disclosure = disclosure
        self.registry = registry
        self.profile = profile
        self.checks = tuple(checks)
        self.report = report
        self.open_tools = frozenset(open_tools)
        self._ahead = Ahead()

    def act(
        self,
        action: Action,
        state: State,
        progress: TellProgress | None = None,
        stop: threading.Event | None = None,
    ) -> Observation:
        """Carry out an action and return the observation.

        Parameters
        ----------
        action : Action
        state : State
            The steps so far: which documents stand open, and which results a call may name.
        progress : callable, optional
            Takes done, total and a text while a tool works.
        stop : threading.Event, optional
            Set by whoever wants the call to end.

        Returns
        -------
        Observation
            Information, a result, a refusal with a hint, or a failure; faults are failures too.

        Raises
        ------
        Stopped
            The call was ended by ``stop``.
        ResourceLost
            What it needs beside its input is not there now.
        """
        match action:
            case Skill() | Doc():
                return self.disclosure.answer(action, state)
            case Call():
                return self._call(action, state, progress, stop)
            case Answer():
                return Observation("information", "answered")

    def begin(self, actions: Sequence[Action], state: State) -> None:
        """Begin those of the next actions at the same time that neither write nor wait for one another.

        They are answered in their order by :meth:`act`; what nobody asks for is stopped.
        """
        # What was begun for the actions before and not taken is no longer wanted.
        self._ahead.end()
        self._ahead = Ahead()
        calls = independent(actions, self.registry, self.open_tools | self.disclosure.callable_set(state))
        if len(calls) > 1:
            self._ahead.begin(
                calls,
                lambda call, context: self._attempt(call, state, context),
                # Without progress: the steps that these calls will be have no number yet by which it could be
                # told.
                lambda stop: self._context(None, stop),
            )

    def _attempt(self, action: Call, state: State, context: ToolContext) -> tuple[dict[str, Any], Any]:
        tool = self._tool(action.tool)
        repair = Repair(tool, self.data, {s.number: s.observation.value for s in state.calls})
        with use_context(context):
            arguments = self._arguments(action, tool, repair, state)
            return arguments, self.run_tool(tool, arguments, context)

    def _arguments(self, action: Call, tool: Tool, repair: Repair, state: State) -> dict[str, Any]:
        """Return the arguments of a call, repaired and checked, in the context that is in force."""
        arguments = repair.arguments(make_readable(action.arguments))
        proposed = ProposedCall(action, tool, arguments, state, self.data, self.registry)
        for check in self.checks:
            check(proposed)
        check_inputs(tool, arguments)
        return arguments

    def _call(
        self, action: Call, state: State, progress: TellProgress | None, stop: threading.Event | None
    ) -> Observation:
        try:
            tool = self._tool(action.tool)
            self._check_callable(tool, state)
        except InputError as error:
            return self._fault("refusal", error, error.hint)
        context = self._context(progress, stop)
        repair = Repair(tool, self.data, {s.number: s.observation.value for s in state.calls})
        try:
            if tool.name != action.tool:
                repair.notes.append(f"{action.tool!r} is now called {tool.name!r}.")
            with use_context(context):
                arguments = self._arguments(action, tool, repair, state)
                if (known := from_record(tool, as_json(arguments), state)) is not None:
                    return known
                done, value = self._ahead.take(action, arguments, context)
                value = value if done else self.run_tool(tool, arguments, context)
                for doubt in doubts_of_value(tool, arguments, as_json(value)):
                    context.doubt(doubt)
        # They are errors of Treeline too, and would become failures that the policy works around, where there
        # is nothing to work around: the same call can be made when the run goes on.
        except (Stopped, ResourceLost):
            raise
        # These say that the call cannot be made as it was written; whatever else a tool raises happened while
        # it worked.
        except (InputError, RasterError, BackendMissing) as error:
            hint = advice(error, self.data, self.registry, tool, action.arguments)
            return self._fault("refusal", error, hint, repair.notes)
        except TreelineError as error:
            return self._fault("failure", error, error.hint, repair.notes)
        except Exception as error:  # a tool's own fault must not end the run
            code = self.report(error, f"The tool {tool.name}").code
            said = f"{tool.name} failed: {type(error).__name__}: {redact(str(error))}"
            fault = TreelineError(
                f"{said} (a fault of Treeline; code {code}).", "The call is not at fault: take another tool."
            )
            return self._fault("failure", fault, fault.hint, repair.notes, type(error).__name__)
        return self._result(tool, value, arguments, context, repair.notes, state)

    def repeat(self, tool: str, arguments: Mapping[str, Any], stop: threading.Event) -> None:
        """Make an earlier call once more, for the files that it wrote; what it found is known.

        Parameters
        ----------
        arguments : mapping
            As they were after repair.

        Raises
        ------
        TreelineError
            It cannot be made any more.
        Stopped
            The call was ended by ``stop``.
        """
        context = self._context(None, stop)
        with use_context(context):
            self.run_tool(self._tool(tool), dict(arguments), context)

    def run_tool(self, tool: Tool, arguments: dict[str, Any], context: ToolContext) -> Any:
        """Run a tool whose arguments are checked, in the context that is in force."""
        return run_tool(tool, arguments, context)

    def _tool(self, name: str) -> Tool:
        try:
            return self.registry.get(name)
        except UnknownTool as error:
            meant = find_tool(name, self.registry)
            if meant is not None:
                return meant
            near = ", ".join(near_tools(name, self.registry))
            raise UnknownTool(error.message, f"Nearest tools: {near}.") from None

    def _check_callable(self, tool: Tool, state: State) -> None:
        if tool.name not in self.open_tools | self.disclosure.callable_set(state):
            raise self.disclosure.refusal(tool.name)

    def _context(self, progress: TellProgress | None, stop: threading.Event | None) -> ToolContext:
        context = ToolContext(
            output_folder=self.data.folder,
            resolver=self.data.resolver,
            profile=self.profile,
            area=self.data.area,
        )
        if progress is not None:
            context.progress = progress
        if stop is not None:
            context.stop = stop
        return context

    def _result(
        self,
        tool: Tool,
        value: Any,
        arguments: dict[str, Any],
        context: ToolContext,
        notes: list[str],
        state: State,
    ) -> Observation:
        products = self.data.add(context.products)
        told = [*notes, *context.warnings, *(doubt for product in products for doubt in doubts(product))]
        warnings = [self.data.without_folders(warning) for warning in told]
        plain = as_json(value)
        with use_context(context):
            unit, units = unit_of_result(tool, arguments), units_of_items(tool, arguments, plain)
            classes = class_line(tool, arguments, plain, self.data)
        distrust = (*context.doubts, *(fault for product in products for fault in faults(product)))
        dates = self._dates(tool, arguments, plain)
        if not dates and tool.gives.quantity != _PAIR:
            dates = self._dates_of_earlier(arguments, plain, state.calls)
        number = len(state.steps) + 1
        files = self._files(tool, arguments, plain)
        if not only_tells_paths(plain, products):
            said = [result_text(plain, dates, number, unit, files, units)]
        else:
            said = []
        said += [classes] if classes else []
        text = "\n".join([*said, *product_lines(products), *_warning_lines(warnings, state)])
        return Observation(
            "result",
            text,
            value=plain,
            products=products,
            warnings=tuple(warnings),
            arguments=as_json(arguments),
            repairs=tuple(notes),
            doubts=distrust,
            unit=unit,
            units=units,
        )

    def _fault(
        self,
        kind: Literal["refusal", "failure"],
        error: TreelineError,
        hint: str,
        notes: Sequence[str] = (),
        name: str = "",
    ) -> Observation:
        told = tuple(map(self.data.without_folders, notes))
        return Observation(
            kind,
            self.data.without_folders(error.message),
            hint=self.data.without_folders(hint),
            warnings=told,
            error=name or type(error).__name__,
            repairs=told,
        )

    def _dates(self, tool: Tool, arguments: dict[str, Any], value: Any) -> list[str]:
        """Return the dates of the rasters that numbers, or the rows of a table, belong to.

        Numbers of rasters of one date are told by their bands too.
        """
        described = [self.data.resolver.describe(address) for address in _rasters_of(tool, arguments, value)]
        dates = [date_text(description) for description, _ in described]
        if not dates:
            return []
        if tool.gives.kind == "table" or len(set(dates)) > 1:
            return dates
        # One date says nothing of which number is whose: the bands of a scene are told by their roles.
        names = [band or description.bands[0].role or "" for description, band in described]
        return (
            [f"{dates[0]} {name}".strip() for name in names] if len(set(names)) == len(names) > 1 else dates
        )

    def _files(self, tool: Tool, arguments: dict[str, Any], value: Any) -> list[str]:
        """Return the names of those rasters, of which each is another one; nothing of a single one."""
        names = [PurePath(address).name for address in _rasters_of(tool, arguments, value)]
        return names if len(set(names)) == len(names) > 1 else []

    def _dates_of_earlier(self, arguments: Mapping[str, Any], value: Any, steps: Sequence[Step]) -> list[str]:
        """Return the dates of an earlier result, where a call gives its rows again or a value for each."""
        for given in map(as_json, arguments.values()):
            if not isinstance(given, list) or not isinstance(value, list) or arguments.get("containing"):
                continue
            place = next((n for n, step in enumerate(steps) if step.observation.value == given), None)
            dates = self._dates_of_step(steps[place], steps[:place]) if place is not None else []
            if not dates or len(given) != len(dates):
                continue
            if rows_of(given) is not given:  # tables of several rasters, each row with the number of its own
                return [dates[row["raster"] - 1] for row in value if "raster" in row]
            # Only rows that are given again may be some of them.
            first = int(arguments.get("first", 1)) - 1
            told = dates[first : first + len(value)] if "rows" in arguments else dates
            if len(value) == len(told):
                return told
        return []

    def _dates_of_step(self, step: Step, before: Sequence[Step]) -> list[str]:
        arguments = step.observation.arguments
        if not arguments or not isinstance(step.action, Call) or step.action.tool not in self.registry:
            return []
        dates = self._dates(self.registry.get(step.action.tool), dict(arguments), step.observation.value)
        return dates or self._dates_of_earlier(arguments, step.observation.value, before)


def _rasters_of(tool: Tool, arguments: Mapping[str, Any], value: Any) -> list[str]:
    """Return the addresses of the rasters that numbers, or the rows of a table, belong to.

    A tool that gives one number of a raster gives a list of several rasters.
    """
    each = tool.gives.kind == "number" and isinstance(value, list)
    if not tool.inputs or not (each or tool.gives.kind in ("series", "table")):
        return []
    addresses = arguments.get(tool.inputs[0].name)
    return list(map(str, addresses)) if isinstance(addresses, list) else []


# An extreme and its place in the list: of two dates as well these are no numbers of either.
_PAIR = "extreme"


def _warning_lines(warnings: Sequence[str], state: State) -> list[str]:
    """Return the warnings of kinds that no earlier step told, and of which other files the rest are."""
    told = [warning for step in state.steps for warning in step.observation.warnings]
    known = {_kind_of(warning) for warning in told}
    new: dict[str, list[str]] = {}
    for warning in warnings:
        if _kind_of(warning) not in known:
            new.setdefault(_kind_of(warning), []).append(warning)
    lines = [
        f"warning: {_cut(first)}" + (f" (So too {_files_of(others)}.)" if _files_of(others) else "")
        for first, *others in list(new.values())[:_MOST_WARNINGS]
    ]
    again = [warning for warning in warnings if _kind_of(warning) in known]
    if not again:
        return lines
    others = _files_of([warning for warning in again if warning not in told])
    return [*lines, f"(warnings of the same kind as before{', of ' if others else ''}{others})"]


def _files_of(warnings: Sequence[str]) -> str:
    """Return the file that each warning names first, of many some and how many more."""
    found = list(dict.fromkeys(match[0] for each in warnings if (match := _FILE.search(each))))
    more = len(found) - _MOST_FILES
    return ", ".join(found[:_MOST_FILES]) + (f" and {more} more" if more > 0 else "")


def _kind_of(warning: str) -> str:
    return _FILE.sub("", warning)


def _cut(warning: str) -> str:
    return warning if len(warning) <= _LONGEST_WARNING else f"{warning[: _LONGEST_WARNING - 4]} ..."
