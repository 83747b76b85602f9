"""The policy that asks a language model, through any OpenAI-compatible endpoint."""

from __future__ import annotations

from treeline.core.policies.language.exchange import Patience
from treeline.core.policies.language.policy import LanguagePolicy

__all__ = ["LanguagePolicy", "Patience"]
