"""Completions of names, attributes and keys, without calling anything of the user's but __dir__."""
import builtins
import keyword
import re

from . import cell, channel, peek, rich

MOST = 200
CHAIN = r"[^\W\d]\w*(?:\.[^\W\d]\w*|\[(?:\d+|'[^'\n]*'|\"[^\"\n]*\")\])*"
KEY = re.compile(r"(%s)\[(['\"])([^'\"\n]*)$" % CHAIN)
ATTRIBUTE = re.compile(r"(%s)\.(\w*)$" % CHAIN)
NAME = re.compile(r"[^\W\d]\w*$")


def answer(given):
    code = channel.text(given[channel.F_CODE])
    cursor = channel.number(given[channel.F_START]) if channel.F_START in given else len(code)
    line = code[:cursor].rpartition("\n")[2]
    found, _ = rich.guarded(sql_names if given.get(channel.F_LANGUAGE) == b"sql" else candidates, line[-2000:])
    typed, names = found or ("", [])
    reply = [(channel.F_START, min(cursor, len(code)) - len(typed))]
    channel.send(channel.COMPLETIONS, reply + [(channel.F_NAME, name) for name in names[:MOST]])


def sql_names(line):
    from . import sql

    return sql.completions(line)


def candidates(line):
    """The typed part of the last name, and the names that it may become."""
    scopes = (cell.namespace, vars(builtins))
    match = KEY.search(line)
    if match:
        keys = [k for k in peek.keys(look_up(match.group(1), scopes)) if type(k) is str]
        return match.group(3), matching(match.group(3), keys)
    match = ATTRIBUTE.search(line)
    if match:
        return match.group(2), matching(match.group(2), dir(look_up(match.group(1), scopes)))
    match = NAME.search(line)
    typed = match.group() if match else ""
    if not typed:
        return typed, []
    return typed, matching(typed, list(cell.namespace) + keyword.kwlist + dir(builtins))


def look_up(text, scopes):
    return peek.peek(peek.parse(text), scopes)


def matching(typed, names):
    names = sorted({n for n in names if type(n) is str and n.startswith(typed) and len(n) < 200})
    return [n for n in names if typed.startswith("_") or not n.startswith("_")]
