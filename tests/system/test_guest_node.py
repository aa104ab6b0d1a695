"""The JavaScript guest, driven frame by frame outside any sandbox."""
import shutil

import pytest
from guest import ERROR, EXIT, OK, RUN_JS, SCRIPT, Guest

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


@pytest.fixture
def run(tmp_path):
    """run(code): the result, with everything that node wrote until it ended, and its exit code."""

    def run(code, filename=None):
        guest = Guest([NODE, str(RUN_JS)], tmp_path).hello(COLOUR="red")
        result = guest.run(code, SCRIPT, filename)
        while guest.pipes:  # node prints an uncaught exception after its 'exit' event
            for fd in list(guest.pipes):
                guest.drain(fd)
        result.out, result.err = guest.out.decode(), guest.err.decode()
        result.status = guest.close()
        return result

    return run


def test_output_and_main_module(run, tmp_path):
    (tmp_path / "beside.js").write_text("exports.answer = 42")
    result = run("console.log(require('./beside').answer, __dirname, require.main === module, "
                 "process.env.COLOUR)")
    assert (result.kind, result.out, result.err, result.status) == (
        OK, "42 %s true red\n" % tmp_path, "", 0)


@pytest.mark.parametrize(
    "code, status", [("process.exit(7)", 7), ("process.exit(0)", 0), ("process.exitCode = 3", 3)])
def test_exit(run, code, status):
    result = run("console.log('x'.repeat(100000))\n" + code)
    assert (result.kind, result.exit_code, result.status) == (EXIT, status, status)
    assert len(result.out) == 100001


def test_late_work_is_waited_for(run):
    assert run("setTimeout(() => console.log('late'), 50)").out == "late\n"


@pytest.mark.parametrize(
    "code, name, line",
    [
        ("let a = 1;\nfunction f() { throw new TypeError('bad') }\nf()", "TypeError", 2),
        ("\nPromise.reject(new RangeError('bad'))", "RangeError", 2),
        ("let a = 1;\nlet b = = 2", "SyntaxError", 2),
    ],
)
def test_uncaught(run, code, name, line):
    result = run(code)
    assert (result.kind, result.error_name, result.error_line, result.status) == (
        ERROR, name, line, 1)
    assert ">    %d |" % line in result.error_source and "run.js" not in result.error_traceback
    assert "[cell].js" in result.err


STRANGE = [
    "5",
    "null",
    "undefined",
    "Object.create(null)",
    "Object.assign(new Error, {get stack() { throw 1 }})",
    "new (class extends Error { get message() { throw 1 } })",
]


@pytest.mark.parametrize("code", STRANGE)
def test_strange_things_thrown(run, code):
    result = run("throw " + code)
    assert (result.kind, result.status) == (ERROR, 1) and result.error_name


def test_handlers_of_the_cell_still_rule(run):
    result = run("process.on('uncaughtException', () => console.log('caught'));\n"
                 "throw new Error('x')")
    assert (result.kind, result.out, result.status) == (OK, "caught\n", 0)


def test_file_name(run, tmp_path):
    assert run("console.log(__filename)", "job.js").out == "%s\n" % (tmp_path / "job.js")
