"""The tools whose calls can be said in rasterio and numpy, each with the code that says one."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeline.core.errors import NotExpressible
from treeline.core.runs.exports.plain.rasters import Rasters
from treeline.core.runs.result import StepResult
from treeline.toolkit.index.batch_table import ROWS
from treeline.toolkit.index.catalogue import find_index
from treeline.toolkit.index.compute import settled_parameters
from treeline.toolkit.index.formula import is_condition
from treeline.toolkit.statistics.masks import MASK_RULES
from treeline.toolkit.variables import variable

_RESULT = re.compile(r"@result(\d+)")
# What a formula may hold beside its names, so that it is the same in Python.
_FORMULA = re.compile(r"[\w\s+\-*/().,]+")
_CONDITION = re.compile(r"[\w\s+\-*/().,<>=!&|~]+")
_NUMPY = {
    "sqrt": "np.sqrt",
    "exp": "np.exp",
    "log": "np.log",
    "abs": "np.abs",
    "minimum": "np.minimum",
    "maximum": "np.maximum",
}
_NUMBERS: Mapping[str, str] = {
    "mean": "np.mean",
    "median": "np.median",
    "min": "np.min",
    "max": "np.max",
    "sum": "np.sum",
    "std": "deviation",
    "range": "np.ptp",
    "share": "share",
}
_OPERATORS: Mapping[str, str] = {
    "above": ">",
    "below": "<",
    "above_equal": ">=",
    "below_equal": "<=",
    "equal": "==",
    "not_equal": "!=",
}
# Where a quality band is clear, by what it is.
_CLEAR: Mapping[str, str] = {
    "cloud_mask": "{} == 0",
    "cloud_probability": "{} < 40",
    "clear_score": "{} >= 0.6",
}
_COMPOSITES: Mapping[str, str] = {
    "mean": "np.nanmean",
    "median": "np.nanmedian",
    "max": "np.fmax.reduce",
    "min": "np.fmin.reduce",
}
_COMBINATIONS: Mapping[str, str] = {
    "difference": "{a} - {b}",
    "absolute_difference": "abs({a} - {b})",
    "ratio": "{a} / {b}",
    "sum": "{a} + {b}",
    "product": "{a} * {b}",
}


@dataclass(frozen=True)
class PlainCall:
    """A call of a run, with what its code is made of.

    Attributes
    ----------
    known : frozenset of int
        The steps whose results the script has.
    """

    step: StepResult
    rasters: Rasters
    known: frozenset[int]

    def get(self, name: str, usual: Any = None) -> Any:
        """Return an argument."""
        return self.step.arguments.get(name, usual)

    def require(self, **usual: Any) -> None:
        """Raise where an argument is other than usual.

        Raises
        ------
        NotExpressible
        """
        for name, value in usual.items():
            if self.get(name, value) != value:
                raise NotExpressible(f"{name} = {self.get(name)!r} has no counterpart")

    def keys(self, name: str, *roles: str) -> list[str]:
        """Return the rasters of an argument by their names in the script.

        Raises
        ------
        NotExpressible
            The argument was not given, or its rasters are gone.
        """
        given = self.get(name)
        if given is None:
            raise NotExpressible(f"{name} was not given")
        return [self.rasters.key(address, *roles) for address in self.rasters.names_of(given)]

    def is_list(self, name: str) -> bool:
        """Return whether an argument is several, so that a tool for one was called for each."""
        given = self.get(name)
        return not isinstance(given, str) or given.startswith("@")

    def value(self, name: str) -> str:
        """Return a number, or several, as code.

        Raises
        ------
        NotExpressible
            It is the result of a step that the script has not.
        """
        given = self.get(name)
        found = _RESULT.fullmatch(given) if isinstance(given, str) else None
        if found is None:
            return repr(given)
        if int(found[1]) not in self.known:
            raise NotExpressible(f"{name} is the result of step {found[1]}")
        return f"step_{found[1]}"

    def constant(self, name: str, usual: Any = None) -> float:
        """Return a number that was written in the call, also as text, as a model writes it at times.

        Raises
        ------
        NotExpressible
            It is no number, or the result of a step.
        """
        given = self.get(name, usual)
        try:
            return given if isinstance(given, int | float) else float(given)
        except (TypeError, ValueError):
            raise NotExpressible(f"{name} = {given!r} is no number") from None

    def number(self, name: str, usual: Any = None) -> str:
        """Return one number as code: a constant, or the result of a step.

        Raises
        ------
        NotExpressible
            It is neither.
        """
        given = self.get(name, usual)
        is_result = isinstance(given, str) and _RESULT.fullmatch(given)
        return self.value(name) if is_result else repr(self.constant(name, usual))

    def operator(self, usual: str) -> str:
        """Return the comparison that the argument ``mode`` names.

        Raises
        ------
        NotExpressible
            There is none of that name.
        """
        mode = str(self.get("mode", usual))
        if mode not in _OPERATORS:
            raise NotExpressible(f"mode = {mode!r} has no counterpart")
        return _OPERATORS[mode]


Build = Callable[[PlainCall], list[str]]


def _result(call: PlainCall, code: str) -> list[str]:
    return [f"step_{call.step.number} = {code}"]


def _of_each(call: PlainCall, name: str, code: str, *roles: str) -> list[str]:
    """Return the code of a number of each raster of an argument; of one where one is given."""
    keys = call.keys(name, *roles)
    if not call.is_list(name):
        return _result(call, code.format(f"layer({keys[0]!r})"))
    return _result(call, f"[{code.format('layer(name)')} for name in {keys!r}]")


def _makes(call: PlainCall, inputs: Sequence[Sequence[str]], outputs: Sequence[str], code: str) -> list[str]:
    """Return the code that makes rasters pixel by pixel, each of one of every list of inputs."""
    rows = []
    for place, output in enumerate(outputs):
        chosen = [keys[place if len(keys) > 1 else 0] for keys in inputs]
        rows.append((call.rasters.make(output, chosen), *chosen))
    letters = [f"raster_{number}" for number in range(1, len(inputs) + 1)]
    layers = [f"layer({letter})" for letter in letters]
    return [
        f"for name, {', '.join(letters)} in {rows!r}:",
        f"    keep(name, {code.format(*layers)})",
    ]


def _statistic(name: str) -> Build:
    def build(call: PlainCall) -> list[str]:
        call.require(uint8=False)
        return _of_each(call, "file_list", f"measure({{}}, {_NUMBERS[name]})")

    return build


def _number_of(call: PlainCall) -> str:
    name = str(call.get("statistic", "mean"))
    if name == "percentile":
        return f"lambda known: np.percentile(known, {call.number('parameter')})"
    if name not in _NUMBERS:
        raise NotExpressible(f"the statistic {name!r} has no counterpart")
    return _NUMBERS[name]


def _image_statistics(call: PlainCall) -> list[str]:
    return _of_each(call, "file_list", f"measure({{}}, {_number_of(call)})")


def _pool(call: PlainCall) -> list[str]:
    pixels = f"np.concatenate([there(layer(name)) for name in {call.keys('file_list')!r}])"
    return _result(call, f"measure({pixels}, {_number_of(call)})")


def _by_class(call: PlainCall) -> list[str]:
    call.require(pooled=False)
    (classes,) = call.keys("classes_path")
    keys = call.keys("file_list")
    call.rasters.require_one_grid([classes, *keys])
    function = _number_of(call)
    return [
        f"classes = layer({classes!r})",
        *_result(call, f"[by_class(layer(name), classes, {function}) for name in {keys!r}]"),
    ]


def _clear_of(call: PlainCall) -> tuple[list[str], str]:
    """Return the quality bands of a call, and where these are clear."""
    roles = tuple(MASK_RULES)
    addresses = call.rasters.names_of(call.get("qa_pixel_path"))
    kinds = {call.rasters.source_of(address, *roles).role for address in addresses}
    kind = next(iter(kinds)) if len(kinds) == 1 else None
    if kind is None or kind not in _CLEAR:
        raise NotExpressible(f"the flags of {kind or 'a quality band of unknown kind'} have no counterpart")
    return [call.rasters.key(address, *roles) for address in addresses], _CLEAR[kind]


def _cloud_cover(call: PlainCall) -> list[str]:
    _, clear = _clear_of(call)
    hidden = f"~({clear.format('quality')})"
    code = f"(lambda quality: percent(quality, {hidden}))({{}})"
    return _of_each(call, "qa_pixel_path", code, *MASK_RULES)


def _apply_mask(call: PlainCall) -> list[str]:
    quality, clear = _clear_of(call)
    code = f"np.where({clear.format('{1}')}, {{0}}, np.nan)"
    outputs = call.rasters.names_of(call.get("output_path"))
    return _makes(call, [call.keys("sr_band_path"), quality], outputs, code)


def _difference_map(call: PlainCall) -> list[str]:
    call.require(uint8=False)
    outputs = call.rasters.names_of(call.get("output_path"))
    return _makes(call, [call.keys("image_a_path"), call.keys("image_b_path")], outputs, "{1} - {0}")


def _keep_where(call: PlainCall) -> list[str]:
    compared = f"{{1}} {call.operator('above')} {call.number('threshold')}"
    if call.get("mode") == "not_equal":
        # NaN is unequal to every number.
        compared = f"({compared}) & ~np.isnan({{1}})"
    outputs = call.rasters.names_of(call.get("output_path"))
    inputs = [call.keys("image_path"), call.keys("condition_path")]
    return _makes(call, inputs, outputs, f"np.where({compared}, {{0}}, np.nan)")


def _mask(call: PlainCall) -> list[str]:
    call.require(uint8=False)
    compared = f"{{0}} {call.operator('below')} {call.number('threshold')}"
    outputs = call.rasters.names_of(call.get("output_path_list"))
    return _makes(call, [call.keys("file_list")], outputs, f"np.where(np.isnan({{0}}), np.nan, {compared})")


def _composite(call: PlainCall) -> list[str]:
    call.require(uint8=False)
    method = "mean" if call.step.name == "calculate_tif_average" else call.get("method", "median")
    if method not in _COMPOSITES:
        raise NotExpressible(f"the method {method!r} has no counterpart")
    keys = call.keys("file_list")
    if any("#" in key for key in keys):
        raise NotExpressible("the rasters have several bands")
    name = call.rasters.make(str(call.get("output_path")), keys)
    stack = f"[layer(name) for name in {keys!r}]"
    return [f"keep({name!r}, at_each_pixel({stack}, {_COMPOSITES[method]}))"]


def _share(call: PlainCall) -> list[str]:
    call.require(band_index=0)
    compared = f"{call.operator('above')} {call.number('threshold', 0.75)}"
    keys = call.keys("image_paths")
    listed = f"[percent(layer(name), layer(name) {compared}) for name in {keys!r}]"
    if call.step.name == "calculate_threshold_ratio":
        return _result(call, f"float(np.mean([share for share in {listed} if share is not None]))")
    return _result(call, listed)


def _index(role: str) -> Build:
    row = next(each for each in ROWS if each.name == role)

    def build(call: PlainCall) -> list[str]:
        if row.write is not None:
            raise NotExpressible("its formula is no single line")
        index = find_index(row.index)
        given = {
            option.symbol or option.name: call.constant(option.name, option.default) for option in row.options
        }
        symbols = {band.symbol: f"{{{place}}}" for place, band in enumerate(row.bands)}
        numbers = {name: repr(value) for name, value in settled_parameters(index, given).items()}
        code = _formula(index.formula.text, index.formula.names, symbols | numbers)
        known = variable(index.role)
        if known is not None:
            low, high = known.plausible
            code = f"limit({code}, {low!r}, {high!r})"
        keys = [call.keys(band.parameter, *band.roles) for band in row.bands]
        return _makes(call, keys, call.rasters.names_of(call.get(row.outputs)), code)

    return build


def _formula(
    text: str, names: Sequence[str], stands_for: Mapping[str, str], allowed: re.Pattern[str] = _FORMULA
) -> str:
    """Return a formula as code, with other code for its names.

    Raises
    ------
    NotExpressible
        It holds what Python reads otherwise.
    """
    if not allowed.fullmatch(text) or "where" in text or any(keyword.iskeyword(name) for name in names):
        raise NotExpressible(f"the formula {text!r} is read otherwise in Python")
    words = dict(_NUMPY) | {name: stands_for[name] for name in names}
    return re.sub(r"[A-Za-z_]\w*", lambda found: _word(found[0], words, text), text)


def _word(name: str, words: Mapping[str, str], text: str) -> str:
    if name not in words:
        raise NotExpressible(f"the formula {text!r} is read otherwise in Python")
    return words[name]


def _batch_formula(call: PlainCall) -> list[str]:
    rasters = call.get("rasters")
    names = list(rasters)
    symbols = {name: f"{{{place}}}" for place, name in enumerate(names)}
    formula = str(call.get("formula"))
    if is_condition(formula):
        met = _formula(formula, names, symbols, _CONDITION)
        code = f"where_known({met}, {', '.join(symbols.values())})"
    else:
        code = _formula(formula, names, symbols)
    keys = [[call.rasters.key(address) for address in call.rasters.names_of(rasters[name])] for name in names]
    return _makes(call, keys, call.rasters.names_of(call.get("output_paths")), code)


def _extreme(name: str) -> Build:
    return lambda call: _result(call, f"extreme({call.value('x')}, np.{name})")


def _arithmetic(code: str) -> Build:
    return lambda call: _result(call, code.format(a=call.number("a"), b=call.number("b")))


def _summary(call: PlainCall) -> list[str]:
    values = call.get("values")
    if isinstance(values, list) and values and isinstance(values[0], list):
        return _result(call, f"[measure(numbers(each), {_number_of(call)}) for each in {values!r}]")
    return _result(call, f"measure(numbers({call.value('values')}), {_number_of(call)})")


def _combine(call: PlainCall) -> list[str]:
    how = str(call.get("how", "difference"))
    if how not in _COMBINATIONS or isinstance(call.get("left"), list) or isinstance(call.get("right"), list):
        raise NotExpressible("lists, or this way of combining, have no counterpart")
    return _result(call, _COMBINATIONS[how].format(a=call.number("left"), b=call.number("right")))


TOOLS: Mapping[str, Build] = {
    **{
        f"calc_batch_image_{name}": _statistic(name)
        for name in ("mean", "median", "min", "max", "sum", "std")
    },
    "image_statistics": _image_statistics,
    "pooled_image_statistic": _pool,
    "statistics_by_class": _by_class,
    "calculate_cloud_cover": _cloud_cover,
    "apply_cloud_mask": _apply_mask,
    "calculate_tif_difference": _difference_map,
    "keep_where": _keep_where,
    "calc_batch_image_hotspot_tif": _mask,
    "calculate_composite": _composite,
    "calculate_tif_average": _composite,
    "calculate_threshold_ratio": _share,
    "calc_batch_threshold_ratio": _share,
    "calculate_batch_formula": _batch_formula,
    **{row.name: _index(row.name) for row in ROWS if row.write is None},
    "max_value_and_index": _extreme("argmax"),
    "min_value_and_index": _extreme("argmin"),
    "mean": lambda call: _result(call, f"measure(numbers({call.value('x')}), {_NUMBERS['mean']})"),
    "difference": _arithmetic("abs({a} - {b})"),
    "multiply": _arithmetic("{a} * {b}"),
    "division": _arithmetic("{b} / {a}"),
    "percentage_change": _arithmetic("100.0 * ({b} - {a}) / abs({a})"),
    "summarize_values": _summary,
    "combine_values": _combine,
}
"""The tools that can be said so, by name."""
