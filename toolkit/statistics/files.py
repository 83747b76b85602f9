"""What a folder holds."""

from __future__ import annotations

from treeline.toolkit.recognition.resolver import current_resolver
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
    return current_resolver().list_folder(dir_path)
