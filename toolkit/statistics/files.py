"""What a folder holds."""

from __future__ import annotations

from treeline.toolkit.context import current_context
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import Gives, tool


@tool(
    kit=STATISTICS,
    source="Listing of a folder.",
    gives=Gives("files", "list"),
    formula="names in the folder, sorted",
    difference="None: both leave hidden files out.",
    aliases=("mcp-base_get_filelist",),
)
def get_filelist(dir_path: str) -> list[str]:
    """Names of the files in a folder, sorted.

    Parameters
    ----------
    dir_path : str
        The folder.

    Returns
    -------
    list of str
        File names without the folder; hidden files are left out.
    """
    from treeline.toolkit.recognition import FileResolver

    resolver = current_context().resolver or FileResolver()
    return resolver.list_folder(dir_path)
