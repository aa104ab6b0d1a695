"""What a cell did to the top-level names, and the dataframes among them.

Identity, type, length and shape are compared, never contents: the cost does not depend on the
size of the data. Only ids are kept between cells, so nothing is kept alive that the user's code
let go.
"""
import sys

from . import cell, channel, rich

NAMES, LISTED = 10000, 200
FRAMES, COLUMNS, ROWS, REPR, PLAIN = 32, 100, 5, 4096, 65536
COUNTED = 200000  # rows of a table whose missing items are counted

FIXED = {str, bytes, tuple, bool, type, type(None), type(len), type(sys), type(lambda: 0)}
SIZED = {list, dict, set, bytearray}

known = {}  # name to signature, as the last cell left it
tables = {}  # name to (signature, JSON without its `change`, which is empty if a quiet cell left it)


def top_level(namespace):
    return [n for n in list(namespace)[:NAMES] if type(n) is str and n not in cell.BASE
            and n not in cell.injected]


def fields(namespace):
    names = top_level(namespace)
    now = {name: signature(namespace[name]) for name in names}
    changes = [entry(name, "changed" if name in known else "new", namespace[name])
               for name in names if known.get(name) != now[name]]
    changes += [{"name": rich.cut(name, 200), "type": known[name][1], "change": "deleted"}
                for name in known if name not in now]
    known.clear()
    known.update(now)
    frames = []
    if "pandas" in sys.modules or "polars" in sys.modules or tables:
        frames = dataframes(namespace, names)
    if cell.state.quiet:
        return []
    out = [(channel.F_VARIABLES, rich.to_json(changes[:LISTED]))] if changes else []
    if frames:
        out.append((channel.F_DATAFRAMES, "[" + ", ".join(frames) + "]"))
    return out


def signature(value):
    kind = type(value)
    if kind in FIXED:
        size = None
    elif kind in SIZED:
        size = len(value)
    elif kind is int or kind is float:  # the address of a freed number is soon used again
        size = value
    else:
        size = rich.shape_of(value)
    return id(value), rich.type_name(value), size


def entry(name, change, value):
    found = {"name": rich.cut(name, 200), "type": rich.type_name(value), "change": change}
    shape = rich.shape_of(value)
    if shape is not None:
        found["shape"] = shape
    return found


def is_table(value):
    return rich.type_name(value) == "DataFrame" and rich.root_of(value) in ("pandas", "polars")


def dataframes(namespace, names):
    """JSON texts of all dataframes in scope; those that look the same are not described again."""
    found = []
    before = dict(tables)
    tables.clear()
    for name in names:
        value = namespace[name]
        if len(found) == FRAMES or not is_table(value):
            continue
        mark, error = rich.guarded(edges, value)
        old = before.get(name)
        change = "new" if old is None else "same" if old[0] == mark else "changed"
        text = old[1] if change == "same" else ""
        if not text and error is None and not cell.state.quiet:
            text, error = rich.guarded(description, name, value)
        if error is None:
            tables[name] = mark, text
            found.append(text[:-1] + ', "change": "%s"}' % change)
    return found


def edges(table):
    """Identity, shape, and for each column its name, type, first and last item."""
    if rich.root_of(table) == "polars":
        ends = [table.schema, table.row(0), table.row(-1)] if len(table) else [table.schema]
    else:
        ends = [ends_of(column) for _, (_, column) in zip(range(COLUMNS), table.items())]
    return id(table), tuple(table.shape), rich.plain(ends, PLAIN)


def ends_of(column):
    items = column.array
    return (column.name, column.dtype) + ((items[0], items[-1]) if len(items) else ())


def description(name, table):
    columns, head = (of_polars if rich.root_of(table) == "polars" else of_pandas)(table)
    return rich.to_json({
        "name": name,
        "repr": rich.cut(rich.special_plain(table), REPR),
        "shape": [int(n) for n in table.shape],
        "columns": columns,
        "head": [[small(item) for item in row[:COLUMNS]] for row in head],
    })


def of_polars(table):
    count = len(table) <= COUNTED
    columns = [column_entry(label, dtype, count and (lambda: table[label].null_count()))
               for label, dtype in zip(table.columns[:COLUMNS], table.dtypes)]
    return columns, table.head(ROWS).rows()


def of_pandas(table):
    """Takes the columns that pandas has ready: asking for one by its place, or for rows, takes longer than looking at
    it."""
    count = len(table) <= COUNTED
    pairs = [pair for _, pair in zip(range(COLUMNS), table.items())]
    columns = [column_entry(label, column.dtype, count and (lambda: missing_in(column))) for label, column in pairs]
    return columns, zip(*(first_items(column) for _, column in pairs))


def column_entry(label, dtype, count):
    """With the number of missing items, if there are any; in a long table they are not counted."""
    found = {"name": rich.cut(str(label), 200), "dtype": str(dtype)}
    try:
        missing = int(count()) if count else 0
    except Exception:  # a column of a type that somebody defined
        missing = 0
    return {**found, "missing": missing} if missing else found


def first_items(column):
    if getattr(column.dtype, "kind", "O") in "iufbc" and rich.root_of(column.dtype) == "numpy":
        return column.values[:ROWS].tolist()
    return list(column.array[:ROWS])


def missing_in(column):
    return 0 if getattr(column.dtype, "kind", "O") in "iub" else column.array.isna().sum()


def small(item):
    """One item of a table for JSON."""
    if item is None or type(item) in (bool, int, float):
        return item
    pandas = sys.modules.get("pandas")
    if pandas and (item is pandas.NaT or item is getattr(pandas, "NA", None)):
        return None
    if type(item) is not str:
        item = rich.simplified(item)
    return rich.cut(item, 200) if type(item) is str else item
