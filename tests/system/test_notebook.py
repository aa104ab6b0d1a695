"""What code written for notebooks takes for granted: magics, shell lines, questions, IPython.display."""
import os

import pytest

from guest import BOOT, OK, QUIET, SCRIPT, Guest
from rpc import Server

PYTHON = os.environ.get("RETORT_TEST_PYTHON", "/usr/bin/python3")
ALONE = "import sys\nsys.path[:] = [p for p in sys.path if 'packages' not in p]\n"  # no IPython but ours


@pytest.fixture
def new(tmp_path):
    guests = []

    def make():
        guests.append(Guest([PYTHON, "-S", str(BOOT)], tmp_path))
        return guests[-1].hello()

    yield make
    for guest in guests:
        guest.channel.close()
        guest.process.wait(10)


@pytest.fixture
def guest(new):
    return new()


def test_display_objects(guest):
    result = guest.run(ALONE + "from IPython.display import display, HTML, Markdown, Latex, Math, JSON, SVG, Code, clear_output\n"
                       "display(HTML('<b>1</b>'), Markdown('# m'), JSON({'a': 1}), SVG('<svg/>'), Math('x'), Code('c', language='c'))\n"
                       "clear_output(wait=True)\nHTML('<i>')")
    assert (result.kind, result.out, result.err) == (OK, "", "")
    html, markdown, json, svg, math, code = [d.mime for d in result.displays]
    assert html == {"text/plain": "<b>1</b>", "text/html": "<b>1</b>"}  # who cannot show it sees the text
    assert markdown == {"text/plain": "# m", "text/markdown": "# m"}
    assert json["application/json"] == '{"a": 1}' and svg["image/svg+xml"] == b"<svg/>"
    assert math["text/latex"] == "$\\displaystyle x$" and code["text/plain"] == "c"
    assert result.mime["text/html"] == "<i>"


def test_images(guest, tmp_path):
    (tmp_path / "a.png").write_bytes(b"\x89PNG1")
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd82")
    result = guest.run(ALONE + "from IPython.display import *\ndisplay(Image('a.png'), Image(filename='b.jpg', width=9), Image(b'\\x89PNG3'))\n"
                       "display(Audio([0, 1, -1], rate=8000))\nImage(url='http://nowhere/x.png')")
    assert [d.mime[m] for d, m in zip(result.displays, ("image/png", "image/jpeg", "image/png"))] == [b"\x89PNG1", b"\xff\xd82", b"\x89PNG3"]
    assert result.displays[3].all("mime") == ["text/plain", "audio/wav"] and result.displays[3].all("data")[1].startswith(b"RIFF")
    assert result.kind == OK and list(result.mime) == ["text/plain"]
    assert guest.run("Image('none.png')").error_name == "FileNotFoundError"


def test_ids_and_old_places(guest):
    result = guest.run(ALONE + "from IPython.core.display import display, HTML\nfrom IPython.display import update_display, display_html\n"
                       "import IPython\nh = display('a', display_id=True)\nupdate_display('b', display_id=h.display_id)\n"
                       "display_html('<p>', raw=True)\nIPython.display.display(1)")
    first, second, third, last = result.displays
    assert first.id == second.id and third.mime["text/html"] == "<p>" and last.plain == "1"


def test_an_installed_ipython_is_preferred(guest, tmp_path):
    (tmp_path / "IPython").mkdir()
    (tmp_path / "IPython/__init__.py").write_text("real = 1\n")
    (tmp_path / "IPython/display.py").write_text("HTML = 'theirs'\n")
    assert guest.run("from IPython.display import HTML\nHTML").plain == "'theirs'"


def test_libraries_do_not_take_it_for_ipython(guest, tmp_path):
    (tmp_path / "library.py").write_text("def plain():\n    try:\n        get_ipython\n    except NameError:\n        return True\n"
                                         "def shell():\n    import IPython\n    return IPython.get_ipython()\n")
    assert guest.run(ALONE + "import library\nlibrary.plain(), library.shell()").plain == "(True, None)"
    assert guest.run("from IPython import get_ipython as g\ng() is get_ipython()").plain == "True"
    assert guest.run("get_ipython().run_line_magic('matplotlib', 'inline')").kind == OK
    assert guest.run("get_ipython().system('echo s')").out == "s\n"


def test_shell_lines(guest):
    result = guest.run("n = 2\nword = 'w'\nprint('before')\n!echo {n + 1} $word $NOTHING_OF_MINE \"it's\" $((1 + 1)) {nothing}\nprint('after')")
    assert (result.kind, result.out) == (OK, "before\n3 w it's 2 {nothing}\nafter\n")
    assert guest.run("a = !printf 'x\\ny\\n'\na, a.n, a.s").plain == "(['x', 'y'], 'x\\ny', 'x y')"
    assert guest.run("!!echo 1; echo 2").plain == "['1', '2']"
    assert guest.run("if n:\n    !echo inside\nelse:\n    !echo outside").out == "inside\n"
    assert guest.run("!echo one \\\n  two\nprint(n)").out == "one two\n2\n"
    assert guest.run("def f(local):\n    !echo {local}\nf(7)").out == "7\n"
    assert "nosuch" in guest.run("!nosuch_command").err


@pytest.mark.parametrize("code, out", [
    ("print('''\n!ls\n%time x\n''')\n!true", "\n!ls\n%time x\n\n"),
    ("s = \"\"\"it's\n%cd /\n\"\"\"\nprint(s)\n!true", "it's\n%cd /\n\n"),
    ("x = (7\n%4)\nprint(x)\n!true", "3\n"),
    ("x = 7 \\\n%4\nprint(x)\n!true", "3\n"),
    ("print('a#(')  # an open ( in a comment\n!echo b", "a#(\nb\n"),
    ("print(f'{1}', \"don't\")\n!echo 'c'", "1 don't\nc\n"),
    ("a = 5\nprint(a != 4)\n!echo d", "True\nd\n"),
])
def test_strings_and_brackets_are_not_harmed(guest, code, out):
    result = guest.run(code)
    assert (result.kind, result.out, result.err) == (OK, out, "")


def test_valid_python_is_never_changed(guest):
    assert guest.run("time, x = 3, 10\n(x\n%time)").plain == "1"
    assert guest.run("'''\n%%bash\n!ls\n'''").plain == "'\\n%%bash\\n!ls\\n'"
    assert guest.run("import sys\n'retort_guest.magics' in sys.modules or 'retort_guest.notebook' in sys.modules").plain == "False"


def test_lines_of_errors_are_those_of_the_cell(guest):
    result = guest.run("!true \\\n  more\n%cd /\nd = {'alpha': 1}\nd['alhpa']")
    assert (result.error_name, result.error_line) == ("KeyError", 5) and "'alpha'" in result.error_hint
    assert 'line 5, in <module>\n    d[\'alhpa\']' in result.error_traceback
    result = guest.run("x = 0\n%time 1 / x")
    assert (result.error_name, result.error_line) == ("ZeroDivisionError", 2) and "> " in result.error_source
    assert "%time 1 / x\n          ^^^^^" in result.error_traceback and "magics" not in result.error_traceback
    assert result.error_traceback.count("%time 1 / x") == 1
    result = guest.run("\n%%time\ny = 1\n1 / 0")
    assert (result.error_line, result.out.split(":")[0]) == (4, "CPU times")
    result = guest.run("!true\nx = = 1")
    assert (result.error_name, result.error_line) == ("SyntaxError", 2) and "x = = 1" in result.error_traceback
    assert guest.run("x = = 1\ny = 2").error_name == "SyntaxError"


def test_time(guest):
    result = guest.run("%time y = sum(range(10))\ny")
    assert result.plain == "45" and "Wall time: " in result.out
    assert guest.run("%time y").plain == "45"
    result = guest.run("%%time\nz = y + 1\n!echo in\nz")
    assert result.plain == "46" and result.out.startswith("in\nCPU times: ")
    result = guest.run("%timeit -n 3 -r 2 y + 1")
    assert "per loop (mean ± std. dev. of 2 runs, 3 loops each)" in result.out
    assert guest.run("t = %timeit -n 3 -r 2 -q -o y\nt.loops, t.repeat").plain == "(3, 2)"
    assert "1 loop each" in guest.run("%%timeit -n 1 -r 1 q = 5\nq + 1\ny + 1").out
    assert guest.run("%%time\nimport asyncio\nawait asyncio.sleep(0, 'woken')").plain == "'woken'"


def test_files_names_and_environment(guest, tmp_path):
    (tmp_path / "sub").mkdir()
    assert guest.run("d = 'sub'\n%cd {d}").out == "%s/sub\n" % tmp_path
    assert guest.run("%pwd").plain == repr("%s/sub" % tmp_path)
    assert guest.run("%%writefile a.py\nimport sys\nv = len(sys.argv)\nprint(__name__)").out == "Writing a.py\n"
    assert guest.run("%%writefile -a a.py\nw = 2").out == "Appending to a.py\n"
    assert guest.run("%run a.py 1 2\nv, w").plain == "(3, 2)"
    assert guest.run("%ls").out == "a.py\n"
    assert guest.run("%cat a.py").out.endswith("print(__name__)\nw = 2\n")
    assert guest.run("%env MINE=5").out == "env: MINE=5\n"
    assert guest.run("%env MINE").plain == "'5'" and guest.run("!echo $MINE").out == "5\n"
    assert guest.run("%who").out == "d\tsys\tv\tw\n"
    assert "v          int      3" in guest.run("%whos").out
    assert guest.run("%reset -f\n'v' in globals()").plain == "False"


def test_cells_of_other_kinds(guest):
    assert guest.run("%%bash -s one\nx=3\necho $x $1 {x}").out == "3 one {x}\n"
    result = guest.run("%%bash\necho a\nexit 3")
    assert (result.out, result.error_name) == ("a\n", "CalledProcessError") and "3" in result.error_message
    assert guest.run("# a word\n\n%%sh\necho b").out == "b\n"
    assert guest.run("%%python3\nprint(1)").out == "1\n"
    assert guest.run("%%html\n<b>").displays[0].mime == {"text/html": "<b>"}
    result = guest.run("%%capture got\nprint('p')\n!echo e\ndisplay(1)")
    assert (result.out, result.displays) == ("", []) and guest.run("got.stdout").plain == "'p\\ne\\n'"
    assert guest.run("print(1)\n%%bash\nls").error_hint == "%%bash must stand in the first line of its cell"


def test_what_means_nothing_here_does_no_harm(guest):
    for line in ("%matplotlib inline", "%matplotlib notebook"):
        result = guest.run(line + "\n1")
        assert (result.kind, result.plain, result.err) == (OK, "1", "")
    for line in ("%load_ext autoreload", "%autoreload 2", "%config InlineBackend.figure_format = 'retina'"):
        result = guest.run(line + "\n1")
        assert (result.kind, result.plain) == (OK, "1") and line in result.err and "ignored" in result.err


@pytest.mark.parametrize("line", ["%pip install -q nothing-of-this-name>=2", "!pip install -q nothing-of-this-name==1",
                                  "!python3 -m pip install nothing-of-this-name", "%conda install nothing-of-this-name"])
def test_nothing_is_installed(guest, line):
    result = guest.run(line + "\n2")
    assert (result.kind, result.plain) == (OK, "2")
    assert "there is no network. Missing: nothing-of-this-name." in result.err and "retort env create" in result.err


def test_what_is_there_need_not_be_installed(guest):
    assert guest.run("!pip install json").err == "pip: already installed: json\n"
    assert guest.run("%pip list").kind == OK


def test_questions(guest):
    guest.run('def area(r, pi=3):\n    "Of a circle."\n    return pi * r * r')
    for code in ("area?", "?area", "area ?"):
        assert "Signature: area(r, pi=3)\nDocstring: Of a circle." in guest.run(code).out
    assert "return pi * r * r" in guest.run("area??").out
    assert "Type:      int\nValue:     5" in guest.run("n = 5\nn?").out
    assert guest.run("nothing.there?").out == "Object `nothing.there` not found.\n"
    assert "how long" in guest.run("%time?").out


def test_unknown_magics_name_those_that_are_there(guest):
    result = guest.run("%tiem 1")
    assert (result.error_name, result.error_message) == ("UsageError", "there is no magic %tiem")
    assert "did you mean %time" in result.error_hint and "%timeit" in result.error_hint and "%whos" in result.error_hint
    assert "%%bash must stand in the first line of a cell" in guest.run("%bash").error_hint
    assert "%%writefile" in guest.run("%%nothing\nx").error_hint
    assert "%%capture" in guest.run("%lsmagic").out


def test_own_magics(guest):
    guest.run(ALONE + "from IPython.core.magic import register_line_magic, register_cell_magic\n"
              "@register_line_magic\ndef twice(line): return line * 2\n@register_cell_magic\ndef count(line, body): return len(body)")
    assert guest.run("%twice ab").plain == "'abab'" and guest.run("%%count\n123").plain == "3"


@pytest.mark.parametrize("flags", [SCRIPT, SCRIPT | QUIET, QUIET])
def test_scripts_and_replays(new, flags):
    result = new().run("%matplotlib inline\nx = !echo 1\nprint(x)\n!echo 2", flags)
    assert (result.kind, result.out) == (OK, "['1']\n2\n")


def test_in_a_sealed_session(light_caller):
    done = light_caller.run("run", "-c", "%matplotlib inline\nfrom IPython.display import HTML\n!echo $((6 * 7)); pwd\n%who")
    assert (done.stdout, done.returncode) == (b"42\n/work\nHTML\n", 0)
    server = Server(light_caller)
    session = server.session()
    session.run("%%writefile a.sh\necho $((1 + 1))")
    assert session.run("x = !sh a.sh\nx")["value"]["text/plain"] == "['2']"
    error = session.run("%cd nowhere")["error"]
    assert (error["name"], error["line"]) == ("FileNotFoundError", 1)
    server.close()
