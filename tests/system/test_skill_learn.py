"""Skills that are made of what ran: `retort skill learn`, and runs of the agent with --learn."""
import json

import pytest
import rpc
import serving
import skillsets
from agents import Outcome, Record
from skillsets import library, refused, told

pytestmark = pytest.mark.by_turns

GROSS = ("def gross(net, rounded=True):\n    '''Gross price of a net price,\n    with tax.'''\n"
         "    return helper(net) if rounded else net * (1 + RATE)\n\n"
         "print(gross(100), gross(7), gross(8, rounded=False))")
CELLS = ["import math\nRATE = 0.25\nrows = list(range(5))", "def helper(x):\n    return math.floor(x * (1 + RATE))", GROSS]


@pytest.fixture
def caller(light_caller):
    yield light_caller
    skillsets.clear(light_caller)


def ran(caller, *cells):
    """A session in the record that ran these."""
    server = rpc.Server(caller)
    session = server.session()
    for code in cells:
        assert session.run(code)["status"] == "ok", code
    session.close()
    assert server.close() == 0
    return session.id


def test_a_function_of_a_session_becomes_a_skill(caller):
    session = ran(caller, *CELLS)
    learned = told(caller, "learn", session)
    assert (learned["name"], learned["version"], learned["tests"], learned["function"]) == ("gross", 1, 3, "gross")
    shown = told(caller, "show", "gross")
    assert shown["description"] == "Gross price of a net price, with tax."
    assert shown["provenance"] == {"session": session, "cell": 3, "calls": [3, 3, 3], "function": "gross", "by": "retort skill learn"}
    assert {"in": {"net": 8, "rounded": False}, "out": 10.0} in shown["tests"]
    source = (caller.home / skillsets.STATE / "skills/gross/1/skill.py").read_text()
    assert source.startswith("import math\nRATE = 0.25\n") and "rows" not in source and "def helper" in source
    server = rpc.Server(caller)  # another process, which was not there when it was learned
    later = server.session(skills=["gross"])
    assert later.value("from skills import gross; gross(net=40)") == "50"
    entries = json.dumps(server.call("ledger.list", session=later.id))
    assert session in entries  # the record of its use says where it is from
    later.close()
    assert server.close() == 0


@pytest.mark.few
def test_what_is_learned_has_versions(caller):
    first = told(caller, "learn", ran(caller, *CELLS))
    before = library(caller)
    assert "gross@1 is this function already" in refused(caller, "learn", first["session"])
    assert library(caller) == before
    again = told(caller, "learn", ran(caller, "RATE = 0.5", *CELLS[1:2], "import math", GROSS))
    assert again["version"] == 2 and told(caller, "show", "gross@1")["version"] == 1
    named = told(caller, "learn", first["session"], "gross", "--name", "with-tax", "--description", "Adds the tax.")
    assert (named["name"], told(caller, "show", "with-tax")["description"]) == ("with-tax", "Adds the tax.")


REFUSED = {
    "a variable": (["rows = list(range(5))", "def f(x):\n    'Takes a row.'\n    return rows[x] * 2\nprint(f(1), f(2))"], "(rows)"),
    "one answer": (["def f(x):\n    'Says five.'\n    return 5\nprint(f(1), f(2))"], "not called twice with different answers"),
    "never called": (["def f(x):\n    'Doubles.'\n    return 2 * x"], "was called"),
    "a memory": (["n = [0]\ndef f(x):\n    'Counts.'\n    n[0] += 1\n    return n[0]\nprint(f(1), f(1), f(2))"], "differently to the same arguments"),
    "no docstring": (["def f(x):\n    return 2 * x\nprint(f(1), f(2))"], "no docstring"),
    "written down": (["def f(x):\n    'Looks up.'\n    return {1: 31415, 2: 27182}[x]\nprint(f(1), f(2))"], "stands in the code"),
    "what blocks": (["def f(x):\n    'Doubles.'\n    key = 'AKIAIOSFODNN7EXAMPLE'\n    return 2 * x\nprint(f(1), f(2))"], "review: skill.py"),
    "a clock": (["import time\ndef f(x):\n    'Adds.'\n    time.time()\n    return 2 * x\nprint(f(1), f(2))"], "needs the capability clock"),
}


@pytest.mark.few
def test_what_cannot_be_learned(caller):
    told(caller, "add", skillsets.folder(caller))
    before = library(caller)
    for what, (cells, reason) in REFUSED.items():
        done = caller.run("skill", "learn", ran(caller, *cells))
        assert done.returncode == 125, what
        said = done.stderr.decode()
        assert reason in said, (what, said)
        assert library(caller) == before, what
    assert "retort: " in refused(caller, "learn", "s_none")


# ---- the agent ---------------------------------------------------------------------------------------------------------

TASK = "What is 1 + 2 + … + 100?"
SUM = "total = sum(range(101))\nprint('sum', total)"
TAUGHT = ("def sum_to(n):\n    '''Sum of the whole numbers from 1 to n.'''\n    return n * (n + 1) // 2\n\n"
          "print(sum_to(100), sum_to(10))")


def play(caller, name, task, replies, *arguments):
    cassette = caller.home / f"{name}.jsonl"
    cassette.write_text("".join(json.dumps({"match": {"turn": turn}, "reply": {"text": text}}) + "\n"
                                for turn, text in enumerate(replies, 1)))
    return Outcome(caller.run("agent", task, "--json", "--cassette", cassette, *arguments))


def fenced(code):
    return f"```python\n{code}\n```"


def test_a_skill_that_one_run_leaves_is_used_by_the_next(caller):
    done = play(caller, "one", TASK, [fenced(SUM), "The sum is 5050.", fenced(TAUGHT)], "--learn")
    (event,) = done.of("skill")
    assert done.code == 0 and (event["name"], event["version"], event["tests"]) == ("sum-to", 1, 2), done.text
    shown = told(caller, "show", "sum-to")
    assert shown["provenance"]["by"] == "retort agent --learn" and shown["tests"][0]["out"] == 5050
    record = Record(caller, caller.home / skillsets.STATE, event["session"])
    assert "sum-to" in json.dumps([entry for entry in record.entries if entry["kind"] == "note"])
    later = play(caller, "two", "Sum of the numbers from 1 to 2000?",
                 [fenced("from skills import sum_to\nprint('sum', sum_to(n=2000))"), "The sum is 2001000."], "--skills")
    assert later.code == 0 and later.verdicts()["2001000"] == "grounded", later.text
    assert told(caller, "show", "sum-to")["versions"][0]["uses"] == 1


def test_what_has_nothing_to_do_with_the_answer_is_not_learned(caller):
    other = TAUGHT.replace("n * (n + 1) // 2", "7 * n + 3").replace("sum_to", "other")
    done = play(caller, "other", TASK, [fenced(SUM), "The sum is 5050.", fenced(other)], "--learn")
    assert done.code == 0 and "the answer says nothing that it computed" in done.of("skill")[0]["problem"]
    nothing = play(caller, "nothing", TASK, [fenced(SUM), "The sum is 5050.", "NOTHING"], "--learn")
    assert nothing.code == 0 and "problem" in nothing.of("skill")[0] and nothing.answer == "The sum is 5050."
    unproved = play(caller, "unproved", TASK, ["The sum is 5050."] * 4, "--learn")
    assert unproved.code == 3 and unproved.of("skill") == []
    broken = play(caller, "broken", TASK, [fenced(SUM), "The sum is 5050."], "--learn")  # the model says nothing more
    assert broken.code == 0 and broken.answer == "The sum is 5050."
    assert told(caller, "list") == []


def test_a_run_over_json_rpc_leaves_a_skill(caller):
    replies = [{"text": text} for text in (fenced(SUM), "The sum is 5050.", fenced(TAUGHT))]
    server = rpc.Server(caller)
    done = server.call("agent.run", task=TASK, replies=replies, learn=True)
    assert done["verified"] and (done["skill"]["name"], done["skill"]["version"], done["skill"]["tests"]) == ("sum-to", 1, 2), done
    events = [params["event"] for method, params in list(server.notes) if method == "agent.event"]
    assert [event["name"] for event in events if event["event"] == "skill"] == ["sum-to"]
    assert told(caller, "show", "sum-to")["provenance"] == {
        "session": done["session"], "cell": 2, "calls": [2, 2], "function": "sum_to", "by": "agent.run"}
    later = server.session(skills=["sum-to"])  # the server that learned it has it, and every other process
    assert later.value("from skills import sum_to; sum_to(n=2000)") == "2001000"
    again = server.call("agent.run", task=TASK, replies=replies, learn=True)
    assert again["verified"] and "sum-to@1 is this function already" in again["skill"]["problem"]
    plain = server.call("agent.run", task=TASK, replies=replies[:2])
    assert plain["verified"] and "skill" not in plain
    for wrong in ({"best_of": 2}, {"record": False}):
        with pytest.raises(rpc.Failure, match="learn needs one try and a record"):
            server.call("agent.run", task=TASK, replies=replies, learn=True, **wrong)
    assert server.close() == 0


def test_only_administrators_leave_skills(light_caller):
    tokens = light_caller.home / "tokens"
    tokens.write_text("other-token-0123456789abcdef name=b\n")
    with serving.serving(light_caller, "--token-file", tokens) as running:
        _, answer = serving.Client(running, "other-token-0123456789abcdef").rpc("agent.run", task=TASK, replies=[{"text": "No."}], learn=True)
        assert "only administrators" in answer["error"]["message"]
