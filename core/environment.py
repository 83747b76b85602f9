"""What an action does: information about tools, or a call in the workspace, or a refusal with a hint."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from core.actions import Action, Answer, Call, Doc, Observation, ProductRecord, Skill
from core.arguments import Repair
from core.checks import check_inputs, doubts
from core.disclosure import Disclosure
from core.rundata import RunData
from core.state import State
from toolkit import Registry, ToolContext, use_context
from toolkit.errors import InputError, RasterError, Stopped, TreelineError
from toolkit.tool import Tool

_LONGEST_TEXT = 2_000

ProgressCallback = Callable[[int, int, str], None]


class Environment:
    """Carries out actions in the data of one run.

    Parameters
    ----------
    data : RunData
    disclosure : Disclosure
    registry : Registry
    profile : str
        ``science`` or ``earth_bench``.
    """

    def __init__(self, data: RunData, disclosure: Disclosure, registry: Registry, profile: str = "science") -> None:
        self.data = data
        self.disclosure = disclosure
        self.registry = registry
        self.profile = profile

    def act(
        self,
        action: Action,
        state: State,
        progress: ProgressCallback | None = None,
        stop: threading.Event | None = None,
    ) -> Observation:
        """Carry out an action and return the observation.

        Faults become observations; only :class:`Stopped` is raised.
        """
        match action:
            case Skill() | Doc():
                return self.disclosure.answer(action)
            case Call():
                return self._call(action, state, progress, stop)
            case Answer():
                return Observation("information", "answered")

    def _call(
        self, action: Call, state: State, progress: ProgressCallback | None, stop: threading.Event | None
    ) -> Observation:
        try:
            tool = self.registry.get(action.tool)
            self._check_callable(tool, state)
        except InputError as error:
            return _fault("refusal", error)
        context = self._context(progress, stop)
        repair = Repair(tool, self.data, {s.number: s.observation.value for s in state.calls})
        try:
            if tool.name != action.tool:
                repair.notes.append(f"{action.tool!r} is now called {tool.name!r}.")
            with use_context(context):
                arguments = repair.arguments(action.arguments)
                check_inputs(tool, arguments)
                value = tool.run(arguments, context)
        except Stopped:
            raise
        except (InputError, RasterError) as error:
            return _fault("refusal", error, repair.notes)
        except TreelineError as error:
            return _fault("failure", error, repair.notes)
        except Exception as error:  # a tool's own fault must not end the run
            fault = TreelineError(f"{tool.name} failed: {type(error).__name__}: {error}", "Try another tool.")
            return _fault("failure", fault, repair.notes, type(error).__name__)
        return self._result(tool, value, arguments, context, repair.notes)

    def _check_callable(self, tool: Tool, state: State) -> None:
        if tool.name not in self.disclosure.callable_set(state):
            raise InputError(
                f"{tool.name} is not callable yet: its document has not been read.", f"Read it first: doc({tool.name!r})."
            )

    def _context(self, progress: ProgressCallback | None, stop: threading.Event | None) -> ToolContext:
        context = ToolContext(output_folder=self.data.folder, resolver=self.data.resolver, profile=self.profile)
        if progress is not None:
            context.progress = progress
        if stop is not None:
            context.stop = stop
        return context

    def _result(
        self, tool: Tool, value: Any, arguments: dict[str, Any], context: ToolContext, notes: list[str]
    ) -> Observation:
        products = self.data.add(context.products)
        warnings = [*notes, *context.warnings, *(doubt for product in products for doubt in doubts(product))]
        plain = as_json(value)
        text = "\n".join([shorten(plain), *_product_lines(products), *(f"warning: {w}" for w in warnings[:8])])
        return Observation("result", text, value=plain, products=products, warnings=tuple(warnings), arguments=as_json(arguments))


def _fault(
    kind: Literal["refusal", "failure"], error: TreelineError, notes: Sequence[str] = (), name: str = ""
) -> Observation:
    return Observation(
        kind, error.message, hint=error.hint, warnings=tuple(notes), error=name or type(error).__name__
    )


def as_json(value: Any) -> Any:
    """Return a value as what JSON can hold; NaN and infinity become ``None``."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    match value:
        case bool() | int() | str() | None:
            return value
        case float():
            return value if math.isfinite(value) else None
        case dict():
            return {str(key): as_json(item) for key, item in value.items()}
        case list() | tuple():
            return [as_json(item) for item in value]
        case Path():
            return str(value)
        case _:
            return str(value)


def shorten(value: Any, longest: int = _LONGEST_TEXT) -> str:
    """Return a value as text; of a long list the first three and the last two items are kept."""
    if isinstance(value, list) and len(value) > 6 and all(isinstance(item, str) for item in value):
        value = [*value[:3], f"... {len(value) - 5} more ...", *value[-2:]]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= longest else f"{text[: longest // 2]} ... {text[-longest // 4 :]}"


def _product_lines(products: tuple[ProductRecord, ...]) -> list[str]:
    """Return what, when and with which values, in at most three lines a role."""
    lines = []
    for role in dict.fromkeys(product.role for product in products):
        group = [product for product in products if product.role == role]
        dates = sorted(product.date for product in group if product.date)
        when = "" if not dates else f", {dates[0]}" + (f" to {dates[-1]}" if dates[-1] != dates[0] else "")
        lines.append(f"{group[0].handle or group[0].name}: {len(group)} x {role} [{group[0].unit or '1'}]{when}")
        known = [product for product in group if product.minimum is not None and product.mean is not None]
        if known:
            low = min(product.minimum for product in known if product.minimum is not None)
            high = max(product.maximum for product in known if product.maximum is not None)
            mean = sum(product.mean for product in known if product.mean is not None) / len(known)
            lines.append(f"  values {low:.4g} to {high:.4g}, mean {mean:.4g}")
    return lines
