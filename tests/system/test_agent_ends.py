"""However a run ends, its last answer and its files are there; and the same answer again is noticed at once."""
import json

import pytest
import rpc
from agents import Record, run_agent
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
