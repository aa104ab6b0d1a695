"""Skills in runs of the agent: what is kept from one run is used in a later one, and its answers are evidence."""
import json

import pytest
import skillsets
from agents import Outcome, Record
from fake_model import FakeModel

LOAN = ("from skills import loan_schedule\nplan = loan_schedule(principal=120000, rate=0.12, months=2)\n"
        "print('interest in cents', plan['interest'])")


@pytest.fixture
def caller(light_caller):
    yield light_caller
    skillsets.clear(light_caller)


def play(caller, task, replies, *arguments):
    cassette = caller.home / "skills.jsonl"
    cassette.write_text("".join(json.dumps({"match": {"turn": turn}, "reply": {"text": text}}) + "\n"
                                for turn, text in enumerate(replies, 1)))
    return Outcome(caller.run("agent", task, "--json", "--cassette", cassette, *arguments))


def fenced(code):
    return f"```python\n{code}\n```"


@pytest.mark.by_turns
@pytest.mark.few
def test_a_skill_is_found_and_used_and_proves_its_numbers(caller):
    for name in ("loan-schedule", "date-ranges"):
        skillsets.told(caller, "add", skillsets.example(caller, name))
    done = play(caller, "How much interest is paid for a mortgage of 1200 over two months at 12 %?",
                [fenced(LOAN), "The interest is 1803 cents."], "--skills")
    assert (done.stop, done.statuses, done.verdicts()["1803"]) == ("answered", ["ok"], "grounded"), done.text
    record = Record(caller, caller.home / skillsets.STATE, done.of("plan")[0]["session"])
    calls = [entry for entry in record.entries if "skills.loan-schedule@1.loan_schedule" in json.dumps(entry)]
    assert calls
    assert skillsets.told(caller, "show", "loan-schedule")["versions"][0]["uses"] == 1
    assert json.loads(record.run("replay", "--json", record.session))["equal"]
    assert record.run("verify", record.session)


@pytest.mark.by_turns
def test_skills_that_are_named_and_their_text(caller):
    skillsets.told(caller, "add", skillsets.example(caller, "loan-schedule"))
    code = "import skills\nprint(skills.loan_schedule.text.splitlines()[1])\nassert not hasattr(skills, 'date_ranges')"
    done = play(caller, "Say which skill there is.", [fenced(code), "It is loan-schedule."], "--skill", "loan-schedule@1")
    assert done.statuses == ["ok"] and "name: loan-schedule" in done.text, done.text
    missing = play(caller, "Say it.", ["No."], "--skill", "triple")
    assert missing.code == 125 and "there is no skill triple" in missing.text


def test_the_rules_of_a_run_hold_for_its_skills(caller):
    look = "import os\ndef proxy(x):\n    return str(x) if x else str('http_proxy' in os.environ)\n"
    tests = [{"in": {"x": 3}, "out": "3"}, {"in": {"x": -1}, "out": "-1"}]
    skillsets.told(caller, "add", skillsets.folder(caller, "proxy", look, capabilities={"network": ["a.test"]}, tests=tests))
    code = fenced("from skills import proxy\nprint('network', proxy(0))")
    for allowed, found in (("b.test", "False"), ("*.test", "True")):
        done = play(caller, "Is there a network?", [code, "It was looked at."], "--skill", "proxy", "--allow", allowed)
        assert done.statuses == ["ok"] and f"network {found}" in done.text, done.text


@pytest.mark.by_turns
def test_tries_share_a_skill(caller):
    skillsets.told(caller, "add", skillsets.example(caller, "loan-schedule"))
    cassette = caller.home / "tries.jsonl"
    lines = [{"match": {"turn": turn}, "reply": {"text": text}} for turn, text in
             enumerate([fenced(LOAN), "The interest is 1803 cents."], 1)] * 2
    cassette.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = Outcome(caller.run("agent", "Interest?", "--json", "--best-of", "2", "--cassette", cassette, "--skill", "loan-schedule"))
    assert "1803" in done.answer, done.text


@pytest.mark.by_turns
@pytest.mark.few
def test_the_prompt_has_names_and_descriptions_and_not_more(caller):
    for name in ("loan-schedule", "date-ranges", "csv-reader"):
        skillsets.told(caller, "add", skillsets.example(caller, name))
    with FakeModel([{"text": "There is nothing to do."}]) as model:
        caller.run("agent", "Read a bank's CSV export", "--json", "--skills", "--model", "m", "--base-url", model.url,
                   env={"OPENAI_API_KEY": "k"})
    prompt = model.requests[0]["body"]["messages"][0]["content"]
    assert "- skills.csv_reader(text): Reads CSV text of unknown origin" in prompt
    assert "Windows-1252" not in prompt and "def csv_reader" not in prompt and "interest" not in prompt
