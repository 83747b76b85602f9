"""The one decision, over all people and all things."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.core.access import (
    ALL,
    LOCAL_PERSON,
    ROLES,
    SERVER,
    Action,
    Grant,
    Kind,
    Person,
    Thing,
    may,
    require,
)
from treeline.core.errors import AccessDenied

ACTIONS: tuple[Action, ...] = get_args(Action)
NAMES = ("ana", "ben", "", "all", "group:lab", "person:ana")
GROUPS = ("lab", "ana", "all")

persons = st.builds(
    Person,
    st.sampled_from([name for name in NAMES if name]),
    role=st.sampled_from(ROLES),
    groups=st.frozensets(st.sampled_from(GROUPS)),
)
rights = st.sampled_from(("see", "change"))
grants = st.one_of(
    st.builds(Grant.to_person, st.sampled_from(NAMES), rights),
    st.builds(Grant.to_group, st.sampled_from(GROUPS), rights),
    st.builds(Grant, st.just(ALL), rights),
)
things = st.builds(
    Thing,
    st.sampled_from([kind for kind in get_args(Kind) if kind != "server"]),
    st.just("it"),
    st.sampled_from(NAMES),
    st.frozensets(grants, max_size=3),
)
actions = st.sampled_from(ACTIONS)
OF_THINGS = ("see", "change", "ask", "share", "delete")


def reaches(grant: Grant, person: Person) -> bool:
    """Say it anew: a grant to all, to the person by name, or to one of the person's groups."""
    kind, _, name = grant.to.partition(":")
    if kind == "all":
        return True
    return name == person.id if kind == "person" else name in person.groups


@given(persons, actions, things)
def test_what_is_neither_owned_nor_shared_is_closed(person: Person, action: Action, thing: Thing) -> None:
    stranger = thing.owner != person.id and not any(reaches(grant, person) for grant in thing.grants)
    if stranger and action in OF_THINGS:
        assert not may(person, action, thing)


@given(persons, actions, things)
def test_whoever_may_do_anything_to_a_thing_may_see_it(person: Person, action: Action, thing: Thing) -> None:
    if action in OF_THINGS and may(person, action, thing):
        assert may(person, "see", thing)


@given(persons, actions, things, grants)
def test_a_grant_takes_nothing_away_and_reaches_only_whom_it_names(
    person: Person, action: Action, thing: Thing, grant: Grant
) -> None:
    shared = replace(thing, grants=thing.grants | {grant})
    before, after = may(person, action, thing), may(person, action, shared)
    assert after or not before
    if after and not before:
        assert reaches(grant, person)
        assert action == "see" or grant.right == "change"


@given(persons, actions, things)
def test_a_higher_role_may_no_less(person: Person, action: Action, thing: Thing) -> None:
    allowed = [may(replace(person, role=role), action, thing) for role in ROLES]
    assert allowed == sorted(allowed)


@given(persons, things)
def test_an_admin_sees_no_more_than_others(person: Person, thing: Thing) -> None:
    decisions = {may(replace(person, role=role), "see", thing) for role in ROLES}
    assert len(decisions) == 1


@given(persons, things)
def test_only_the_owner_shares_and_deletes(person: Person, thing: Thing) -> None:
    for action in ("share", "delete"):
        if may(person, action, thing):
            assert thing.owner == person.id


@given(persons, actions, things)
def test_a_viewer_changes_nothing(person: Person, action: Action, thing: Thing) -> None:
    assert action == "see" or not may(replace(person, role="viewer"), action, thing)


@given(persons, actions, things)
def test_a_refusal_is_the_decision(person: Person, action: Action, thing: Thing) -> None:
    if may(person, action, thing):
        require(person, action, thing)
    else:
        with pytest.raises(AccessDenied):
            require(person, action, thing)


@given(actions, things)
def test_the_local_person_may_everything(action: Action, thing: Thing) -> None:
    assert may(LOCAL_PERSON, action, thing)


@given(things)
def test_what_nobody_owns_belongs_to_nobody(thing: Thing) -> None:
    unowned = replace(thing, owner="", grants=frozenset())
    assert not may(Person("ana", role="admin"), "see", unowned)


@pytest.mark.parametrize(
    ("action", "least"),
    [("create", "analyst"), ("teach", "teacher"), ("administer", "admin")],
)
def test_what_takes_a_role_alone(action: Action, least: str) -> None:
    for role in ROLES:
        allowed = may(Person("ana", role=role), action, SERVER)
        assert allowed == (ROLES.index(role) >= ROLES.index(least))


def test_a_lesson_is_shared_by_a_teacher() -> None:
    lesson = Thing("memory", "it", "ana")
    assert not may(Person("ana", role="analyst"), "share", lesson)
    assert may(Person("ana", role="teacher"), "share", lesson)
    assert not may(Person("ben", role="teacher"), "share", lesson)


def test_a_name_that_looks_like_a_group_is_none() -> None:
    shared = Thing("run", "it", "ben", frozenset({Grant.to_group("lab")}))
    assert not may(Person("lab"), "see", shared)
    assert not may(Person("group:lab"), "see", shared)
    assert may(Person("ana", groups=frozenset({"lab"})), "see", shared)
