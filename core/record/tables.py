"""The tables of the store: runs and their events, both memories, people and what they own.

A change here needs a script in ``migrations/versions``; a test compares the two.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Integer, MetaData, String, Table, Text

METADATA = MetaData()

# Moments are seconds since 1970: a number compares alike in both databases. An identity has 128 characters;
# what is longer than that has it with a prefix.

# ``owner`` is the process that works on the run; whom the run belongs to is in the table of owners.
RUNS = Table(
    "runs",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("workspace", String(512), nullable=False, index=True),
    Column("question", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("owner", String(64), nullable=False, default=""),
    Column("parent", String(32), nullable=True, index=True),
    Column("created", Float, nullable=False),
    Column("updated", Float, nullable=False),
)

# Of each process that works on runs: where it is, and when it last said that it lives.
LEASES = Table(
    "leases",
    METADATA,
    Column("owner", String(64), primary_key=True),
    Column("host", String(256), nullable=False),
    Column("beat", Float, nullable=False),
)

# The key refuses a second event of the same number, so two writers cannot both be the next.
EVENTS = Table(
    "events",
    METADATA,
    Column("run", String(32), ForeignKey("runs.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("time", Float, nullable=False),
    Column("kind", String(24), nullable=False),
    Column("body", Text, nullable=False),
)

# What a policy is writing at the moment, one row a run; gone once it is an event.
DRAFTS = Table(
    "drafts",
    METADATA,
    Column("run", String(32), primary_key=True),
    Column("body", Text, nullable=False),
    Column("time", Float, nullable=False),
)

# Unforeseen exceptions; ``run`` is empty for one that belongs to no run, such as a page's.
FAULTS = Table(
    "faults",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("run", String(32), nullable=False, default="", index=True),
    Column("code", String(16), nullable=False, index=True),
    Column("subject", Text, nullable=False),
    Column("error", String(128), nullable=False),
    Column("place", Text, nullable=False),
    Column("traceback", Text, nullable=False),
    Column("time", Float, nullable=False),
)

ENTRIES = Table(
    "memory_entries",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("instance", String(64), nullable=False, index=True),
    Column("question", Text, nullable=False),
    Column("workspace", String(512), nullable=False),
    Column("owner", String(128), nullable=False),
    Column("shared", Boolean, nullable=False),
    Column("root", String(32), nullable=False, index=True),
    Column("run", String(32), nullable=False, index=True),
    Column("round", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("content", Text, nullable=False),
    Column("pinned", Boolean, nullable=False, default=False),
    Column("muted", Boolean, nullable=False, default=False),
    Column("deleted", Boolean, nullable=False, default=False),
    Column("expression", Text, nullable=False, default="", server_default=""),
)

# What an entry said before it was edited.
VERSIONS = Table(
    "memory_versions",
    METADATA,
    Column("entry", String(32), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("time", Float, nullable=False),
    Column("content", Text, nullable=False),
)

USES = Table(
    "memory_uses",
    METADATA,
    Column("entry", String(32), primary_key=True),
    Column("run", String(32), primary_key=True),
    Column("time", Float, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("helped", Boolean, nullable=True),
)

BANK = Table(
    "memory_bank",
    METADATA,
    Column("key", String(64), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("topic", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("provenance", Text, nullable=False),
    Column("uses", Integer, nullable=False, default=0),
    Column("helps", Integer, nullable=False, default=0),
    Column("muted", Boolean, nullable=False, default=False),
    Column("created", Float, nullable=False),
    Column("expression", Text, nullable=False, default="", server_default=""),
    Column("harms", Integer, nullable=False, default=0, server_default="0"),
    Column("review", String(16), nullable=False, default="accepted", server_default="accepted"),
    Column("reviewer", String(128), nullable=False, default="judge", server_default="judge"),
    Column("owner", String(128), nullable=False, default="", server_default="", index=True),
)

PEOPLE = Table(
    "people",
    METADATA,
    Column("id", String(128), primary_key=True),
    Column("name", String(256), nullable=False),
    Column("role", String(16), nullable=False),
    Column("blocked", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),
)

# Sign-ins that their person has ended; the cookie that states one stays valid by itself.
ENDED_SIGN_INS = Table(
    "ended_sign_ins",
    METADATA,
    Column("mark", String(64), primary_key=True),
    Column("time", Float, nullable=False),
)

MEMBERS = Table(
    "group_members",
    METADATA,
    Column("group", String(128), primary_key=True),
    Column("person", String(128), primary_key=True, index=True),
)

# Apart from the things themselves: folders of workspaces have owners too, and no table.
OWNERS = Table(
    "owners",
    METADATA,
    Column("kind", String(16), primary_key=True),
    Column("thing", String(512), primary_key=True),
    Column("person", String(128), nullable=False, index=True),
)

GRANTS = Table(
    "grants",
    METADATA,
    Column("kind", String(16), primary_key=True),
    Column("thing", String(512), primary_key=True),
    Column("grantee", String(160), primary_key=True, index=True),
    Column("allows", String(8), nullable=False),
)

# Answers that are pinned: the newest run of each question, the one before it, and what was looked at.
PINS = Table(
    "pins",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("person", String(128), nullable=False, index=True),
    Column("workspace", String(512), nullable=False),
    Column("run", String(32), nullable=False),
    Column("before", String(32), nullable=False),
    Column("every", Integer, nullable=False),
    Column("looked", Float, nullable=False),
    Column("files", String(80), nullable=False),
    Column("created", Float, nullable=False),
)

# Who did what to which thing. Rows are added and read; triggers refuse everything else.
AUDIT = Table(
    "audit",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("time", Float, nullable=False, index=True),
    Column("person", String(128), nullable=False, index=True),
    Column("action", String(32), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("thing", String(512), nullable=False),
    Column("detail", Text, nullable=False),
)
