"""SQL cells: the session's database, files and variables as tables, answers, errors with their places."""
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest
import rpc

from guest import BOOT, COMPLETE, COMPLETIONS, ERROR, INTERRUPTED, OK, Guest

pytestmark = pytest.mark.by_turns
PYTHON = os.environ.get("RETORT_TEST_PYTHON", "/usr/bin/python3")
STATEMENTS = pathlib.Path(__file__).with_name("sql_statements.sql").read_text().splitlines()
VALUE = re.compile(r"X'([0-9a-fA-F]*)'|'((?:[^']|'')*)'|(NULL)|([^,]+)")


@pytest.fixture
def guest(tmp_path):
    guest = Guest([PYTHON, "-S", str(BOOT)], tmp_path).hello()
    yield guest
    guest.channel.close()
    guest.process.wait(10)


def sql(guest, text):
    return guest.run(text, language="sql")


# ---- Beside the sqlite3 program --------------------------------------------------------------------------------


def literal(match):
    blob, text, null, number = match.groups()
    if null or number is None and blob is None and text is None:
        return None
    if number is None:
        return bytes.fromhex(blob) if blob is not None else text.replace("''", "'")
    return int(number) if re.fullmatch(r"-?\d+", number) else float("%.14g" % float(number))


def program(folder, statement):
    """(rows with the names first, message, place of the caret) of the sqlite3 program."""
    done = subprocess.run(["sqlite3", "-batch", "-quote", "-header", folder / "program.db", statement],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    rows = [[literal(m) for m in VALUE.finditer(line)] for line in done.stdout.splitlines()]
    error = re.match(r"(?:Error: (?:in prepare|stepping)|(?:Parse|Runtime) error[^,:]*)[,:] (.*?)(?: \(\d+\))?\n(.*)",
                     done.stderr, re.S)
    if not error:
        assert done.returncode == 0, done.stderr
        return rows, None, None
    shown = re.fullmatch(r"  ([^\n]*)\n(.*)\^--- error here\n", error.group(2)) or \
        re.fullmatch(r"  ([^\n]*)\n  (.*)error here ---\^\n", error.group(2))
    place = None
    if shown and shown.group(1) in statement:
        caret = done.stderr.rstrip("\n").rpartition("\n")[2].index("^") - 2
        place = statement.index(shown.group(1)) + caret
    return rows, error.group(1), place


READ = """[list(_sql.columns)] + [[None if v != v or v is None else bytes(v) if type(v) is bytes
    else v if type(v) is str else int(v) if 'int' in type(v).__name__
    else float('%.14g' % v) for v in row]
    for row in _sql.astype(object).where(_sql.notna(), None).itertuples(index=False, name=None)]"""


def cell(guest, statement):
    result = sql(guest, statement)
    if result.kind == ERROR:
        assert result.error_name == "SQLError"
        caret = [line for line in result.error_traceback.splitlines() if set(line.strip()) == {"^"}]
        return [], result.error_message, caret[-1].index("^") - 4 if caret else None
    assert result.kind == OK
    return (eval(guest.run(READ).mime["text/plain"]) if result.mime else []), None, None


def test_answers_are_those_of_the_sqlite3_program(guest, tmp_path):
    """Rows, types and messages of all, and where the program shows a place, that."""
    assert len(STATEMENTS) >= 200
    guest.run("import pandas")
    placed = 0
    different = []
    for statement in STATEMENTS:
        theirs, ours = program(tmp_path, statement), cell(guest, statement)
        rows = theirs[0] if len(theirs[0]) > 1 else []  # it names no columns where no row is
        if ours[0][1:] != rows[1:] or rows and ours[0] != rows or ours[1] != theirs[1]:
            different.append((statement, theirs, ours))
        if theirs[2] is not None:
            placed += 1
            if ours[2] != theirs[2]:
                different.append((statement, theirs, ours))
    assert not different, "\n".join(map(str, different))
    assert placed > 30


# ---- Answers ---------------------------------------------------------------------------------------------------


def text(result):
    """Numbers as numpy 1 writes them."""
    assert result.kind == OK, result.error_traceback
    return re.sub(r"np\.\w+\(([-\d.]+)\)", r"\1", result.mime["text/plain"])


def test_an_answer_is_a_table_with_types_and_a_count(guest):
    result = sql(guest, "SELECT 1 AS id, 'x' AS name, NULL AS note UNION ALL SELECT NULL, 2, NULL")
    assert "[2 rows: id INTEGER, name INTEGER/TEXT, note]" in text(result)
    assert text(result) == "  id  name  note\n   1  x     NULL\nNULL  2     NULL\n\n[2 rows: id INTEGER, name INTEGER/TEXT, note]"
    assert "<tr><td>1</td><td>x</td><td>NULL</td></tr>" in result.mime["text/html"]
    assert text(guest.run("type(_sql).__name__, _sql.shape, str(_sql.id.dtype), _ is _sql")) == \
        "('DataFrame', (2, 3), 'Int64', True)"


def test_no_rows_and_no_answer(guest):
    assert text(sql(guest, "SELECT 1 AS a, 2 AS b WHERE 0")) == "[0 rows: a, b]"
    assert text(guest.run("list(_sql.columns), len(_sql)")) == "(['a', 'b'], 0)"
    result = sql(guest, "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    assert (result.kind, result.out, result.mime) == (OK, "2 rows changed\n", {})
    for nothing in ("", ";", "-- a comment; only", "/* another */ ; ;"):
        assert (sql(guest, nothing).kind, sql(guest, nothing).mime) == (OK, {})


def test_several_statements_show_each_answer(guest):
    result = sql(guest, "SELECT 'first;' AS a; SELECT 2 AS b;\nSELECT 3 AS c")
    assert [d.mime["text/plain"].splitlines()[-1] for d in result.displays] == ["[1 row: a TEXT]", "[1 row: b INTEGER]"]
    assert "[1 row: c INTEGER]" in text(result) and text(guest.run("int(_sql.c[0])")) == "3"


def test_without_pandas_it_is_a_list_of_dicts(guest):
    guest.run("import sys\nsys.modules['pandas'] = None")
    result = sql(guest, "SELECT 1 AS a, NULL AS bc UNION ALL SELECT 22, 'x'")
    assert text(result) == " a  bc\n 1  NULL\n22  x\n\n[2 rows: a INTEGER, bc TEXT]"
    assert text(guest.run("_sql")) == "[{'a': 1, 'bc': None}, {'a': 22, 'bc': 'x'}]"


@pytest.mark.few
def test_an_answer_without_end_is_cut(guest):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i, i, i FROM n"
    assert "[the first 250,000 rows; there are more: i INTEGER" in text(sql(guest, endless))
    result = sql(guest, endless.replace("i, i, i, i", "zeroblob(8 << 20) AS b"))
    assert "[the first 9 rows; there are more: b BLOB]" in text(result)
    assert text(guest.run("len(_sql)")) == "9"


def test_text_that_is_no_utf8_is_made_visible(guest):
    assert r"caf\xe9" in text(sql(guest, "SELECT CAST(x'636166e9' AS TEXT) AS t"))


def test_names_and_places_for_answers(guest):
    assert guest.run("%%sql north <<\nSELECT 1 AS a").kind == OK
    assert text(guest.run("int(north.a[0])")) == "1"
    assert text(guest.run("found = %sql SELECT 5 AS a\nint(found.a[0])")) == "5"


# ---- Tables of others ------------------------------------------------------------------------------------------


def test_files_are_tables(guest, tmp_path):
    (tmp_path / "orders.csv").write_bytes(b"\xef\xbb\xbfid,zip,amount,,ID\n1,01234,2.5,x,y\n2,00007,3,,\n\n3,,-.5\n")
    (tmp_path / "semi.csv").write_text('a;b\n1;"two;\nlines"\n')
    (tmp_path / "data").mkdir()
    (tmp_path / "data/t.tsv").write_text("a\tb\n9007199254740993\t+49\n")
    (tmp_path / "r.json").write_text('[{"a": 1, "b": [1, 2]}, {"a": 2.5, "c": "é"}]')
    (tmp_path / "l.jsonl").write_text('{"a": true}\n{"a": null}\n')
    (tmp_path / "latin.csv").write_bytes(b"a,b\n1,caf\xe9\n")
    for statement, rows in {
        "SELECT id, zip, amount, column4, ID_5 FROM 'orders.csv'":
            "[(1, '01234', 2.5, 'x', 'y'), (2, '00007', 3.0, None, None), (3, None, -0.5, None, None)]",
        "SELECT * FROM \"semi.csv\"": "[(1, 'two;\\nlines')]",
        "SELECT * FROM 'data/t.tsv'": "[(9007199254740993, '+49')]",
        "SELECT a, b ->> '$[1]' AS second, c FROM 'r.json'": "[(1.0, 2, None), (2.5, <NA>, 'é')]",
        "SELECT sum(a) AS s FROM 'l.jsonl'": "[(1,)]",
        "SELECT b FROM 'latin.csv'": "[('caf\\\\xe9',)]",
        "SELECT o.id FROM 'orders.csv' AS o JOIN 'semi.csv' AS s ON s.a = o.id": "[(1,)]",
    }.items():
        assert sql(guest, statement).kind == OK, statement
        assert text(guest.run("list(_sql.itertuples(index=False, name=None))")) == rows, statement


def test_files_that_are_no_tables(guest, tmp_path):
    (tmp_path / "long.csv").write_text("a,b\n1,2\n1,2,3\n")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "number.json").write_text("7")
    (tmp_path / "broken.json").write_text("[{")
    (tmp_path / "p.parquet").write_bytes(b"PAR1")
    for name, message in {"long.csv": "row 3 has 3 fields, the header has 2", "empty.csv": "nothing in it",
                          "number.json": "list of objects", "broken.json": "Expecting", "p.parquet": "p.parquet: "}.items():
        result = sql(guest, "SELECT 1,\n * FROM '%s'" % name)
        assert (result.kind, result.error_name, result.error_line) == (ERROR, "SQLError", 2) and message in result.error_message


def test_variables_of_python_are_tables(guest):
    guest.run("import pandas as pd\ndf = pd.DataFrame({'k': [1, 2], 'when': pd.to_datetime(['2020-01-02', None]),"
              " 'o': ['x', None], 'big': [2**62 + 1, 5]})\nrows = [{'k': 2, 'v': {'a': 1}}, {'k': 3}]\n"
              "sums = df.groupby('k').big.sum().to_frame()\nnumber = 5")
    assert sql(guest, "SELECT df.*, v FROM df LEFT JOIN rows USING (k) ORDER BY k").kind == OK
    assert text(guest.run("list(_sql.itertuples(index=False, name=None))")) == \
        "[(1, '2020-01-02 00:00:00', 'x', 4611686018427387905, None), (2, None, None, 5, '{\"a\": 1}')]"
    assert sql(guest, "SELECT k FROM sums WHERE big = 5").kind == OK and text(guest.run("int(_sql.k[0])")) == "2"
    guest.run("df = df.assign(k=df.k + 10)")
    assert sql(guest, "SELECT max(k) AS m FROM df").kind == OK and text(guest.run("int(_sql.m[0])")) == "12"
    refused = sql(guest, "INSERT INTO df VALUES (1, 2, 3, 4)")
    assert "is a view" in refused.error_message and "CREATE TABLE" in refused.error_hint
    assert sql(guest, "SELECT * FROM number").error_hint == "number is a variable of Python, no table: its value is :number"
    assert sql(guest, "CREATE TABLE df AS SELECT 77 AS only; SELECT only FROM df").kind == OK  # the database comes first


def test_parameters_are_variables_of_python(guest):
    guest.run("import datetime, decimal\nimport numpy as np\na, b, c = 'x', 2.5, None\nids = [1, 3]\nd = datetime.date(2024, 1, 2)\n"
              "n, m = np.int64(7), decimal.Decimal('1.5')\ncafe = 'caf\\udce9'")
    assert sql(guest, "SELECT :a AS a, $b AS b, @c AS c, :d AS d, :n + 1 AS n, :m * 2 AS m, :cafe AS u").kind == OK
    assert text(guest.run("list(_sql.iloc[0])")) == r"['x', 2.5, None, '2024-01-02', 8, 3.0, 'caf\\udce9']"
    assert sql(guest, "SELECT group_concat(column1) AS g FROM (VALUES (1), (2), (3))"
                      " WHERE column1 IN (SELECT value FROM json_each(:ids))").kind == OK
    assert text(guest.run("_sql.g[0]")) == "'1,3'"
    result = sql(guest, "SELECT :aa")
    assert (result.error_message, result.error_hint) == (
        "there is no value for :aa", "did you mean :a? :aa is Python's variable aa, which is not defined")
    assert sql(guest, "SELECT ?").kind == ERROR


# ---- Errors ----------------------------------------------------------------------------------------------------


def test_errors_tell_place_name_and_schema(guest):
    sql(guest, "CREATE TABLE orders (id INTEGER, amount REAL); CREATE TABLE customer (id, name)")
    result = sql(guest, "SELECT id,\n  sum(amout) AS total\nFROM orders")
    assert (result.error_name, result.error_message, result.error_line) == ("SQLError", "no such column: amout", 2)
    assert result.error_hint == "did you mean amount? orders(id, amount)"
    assert ">    2 |   sum(amout) AS total\n       |       ^^^^^" in result.error_source
    assert "SQLError: no such column: amout" in result.error_traceback
    result = sql(guest, "SELECT * FROM ordres")
    assert result.error_hint == "did you mean orders?; tables: orders(id, amount), customer(id, name)"
    wide = ["a_column_with_number_%d" % i for i in range(8)]
    sql(guest, "CREATE TABLE wide (%s)" % ", ".join(wide))
    assert sql(guest, "SELECT x FROM wide").error_hint == "wide(%s)" % ", ".join(wide)
    sql(guest, "DROP TABLE wide")
    assert sql(guest, "SELECT * FORM orders").error_hint == "FORM: did you mean FROM?"
    assert sql(guest, "SELECT rond(1)").error_hint == "did you mean round or random?"
    assert "orders(id, amount)" in sql(guest, ".tables").error_hint
    assert "orders(id, amount)" in sql(guest, "SHOW TABLES").error_hint


def test_a_cell_is_a_transaction(guest):
    sql(guest, "CREATE TABLE t (a UNIQUE)")
    result = sql(guest, "INSERT INTO t VALUES (1); INSERT INTO t VALUES (2); INSERT INTO t VALUES (1)")
    assert result.error_hint == "The 2 statements before it were rolled back."
    assert "[0 rows" in text(sql(guest, "SELECT * FROM t"))
    assert sql(guest, "INSERT INTO t VALUES (1); BEGIN; INSERT INTO t VALUES (2); ROLLBACK; INSERT INTO t VALUES (3)").kind == OK
    sql(guest, "BEGIN; INSERT INTO t VALUES (4)")  # ends with its cell, which went well
    sql(guest, "BEGIN; INSERT INTO t VALUES (5); COMMIT; SELECT nothing")
    assert sql(guest, "SELECT group_concat(a) AS g FROM t").kind == OK and text(guest.run("_sql.g[0]")) == "'1,3,4,5'"
    assert "cell of its own" in sql(guest, "DELETE FROM t; VACUUM").error_hint
    assert sql(guest, "VACUUM").kind == OK


def test_a_database_that_python_has_locked(guest):
    sql(guest, "CREATE TABLE t (a)")
    guest.run("import sqlite3\ndb = sqlite3.connect('.retort/session.db')\ndb.execute('INSERT INTO t VALUES (1)')")
    result = sql(guest, "INSERT INTO t VALUES (2)")
    assert result.error_message == "database is locked" and "commit it" in result.error_hint
    guest.run("db.commit()")
    assert sql(guest, "INSERT INTO t VALUES (2)").kind == OK


def test_what_a_cell_may_not(guest):
    assert sql(guest, "SELECT load_extension('/tmp/x.so')").error_message == "not authorized"


def test_an_interrupt_ends_a_long_statement(guest):
    sql(guest, "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    guest.start("INSERT INTO t VALUES (2);\nSELECT 'busy' AS now;\n"
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", language="sql")
    assert "busy" in guest.read().mime["text/plain"]
    guest.process.send_signal(signal.SIGINT)
    result = guest.finish()
    assert (result.kind, result.error_name) == (INTERRUPTED, "KeyboardInterrupt")
    assert "[1 row" in text(sql(guest, "SELECT a FROM t"))


def test_a_session_without_tables_has_no_file(guest, tmp_path):
    assert sql(guest, "SELECT 1").kind == OK
    assert not (tmp_path / ".retort").exists()


@pytest.mark.parametrize("line, names", [
    ("SELECT * FROM ord", ["ord_frame", "order", "orders"]), ("SELECT orders.am", ["amount"]), ("SELECT orders.", ["amount", "id"]),
    ("SELECT am", ["amount"]), ("SEL", ["SELECT"]), ("sel", ["select"]), ("SELECT * FROM 'da", ["data.csv"]), ("SELECT ", [])])
def test_completion(guest, tmp_path, line, names):
    (tmp_path / "data.csv").write_text("a\n1\n")
    guest.run("ord_frame = [{'a': 1}]")
    sql(guest, "CREATE TABLE orders (id INTEGER, amount REAL)")
    code = "\nSELECT 1;\n" + line
    guest.send(COMPLETE, ("code", code), ("start", len(code)), ("language", "sql"))
    answer = guest.read()
    assert (answer.type, answer.all("name")) == (COMPLETIONS, names)
    assert all(name.startswith(code[answer.start:]) for name in names)


# ---- In a session ----------------------------------------------------------------------------------------------

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def session(server):
    one = server.session()
    one.run("%%sql\nCREATE TABLE t (a); INSERT INTO t VALUES (1)")
    yield one
    one.close()


def rows(session):
    return session.value("%%sql\nSELECT group_concat(a) AS g FROM t") and session.value("_sql.g[0]")


@pytest.mark.few
def test_a_result_has_value_table_file_and_names(session):
    result = session.server.call("session.execute", session=session.id, language="sql", code="SELECT a FROM t")
    assert (result["status"], result["flags"], result["state"]) == ("ok", [], "kept")
    assert "[1 row: a INTEGER]" in result["value"]["text/plain"] and "<table" in result["value"]["text/html"]
    table, = [d for d in result["dataframes"] if d["name"] == "_sql"]
    assert (table["shape"], table["columns"], table["head"]) == ([1, 1], [{"name": "a", "dtype": "int64"}], [[1]])
    assert ".retort/session.db" in session.files()
    assert session.run("%%sql\nINSERT INTO t VALUES (9)")["stdout"] == "1 row changed\n"


def test_an_error_in_a_session(session):
    result = session.run("%%sql\nSELECT b\nFROM t")
    assert (result["status"], result["flags"], result["state"]) == ("error", [], "kept")
    error = result["error"]
    assert (error["name"], error["message"], error["line"]) == ("SQLError", "no such column: b", 2)
    assert error["hint"] == "t(a)" and "^" in error["source"]


def test_going_back_takes_the_tables_back(session):
    session.run("%%sql\nINSERT INTO t VALUES (2)")
    session.run("%%sql\nDROP TABLE t")
    session.server.call("session.undo", session=session.id, cells=1)
    assert rows(session) == "'1,2'"
    session.server.call("session.undo", session=session.id, cells=3)  # the two questions as well
    assert rows(session) == "'1'"


def test_branches_have_tables_of_their_own(session):
    ids = session.server.call("session.branch", session=session.id, count=2)["sessions"]
    branches = [rpc.Session(session.server, {"session": i["session"] if isinstance(i, dict) else i, "isolation": None})
                for i in ids]
    for number, branch in enumerate(branches, 5):
        branch.run("%%%%sql\nINSERT INTO t VALUES (%d)" % number)
    seen = session.server.call("session.compare", sessions=[one.id for one in branches])
    table, = [v["in"] for v in seen["variables"] if v["name"] == "sql.t"]
    assert [(one["type"], one["repr"]) for one in table] == 2 * [("table", "2 rows: a")] and table[0]["digest"] != table[1]["digest"]
    assert [rows(one) for one in [session, *branches]] == ["'1'", "'1,5'", "'1,6'"]
    for branch in branches:
        branch.close()


@pytest.mark.few
def test_a_cell_that_dies_takes_its_tables_back(session):
    session.run("kept = 'kept'")
    result = session.run("import sqlite3, os\ndb = sqlite3.connect('.retort/session.db')\n"
                         "db.execute('INSERT INTO t VALUES (3)')\ndb.commit()\nos._exit(1)")
    assert (result["status"], result["state"]) == ("exit", "rolled_back")
    assert rows(session) == "'1'" and session.value("kept") == "'kept'"


def test_a_session_that_was_closed_goes_on_with_its_tables(server):
    session = server.session()
    session.run("%%sql\nCREATE TABLE t (a); INSERT INTO t VALUES (abs(random()) % 1000000)")
    before = rows(session)
    session.close()
    server.call("session.resume", session=session.id)
    assert rows(session) == before
    session.close()


def test_the_sandbox_holds_for_statements(session):
    for statement in ("ATTACH '/etc/x.db' AS x; CREATE TABLE x.t (a)", "ATTACH '/usr/x.db' AS x; CREATE TABLE x.t (a)",
                      "VACUUM INTO '/etc/y.db'", "ATTACH '/etc/passwd' AS p; SELECT * FROM p.sqlite_schema"):
        result = session.run("%%sql\n" + statement)
        assert (result["status"], result["error"]["name"], result["state"]) == ("error", "SQLError", "kept"), statement
    assert rows(session) == "'1'"


def test_python_alone_loads_nothing_of_it(server):
    session = server.session()
    assert session.value("1 + 1") == "2"
    assert session.value("import sys; [m for m in sys.modules if 'sqlite' in m or m in ('retort_guest.sql', 'retort_guest.tables')]") == "[]"
    session.close()


def test_a_time_out_in_a_statement(session):
    result = session.run("%%sql\nINSERT INTO t VALUES (2);\n" + ENDLESS, timeout=1)
    assert (result["status"], result["state"]) == ("timeout", "rolled_back")
    assert rows(session) == "'1'"


def until(happened):
    while not happened():
        time.sleep(0.01)


def test_an_interrupt_in_a_statement(session):
    pending = session.start("%%sql\nINSERT INTO t VALUES (2);\nSELECT 'busy';\n" + ENDLESS)
    until(lambda: session.notes("session.display") or not pending.box.empty())
    session.interrupt()
    result = pending.answer()
    assert (result["status"], result["state"]) == ("interrupted", "kept")
    assert rows(session) == "'1'"


@pytest.mark.every_caller
def test_memory_that_a_statement_may_have(server):
    session = server.session(limits={"memory": 192})
    session.run("x = 1")
    result = session.run("%%sql\nSELECT length(group_concat(hex(zeroblob(1 << 20)))) FROM"
                         " (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 400) SELECT i FROM n)")
    assert result["status"] == "oom" or result["error"]["name"] in ("MemoryError", "SQLError"), result
    assert session.value("x") == "1"
    session.close()


def test_a_flood_of_answers_is_cut(session):
    result = session.run("%%sql\n" + "SELECT 1;" * 300)
    assert (result["status"], len(result["displays"])) == ("ok", 256) and "the rest is dropped" in result["stderr"]
    result = session.run("%%sql\nSELECT printf('%.*c', 1000000, 'x') AS long FROM t")
    assert result["status"] == "ok" and len(result["value"]["text/plain"]) < 70000


def test_code_that_is_too_large(caller):
    refused = {language: caller.run("run", "-l", language, "-", input=b"1" * (50 << 20)) for language in ("python", "sql")}
    assert [(done.returncode, done.stdout) for done in refused.values()] == [(125, b""), (125, b"")]
    assert refused["sql"].stderr == refused["python"].stderr and b"16777216 bytes" in refused["sql"].stderr


def test_a_program_prints_its_answers(caller):
    done = caller.run("run", "-l", "sql", "-c", "SELECT 1 AS a; SELECT 2 AS b")
    assert (done.returncode, done.stdout.count(b"[1 row: ")) == (0, 2)
    done = caller.run("run", "-l", "sql", "-c", "SELECT 1\nFORM x y")
    assert (done.returncode, b"    FORM x y" in done.stderr) == (1, True), done.stderr


def test_a_session_is_replayed_with_its_tables(server):
    session = server.session()
    session.write("orders.csv", b"region,amount\nNorth,2.5\nSouth,4\nNorth,1\n")
    session.run("%%sql\nCREATE TABLE orders AS SELECT * FROM 'orders.csv'")
    session.run("%%sql\nSELECT region, sum(amount) AS total FROM orders GROUP BY region ORDER BY random()")
    session.run("best = _sql.total.max()")
    session.run("%%sql\nSELECT region FROM orders GROUP BY region HAVING sum(amount) = :best")
    session.run("%%sql\nSELECT nothing")
    answer = server.call("ledger.replay", session=session.id)
    assert answer["equal"] and answer["report"]["cells"] == 5, answer
    session.close()
