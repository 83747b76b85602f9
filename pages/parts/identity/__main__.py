"""``python -m treeline.pages.parts.identity`` says whether a server of a team could know who comes."""

from __future__ import annotations

import os
import sys

from streamlit.web.bootstrap import load_config_options

from treeline.pages.parts.identity.providers import way_to_know_users
from treeline.toolkit.errors import TreelineError

# ``streamlit run`` reads its settings from the environment on its own command line, which is not here.
_HEADERS = "STREAMLIT_SERVER_TRUSTED_USER_HEADERS"

if __name__ == "__main__":
    load_config_options({"server_trustedUserHeaders": os.environ.get(_HEADERS)})
    try:
        way_to_know_users()
    except TreelineError as error:
        sys.exit(str(error))
