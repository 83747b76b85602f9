"""Policies by name. Each chooses the next action from the decision state."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from treeline.core.disclosure import Disclosure
from treeline.core.rundata import RunData
from treeline.core.settings import Endpoint

if TYPE_CHECKING:
    from treeline.core.engine import Policy


def _planner(data: RunData, endpoint: Endpoint | None, disclosure: Disclosure | None) -> Policy:
    from treeline.core.policies.planner import Planner

    return Planner(data, disclosure)


def _language(data: RunData, endpoint: Endpoint | None, disclosure: Disclosure | None) -> Policy:
    from treeline.core.policies.language import LanguagePolicy

    return LanguagePolicy(endpoint or Endpoint.from_environment())


POLICIES: dict[str, Callable[[RunData, Endpoint | None, Disclosure | None], Policy]] = {
    "planner": _planner,
    "language": _language,
}


def make_policy(
    name: str, data: RunData, endpoint: Endpoint | None = None, disclosure: Disclosure | None = None
) -> Policy:
    """Return a policy by its name; without a disclosure it goes by the progressive one.

    Raises
    ------
    KeyError
        There is none of that name; :func:`treeline.core.options.check_options` refuses it earlier.
    BackendMissing
        The language policy has no model or no endpoint.
    """
    return POLICIES[name](data, endpoint, disclosure)
