"""As much as the question needs: our own strategy."""

from __future__ import annotations

from core.disclosure.progressive import Progressive


class Adaptive(Progressive):
    """Progressive for now."""

    name = "adaptive"
