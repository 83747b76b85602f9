"""The data files agree with each other and with the toolkit's variables."""

from __future__ import annotations

from collections.abc import Iterator

from treeline.toolkit.recognition import rules
from treeline.toolkit.variables import VARIABLES


def _roles() -> Iterator[str | None]:
    for product in rules.products():
        facts = [*product.bands.values(), product.single]
        for variant in product.variants:
            facts += [*variant.bands.values(), variant.single]
        yield from (fact.role for fact in facts if fact)
    for rule in (*rules.name_rules(), *rules.whole_name_rules()):
        for entry in (rule, *rule.variants):
            yield entry.role
            yield from rules.role_table(entry.roles).values()
    for stack in rules.stacks():
        yield from stack.order
    yield from rules.readings()
    yield from rules.metadata_words()["common_names"].values()


def _encodings() -> Iterator[str | None]:
    for product in rules.products():
        facts = [*product.bands.values(), product.single]
        for variant in product.variants:
            facts += [*variant.bands.values(), variant.single]
            yield variant.encoding
        yield product.encoding
        yield from (fact.encoding for fact in facts if fact)
    for rule in rules.name_rules():
        yield from (entry.encoding for entry in (rule, *rule.variants))
    for reading in rules.readings().values():
        yield from (part.encoding for part in reading.ranges)


def test_every_role_is_a_variable() -> None:
    assert {role for role in _roles() if role} - VARIABLES.keys() == set()


def test_every_encoding_exists_and_is_used() -> None:
    used = {name for name in _encodings() if name}
    assert used - rules.encodings().keys() == set()
    assert rules.encodings().keys() - used == set()


def test_every_family_of_metadata_is_a_product() -> None:
    keys = {product.key for product in rules.products()}
    assert {entry["product"] for entry in rules.metadata_words()["families"]} <= keys


def test_unknown_scales_say_why() -> None:
    assert all(encoding.because for encoding in rules.encodings().values() if encoding.scale is None)


def test_band_names_are_compared_without_zeros_case_and_resolution() -> None:
    assert rules.band_key("b04_10m") == rules.band_key("B4") == "B4"
    assert rules.band_key("B8A") != rules.band_key("B8")
    assert rules.band_key("B10") == "B10"
