"""Best of N: several tries side by side from one prepared session, a judge that computes, one that is kept."""
import json
import signal
import time

import pytest
import rpc
from agents import Outcome, Record
from fake_model import FakeModel

TASK = "Add the numbers to ten."
RIGHT = ["```python\nx = sum(range(base)); print('sum', x)\n```", "The sum is {{x}}."]
WRONG = ["```python\nx = sum(range(base - 1)); print('sum', x)\n```", "The sum is {{x}}."]
SLOW = ["```python\nimport time\nopen('slow', 'w').close()\ntime.sleep(600)\n```", "Never."]
NO_CODE = ["```python\nraise ValueError('no')\n```"]


@pytest.fixture
def caller(light_caller):
    return light_caller


def entries(skills):
    """A cassette in which every try has the replies of its skill; `base` is made in the prepared session."""
    for number, replies in enumerate(skills, 1):
        for turn, text in enumerate(replies, 1):
            text = text.replace("base", "11")
            yield {"match": {"turn": turn, "try": number}, "reply": {"text": text, "prompt_tokens": 10, "completion_tokens": 5}}


def write_tries(caller, skills):
    cassette = caller.home / "tries.jsonl"
    cassette.write_text("".join(json.dumps(entry) + "\n" for entry in entries(skills)))
    return cassette


def run_tries(caller, skills, *arguments, files=()):
    for name, text in files:
        (caller.home / name).write_text(text)
    cassette = write_tries(caller, skills)
    return Outcome(caller.run("agent", TASK, "--json", "--best-of", str(len(skills)), "--cassette", cassette, *arguments,
                              cwd=caller.home))


def tree(done):
    (tries,) = done.of("tries")
    return tries["kept"], [(one["verdict"], one.get("score")) for one in tries["tries"]]


@pytest.mark.by_turns
@pytest.mark.parametrize("skills, kept", [([WRONG, RIGHT, RIGHT], 2), ([RIGHT, NO_CODE, RIGHT, WRONG], 1)])
def test_the_majority_of_computed_answers_wins(caller, skills, kept):
    done = run_tries(caller, skills, "--max-steps", "3")
    assert (done.code, done.answer) == (0, "The sum is 55."), done.text
    assert tree(done)[0] == kept
    assert [event["try"] for event in done.of("verdict")] != []
    assert done.events[-1]["event"] == "stop" and "try" not in done.events[-1]


JUDGES = [("def judge(answer):\n    return '55' in answer\n", 0, "55", [("judged", 0.0), ("judged", 1.0)]),
          ("def judge(answer):\n    return int(answer.split()[-1].strip('.')) / 100\n", 0, "55", [("judged", 0.45), ("judged", 0.55)]),
          ("def judge(answer):\n    return 1 / 0\n", 3, "45", [("failed", None), ("failed", None)]),
          ("def judge(answer):\n    while True: pass\n", 3, "45", [("failed", None), ("failed", None)]),
          ("def judge(answer):\n    return 'yes'\n", 3, "45", [("failed", None), ("failed", None)]),
          ("import time\ntime.sleep(60)\n", 3, "45", [("failed", None), ("failed", None)]),
          ("import os\ndef judge(answer):\n    os._exit(0)\n", 3, "45", [("failed", None), ("failed", None)])]


@pytest.mark.by_turns
@pytest.mark.parametrize("code, status, answer, verdicts", JUDGES, ids=["right", "ranks", "raises", "loops", "text", "stuck", "exits"])
@pytest.mark.few(1)
def test_a_judge_that_is_code(caller, code, status, answer, verdicts):
    done = run_tries(caller, [WRONG, RIGHT], "--judge", "judge.py", "--timeout", "2", files=[("judge.py", code)])
    assert (done.code, done.answer) == (status, f"The sum is {answer}."), done.text
    kept, seen = tree(done)
    assert kept == (2 if answer == "55" else 1)
    assert seen[kept - 1] == verdicts[kept - 1]
    if status:
        assert [entry["check"] for entry in done.of("final")[-1]["unproved"]] == ["judge"]
        assert seen == verdicts


@pytest.mark.by_turns
def test_of_what_the_judge_accepted_none_of_the_most_votes_are_kept_and_unverified_everywhere(caller):
    done = run_tries(caller, [WRONG, RIGHT, RIGHT], "--judge", "judge.py", files=[("judge.py", "def judge(answer):\n    return False\n")])
    assert (done.code, done.answer) == (3, "The sum is 55."), done.text
    assert tree(done) == (2, [("judged", 0.0)] * 3)
    (event,) = done.of("tries")
    kept, other = (Record(caller, caller.home / ".local/state/retort", event["tries"][i]["session"]) for i in (1, 0))
    final, stop = ([note for note in kept.notes if note["event"] == name][-1] for name in ("final", "stop"))
    assert (final["verified"], [entry["check"] for entry in final["unproved"]]) == (False, ["judge"])
    assert stop["usage"] == done.of("stop")[-1]["usage"] == {"prompt_tokens": 60, "completion_tokens": 30, "calls": 0}
    for record, marks in ((kept, ["unverified"]), (other, ["verified"])):
        assert [text.split("</")[0].rpartition(">")[2] for text in record.export("html").split("<h2>Answer")[1:]] == marks


@pytest.mark.by_turns
def test_a_judge_is_stopped_when_another_try_has_won(caller):
    code = "def judge(answer):\n    import time\n    time.sleep(600 * ('45' in answer))\n    return True\n"
    done = run_tries(caller, [WRONG, RIGHT], "--judge", "judge.py", "--timeout", "900", files=[("judge.py", code)])
    assert (done.code, done.answer) == (0, "The sum is 55."), done.text
    assert tree(done) == (2, [("stopped", None), ("judged", 1.0)])


@pytest.mark.by_turns
def test_who_wins_early_stops_the_others(caller):
    done = run_tries(caller, [SLOW, RIGHT, SLOW], "--judge", "judge.py", "--timeout", "900",
                     files=[("judge.py", "def judge(answer):\n    return True\n")])
    assert (done.code, done.answer) == (0, "The sum is 55.")
    assert tree(done) == (2, [("stopped", None), ("judged", 1.0), ("stopped", None)])


@pytest.mark.by_turns
def test_tests_as_the_judge_keep_the_solution_that_passes(caller):
    good, bad = ("```python\nopen('solution.py', 'w').write('def add(a, b):\\n    return a %s b\\n')\n```" % sign for sign in "+-")
    (caller.home / "test_add.py").write_text("from solution import add\n\ndef test_two():\n    assert add(2, 3) == 5\n")
    done = run_tries(caller, [[bad, bad], [good], [bad, bad]], "--tests", caller.home / "test_add.py", "--max-steps", "2",
                     "--out", caller.home / "out")
    assert done.code == 0, done.text
    assert tree(done)[0] == 2
    assert (caller.home / "out/solution.py").read_text() == "def add(a, b):\n    return a + b\n"


@pytest.mark.by_turns
def test_the_schema_as_the_judge(caller):
    number, text = ["```python\nx = sum(range(base)); final_answer({'sum': x})\n```"], ["```python\nfinal_answer({'sum': 'many'})\n```"] * 2
    schema = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}
    done = run_tries(caller, [text, number], "--judge", "schema", "--schema", caller.home / "schema.json", "--max-steps", "2",
                     files=[("schema.json", json.dumps(schema))])
    assert (done.code, json.loads(done.answer)) == (0, {"sum": 55}), done.text
    assert tree(done)[0] == 2


@pytest.mark.by_turns
def test_what_was_prepared_is_there_in_every_try_and_stays_apart(caller):
    # Every try finds the file, changes its own copy of it, and sees no change of another.
    code = "```python\nn = int(open('data.txt').read()) + base\nopen('data.txt', 'w').write(str(n)); print('n', n)\n```"
    done = run_tries(caller, [[code, "It is {{n}}."]] * 3, "--file", caller.home / "data.txt", files=[("data.txt", "100")])
    assert (done.code, done.answer) == (0, "It is 111."), done.text
    assert [one["answer"] for one in done.of("tries")[0]["tries"] if "answer" in one][:2] == ["It is 111."] * 2


@pytest.mark.by_turns
def test_the_record_has_the_tree_and_replays(caller):
    done = run_tries(caller, [WRONG, RIGHT])  # of two none is stopped because the other has won
    (event,) = done.of("tries")
    record = Record(caller, caller.home / ".local/state/retort", event["tries"][event["kept"] - 1]["session"])
    noted = [note for note in record.notes if note["event"] == "tries"]
    assert [note["tries"] for note in noted] == [event["tries"]]
    assert json.loads(record.run("replay", "--json", record.session))["equal"]
    page = record.run("export", record.session, "--html", "-")
    assert "judged by vote" in page and "The sum is 45." in page and "The sum is 55." in page
    for one in event["tries"]:
        verdict = json.loads(record.run("verify", "--json", one["session"]))
        assert verdict["verdict"] == "ok", verdict


@pytest.mark.by_turns
def test_several_tries_go_on_in_an_earlier_session(caller):
    cassette = caller.home / "more.jsonl"
    replies = [RIGHT[0].replace("base", "11"), RIGHT[1], "```python\ny = x + 1\nprint('more', y)\n```", "One more is {{y}}."]
    cassette.write_text("".join(json.dumps({"match": {"turn": turn}, "reply": {"text": text}}) + "\n" for turn, text in enumerate(replies, 1)))
    first = Outcome(caller.run("agent", TASK, "--json", "--cassette", cassette))
    session = first.of("plan")[0]["session"]
    done = Outcome(caller.run("agent", "And one more?", "--json", "--continue", session, "--best-of", "2", "--cassette", cassette))
    assert (done.code, done.answer) == (0, "One more is 56."), done.text
    sessions = json.loads(Record(caller, caller.home / ".local/state/retort", session).run("log", "--json"))
    assert [one["state"] for one in sessions if session in (one["session"], one["parent"])] == ["closed"] * 3


@pytest.mark.parametrize("budget, stop", [(("--max-tokens", "200"), "tokens"), (("--max-time", "0.2"), "wall")])
def test_budgets_are_those_of_all_tries_together(light, budget, stop):
    with FakeModel([{"text": "```python\nimport time; time.sleep(0.05); print(len('x' * %d))\n```" % 7}]) as model:
        done = Outcome(light.run("agent", TASK, "--json", "--best-of", "4", "--base-url", model.url, "--model", "m", *budget,
                                 "--no-record"))
        assert (done.code, done.stop) == (4, stop), done.text
        spent = sum(one["tokens"] for one in done.of("tries")[0]["tries"])
        assert spent == 42 * len([event for event in done.of("model") if "usage" in event])
        if stop == "tokens":
            # Each of the four that were on their way when it was used up may end; none begins afterwards.
            assert 200 <= spent < 200 + 4 * 42


def test_the_replies_are_asked_for_side_by_side_and_a_cassette_keeps_them(light, tmp_path):
    cassette = tmp_path / "recorded.jsonl"
    script = [{"text": "```python\nx = sum(range(11)); print('sum', x)\n```"}] * 4 + [{"text": "The sum is {{x}}."}]
    with FakeModel(script) as model:
        model.delay = 0.3
        arguments = ("agent", TASK, "--json", "--best-of", "4", "--judge", "vote", "--cassette", cassette, "--no-record")
        first = Outcome(light.run(*arguments, "--base-url", model.url, "--model", "m"))
        tasks = [request["body"]["messages"][1]["content"] for request in model.requests[:4]]
    assert (first.code, first.answer) == (0, "The sum is 55."), first.text
    assert len(set(tasks)) == 4 and sorted("Try" in task for task in tasks) == [False, True, True, True]
    again = Outcome(light.run(*arguments))
    assert (again.code, again.answer) == (0, "The sum is 55."), again.text


def test_over_rpc_the_branch_that_was_kept_is_the_clients(light):
    server = rpc.Server(light)
    replies = [{"try": number, "text": text.replace("base", "11")} for number, skill in enumerate([WRONG, RIGHT, RIGHT], 1)
               for text in skill]
    done = server.call("agent.run", task=TASK, replies=replies, best_of=3)
    assert (done["answer"], done["verified"], len(done["tries"])) == ("The sum is 55.", True, 3), done
    assert [one["session"] for one in server.call("session.list")["sessions"]] == [done["session"]]
    value = server.call("session.execute", session=done["session"], code="x")["value"]["text/plain"]
    assert value == "55"
    for params, message in (({"best_of": 99}, "at most"), ({"judge": "vote"}, "best_of"), ({"best_of": 2, "judge": "schema"}, "schema")):
        with pytest.raises(rpc.Failure, match=message):
            server.call("agent.run", task=TASK, replies=replies, **params)
    assert server.close() == 0


def test_tools_of_the_session_answer_in_every_try(light):
    server = rpc.Server(light)
    session, asked = server.session().id, []
    server.tools["price"] = lambda item: asked.append(item) or 40
    server.call("tools.register", session=session, tools=[{"name": "price", "parameters": rpc.schema_of(server.tools["price"])}])
    replies = [{"try": number, "text": text} for number in (1, 2) for text in (
        "```python\nimport tools\nx = tools.price(item='%d') + 2; print('sum', x)\n```" % number, "The sum is {{x}}.")]
    done = server.call("agent.run", session=session, task=TASK, replies=replies, best_of=2)
    assert done["answer"] == "The sum is 42.", done
    assert sorted(asked) == ["1", "2"]
    # The branch that was kept is as good a place for the tool as the session was.
    cell = server.call("session.execute", session=done["session"], code="tools.price(item='3')")
    assert cell["value"]["text/plain"] == "40" and asked[-1] == "3"
    assert server.close() == 0


@pytest.mark.parametrize("arguments, message", [
    (("--judge", "vote"), "--judge needs --best-of"), (("--best-of", "17"), "at most 16"),
    (("--best-of", "2", "--judge", "tests"), "needs --tests"), (("--best-of", "2", "--judge", "schema"), "needs --schema"),
    (("--best-of", "2", "--judge", "coin"), "does not know 'coin'"), (("--best-of", "2", "--judge", "./none.py"), "No such file")])
def test_what_is_asked_wrongly_is_told(light, arguments, message):
    done = light.run("agent", TASK, *arguments)
    assert done.returncode == 125 and message in done.stderr.decode()

ENDLESS = {"loops": "def judge(answer):\n    print('judging', flush=True)\n    while True: pass\n",
           "defies": "def judge(answer):\n    while True:\n        try:\n            while True: pass\n        except BaseException:\n            pass\n",
           "at once": "while True: pass\n"}


@pytest.mark.by_turns
@pytest.mark.parametrize("way", ENDLESS)
@pytest.mark.few(1)
def test_a_judge_can_be_cancelled(caller, way):
    (caller.home / "judge.py").write_text(ENDLESS[way])
    cassette = write_tries(caller, [RIGHT, RIGHT])
    process = caller.popen("agent", TASK, "--json", "--best-of", "2", "--judge", caller.home / "judge.py", "--timeout", "900", "--cassette", cassette,
                           "--no-record", stdout=-1, stderr=-1)
    seen = []
    while sum(event["event"] == "stop" for event in seen) < 2:  # both tries have their answers: the judge is at work
        seen.append(json.loads(process.stdout.readline()))
    process.send_signal(signal.SIGINT)
    rest = [json.loads(line) for line in process.stdout]
    assert process.wait() == 3, rest
    (tried,) = [event for event in rest if event["event"] == "tries"]
    assert [one["verdict"] for one in tried["tries"]] == ["failed", "failed"]
    assert rest[-1]["event"] == "stop" and [event["answer"] for event in rest if event["event"] == "final"] == ["The sum is 55."]


@pytest.mark.parametrize("way", ENDLESS)
def test_a_client_can_cancel_a_judge(light, way):
    server = rpc.Server(light)
    replies = [{"try": number, "text": text.replace("base", "11")} for number in (1, 2) for text in RIGHT]
    running = server.start("agent.run", task=TASK, replies=replies, best_of=2, judge=ENDLESS[way], limits={"timeout": 900})
    end = time.monotonic() + rpc.PATIENCE
    while len([params for method, params in list(server.notes) if method == "agent.event" and params["event"]["event"] == "stop"]) < 2:
        assert time.monotonic() < end
        time.sleep(0.01)
    (session,) = {params["session"] for method, params in server.notes if method == "agent.event" and params["event"]["event"] == "plan"}
    assert server.call("session.interrupt", session=session) == {"interrupted": True}
    done = running.answer()
    assert ([one["verdict"] for one in done["tries"]], done["answer"], done["verified"]) == (["failed", "failed"], "The sum is 55.", False)
    assert server.close() == 0
