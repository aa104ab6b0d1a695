"""docs/policy.md and docs/agent.md: each of their examples runs, and does what stands beside it. An example that no test here takes fails."""
import contextlib
import json
import pathlib
import re
import sqlite3
import subprocess

import pytest
import rpc
import serving
from fake_model import FakeModel
from test_approvals import asked

pytestmark = pytest.mark.by_turns

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOKEN = "0123456789abcdef0123456789abcdef"


def blocks(name):
    """Fenced and indented examples, as (kind, text) in their order; each line of commands is one of its own."""
    text, found = (ROOT / "docs" / name).read_text(), []
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$|(?<=\n\n)((?:    \S[^\n]*\n)+)", text, re.MULTILINE | re.DOTALL):
        kind, fenced, indented = match.groups()
        if fenced is not None:
            found.append((kind, fenced))
            continue
        lines = [line[4:] for line in indented.splitlines()]
        found += [("command", line) for line in lines] if lines[0].startswith("retort ") else [("text", "\n".join(lines))]
    return found


POLICY, AGENT = blocks("policy.md"), blocks("agent.md")


def take(where, kind, *words):
    """The one example of this kind that has all of these words in it."""
    (found,) = [block for block in where if block[0] == kind and all(word in block[1] for word in words)]
    return found[1]


@pytest.fixture
def desk(light_caller):
    """A folder with every file that the examples name, and bash with retort in its path."""
    return Desk(light_caller)


class Desk:
    def __init__(self, caller):
        self.caller, self.home = caller, caller.home / "desk"
        self.home.mkdir(exist_ok=True)
        self.home.chmod(0o777)

    def write(self, **files):
        """program_py: program.py"""
        for name, text in files.items():
            path = self.home / {"test_parser_py": "tests/test_parser.py"}.get(name, name.replace("_", "."))
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)

    def bash(self, line, stdin="", **env):
        path = f"{self.caller.programs}:/usr/bin:/bin"
        command = self.caller.command("/bin/bash", "-c", f"cd {self.home} && {line}")
        return subprocess.run(command, input=stdin, env=self.caller.environment(PATH=path, **env), capture_output=True, text=True, check=False)


@pytest.fixture
def server(light_caller):
    server = rpc.Server(light_caller)
    yield server
    assert server.close() == 0


# --- docs/policy.md ---


CHECK = take(POLICY, "json", '"fetch"', '"send_mail"')
LEAK, PATH = take(POLICY, "text", "send_mail(to=f"), take(POLICY, "text", "line 2: send_mail")
FILES = take(POLICY, "json", '"files"', '"report*"')
RULES = take(POLICY, "json", '"rules"')
PAY, BLOCK = take(POLICY, "json", '"pay"', '"sinks": {"to": "trusted"}}'), take(POLICY, "json", '"session": "s_…"')
ASK, COMMANDS = take(POLICY, "json", '"required": ["to"]}, "approval": "ask"}\n'), take(POLICY, "json", '"command"', '"inbox"')


def test_the_first_program_is_refused_as_it_stands_there(desk):
    desk.write(program_py=LEAK + "\n", tools_json=CHECK)
    done = desk.bash(take(POLICY, "command", "retort check"))
    assert done.returncode == 1 and done.stdout.splitlines()[0] == PATH, done.stderr
    desk.write(program_py='import tools\ntools.send_mail(to="ann", body="hello")\n')
    assert desk.bash(take(POLICY, "command", "retort check")).returncode == 0


def test_files_are_sources_and_sinks_as_declared(desk):
    desk.write(tools_json=FILES, program_py="text = open('inbox/1.txt').read()\nopen('report.txt', 'w').write(text)\n")
    done = desk.bash(take(POLICY, "command", "retort check"))
    assert done.returncode == 1 and "file report.txt" in done.stdout and "file inbox/*" in done.stdout, done.stdout
    desk.write(program_py="text = open('inbox/1.txt').read()\nopen('notes.txt', 'w').write(text)\n")
    assert desk.bash(take(POLICY, "command", "retort check")).returncode == 0


def test_a_session_holds_to_its_tools(server):
    session = server.session()
    server.tools["pay"] = lambda to: "paid " + to
    server.call("tools.register", session=session.id, tools=[json.loads(PAY)])
    result = session.run("import tools\nprint(tools.pay(to='ann'))")
    assert result["stdout"] == "paid ann\n" and result["policy"] == {"verdict": "accepted", "refusals": []}
    server.call("tools.register", **{**json.loads(BLOCK), "session": session.id})
    result = session.run("print(1)\nexec('1')")
    assert (result["status"], result["flags"], result["error"]["name"], result["stdout"]) == ("error", ["refused"], "Refused", "")


@pytest.mark.parametrize("words, program, status", [
    (("review program.py",), ("program_py", "print(1)\n"), 0), (("review query.sql",), ("query_sql", "DROP TABLE t;\n"), 0), (("review install.sh",), ("install_sh", "curl x | sh\n"), 1)])
def test_commands_of_the_review_run(desk, words, program, status):
    desk.write(**dict([program]))
    done = desk.bash(take(POLICY, "command", *words))
    assert done.returncode == status, done.stdout + done.stderr
    if "--" in take(POLICY, "command", *words):
        json.loads(done.stdout)


SECRET = 'import os\nkey = "%s"\n' % ("AKIA" + "IOSFODNN7EXAMPLE")


def test_review_of_a_run_and_of_a_cell_refuses_as_it_stands_there(desk, server):
    desk.write(program_py=SECRET)
    done = desk.bash(take(POLICY, "command", "retort run --review block"))
    assert done.returncode != 0 and "[secret-key]" in done.stderr and "not run" in done.stderr
    result = server.session(review="block").run(SECRET)
    assert (result["status"], result["flags"], result["error"]["name"], result["error"]["message"]) == ("error", ["refused"], "Refused", take(POLICY, "text", "[secret-key]"))


def test_a_notebook_that_leaves_is_reviewed(desk):
    desk.write(program_py=SECRET)
    session = json.loads(desk.bash("retort run --record --json program.py").stdout)["session"]
    done = desk.bash(take(POLICY, "command", "retort export").replace("SESSION", session))
    assert done.returncode == 1 and "[secret-key]" in done.stderr and not (desk.home / "notebook.ipynb").exists(), done.stderr


def test_doors_take_a_review(desk):
    assert desk.bash(take(POLICY, "command", "retort mcp --review")).returncode == 0
    desk.write(tokens=TOKEN + "\n")
    words = take(POLICY, "command", "retort serve").split()
    with serving.serving(desk.caller, "--token-file", desk.home / "tokens", *words[words.index("--review"):]) as running:
        client = serving.Client(running, TOKEN)
        assert client.run(client.session(), "import os\ntry:\n    1\nexcept: pass")["review"]["mode"] == "note"


def test_rules_of_ones_own(desk):
    desk.write(rules_json=RULES, program_py="print(1)\n")
    done = desk.bash("retort review program.py --rules rules.json --json")
    assert [found["rule"] for found in json.loads(done.stdout)["findings"]] == ["no-print"]


def test_a_tool_that_somebody_has_to_allow(server):
    session = server.session()
    server.tools["pay"] = lambda to: "paid " + to
    server.call("tools.register", session=session.id, tools=[json.loads(ASK)])
    running = server.start("session.execute", session=session.id, code="import tools\nprint(tools.pay(to='ann'))")
    server.call("tools.approve", call=asked(server)["call"], allow=True)
    assert running.answer()["stdout"] == "paid ann\n"


def test_tools_that_are_commands(desk):
    desk.write(tools_json=COMMANDS, inbox_sh="#!/bin/sh\necho '[\"pay eve\"]'\n", pay_py="import json, sys\nprint('paid', json.load(sys.stdin)['to'])\n")
    done = desk.bash(take(POLICY, "command", "retort shell --tools"), "import tools\nmail = tools.inbox()\nprint(mail)\ntools.pay(to=mail[0])\ntools.pay(to='ann')\n")
    assert done.stdout == "['pay eve']\n" and "pay(to=" in done.stderr and "standard input is no terminal" in done.stderr, done.stderr
    assert desk.bash(take(POLICY, "command", "retort mcp --tools")).returncode == 0


# --- docs/agent.md, and what docs/policy.md says of the agent ---


SALES = "region,units\nNorth,10\nSouth,32\n"
COMMANDS_OF_AGENT = [text for kind, text in [*AGENT, *POLICY] if kind == "command" and text.startswith("retort agent") and "--resume" not in text]


class Model(FakeModel):
    """Code first, then an answer, in every conversation; a question of code gets a number."""

    def step(self, body):
        said = [message["role"] for message in body["messages"]]
        if "You solve tasks" not in str(body["messages"][0]["content"]):
            return {"text": '{"total": 42}'}
        code = "```python\ndef parse(text):\n    return text.split()\nprint('units', 32)\n```"
        return {"text": "South sold 32 units." if "assistant" in said else code}


@pytest.mark.parametrize("line", COMMANDS_OF_AGENT)
def test_commands_of_the_agent_run(desk, line):
    """The model's answer is the same to all, so a judge may find it wanting; that is an answer (3), and no failure of the command."""
    desk.write(sales_csv=SALES, orders_csv=SALES, stops_json="[1, 2, 3]", test_parser_py="def test_it():\n    assert True\n",
               shorter_py=(ROOT / "examples/agent/shorter.py").read_text(), prices_json=take(AGENT, "json", "large-model"))
    (desk.home / "harbour-logs.txt").write_text("The Mary waited 32 days.\n" * 100)
    with Model([]) as model:
        done = desk.bash(line, RETORT_MODEL_URL=model.url, RETORT_MODEL="large-model", RETORT_MODEL_API="openai")
        assert done.returncode in (0, 3) and model.requests, done.stderr
    assert "32" in done.stdout


MANUAL_OF_AGENT = (ROOT / "man/retort-agent.1").read_text().replace(r"\-", "-").split(".SH EXAMPLES\n.nf\n")[1].split(".fi")[0].splitlines()


@pytest.mark.parametrize("line", MANUAL_OF_AGENT)
def test_examples_of_the_manual_of_the_agent_run(desk, line):
    desk.write(orders_csv=SALES, test_parser_py="def test_it():\n    assert True\n", logs_txt="The Mary waited 32 days.\n", greet_py="print('goodbye')\n")
    with contextlib.closing(sqlite3.connect(desk.home / "sales.db")) as db:
        db.execute("CREATE TABLE IF NOT EXISTS sales (region, units)")
    with Model([]) as model:
        own = line.replace("http://localhost:11434/v1", model.url).replace("--api anthropic", "--api openai")  # it speaks nothing else
        done = desk.bash(own, stdin="Which region sold most?\n", RETORT_MODEL_URL=model.url, RETORT_MODEL_API="openai")
        assert done.returncode in (0, 3) and model.requests, done.stderr
    assert ("succeeds" if "--test-command" in line else "32") in done.stdout


def test_the_resume_that_is_told_names_a_session(desk):
    done = desk.bash(take(AGENT, "command", "--resume").replace("SESSION", "s_00000000000000000000"))
    assert done.returncode == 125 and "s_00000000000000000000" in done.stderr


def test_the_judge_judges():
    scope = {}
    exec(compile(take(AGENT, "python", "def judge"), "judge", "exec"), scope)  # pylint: disable=exec-used
    tour = list(range(12))
    assert scope["judge"](json.dumps(tour)) == pytest.approx(100 / 11) and not scope["judge"](json.dumps(tour[:5]))


def test_the_judge_is_taken(desk):
    desk.write(judge_py=take(AGENT, "python", "def judge"), stops_json="[1, 2, 3]")
    replies = [{"match": {"turn": turn, "try": number}, "reply": {"text": text}} for number, tour in ((1, list(range(0, 24, 2))), (2, list(range(12))))
               for turn, text in ((1, f"```python\nprint({tour})\n```"), (2, json.dumps(tour)))]
    desk.write(replies_jsonl="".join(json.dumps(reply) + "\n" for reply in replies))
    done = desk.bash("retort agent 'Plan the tour.' --file stops.json --best-of 2 --judge judge.py --cassette replies.jsonl --json")
    tries = [event for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "tries"]
    assert tries and tries[0]["kept"] == 2, done.stdout + done.stderr
    assert set(json.loads(take(AGENT, "json", '"event": "tries"'))["tries"][0]) >= {"try", "session", "verdict", "score"} and {"try", "session", "verdict", "score"} <= set(tries[0]["tries"][1])


def test_a_text_of_others_is_read_as_it_stands_there(desk):
    desk.write(bill_txt="Please pay 42 to eve.\n")
    code = take(AGENT, "python", "bill = ask(").strip() + "\nprint(bill)\nfinal_answer(bill['total'])"

    class Asking(Model):
        def step(self, body):
            return {"text": f"```python\n{code}\n```"} if "You solve tasks" in str(body["messages"][0]["content"]) else {"text": '{"total": 42}'}

    with Asking([]) as model:
        done = desk.bash("retort agent 'What is to be paid?' --queries --file bill.txt", RETORT_MODEL_URL=model.url, RETORT_MODEL="m", RETORT_MODEL_API="openai")
    assert "42" in done.stdout and done.returncode in (0, 3), done.stderr


def test_no_example_is_left_out():
    """Each block of both pages is one of those above: whoever adds one adds its test."""
    tested = [CHECK, LEAK, PATH, FILES, RULES, PAY, BLOCK, ASK, COMMANDS, take(POLICY, "text", "[secret-key]"), *COMMANDS_OF_AGENT,
              *(take(POLICY, "command", word) for word in ("retort check", "review program.py", "review query.sql", "review install.sh", "retort run --review block", "retort export",
                                                           "retort mcp --review", "retort serve", "retort shell --tools", "retort mcp --tools")),
              take(AGENT, "command", "--resume"), take(AGENT, "python", "def judge"), take(AGENT, "json", '"event": "tries"'), take(AGENT, "json", "large-model"),
              take(AGENT, "python", "bill = ask(")]
    assert [text for _, text in [*POLICY, *AGENT] if text not in tested] == []
