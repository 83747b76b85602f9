"""``python -m treeline.pages.parts.identity`` says whether a server of a team could know who comes."""

from __future__ import annotations

import sys

from treeline.pages.parts.identity.ways import way_to_know_users
from treeline.toolkit.errors import TreelineError

if __name__ == "__main__":
    try:
        way_to_know_users()
    except TreelineError as error:
        sys.exit(str(error))
