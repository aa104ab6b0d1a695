"""The schema that an answer has to fit: checked strictly, and looked at before the model is asked."""
import json

import pytest
import rpc
from agents import run_agent


@pytest.fixture(scope="module")
def retort(light):
    return light


REPLIES = [{"text": "```python\nprint('é' * 3)\n```"}, {"text": "Final answer: {\"name\": \"ééé\"}"}]


def named(**schema):
    return {"type": "object", "properties": {"name": schema}, "required": ["name"]}


@pytest.mark.parametrize("schema, keyword", [
    ({"type": [1]}, "type"), ({"type": "text"}, "type"), ({"required": [1]}, "required"),
    (named(pattern="a+"), "pattern"), ({"$ref": "#/x"}, "$ref"), ({"anyOf": [{"if": True}]}, "if")])
def test_a_schema_that_cannot_be_checked_is_refused_and_the_server_lives(retort, schema, keyword):
    server = rpc.Server(retort)
    done = server.call("agent.run", task="Name?", replies=REPLIES, schema=schema, record=False)
    assert done["stop"] == "input" and f"the schema keyword {keyword} " in done["message"]
    assert done["steps"] == 0
    done = server.call("agent.run", task="Name?", replies=REPLIES, schema=named(minLength=3, maxLength=3), record=False)
    assert (done["stop"], done["verified"]) == ("answered", True), done
    assert server.close() == 0


@pytest.mark.parametrize("schema, fits", [
    (named(exclusiveMinimum=3), True), (named(maxLength=2), False), (named(anyOf=[{"type": "null"}, {"const": "ééé"}]), True),
    (named(**{"not": {"type": "string"}}), False), ({"type": "array"}, False)])
def test_every_keyword_counts(retort, schema, fits):
    server = rpc.Server(retort)
    done = server.call("agent.run", task="Name?", replies=REPLIES, schema=schema, record=False, max_steps=2)
    assert (done["answer"], done["verified"]) == ("{\"name\": \"ééé\"}", fits)
    assert server.close() == 0


@pytest.mark.parametrize("text, told", [("{\"type\": [1]}", "type"), ("{\"type\": ", "line 1"), ("[]", "object")])
def test_on_the_command_line_it_is_an_input_error_before_any_reply(retort, tmp_path, text, told):
    schema, cassette = tmp_path / "schema.json", tmp_path / "none.jsonl"
    schema.write_text(text)
    cassette.write_text("".join(json.dumps({"match": {}, "reply": reply}) + "\n" for reply in REPLIES))
    done = run_agent(retort, "Name?", "--cassette", cassette, "--schema", schema, "--no-record")
    assert (done.code, done.stop, done.of("model")) == (125, "input", [])
    assert told in done.of("stop")[-1]["message"]
