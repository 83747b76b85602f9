"""The policy that asks a language model, through any OpenAI-compatible endpoint."""

from __future__ import annotations

from core.policies.language.exchange import Patience
from core.policies.language.policy import LanguagePolicy

__all__ = ["LanguagePolicy", "Patience"]
