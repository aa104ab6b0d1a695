"""SQL cells on DuckDB, where the session's environment has it: instead of SQLite, on /work/.retort/session.duckdb.

As there (sql.py), a connection lives as long as its cell: none of DuckDB's threads is left when the session is
copied, and what lasts is what is in the file. Files are tables by DuckDB's own means; variables of Python are
tables when DuckDB misses one of their name.
"""
import importlib.util
import os
import re

from . import cell, hints, rich, sql, tables

FETCHED = 1000  # rows at a time
MISSING = re.compile(r"Table with name (?:\"(.+?)\"|(\S+)) does not exist")
PLACE = re.compile(r"^LINE (\d+): (.*)\n( *)\^", re.M)
MEANT = re.compile(r"^Did you mean .*$|^Candidate bindings: .*$", re.M)
CHANGES = {"COPY", "CREATE", "DELETE", "INSERT", "MERGE", "UPDATE"}
DRAWS = re.compile(r"\b(?:random|uuid|gen_random_uuid|uuidv4|uuidv7|sample|tablesample|shuffle)\b", re.I)
COLUMNS = ("SELECT table_name, column_name FROM information_schema.columns"
           " WHERE table_schema = 'main' ORDER BY table_name, ordinal_position")

found = None  # whether the environment has it; None: nobody has asked yet


def there():
    """Whether the session's database is DuckDB's: one that SQLite made stays SQLite's."""
    global found
    if found is None:
        found = importlib.util.find_spec("duckdb") is not None
    return found and not os.path.exists(sql.database())


def database():
    return os.path.splitext(sql.database())[0] + ".duckdb"


def connect():
    import duckdb

    os.makedirs(os.path.dirname(database()), exist_ok=True)
    return duckdb.connect(database())


def columns(db):
    """The names of each table and view."""
    out = {}
    for table, column in db.execute(COLUMNS).fetchall():
        out.setdefault(table, []).append(column)
    return out


class Rows:
    """An answer, read row by row, in the form that sql.Answer takes."""

    def __init__(self, db):
        self.db, self.description = db, db.description

    def __iter__(self):
        while True:
            rows = self.db.fetchmany(FETCHED)
            yield from rows
            if len(rows) < FETCHED:
                return


class Cell:
    def __init__(self, source, filename):
        self.source, self.filename = source, filename
        self.db, self.answer = connect(), None
        self.at, self.statement, self.done = 0, "", 0
        self.open, self.changed = False, 0  # a transaction; rows

    def run(self):
        import duckdb

        answer = None
        try:
            if DRAWS.search(self.source):
                self.db.execute("SELECT setseed(%r)" % (sql.random_number() / 2**63))  # so that a replay gets the same
            several = list(sql.statements(self.source))
            for self.at, self.statement in several:
                if answer is not None:
                    cell.display(answer)
                answer = self.perform(len(several) > 1)
                self.done += 1
                if answer is not None and cell.state.script:
                    print(answer)
            if self.open:
                self.db.execute("COMMIT")
        except duckdb.InterruptException:
            raise KeyboardInterrupt from None
        except (duckdb.Error, tables.Refused) as e:
            raise self.failure(str(e)) from None
        if self.answer is None and self.changed:
            print("%s row%s changed" % (format(self.changed, ","), "s" * (self.changed != 1)))
        return answer

    def perform(self, several):
        word = sql.first_word(self.statement)
        if word in ("BEGIN", "START") and self.open:
            self.db.execute("COMMIT")
            self.done = 0
        elif several and word not in sql.OUTSIDE | {"START", "ABORT", "CHECKPOINT", "USE"} and not self.open:
            self.db.execute("BEGIN")
            self.open = True
        self.execute()
        if word in ("BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT"):
            self.open = word in ("BEGIN", "START")
            self.done = self.done if self.open else -1
        names = [column[0] for column in self.db.description or ()]
        if not names or word in CHANGES and names == ["Count"]:
            self.changed += (self.db.fetchone() or (0,))[0] if names else 0
            return None
        answer = sql.Answer(Rows(self.db), [str(column[1]) for column in self.db.description])
        self.answer = answer
        return answer

    def execute(self):
        for _ in range(sql.ATTEMPTS):
            try:
                self.db.execute(self.statement, self.parameters())
                return
            except Exception as e:
                missing = MISSING.search(str(e))
                if not missing or not self.bring(missing.group(1) or missing.group(2)):
                    raise
        raise tables.Refused("more than %d tables in a statement" % sql.ATTEMPTS)

    def parameters(self):
        """Values for $name, from Python's variables of that name."""
        wanted = {t.group()[1:] for t in sql.TOKEN.finditer(self.statement) if re.fullmatch(r"\$[^\W\d]\w*", t.group())}
        for name in wanted - cell.namespace.keys():
            near = hints.closest(name, [n for n in cell.namespace if not n.startswith("_")])
            raise tables.Refused("there is no value for $%s\nDid you mean %s? $%s is Python's variable %s, which is not defined"
                                 % (name, ", ".join("$" + n for n in near) or "something else", name, name))
        return {name: tables.storable(cell.namespace[name]) for name in wanted} or None

    def bring(self, name):
        value = cell.namespace.get(name)
        if not tables.is_table(value):
            return False
        if type(value) is not list:
            self.db.register(name, value)
            return True
        names, kinds, rows = tables.of_records(value)
        kinds = [{"INTEGER": "BIGINT", "REAL": "DOUBLE"}.get(kind, "VARCHAR") for kind in kinds]
        self.db.execute("CREATE TEMP TABLE %s (%s)" % (tables.quoted(name), ", ".join(
            "%s %s" % pair for pair in zip(map(tables.quoted, tables.distinct(names)), kinds))))
        self.db.executemany("INSERT INTO %s VALUES (%s)" % (tables.quoted(name), ", ".join("?" * len(names))), rows)
        return True

    def close(self):
        """Rolls back what is not committed. Removes the file of an empty database."""
        empty = not self.open and not rich.guarded(columns, self.db)[0]
        self.db.close()
        if empty:
            for path in (database(), database() + ".wal"):
                if os.path.exists(path):
                    os.unlink(path)
            rich.guarded(os.rmdir, os.path.dirname(database()))

    def failure(self, message):
        """Makes an error with DuckDB's place and suggestions."""
        missing = MISSING.search(message)
        rolled_back = self.done > 0 and self.open
        hint = "" if missing else " ".join(MEANT.findall(message))
        if missing:  # its own guess is often a table of the catalogue
            near = hints.closest(missing.group(1) or missing.group(2), [*self.held(), *tables.variables(), *tables.files("")])
            hint = hints.did_you_mean(near)
        if missing or "not found" in message:
            hint += " " + self.schema()
        if rolled_back:
            hint += " The %d statement%s before it %s rolled back." % (
                self.done, "s" * (self.done > 1), "were" if self.done > 1 else "was")
        error = sql.SQLError(message.partition("\n")[0], hint.strip())
        error.locate(self.filename, self.source, self.at + self.place(message), 1)
        return error

    def place(self, message):
        shown = PLACE.search(message)
        if not shown:
            return len(self.statement) - len(self.statement.lstrip())
        line, text = int(shown.group(1)), shown.group(2)
        column = len(shown.group(3)) - len("LINE %d: " % line)
        begin = sum(len(one) + 1 for one in self.statement.split("\n")[: line - 1])
        cut = text.startswith("...")
        text, column = (text[3:], column - 3) if cut else (text, column)
        at = self.statement.find(text[: max(column, 0) + 1], begin) if cut else begin
        return max(at, begin) + max(column, 0)

    def held(self):
        """The tables, without those of a failed transaction: until it is rolled back, DuckDB answers nothing."""
        if self.open:
            rich.guarded(self.db.execute, "ROLLBACK")
        return rich.guarded(columns, self.db)[0] or {}

    def schema(self):
        named = ["%s(%s)" % (name, ", ".join(names)) for name, names in list(self.held().items())[: tables.TABLES]]
        known = tables.variables() + tables.files("")
        return rich.cut("; ".join(filter(None, [named and "the tables: " + ", ".join(named),
                                                known and "variables and files: " + ", ".join(known[:12])])), 2000)


def contents(items):
    """As sql.contents."""
    db = connect()
    try:
        for name, names in columns(db).items():
            count, = db.execute("SELECT count(*) FROM " + tables.quoted(name)).fetchone()
            rows = db.execute("SELECT * FROM %s LIMIT %d" % (tables.quoted(name), items // max(len(names), 1))).fetchall()
            yield name, "%d rows: %s" % (count, ", ".join(names)), [str(count), *map(repr, rows)]
    finally:
        db.close()


def known_columns():
    if not os.path.exists(database()):
        return {}
    db = connect()
    try:
        return columns(db)
    finally:
        db.close()


def card():
    """What the database holds, in a few lines for a prompt."""
    return "\n".join("%s: %s" % (name, ", ".join(names)) for name, names in known_columns().items())
