"""The cards of a person: the built-in ones, and those they wrote or edited, each version kept."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from treeline.knowledge.card import TaskCard, built_in_cards, cards_from_yaml, cards_to_yaml
from treeline.knowledge.errors import CardError
from treeline.toolkit.likeness import nearest_names

_VERSION_FILE = re.compile(r"^(?P<version>\d{5,6})\.yaml$")
_CARD_FOLDER = re.compile(r"^[a-z][a-z0-9_]{2,63}$")
_LARGEST_IMPORT = 4_000_000


class CardLibrary:
    """Built-in cards and a folder of own and edited ones.

    A version, once written, is never changed: an edit writes the next one to
    ``folder/<card>/<version>.yaml``, and the newest counts.

    Parameters
    ----------
    folder : Path, optional
        Where own and edited cards are kept; without it only the built-in cards are there.
    known_tools : collection of str, optional
        Names that a chain may have; without it they are not checked.
    below : CardLibrary, optional
        Whose cards are read, and stay as they are, where the folder has none of their id; by default the
        built-in ones.
    only : collection of str, optional
        Ids of the cards that are read from the folder; all by default.
    """

    def __init__(
        self,
        folder: Path | None = None,
        known_tools: Collection[str] | None = None,
        below: CardLibrary | None = None,
        only: Collection[str] | None = None,
    ) -> None:
        self.folder = folder
        self._only = only
        self._known_tools = known_tools
        self._below = below
        self.problems: tuple[str, ...] = ()

    def cards(self) -> list[TaskCard]:
        """Return the newest version of every card, the built-in ones first.

        A file that cannot be read is passed over and named in ``problems``.
        """
        newest = {card.id: card for card in self._cards_below()}
        problems = list(self._below.problems) if self._below else []
        for card_id in self.own_ids():
            versions = self._own_versions(card_id, problems)
            if versions:
                newest[card_id] = versions[-1]
        self.problems = tuple(problems)
        return list(newest.values())

    def get(self, card_id: str) -> TaskCard:
        """Return the newest version of a card.

        Raises
        ------
        CardError
            With the nearest ids.
        """
        return self.versions(card_id)[-1]

    def versions(self, card_id: str) -> list[TaskCard]:
        """Return every version of a card, the oldest first.

        Raises
        ------
        CardError
            With the nearest ids.
        """
        found = self._versions_below(card_id)
        found += self._own_versions(card_id, [])
        if not found:
            near = nearest_names(card_id, [card.id for card in self.cards()])
            raise CardError(f"There is no card {card_id!r}.", f"Nearest: {', '.join(near)}.")
        return found

    def save(self, card: TaskCard) -> TaskCard:
        """Write a new or edited card and return it with the version it got.

        Raises
        ------
        CardError
            The library has no folder, or the chain names a tool that is not there.
        """
        folder = self._writable() / card.id
        self._check_tools(card)
        folder.mkdir(parents=True, exist_ok=True)
        version = self._next_version(card.id)
        while True:
            numbered = card.model_copy(update={"version": version})
            # Two people may save at once: who comes second gets the next number.
            if _write_new(folder / f"{version:05d}.yaml", cards_to_yaml([numbered])):
                return numbered
            version += 1

    def restore(self, card_id: str, version: int) -> TaskCard:
        """Make an older version the newest again, as a new version.

        Raises
        ------
        CardError
            There is no such card or version.
        """
        versions = self.versions(card_id)
        for card in versions:
            if card.version == version:
                return self.save(card)
        there = ", ".join(str(card.version) for card in versions)
        raise CardError(f"Card {card_id!r} has no version {version}.", f"Its versions are {there}.")

    def remove(self, card_id: str) -> None:
        """Delete the folder's versions of a card for good; one that was edited is again as it was below.

        Raises
        ------
        CardError
            The folder has no such card.
        """
        folder = self._writable() / card_id
        if card_id not in self.own_ids():
            raise CardError(f"Card {card_id!r} was not written here.", "Only own cards can be deleted.")
        # Under another name first: a reader finds it whole or not at all.
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".gone-") as gone:
            os.replace(folder, Path(gone) / card_id)

    def export(self, card_ids: Iterable[str] | None = None) -> str:
        """Return cards (all by default) as YAML."""
        return cards_to_yaml(
            self.cards() if card_ids is None else [self.get(card_id) for card_id in card_ids]
        )

    def add(self, text: str) -> list[TaskCard]:
        """Save the cards of a YAML text, all or none; those that are here unchanged are passed over.

        Raises
        ------
        CardError
            The text is too large or no YAML, or a card is not valid.
        """
        if len(text) > _LARGEST_IMPORT:
            raise CardError(
                f"The text has {len(text):,} characters.", f"At most {_LARGEST_IMPORT:,} are read at once."
            )
        cards = cards_from_yaml(text)
        # All are checked before the first is saved.
        for card in cards:
            self._check_tools(card)
        here = {card.id: _content(card) for card in self.cards()}
        return [self.save(card) for card in cards if here.get(card.id) != _content(card)]

    def _writable(self) -> Path:
        if self.folder is None:
            raise CardError(
                "These cards cannot be changed: the library has no folder.", "Name a folder for own cards."
            )
        return self.folder

    def _cards_below(self) -> list[TaskCard]:
        return self._below.cards() if self._below else list(built_in_cards())

    def _versions_below(self, card_id: str) -> list[TaskCard]:
        if self._below is None:
            return [card for card in built_in_cards() if card.id == card_id]
        try:
            return self._below.versions(card_id)
        except CardError:
            return []

    def is_below(self, card_id: str) -> bool:
        """Return whether there is a card of an id without those of the folder."""
        return bool(self._versions_below(card_id))

    def own_ids(self) -> list[str]:
        """Return the ids of the cards that the folder has, sorted."""
        if self.folder is None or not self.folder.is_dir():
            return []
        return sorted(
            entry.name for entry in self.folder.iterdir() if entry.is_dir() and self._reads(entry.name)
        )

    def _reads(self, card_id: str) -> bool:
        return bool(_CARD_FOLDER.match(card_id)) and (self._only is None or card_id in self._only)

    def _own_files(self, card_id: str) -> list[Path]:
        folder = self.folder / card_id if self.folder else None
        if folder is None or not self._reads(card_id) or not folder.is_dir():
            return []
        return sorted(file for file in folder.iterdir() if _VERSION_FILE.match(file.name))

    def _own_versions(self, card_id: str, problems: list[str]) -> list[TaskCard]:
        cards = []
        for file in self._own_files(card_id):
            try:
                card = cards_from_yaml(file.read_text("utf-8"))[0]
            except (CardError, OSError, UnicodeDecodeError, IndexError) as error:
                # A file that was edited by hand and is broken hides no other card.
                problems.append(f"{file.parent.name}/{file.name}: {error}")
                continue
            # The place of the file counts, whatever it says of itself.
            cards.append(card.model_copy(update={"id": card_id, "version": int(file.stem)}))
        return cards

    def _next_version(self, card_id: str) -> int:
        below = [card.version for card in self._versions_below(card_id)]
        return max([*below, *(int(file.stem) for file in self._own_files(card_id))], default=0) + 1

    def _check_tools(self, card: TaskCard) -> None:
        if self._known_tools is None:
            return
        for name in card.tools:
            if name not in self._known_tools:
                near = nearest_names(name, self._known_tools)
                raise CardError(
                    f"Card {card.id!r}: 'tools' names {name!r}, which is no tool.",
                    f"Nearest tools: {', '.join(near)}.",
                )


def _content(card: TaskCard) -> dict[str, Any]:
    """Return all of a card but its version."""
    return card.model_dump(exclude={"version"})


def _write_new(target: Path, text: str) -> bool:
    """Write a file whole or not at all; return False if there is one of that name."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".card-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            # Before it gets its name, so that a loss of power leaves no empty card.
            os.fsync(file.fileno())
        # A link fails where the name is taken; a rename would replace the other's card.
        os.link(name, target)
    except FileExistsError:
        return False
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
    return True
