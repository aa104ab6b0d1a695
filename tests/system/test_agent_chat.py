"""`retort agent` without a task: a conversation on a terminal; and what a terminal shows while one waits."""
import json
import re
import uuid

import pexpect
import pytest
from agents import Record, run_agent
from fake_model import FakeModel
from terminals import ESCAPE, Terminal

pytestmark = pytest.mark.by_turns
WAITING = re.compile("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] (model|cell): \\d+ s")


@pytest.fixture(scope="module")
def caller(light_caller):
    return light_caller


@pytest.fixture(scope="module")
def retort(light):
    return light


class Chat(Terminal):
    """A conversation. `say` types a message and gives what was printed until the next prompt."""

    def __init__(self, caller, *options, **env):
        super().__init__(caller, "agent", *options, **env)
        self.greeting = self.prompt()

    def prompt(self):
        return self.until("you> ")

    def say(self, *lines):
        self.child.send("".join(line + "\n" for line in lines))
        return self.prompt()


def code(text):
    return {"text": f"```python\n{text}\n```"}


FIRST = [code("x = sum(range(10))\nprint('sum', x)\nopen('made.txt', 'w').write('x')"), {"text": "The sum is 45."}]
AGAIN = [code("print('twice', 2 * x)"), {"text": "Twice that is 90."}]


@pytest.fixture
def tape(tmp_path):
    """Writes a cassette; the caller's home is where an ordinary user can read it, too."""
    def write(*replies, where=tmp_path):
        path = where / f"tape-{uuid.uuid4()}.jsonl"
        path.write_text("".join(json.dumps({"match": {}, "reply": reply}) + "\n" for reply in replies))
        return path
    return write


def test_turns_share_variables_what_was_said_and_what_is_proved(caller, tape):
    chat = Chat(caller, "--cassette", tape(*FIRST, *AGAIN, {"text": "The first sum was 45, remember."}, where=caller.home))
    assert "replies from a cassette" in chat.greeting and "/help lists commands" in chat.greeting
    assert "answer, verified:\nThe sum is 45." in chat.say("What is the sum?")
    assert "answer, verified:\nTwice that is 90." in chat.say("And twice that?")
    assert "answer, verified:\nThe first sum was 45" in chat.say("What was the first one?")
    assert chat.end() == 0


def test_commands(retort, tape, tmp_path):
    page = tmp_path / "page.html"
    chat = Chat(retort, "--cassette", tape(*FIRST, code("print(x + 1)\nx = 0"), {"text": "Now it is 46."}, code("print('x is', x)"),
                                           {"text": "It is 45."}))
    assert "there is no turn to take back" in chat.say("/undo")
    assert "there are no files" in chat.say("/files")
    chat.say("What is the sum?")
    assert re.search(r"\b1  made.txt", chat.say("/files"))
    assert "Now it is 46." in chat.say("One more?")
    assert "the last turn is taken back (1 cell)" in chat.say("/undo")
    assert "answer, verified:\nIt is 45." in chat.say("What is x?")
    assert "written" in chat.say(f"/export {page}")
    assert "What is x?" in page.read_text()
    assert "ends in .html or .ipynb" in chat.say("/export page")
    assert "there is no /nothing; /help" in chat.say("/nothing")
    assert "/undo" in chat.say("/help") and "/quit" in chat.say("/help")
    chat.child.sendline("/quit")
    chat.child.expect(pexpect.EOF)
    chat.child.close()
    assert chat.child.exitstatus == 0


def test_undo_forgets_what_the_turn_said_and_proved(retort):
    """Also over a real protocol, where calls that are left open are an error of the client."""
    final = {"calls": [{"name": "final_answer", "arguments": {"answer": "The sum is 45."}}]}
    compute = {"calls": [{"name": "run_python", "arguments": {"code": "print('sum', sum(range(10)))"}}]}
    with FakeModel([compute, final, {"text": "It was 45."}, {"text": "It was 45."}, {"text": "It was 45."}, {"text": "I know nothing."}]) as model:
        chat = Chat(retort, "--base-url", model.url, "--model", "m", "--no-record")
        assert "answer, verified:" in chat.say("What is the sum?")
        assert "answer, verified:\nIt was 45." in chat.say("What was it?")
        opened, closed = set(), set()
        for message in model.requests[-1]["body"]["messages"]:
            opened |= {call["id"] for call in message.get("tool_calls") or []}
            closed |= {message["tool_call_id"]} if message["role"] == "tool" else set()
        assert opened and opened == closed
        chat.say("/undo")
        chat.say("/undo")
        said = chat.say("What was it?")
        assert "✗ numbers" in said and "UNVERIFIED (not proved: computed):\nI know nothing." in said
        assert "What is the sum?" not in str(model.requests[-1]["body"]["messages"])
        assert chat.end() == 0


def test_a_paste_is_one_message(caller):
    with FakeModel([{"text": "I see."}]) as model:
        chat = Chat(caller, "--base-url", model.url, "--model", "m", "--no-record")
        chat.say("Read this:", "", "one", "two")
        assert chat.end() == 0
    assert model.requests[0]["body"]["messages"][-1]["content"] == "Read this:\n\none\ntwo"
    assert len(model.requests) == 1


def test_a_marked_paste_waits_for_enter_and_comes_back_as_one(caller):
    with FakeModel([{"text": "I see."}, {"text": "Again."}]) as model:
        chat = Chat(caller, "--base-url", model.url, "--model", "m", "--no-record")
        assert "\x1b[?2004h" in chat.raw
        chat.child.send("\x1b[200~one\r\rtwo \x04\x07\x1b[201~ three\r")
        assert "I see." in chat.prompt()
        chat.child.send("\x1b[A\r")
        assert "Again." in chat.prompt()
        assert chat.end() == 0
    assert [r["body"]["messages"][-1]["content"] for r in model.requests] == ["one\n\ntwo  three"] * 2


def test_interrupts(caller, tape):
    """A turn ends, the conversation and its variables stay; at the prompt a line is thrown away."""
    chat = Chat(caller, "--cassette", tape(*FIRST, code("y = 1\nprint('begun')\nwhile True: pass"), *AGAIN, where=caller.home))
    chat.say("What is the sum?")
    chat.child.sendline("Loop.")
    chat.until("begun\r\n")
    chat.child.sendintr()
    assert "stopped (cancelled)" in chat.prompt()
    chat.child.send("never mind")
    chat.child.sendintr()
    chat.prompt()
    assert "answer, verified:\nTwice that is 90." in chat.say("And twice that?")
    assert chat.end() == 0


def test_a_request_can_be_interrupted(caller):
    with FakeModel([{"text": "slow " * 20, "pause": 0.5}, {"text": "Here I am."}]) as model:
        chat = Chat(caller, "--base-url", model.url, "--model", "m", "--no-record")
        chat.child.sendline("Think.")
        chat.until("slow")
        chat.child.sendintr()
        assert "stopped (cancelled)" in chat.prompt()
        assert "Here I am." in chat.say("Are you there?")
        assert chat.end() == 0


def test_an_earlier_conversation_goes_on(retort, tape, tmp_path):
    state = {"RETORT_STATE": str(tmp_path / "state")}
    first = run_agent(retort, "What is the sum?", "--cassette", tape(*FIRST), env=state)
    session = first.of("plan")[0]["session"]
    chat = Chat(retort, "--continue", session, "--cassette", tape(*AGAIN), **state)
    assert "Twice that is 90." in chat.say("And twice that?")
    assert chat.end() == 0
    assert f"--continue {session}" in ESCAPE.sub("", chat.raw)
    messages = Record(retort, tmp_path / "state", session).notes[-1]["messages"]
    assert [m["content"] for m in messages if m.get("turn")] == ["What is the sum?", "And twice that?"]


def test_the_history_is_kept(retort, tape, tmp_path):
    state = {"RETORT_STATE": str(tmp_path / "state")}
    chat = Chat(retort, "--cassette", tape(*FIRST), **state)
    chat.say("What is the sum?")
    assert chat.end() == 0
    kept = tmp_path / "state" / "agent_history"
    assert kept.stat().st_mode & 0o777 == 0o600
    chat = Chat(retort, "--cassette", tape(*FIRST), **state)
    chat.child.send("\x1b[A\n")
    assert "The sum is 45." in chat.prompt()
    assert chat.end() == 0


def test_what_cannot_work_is_told_before_anything_is_typed(retort, tmp_path):
    for options, told in ((["--model", "m"], "OPENAI_API_KEY"), ([], "--model NAME"), (["--json"], "--json needs a task"),
                          (["--tests", str(tmp_path)], "a run with tests needs a task")):
        done, status = pexpect.run(" ".join([str(retort.retort), "agent", *options]), env=retort.environment(), withexitstatus=True)
        assert status == 125 and told in done.decode()


def test_standard_input_is_one_task(retort):
    with FakeModel([*FIRST]) as model:
        done = retort.run("agent", "--base-url", model.url, "--model", "m", "--no-record", input=b"What is\nthe sum?\n")
    assert (done.returncode, done.stdout) == (0, b"The sum is 45.\n"), done.stderr
    assert model.requests[0]["body"]["messages"][-1]["content"] == "What is\nthe sum?"
    assert retort.run("agent", input=b"\n").returncode == 125


# ---- waiting ---------------------------------------------------------------------------------------------------


def test_silence_is_told_on_a_terminal_and_gone_afterwards(caller):
    silent = code("import time\ntime.sleep(2.5)\nprint('sum', sum(range(10)))")
    with FakeModel([{**silent, "pause": 0.5}, {"text": "The sum is 45."}]) as model:
        model.delay = 2
        chat = Chat(caller, "--base-url", model.url, "--model", "m", "--no-record")
        chat.say("What is the sum?")
        assert chat.end() == 0
    assert {found.group(1) for found in WAITING.finditer(chat.raw)} == {"model", "cell"}
    last = list(WAITING.finditer(chat.raw))[-1]
    assert chat.raw[last.end():].startswith("\x1b[0m\r\x1b[K")


def test_pipes_are_told_nothing_of_silence(retort, tape):
    done = retort.run("agent", "Sum?", "--cassette", tape(code("import time\ntime.sleep(1.5)\nprint(45)"), {"text": "Done."}))
    assert b"\r" not in done.stdout + done.stderr and b"\x1b" not in done.stdout + done.stderr
    assert done.stdout == b"Done.\n"
