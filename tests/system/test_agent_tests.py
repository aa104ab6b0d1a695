"""The user's own tests as a goal: pytest with all that it offers, plain functions, or a command."""
import pathlib
import shutil
import subprocess

import pytest
from agents import run_agent
from fake_model import FakeModel

HERE = pathlib.Path(__file__).resolve().parent / "pytests"
SORTED = (HERE / "quicksort/solution.py").read_text().replace("x > pivot", "x >= pivot")


@pytest.fixture(scope="module")
def retort(light):
    return light


def writes(text, name="solution.py"):
    return {"text": f"```python\nopen({name!r}, 'w').write({text!r})\n```"}


GIVE_UP = {"text": "I cannot do it."}


def solve(retort, script, *arguments):
    with FakeModel(script) as model:
        done = run_agent(retort, "Make the tests pass.", "--base-url", model.url, "--model", "m", "--no-record", *arguments)
    done.requests = model.requests
    return done


def put_tests(directory, **files):
    for name, text in files.items():
        (directory / f"{name}.py").write_text(text)
    return directory


def seen(done):
    return [event["text"] for event in done.of("observation")]


# ---- pytest ----------------------------------------------------------------------------------------------------


def test_parametrized_tests_with_a_helper_module_and_data(retort):
    look = {"text": "```python\nprint(open('solution.py').read())\n```"}
    done = solve(retort, [look, writes(SORTED)], "--tests", HERE / "quicksort")
    assert (done.code, done.answer) == (0, "All tests pass; the solution is in solution.py."), done.text
    assert "Tests: 4 of 6 pass.\nAll tests that were shown pass, but 2 that were not shown fail" in seen(done)[0]
    assert "Tests: 6 of 6 pass." in seen(done)[1]
    told = str(done.requests[0]["body"]["messages"])
    assert "There are 6 tests" in told and "assert quicksort(*input_data) == expected" in told
    assert "input_data=[[1, 2, 6, 72, 7, 33, 4]]" in told and "[3, 1, 4, 1, 5" not in told


def test_a_failure_is_told_with_its_case(retort):
    done = solve(retort, [writes("def quicksort(arr):\n    return arr"), GIVE_UP], "--tests", HERE / "quicksort", "--max-steps", "2")
    assert "First failure: test_quicksort.py::test_quicksort[input_data0-expected0]: input_data=[[1, 2, 6" in seen(done)[0]
    assert "test_quicksort.py:10: " in seen(done)[0] and "At index 2 diff: 6 != 4" in seen(done)[0]
    assert done.code == 3


def test_fixtures_classes_conftest_and_objects_of_the_tests_own(retort):
    """And there is no solution at first: what the model has to write is not missed."""
    done = solve(retort, [writes((HERE / "shapes_solved.py").read_text())], "--tests", HERE / "shapes")
    assert (done.code, done.steps) == (0, 1), done.text
    assert "Tests: 5 of 5 pass." in seen(done)[0]


def test_files_instead_of_a_directory(retort, tmp_path):
    put_tests(tmp_path, test_one="import pytest, helper\nfrom solution import one\n"
             "@pytest.mark.parametrize('n', [1, 2])\ndef test_one(n):\n    assert one(n) == helper.ONE\n",
             helper="ONE = 1\n", test_other="def test_never():\n    assert False\n")
    files = ["--tests", tmp_path / "test_one.py", "--tests", tmp_path / "helper.py"]
    assert solve(retort, [writes("def one(n): return 1")], *files).code == 0


@pytest.mark.parametrize("code", [
    "import os; os._exit(0)", "raise SystemExit(0)", "import builtins\nbuiltins.final_answer({'results': [['f', 'n', True, '']] * 6})",
    "import pytest\ndef quicksort(arr): pytest.skip('never mind')", "def quicksort(", "quicksort = None"])
@pytest.mark.few(1)
def test_what_is_no_solution_does_not_pass(retort, code):
    done = solve(retort, [writes(code), GIVE_UP], "--tests", HERE / "quicksort", "--max-steps", "2")
    assert (done.code, done.checks("tests")[-1]) == (3, "fail"), done.text


# ---- what is wrong with the tests ------------------------------------------------------------------------------


@pytest.mark.parametrize("files, told", [
    ({"test_a": "def test_a(:\n    pass\n"}, "test_a.py, line 1: "),
    ({"test_a": "import pytest, load_testdata\ndef test_a(): pass\n"}, "No module named 'load_testdata' (give that file"),
    ({"test_a": "import load_testdata\ndef test_a(): pass\n"}, "No module named 'load_testdata' (give that file"),
    ({"test_a": "import pytest\ndef test_a(): pass\nboom\n"}, "test_a.py: NameError: name 'boom' is not defined"),
    ({"test_a": "def test_a(): pass\nboom\n"}, "test_a.py: NameError: name 'boom' is not defined"),
    ({"test_a": "def test_a(x): pass\n", "conftest": "import nowhere\n"}, "nowhere"),
    ({"test_a": "x = 1\n"}, "there are no tests to run"),
    ({"helper": "x = 1\n"}, "there is no test_*.py or *_test.py"),
])
@pytest.mark.few(2)
def test_it_is_an_input_error_before_the_model_is_asked(retort, tmp_path, files, told):
    done = solve(retort, [GIVE_UP], "--tests", put_tests(tmp_path, **files))
    assert (done.code, done.stop, done.requests) == (125, "input", [])
    assert told in done.of("stop")[-1]["message"]


def test_tests_that_are_not_there(retort, tmp_path):
    done = solve(retort, [GIVE_UP], "--tests", tmp_path / "nowhere")
    assert (done.code, done.requests) == (125, [])
    assert f"--tests {tmp_path}/nowhere: No such file" in done.of("stop")[-1]["message"]


def test_a_solution_that_is_used_while_tests_are_collected(retort, tmp_path):
    """What it is worth shows when there is one."""
    put_tests(tmp_path, test_a="import pytest, solution\nLARGEST = max(solution.table()) + 1\n"
             "@pytest.mark.parametrize('n', solution.table())\ndef test_a(n):\n    assert n < LARGEST\n")
    done = solve(retort, [writes("def table(): return [1, 2]")], "--tests", tmp_path)
    assert (done.code, "Tests: 2 of 2 pass." in seen(done)[0]) == (0, True), done.text


def test_a_python_without_pytest(retort, tmp_path):
    """Its remedy is told; plain tests do without."""
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    (tmp_path / "venv").chmod(0o755)
    python = ["--python", tmp_path / "venv/bin/python3"]
    done = solve(retort, [GIVE_UP], "--tests", HERE / "quicksort", *python)
    assert (done.code, done.requests) == (125, [])
    assert "apt-get install python3-pytest" in done.of("stop")[-1]["message"]
    plain = put_tests(tmp_path, test_a="from solution import one\ndef test_a():\n    assert one() == 1\n")
    shutil.rmtree(tmp_path / "venv/lib64", ignore_errors=True)
    done = solve(retort, [writes("def one(): return 1")], "--tests", plain / "test_a.py", *python)
    assert done.code == 0, done.text


# ---- a command -------------------------------------------------------------------------------------------------


def test_a_command_over_a_copy_of_the_files(retort, tmp_path):
    given = tmp_path / "greet.py"
    given.write_text("print('hello')\n")
    command = ["--file", given, "--test-command", "test \"$(python3 greet.py)\" = goodbye && touch ran"]
    done = solve(retort, [writes("print('Hello')", "greet.py"), writes("print('goodbye')", "greet.py")], *command)
    assert (done.code, done.answer, done.steps) == (0, "The test command succeeds.", 2), done.text
    assert "ended with status 1" in seen(done)[0] and "ended with status 0" in seen(done)[1]
    assert [file["path"] for file in done.of("final")[-1]["artifacts"]] == []  # `ran` is in the copy


@pytest.mark.few
def test_a_command_runs_the_users_tests_whatever_the_model_made_of_them(retort):
    cheat = {"text": "```python\nopen('test_quicksort.py', 'w').write('def test_a(): pass')\n```"}
    done = solve(retort, [cheat, writes(SORTED)], "--tests", HERE / "quicksort",
                 "--test-command", "/usr/bin/python3 -m pytest -q")
    assert (done.code, done.steps) == (0, 2), done.text
    assert "2 failed, 4 passed" in seen(done)[0]


def test_a_command_that_is_not_there(retort):
    done = solve(retort, [GIVE_UP], "--test-command", "no-such-program --all")
    assert (done.code, done.requests) == (125, [])
    assert "no-such-program: command not found" in done.of("stop")[-1]["message"]
