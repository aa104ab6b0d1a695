"""`--tools FILE`: commands that code calls as tools, in a shell and for clients of MCP; and the question whether it may."""
import json
import re
import time

import pexpect
import pytest
from test_shell import Shell

pytestmark = pytest.mark.by_turns

PAY = {"name": "pay", "parameters": {"type": "object", "properties": {"to": {"type": "string"}, "memo": {"type": "string"}}, "required": ["to"]}, "source": "trusted"}
ASKED = re.escape("Allow it? [y/N] ")


class Tools:
    """A file of tools, and what reached the command."""

    def __init__(self, folder):
        self.folder = folder
        self.log, self.path = folder / "paid", folder / "tools.json"
        self.log.unlink(missing_ok=True)

    @property
    def paid(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def command(self, then="echo '\"paid\"'"):
        return ["/bin/sh", "-c", f"cat >> {self.log}; echo >> {self.log}; {then}"]

    def write(self, *tools, **beside):
        self.path.write_text(json.dumps({"tools": tools or [{**PAY, "command": self.command(), "approval": "ask"}], **beside}))
        return self.path


@pytest.fixture
def caller(light_caller):
    return light_caller


@pytest.fixture
def tools(caller):
    return Tools(caller.home)


@pytest.fixture
def shell(caller):
    started = []

    def start(*options):
        started.append(Shell(caller, *options))
        started[-1].say("import tools")
        return started[-1]

    yield start
    for one in started:
        one.child.close(force=True)


def begin(shell, tools, *options):
    """A shell whose code waits for an answer; nothing was called yet."""
    one = shell("--tools", tools.write(), *options)
    one.child.sendline("print(tools.pay(to='ann'))")
    assert 'The code wants to call pay with {"to":"ann"}' in one.until(ASKED).replace('": "', '":"') and tools.paid == []
    return one


def decisions(shell):
    said = shell.say(":log")
    return re.findall(r"approval\s+approval\s+(.*)", said)


@pytest.mark.parametrize("answer, printed, paid, verdict", [
    ("y", "paid", [{"to": "ann"}], "allowed by"), ("yes", "paid", [{"to": "ann"}], "allowed by"),
    ("n", "the call was not allowed", [], "denied by"), ("", "the call was not allowed", [], "denied by"),
    ("of course", "the call was not allowed", [], "denied by")])
@pytest.mark.few(1)
def test_the_shell_asks_before_it_calls(shell, tools, answer, printed, paid, verdict):
    one = begin(shell, tools)
    one.child.sendline(answer)
    assert printed in one.prompt() and tools.paid == paid
    (decided,) = decisions(one)
    assert decided.startswith(f"pay {verdict} ")


def test_each_call_is_asked_for(shell, tools):
    one = shell("--tools", tools.write())
    one.child.sendline("print(tools.pay(to='ann'), tools.pay(to='bob'))")
    one.until(ASKED)
    one.child.sendline("y")
    one.until(ASKED)
    assert tools.paid == [{"to": "ann"}]
    one.child.sendline("n")
    assert "not allowed" in one.prompt() and tools.paid == [{"to": "ann"}]
    assert [said.split(" by ")[0] for said in decisions(one)] == ["pay allowed", "pay denied"]


def test_ctrl_c_ctrl_d_and_the_cells_time_allow_nothing(shell, tools):
    one = begin(shell, tools)
    one.child.sendcontrol("c")
    one.prompt()
    one.child.sendline("print(tools.pay(to='ann'))")
    one.until(ASKED)
    one.child.sendcontrol("d")
    assert "not allowed" in one.prompt() and tools.paid == []
    assert [said.split(" by ")[0] for said in decisions(one)] == ["pay cancelled", "pay denied"]
    one = begin(shell, tools, "--timeout", "2")
    assert "timeout" in one.prompt().lower() and tools.paid == []
    assert decisions(one) == ["pay expired"]


def test_what_was_typed_before_the_question_is_no_answer(shell, tools):
    one = shell("--tools", tools.write())
    one.child.sendline("import time; print('go'); time.sleep(1); print(tools.pay(to='ann'))")
    one.until("go\r\n")
    one.child.sendline("y")
    one.until(ASKED)
    one.child.sendline("n")
    assert "not allowed" in one.prompt() and tools.paid == []


def test_what_turns_or_hides_text_is_shown_as_what_it_is(shell, tools):
    one = shell("--tools", tools.write())
    one.child.sendline("tools.pay(to='ann\\u202e\\x1b[2J')")
    assert '{"to":"ann\\u202E\\u001B[2J"}' in one.until(ASKED)
    one.child.sendline("n")
    one.prompt()
    one.child.sendline("tools.pay(memo='m' * 3900, to='mallory')")
    shown = one.until(ASKED)
    assert "mallory" in shown.rpartition("The code wants")[2] and "m" * 3900 in shown
    one.child.sendline("n")
    one.prompt()
    assert "too long to be shown" in one.say("tools.pay(to='x' * 5000)") and tools.paid == []


def test_a_shell_that_is_gone_has_allowed_nothing(shell, tools):
    one = begin(shell, tools)
    one.child.close(force=True)
    assert tools.paid == []


def test_without_a_terminal_nobody_can_be_asked(caller, tools):
    done = caller.run("shell", "--tools", tools.write(), input=b"import tools\nprint(tools.pay(to='ann'))\n")
    assert b"nobody can be asked whether pay may be called: standard input is no terminal" in done.stderr and tools.paid == []


def test_commands_get_arguments_and_answer(caller, tools):
    """JSON, text, a failure, one that never ends, one that ends without reading: all without a question."""
    def tool(name, words):
        return {"name": name, "parameters": {"type": "object", "properties": {"a": {}, "b": {}}}, "command": ["/bin/sh", "-c", words]}

    path = tools.write(tool("echo", "cat"), tool("text", "echo two words"), tool("fails", "echo first >&2; echo no money >&2; exit 3"),
                       tool("silent", "exec >&- 2>&-; sleep 0.3"), tool("deaf", "exit 0"), tool("large", "head -c 3000000 /dev/zero | tr '\\0' x"),
                       {"name": "none", "parameters": {"type": "object"}, "command": ["/nowhere"]})
    code = """
    import tools
    print(tools.echo(a=[1, 'ü'], b={'c': None}), tools.text(), tools.silent() == '', tools.deaf(a='y' * 500000) == '')
    for call in (tools.fails, tools.large, tools.none):
        try:
            call()
        except tools.ToolError as e:
            print(e)
    """.replace("\n    ", "\n")
    done = caller.run("shell", "--tools", path, input=code.encode())
    assert done.stdout.decode().splitlines() == ["{'a': [1, 'ü'], 'b': {'c': None}} two words True True", "/bin/sh: no money",
                                                 "/bin/sh: its result is too large", "/nowhere: No such file or directory"], done.stderr


def test_ctrl_c_ends_a_command_and_what_it_started(shell, caller, tools):
    mark = caller.home / "began"
    mark.unlink(missing_ok=True)
    one = shell("--tools", tools.write({"name": "slow", "parameters": {"type": "object"},
                                        "command": ["/bin/sh", "-c", f"sh -c 'echo $$ > {mark}; sleep 600'; true"]}))
    one.child.sendline("tools.slow()")
    end = time.monotonic() + 60
    while not (mark.exists() and mark.read_text()) and time.monotonic() < end:
        time.sleep(0.02)
    one.child.sendcontrol("c")
    one.prompt()
    while time.monotonic() < end:
        try:
            with open(f"/proc/{mark.read_text().strip()}/stat") as stat:
                if stat.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return
        except OSError:
            return
        time.sleep(0.02)
    raise AssertionError("it is still there")


@pytest.mark.parametrize("text, why", [
    ("{", "no JSON object"), ("[]", "no JSON object"), ('{"tools": {}}', "no JSON object"), ('{"tools": [{"name": "a b"}]}', "tools[0].name"),
    ('{"tools": [{"name": "a"}]}', "tools[0].command"), ('{"tools": [{"name": "a", "command": []}]}', "tools[0].command"),
    ('{"tools": [{"name": "a", "command": "ls"}]}', "tools[0].command"), ('{"tools": [{"name": "a", "command": ["ls", 1]}]}', "tools[0].command"),
    ('{"tools": [{"name": "a", "command": ["ls"], "approval": "perhaps"}]}', "tools[0].approval"),
    ('{"tools": [{"name": "a", "command": ["ls"]}, {"name": "a", "command": ["ls"]}]}', "given twice"), (None, "No such file")])
def test_a_wrong_file_is_told_at_once(caller, tools, text, why):
    tools.path.unlink(missing_ok=True)
    if text:
        tools.path.write_text(text)
    for command in ("shell", "mcp"):
        done = caller.run(command, "--tools", tools.path, input=b"")
        assert done.returncode == 125 and f"--tools {tools.path}: " in done.stderr.decode() and why in done.stderr.decode(), done.stderr


def test_the_policy_of_the_file_holds(caller, tools):
    """What `retort check` reads is what the shell holds to; the same file serves both."""
    fetch = {"name": "fetch", "parameters": {"type": "object"}, "command": ["/bin/echo", "x"]}
    path = tools.write(fetch, {**PAY, "command": tools.command(), "sinks": {"to": "trusted"}}, policy="block")
    program = caller.home / "program.py"
    program.write_text("import tools\ntools.pay(to=tools.fetch())\n")
    assert caller.run("check", program, "--tools", path).returncode == 1
    done = caller.run("shell", "--tools", path, input=program.read_bytes())
    assert b"pay(to=" in done.stderr and b"[untrusted]" in done.stderr and tools.paid == []
    assert caller.run("shell", "--tools", path, input=b"import tools\nprint(tools.pay(to='ann'))\n").stdout == b"paid\n"


def test_branches_have_the_tools(shell, tools):
    one = shell("--tools", tools.write())
    one.say(":branch")
    one.say(":switch 1")
    one.child.sendline("print(tools.pay(to='bob'))")
    one.until(ASKED)
    one.child.sendline("y")
    assert "paid" in one.prompt() and tools.paid == [{"to": "bob"}]
