"""What can go wrong with cards and embeddings, as branches of the toolkit's tree.

::

    TreelineError
    ├── InputError
    │   └── CardError             a card is not valid, or there is none of that id
    └── BackendMissing
        └── EmbedderMissing       the embedder that was set needs what is not there
"""

from __future__ import annotations

from treeline.toolkit.errors import BackendMissing, InputError


class CardError(InputError):
    """A card is not valid, or there is none of that id."""


class EmbedderMissing(BackendMissing):
    """The embedder needs a library, a model or an endpoint that is not there."""
