"""A task card: what an analyst knows of one kind of task; and the cards that come with Treeline."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from treeline.knowledge.errors import CardError
from treeline.knowledge.taxonomy import TAXONOMY, domain_of

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=600)]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", max_length=80)]

# The largest built-in file has a fiftieth of this.
LONGEST_YAML = 4 * 2**20
DEEPEST_YAML = 24
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_CHAIN, _PITFALLS = "Typical tools: ", "Pitfalls:"

_FIELD_HINTS = {
    "id": "Lower-case letters, digits and underscores, 3 to 64 of them, starting with a letter.",
    "sub_domain": "One of: " + ", ".join(part for parts in TAXONOMY.values() for part in parts) + ".",
    "domain": "Leave it out, or give the domain of the sub-domain.",
    "title": "A phrase of 5 to 120 characters.",
    "definition": "What the task is and which variable is meant, in 20 to 1200 characters.",
    "suggestion": "A list of at least two steps, each a sentence.",
    "keywords": "A list of at least three words or phrases that questions use.",
    "roles": "A list of variables, such as red, nir, lst.",
    "tools": "A list of tool names in the order of their use.",
    "pitfalls": "A list of sentences, at least one.",
    "references": "A list of citations.",
    "version": "A whole number from 1.",
}


class TaskCard(BaseModel):
    """Definition, steps, words and pitfalls of one analytical task.

    Attributes
    ----------
    id : str
        Stable key.
    domain, sub_domain : str
        Where it stands in the taxonomy; the domain follows from the sub-domain.
    title, definition : str
    suggestion : tuple of str
        The steps that an expert takes.
    keywords : tuple of str
        Words and phrases by which questions name the task.
    roles : tuple of str
        Variables that the task needs.
    tools : tuple of str
        Typical chain, in order.
    pitfalls : tuple of str
    references : tuple of str
        Literature.
    version : int
        1 for a new or built-in card; each edit adds one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True, defer_build=True)

    id: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{2,63}$")]
    domain: str = ""
    sub_domain: str
    title: Annotated[str, StringConstraints(min_length=5, max_length=120)]
    definition: Annotated[str, StringConstraints(min_length=20, max_length=1200)]
    suggestion: Annotated[tuple[Line, ...], Field(min_length=2, max_length=12)]
    keywords: Annotated[tuple[Line, ...], Field(min_length=3, max_length=40)]
    roles: Annotated[tuple[Name, ...], Field(max_length=20)] = ()
    tools: Annotated[tuple[Name, ...], Field(max_length=20)] = ()
    pitfalls: Annotated[tuple[Line, ...], Field(min_length=1, max_length=12)]
    references: Annotated[tuple[Line, ...], Field(max_length=12)] = ()
    version: Annotated[int, Field(ge=1, le=100_000)] = 1

    @model_validator(mode="before")
    @classmethod
    def _derive_domain(cls, content: Any) -> Any:
        if isinstance(content, Mapping) and not content.get("domain"):
            return {**content, "domain": domain_of(str(content.get("sub_domain", ""))) or ""}
        return content

    @model_validator(mode="after")
    def _stands_in_the_taxonomy(self) -> TaskCard:
        domain = domain_of(self.sub_domain)
        if domain is None:
            raise CardError(
                f"'sub_domain' is not usable: found {self.sub_domain!r}.", _FIELD_HINTS["sub_domain"]
            )
        if self.domain != domain:
            raise CardError(
                f"'domain' is not usable: {self.sub_domain!r} belongs to {domain!r}; found {self.domain!r}.",
                _FIELD_HINTS["domain"],
            )
        return self

    @classmethod
    def from_content(cls, content: Any) -> TaskCard:
        """Return a card from plain data, as a form or a file gives it.

        Raises
        ------
        CardError
            Names the first field that is not valid, what was found, and what would do.
        """
        if not isinstance(content, Mapping):
            raise CardError(f"A card is a mapping of fields; found {type(content).__name__}.", _form_hint())
        try:
            return cls.model_validate(dict(content))
        except ValidationError as error:
            raise _card_error(error, content) from None
        except CardError as error:
            raise CardError(f"Card {content.get('id', '?')!r}: {error.message}", error.hint) from None

    @property
    def text(self) -> str:
        """All that retrieval reads, the place in the taxonomy included."""
        parts = (self.title, self.domain, self.sub_domain, self.definition)
        return "\n".join((*parts, ", ".join(self.keywords), *self.suggestion))

    @property
    def guidance(self) -> str:
        """The card as the context of a run gets it."""
        steps = "\n".join(f"{number}. {step}" for number, step in enumerate(self.suggestion, 1))
        pitfalls = "\n".join(f"- {pitfall}" for pitfall in self.pitfalls)
        chain = f"\n{_CHAIN}{' > '.join(self.tools)}" if self.tools else ""
        return f"Task: {self.title}\n{self.definition}\nSteps:\n{steps}{chain}\n{_PITFALLS}\n{pitfalls}"

    def content(self) -> dict[str, Any]:
        """Return the fields as plain values, for JSON and YAML."""
        return self.model_dump(mode="json")


def chain_and_pitfalls(guidance: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the chain of tools and the pitfalls of a :attr:`TaskCard.guidance`; of another text none."""
    # The last one, since a step may hold the word too.
    before, found, pitfalls = guidance.rpartition(f"\n{_PITFALLS}\n")
    if not found:
        return (), ()
    last = before.rpartition("\n")[2]
    chain = last.removeprefix(_CHAIN).split(" > ") if last.startswith(_CHAIN) else []
    return tuple(chain), tuple(line[2:] for line in pitfalls.splitlines() if line.startswith("- "))


def _card_error(error: ValidationError, content: Mapping[str, Any]) -> CardError:
    first = error.errors()[0]
    location = first["loc"]
    field = str(location[0]) if location else "card"
    where = field + "".join(f"[{part + 1}]" for part in location[1:] if isinstance(part, int))
    name = f"Card {content.get('id', '?')!r}: "
    if first["type"] == "missing":
        return CardError(f"{name}{field!r} is missing.", _FIELD_HINTS.get(field, _form_hint()))
    if first["type"] == "extra_forbidden":
        return CardError(f"{name}there is no field {field!r}.", _form_hint())
    found = repr(first.get("input"))[:80]
    return CardError(
        f"{name}{where!r} is not usable ({first['msg']}); found {found}.",
        _FIELD_HINTS.get(field, _form_hint()),
    )


def _form_hint() -> str:
    return f"Its fields are {', '.join(TaskCard.model_fields)}."


def read_yaml(text: str) -> Any:
    """Return the plain data of a YAML text; nothing but plain data is ever built.

    Raises
    ------
    CardError
        The text is no YAML, is too long or too deep, or refers to a part of itself.
    """
    try:
        _check_form(text)
        return yaml.load(text, Loader=_LOADER)
    except (yaml.YAMLError, UnicodeError, ValueError, RecursionError) as error:
        raise CardError(
            f"This is not valid YAML ({' '.join(str(error).split())[:160]}).", "Check its indentation."
        ) from None


def _check_form(text: str) -> None:
    """Refuse a text that is too long or too deep for the loader, which ends the process, or that grows."""
    if len(text) > LONGEST_YAML:
        raise CardError(
            f"The YAML text has {len(text):,} characters; at most {LONGEST_YAML:,} are read.", "Split it."
        )
    depth = 0
    # Events only, of which none is built: a deep text would exhaust the stack of the loader in C.
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.AliasEvent):
            # A few aliases of aliases become billions of entries.
            raise CardError("The YAML text refers to a part of itself (*).", "Write the part out.")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST_YAML:
            raise CardError(
                f"The YAML text is nested more than {DEEPEST_YAML} deep.", "A card needs three levels."
            )


def cards_from_yaml(text: str) -> list[TaskCard]:
    """Return the cards of a YAML text: one card, a list of them, or a file of a sub-domain.

    Raises
    ------
    CardError
        The text is no YAML, or a card is not valid.
    """
    content = read_yaml(text)
    shared: dict[str, Any] = {}
    if isinstance(content, Mapping) and "cards" in content:
        shared = {key: value for key, value in content.items() if key != "cards"}
        content = content["cards"]
    entries = content if isinstance(content, list) else [content]
    return [
        TaskCard.from_content({**shared, **entry} if isinstance(entry, Mapping) else entry)
        for entry in entries
    ]


class _Plain(yaml.SafeDumper):
    """Writes a value out wherever it stands; a reference to another place would not be read."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def cards_to_yaml(cards: list[TaskCard]) -> str:
    """Return cards as YAML that :func:`cards_from_yaml` reads back."""
    content = {"cards": [card.content() for card in cards]}
    return yaml.dump(content, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100)


@cache
def built_in_cards() -> tuple[TaskCard, ...]:
    """Return the cards that come with Treeline, in the order of the taxonomy.

    Raises
    ------
    CardError
        A card is not valid, or an id comes twice.
    """
    files = [
        file for file in resources.files("treeline.knowledge.cards").iterdir() if file.name.endswith(".yaml")
    ]
    cards = [card for file in files for card in cards_from_yaml(file.read_text("utf-8"))]
    if len({card.id for card in cards}) != len(cards):
        raise CardError("Two built-in cards have the same id.")
    order = [part for parts in TAXONOMY.values() for part in parts]
    return tuple(sorted(cards, key=lambda card: order.index(card.sub_domain)))
