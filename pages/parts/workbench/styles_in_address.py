"""How layers are drawn and which stay visible, as the address of the page tells it.

Each layer is a value of its own: ``colormap,low,high,opacity`` and the colours of classes as
``value-rrggbb``, then a space and the key of the layer. The base map is left out: whoever opens a link
decides whether a provider sees where they look.
"""

from __future__ import annotations

import math
import re

import streamlit as st

from treeline.core.serving import Style
from treeline.core.serving.styles import is_colormap
from treeline.pages.parts.shared.address import LONGEST, put_all_in_address
from treeline.pages.parts.workbench.style_panel import OPACITIES, PINNED, STYLES

STYLE, SHOWN = "style", "shown"
_OF_CLASSES, _OF_BANDS = "classes", "rgb"
_USUAL = "usual"
_CLASS = re.compile(r"(-?\d+(?:\.\d+)?)-([0-9a-f]{6})")


def take_styles() -> None:
    """Begin styles and visible layers of a session with those of the address."""
    state = st.session_state
    if STYLES in state:
        return
    state[STYLES], opacities = {}, state.setdefault(OPACITIES, {})
    for value in st.query_params.get_all(STYLE):
        words, _, key = value.partition(" ")
        found = style_in(words)
        if found is None or not key:
            continue
        style, opacity = found
        if style is not None:
            state[STYLES][key] = style
        opacities[key] = opacity
    state[PINNED] = list(dict.fromkeys(st.query_params.get_all(SHOWN)))


def keep_styles() -> None:
    """Put the styles that a person chose into the address, and which layers stay visible."""
    state = st.session_state
    styles: dict[str, Style] = state.get(STYLES, {})
    opacities: dict[str, float] = state.get(OPACITIES, {})
    told = [
        f"{style_words(styles.get(key), opacities.get(key, 1.0))} {key}"
        for key in dict.fromkeys([*styles, *opacities])
        if key in styles or opacities[key] < 1.0
    ]
    _put(STYLE, told)
    _put(SHOWN, list(state.get(PINNED, ())))


def style_words(style: Style | None, opacity: float) -> str:
    """Return how a layer is drawn as the address tells it; ``None`` is its usual style."""
    if style is None:
        return f"{_USUAL},,,{opacity:g}"
    colours = [f"{value:g}-{colour.removeprefix('#')}" for value, colour in style.colours]
    return ",".join([style.colormap, f"{style.low:.6g}", f"{style.high:.6g}", f"{opacity:g}", *colours])


def style_in(words: str) -> tuple[Style | None, float] | None:
    """Return the style and the opacity that :func:`style_words` wrote; ``None`` for anything else."""
    colormap, *others = words.split(",")
    try:
        low, high, opacity = (float(text or "nan") for text in others[:3])
    except ValueError:
        return None
    if not 0 <= opacity <= 1:
        return None
    if colormap == _USUAL:
        return None, opacity
    colours = [_CLASS.fullmatch(text) for text in others[3:]]
    known = colormap in (_OF_CLASSES, _OF_BANDS) or is_colormap(colormap)
    # An address is anybody's text: what would not draw is left out, and the usual style is taken.
    if not known or not low < high or not math.isfinite(high - low) or None in colours:
        return None
    chosen = tuple((float(found[1]), f"#{found[2]}") for found in colours if found)
    return Style(colormap, low, high, chosen), opacity


def _put(name: str, values: list[str]) -> None:
    """Put values into the address, as many of the last ones as it has room for."""
    room = LONGEST
    kept: list[str] = []
    for value in reversed(values):
        room -= len(value)
        if room < 0:
            break
        kept.insert(0, value)
    put_all_in_address(name, kept)
