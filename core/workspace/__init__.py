"""Workspaces and collections."""

from treeline.core.workspace.collections import (
    Collection,
    Member,
    collect,
    date_text,
    is_handle,
    period,
    select,
)
from treeline.core.workspace.workspace import Workspace, members_of

__all__ = [
    "Collection",
    "Member",
    "Workspace",
    "collect",
    "date_text",
    "is_handle",
    "members_of",
    "period",
    "select",
]
