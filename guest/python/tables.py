"""What SQL cells see beside the session's database: DataFrames and lists of dicts of Python by their
names, files of data by their paths; and what the database holds, for hints.

Each becomes a temporary table behind a view of its name, because a view cannot be changed: a change
would be one of the copy, and lost.
"""
import itertools
import os
import re
import sys

from . import cell, hints, rich

BATCH = 1000  # rows whose types are looked at together
FIELD = 16 << 20  # bytes of one field of a CSV file
TABLES = 12  # tables that a hint names
CARDS = 40  # tables that are described completely
DELIMITERS = ",;\t|"
# Each matches any number of lines. Numbers with leading zeros or a plus sign are codes and telephone numbers, and a
# number with more digits would not come out as it was written.
INTEGERS = re.compile(r"(?:(?:-?(?:0|[1-9]\d{0,17}))?\n)*", re.A)
REALS = re.compile(r"(?:(?:-?(?:(?:0|[1-9]\d{0,14})(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?)?\n)*", re.A)
KINDS = ("INTEGER", INTEGERS), ("REAL", REALS), ("TEXT", None)


class Refused(Exception):
    """A file or a variable cannot be a table."""


def load(db, name):
    """Makes the missing table; False if nothing has this name."""
    value = cell.namespace.get(name)
    if is_table(value):
        names, kinds, rows = of_value(value)
    elif os.path.splitext(name)[1].lower() in FILES and os.path.isfile(name):
        names, kinds, rows = of_file(name)
    else:
        return False
    names = distinct(names)
    copy = quoted("of " + name)
    db.execute("SAVEPOINT load")
    db.execute("CREATE TEMP TABLE %s (%s)" % (copy, ", ".join(
        "%s %s" % (quoted(n), kind) for n, kind in zip(names, kinds))))
    db.executemany("INSERT INTO %s VALUES (%s)" % (copy, ", ".join("?" * len(names))), rows)
    db.execute("CREATE TEMP VIEW %s AS SELECT * FROM %s" % (quoted(name), copy))
    db.execute("RELEASE load")
    return True


def quoted(name):
    return '"%s"' % name.replace('"', '""')


def distinct(names):
    """Column names for SQL: none empty, none twice, also if case is ignored."""
    if not names:
        raise Refused("a table needs a column")
    seen, out = set(), []
    for place, name in enumerate(names, 1):
        name = plain = str(name).strip().replace("\0", "") or "column%d" % place
        while name.lower() in seen:
            name = "%s_%d" % (plain, place)
            place += 1
        seen.add(name.lower())
        out.append(name)
    return out


# ---- Variables of Python ----

def is_table(value):
    if type(value) is list:
        return bool(value) and all(type(row) is dict for row in value)
    return rich.type_name(value) == "DataFrame" and rich.root_of(value) in ("pandas", "polars")


def variables():
    return [name for name, value in list(cell.namespace.items())
            if type(name) is str and not name.startswith("_") and is_table(value)]


def of_value(value):
    if type(value) is list:
        return of_records(value)
    if rich.root_of(value) == "polars":
        return of_records(value.to_dicts()) if len(value) else (value.columns, itertools.repeat(""), [])
    return of_frame(value)


def of_frame(frame):
    """Named levels of the index become columns: groupby makes them."""
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index(level=[n for n in frame.index.names if n is not None], allow_duplicates=True)
    columns = [frame.iloc[:, i] for i in range(frame.shape[1])]
    names = ["_".join(map(str, n)) if type(n) is tuple else str(n) for n in frame.columns]
    kinds = [{"i": "INTEGER", "u": "INTEGER", "b": "INTEGER", "f": "REAL", "M": "TEXT"}.get(c.dtype.kind, "")
             for c in columns]
    return names, kinds, zip(*(values(c) for c in columns)) if columns else []


def values(column):
    if isinstance(column.dtype, sys.modules["numpy"].dtype) and column.dtype.kind in "ifb":
        return column.tolist()
    there = column.notna()
    return [storable(v) if known else None for v, known in zip(column, there)]


def of_records(records):
    names = list(dict.fromkeys(str(key) for row in records for key in row))
    rows = [[storable(v) for v in map({str(k): v for k, v in row.items()}.get, names)] for row in records]
    return names, [kind_of(column) for column in zip(*rows)], rows


def kind_of(column):
    kinds = {*map(type, column)} - {type(None)}
    if kinds <= {int, bool}:
        return "INTEGER"
    return "REAL" if kinds <= {int, bool, float} else "TEXT" if kinds == {str} else ""


def storable(value):
    """A value that SQLite accepts; lists and dicts as JSON, dates as text."""
    kind = type(value)
    if kind is str:
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if kind is int:
        return value if -(2**63) <= value < 2**63 else str(value)
    if value is None or kind in (float, bool, bytes):
        return value
    if kind in (list, tuple, dict, set):
        return rich.to_json(value)
    if rich.hasattr_safely(value, "isoformat"):
        return None if value != value else str(value)  # NaT does not equal itself
    if rich.root_of(value) == "decimal":
        return float(value)
    if rich.type_name(value) == "NAType":
        return None
    plain = rich.simplified(value) if rich.root_of(value) == "numpy" else value
    return plain if plain is value else storable(plain)


# ---- Files ----

def of_file(path):
    try:
        return FILES[os.path.splitext(path)[1].lower()](path)
    except (OSError, ValueError, ImportError) as e:
        raise Refused("%s: %s" % (path, e)) from None


def of_csv(path):
    import csv

    csv.field_size_limit(max(csv.field_size_limit(), FIELD))
    with open_text(path) as file:
        line = file.readline()
    delimiter = max(DELIMITERS, key=line.count) if not path.lower().endswith(".tsv") else "\t"
    try:
        names = next(fields(path, delimiter), None)
        if not names:
            raise Refused("%s: there is nothing in it" % path)
        kinds = kinds_of(itertools.islice(fields(path, delimiter), 1, None), len(names))
    except csv.Error as e:
        raise Refused("%s: %s" % (path, e)) from None
    return names, kinds, filled(path, delimiter, len(names))


def open_text(path):
    return open(path, newline="", encoding="utf-8-sig", errors="backslashreplace")


def fields(path, delimiter):
    import csv

    with open_text(path) as file:
        yield from csv.reader(file, delimiter=delimiter)


def kinds_of(rows, width):
    """The types that fit all values of a column."""
    ranks = [0] * width
    while True:
        batch = list(itertools.islice(rows, BATCH))
        if not batch:
            return [KINDS[rank][0] for rank in ranks]
        for i, column in enumerate(itertools.islice(itertools.zip_longest(*batch, fillvalue=""), width)):
            text = "\n".join(column) + "\n" if KINDS[ranks[i]][1] else ""
            while KINDS[ranks[i]][1] and not KINDS[ranks[i]][1].fullmatch(text):
                ranks[i] += 1


def filled(path, delimiter, width):
    """The rows below the header; empty and missing fields are NULL."""
    for number, row in enumerate(fields(path, delimiter), 1):
        if number == 1 or not row:
            continue
        if len(row) > width:
            raise Refused("%s: row %d has %d fields, the header has %d" % (path, number, len(row), width))
        yield [value or None for value in row] + [None] * (width - len(row))


def of_json(path):
    import json

    with open_text(path) as file:
        found = [json.loads(line) for line in file if line.strip()] \
            if path.lower().endswith(("l", ".ndjson")) else json.load(file)
    if type(found) is dict:
        found = [found]
    if type(found) is not list or not all(type(row) is dict for row in found):
        raise Refused("%s: a table is a list of objects" % path)
    return of_records(found)


def of_parquet(path):
    import pandas

    return of_frame(pandas.read_parquet(path))


FILES = {".csv": of_csv, ".tsv": of_csv, ".json": of_json, ".jsonl": of_json, ".ndjson": of_json,
         ".parquet": of_parquet}


# ---- What there is ----

def columns(db):
    """{table: its columns} of the database and of what this cell has brought in."""
    found = {}
    for name, column in db.execute(
            "SELECT t.name, c.name FROM (SELECT name, rowid AS place FROM temp.sqlite_schema WHERE type = 'view'"
            " UNION ALL SELECT name, rowid FROM main.sqlite_schema WHERE type IN ('table', 'view')"
            " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\') AS t, pragma_table_info(t.name) AS c ORDER BY t.place, c.cid"):
        found.setdefault(name, []).append(column)
    return found


def schema(db, there=None):
    there = columns(db) if there is None else there
    found = ["%s(%s)" % (name, hints.some(names, 20)) for name, names in list(there.items())[:TABLES]]
    return ", ".join(found) + (", … (%d tables)" % len(there) if len(there) > TABLES else "")


def card(db):
    """For each table: rows, columns with their types and some values, keys."""
    lines, there = [], columns(db)
    for name in list(there)[:CARDS]:
        lines.append("%s: %d rows" % (name, db.execute("SELECT count(*) FROM " + quoted(name)).fetchone()[0]))
        for column, kind, key in db.execute("SELECT name, type, pk FROM pragma_table_info(?)", (name,)):
            some = db.execute("SELECT DISTINCT substr({0}, 1, 40) FROM {1} WHERE {0} IS NOT NULL LIMIT 3".format(
                quoted(column), quoted(name)))
            lines.append("  - %s %s%s; such as %s" % (column, kind, ", primary key" if key else "",
                                                      " ".join(str(value) for value, in some)))
        for keys in db.execute('SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)', (name,)):
            lines.append("  - %s refers to %s.%s" % keys)
    if len(there) > CARDS:
        lines.append("and %d more tables: %s" % (len(there) - CARDS, hints.some(list(there)[CARDS:])))
    return "\n".join(lines) + "\n"


def files(folder):
    """Paths of the files of data in a folder."""
    try:
        names = os.listdir(folder or ".")[:5000]
    except OSError:
        return []
    return sorted(os.path.join(folder, n) for n in names if os.path.splitext(n)[1].lower() in FILES)


def missing_hint(db, name):
    """A hint for a table that is not found."""
    if name in cell.namespace:
        return "%s is a variable of Python, no table: its value is :%s" % (name, name)
    there = columns(db)
    there_too = files(os.path.dirname(name))
    short = name.rpartition(".")[2] if name not in there_too and not os.path.splitext(name)[1] in FILES else name
    found = hints.closest(short, [*there, *variables()]) or ["'%s'" % f for f in hints.closest(name, there_too)]
    parts = ((hints.did_you_mean(found), "%s"), (schema(db, there), "tables: %s"),
             (hints.some(variables()), "variables: %s"), (hints.some(map("'{}'".format, there_too)), "files: %s"))
    return "; ".join(form % text for text, form in parts if text) or "there are no tables yet"
