"""What a question about pictures asks for: scenes, objects, distances, buildings before and after."""

from __future__ import annotations

import re

from treeline.core.query.largest.text import NUMBER, alternatives, normalise_question, number
from treeline.core.query.objects import Objects, Sight

_PICTURE = r"(?:images?|pictures?|photos?|scenes?|regions?|areas?)"
_STOP = (
    r"(?= (?:in|on|are|is|were|was|present|detected|captured|visible|located|found|that|which|they|each|"
    r"within|from|of the image|using|by|for|completely|can|visible|as)\b|[?.,;:(]|$)"
)
_OBJECT = r"(?P<o>[a-z][a-z -]{2,40}?)"

# Where the name of the object stands, the most telling first.
_OBJECT_PATTERNS = (
    rf"(?:closest|nearest|farthest|furthest)(?: pair(?: of)?| two)? (?!pair|distance){_OBJECT}{_STOP}",
    r"(?:pair|bounding boxes|boxes|centroids?|coordinates|area) of (?:all |the |every |each )*(?:detected )?"
    rf"(?!farthest|closest|nearest|furthest){_OBJECT}{_STOP}",
    rf"\btwo {_OBJECT}{_STOP}",
    rf"(?:number of|how many|count(?: of)?(?: the)?(?: number of)?) (?:the |all )?{_OBJECT}{_STOP}",
    rf"(?:covered|occupied|taken up) by (?:all |the |every )*{_OBJECT}{_STOP}",
    rf"(?:contains?|shows?|has|have|holds?) the (?:most|fewest) {_OBJECT}{_STOP}",
    rf"most (?:developed )?{_OBJECT} (?:infrastructure|facilities){_STOP}",
    rf"(?:all|detected|dedicated to) (?:the )?{_OBJECT}{_STOP}",
    rf"(?:locate|detect|find|segment) (?:all |the |every )*{_OBJECT}{_STOP}",
    rf"(?:^(?!as )| an? )(?:[a-z]+al )?{_OBJECT} (?:infrastructure|facilities|audit)\b",
)

_OUTLINED = r"\bbuilt-up area\b|\bfootprints?\b|\bsegment|\boutlines?\b|\bmasks?\b"
_DAMAGED = r"(?:destroy|damag|collaps)\w*"

_KINDS: tuple[tuple[str, Sight], ...] = (
    (
        rf"^(?=.*\bbuildings?\b)(?=.*\b{_DAMAGED}\b)(?=.*\b(?:count|how many|number)\b)"
        r"(?!.*\bbuilding area\b)",
        "destroyed",
    ),
    (r"\bbuildings?\b|\bbuilt[- ]up area (?:in|of) the image", "change"),
    (r"\bbounding box(?:es)? of [^.?]*\b(?:closest|nearest|farthest|furthest)", "pair"),
    (r"\bdistances?\b|\bhow far\b", "distance"),
    (r"\bcentroids?\b[^.]*\b(?:all|every|each)\b|\b(?:all|every|each)\b[^.]*\bcentroids?\b", "centroids"),
    (r"\bcentroids?\b|\bcenter coordinates\b|\bwhere is the\b", "described"),
    (
        alternatives(
            r"\btotal area\b",
            r"\bareas? of (?:all |the |detected )",
            r"\barea (?:covered|occupied|taken up)\b",
            r"\bproportion of urban space\b",
            r"\bbuilt-up area\b",
            r"\bhow large\b",
        ),
        "area",
    ),
    (
        alternatives(
            r"\bbelongs? to\b",
            r"\bscene (?:class|category|type)\b",
            r"\b(?:images?|pictures?) (?:captured|taken|showing) (?:in|of)?\b",
        ),
        "scene",
    ),
    (
        r"\bhow many\b|\bnumber of\b|\bcount\b|\brank\b|\bsort\b|\bmost\b|\blargest number\b|\bfewest\b",
        "count",
    ),
)


def read_pictures(question: str) -> Objects | None:
    """Return what a question asks of pictures; ``None`` where that is not understood."""
    text = normalise_question(question)
    kind = next((kind for pattern, kind in _KINDS if re.search(pattern, text)), None)
    if kind is None:
        return None
    scene = _scene(question) if kind in ("scene", "count") else ""
    gsds = re.findall(rf"gsd (?:for|of) (?:image )?(\w+) (?:is|=) ({NUMBER})", text)
    gsd = re.search(
        rf"gsd\s*(?:=|is|of|:)?\s*({NUMBER})|({NUMBER})\s*(?:m/px|m per pixel|meters? per pixel)", text
    )
    each = re.search(rf"each(?: of| is)? (?:about )?({NUMBER}) ?m2", text)
    asked: Sight = "scene" if scene else kind
    name = scene or (_description(question) if kind == "described" else _object(text))
    return Objects(
        about=asked,
        name=name,
        gsd=number(gsd[1] or gsd[2]) if gsd and not gsds else None,
        gsds=tuple((name, number(value)) for name, value in gsds),
        farthest=re.search(r"farthest|furthest|most distant|largest distance", text) is not None,
        outlined=re.search(_OUTLINED, text) is not None and "bounding box" not in text,
        each=number(each[1]) if each else None,
        rank=re.search(r"\brank\b|\bsort\b|\bcompare\b|\bwhich (?:region|area|image)|\border\b", text)
        is not None,
    )


def _scene(question: str) -> str:
    """Return the class among those in braces that the question asks for."""
    braces = re.search(r"\{([^}]*)\}", question)
    if braces is None:
        return ""
    asked = _letters(question[braces.end() :]) or _letters(question[: braces.start()])
    names = [name.strip() for name in braces[1].split(",")]
    found = [name for name in names if _letters(name) in asked]
    return max(found, key=len) if found else ""


def _letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())


_NO_OBJECT = rf"(?:the |their )?(?:{_PICTURE}|total|objects?|areas?)"


def _object(text: str) -> str:
    for pattern in _OBJECT_PATTERNS:
        match = re.search(pattern, text)
        words = _singular(match["o"]) if match else ""
        if words and not re.fullmatch(_NO_OBJECT, words):
            return _GROUNDS.get(words, words)
    return "building" if "built-up area" in text else ""


# What stands on the ground where a question names the sport.
_GROUNDS = {
    "baseball": "baseball diamond",
    "basketball": "basketball court",
    "tennis": "tennis court",
    "soccer": "soccer ball field",
    "football": "football field",
    "sport": "sports field",
    "track": "ground track field",
}


def _singular(words: str) -> str:
    plain = re.sub(r"^(?:the|all|any|detected|each|every|two|large|small) ", "", words.strip())
    if plain.endswith("ies"):
        return f"{plain[:-3]}y"
    return plain[:-1] if plain.endswith("s") and not plain.endswith("ss") else plain


def _description(question: str) -> str:
    """Return the description of the object that is meant: what is quoted, or what follows "of"."""
    quoted = re.search(r"[\u201c\"]([^\u201d\"]{10,})[\u201d\"]", question)
    if quoted:
        return quoted[1].strip()
    match = re.search(r"(?:coordinates|centroid|center) of ((?:the|a|an) [^.?(]+)", question, re.IGNORECASE)
    return match[1].strip() if match else question.strip()
