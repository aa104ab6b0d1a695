"""SQL cells in an environment that has DuckDB: its own library, by the functions that tests/languages/duckdb.py has of the module."""
import json
import pathlib

import npm
import pytest
import rpc
import wheels

pytestmark = pytest.mark.by_turns
HERE = pathlib.Path(__file__).resolve().parent / "duckdb"
LIBRARY = HERE / "node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so"
MODULE = HERE.parents[1] / "languages/duckdb.py"


@pytest.fixture(scope="module")
def server(light_caller, tmp_path_factory):
    npm.install(HERE, LIBRARY.exists)
    place = tmp_path_factory.mktemp("duckdb")
    for parent in (place, *place.parents[:2]):
        parent.chmod(0o755)
    wheel = wheels.wheel(place, "duckdb", files={"duckdb.py": MODULE.read_text(), "libduckdb.so": LIBRARY.read_bytes()})
    made = light_caller.run("env", "create", "duck", "--pip", wheel)
    assert made.returncode == 0, made.stderr.decode()
    running = rpc.Server(light_caller)
    yield running
    assert running.close() == 0
    assert light_caller.run("env", "remove", "duck").returncode == 0


@pytest.fixture
def session(server):
    found = server.session(environment="duck")
    yield found
    found.close()


def sql(session, code, status="ok"):
    result = session.server.call("session.execute", session=session.id, code=code, language="sql")
    assert result["status"] == status, result
    return result


def text(result):
    return result["value"]["text/plain"]


def test_it_is_duckdb_that_answers(session):
    assert "v1." in text(sql(session, "SELECT version() AS v"))
    assert "6" in text(sql(session, "SELECT list_sum([x * 2 FOR x IN [1, 2]]) AS doubled"))
    assert session.files() == {}  # nothing was made, so nothing is kept


@pytest.mark.few
def test_files_and_variables_are_tables_and_python_has_the_answer(session):
    session.write("orders.csv", b"city,n\nBerlin,3\nParis,5\nBerlin,4\n")
    told = text(sql(session, "SELECT city, sum(n)::BIGINT AS n FROM 'orders.csv' GROUP BY city ORDER BY n DESC"))
    assert told == "city    n\nBerlin  7\nParis   5\n\n[2 rows: city VARCHAR, n BIGINT]"
    assert session.run("int(_sql.n.sum())")["value"]["text/plain"] == "12"
    session.run("import pandas\ndf = pandas.DataFrame({'k': [1, 2], 'v': [0.5, 1.5]})\nrows = [{'k': 2, 'name': 'two'}]\nlimit = 1")
    assert "two" in text(sql(session, "SELECT name FROM df JOIN rows USING (k) WHERE v > $limit"))
    missing = sql(session, "SELECT $limt", "error")["error"]
    assert missing["message"] == "there is no value for $limt" and "$limit" in missing["hint"]


def test_errors_have_their_place_and_what_was_meant(session):
    session.write("orders.csv", b"city,n\nBerlin,3\n")
    sql(session, "CREATE TABLE prices (city TEXT, price DOUBLE)")
    error = sql(session, "SELECT 1 AS a;\nSELECT *\nFROM pricse", "error")["error"]
    assert (error["line"], error["name"]) == (3, "SQLError") and "did you mean prices" in error["hint"]
    assert "prices(city, price)" in error["hint"] and "1 statement before it was rolled back" in error["hint"]
    error = sql(session, "SELECT prise FROM prices", "error")["error"]
    assert "price" in error["hint"] and "       ^" in error["traceback"]


@pytest.mark.few
def test_a_cell_is_a_transaction(session):
    assert sql(session, "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2)")["stdout"] == "2 rows changed\n"
    sql(session, "INSERT INTO t VALUES (3); SELECT broken", "error")
    assert "2" in text(sql(session, "SELECT count(*) AS c FROM t"))
    listed = session.server.call("session.variables", session=session.id, language="sql")["variables"]
    assert [(one["name"], one["repr"]) for one in listed] == [("t", "2 rows: a")]
    assert "t" in session.server.call("session.complete", session=session.id, code="SELECT * FROM t", language="sql")["names"]
    assert set(session.files()) == {".retort/session.duckdb"}


@pytest.mark.few
def test_the_database_goes_back_branches_and_is_repeated(server, session):
    sql(session, "CREATE TABLE t AS SELECT 1 AS a")
    sql(session, "INSERT INTO t VALUES (2)")
    died = session.run("import os; os._exit(3)")
    assert died["state"] == "rolled_back"
    assert "2" in text(sql(session, "SELECT count(*) AS c FROM t"))
    branch, = server.call("session.branch", session=session.id, count=1)["sessions"]
    other = rpc.Session(server, {"session": branch, "isolation": session.isolation})
    sql(other, "INSERT INTO t VALUES (3)")
    server.call("session.undo", session=session.id, cells=2)  # the count, and the row
    told = json.dumps([text(sql(one, "SELECT max(a) AS m FROM t")) for one in (session, other)])
    assert "1\\n" in told.split('", "')[0] and "3\\n" in told.split('", "')[1]
    other.close()
    session.close()
    assert server.call("ledger.verify", session=session.id)["sound"]
    again = server.call("ledger.replay", session=session.id)
    assert again["equal"], again
    server.call("session.resume", session=session.id)
