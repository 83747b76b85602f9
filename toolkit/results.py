"""The text that a tool answers with when it wrote something."""

from __future__ import annotations

from treeline.toolkit.context import Product, current_context


def report_saved(product: Product) -> str:
    """Return ``Result saved at PATH``; the path is relative to the output folder, with slashes."""
    folder = current_context().output_folder.resolve()
    path = product.path.resolve()
    shown = path.relative_to(folder) if path.is_relative_to(folder) else path
    return f"Result saved at {shown.as_posix()}"
