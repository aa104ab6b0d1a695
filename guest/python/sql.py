"""SQL cells: SQLite on a database that belongs to the session, /work/.retort/session.db.

A connection lives as long as its cell. What lasts is what is in the file, so going back, branches and
replays hold for it as for any other file; transactions, temporary tables and pragmas end with the cell.
A table that the database lacks is looked for among the variables of Python and the files of data
(tables.py), when SQLite says that it is missing.
"""
import os
import re
import sqlite3
import sys

from . import cell, hints, rich, tables

VALUES, BYTES = 1000000, 64 << 20  # of an answer that are kept; we fetch no more
SHOWN, WIDE = 60, 100  # rows of it, and characters of a value, that are shown
MAPPED = 1 << 30
STEPS = 10000  # steps of SQLite's machine between two checks for signals
ATTEMPTS = 50  # tables that one statement may bring in
NAME = "_sql"  # the last answer, for Python

QUOTED = r"""'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*"|`[^`]*`|\[[^\]]*\]"""
COMMENT = r"--[^\n]*|/\*.*?(?:\*/|\Z)"
END = re.compile("%s|%s|;" % (QUOTED, COMMENT), re.S)
TOKEN = re.compile(r"%s|(%s)|[^\W\d][\w$]*|[:@$]\w+|\.?\d[\w.]*|\S" % (QUOTED, COMMENT), re.S)
TARGET = re.compile(r"(\s*)([^\W\d]\w*)\s*<<")
NEAR = re.compile(r'(?:near|unrecognized token:) "(.*)"(?:: syntax error)?', re.S)
UNBOUND = re.compile(r"You did not supply a value for binding (?:parameter )?[:$@]?(\w+)\.?")
OUTSIDE = {"ATTACH", "BEGIN", "COMMIT", "DETACH", "END", "PRAGMA", "ROLLBACK", "VACUUM"}
KEYWORDS = (
    "ALTER ANALYZE AND AS ASC BEGIN BETWEEN BY CASE COLUMN COMMIT CREATE CROSS DEFAULT DELETE DESC DISTINCT"
    " DROP ELSE END EXCEPT EXISTS EXPLAIN FILTER FOREIGN FROM FULL GROUP HAVING IN INDEX INNER INSERT"
    " INTERSECT INTO IS JOIN KEY LEFT LIKE LIMIT NOT NULL OFFSET ON OR ORDER OUTER OVER PARTITION PRAGMA"
    " PRIMARY RECURSIVE REFERENCES REPLACE RETURNING RIGHT ROLLBACK SELECT SET TABLE THEN TRIGGER UNION"
    " UNIQUE UPDATE USING VALUES VIEW WHEN WHERE WINDOW WITH").split()
WHOLE = {"INTEGER", "BIGINT", "SMALLINT", "TINYINT"}  # as SQLite and DuckDB call them
NUMBERS = WHOLE | {"REAL", "FLOAT", "DOUBLE", "DECIMAL", "HUGEINT", "UBIGINT", "UINTEGER", "USMALLINT", "UTINYINT"}
TYPES = {int: "INTEGER", float: "REAL", str: "TEXT", bytes: "BLOB"}


class SQLError(SyntaxError):
    """The error of a statement; it has a place, as a SyntaxError has."""

    def __init__(self, message, hint=""):
        super().__init__(message)
        self.hint = hint

    def locate(self, filename, source, at, length):
        self.filename = filename
        self.lineno = self.end_lineno = source.count("\n", 0, at) + 1
        begin = source.rfind("\n", 0, at) + 1
        self.text = source[begin:].split("\n", 1)[0]
        self.offset = at - begin + 1
        self.end_offset = min(self.offset + length, len(self.text) + 1)


SQLError.__module__ = "builtins"  # tracebacks name it without a module


# ---- Answers ----

class Answer:
    """The rows of a statement that are kept, and how they are shown."""

    def __init__(self, cursor, types=None):
        self.names = [column[0] for column in cursor.description]
        rows, self.more = kept(cursor, len(self.names))
        columns = list(zip(*rows))
        self.count, self.head = len(rows), rows[:SHOWN]
        self.types = types or [type_of(column) for column in columns] or [""] * len(self.names)
        self.table = table_of(self.names, rows, columns, self.types)

    def note(self):
        count = "%s row%s" % (format(self.count, ","), "s" * (self.count != 1))
        if self.more:
            count = "the first %s; there are more" % count
        return rich.cut("%s: %s" % (count, ", ".join(
            " ".join(filter(None, pair)) for pair in zip(self.names, self.types))), 2000)

    def __repr__(self):
        """Not with pandas: for a few rows that would take longer than the query."""
        if not self.count:
            return "[%s]" % self.note()
        lines = [[shown(value, WIDE).replace("\n", " ") for value in row] for row in [self.names, *self.head]]
        wide = [max(map(len, column)) for column in zip(*lines)]
        right = [kind.partition("(")[0] in NUMBERS for kind in self.types]
        text = "\n".join("  ".join(value.rjust(n) if r else value.ljust(n) for value, n, r in zip(line, wide, right)).rstrip()
                         for line in lines)
        return "%s%s\n\n[%s]" % (text, "\n…" * (self.count > SHOWN), self.note())

    def _repr_html_(self):
        rows = "".join("<tr>%s</tr>" % "".join("<td>%s</td>" % escaped(shown(v, WIDE * 10)) for v in row)
                       for row in self.head)
        names = "".join("<th>%s</th>" % escaped(name) for name in self.names)
        return '<table border="1" class="dataframe"><thead><tr>%s</tr></thead><tbody>%s</tbody></table>%s<p>%s</p>' % (
            names, rows, "<p>…</p>" * (self.count > SHOWN), escaped(self.note()))


def shown(value, wide):
    if value is None:
        return "NULL"
    return rich.plain(value, wide) if type(value) is bytes else rich.cut(str(value), wide)


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def kept(cursor, width):
    """(rows, whether there are more)"""
    rows, room = [], BYTES
    for row in cursor:
        if len(rows) * width >= VALUES or room < 0:
            return rows, True
        rows.append(row)
        for value in row:
            if type(value) is str or type(value) is bytes:
                room -= len(value)
    return rows, False


def type_of(column):
    return "/".join(sorted(TYPES[kind] for kind in {*map(type, column)} if kind in TYPES))


def table_of(names, rows, columns, types):
    """A DataFrame; without pandas, a list of dicts. Avoids that pandas turns integers with NULLs among them into
    floats, which would change large ones."""
    try:
        import pandas
    except ImportError:
        return [dict(zip(names, row)) for row in rows]
    if not rows or len({*names}) < len(names):
        return pandas.DataFrame(rows, columns=names)
    return pandas.DataFrame({name: pandas.array(column, "Int64") if kind in WHOLE and None in column else list(column)
                             for name, column, kind in zip(names, columns, types)})


# ---- Cells ----

def run(source, filename):
    """Runs a cell. Returns the Answer of its last statement; shows those of the others."""
    target = TARGET.match(source)
    if target:
        source = re.sub(r"[^\n]", " ", target.group()) + source[target.end() :]
    work = engine().Cell(source, filename)
    try:
        answer = work.run()
    finally:
        work.close()
    if work.answer is not None:
        rich.told = cell.state.cell, id(work.answer.table), repr(work.answer)
        for name in filter(None, {NAME, "_", target and target.group(2)}):
            cell.namespace[name] = work.answer.table
    return answer


def engine():
    """This module, or the one for DuckDB, with the same functions."""
    from . import duck

    return duck if duck.there() else sys.modules[__name__]


def query(text):
    """The answer to some SQL, for Python: a DataFrame, or a list of dicts."""
    answer = run(text, "<sql>")
    return None if answer is None else answer.table


def card():
    """What the database holds, in a few lines for a prompt."""
    if engine().__name__ != __name__:
        return engine().card()
    db = connect()
    try:
        return tables.card(db)
    finally:
        db.close()


def database():
    return os.path.join(cell.state.work or os.getcwd(), ".retort", "session.db")


def connect(path=None):
    path = path or database()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    db = sqlite3.connect(path, isolation_level=None, cached_statements=0)
    db.text_factory = decoded
    db.set_progress_handler(signals, STEPS)
    db.create_function("random", 0, random_number)
    db.create_function("randomblob", 1, random_bytes)
    db.create_function("regexp", 2, matches, deterministic=True)  # as in the sqlite3 program
    db.execute("PRAGMA synchronous = OFF")  # the file is in memory, …
    db.execute("PRAGMA mmap_size = %d" % MAPPED)  # … and need not be copied there
    return db


def decoded(data):
    return data.decode("utf-8", "backslashreplace")


def signals():
    """Python handles signals when it runs; what a handler raises here ends the statement."""


def random_number():
    """From a generator that a replay finds in the same state."""
    import random

    return random.getrandbits(64) - 2**63


def random_bytes(count):
    import random

    return random.getrandbits(8 * max(count, 1)).to_bytes(max(count, 1), "big")


def matches(pattern, text):
    return None if pattern is None or text is None else re.search(str(pattern), str(text)) is not None


class Variables(dict):
    """Values for :name, from Python's variables of that name."""

    def __missing__(self, name):
        return tables.storable(cell.namespace[name])


class Cell:
    def __init__(self, source, filename):
        self.source, self.filename = source, filename
        self.db, self.answer = connect(), None
        self.at, self.statement, self.done = 0, "", 0
        self.brought = 0  # rows of tables that were brought in

    def run(self):
        answer = None
        try:
            found = list(statements(self.source))
            for self.at, self.statement in found:
                if answer is not None:
                    cell.display(answer)
                answer = self.perform(len(found) > 1)
                self.done += 1
                if answer is not None and cell.state.script:
                    print(answer)
            if self.db.in_transaction:
                self.db.execute("COMMIT")
        except (sqlite3.Error, sqlite3.Warning, tables.Refused, OverflowError) as e:
            if str(e) == "interrupted":
                raise KeyboardInterrupt from None
            raise self.failure(UNBOUND.sub(r"there is no value for :\1", str(e))) from None
        if self.answer is None and self.db.total_changes > self.brought:
            count = self.db.total_changes - self.brought
            print("%s row%s changed" % (format(count, ","), "s" * (count != 1)))
        return answer

    def perform(self, several):
        word = first_word(self.statement)
        if word == "BEGIN" and self.db.in_transaction:
            self.db.execute("COMMIT")  # ours ends: from here on the user decides what belongs together
            self.done = 0
        elif several and word not in OUTSIDE and not self.db.in_transaction:
            self.db.execute("BEGIN")
        cursor = self.execute()
        if word in ("COMMIT", "END"):
            self.done = -1
        answer = Answer(cursor) if cursor.description else None
        cursor.close()
        self.answer = answer or self.answer
        return answer

    def execute(self):
        """The cursor of a statement, after all tables that it names were brought in."""
        for _ in range(ATTEMPTS):
            try:
                return self.db.execute(self.statement, Variables())
            except sqlite3.OperationalError as e:
                start, _, name = str(e).partition(": ")
                if start != "no such table" or not self.bring(name):
                    raise
        raise tables.Refused("more than %d tables in a statement" % ATTEMPTS)

    def bring(self, name):
        before = self.db.total_changes
        there = tables.load(self.db, name)
        self.brought += self.db.total_changes - before
        return there

    def close(self):
        """Rolls back what is not committed. Removes the file of an empty database."""
        self.db.close()
        path = database()
        try:
            if os.stat(path).st_size == 0:
                os.unlink(path)
                os.rmdir(os.path.dirname(path))
        except OSError:
            pass

    # ---- Errors ----

    def failure(self, message):
        at, length = rich.guarded(self.place, message)[0] or (0, 1)
        hint = rich.guarded(self.hint, message)[0] or ""
        if self.done > 0 and self.db.in_transaction:
            hint += " The %d statement%s before it %s rolled back." % (
                self.done, "s" * (self.done > 1), "were" if self.done > 1 else "was")
        error = SQLError(message, hint.strip())
        error.locate(self.filename, self.source, self.at + at, length)
        return error

    def place(self, message):
        """Where in the statement the error is, and how long it is."""
        tokens = [t for t in TOKEN.finditer(self.statement) if not t.group(1)]
        message = message.partition(" - should this be")[0]
        near = NEAR.fullmatch(message)
        if near:
            return self.wrong_token(near.group(1), tokens)
        if message == "incomplete input":
            return tokens[-1].end(), 1
        if "constraint failed" not in message:
            order = -1 if message.startswith("misuse of aggregate") else 1  # the inner one comes later
            names = re.findall(r":?[^\s:'\"()]+", message)
            for name in [message.partition(": ")[0], *reversed(names)]:
                found = written(name.lower(), tokens[::order])
                if found:
                    return found
        return tokens[0].start(), tokens[0].end() - tokens[0].start()

    def wrong_token(self, text, tokens):
        """SQLite names the token, but not which of several equal ones: it is the one after which the text can no longer
        begin a statement."""
        found = [t.start() for t in tokens if self.statement.startswith(text, t.start())]
        for at in found[:-1]:
            if self.complaint(self.statement[: at + len(text)]):
                return at, len(text)
        return found[-1], len(text)

    def complaint(self, beginning):
        explain = "" if first_word(beginning) == "EXPLAIN" else "EXPLAIN "
        try:
            self.db.execute(explain + beginning, Variables()).close()
        except sqlite3.Error as e:
            return NEAR.fullmatch(str(e))

    def hint(self, message):
        kind, _, name = message.partition(": ")
        if NEAR.fullmatch(message):
            return self.syntax_hint(self.place(message)[0])
        if kind.startswith("there is no value for"):
            return self.unbound_hint(message.rpartition(":")[2])
        name = name.partition(" - should this be")[0].strip('"')  # since SQLite 3.47
        if kind == "no such table":
            return tables.missing_hint(self.db, name)
        if kind == "no such function":
            names = [row[0] for row in self.db.execute("SELECT name FROM pragma_function_list")]
            return hints.did_you_mean(hints.closest(name, names))
        name = name if kind == "no such column" else message.rpartition(" has no column named ")[2]
        if kind == "no such column" or " has no column named " in message:
            return self.column_hint(name.rpartition(".")[2])
        if message == "database is locked":
            return "a connection of Python's to %s has a transaction open: commit it, or close it" % database()
        if message.startswith("cannot modify "):
            return ("variables of Python and files are read here, not changed; "
                    "CREATE TABLE … AS SELECT * FROM … makes a table of one")
        if message.endswith("within a transaction") or message.startswith("cannot VACUUM"):
            return "a cell of several statements is a transaction: give this one a cell of its own"
        return ""

    def syntax_hint(self, at):
        """To SQLite a misspelt keyword is a name, so it complains about the next token."""
        words = [t.group().upper() for t in TOKEN.finditer(self.statement) if not t.group(1)]
        if words[0] in (".", "SHOW", "DESCRIBE", "DESC"):
            return "the tables: %s" % (tables.schema(self.db) or "none yet")
        before = [t.group().upper() for t in TOKEN.finditer(self.statement[:at]) if not t.group(1)]
        for word in words[len(before) :][:1] + before[-1:]:
            found = hints.closest(word, KEYWORDS, 1) if word.isalpha() and word not in KEYWORDS else []
            if found:
                return "%s: %s" % (word, hints.did_you_mean(found))
        return ""

    def unbound_hint(self, name):
        found = hints.closest(name, [n for n in cell.namespace if not n.startswith("_")])
        return "%s :%s is Python's variable %s, which is not defined" % (
            hints.did_you_mean([":" + n for n in found]), name, name)

    def column_hint(self, name):
        used = {unquoted(t.group()).lower() for t in TOKEN.finditer(self.statement)}
        there = tables.columns(self.db)
        named = {t: c for t, c in there.items() if t.lower() in used} or there
        found = hints.closest(name, [column for names in named.values() for column in names])
        return "%s %s" % (hints.did_you_mean(found), tables.schema(self.db, named))


def statements(source):
    """(place, text) of each. SQLite knows where a statement with a body (a trigger) ends."""
    start = 0
    for mark in END.finditer(source):
        if mark.group() == ";" and sqlite3.complete_statement(source[start : mark.end()]):
            if first_word(source[start : mark.end()]) != ";":
                yield start, source[start : mark.end()]
            start = mark.end()
    if first_word(source[start:]):
        yield start, source[start:]


def first_word(statement):
    return next((t.group().upper() for t in TOKEN.finditer(statement) if not t.group(1)), "")


def unquoted(token):
    return token[1:-1] if len(token) > 1 and token[0] in "'\"`[" else token


def written(name, tokens):
    """Place and length of the first tokens that are this name, with its qualifier if it has one."""
    texts = [unquoted(t.group()).lower() for t in tokens]
    for wanted in [name], [part for word in name.split(".") for part in (word, ".")][:-1]:
        for i in range(len(texts)):
            if texts[i : i + len(wanted)] == wanted:
                return tokens[i].start(), tokens[i + len(wanted) - 1].end() - tokens[i].start()
    return None


# ---- Questions between cells ----

def completions(line):
    """The typed part of the last name, and what it may become: tables, columns, variables, files, keywords."""
    typed = re.search(r"(?<=')[^']*$|\w*$", line).group() if line.count("'") % 2 else re.search(r"\w*$", line).group()
    there = known_columns()
    owner = re.search(r"(\w+)\.\w*$", line)
    if line.count("'") % 2:
        names = tables.files(os.path.dirname(typed))
    elif owner and owner.group(1) in there:
        names = there[owner.group(1)]
    elif typed:
        keywords = KEYWORDS if typed.isupper() else map(str.lower, KEYWORDS)
        names = [*there, *(column for found in there.values() for column in found), *tables.variables(), *keywords]
    else:
        names = []
    return typed, sorted({name for name in names if name.startswith(typed)})


def contents(items):
    """(name, its contents in a few words, its rows as texts, up to so many values) of each table."""
    if engine().__name__ != __name__:
        yield from engine().contents(items)
        return
    db = connect()
    for name, columns in tables.columns(db).items():
        count, = db.execute("SELECT count(*) FROM " + tables.quoted(name)).fetchone()
        rows = db.execute("SELECT * FROM %s LIMIT %d" % (tables.quoted(name), items // max(len(columns), 1)))
        yield name, "%d rows: %s" % (count, ", ".join(columns)), [str(count), *map(repr, rows)]
    db.close()


def known_columns():
    if engine().__name__ != __name__:
        return engine().known_columns()
    if not os.path.exists(database()):
        return {}
    db = connect()
    try:
        return tables.columns(db)
    finally:
        db.close()
