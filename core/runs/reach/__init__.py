"""What one person reaches of the record, the workspaces and the runs of a team's server.

The classes here stand in for those that pages use. What a person may not see is not there; what is not
decided on is refused, so that something new is closed until somebody has thought about it.
"""

from treeline.core.runs.reach.administration import Administration
from treeline.core.runs.reach.cards import ReachedCards
from treeline.core.runs.reach.manager import ReachedManager
from treeline.core.runs.reach.memory import ReachedMemory
from treeline.core.runs.reach.record import ReachedStore
from treeline.core.runs.reach.rights import Rights
from treeline.core.runs.reach.sharing import Sharing
from treeline.core.runs.reach.workspaces import ReachedLibrary

__all__ = [
    "Administration",
    "ReachedCards",
    "ReachedLibrary",
    "ReachedManager",
    "ReachedMemory",
    "ReachedStore",
    "Rights",
    "Sharing",
]
