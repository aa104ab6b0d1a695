"""The agent with cassettes instead of a model and real execution: correction, circles, budgets, provenance, modes."""
import concurrent.futures
import json
import os
import signal
import sqlite3

import pytest
import rpc
from agents import CASSETTES, DEMO, Record, run_agent


@pytest.fixture(scope="module")
def retort(light):
    return light


@pytest.fixture(scope="module")
def with_libraries(new_caller):
    """For whom they are imported ahead: matplotlib says in the first cell that needs it how long it looks for fonts, if it is long."""
    return new_caller("root" if os.geteuid() == 0 else "user")


def play(retort, task, cassette, *arguments):
    return run_agent(retort, task, "--cassette", CASSETTES / cassette, *arguments)


# ---- provenance ------------------------------------------------------------------------------------------------


def test_primes_1060_is_refused_and_10466_grounded(retort):
    done = run_agent(retort, "What is the sum of the squares of the primes below 50?", "--cassette",
                     DEMO / "cassettes/primes.jsonl")
    assert done.code == 0
    assert done.checks("numbers") == ["fail", "pass"]
    assert done.verdicts() == {"50": "question", "10466": "grounded"}


def test_intercept_1_8_is_refused_and_2_2_grounded(retort):
    done = run_agent(retort, "Fit the regression of [2, 4, 5, 4, 5] on [1, 2, 3, 4, 5].", "--cassette",
                     DEMO / "cassettes/regression.jsonl")
    assert done.code == 0
    refused = [event for event in done.of("check") if event["verdict"] == "fail"]
    assert "1.8 is not what the evidence about this says: 2.2 in cell 1" in refused[0]["message"]
    assert done.verdicts() == {"0.6": "grounded", "2.2": "grounded"}


@pytest.mark.few
def test_average_margin_of_47_orders(retort, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    done = run_agent(retort, "What is the average gross margin in orders.csv?", "--file", DEMO / "orders.csv",
                     "--cassette", DEMO / "cassettes/orders.jsonl", "--out", out)
    assert done.code == 0
    assert done.statuses == ["error", "ok", "ok", "ok"]
    assert done.verdicts() == {"47": "grounded", "39.9 %": "grounded", "43.5%": "grounded", "35.9%": "grounded"}
    assert [file["path"] for file in done.of("final")[0]["artifacts"]] == ["margin.png"]
    assert (out / "margin.png").read_bytes().startswith(b"\x89PNG")
    assert not (out / "orders.csv").exists()


def test_printing_a_literal_proves_nothing(retort):
    done = play(retort, "What is it?", "asserted.jsonl", "--max-steps", "3")
    assert done.code == 3
    assert done.verdicts() == {"1060": "asserted"}


def test_an_answer_without_support_is_unverified(retort):
    done = play(retort, "What is it?", "unsupported.jsonl", "--max-steps", "2")
    assert done.code == 3
    assert done.verdicts() == {"1234": "unverified"}
    assert done.checks("computed") == ["fail", "fail"]


# ---- correction ------------------------------------------------------------------------------------------------


def test_squrt_is_corrected_in_one_step(retort):
    done = play(retort, "What is the square root of two?", "squrt.jsonl")
    assert (done.code, done.statuses) == (0, ["error", "ok"])
    assert "sqrt" in done.of("observation")[0]["result"]["error"]["hint"]


def test_syntax_loop_memory_and_wrong_call_are_corrected(retort, tmp_path):
    # So little memory that it runs out before the time does, even where the host has to find each page first.
    (tmp_path / "retort").mkdir()
    (tmp_path / "retort/config.json").write_text('{"preload": [], "limits": {"memory": 100}}')
    done = run_agent(retort, "What is six times seven?", "--cassette", CASSETTES / "errors.jsonl", "--timeout", "8",
                     env={"XDG_CONFIG_HOME": str(tmp_path)})
    # Without a cgroup the interpreter itself is refused memory, and says MemoryError.
    assert done.statuses in (["error", "timeout", "oom", "ok"], ["error", "timeout", "error", "ok"])
    assert done.checks("parses")[0] == "fail"
    assert done.code == 0, done.text


def test_a_model_that_repeats_itself_gets_one_fresh_start(retort):
    done = play(retort, "Go.", "repeat.jsonl")
    assert (done.code, done.stop, done.steps) == (4, "repeat", 4)


def test_a_model_that_alternates_is_stopped_after_six(retort):
    done = play(retort, "Go.", "alternate.jsonl")
    assert (done.code, done.stop, done.steps) == (4, "alternating", 6)


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_steps_are_never_exceeded(retort, steps):
    done = play(retort, "Go.", "alternate.jsonl", "--max-steps", str(steps))
    assert (done.code, done.stop, done.steps) == (4, "steps", steps)
    assert len(done.of("action")) == steps - 1


def test_harmful_steps_do_no_harm_and_are_visible(retort):
    done = play(retort, "Add the numbers to ten.", "harm.jsonl")
    assert done.code == 0
    assert done.answer == "The sum is 55."
    assert os.path.exists("/usr/bin/env")
    assert "rmtree" in done.of("action")[0]["code"]
    assert done.statuses[1:3] == ["error", "error"]


# ---- modes -----------------------------------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "sales.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE sales (id INTEGER PRIMARY KEY, region TEXT, amount REAL)")
        rows = [("North", 1200.5), ("South", 310.25), ("North", 99.25)]
        db.executemany("INSERT INTO sales (region, amount) VALUES (?, ?)", rows)
    return path


def test_sql_with_a_typo_in_a_column(retort, database):
    before = database.read_bytes()
    done = play(retort, "Which region sold most?", "sql.jsonl", "--db", database)
    assert (done.code, done.statuses) == (0, ["error", "ok", "ok"])
    assert done.answer == "North sold most with 1299.75; the grand total is 1610.00."
    assert database.read_bytes() == before


def test_sql_as_cells_on_a_copy_of_the_database(retort, database):
    with sqlite3.connect(database) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("UPDATE sales SET amount = 1300.5 WHERE id = 1")
        db.commit()
        done = play(retort, "Which region sold most?", "sql_cells.jsonl", "--db", database)  # not written back yet
        assert (done.code, done.statuses) == (0, ["error", "ok", "ok"])
        assert done.answer == "North sold most with 1399.75."
        assert db.execute("SELECT count(*) FROM sales").fetchone() == (3,)


def test_a_database_that_is_none(retort, tmp_path):
    (tmp_path / "text.db").write_text("no database at all" * 100)
    for name, message in (("text.db", "the database cannot be read: file is not a database"), ("none.db", "No such file")):
        done = play(retort, "Which region sold most?", "sql.jsonl", "--db", tmp_path / name)
        assert done.code == 125 and message in done.text, done.text


@pytest.mark.few
def test_four_steps_of_exploration_with_two_plots(retort):
    done = play(retort, "Explore orders.csv.", "eda.jsonl", "--file", DEMO / "orders.csv")
    assert done.code == 0, done.text
    assert {file["path"] for file in done.of("final")[0]["artifacts"]} == {"revenue.png", "prices.png"}


# ---- the record ------------------------------------------------------------------------------------------------


def recorded(retort, state, task, cassette, *arguments):
    done = run_agent(retort, task, "--cassette", cassette, *arguments, env={"RETORT_STATE": str(state)})
    return done, Record(retort, state, done.of("plan")[0]["session"])


def test_code_in_each_language_runs_in_it_and_is_exported_with_its_magic(retort, tmp_path):
    """By tag and by fence; what one language has made, the next one finds."""
    done, record = recorded(retort, tmp_path, "What do the cities sum up to?", CASSETTES / "languages.jsonl")
    assert (done.code, done.answer) == (0, "The cities sum up to 42."), done.text
    assert [action["language"] for action in done.of("action")] == ["bash", "sql", "sql", "python", "javascript", "javascript"]
    assert done.statuses == ["ok"] * 6
    cells = [cell for cell in json.loads(record.export("ipynb"))["cells"] if cell["cell_type"] == "code"]
    assert ["".join(cell["source"]).split("\n")[0] for cell in cells[:6]] == [
        "%%bash", "%%sql", "%%sql", "_sql.to_json('totals.json', orient='records')", "%%javascript", "%%javascript"]
    assert "[1 row: total INTEGER]" in "".join(cells[2]["outputs"][0]["data"]["text/plain"])


def test_events_are_on_the_record(retort, tmp_path):
    done, record = recorded(retort, tmp_path, "What is the square root of two?", CASSETTES / "squrt.jsonl")
    notes = record.notes
    assert [note["event"] for note in notes if note["event"] != "check"] == [
        "plan", "model", "action", "observation", "model", "action", "observation", "model", "final", "stop", "conversation"]
    assert [(note["cell"], note["status"]) for note in notes if note["event"] == "observation"] == [(1, "error"), (2, "ok")]
    assert not any("result" in note for note in notes)
    final = next(note for note in notes if note["event"] == "final")
    assert final["answer"] == done.answer
    assert {claim["text"]: claim["verdict"] for claim in final["provenance"]} == done.verdicts()
    assert notes[-1]["messages"][-1]["role"] == "assistant"
    assert not any(tmp_path.glob("agent/*"))  # a run that has its answer needs no journal


def test_a_run_is_listed_verified_replayed_and_exported(with_libraries, tmp_path):
    done, record = recorded(with_libraries, tmp_path, "What is the average gross margin in orders.csv?",
                            DEMO / "cassettes/orders.jsonl", "--file", DEMO / "orders.csv")
    assert done.code == 0
    listing = record.run("log", record.session)
    assert "agent step 0  plan  What is the average gross margin in orders.csv?" in listing
    assert "agent step 1  observation  cell 1 error\n" in listing
    assert "agent step 4  check  numbers: fail, " in listing
    assert "agent step 5  final  verified, The average gross margin of the 47 orders is 39.9 %." in listing
    assert f"{record.session}: ok; " in record.run("verify", record.session)
    assert "4 cells, all equal" in record.run("replay", record.session)
    outcome = {entry["body"]["cell"]: entry["entry"] for entry in record.entries if entry["kind"] == "cell_outcome"}
    page = record.export("html")
    for text, cell in [("39.9 %", 2), ("43.5%", 4)]:
        anchor = f"{record.session}-{outcome[cell]}"
        assert f'<span class="number ok">{text}<sup><a href="#{anchor}">{cell}</a></sup></span>' in page
        assert f'<section id="{anchor}"><h2>Cell {cell}' in page
    assert "41.2 % was not computed" in page
    last = json.loads(record.export("ipynb"))["cells"][-1]
    assert last["cell_type"] == "markdown" and "".join(last["source"]).startswith("**Answer** (verified)\n\n```text\nThe ave")


def test_numbers_without_proof_are_marked_in_the_page(retort, tmp_path):
    _, record = recorded(retort, tmp_path, "What is <b>it</b>?", CASSETTES / "asserted.jsonl", "--max-steps", "3")
    page = record.export("html")
    assert '<span class="number bad">1060<sup title="stands as a literal in the code and was not computed">asserted</sup></span>' in page
    assert "unverified" in page
    assert "What is &lt;b&gt;it&lt;/b&gt;?" in page


def test_a_run_for_a_client_is_on_the_record_and_can_be_forgotten(retort, tmp_path):
    replies = [{"text": "```python\nprint('product', 6 * 7)\n```"}, {"text": "The product is 42."}]
    server = rpc.Server(retort, RETORT_STATE=str(tmp_path))
    session = server.call("agent.run", task="What is six times seven?", replies=replies)["session"]
    assert server.close() == 0
    record = Record(retort, tmp_path, session)
    assert [note["verified"] for note in record.notes if note["event"] == "final"] == [True]
    record.run("forget", session)
    assert "The product is 42." not in record.run("log", "--json", session) + record.export("html")


def test_a_run_for_a_client_can_call_its_tools(retort):
    """Those of the session that it works in; and the session's cells are counted on from those of the run."""
    server = rpc.Server(retort)
    session = server.session(record=False)
    session.offer(stock=lambda part: {"bolt": 19, "nut": 23}[part])
    session.run("begun = True")
    replies = [{"text": "```python\nprint(tools.stock(part='bolt') + tools.stock(part='nut'))\n```"},
               {"text": "There are 42 parts."}]
    done = server.call("agent.run", task="How many parts?", session=session.id, replies=replies)
    assert (done["stop"], done["answer"], done["verified"]) == ("answered", "There are 42 parts.", True)
    assert [note["cell"] for note in session.notes("tools.call")] == [2, 2]
    after = session.run("print(begun)")
    assert after["cell"] == 3 and session.notes("session.output")[-1]["cell"] == 3
    assert server.close() == 0


@pytest.mark.parametrize("record", [[], ["--no-record"]])
def test_a_step_that_dies_takes_no_file_with_it(retort, tmp_path, record):
    cassette, given = tmp_path / "dies.jsonl", tmp_path / "given.csv"
    given.write_text("19,23\n")
    cells = ["rows = open('given.csv').read()", "import os\nos._exit(3)",
             "print('zero \\0', sum(map(int, open('given.csv').read().split(','))), rows)"]
    replies = [f"```python\n{cell}\n```" for cell in cells] + ["The sum is 42."]
    cassette.write_text("".join(json.dumps({"match": {"turn": i + 1}, "reply": {"text": text}}) + "\n"
                                for i, text in enumerate(replies)))
    done = run_agent(retort, "Sum?", "--cassette", cassette, "--file", given, *record)
    assert (done.code, done.statuses, done.answer) == (0, ["ok", "exit", "ok"], "The sum is 42."), done.text


def test_interrupt_ends_cleanly_and_keeps_the_record(retort, tmp_path):
    cassette = tmp_path / "loop.jsonl"
    reply = {"text": "```python\nprint('begun', flush=True)\nwhile True: pass\n```"}
    cassette.write_text(json.dumps({"match": {}, "reply": reply}) + "\n")
    process = retort.popen("agent", "Loop.", "--json", "--cassette", cassette, stdout=-1, stderr=-1,
                           env={"RETORT_STATE": str(tmp_path / "state")})
    first = []
    for line in process.stdout:
        first.append(json.loads(line))
        if first[-1]["event"] == "output":
            break
    process.send_signal(signal.SIGINT)
    events = [json.loads(line) for line in process.stdout]
    assert process.wait() == 4
    assert events[-1]["reason"] == "cancelled"
    record = Record(retort, tmp_path / "state", first[0]["session"])
    assert [note["event"] for note in record.notes][-2:] == ["stop", "conversation"]
    assert "No answer" in record.export("html")


def test_a_conversation_can_be_continued(retort, tmp_path):
    state = {"RETORT_STATE": str(tmp_path / "state")}
    first = run_agent(retort, "What is the square root of two?", "--cassette", CASSETTES / "squrt.jsonl", env=state)
    session = first.of("plan")[0]["session"]
    cassette = tmp_path / "next.jsonl"
    replies = [{"text": "```python\nprint('square', math.sqrt(2) ** 2 * 8)\n```"}, {"text": "It is 16."}]
    cassette.write_text("".join(json.dumps({"match": {}, "reply": reply}) + "\n" for reply in replies))
    second = run_agent(retort, "And eight times its square?", "--continue", session, "--cassette", cassette, env=state)
    assert (second.code, second.answer) == (0, "It is 16.")
    assert second.of("plan")[0]["session"] == session
    said = [message["content"] for message in Record(retort, tmp_path / "state", session).notes[-1]["messages"]]
    assert said[1] == "What is the square root of two?" and "And eight times its square?" in said


# ---- repair by tests -------------------------------------------------------------------------------------------

PROGRAMS = sorted(path.name for path in (CASSETTES.parent / "repair").iterdir())
FEW = ("gcd", "search")  # one that is wrong and one that hangs; the others are the same loop with other programs


def repair(retort, tests, cassette, *arguments):
    return run_agent(retort, "Correct the program.", "--tests", tests, "--cassette", cassette, *arguments)


@pytest.fixture(scope="module")
def repairs(retort, count):
    """All at once: a program that hangs is waited for, and some do."""
    tests = {name: CASSETTES.parent / "repair" / name for name in count(FEW, PROGRAMS)}
    with concurrent.futures.ThreadPoolExecutor() as pool:
        yield {name: pool.submit(repair, retort, path, path / "cassette.jsonl") for name, path in tests.items()}


@pytest.mark.parametrize("name", [one if one in FEW else pytest.param(one, marks=pytest.mark.soak("others of FEW")) for one in PROGRAMS])
@pytest.mark.few(1)
def test_a_buggy_program_is_repaired(repairs, name):
    done = repairs[name].result()
    assert done.code == 0, done.text[-2000:]
    first, second = [event["text"] for event in done.of("observation")]
    assert "of 4 pass" in first and "First failure" in first
    assert "Tests: 4 of 4 pass." in second


def cheat(tmp_path, code):
    cassette = tmp_path / "cheat.jsonl"
    reply = {"text": f"```python\n{code}\n```"}
    cassette.write_text(json.dumps({"match": {"turn": 1}, "reply": reply}) + "\n"
                        + json.dumps({"match": {}, "reply": {"text": "All tests pass."}}) + "\n")
    return cassette


def test_special_casing_what_was_shown_is_caught(retort, tmp_path):
    shown = "def median(v): return {(4, 1, 3, 2): 2.5, (7,): 7}.get(tuple(v))"
    done = repair(retort, CASSETTES.parent / "repair/median",
                  cheat(tmp_path, f"open('solution.py', 'w').write({shown!r})"), "--max-steps", "3")
    assert done.code == 3
    assert "2 that were not shown fail" in done.of("observation")[0]["text"]


@pytest.mark.few
def test_a_candidate_cannot_reach_the_tests(retort, tmp_path):
    """It looks for test files, patches what it can find, and claims that every comparison holds."""
    code = ("import glob, builtins, os, sys\n"
            "class Yes:\n    def __eq__(self, other): return True\n    def __repr__(self): return '2'\n"
            "for path in glob.glob('/work/**/test_*.py', recursive=True) + glob.glob('/tmp/*'):\n"
            "    try: open(path, 'w').write('')\n    except OSError: pass\n"
            "def median(values): return Yes()\n")
    tests = CASSETTES.parent / "repair/median"
    before = (tests / "test_median.py").read_bytes()
    done = repair(retort, tests, cheat(tmp_path, f"open('solution.py', 'w').write({code!r})"), "--max-steps", "3")
    assert done.code == 3
    assert "Tests: 1 of 4 pass.\nFirst failure: test_even: assert median([4, 1, 3, 2]) == 2.5" in done.of("observation")[0]["text"]
    assert (tests / "test_median.py").read_bytes() == before


# ---- replay ----------------------------------------------------------------------------------------------------


@pytest.mark.few
def test_runs_can_be_replayed_with_equal_results(retort, with_libraries, database, tmp_path):
    state = {"RETORT_STATE": str(tmp_path / "state")}
    orders = ("--file", DEMO / "orders.csv")
    runs = [("What is the average gross margin in orders.csv?", DEMO / "cassettes/orders.jsonl", *orders),
            ("Explore orders.csv.", CASSETTES / "eda.jsonl", *orders),
            ("Which region sold most?", CASSETTES / "sql.jsonl", "--db", database)]
    for someone, (task, cassette, *arguments) in zip((with_libraries, with_libraries, retort), runs):
        done = run_agent(someone, task, "--cassette", cassette, *arguments, env=state)
        session = done.of("plan")[0]["session"]
        replayed = someone.run("replay", session, env=state)
        assert (replayed.returncode, b"all equal" in replayed.stdout) == (0, True), replayed.stdout
