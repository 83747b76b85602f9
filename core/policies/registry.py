"""The policies by name, put together.

A policy's modules are many, and are imported when the first of it is made: most commands make none.
"""

from __future__ import annotations

from collections.abc import Callable

from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.loop import Policy
from treeline.core.engine.rundata import RunData
from treeline.core.policies.names import LANGUAGE, PLANNER
from treeline.core.policies.reading_choice import AS_IT_STANDS, HowToRead
from treeline.core.settings import Endpoint

PolicyMaker = Callable[[RunData, Endpoint | None, Disclosure | None, HowToRead], Policy]


def _planner(
    data: RunData, endpoint: Endpoint | None, disclosure: Disclosure | None, how: HowToRead
) -> Policy:
    from treeline.core.policies.planner.policy import Planner

    return Planner(data, disclosure, how=how)


def _language(
    data: RunData, endpoint: Endpoint | None, disclosure: Disclosure | None, how: HowToRead
) -> Policy:
    from treeline.core.policies.language import LanguagePolicy

    return LanguagePolicy(endpoint or Endpoint.from_environment())


POLICIES: dict[str, PolicyMaker] = {PLANNER: _planner, LANGUAGE: _language}
"""The unattended ones; a person is asked at the run, see :class:`treeline.core.policies.person.Person`."""


def make_policy(
    name: str,
    data: RunData,
    endpoint: Endpoint | None = None,
    disclosure: Disclosure | None = None,
    how: HowToRead = AS_IT_STANDS,
) -> Policy:
    """Return a policy by its name; without a disclosure the progressive one is used.

    Raises
    ------
    KeyError
        There is none of that name; :func:`treeline.core.runs.options.check_options` refuses it earlier.
    BackendMissing
        The language policy has no model or no endpoint.
    """
    return POLICIES[name](data, endpoint, disclosure, how)
