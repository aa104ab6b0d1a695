"""`retort agent --tools FILE`: commands that the code of a run calls, what they may be given, and the question whether it may."""
import json
import re

import pytest
import skillsets
from agents import Outcome, Record
from terminals import Terminal
from test_tools_file import ASKED, PAY, Tools

pytestmark = pytest.mark.by_turns
BILL = {"name": "bill", "parameters": {"type": "object"}, "command": ["/bin/echo", '{"to": "ann", "sum": 1803}']}
READ = "import tools\nbill = tools.bill()\nprint('to pay', bill['sum'])"
LOST = "import tools\ntools.pay(to=tools.bill()['to'])"
SENT = "import tools\nprint(tools.pay(to='ann'))"


@pytest.fixture
def caller(light_caller):
    yield light_caller
    skillsets.clear(light_caller)


@pytest.fixture
def tools(caller):
    return Tools(caller.home)


def taped(caller, *replies):
    cassette = caller.home / "tools.jsonl"
    fenced = [f"```python\n{text}\n```" if "import" in text else text for text in replies]
    cassette.write_text("".join(json.dumps({"match": {"turn": turn}, "reply": {"text": text}}) + "\n" for turn, text in enumerate(fenced, 1)))
    return cassette


def play(caller, path, *replies, options=()):
    return Outcome(caller.run("agent", "See to the bill.", "--json", "--cassette", taped(caller, *replies), "--tools", path, *options))


def recorded(caller, done):
    return Record(caller, caller.home / skillsets.STATE, done.of("plan")[0]["session"])


def test_what_a_command_says_proves_numbers_and_is_not_asked_again(caller, tools):
    paid = {**PAY, "command": tools.command()}
    done = play(caller, tools.write(BILL, paid), READ + "\n" + SENT, "The bill is over 1803.")
    assert (done.stop, done.statuses, done.verdicts()["1803"]) == ("answered", ["ok"], "grounded"), done.text
    assert tools.paid == [{"to": "ann"}]
    record = recorded(caller, done)
    assert json.loads(record.run("replay", "--json", record.session))["equal"]
    assert tools.paid == [{"to": "ann"}]


def test_the_policy_of_the_file_holds_for_the_agent(caller, tools):
    path = tools.write(BILL, {**PAY, "command": tools.command(), "sinks": {"to": "trusted"}}, policy="block")
    done = play(caller, path, LOST, SENT, "It is paid.")
    assert done.statuses == ["error", "ok"] and tools.paid == [{"to": "ann"}], done.text
    refused = done.of("observation")[0]
    assert refused["result"]["policy"]["verdict"] == "refused" and "[untrusted]" in json.dumps(refused), refused


def test_files_that_are_not_trusted_need_no_tool(caller, tools):
    tools.path.write_text(json.dumps({"tools": [], "files": {"inbox/*": {"source": "untrusted"}}}))
    done = play(caller, tools.path, "import os\nprint(1)", "It is done.")
    assert done.statuses == ["ok"] and "policy" in done.of("observation")[0]["result"], done.text


def test_commands_and_skills_together(caller, tools):
    skillsets.told(caller, "add", skillsets.example(caller, "loan-schedule"))
    code = READ + "\nfrom skills import loan_schedule\nprint(loan_schedule(principal=120000, rate=0.12, months=2)['interest'])"
    done = play(caller, tools.write(BILL), code, "Both are 1803.", options=("--skill", "loan-schedule"))
    assert (done.stop, done.statuses) == ("answered", ["ok"]), done.text


@pytest.mark.parametrize("answer, status, paid, verdict", [("y", "ok", [{"to": "ann"}], "allowed"), ("", "error", [], "denied")])
def test_a_person_at_the_terminal_is_asked(caller, tools, answer, status, paid, verdict):
    one = Terminal(caller, "agent", "See to the bill.", "--cassette", taped(caller, SENT, "It was tried."), "--tools", tools.write())
    try:
        assert 'The code wants to call pay with {"to":"ann"}' in one.until(ASKED).replace('": "', '":"') and tools.paid == []
        one.child.sendline(answer)
        session = re.search(r"session (s_\w+)", one.until(r"session s_\w+:") + one.child.after)[1]
    finally:
        one.child.close(force=True)
    assert tools.paid == paid
    record = Record(caller, caller.home / skillsets.STATE, session)
    decided, = [note for note in record.notes if note.get("event") == "approval"]
    assert (decided["name"], decided["verdict"], decided["door"]) == ("pay", verdict, "agent")
    assert f'"status":"{status}"' in json.dumps(record.entries, separators=(",", ":"))


def test_ctrl_c_at_the_question_ends_the_run_and_allows_nothing(caller, tools):
    one = Terminal(caller, "agent", "See to the bill.", "--cassette", taped(caller, SENT, "It was tried."), "--tools", tools.write())
    try:
        one.until(ASKED)
        one.child.sendcontrol("c")
        assert "cancelled" in one.until(r"session s_\w+:")
    finally:
        one.child.close(force=True)
    assert tools.paid == []


def test_a_command_ends_with_its_cell(caller, tools):
    slow = {"name": "slow", "parameters": {"type": "object"}, "command": ["/bin/sh", "-c", f"sleep 4; echo done > {tools.log}"]}
    done = play(caller, tools.write(slow), "import time, tools\ntime.sleep(3)\ntools.slow()", "It was tried.", options=("--timeout", "5"))
    assert done.statuses == ["timeout"] and not tools.log.exists(), done.text


def test_a_session_that_goes_on_keeps_to_its_policy(caller, tools):
    held = [BILL, {**PAY, "command": tools.command(), "sinks": {"to": "trusted"}}]
    first = play(caller, tools.write(*held, policy="block"), "import os", "It is there.")
    session = first.of("plan")[0]["session"]
    done = play(caller, tools.write(*held), "said", "before", LOST, "It was tried.", options=("--continue", session))
    assert "refused" in done.of("observation")[0]["result"]["flags"], done.text  # nothing of the cell ran
    assert tools.paid == []


def test_without_a_terminal_nobody_can_be_asked(caller, tools):
    done = play(caller, tools.write(), SENT, "It was tried.")
    assert "nobody can be asked whether pay may be called" in done.text and done.statuses == ["error"] and tools.paid == []


def test_commands_are_called_once(caller, tools):
    for options in (("--best-of", "2"), ("--resume", "s_0123456789abcdef0123")):
        done = play(caller, tools.write(), SENT, options=options)
        assert done.code == 125 and tools.paid == [], done.text
    assert "do not go together" in play(caller, tools.write(), SENT, options=("--best-of", "2")).text
    tools.path.write_text('{"tools": [{"name": "a"}]}')
    done = play(caller, tools.path, SENT)
    assert done.code == 125 and f"--tools {tools.path}: tools[0].command" in done.text, done.text
