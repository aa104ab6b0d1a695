"""bench/: what compare and headline make of recorded runs, and a small run of its own. Nothing here asserts on time."""
import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BENCH = ROOT / "bench"
RUN = {"date": "2026-01-01 00:00 UTC", "cpu": "2 × x", "memory_gb": 4, "kernel": "6.1", "versions": "Python 3.11"}


def row(name, ours, other="ipykernel", theirs=5.0, width=0.05):
    ratio = ours / theirs
    return {"name": name, "title": name, "unit": "ms", "ours_ms": ours, "other": other, "other_ms": theirs, "ratio": ratio,
            "ratio_low": ratio * (1 - width), "ratio_high": ratio * (1 + width), "goal": 0.05, "floor_ms": 0.01, "n": 100,
            "run": RUN}


def run(tool, *arguments):
    return subprocess.run([sys.executable, BENCH / tool, *map(str, arguments)], capture_output=True, text=True, check=False)


@pytest.fixture
def recorded(tmp_path):
    def write(name, rows):
        path = tmp_path / name
        path.write_text(json.dumps(rows))
        return path
    return write


@pytest.mark.parametrize("factor, width, slower", [
    (1.0, 0.05, False),
    (1.08, 0.01, False),  # less than a tenth
    (1.5, 0.40, False),  # the intervals overlap
    (1.5, 0.05, True),
    (0.5, 0.05, False),
])
def test_compare(recorded, factor, width, slower):
    old = recorded("old.json", [row("warm", 0.25, width=width), row("cold", 30)])
    new = recorded("new.json", [row("warm", 0.25 * factor, width=width), row("cold", 30)])
    done = run("compare", old, new)
    assert done.returncode == (1 if slower else 0)
    assert ("slower: warm\n" in done.stdout) == slower


def test_compare_wants_most_of_the_programs_to_agree(recorded):
    """One program of three that became faster makes a ratio rise without any fault of ours."""
    others = ["ipykernel", "Pyodide", "Monty"]
    old = recorded("old.json", [row("warm", 0.25, other) for other in others])
    new = recorded("new.json", [row("warm", 0.25, other, 2.0 if other == "Pyodide" else 5.0) for other in others])
    assert run("compare", old, new).returncode == 0


ENGINE = """#!%s
import random, sys
for line in sys.stdin:
    print(*("%%.3f" %% (ms * random.uniform(0.98, 1.02)) for ms in (0.2, %s)), flush=True)
"""


def test_a_slowed_build_is_detected(tmp_path):
    """From the samples to the verdict, with an engine that only says what it takes: as fast as before, or slower by half."""
    runs = []
    for name, ms in (("old", 0.25), ("same", 0.25), ("slowed", 0.38)):
        program = tmp_path / name / "bench" / "bench_engine"
        program.parent.mkdir(parents=True)
        program.write_text(ENGINE % (sys.executable, ms))
        program.chmod(0o755)
        runs.append(tmp_path / (name + ".json"))
        done = run("run", "--quick", "--only", "replay", "--build", tmp_path / name, "--json", runs[-1])
        assert done.returncode == 0, done.stderr
    assert run("compare", runs[0], runs[1]).returncode == 0
    slowed = run("compare", runs[0], runs[2])
    assert slowed.returncode == 1 and "slower: replay" in slowed.stdout
    assert run("compare", "--agree", runs[0], runs[1]).returncode == 0
    assert run("compare", "--agree", runs[0], runs[2]).returncode == 1


SUPERVISED = """#!%s
import sys
for line in sys.stdin:
    served = min(int(line.split()[-2]), 2 * int(sys.argv[1]))
    print(10 / served, 10, 30, flush=True)
"""


def test_scale_compares_threads_and_supervisors(tmp_path):
    """With an engine in which each supervisor serves two threads."""
    program = tmp_path / "bench" / "bench_engine"
    program.parent.mkdir()
    program.write_text(SUPERVISED % sys.executable)
    program.chmod(0o755)
    done = run("scale", "--build", tmp_path, "--kinds", "cells", "--threads", "1,2,4", "--supervisors", "1,2", "--json",
               tmp_path / "rows.json", "--html", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    rows = {(row["supervisors"], row["threads"]): row for row in json.loads((tmp_path / "rows.json").read_text())}
    assert {key: round(row["per_second"]) for key, row in rows.items()} == {
        (1, 1): 100, (1, 2): 200, (1, 4): 200, (2, 1): 100, (2, 2): 200, (2, 4): 400}
    assert (rows[1, 4]["to_first_thread"], rows[2, 4]["to_first_thread"], rows[2, 4]["to_fewest_supervisors"]) == (2, 4, 2)
    assert "| cells | 2 | 4 | 400 | 4.00 | 2.00 |  | 10 | 30 |" in done.stdout
    page = (tmp_path / "page.html").read_text()
    assert page.count("<svg") == 2 and page.count("<polyline") == 2 + 4 and "2 supervisors, p99" in page


def test_nobody_waits_with_a_lock_that_all_share(count):
    """The engine's and that of the choice, while threads begin and end sessions in two supervisors."""
    done = run("locks", "--ms", count(500, 5000))
    assert done.returncode == 0, done.stderr
    rows = {words[1]: words[2:6] for line in done.stdout.splitlines() if len(words := [word.strip() for word in line.split("|")]) == 7}
    for lock in ("the engine's", "of the choice", "a pair's"):
        taken, us, waits, where = rows[lock]
        assert float(taken) > 0 and float(us) > 0 and float(waits) < 1 and where
    assert float(rows["a session's"][2]) > 0  # whoever runs a cell waits for its interpreter
    assert "one supervisor: " in done.stdout


@pytest.mark.few
def test_deaths_are_noticed_by_their_own_sessions_alone(count):
    """Keepers and supervisors, while clients run cells; how long others wait is the bench's to tell."""
    done = run("deaths", "--light", "--kills", count(2, 50))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "wrong: nothing\n" in done.stdout and done.stdout.endswith("left: nothing\n")


@pytest.mark.parametrize("factor, width, apart", [(1.0, 0.01, False), (1.08, 0.01, False), (1.5, 0.3, False), (1.5, 0.05, True),
                                                  (0.6, 0.05, True)])
def test_two_runs_agree_within_their_intervals(recorded, factor, width, apart):
    one = recorded("one.json", [row("warm", 0.25, width=width), row("cold", 30)])
    two = recorded("two.json", [row("warm", 0.25 * factor, width=width), row("mcp", 1)])
    done = run("compare", "--agree", one, two)
    assert done.returncode == (1 if apart else 0) and ("apart: warm beside ipykernel\n" in done.stdout) == apart
    assert "only in the first run: cold" in done.stdout and "only in the second run: mcp" in done.stdout


def test_the_pages_say_what_the_recorded_run_gave(tmp_path):
    done = run("headline", "--check")
    assert done.returncode == 0, done.stdout
    assert "Repeat it with `make bench`" in (ROOT / "README.md").read_text()


def test_recording_a_run_changes_both_pages_and_a_stale_one_is_found(tmp_path):
    for name in ("bench/headline", "README.md", "docs/performance.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text())
    rows = [dict(row("warm", 0.25), met=True, run=dict(RUN, load_before="0 0 0")),
            dict(row("cold", 0.5, "python3"), met=False, run=dict(RUN, load_before="0 0 0"))]
    (tmp_path / "run.json").write_text(json.dumps(rows))

    def tool(*arguments):
        return subprocess.run([sys.executable, tmp_path / "bench/headline", *arguments], capture_output=True, text=True, check=False)

    assert tool("--record", tmp_path / "run.json").returncode == 0
    assert "| warm | 0.25 ms | ipykernel | 5 ms | 0.05 |" in (tmp_path / "README.md").read_text()
    goals = (tmp_path / "docs/performance.md").read_text()
    assert "1 of 2 are met" in goals and "missed: a supervisor" in goals
    assert tool("--check").returncode == 0
    (tmp_path / "README.md").write_text((tmp_path / "README.md").read_text().replace("0.25 ms", "0.2 ms"))
    done = tool("--check")
    assert done.returncode == 1 and "README.md" in done.stdout
    rows[0].update(name="agent-step", met=False)
    (tmp_path / "run.json").write_text(json.dumps(rows))
    done = tool("--record", tmp_path / "run.json")
    assert done.returncode == 1 and "without a reason" in done.stdout and "agent-step" in done.stdout


def test_neighbours_have_a_table_of_their_own(tmp_path):
    for name in ("bench/headline", "bench/recorded.json", "README.md", "docs/performance.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text())
    goals = (tmp_path / "docs/performance.md").read_text().split("<!-- goals -->")[1].split("<!-- end of goals -->")[0]
    kept = [one for one in json.loads((tmp_path / "bench/recorded.json").read_text()) if not one["name"].startswith(("peer-", "plain-"))]
    (tmp_path / "bench/recorded.json").write_text(json.dumps(kept))
    rows = [dict(row(name, 0.5, "alone", 0.25), title="cell beside: " + title, met=name == "peer-one", ours_p99=6.0, other_p99=1.5,
                 run=dict(RUN, load_before="0 0 0"))
            for name, title in (("peer-one", "noise"), ("plain-one", "noise, without a cgroup"), ("peer-two", "dust"))]
    (tmp_path / "run.json").write_text(json.dumps(rows))
    done = subprocess.run([sys.executable, tmp_path / "bench/headline", "--add", tmp_path / "run.json"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stdout
    page = (tmp_path / "docs/performance.md").read_text()
    assert "| noise | 0.25 | 0.5 | 2 | 1.5 | 6 | 4 | 2 | 4 |\n" in page
    assert "| dust | 0.25 | 0.5 | 2 | 1.5 | 6 | 4 |  |  |\n" in page
    assert "1 of 2 medians and 0 of 2 percentiles" in page.split("<!-- peers -->")[1] and goals in page


def test_headline(recorded):
    done = run("headline", recorded("run.json", [row("warm", 0.25)]))
    assert "| warm | 0.25 ms | ipykernel | 5 ms | 0.05 |" in done.stdout
    assert "2026-01-01" in done.stdout and "make bench" in done.stdout


def test_measures_that_do_not_exist_are_refused():
    done = run("run", "--only", "nothing-of-this-name")
    assert done.returncode == 1 and "no such measure" in done.stderr


def test_intervals_hold_what_they_should():
    sys.path.insert(0, str(BENCH))
    try:
        import stats
    finally:
        sys.path.pop(0)
    rounds = [[float(i % 7 + 1) for i in range(50)] for _ in range(10)]
    low, high = stats.bootstrap(rounds)[0]
    assert low <= stats.median(rounds) == 4.0 <= high
    twice = [[2 * value for value in one] for one in rounds]
    assert stats.bootstrap(twice, rounds)[2][0] <= 2.0 <= stats.bootstrap(twice, rounds)[2][1]


def test_the_page_has_plots_with_axes(tmp_path):
    sys.path.insert(0, str(BENCH))
    try:
        import measures
        import page
    finally:
        sys.path.pop(0)
    chosen = [measures.Measure("rollback-%d" % mb, "roll-back at %d MB" % mb, None, {}, curve=("rollback", mb, "MB"))
              for mb in (90, 300)]
    samples = {m.name: {"ours " + m.name: [[1.0, 2.0] * 10], "fork": [[0.5, 0.7] * 10]} for m in chosen}
    full = dict(row("rollback-90", 1.5), ours_p95=2.0, ours_p99=2.0, met=True, floor="fork")
    text = page.render([full], samples, [("Pyodide", "not installed")], ["drift"], chosen)
    assert text.count("<svg") == 5  # two of bars, two distributions, one curve
    assert "share of samples" in text and "MB" in text and "not installed" in text
    assert "<script" not in text and "src=" not in text and "href=" not in text
