"""All top-level names and tables with a digest of their values, so that sessions can be compared.

What a digest covers is bounded: the first 64 KiB of a repr, tables and arrays up to ITEMS items;
larger ones count by type, shape and edges. Addresses in reprs are left out.

A child looks: reprs are code of the user's, and a question must change nothing.
"""
import os
import re
import signal
import sys

from . import cell, channel, rich, variables

LISTED, ITEMS, SECONDS = 1000, 4000000, 5
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def answer(language):
    """For one language, its variables; otherwise all, with digests."""
    found, _ = rich.guarded(aside, {"": listing, "sql": list_tables}.get(language, list_variables))
    channel.send(channel.LISTING, [(channel.F_VARIABLES, found)] if found else [])


def aside(work):
    """Runs work() in a child and returns the result as bytes; None if it fails or takes too long."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            begin_child()
            data = work().encode("utf-8", "backslashreplace")
            while data:
                data = data[os.write(theirs, data):]
            os._exit(0)
        finally:
            os._exit(1)
    os.close(theirs)
    with open(ours, "rb") as pipe:
        data = pipe.read()
    return data if os.waitpid(child, 0)[1] == 0 else None


def begin_child():
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    nowhere = os.open("/dev/null", os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def listing():
    return rich.to_json([{**entry(name), "digest": digest_of(cell.namespace[name])} for name in names()] +
                        [{**table("sql." + name, text), "digest": digest(parts)} for name, text, parts in tables(ITEMS)])


def list_variables():
    return rich.to_json([entry(name) for name in names()])


def list_tables():
    return rich.to_json([table(name, text) for name, text, _ in tables(0)])


def names():
    found = [name for name in variables.top_level(cell.namespace)
             if type(cell.namespace[name]) is not type(sys) and not name.startswith("__")]
    return sorted(found)[:LISTED]


def tables(items):
    """The tables that SQL cells have made."""
    if not any(os.path.exists(os.path.join(cell.state.work or "", ".retort/session." + kind)) for kind in ("db", "duckdb")):
        return []
    from . import sql

    return sql.contents(items)


def table(name, text):
    return {"name": rich.cut(name, 200), "type": "table", "repr": rich.cut(text, 160)}


def entry(name):
    value = cell.namespace[name]
    return {"name": rich.cut(name, 200), "type": rich.type_name(value), "repr": ADDRESS.sub("", rich.short(value))}


def digest_of(value):
    parts, error = rich.guarded(content, value)
    return None if error is not None else digest(parts)


def digest(parts):
    from hashlib import sha256

    total = sha256()
    for part in parts:
        total.update(part if isinstance(part, bytes) else part.encode("utf-8", "backslashreplace"))
    return total.hexdigest()[:16]


def content(value):
    """What makes two values count as equal, as a list of texts and bytes."""
    code = getattr(value, "__code__", None) if type(value) is type(content) else None
    if code is not None:
        return [code.co_code, rich.plain(code.co_consts), rich.plain(value.__defaults__)]
    shape = rich.shape_of(value)
    if shape is None:
        return [rich.type_name(value), ADDRESS.sub("", rich.plain(value))]
    size = 1
    for n in shape:
        size *= n
    small = size <= ITEMS
    return [rich.type_name(value), repr(shape), *(whole(value) if small else [rich.plain(value)])]


def whole(value):
    """All items of a table or an array."""
    pandas = sys.modules.get("pandas")
    if pandas and isinstance(value, (pandas.DataFrame, pandas.Series, pandas.Index)):
        names = value.columns if isinstance(value, pandas.DataFrame) else [value.name]
        return [rich.plain(list(names)), pandas.util.hash_pandas_object(value).values.tobytes()]
    if hasattr(value, "tobytes") and not getattr(value.dtype, "hasobject", True):
        return [str(value.dtype), value.tobytes()]
    return [rich.plain(value)]
