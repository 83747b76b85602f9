"""Several questions in one that cannot be read as a whole: each is read by itself, after the one before.

A question begins after the end of a sentence, or where "and" is followed by a word that asks. What the
later one leaves open, a time or a ground, may be that of the one before: both ways are kept.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import ALWAYS, Aggregate, Facts, Node, Several, Variable, When
from treeline.core.query.followup import apply_fragment
from treeline.core.query.grammar.conditions import REFLECTANCES, sole_greenness
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Target
from treeline.core.query.phrases.comparisons import Change, Comparative, HowMuch
from treeline.core.query.phrases.conditions import Operator
from treeline.core.query.phrases.counts import Area, Share, Unit
from treeline.core.query.phrases.courses import SignedCourse
from treeline.core.query.phrases.phrase import Join, Nothing, Phrase, Word
from treeline.core.query.phrases.places import About, Mask
from treeline.core.query.phrases.ranks import Extreme
from treeline.core.query.phrases.times import Clouds, Time
from treeline.core.query.phrases.values import Along, Amount, Anaphor, Raw, Stat
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import leaves, measured_ground, set_time
from treeline.core.query.tokens import Token
from treeline.toolkit.variables import CLOUD_ROLES

Tokens = Sequence[Token]
Read = Callable[[Tokens, Node | None], list[Node]]

_MOST_BORDERS = 4
_MOST_READINGS = 4
_END = re.compile(r"[?!;]|\.\s")
_ASKING = re.compile(
    r"(?:(?:on|in|at|over|by|for|of|to|from|within|during|between) )?"
    r"(?:how|what|which|when|where|who|is|are|was|were|did|does|do)\b"
)


def read_several(question: str, tokens: Tokens, read: Read, front: Tokens = ()) -> list[Node]:
    """Return the readings of a question as several, told one after the other.

    Parameters
    ----------
    question : str
    tokens : sequence of Token
    read : callable
        Returns the readings of some tokens, where they change the expression that is handed with them or
        stand by themselves.
    front : sequence of Token
        What is said of each of them, but of those that refer to the one before.
    """
    if parts_in_brackets := split_brackets(tokens):
        # Brackets say where each begins and ends: none has its time or ground from the one before.
        chains = itertools.product(*(read(part, None) for part in parts_in_brackets))
        return [
            Several(told) for told in map(_flat, itertools.islice(chains, _MOST_READINGS)) if len(told) > 1
        ]
    borders = list(_borders(question, tokens))[:_MOST_BORDERS]
    for count in range(1 if borders or not front else 0, len(borders) + 1):
        for chosen in itertools.combinations(borders, count):
            parts = _with_shared_end(_parts(tokens, chosen))
            if any(_runs_over_a_question(question, part) for part in parts):
                continue
            found = _readings([[*p, *(() if _refers(p) else front)] for p in parts if p], read)
            if found:
                return found
    return []


def _runs_over_a_question(question: str, part: Tokens) -> bool:
    """Return whether a part holds the end of one question and another that asks for something else."""
    return any(
        "?" in question[one.end : other.start] and other.text.startswith(_QUESTION_WORDS)
        for one, other in itertools.pairwise(token for token in part if token.text != "?")
    )


_QUESTION_WORDS = ("how ", "what", "which", "when", "where", "is ", "are ", "was ", "were ", "did ", "does ")


def split_brackets(tokens: Tokens) -> list[Tokens]:
    """Return what stands in each bracket of a text that is brackets with semicolons between."""
    parts: list[list[Token]] = [[]]
    open_brackets = 0
    for token in tokens:
        if token.kind == "open":
            open_brackets += 1
        elif not open_brackets and token.text == ";":
            parts.append([])
            continue
        elif not open_brackets:
            return []
        elif token.kind == "close":
            open_brackets -= 1
        parts[-1].append(token)
    return [part[1:-1] for part in parts] if len(parts) > 1 and all(map(_is_one_bracket, parts)) else []


def _is_one_bracket(part: Tokens) -> bool:
    depth = list(itertools.accumulate((t.kind == "open") - (t.kind == "close") for t in part))
    return len(depth) > 1 and depth.index(0) == len(depth) - 1 if 0 in depth else False


def bind(question: str, tokens: Tokens) -> list[Token]:
    """Return the tokens; those that refer to an earlier question ("was it") may not be passed over.

    "On what day did it fall" has no autumn, and "the last clear date" lasts no time.
    """
    tokens = [_before_a_noun(token, following) for token, following in zip_longest(tokens, tokens[1:])]
    if _asks_when_it_falls(tokens):
        others = tuple(m for m in tokens[-1].meanings if not isinstance(m, Time))
        tokens = [*tokens[:-1], replace(tokens[-1], meanings=(*others, Nothing()))]
    first = next(_borders(question, tokens), len(tokens))
    referring = [place for place, token in enumerate(tokens) if place >= first and _refers([token])]
    return [
        replace(token, meanings=tuple(m for m in token.meanings if m != Nothing()))
        if place in referring
        else token
        for place, token in enumerate(tokens)
    ]


def _before_a_noun(token: Token, following: Token | None) -> Token:
    """Return a token without its meaning as a verb, where what is counted follows it."""
    if token.text.lower() != "last" or following is None or not _may_be(following.meanings, Unit):
        return token
    return replace(token, meanings=tuple(m for m in token.meanings if m != Word("lasts")))


def _asks_when_it_falls(tokens: Tokens) -> bool:
    """Return whether it is asked on which date something falls, and not whether or where it fell."""
    if not tokens or tokens[-1].text.lower() != "fall":
        return False
    dated = next((token for token in tokens if token.meanings), tokens[-1])
    verb = any(token.text.lower().split()[0] in ("did", "does", "do") for token in tokens)
    return verb and any(isinstance(meaning, Unit) and meaning.of == "date" for meaning in dated.meanings)


def split_at_comma(tokens: Tokens) -> tuple[list[Token], list[Token]]:
    """Return what stands before the first comma, and what after it.

    "Between 18 July and 20 August 2022, which region cooled the most": when or where may be told first.
    """
    place = next((place for place, token in enumerate(tokens) if token.text == ","), 0)
    return list(tokens[:place]), list(tokens[place + 1 :])


def move_request_to_front(question: str, tokens: Tokens) -> list[Token]:
    """Return a question that asks at its end, as if it asked first: "cloudy pixels on 15 July - how many"."""
    for place in range(len(tokens) - 1, 0, -1):
        before = tokens[place - 1]
        marked = before.text in (*_PAUSES, *_DASHES)
        told = any(dash in question[before.end : tokens[place].start] for dash in (*_DASHES, ":"))
        if (marked or told) and _ASKING.match(tokens[place].text.lower()):
            asked, first = tokens[place:], tokens[: place - 1 if marked else place]
            # "And by how much" comes last of all, as it is asked of the rest.
            lead = next((i for i, t in enumerate(asked) if _asks_how_much(t, t is asked[-1])), len(asked))
            while lead < len(asked) and lead and _joins(asked[lead - 1]):
                lead -= 1
            return [*asked[:lead], *first, *asked[lead:]]
    return []


def with_order_first(tokens: Tokens) -> list[Token]:
    """Return "regions ranked by forest share" as "rank regions by forest share"."""
    if len(tokens) < 3 or tokens[1].text.split()[0] not in ("ranked", "sorted", "ordered"):
        return []
    if not any(isinstance(m, Unit) for m in tokens[0].meanings):
        return []
    return [replace(tokens[1], meanings=(Word("rank"),)), tokens[0], *tokens[2:]]


def with_unit_last(tokens: Tokens) -> list[Token]:
    """Return "change in mean NDVI (%) from May to August" with the unit in brackets at its end."""
    for place, (before, unit, after) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        is_unit = any(isinstance(m, Target | Share) for m in unit.meanings) and " " not in unit.text
        if before.kind == "open" and after.kind == "close" and is_unit and tokens[place + 3 :]:
            return [*tokens[:place], *tokens[place + 3 :], before, unit, after]
    return []


def with_than_last(tokens: Tokens) -> list[Token]:
    """Return "how much greener than grassland is the forest" with what it is compared with at its end."""
    than = next((i for i, token in enumerate(tokens) if Join("than") in token.meanings), 0)
    verb = next((i for i, t in enumerate(tokens) if i > than + 1 and t.text in _VERBS), 0)
    if not than or not verb or not any(isinstance(m, HowMuch) for m in tokens[0].meanings):
        return []
    return [*tokens[:than], *tokens[verb:], *tokens[than:verb]]


def with_limit_of_both(tokens: Tokens) -> list[Token]:
    """Return "above 750 m versus below", or "above and below 750 m", with the limit told on both sides."""
    told = _without_fillers(tokens)
    for place, found in enumerate(zip(told, told[1:], told[2:], told[3:], strict=False)):
        sign, *_, last = found
        limit, join, other = (found[1], found[2], last) if _is_limit(found[1]) else (last, found[1], found[2])
        after = told[place + 4 :]
        both_signs = {m.sign for t in (sign, other) for m in t.meanings if isinstance(m, Operator)}
        joined = any(isinstance(m, Join) for m in join.meanings) and _is_limit(limit)
        if joined and both_signs == {"gt", "lt"} and not (other is last and after and _is_limit(after[0])):
            return [*told[:place], sign, limit, join, other, limit, *after]
    return []


def _is_limit(token: Token) -> bool:
    return any(isinstance(m, Amount) for m in token.meanings)


def with_variable_of_both(tokens: Tokens) -> list[Token]:
    """Return "is the mean or the median NDVI larger" with the variable told of both statistics."""
    told = _without_fillers(tokens)
    stats = [i for i, token in enumerate(told) if any(isinstance(m, Stat) for m in token.meanings)]
    for first, second in pairwise(stats):
        variable = told[second + 1 : second + 2]
        between = told[first + 1 : second]
        joined = any(isinstance(m, Join | Operator) for token in between for m in token.meanings)
        if joined and variable and any(isinstance(m, Raw) for m in variable[0].meanings):
            return [*told[: first + 1], *variable, *told[first + 1 :]]
    return []


def with_comparison_last(tokens: Tokens) -> list[Token]:
    """Return "which is larger on 14 August, mean or median" as "is mean or median larger on 14 August"."""
    told = _without_fillers(tokens)
    for place, (word, time) in enumerate(pairwise(told)):
        compared = any(isinstance(m, Comparative) for m in word.meanings)
        if compared and any(isinstance(m, Time) for m in time.meanings):
            rest = told[place + 2 :]
            return [*told[:place], *rest[bool(rest) and rest[0].text in _PAUSES :], word, time]
    return []


def with_sole_variable(tokens: Tokens, names: Names) -> list[Token]:
    """Return "the median on 14 August", "how many pixels changed by 0.2" with the only index that there is.

    Only what is said of pixels, of ground that changed by so much, of where something changed most, or of the
    statistics of pixels at a time, is told so: "how much did it change" is not known of what, and "the range
    of dates" is none of pixels.
    """
    meanings = [token.meanings for token in tokens if token.meanings]
    if any(leaves(meaning) for token in meanings for meaning in token):
        return []
    # "The forest area" may itself be what changed, and "what percentage of the area" is none.
    share = any(_may_be(token, Share) and not _may_be(token, HowMuch) for token in meanings)
    pixels = any(
        Unit("pixel") in (m, getattr(m, "unit", None))
        for token in meanings
        for m in token
        if share or not _may_be(token, Area)
    )
    dated = any(isinstance(m, Time) for token in meanings for m in token)
    plain = dated and all(any(isinstance(m, _OF_A_STATISTIC) for m in token) for token in meanings)
    pixels = pixels or _says_how_much_ground_changed(tokens) or _says_where(tokens, names)
    kinds = _CHANGES if pixels else Stat
    told = [i for i, token in enumerate(tokens) if any(isinstance(m, kinds) for m in token.meanings)]
    greenness = sole_greenness(names) if told and (len(told) == 1 if pixels else plain) else None
    if greenness is None:
        return []
    variable = replace(tokens[told[-1]], meanings=(Raw(greenness),))
    return [*tokens[: told[-1] + 1], variable, *tokens[told[-1] + 1 :]]


def _may_be(meanings: Sequence[Phrase], kind: type[Phrase]) -> bool:
    return any(isinstance(meaning, kind) for meaning in meanings)


def _says_how_much_ground_changed(tokens: Tokens) -> bool:
    """Return whether an area is asked for, and a pure number is named that an index may change by."""
    amounts = [m.number for token in tokens for m in token.meanings if isinstance(m, Amount)]
    small = len(amounts) == 1 and not amounts[0].unit and abs(amounts[0].value) <= 1
    return small and any(isinstance(m, Area) for token in tokens for m in token.meanings)


def _says_where(tokens: Tokens, names: Names) -> bool:
    """Return whether it is asked where something is most, and nothing but an index varies with time."""
    asked = [any(isinstance(m, kind) for t in tokens for m in t.meanings) for kind in (About, Extreme)]
    located = any(m == About("location") for token in tokens for m in token.meanings)
    return all(asked) and located and len(_varying(names)) == 1


def _varying(names: Names) -> set[str]:
    """Return the roles of what varies with time, clouds and reflectance aside."""
    roles = {holding.role for holding in names.inventory.holdings if holding.dates and not holding.made}
    return {role for role in roles if role not in CLOUD_ROLES and role not in REFLECTANCES}


_CHANGES = (Change, SignedCourse)
_OF_A_STATISTIC = (Stat, Time, Along, Change, Clouds, Mask, Join)


def _without_fillers(tokens: Tokens) -> list[Token]:
    """Return the tokens that add something to the meaning."""
    return [token for token in tokens if token.meanings]


def share_time_in_a_list(node: Node, tokens: Tokens) -> Node:
    """Return "number of images and mean NDVI in 2016" with both of that time, which is said once.

    What is asked for by a question word of its own has a time of its own, and "overall" is a time as well.
    """
    asked_apart = any(_ASKING.match(token.text.lstrip(", ")) for token in tokens[1:])
    if not isinstance(node, Several) or asked_apart or any(Time(ALWAYS) in t.meanings for t in tokens):
        return node
    facts = [part for part in node.of if isinstance(part, Facts)]
    counts = [part for part in facts if part.about in ("images", "dates")]
    whens = {leaf.when for part in node.of for leaf in leaves(part) if not getattr(leaf, "timeless", False)}
    told = {*whens, *(part.of for part in facts if isinstance(part.of, When))} - {ALWAYS}
    if not counts or len(told) != 1:
        return node
    (when,) = told
    if when.single or not when.spans:
        return node  # how many images there are of a day is rather not asked
    shared = (replace(part, of=when) if part in counts else set_time(part, when) for part in node.of)
    return replace(node, of=tuple(shared))


def with_minus(tokens: Tokens) -> list[Token]:
    """Return "subtract the lowest from the highest" as "the lowest minus the highest", its negative."""
    taken = next((i for i, token in enumerate(tokens) if Word("subtract") in token.meanings), len(tokens))
    source = next((i for i, token in enumerate(tokens) if i > taken and token.text == "from"), None)
    if source is None:
        return []
    minus = replace(tokens[source], meanings=(Join("minus"),))
    return [*tokens[:taken], *tokens[taken + 1 : source], minus, *tokens[source + 1 :]]


def with_excess(tokens: Tokens) -> list[Token]:
    """Return "by how much does the forest differ from that of the grassland" as by how much it exceeds it."""
    pairs = enumerate(pairwise(tokens))
    differs = next((i for i, (one, two) in pairs if one.text in _DIFFERS and two.text == "from"), None)
    if differs is None or not any(isinstance(m, HowMuch) for t in tokens[:differs] for m in t.meanings):
        return []
    exceeds = replace(tokens[differs], end=tokens[differs + 1].end, meanings=(Operator("gt"),))
    return [*tokens[:differs], exceeds, *tokens[differs + 2 :]]


_DIFFERS = ("differ", "differs", "differed", "deviate", "deviates", "deviated")
_VERBS = ("is", "are", "was", "were")
_DASHES = ("-", "–", "—")


def apart(tokens: Tokens) -> list[list[Token]]:
    """Return what stands between commas, colons and other marks."""
    parts: list[list[Token]] = [[]]
    for place, token in enumerate(tokens):
        marked = place and token.start - tokens[place - 1].end > 1
        if parts[-1] and (marked or token.text in _PAUSES):
            parts.append([])
        parts[-1].extend(() if token.text in _PAUSES else (token,))
    return [part for part in parts if part]


def without_pauses(tokens: Tokens) -> Iterator[tuple[list[Token], list[Token], list[Token]]]:
    """Yield what stands between two commas, with what stands before and after them.

    "The interquartile range, across all dates, of the median": when or where may be told in between.
    """
    pauses = [place for place, token in enumerate(tokens) if token.text.startswith(",")]
    for first, last in pairwise([*pauses, len(tokens)]):
        if last - first > 1:
            yield list(tokens[:first]), list(tokens[first + 1 : last]), list(tokens[last + 1 :])


def _borders(question: str, tokens: Tokens) -> Iterator[int]:
    """Yield the places of the tokens that may begin another question."""
    for place in range(1, len(tokens)):
        between = question[tokens[place - 1].end : tokens[place].start]
        after = next((t for t in tokens[place:] if not _joins(t)), None)
        joined = _joins(tokens[place]) and after is not None and _ASKING.match(after.text.lower())
        clause = any(m == Join("clause") for m in tokens[place].meanings)
        if after is not None and _asks_how_much(after, after is tokens[-1]):
            continue  # "and by how much" is asked of what stands before it
        if _END.search(between) or (joined or clause) and not _joins(tokens[place - 1]):
            yield place


def _asks_how_much(token: Token, last: bool) -> bool:
    """Return whether a token is "by how much", and not the begin of "how much of it"."""
    apart = last or token.text.lower().startswith(("by ", "and by "))
    return apart and any(isinstance(m, HowMuch) for m in token.meanings)


def _joins(token: Token) -> bool:
    return token.text in _PAUSES or any(isinstance(m, Join) and m.by in _JOINS for m in token.meanings)


_PAUSES = (",", ";")
_JOINS = ("and", "each", "clause", ";")


def _parts(tokens: Tokens, borders: Sequence[int]) -> list[Tokens]:
    ends = (*borders, len(tokens))
    parts = [list(tokens[start:end]) for start, end in zip((0, *borders), ends, strict=True)]
    for part in parts[1:]:
        while part and _joins(part[0]):
            part.pop(0)
    return parts  # type: ignore[return-value]


def _with_shared_end(parts: list[Tokens]) -> list[Tokens]:
    """Return the parts of "how steep and how high is the forest": each is asked of the forest."""
    whole: list[Tokens] = []
    for part in reversed(parts):
        asked = [token for token in part if not _joins(token)]
        leads = bool(whole and whole[0]) and _ASKING.match(whole[0][0].text)
        shared = leads and all(t.text.startswith("how ") for t in asked)
        whole[:0] = [[token, *whole[0][1:]] for token in asked] if shared else [part]
    return whole


def _readings(parts: Sequence[Tokens], read: Read) -> list[Node]:
    """Return what the parts stand for together; nothing where one of them cannot be read."""
    chains: list[tuple[Node, ...]] = [()]
    for part in parts:
        chains = [(*chain, node) for chain in chains for node in _after(chain, part, read)]
        if not chains or len(chains) > _MOST_READINGS:
            return []
    return [told[0] if len(told) == 1 else Several(told) for told in map(_flat, chains)]


def _flat(chain: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return what is asked for one by one, each once: "when was it greenest? Which date was it?"."""
    parts = (one for node in chain for one in (node.of if isinstance(node, Several) else (node,)))
    return tuple(dict.fromkeys(parts))


def _after(chain: tuple[Node, ...], part: Tokens, read: Read) -> list[Node]:
    if not chain:
        return read(part, None)
    found: list[Node] = []
    for node in read(part, chain[-1]):
        inherited = list(_inherit_scope(node, chain[-1]))
        # "How warm was it there" is of the same time as well.
        found += inherited if inherited and _refers(part) else [*inherited, node]
    return list(dict.fromkeys(found))


def _refers(part: Tokens) -> bool:
    meanings = (meaning for token in part for meaning in token.meanings)
    return any(isinstance(m, Anaphor) or m in (Word("it"), Word("there")) for m in meanings)


def _inherit_scope(node: Node, former: Node) -> Iterator[Node]:
    """Yield a question with the time and the ground of the one before it, where it names none itself."""
    if isinstance(node, Several):
        return
    made = node
    whens, wheres = _times(former), _grounds(former)
    if _times(node) == {ALWAYS} and len(whens) == 1:
        made = next(filter(kind_or_none, _at_time(made, *whens)), made)
    where = wheres.pop() if len(wheres) == 1 else None
    if _grounds(node) == {None} and where is not None:
        made = next(iter(apply_fragment(made, Mask(where))), made)
    if made != node and kind_or_none(made) is not None:
        yield made


def _at_time(node: Node, when: When) -> list[Node]:
    """Return a question at a time: as a fragment would make it, else without its default over the dates."""
    opened = rewrite(node, Aggregate, lambda a: a.of if a.over == "date" and "dates" in a.assumed else a)
    return [*apply_fragment(node, Time(when)), set_time(opened, when)]


def _times(node: Node) -> set[When]:
    return {leaf.when for leaf in leaves(node) if not (isinstance(leaf, Variable) and leaf.timeless)}


def _grounds(node: Node) -> set[Node | None]:
    measured = measured_ground(node)
    return {measured} if measured is not None else {leaf.where for leaf in leaves(node)}
