"""What is recorded: log, verify, replay, export, forget; and what happens to it when things go wrong."""
import contextlib
import errno
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import threading
import time

import nbformat
import pexpect
import pytest
import rpc
from compiling import sanitizers

ROOT = pathlib.Path(__file__).resolve().parents[2]
SESSION = re.compile(rb"retort: session (s_[0-9a-f]+)\n")
COLD = "import os; print(os.urandom(8).hex())"


class Ledger:
    """A state directory of its own, and the commands that look into it."""

    def __init__(self, caller, state):
        self.caller, self.state = caller, pathlib.Path(state)
        self.env = {"RETORT_STATE": str(state)}

    def run(self, *arguments, **options):
        return self.caller.run(*arguments, env=self.env, **options)

    def record(self, code, *options):
        done = self.run("run", "--record", *options, "-c", code)
        found = SESSION.search(done.stderr)
        assert found, done.stderr
        return found[1].decode()

    def log(self, *session):
        done = self.run("log", "--json", *session)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def verify(self, session, *options):
        done = self.run("verify", "--json", session, *options)
        assert done.returncode in (0, 1), done.stderr
        report = json.loads(done.stdout)
        assert report["sound"] == (done.returncode == 0)
        return report

    def server(self):
        return rpc.Server(self.caller, **self.env)


@pytest.fixture
def ledger(light, tmp_path):
    return Ledger(light, tmp_path / "state")


# ---- recording and looking -------------------------------------------------------------------------------------


def test_run_records_only_when_asked(caller, tmp_path_factory):
    own = Ledger(caller, caller.home / "own-state")
    done = own.run("run", "-c", "print(1)")
    assert (done.stdout, done.stderr) == (b"1\n", b"") and not own.state.exists()
    done = own.run("run", "--record", "-c", "print(1)")
    assert done.stdout == b"1\n" and SESSION.fullmatch(done.stderr)
    session = SESSION.fullmatch(done.stderr)[1].decode()
    assert [one["session"] for one in own.log()] == [session]
    assert own.verify(session)["verdict"] == "ok"
    modes = {path.name: path.stat().st_mode & 0o777 for path in [own.state, *own.state.rglob("*")] if path.exists()}
    assert all(mode in (0o600, 0o700, 0o400) for mode in modes.values()), modes


NOTES = r"""
#include <retort.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct retort_session *begin(struct retort_engine *engine, bool no_record) {
    struct retort_session_options options = {.preload = "", .no_record = no_record};
    struct retort_session *session;
    struct retort_error error;
    if (retort_session_new(engine, &options, &session, &error) < 0) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return session;
}

int main(void) {
    struct retort_engine *engine;
    struct retort_error error = {0};
    static char huge[17 << 20];
    memset(huge, ' ', sizeof huge - 1);
    if (retort_open(NULL, &engine, &error) < 0)
        return 1;
    struct retort_session *s = begin(engine, false), *unrecorded = begin(engine, true);
    const char *notes[][2] = {{"me", "{\"event\": \"\\u001b[31mred\", \"step\": 3, \"nul\": \"\\u0000\"}"}, {"me", "[]"}, {"me", "no"},
                              {"", "{}"}, {"a b", "{}"}, {"me", huge}};
    printf("%s", retort_session_id(s));
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        printf(" %d", retort_note(s, notes[i][0], notes[i][1], &error));
    printf(" %d\n", retort_note(unrecorded, "me", "{}", &error));
    retort_close(engine);
    return 0;
}
"""


def test_notes_of_a_program(ledger, build, tmp_path):
    source, program = tmp_path / "n.c", ledger.caller.home / "n"
    source.write_text(NOTES)
    library = build / "libretort.so"
    subprocess.run(["gcc", "-Wall", "-Werror", f"-I{ROOT / 'include'}", "-o", program, source, library, *sanitizers(build),
                    f"-Wl,-rpath,{library.parent}"], check=True)
    done = subprocess.run(ledger.caller.command(program), env=ledger.caller.environment(**ledger.env), check=False,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    session, *codes = done.stdout.split()
    assert [int(code) for code in codes] == [0, -errno.EINVAL, -errno.EINVAL, -errno.EINVAL, -errno.EINVAL, -errno.EFBIG, 0]
    notes = [entry for entry in ledger.log(session) if entry["kind"] == "note"]
    assert [(note["body"]["source"], note["event"]) for note in notes] == [("me", {"event": "\x1b[31mred", "step": 3, "nul": "\0"})]
    listing = ledger.run("log", session).stdout
    assert b"  me step 3  red\n" in listing and b"\x1b" not in listing
    assert ledger.verify(session)["verdict"] == "ok"


def test_log_of_a_session(ledger):
    session = ledger.record("x = 1\nprint(x)\nopen('made.txt', 'w').write('m')", "--file", "/etc/hostname:given.txt",
                            "--env", "SECRET=hunter2")
    kinds = [entry["kind"] for entry in ledger.log(session)]
    assert kinds == ["create", "file_write", "cell_intent", "cell_outcome", "close"]
    create, _, intent, outcome, _ = ledger.log(session)
    assert create["body"]["env"] == ["SECRET"] and intent["code"].startswith("x = 1\nprint(x)")
    assert outcome["body"]["status"] == "ok" and outcome["body"]["files"][0]["path"] == "made.txt"
    text = ledger.run("log", session).stdout.decode()
    assert "cell 1  x = 1  (+2 lines)" in text and "created made.txt" in text and "given.txt written" in text
    everything = b"".join(path.read_bytes() for path in ledger.state.rglob("*") if path.is_file())
    assert b"hunter2" not in everything and b"hunter2" not in ledger.run("log", "--json", session).stdout


def test_sessions_are_a_tree(ledger):
    first, second = ledger.record("1"), ledger.record("2")
    with sqlite3.connect(ledger.state / "ledger.db") as db:
        ids = dict(db.execute("SELECT id, n FROM session"))
        db.execute("UPDATE session SET parent = ?, parent_seq = 1 WHERE id = ?", (ids[first], second))
    lines = ledger.run("log").stdout.decode().splitlines()
    assert lines[0].startswith(first) and lines[1].startswith(f"└─ {second}") and "└" not in lines[0]
    assert {one["session"]: one["parent"] for one in ledger.log()} == {first: None, second: first}


def test_code_cannot_write_to_a_terminal_by_way_of_the_log(ledger):
    session = ledger.record("x = 1 #\x1b]0;title\x07\x1b[2J\n")
    shown = ledger.run("log", session).stdout
    assert b"\x1b" not in shown and b"\x07" not in shown and "x = 1 #".encode() in shown


MISTAKES = [["verify"], ["replay"], ["export"], ["forget"], ["log", "--nonsense"], ["log", "a", "b"],
            ["log", "s_unknown"], ["verify", "s_unknown"], ["replay", "s_unknown"], ["forget", "s_unknown"],
            ["export", "s_unknown", "--ipynb", "never-written"], ["verify", "s_unknown", "--head"],
            ["verify", "s_unknown", "--head", "short"]]


@pytest.mark.parametrize("command", MISTAKES)
def test_mistakes_are_told_in_one_line(ledger, command):
    done = ledger.run(*command)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (125, b"", 1)
    assert not (ledger.caller.home / "never-written").exists()


# ---- verify ----------------------------------------------------------------------------------------------------


def test_head_that_the_client_kept(ledger):
    session = ledger.record("print(1)")
    report = ledger.verify(session)
    hashes = [entry["hash"] for entry in ledger.log(session)]
    assert report["verdict"] == "ok" and report["head"] == hashes[-1] and report["entries"] == len(hashes)
    for kept in hashes:
        assert ledger.verify(session, "--head", kept)["verdict"] == "ok"
    assert ledger.verify(session, "--head", "sha256:" + "0" * 64)["verdict"] == "head_mismatch"
    text = ledger.run("verify", session, "--head", "sha256:" + "0" * 64)
    assert text.returncode == 1 and b"head_mismatch" in text.stdout


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_a_changed_byte_in_the_store_is_found(ledger):
    session = ledger.record("open('big.bin', 'wb').write(bytes(range(256)) * 4096)")
    [stored] = [path for path in (ledger.state / "store").rglob("*") if path.is_file()]
    assert ledger.verify(session)["verdict"] == "ok"
    flip(stored, 70000)
    report = ledger.verify(session)
    [finding] = report["findings"]
    assert report["verdict"] == "corrupt" and finding["entry"] == 3
    name = hashlib.sha256(bytes(range(256)) * 4096).hexdigest()
    assert finding["blob"] == f"sha256:{name}"
    told = ledger.run("verify", session)
    assert told.returncode == 1 and f"entry 3 blob sha256:{name}".encode() in told.stdout
    stored.unlink()
    assert ledger.verify(session)["verdict"] in ("missing", "lost")


@pytest.mark.parametrize("text, entry", [(b"marker_of_the_code", 2), (b'"status":"ok"', 3),
                                         (b'"language":"python"', 1)])
def test_a_changed_byte_in_the_database_is_found(ledger, text, entry):
    session = ledger.record("print('marker_of_the_code')")
    path = ledger.state / "ledger.db"
    places = [found.start() for found in re.finditer(re.escape(text), path.read_bytes())]
    assert places
    for at in places:
        flip(path, at + len(text) - 2)
    report = ledger.verify(session)
    assert not report["sound"] and entry in [finding["entry"] for finding in report["findings"]], report


def test_history_cannot_be_rewritten(ledger):
    session = ledger.record("print(1)")
    kept = ledger.verify(session)["head"]
    with sqlite3.connect(ledger.state / "ledger.db") as db:
        db.execute("DELETE FROM entry WHERE seq = (SELECT max(seq) FROM entry)")
    assert not ledger.verify(session, "--head", kept)["sound"]
    assert not ledger.verify(session)["sound"]


# ---- replay ----------------------------------------------------------------------------------------------------


def test_replay_of_what_does_not_read_clock_or_entropy(light, tmp_path):
    ledger = Ledger(light, tmp_path / "state")
    server = ledger.server()
    session = server.session()
    session.write("data.csv", b"a,b\n1,2\n3,4\n")
    session.offer(price=lambda article: {"of": article, "is": 9.5})
    for code in ["import random, numpy as np, csv", "rows = list(csv.DictReader(open('data.csv'))); rows",
                 "print(random.random(), np.random.rand(2))", "import tools; tools.price(article='tea')",
                 "open('out.txt', 'w').write(str(rows))", "1 / 0", "{'set', 'of', 'words'} and 'ordered'"]:
        session.run(code)
    session.close()
    assert server.close() == 0
    done = ledger.run("replay", session.id)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{session.id}: 7 cells, all equal\n".encode(), b"")
    assert ledger.verify(session.id)["verdict"] == "ok"


def test_replay_names_the_first_difference(ledger):
    server = ledger.server()
    session = server.session()
    for code in ["x = 1", "print('same')\nimport os\nprint(os.urandom(8).hex())", "os.urandom(4)"]:
        session.run(code)
    session.close()
    assert server.close() == 0
    done = ledger.run("replay", session.id)
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 1 and lines[0] == f"{session.id}: cell 2 differs: stdout"
    assert [line[:2] for line in lines[1:3]] == ["- ", "+ "] and lines[1][2:] != lines[2][2:]
    assert lines[3:] == [f"{session.id}: cell 3 differs: value"]
    assert len(lines[1]) == 18  # the line that differs, and not the one before it
    first = json.loads(ledger.run("replay", "--json", session.id).stdout)["first"]
    assert (first["cell"], first["what"]) == (2, "stdout")


@pytest.mark.parametrize("code, what", [("import os; os.urandom(4)", "value"),
                                        ("import os, sys; print(os.urandom(4), file=sys.stderr)", "stderr"),
                                        ("import os; open('f', 'wb').write(os.urandom(4)) and None", "files")])
def test_replay_compares_everything(ledger, code, what):
    server = ledger.server()
    session = server.session()
    session.run(code)
    session.close()
    assert server.close() == 0
    report = json.loads(ledger.run("replay", "--json", session.id).stdout)
    assert not report["equal"] and report["first"]["what"] == what


def test_replay_shows_its_progress_on_a_terminal(ledger):
    session = ledger.record("print(1)")
    command = ledger.caller.command(ledger.caller.retort, "replay", session)
    child = pexpect.spawn(command[0], command[1:], env=ledger.caller.environment(**ledger.env), timeout=rpc.PATIENCE)
    child.expect("cell 1 of 1")
    child.expect("1 cell, all equal")
    child.expect(pexpect.EOF)


def test_replay_of_a_run(ledger):
    session = ledger.record("import random; print(random.random())")
    assert ledger.run("replay", session).returncode == 0
    assert ledger.run("replay", ledger.record(COLD)).returncode == 1


# ---- export, forget --------------------------------------------------------------------------------------------


def test_export(ledger, tmp_path):
    server = ledger.server()
    session = server.session()
    title = "<script>alert(1)</script>"
    for code in [f"import matplotlib.pyplot as plt\nplt.plot([1, 3]); plt.title('{title}'); plt.show()",
                 "print('out'); 6 * 7", "1 / 0"]:
        session.run(code)
    session.close()
    assert server.close() == 0
    notebook, page = tmp_path / "n.ipynb", tmp_path / "p.html"
    done = ledger.run("export", session.id, "--ipynb", notebook, "--html", page)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    book = nbformat.read(notebook, as_version=4)
    nbformat.validate(book)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.source.split("\n")[0] for cell in cells][1:] == ["print('out'); 6 * 7", "1 / 0"]
    assert any("image/png" in output.get("data", {}) for output in cells[0].outputs)
    assert cells[2].outputs[0].output_type == "error"
    convert = ["/usr/bin/python3", "-m", "nbconvert", "--to", "html", "--log-level", "ERROR", str(notebook)]
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    made = subprocess.run(convert, capture_output=True, env=env, check=False)
    assert made.returncode == 0 and (tmp_path / "n.html").stat().st_size > 10000, made.stderr
    text = page.read_text()
    assert "6 * 7" in text and "data:image/png;base64," in text and "<script>alert" not in text
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", text)


def test_forget(ledger):
    gone, kept = ledger.record("'private_text_1234'; print('private_text_1234')"), ledger.record("print('public')")
    assert ledger.run("forget", gone).returncode == 0
    everything = b"".join(path.read_bytes() for path in ledger.state.rglob("*") if path.is_file())
    assert b"private_text_1234" not in everything
    assert ledger.verify(gone)["verdict"] == "forgotten" and ledger.verify(kept)["verdict"] == "ok"
    assert ledger.log(gone)[1]["body"] is None
    assert ledger.run("replay", gone).returncode == 125 and ledger.run("replay", kept).returncode == 0


def log_lines(ledger, *options):
    done = ledger.run("log", *options)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().splitlines()


def test_the_log_tells_what_a_session_was(ledger):
    ledger.record("\n\nprint('first')\nprint('second')")
    ledger.record("echo hello", "-l", "bash")
    newest, oldest = log_lines(ledger)
    assert re.search(r" run +bash +1  echo hello$", newest) and re.search(r" run +python +1  print\('first'\)$", oldest)
    server = ledger.server()
    server.session().run("x = 41")
    assert re.search(r" rpc +python +1  \(live\) x = 41$", log_lines(ledger)[0])
    assert server.close() == 0


def test_the_log_is_cut_and_searched(ledger):
    made = [ledger.record(f"print('number {i}')") for i in range(22)]
    done = ledger.run("log")
    assert [line.split()[0] for line in done.stdout.decode().splitlines()] == made[:1:-1]
    assert done.stderr == b"2 older; `retort log -n 0` lists all\n"
    assert [line.split()[0] for line in log_lines(ledger, "-n", "3")] == made[:-4:-1]
    assert len(log_lines(ledger, "-n", "0")) == 22
    assert [line.split()[0] for line in log_lines(ledger, "--search", "NUMBER 7")] == [made[7]]
    assert log_lines(ledger, "--search", "nothing of the kind") == []
    assert [s["session"] for s in ledger.log("-n", "2")] == made[-2:] and len(ledger.log()) == 22
    assert ledger.run("log", made[0], "--search", "x").returncode == 125


def test_a_hostile_title_does_nothing_to_a_terminal(ledger):
    ledger.record("#\x1b]0;owned\x07\x9b2J x\nprint(1)")
    shown = ledger.run("log").stdout
    assert b"\x1b" not in shown and b"\x07" not in shown and "\x9b".encode() not in shown


def test_branches_are_a_tree_and_outlive_what_they_came_from(ledger):
    """Forgetting a parent leaves its branches verifiable; what is missing to run them again is said."""
    server = ledger.server()
    parent = server.session()
    parent.run("x = [1]; print('of the parent')")
    left, right = server.call("session.branch", session=parent.id, count=2)["sessions"]
    deep, = server.call("session.branch", session=left)["sessions"]
    for session in (left, right, deep):
        server.call("session.execute", session=session, code="x.append(2); x")
    assert server.close() == 0
    tree = [line.split("  ")[0].rstrip() if line[0] == "s" else line.split("s_")[0] for line in
            ledger.run("log").stdout.decode().splitlines()]
    assert tree == [parent.id, "├─ ", "│  └─ ", "└─ "]
    for session in (parent.id, left, right, deep):
        done = ledger.run("replay", session)
        assert done.returncode == 0 and b"all equal" in done.stdout
        head = ledger.verify(session)["head"]
        assert ledger.run("verify", session, "--head", head).returncode == 0
        assert ledger.run("verify", session, "--head", "sha256:" + "0" * 64).returncode == 1
    done = ledger.run("forget", parent.id)
    assert done.returncode == 0 and done.stdout.count(b"a branch of it can still be verified") == 2
    for session in (left, deep):
        done = ledger.run("verify", session)
        assert done.returncode == 0 and re.search(rb"forgotten: \w+ entries 1 to \d: the entry was forgotten\n", done.stdout)
        done = ledger.run("replay", session)
        assert done.returncode == 125 and f"begins with cells of {parent.id}, which was forgotten" in done.stderr.decode()


# ---- sudden death ----------------------------------------------------------------------------------------------


def work(session, finished, asked):
    """Cells without end: what was answered goes to `finished`, what was asked for to `asked`."""
    try:
        for number in range(1, 100000):
            asked.append(number)
            result = session.run(f"data = open('f', 'w').write('x' * {number * 7 % 5000}); print('done', {number})")
            finished.append((number, result["ledger"]["hash"], result["status"]))
    except (rpc.Failure, BrokenPipeError):
        return


def test_kill_the_broker_at_any_moment(ledger, count):
    chance = random.Random(20)
    for _ in range(count(10, 200)):
        server = ledger.server()
        session = server.session()
        finished, asked = [], []
        worker = threading.Thread(target=work, args=(session, finished, asked))
        worker.start()
        time.sleep(chance.uniform(0, 0.25))
        os.kill(server.pid, signal.SIGKILL)
        server.process.wait()
        worker.join(rpc.PATIENCE)
        server.close()
        report = ledger.verify(session.id)
        assert report["verdict"] == "ok", report
        check_record(ledger.log(session.id), finished, asked)
    states = {one["state"] for one in ledger.log()}
    assert states == {"interrupted"}


def check_record(entries, finished, asked):
    outcomes = {entry["body"]["cell"]: entry for entry in entries if entry["kind"] == "cell_outcome"}
    intents = [entry["body"]["cell"] for entry in entries if entry["kind"] == "cell_intent"]
    assert intents == list(range(1, len(intents) + 1)) and len(intents) <= len(asked)
    for number, known, status in finished:  # nothing that was answered is missing
        assert outcomes[number]["hash"] == known and status == "ok"
    for number in intents:  # and nothing claims what did not happen
        body = outcomes[number]["body"]
        if body["status"] == "ok":
            assert body["sums"]["stdout"]["sha256"] == hashlib.sha256(f"done {number}\n".encode()).hexdigest()
        else:
            assert (body["status"], number) == ("interrupted", intents[-1])


def test_another_engine_sees_live_sessions_as_live(ledger):
    server = ledger.server()
    session = server.session()
    session.run("x = 1")
    [listed] = ledger.log()
    assert listed["state"] == "live" and ledger.verify(session.id)["verdict"] == "ok"
    assert session.value("x") == "1"
    assert server.close() == 0
    assert ledger.log()[0]["state"] == "closed"


# ---- trouble with the state directory --------------------------------------------------------------------------


def clear_failure(done, *words):
    assert (done.returncode, done.stdout) == (125, b""), done
    assert done.stderr.count(b"\n") == 1 and done.stderr.startswith(b"retort: "), done.stderr
    assert all(word.encode() in done.stderr for word in words), done.stderr


def test_a_database_that_is_none(ledger):
    session = ledger.record("1")
    for path in ledger.state.glob("ledger.db*"):
        path.write_bytes(b"this is no database" * 1000)
    for command in (["log"], ["verify", session], ["replay", session], ["run", "--record", "-c", "1"], ["shell"]):
        clear_failure(ledger.run(*command), str(ledger.state))
    assert ledger.run("run", "-c", "print(1)").stdout == b"1\n"


def test_a_state_directory_that_cannot_be_written(new_caller):
    user = new_caller("user")
    ledger = Ledger(user, user.home / "state")
    ledger.record("1")
    os.chmod(ledger.state, 0o500)
    for path in ledger.state.rglob("*"):
        os.chmod(path, 0o500 if path.is_dir() else 0o400)
    clear_failure(ledger.run("run", "--record", "-c", "1"), "state", "ermission denied")
    os.chmod(ledger.state, 0o700)
    for path in ledger.state.rglob("*"):
        os.chmod(path, 0o700 if path.is_dir() else 0o600)
    assert len(ledger.log()) == 1


def test_a_state_directory_that_is_a_file_or_nowhere(ledger, tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file/below", "/proc/nowhere"):
        done = ledger.caller.run("run", "--record", "-c", "1", env={"RETORT_STATE": str(path)})
        clear_failure(done)


def test_a_locked_database(ledger):
    server = ledger.server()
    session = server.session()
    session.run("x = 5")
    lock = sqlite3.connect(ledger.state / "ledger.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    with pytest.raises(rpc.Failure, match="busy|locked"):
        session.run("x = 6")
    lock.execute("ROLLBACK")
    lock.close()
    assert session.value("x") == "5"  # what could not be recorded was not run
    assert server.close() == 0
    assert ledger.verify(session.id)["verdict"] == "ok"


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 3 MiB."""
    place = tmp_path / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m,mode=700", "none", place], check=True)
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk(light, small_disk):
    ledger = Ledger(light, small_disk / "state")
    server = ledger.server()
    session = server.session()
    session.run("import os; kept = 'kept'")
    recorded, failed = [], 0
    for _ in range(40):
        try:
            result = session.run("open('f', 'wb').write(os.urandom(150000)) and None")
            assert result["status"] == "ok"
            failed += not result["ledger"]["hash"]
            recorded += [result["ledger"]["hash"]] * bool(result["ledger"]["hash"])
        except rpc.Failure as failure:
            assert re.search("full|space", str(failure)), failure
            failed += 1
    assert failed and recorded
    clear_failure(ledger.run("run", "--record", "-c", "print(1)"))
    subprocess.run(["mount", "-o", "remount,size=30m", small_disk], check=True)
    assert session.value("kept") == "'kept'"  # the session has lived through it
    assert server.close() == 0
    assert ledger.verify(session.id)["sound"]
    assert set(recorded) <= {entry["hash"] for entry in ledger.log(session.id)}
    assert ledger.verify(ledger.record("1"))["verdict"] == "ok"


def fill(place):
    with open(place / "filler", "wb", 0) as f, contextlib.suppress(OSError):
        while f.write(bytes(4096)):
            pass


def test_a_session_that_fell_asleep_on_a_full_disk_wakes_up(light, small_disk):
    """That it sleeps is not on record then; nor is it running."""
    ledger = Ledger(light, small_disk / "state")
    server = ledger.server()
    session = server.session()
    session.run("kept = 'kept'")
    fill(small_disk)
    server.call("session.sleep", session=session.id)
    with pytest.raises(rpc.Failure, match="full|space"):
        session.run("1")
    (small_disk / "filler").unlink()
    assert session.value("kept") == "'kept'"
    assert server.close() == 0
    assert ledger.verify(session.id)["sound"]


def test_a_tool_call_that_could_not_be_recorded(light, small_disk):
    """It was made, and its cell may be recorded when there is room again: the result tells that it lacks the call."""
    ledger = Ledger(light, small_disk / "state")
    server = ledger.server()
    session = server.session()
    session.offer(fill=lambda: fill(small_disk), empty=lambda: (small_disk / "filler").unlink())
    result = session.run("tools.fill(); tools.fill(); tools.empty()")
    assert result["status"] == "ok" and re.search("full|space", result["ledger"]["error"]), result["ledger"]
    assert result["ledger"]["hash"] and str(small_disk) not in result["ledger"]["error"]
    assert server.close() == 0


def test_a_read_only_file_system(light, small_disk):
    ledger = Ledger(light, small_disk / "state")
    session = ledger.record("1")
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    clear_failure(ledger.run("run", "--record", "-c", "1"), "ead-only")
    clear_failure(ledger.run("log"), "ead-only")
    assert ledger.run("run", "-c", "print(1)").stdout == b"1\n"
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    assert ledger.verify(session)["verdict"] == "ok"


def test_a_session_that_comes_back_is_as_it_was_asked_for(light, tmp_path):
    """Its manner is recorded: what follows an error is decided by another engine as by the first."""
    first = rpc.Server(light, RETORT_STATE=str(tmp_path))
    session = first.session(on_error="rollback")
    session.run("x = 1")
    first.close()
    second = rpc.Server(light, RETORT_STATE=str(tmp_path))
    second.call("session.resume", session=session.id)
    failed = second.call("session.execute", session=session.id, code="x = 2; 1/0")
    assert (failed["status"], failed["state"]) == ("error", "rolled_back")
    assert second.call("session.execute", session=session.id, code="x")["value"]["text/plain"] == "1"
    second.close()


def test_a_piece_of_a_file_that_is_refused_is_not_on_record(light, tmp_path):
    server = rpc.Server(light, RETORT_STATE=str(tmp_path))
    session = server.session()
    session.run("open('D', 'w').write('one')")
    with pytest.raises(rpc.Failure):
        session.write("D/F", b"given", offset=3)
    session.write("E", b"given", offset=3)
    kinds = [entry["kind"] for entry in server.call("ledger.list", session=session.id)["entries"]]
    assert kinds.count("file_write") == 1
    assert session.run("open('E', 'rb').read()")["value"]["text/plain"] == r"b'\x00\x00\x00given'"
    assert server.close() == 0


def test_a_deletion_that_is_refused_is_not_on_record(light, tmp_path):
    server = rpc.Server(light, RETORT_STATE=str(tmp_path))
    session = server.session()
    session.run("import os\nos.makedirs('d/e'); open('d/e/f', 'w').write('x'); os.chmod('d/e', 0o555); os.symlink('d', 'l')")
    for wrong in ("none", "d/none", "d/e/f/g", "l/e", ""):
        with pytest.raises(rpc.Failure):
            server.call("files.delete", session=session.id, path=wrong)
    for path in ("l", "d"):
        server.call("files.delete", session=session.id, path=path)
    assert session.run("os.listdir()")["value"]["text/plain"] == "[]"
    entries = server.call("ledger.list", session=session.id)["entries"]
    assert [entry["body"]["path"] for entry in entries if entry["kind"] == "file_delete"] == ["l", "d"]
    assert server.call("ledger.replay", session=session.id)["report"]["equal"]
    assert server.close() == 0


def test_a_replay_ends_where_its_interpreter_does(light, tmp_path):
    """A cell that obeyed an interrupt and does not when it is run again is the first difference; nothing runs after it."""
    server = rpc.Server(light, RETORT_STATE=str(tmp_path))
    session = server.session(env={"OBEYS": "1"})
    # By a handler, because a signal may strike outside of any `try`; by a variable, whose value is not on record.
    pending = session.start("import os, signal, time\ndef struck(*_):\n    if 'OBEYS' in os.environ: raise KeyboardInterrupt\n"
                            "signal.signal(signal.SIGINT, struck)\nprint('go', flush=True)\nwhile True:\n    time.sleep(0.01)")
    while not session.notes("session.output"):
        time.sleep(0.01)
    session.interrupt()
    assert pending.answer()["state"] == "kept"
    session.run("1")
    report = server.call("ledger.replay", session=session.id)["report"]
    assert (report["equal"], report["first"]["cell"], report["first"]["what"]) == (False, 1, "state")
    assert server.close() == 0
