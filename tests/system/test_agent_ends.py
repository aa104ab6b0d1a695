"""However a run ends, its last answer and its files are there; and the same answer again is noticed at once."""
import json

import pytest
import rpc
from agents import Outcome, Record, run_agent
from fake_model import FakeModel


@pytest.fixture(scope="module")
def retort(light):
    return light


MAKE = {"text": "```python\nopen('made.txt', 'w').write('x'); print(sum(range(10)))\n```"}
WRONG = {"text": "The total is 999."}


def ask(retort, script, *arguments, env=None):
    with FakeModel(script) as model:
        done = run_agent(retort, "What is the total?", "--base-url", model.url, "--model", "m", "--key-file", "/dev/null",
                         *arguments, env=env)
        return done, model.requests


def test_a_model_that_insists_is_paid_three_times_and_its_answer_is_printed(retort, tmp_path):
    done, requests = ask(retort, [MAKE, WRONG], "--out", tmp_path / "out")
    assert (done.code, done.stop, done.answer, len(requests)) == (3, "repeat", "The total is 999.", 4)
    final = done.of("final")[-1]
    assert final["verified"] is False and [u["check"] for u in final["unproved"]] == ["numbers"]
    assert done.verdicts() == {"999": "unverified"}
    assert (tmp_path / "out" / "made.txt").read_text() == "x"
    told = [message["content"] for message in requests[-1]["body"]["messages"]]
    assert "no proof" in told[-3] and "word for word" in told[-1]


@pytest.mark.parametrize("budget, stop", [(["--max-tokens", "80"], "tokens"), (["--max-steps", "3"], "answered")])
def test_budgets(retort, tmp_path, budget, stop):
    done, _ = ask(retort, [MAKE, WRONG], "--out", tmp_path / "out", *budget)
    assert (done.code, done.stop, done.answer) == (3, stop, "The total is 999.")
    assert (tmp_path / "out" / "made.txt").exists()


def test_files_come_out_without_an_answer(retort, tmp_path):
    code = {"text": "```python\nopen('made.txt', 'w').write('x'); boom\n```"}
    done, _ = ask(retort, [code], "--out", tmp_path / "out")
    assert (done.code, done.stop, done.of("final")) == (4, "repeat", [])
    assert (tmp_path / "out" / "made.txt").read_text() == "x"


def test_for_a_person_the_answer_is_on_standard_output_and_marked_on_standard_error(retort, tmp_path):
    with FakeModel([MAKE, WRONG]) as model:
        done = retort.run("agent", "Total?", "--base-url", model.url, "--model", "m", "--key-file", "/dev/null",
                          env={"RETORT_STATE": str(tmp_path)})
    assert (done.returncode, done.stdout) == (3, b"The total is 999.\n")
    told = done.stderr.decode()
    assert "✗ 999: unverified" in told and "answer, UNVERIFIED (not proved: numbers):" in told
    session = told.split("session ")[1].split(",")[0]
    page = Record(retort, tmp_path, session).export("html")
    assert "The total is" in page and "Stopped" in page and "No answer" not in page


def test_a_client_gets_it_too(retort):
    server = rpc.Server(retort)
    done = server.call("agent.run", task="Total?", replies=[MAKE] + [WRONG] * 4, record=False)
    assert (done["stop"], done["answer"], done["verified"]) == ("repeat", "The total is 999.", False)
    assert [u["check"] for u in done["unproved"]] == ["numbers"] and done["artifacts"][0]["path"] == "made.txt"
    assert server.close() == 0


def test_an_answer_that_was_corrected_is_verified(retort):
    script = [MAKE, WRONG, WRONG, {"text": "The total is 45."}]
    done, requests = ask(retort, script)
    assert (done.code, done.answer, len(requests)) == (0, "The total is 45.", 4)
    assert json.loads(json.dumps(done.of("final")[-1]["unproved"])) == []


class Small(FakeModel):
    """A model that takes no conversation of more than 9,000 characters."""

    def step(self, body):
        return {"fault": "overflow"} if len(json.dumps(body["messages"])) > 9000 else super().step(body)


LONG = [{"text": f"```python\nprint('mark {i}', 'x' * 1500)\n```"} for i in range(1, 9)]
SEARCH = {"text": "```python\nimport glob, json\nsaid = [m for f in sorted(glob.glob('.history/*.json')) for m in json.load(open(f))]\n"
                  "marks = [i for i in range(1, 9) if any(m['role'] == 'user' and 'mark %d' % i in m['content'] for m in said)]\n"
                  "print('found', len(marks), marks == list(range(1, len(marks) + 1)))\nn = len(marks)\n```"}


def test_a_conversation_that_is_too_long_goes_into_the_session(light):
    recorded = light.home / "compacted.jsonl"
    arguments = ("agent", "Count the marks.", "--json", "--cassette", recorded)
    with Small(LONG + [SEARCH, {"text": "There are {{n}} marks."}]) as model:
        done = Outcome(light.run(*arguments, "--base-url", model.url, "--model", "m"))
        taken = [body for body in (request["body"] for request in model.requests) if len(json.dumps(body["messages"])) <= 9000]
    assert (done.code, done.stop) == (0, "answered"), done.text
    left = sum(event["messages"] for event in done.of("compaction"))
    assert len(done.of("compaction")) > 1 and left % 2 == 0
    assert done.answer == f"There are {left // 2} marks." and "True" in done.of("observation")[-2]["result"]["stdout"]
    # The last one still knows the task and a line of every step that left.
    told = taken[-1]["messages"][2]["content"]
    assert "Count the marks." in taken[-1]["messages"][1]["content"]
    assert all(f"- step {i}: print('mark {i}'" in told for i in range(1, left // 2 + 1)), told
    assert [file["path"] for file in done.of("final")[-1]["artifacts"]] == []
    again = Outcome(light.run(*arguments))
    assert (again.answer, len(again.of("compaction"))) == (done.answer, len(done.of("compaction"))), again.text


def test_no_conversation_has_more_than_400000_characters(light):
    cassette = light.home / "long replies.jsonl"
    replies = [(f"mark {i - 1}" if i > 1 else "Count", f"```python\n# {'x' * 70000}\nprint('mark {i}')\n```") for i in range(1, 9)]
    cassette.write_text("".join(json.dumps({"match": {"last": last}, "reply": {"text": text}}) + "\n"
                                for last, text in [*replies, ("mark 8", "It is done.")]))
    done = run_agent(light, "Count the marks.", "--cassette", cassette)
    assert done.answer == "It is done." and len(done.statuses) == 8, done.text
    (event,) = done.of("compaction")
    record = Record(light, light.home / ".local/state/retort", done.of("plan")[0]["session"])
    (messages,) = [note["messages"] for note in record.notes if note["event"] == "conversation"]
    assert sum(len(message["content"]) for message in messages) < 400000 and 210000 < event["characters"] < 300000


def test_a_task_that_is_too_long_by_itself_is_told(light):
    with Small([{"text": "No."}]) as model:
        done = Outcome(light.run("agent", "Count. " + "x" * 9000, "--json", "--base-url", model.url, "--model", "m", "--no-record"))
    assert (done.code, done.stop, done.of("compaction")) == (4, "model", []), done.text


def test_what_it_costs(retort, tmp_path):
    prices, state = retort.home / "prices.json", {"RETORT_STATE": str(tmp_path)}
    prices.write_text(json.dumps({"m": {"input": 1000, "output": 5000}, "small": {"input": 1, "output": 1}}))
    done, _ = ask(retort, [MAKE, {"text": "The total is 45."}], "--prices", prices, env=state)
    each = (30 * 1000 + 12 * 5000) / 1e6
    assert [event["usage"]["cost"] for event in done.of("model") if "usage" in event] == [pytest.approx(each)] * 2
    assert done.of("stop")[-1]["usage"]["cost"] == pytest.approx(2 * each)
    record = Record(retort, tmp_path, done.of("plan")[0]["session"])
    assert "30 + 12 tokens, cost 0.09" in record.run("log", record.session)
    assert "30 + 12 tokens, cost 0.09" in record.export("html")
    with FakeModel([MAKE, {"text": "The total is 45."}]) as model:
        told = retort.run("agent", "Total?", "--base-url", model.url, "--model", "m", "--key-file", "/dev/null", "--prices", prices,
                          env=state).stderr.decode()
    assert "(30 + 12 tokens, cost 0.09)" in told and "84 tokens, cost 0.18" in told


@pytest.mark.parametrize("text, words", [("[]", "no JSON object"), ('{"x": {}}', "no input and output of the model 'm'"),
                                         ('{"m": {"input": -1, "output": 1}}', "no input and output of the model 'm'")])
def test_prices_that_are_none(retort, text, words):
    prices = retort.home / "prices.json"
    prices.write_text(text)
    done = retort.run("agent", "Total?", "--base-url", "http://127.0.0.1:1", "--model", "m", "--prices", prices)
    assert done.returncode == 125 and words in done.stderr.decode()


def test_what_a_run_for_a_client_costs(retort):
    server = rpc.Server(retort)
    used = {"prompt_tokens": 30, "completion_tokens": 12}
    each, prices = (30 * 1000 + 12 * 5000) / 1e6, {"m": {"input": 1000, "output": 5000}}
    replies = [MAKE | used, {"text": "The total is 45."} | used]
    done = server.call("agent.run", task="Total?", model="m", replies=replies, prices=prices, record=False)
    assert done["answer"] == "The total is 45." and done["usage"] == {"prompt_tokens": 60, "completion_tokens": 24, "cost": pytest.approx(2 * each)}
    told = [params["event"] for method, params in server.notes if method == "agent.event" and params["session"] == done["session"]]
    assert [event["usage"]["cost"] for event in told if event["event"] == "model" and "usage" in event] == [pytest.approx(each)] * 2
    done = server.call("agent.run", task="Total?", model="m", replies=[reply | {"try": n} for n in (1, 2) for reply in replies], prices=prices,
                       best_of=2, record=False)
    assert done["usage"]["cost"] == pytest.approx(sum(row["cost"] for row in done["tries"])) and done["tries"][0]["cost"] > 0
    with pytest.raises(rpc.Failure, match="no input and output of the model 'other'"):
        server.call("agent.run", task="Total?", model="other", replies=replies, prices=prices)
    assert "cost" not in server.call("agent.run", task="Total?", model="m", replies=replies, record=False)["usage"]
    assert server.close() == 0
