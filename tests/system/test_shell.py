"""retort shell, on a terminal and without one."""
import dataclasses
import json
import os
import re
import stat
import time

import pexpect
import pytest
from terminals import PATIENCE, Terminal

pytestmark = pytest.mark.by_turns



@pytest.fixture(scope="module")
def caller(light_caller):
    return light_caller


@pytest.fixture(scope="module")
def retort(light):
    return light


class Shell(Terminal):
    """`say` types lines and gives what was printed until the next prompt."""

    def __init__(self, caller, *options, **env):
        super().__init__(caller, "shell", *options, **env)
        self.prompt()

    def prompt(self):
        return self.until(r"\[(\d+)\](\x1b\[0m)? ")

    @property
    def cell(self):
        return int(self.child.match.group(1))

    def say(self, *lines):
        for line in lines[:-1]:
            self.child.sendline(line)
            self.until(re.escape("... "))
        self.child.sendline(lines[-1])
        return self.prompt()


@pytest.fixture
def terminal(caller):
    """terminal(*options, **env): shells that are ended after the test."""
    started = []

    def start(*options, **env):
        started.append(Shell(caller, *options, **env))
        return started[-1]

    yield start
    for one in started:
        one.child.close(force=True)


def piped(caller, *lines, options=(), **env):
    done = caller.run("shell", *options, input="\n".join([*lines, ""]).encode(), env=env)
    return done.stdout.decode(), done.stderr.decode(), done.returncode


# ---- on a terminal ---------------------------------------------------------------------------------------------


def test_values_blocks_and_numbers(terminal):
    shell = terminal()
    assert shell.cell == 1
    shell.say("x = 20")
    assert shell.cell == 2
    assert "22" in shell.say("x + 2").splitlines()
    shell.say("def double(n):", "    return 2 * n", "")
    assert "40" in shell.say("double(x)").splitlines()
    assert "6" in shell.say("sum([1,", "2, 3])").splitlines()
    assert "9" in shell.say("4 + \\", "5").splitlines()
    assert "'a\\nb'" in shell.say('"""a', 'b"""').splitlines()
    assert shell.cell == 8
    assert shell.end() == 0


@pytest.mark.few
def test_a_cell_in_another_language_ends_with_an_empty_line(terminal, caller):
    shell = terminal()
    shell.say("%%sql", "CREATE TABLE sales (amount);", "INSERT INTO sales VALUES (6 * 7);", "SELECT * FROM sales", "")
    assert "42" in shell.say("int(_sql.amount[0])").splitlines()
    shell.child.sendline("%%sql")
    shell.until(re.escape("... "))
    shell.child.send("SELECT amo\t FROM sal\t;\r\r")
    assert "[1 row: amount INTEGER]" in shell.prompt()
    assert shell.end() == 0
    out, _, status = piped(caller, "%%sql", "SELECT 1 AS a;", "SELECT 2 AS b", "", "int(_sql.b[0]) * 4", "%%sql", "SELECT 3 AS c")
    assert status == 0 and [word for word in out.split() if word.isdigit()] == ["1", "2", "8", "3"]


def test_interrupt_keeps_the_session(terminal):
    shell = terminal()
    shell.say("kept = 'still here'")
    shell.child.sendline("import time; print('be' + 'gun', flush=True); time.sleep(1000)")
    shell.until("begun")
    shell.child.sendintr()
    assert "KeyboardInterrupt" in shell.prompt()
    assert "still here" in shell.say("kept")
    shell.child.send("thrown away")
    shell.until("away")
    shell.child.sendintr()
    shell.prompt()
    assert "still here" in shell.say("kept")


def test_control_c_throws_a_half_typed_block_away(terminal):
    shell = terminal()
    shell.child.sendline("def broken(:")
    shell.until(re.escape("... "))
    shell.child.sendintr()
    shell.prompt()
    assert shell.cell == 1
    assert "SyntaxError" not in shell.say("1")


def test_completion(terminal):
    shell = terminal()
    shell.say("import string; a_long_name = 5")
    shell.child.send("a_lon\t")
    shell.until("ame")
    assert "10" in shell.say(" * 2").splitlines()
    shell.child.send("string.ascii_\t\t")
    shell.until("ascii_uppercase")
    shell.child.sendcontrol("u")
    shell.child.sendline("if True:")
    shell.until(re.escape("... "))
    shell.child.send("\tprint(a_long_na\t + 1)\r\r")
    assert "6" in shell.prompt().splitlines()


def test_a_resized_window_does_not_disturb_a_completion(terminal):
    shell = terminal()
    shell.say("import time")
    shell.say("class Slow:", "    def __dir__(self):", "        time.sleep(1)", "        return ['answer_of_slow']", "")
    shell.say("slow = Slow()")
    shell.child.send("slow.ans\t")
    for columns in (100, 101, 102, 103):
        time.sleep(0.2)
        shell.child.setwinsize(50, columns)
    shell.until("wer_of_slow")  # the rest of the name, or the whole line if it is drawn again
    shell.child.sendcontrol("c")
    shell.prompt()
    assert "rebuilt" not in shell.say("1") and "rebuilt" not in shell.raw


def test_history_is_kept_and_private(terminal, caller, tmp_path):
    shell = terminal()
    shell.say("6 * 111")
    assert shell.end() == 0
    path = caller.home / ".local/state/retort/shell_history"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = terminal()
    again.child.send("\x1b[A\r")
    again.until(r"\n666\r\n")


def test_colours_only_where_they_are_wanted(terminal):
    colourful = terminal()
    assert "ZeroDivisionError: division by zero" in colourful.say("1/0")
    assert "\x1b[1;31mZeroDivisionError" in colourful.raw
    plain = terminal(NO_COLOR="1")
    assert "ZeroDivisionError: division by zero" in plain.say("1/0")
    plain.say(r"print('\033[31m' + 're' + 'd')")
    assert "\x1b[31m" not in plain.raw and "\x1b[1;31m" not in plain.raw and "red" in plain.raw


def test_a_terminal_obeys_no_guest(terminal):
    shell = terminal()
    shell.say(r"print('\033]0;tit' 'le\007\033[2Jcle' 'ar\x9b6nback\x08\033[32mgr' 'een\033[0m')")
    assert "\x1b]0" not in shell.raw and "\x07" not in shell.raw and "\x1b[2J" not in shell.raw
    assert "\x9b" not in shell.raw and "\x1b[32mgreen" in shell.raw
    shell.say(r"import sys; sys.stdout.write('\033'); sys.stdout.flush(); print(']0;again\007')")
    assert "\x1b]0" not in shell.raw and "]0;again" in shell.raw
    shell.say(r"type('X', (), {'__repr__': lambda s: '\033[6nreport'})()")
    assert "\x1b[6n" not in shell.raw and "report" in shell.raw
    shell.say(r"raise ValueError('\033[6nworse')")
    assert "\x1b[6n" not in shell.raw


def test_typed_lines_are_answered_also_when_the_output_is_no_terminal(caller):
    command = " ".join(str(word) for word in caller.command(caller.retort, "shell"))
    child = pexpect.spawn("/bin/sh", ["-c", f"{command} | cat"], env=caller.environment(TERM="xterm"),
                          cwd=str(caller.home), encoding="utf-8", timeout=PATIENCE, echo=False)
    child.sendline("6 * 7")
    child.expect("42\r\n")
    assert child.before == ""
    child.sendline("if True:\n    print('block')\n")
    child.expect("block")
    child.sendeof()
    child.expect(pexpect.EOF)


def test_signals_are_not_the_end_when_the_output_is_no_terminal(caller):
    """A resized window disturbs nothing; Ctrl-C throws the cell away that is being typed."""
    command = " ".join(str(word) for word in caller.command(caller.retort, "shell"))
    child = pexpect.spawn("/bin/sh", ["-c", f"trap '' INT; {command} | cat"], env=caller.environment(TERM="xterm"),
                          cwd=str(caller.home), encoding="utf-8", timeout=PATIENCE, echo=False)
    child.sendline("print('be' + 'gun')")
    child.expect("begun")
    child.setwinsize(40, 100)
    for i in range(5):  # a line that was announced and is thrown away before it is read
        child.sendline("if True:")
        child.sendline("    print('not' + ' this')")
        child.sendintr()
        time.sleep(1)  # nobody types faster; a read that waits would still take the next line for one before
        child.sendline(f"print('still ' + 'here {i}')")
        child.expect(f"still here {i}")
        assert "not this" not in child.before
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_long_cells_tell_their_time(terminal):
    shell = terminal()
    assert re.search(r"\d+\.\d s$", shell.say("import time; time.sleep(1.1)"), re.MULTILINE)
    assert not re.search(r"\d+\.\d s$", shell.say("1"), re.MULTILINE)


# ---- without one -----------------------------------------------------------------------------------------------


def test_piped_statements(caller):
    out, err, status = piped(caller, "x = 1", "def f(n):", "    if n:", "", "        return 'yes'", "    return 'no'",
                             "print(f(x))", "if x > 1:", "    print('more')", "else:", "    print('one')", "x +\\", "1",
                             "@staticmethod", "def g(): pass", "try: 1/0", "except ZeroDivisionError: print('caught')",
                             "# a comment", "(", "3)")
    assert (out, err, status) == ("yes\none\n2\ncaught\n3\n", "", 0)


def test_errors_and_hints(caller):
    out, err, status = piped(caller, "total = 5", "totl", "print('goes on')")
    assert out == "goes on\n" and status == 0
    assert "NameError" in err and "total" in err.split("NameError")[1]


def test_undo_takes_memory_and_files_back(retort):
    out, err, _ = piped(retort, "open('kept', 'w').write('k') and None", "x = [1]",
                        "x.append(2); open('made', 'w').close()", "import os; os.remove('kept')", ":undo 2",
                        "x, os.listdir() if 'os' in globals() else 'no os'",
                        "import os; sorted(os.listdir())", ":undo 99", ":undo x")
    assert out.splitlines() == ["([1], 'no os')", "['kept']"]
    assert "2 cells undone" in err and "can be taken back" in err and "takes a number" in err


def test_a_dead_cell_is_rolled_back_and_said_to_be(retort):
    out, err, _ = piped(retort, "x = 1", "x = 2; import os; os._exit(7)", "x",
                        "x = 3; import ctypes; ctypes.string_at(0)", "x")
    assert out.splitlines() == ["1", "1"]
    assert err.count("rolled back") == 2 and "exit status 7" in err and "signal 11" in err


def test_branches(retort):
    out, err, _ = piped(retort, "x = [1]; open('f', 'w').write('one') and None", ":branch 2", ":switch 1",
                        "x.append(2); open('f', 'w').write('two') and None", "x, open('f').read()", ":switch 0",
                        "x, open('f').read()", ":switch 2", "x", ":switch 9", ":branch 99")
    values = [line for line in out.splitlines() if line.startswith(("(", "["))]
    assert values == ["([1, 2], 'two')", "([1], 'one')", "[1]"]
    assert re.search(r"\* 2  s_\w+\n", out) and "no such session" in err and "13 at most" in err


def test_branches_side_by_side(retort):
    out, err, _ = piped(retort, ":compare", ":keep", "x = [1]; same = 7", ":branch 2", ":switch 1",
                        "x.append(2); open('only.txt', 'w').write('two'); x", ":switch 2", "1/0", ":compare", ":switch 1",
                        ":keep", ":switch", "x")
    assert "one session only" in err and "no other branch" in err and "1 other branch ended" in err
    assert "variable x\n  0  list  [1]\n  1  list  [1, 2]\n  2  list  [1]\n" in out
    assert re.search(r"file only.txt\n  0  none\n  1  3 bytes, sha256 [0-9a-f]{12}\n  2  none\n", out)
    assert "last result\n  0  cell 1 ok\n  1  cell 2 ok, value [1, 2]\n  2  cell 2 error, error division by zero\n" in out
    assert "the same in all: files 0, variables 1" in out
    assert re.search(r"  0  s_\w+\n\* 1  s_\w+\n\[1, 2\]\n$", out)


def test_files_in_and_out(retort, tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("from outside")
    folder = tmp_path / "out"
    out, err, _ = piped(retort, f":put {source}:renamed.txt", "text = open('renamed.txt').read(); text",
                        "import os; os.mkdir('d'); open('d/new.txt', 'w').write('from inside')", ":files",
                        ":get d/new.txt", ":get nothing", ":get ../in.txt", ":get /etc/hostname", ":put /nowhere",
                        ":get", options=["--out", folder])
    assert "'from outside'" in out and re.search(r"12  renamed.txt\n", out) and re.search(r"11  d/new.txt\n", out)
    assert (folder / "d/new.txt").read_text() == "from inside"
    assert [path.name for path in folder.iterdir()] == ["d"]
    assert "nothing" in err and ":put /nowhere: No such file" in err


@pytest.mark.few
def test_plots_are_saved_and_named(retort, tmp_path):
    (tmp_path / "plot1.png").write_text("somebody's own")
    _, err, _ = piped(retort, "import matplotlib.pyplot as plt", "plt.plot([1, 2]); plt.show()",
                      "plt.bar([1], [2]); plt.savefig('bar.png')", options=["--out", tmp_path])
    assert re.findall(r"saved (\S+)", err) == [str(tmp_path / "plot2.png"), str(tmp_path / "plot3.png")]
    assert (tmp_path / "plot1.png").read_text() == "somebody's own"
    assert all((tmp_path / f"plot{n}.png").read_bytes().startswith(b"\x89PNG") for n in (2, 3))


BLOCK = "def f():\n    a = 1\n\n    return a\n\nprint('f gives', f())\n"


def test_a_marked_paste_is_one_cell_and_waits_for_enter(terminal):
    shell = terminal()
    shell.child.send("\x1b[200~" + BLOCK.replace("\n", "\r") + "\x1b[201~")
    shell.until(r"f\(\)\)")
    shell.child.send("\r")
    assert "f gives 1" in shell.prompt() and shell.cell == 2


def test_an_unmarked_paste_with_an_empty_line_in_a_block(terminal):
    shell = terminal()
    shell.child.send(BLOCK)
    shell.until("f gives 1")
    shell.prompt()
    assert shell.cell == 3 and "IndentationError" not in shell.raw


def test_a_paste_cannot_press_keys(terminal):
    shell = terminal()
    shell.child.send("\x1b[200~x = 1 \x04\x1bOA\x07+ 1\x1b[201~")
    shell.until(r"\+ 1")
    shell.child.send("\r")
    shell.prompt()
    assert shell.cell == 2 and "OA" in shell.raw  # a typing error, and no key


def test_history_brings_back_cells(terminal):
    shell = terminal()
    shell.say("def g(n):", "    return n + 1", "")
    shell.say("1")
    shell.child.send("\x1b[A\x1b[A")
    shell.until("n \\+ 1")
    shell.child.send("\r")
    shell.prompt()
    assert shell.cell == 4
    assert "42" in shell.say("g(41)").splitlines()


def test_typed_code_gets_colours_where_there_are_any(terminal):
    shell = terminal()
    shell.say("import os  # yes")
    assert "\x1b[35mimport\x1b[0m os  \x1b[2m# yes\x1b[0m" in shell.raw
    plain = terminal(NO_COLOR="1")
    plain.say("import os  # yes")
    assert "\x1b[35m" not in plain.raw and "\x1b[1A" not in plain.raw


def test_tables_fit_the_screen(terminal):
    shell = terminal()
    shell.child.setwinsize(50, 40)
    shell.child.sendline("import pandas as pd; pd.DataFrame({f'column{i}': [i] for i in range(6)})")
    shell.until(r" {3}column0[^\r\n]*\r\n")
    assert re.fullmatch(r".{39}…\r\n", shell.child.after)


PICTURES = {"kitty": r"\x1b_Ga=T,f=100,m=[01];iVBORw0KGgo", "iterm": r"\x1b\]1337;File=inline=1:iVBORw0KGgo[^\x07]*\x07",
            "sixel": r'\x1bPq"1;1;\d+;\d+#0;2;[0-9;#!$?-~-]+\x1b\\'}


@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.few(1)
def test_terminals_that_show_pictures_get_them(terminal, caller, kind):
    shell = terminal(RETORT_PICTURES=kind)
    shell.say("import matplotlib.pyplot as plt")
    shell.say("plt.plot([1, 2, 1]); plt.show()")
    assert re.search(PICTURES[kind], shell.raw) and "saved" not in shell.raw
    assert not list(caller.home.glob("plot*.png"))


@pytest.mark.few
def test_a_picture_is_one_piece_on_a_slow_terminal(terminal):
    """The line with the elapsed time, which is there after a second of silence, waits until all of it is written."""
    shell = terminal(RETORT_PICTURES="kitty")
    shell.say("import matplotlib.pyplot as plt, numpy")
    shell.child.sendline("plt.figure(figsize=(2, 2), dpi=100).figimage(numpy.random.rand(200, 200)); plt.show()")
    shell.child.expect_exact("\x1b_G")
    time.sleep(2.5)  # nothing is read meanwhile, so nothing more can be written
    shell.until(r"\[3\]")
    picture = shell.child.before.rpartition("\x1b\\")[0]
    assert len(picture) > 20_000 and not re.search("[^\x20-\x7e\x1b]", picture)


def test_a_picture_that_is_none_cannot_speak_to_the_terminal(terminal):
    """What a guest calls a PNG is encoded, or fails to be converted: no byte of it arrives as it is."""
    code = "class P:\n    def _repr_png_(self): return b'\\x1b]0;owned\\x07'\nP()"
    for kind in PICTURES:
        shell = terminal(RETORT_PICTURES=kind)
        shell.child.send("\x1b[200~" + code.replace("\n", "\r") + "\x1b[201~\r")
        shell.until(re.escape("P()"))
        shell.prompt()
        assert "\x1b]0;owned" not in shell.raw


def test_a_silent_cell_shows_how_long_it_runs(terminal):
    shell = terminal()
    shell.child.sendline("import time; time.sleep(2.5); print('over')")
    shell.until(r"\x1b\[2m. 1 s\x1b\[0m")
    assert "over" in shell.prompt()
    assert "\r\x1b[Kover\r\n" in shell.raw  # it is gone before something is printed
    assert shell.end() == 0


def test_nothing_of_that_in_a_pipe(retort):
    out, err, _ = piped(retort, "import time; time.sleep(1.5)", "print(1)")
    assert out == "1\n" and "\r" not in err and "\x1b" not in err


def limits_of(retort, *options, **env):
    return json.loads(piped(retort, ":info", options=options, **env)[0])["limits"]


def test_a_person_has_no_time_limit_unless_asked(retort):
    year = 365 * 86400
    limits = limits_of(retort)
    assert (limits["timeout"], limits["cpu"]) == (year, year)
    assert limits_of(retort, "--timeout", "7")["timeout"] == 7
    (retort.home / "limited/retort").mkdir(parents=True)
    (retort.home / "limited/retort/config.json").write_text('{"preload": [], "limits": {"timeout": 9}}')
    assert limits_of(retort, XDG_CONFIG_HOME=str(retort.home / "limited"))["timeout"] == 9


def test_log_info_help_and_quit(retort):
    out, err, status = piped(retort, "answer = 42", ":log", ":info", ":help", ":nonsense", ":quit",
                             "print('not reached')")
    assert re.search(r"cell 1  answer = 42\n", out) and '"isolation"' in out and ":undo" in out
    assert "no command :nonsense" in err and "not reached" not in out and status == 0


def test_options_of_run(retort, tmp_path):
    (tmp_path / "data.txt").write_text("7")
    out, err, _ = piped(retort, "import os, random; int(open('data.txt').read()), os.environ['MARK']",
                        "random.random()", "import time; time.sleep(60)", "os.environ['MARK']",
                        options=["--file", tmp_path / "data.txt", "--env", "MARK=m", "--seed", "42", "--timeout",
                                 "0.5"])
    assert out.splitlines()[0] == "(7, 'm')" and out.splitlines()[-1] == "'m'"
    assert "timeout" in err and "rolled back" in err
    assert piped(retort, "import random; random.random()", options=["--seed", "42"])[0] == out.splitlines()[1] + "\n"


@pytest.mark.parametrize("options", [["-c", "1"], ["script.py"], ["--json"], ["-l", "bash"], ["--nonsense"]])
def test_options_that_a_shell_has_not(retort, options):
    out, err, status = piped(retort, options=options)
    assert (out, err.count("\n"), status) == ("", 1, 125)


def test_a_terminal_is_raw_before_its_prompt_is_seen(light, tmp_path):
    """Ctrl-D, typed in time, would else be swallowed by the terminal."""
    trace = tmp_path / "trace"
    words = ("strace", "-o", str(trace), "-e", "trace=write,ioctl", "-e", "signal=none")
    words = ("env", "ASAN_OPTIONS=detect_leaks=0", *words)  # nobody can look for leaks in a program that is traced
    shell = Shell(dataclasses.replace(light, prefix=words))
    assert shell.end() == 0
    before, _, _ = trace.read_text().partition("[1]")
    *_, last = re.findall(r"TCSETS.*c_lflag=([A-Z|]+)", before)
    assert "ICANON" not in last


@pytest.mark.parametrize("typed, shown", [("\x04", ""), ("6 * 7\r\x04", "42")])
def test_what_is_typed_before_it_reads_is_not_lost(light, typed, shown):
    """The terminal itself takes a Ctrl-D then, and the line it ends is empty."""
    shell = Terminal(light, "shell")
    shell.child.send(typed)
    shell.child.expect(pexpect.EOF)
    shell.child.close()
    assert shell.child.exitstatus == 0 and shown in shell.child.before


def test_a_ctrl_d_while_a_cell_runs_ends_the_shell_after_it(light):
    shell = Shell(light)
    shell.child.sendline("import time; print('be' + 'gun', flush=True); time.sleep(0.5); print('do' + 'ne')")
    shell.until("begun")
    shell.child.send("\x04")
    shell.child.expect(pexpect.EOF)
    shell.child.close()
    assert shell.child.exitstatus == 0 and "done" in shell.child.before


def test_a_zero_that_is_typed_is_no_end(light):
    """Ctrl-Space."""
    shell = Shell(light)
    shell.child.send("\0")
    assert "42" in shell.say("6 * 7")
    assert shell.end() == 0


def test_no_process_is_left(caller, terminal):
    shell = terminal()
    shell.say("import subprocess; p = subprocess.Popen(['sleep', '1000'])")
    pid = shell.child.pid
    assert shell.end() == 0
    assert not os.path.exists(f"/proc/{pid}")
