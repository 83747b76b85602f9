"""What can go wrong in the engine beyond the toolkit's own tree.

::

    TreelineError
    ├── InputError
    │   ├── GuardrailBroken       what was learned from an earlier attempt forbids the call
    │   └── NotDisclosed          the tool's document has not been read, or its tree has no such tool
    ├── AccessDenied              the person may not do that
    │   └── NotSignedIn           nobody is known to have asked for it
    ├── RecordError               the record of runs cannot be read or written
    │   └── LeaseLost             another process works on the run now
    ├── NotExpressible            a call cannot be said in rasterio and numpy alone
    ├── QuotaReached              a person or a workspace has used up what it may use
    └── EndpointError             no decision can be had from a language model
        ├── EndpointUnreachable   no answer, or none but faults, after every retry
        ├── EndpointRefused       it answers that it will not: key, model, quota, request
        │   └── ContextTooLong    the conversation does not fit the model's context
        └── EndpointConfused      it answers, but with no action that can be carried out
"""

from __future__ import annotations

from treeline.toolkit.errors import InputError, TreelineError


class GuardrailBroken(InputError):
    """What was learned from an earlier attempt at the question forbids the call."""


class NotDisclosed(InputError):
    """A tool that may not be called: its document has not been read, or it is not in the run's tree."""


class AccessDenied(TreelineError):
    """The person may not do that."""


class NotSignedIn(AccessDenied):
    """Nobody is known to have asked for it."""


class RecordError(TreelineError):
    """The record of runs cannot be read or written, after every retry."""


class LeaseLost(RecordError):
    """Another process works on the run now, so this one writes no more of it."""


class NotExpressible(TreelineError):
    """A call of a run that a script in rasterio and numpy alone cannot make; the message says why."""


class QuotaReached(TreelineError):
    """A person or a workspace has used up what it may use."""


class EndpointError(TreelineError):
    """No decision can be had from a language model."""


class EndpointUnreachable(EndpointError):
    """The endpoint gave no answer, or nothing but faults, after every retry."""


class EndpointRefused(EndpointError):
    """The endpoint does not accept the key, the model or the request."""


class ContextTooLong(EndpointRefused):
    """The conversation does not fit the model's context.

    Attributes
    ----------
    window : int, optional
        Tokens that the context holds, where the endpoint says so.
    """

    window: int | None = None


class EndpointConfused(EndpointError):
    """The model's messages hold no action that can be carried out."""
