"""The agent against a model server on this machine: both protocols, streamed, with faults."""
import json
import os
import pathlib
import stat
import subprocess
import time

import pytest
from agents import Record, run_agent
from fake_model import FakeModel

KEY = "sk-test-0123456789abcdef"
CODE = {"name": "run_python", "arguments": {"code": "print('product', 6 * 7)"}}
ASK, ANSWER = {"text": "I compute it.", "calls": [CODE]}, {"text": "The product is 42."}


@pytest.fixture(scope="module")
def retort(light):
    return light


def ask(retort, api, script, *arguments, key=KEY):
    with FakeModel(script) as model:
        environment = {"OPENAI_API_KEY": key, "ANTHROPIC_API_KEY": key}
        done = run_agent(retort, "What is six times seven?", "--api", api, "--base-url", model.url, "--model", "fake",
                         *arguments, env=environment)
    done.requests = model.requests
    return done


@pytest.fixture(params=["openai", "anthropic"])
def api(request):
    return request.param


def test_conversation(retort, api):
    done = ask(retort, api, [ASK, ANSWER])
    assert (done.code, done.answer) == (0, "The product is 42.")
    assert len(done.requests) == 2
    assert "".join(event["delta"] for event in done.of("model") if "delta" in event) == (
        "I compute it.The product is 42.")
    assert done.of("model")[-1]["usage"] == {"prompt_tokens": 30, "completion_tokens": 12}
    last = done.requests[1]["body"]["messages"][-1]
    assert "product 42" in str(last) and ("tool_call_id" in last or last["content"][0]["type"] == "tool_result")


@pytest.mark.parametrize("fault", ["429", "500", "529", "cut", "malformed", "dropped", "error_after_200"])
def test_faults_that_pass(retort, api, fault):
    done = ask(retort, api, [{**ASK, "fault": fault}, ASK, {**ANSWER, "fault": fault}, ANSWER])
    assert (done.code, done.answer) == (0, "The product is 42."), done.text
    assert len(done.requests) == 4
    assert len([event for event in done.of("model") if "retry" in event]) == 2


@pytest.mark.parametrize("fault, name", [("bad_key", "bad_key"), ("unknown_model", "unknown_model"),
                                         ("overflow", "context_overflow")])
def test_faults_that_stay_are_not_retried(retort, api, fault, name):
    ends_at_once(ask(retort, api, [{"fault": fault}]), name)


def test_used_up_quota_is_not_retried(retort):
    """OpenAI's status is that of a passing overload; Anthropic has one of its own."""
    ends_at_once(ask(retort, "openai", [{"fault": "quota"}]), "quota")


def ends_at_once(done, name):
    assert (done.code, done.stop) == (4, "model")
    assert done.of("stop")[-1]["message"].startswith(name)
    assert len(done.requests) == 1


def test_retries_end(retort, api):
    done = ask(retort, api, [{"fault": "500"}])
    assert (done.code, done.stop) == (4, "model")
    assert len(done.requests) == 3


def test_retry_after_is_honoured(retort):
    done = ask(retort, "openai", [{"fault": "429", "retry_after": 1}, ASK, ANSWER])
    assert [event["wait"] for event in done.of("model") if "retry" in event] == [1.0]


def test_refusal(retort, api):
    done = ask(retort, api, [{"text": "I will not.", "fault": "refusal"}])
    assert (done.code, done.stop) == (4, "refused")


@pytest.mark.parametrize("arguments", ["{\"code\": \"print(1", "{\"cod\": 1}", "[]"])
def test_wrong_arguments_are_answered_with_the_shape(retort, api, arguments):
    wrong = {"calls": [{"name": "run_python", "arguments": arguments}]}
    done = ask(retort, api, [wrong, ASK, ANSWER])
    assert (done.code, done.answer) == (0, "The product is 42.")
    assert "run_python" in str(done.requests[1]["body"]["messages"][-1])


def test_server_that_does_not_stream(retort):
    done = ask(retort, "openai", [{**ASK, "whole": True}, {**ANSWER, "whole": True}])
    assert (done.code, done.answer) == (0, "The product is 42.")


def test_server_without_tool_calls(retort):
    fenced = {"text": "```python\nprint('product', 6 * 7)\n```"}
    done = ask(retort, "openai", [{"fault": "no_tools"}, fenced, ANSWER])
    assert (done.code, done.answer) == (0, "The product is 42.")
    assert "tools" in done.requests[0]["body"] and "tools" not in done.requests[1]["body"]


def test_slow_server_and_time_budget(retort):
    done = ask(retort, "openai", [{**ASK, "pause": 0.02}, ANSWER])
    assert done.code == 0


def test_the_last_step_offers_no_tools(retort, api):
    done = ask(retort, api, [ASK, ANSWER], "--max-steps", "2")
    assert done.code == 0
    assert ["tools" in request["body"] for request in done.requests] == [True, False]


def test_no_server(retort):
    done = run_agent(retort, "Go.", "--base-url", "http://name:secret@127.0.0.1:9/v1", "--model", "fake")
    assert (done.code, done.stop) == (4, "model")
    assert done.of("stop")[-1]["message"].startswith("network: http://127.0.0.1:9/v1/chat/completions: ")
    assert "secret" not in done.text


@pytest.mark.parametrize("status, told, calls", [(502, "network: 502 Bad Gateway", 3), (504, "network: 504 Gateway Timeout", 3),
                                                 (404, "unknown_model: 404 Not Found", 1),
                                                 (301, "bad_request: 301 Moved Permanently", 1),
                                                 (200, "bad_reply: the reply is not a", 3)])
def test_a_page_of_a_proxy(retort, api, status, told, calls):
    done = ask(retort, api, [{"fault": "page", "status": status}])
    message = done.of("stop")[-1]["message"]
    assert (done.code, len(done.requests)) == (4, calls) and message.startswith(told)
    assert status == 200 or message.endswith(done.requests[0]["path"])


VARIABLES = {"openai": "OPENAI", "anthropic": "ANTHROPIC"}


def test_without_a_model_or_a_key_nothing_is_asked(retort, api):
    done = run_agent(retort, "Go.", "--api", api)
    assert (done.code, done.events) == (125, [])
    assert "no model was named: give --model NAME, or set RETORT_MODEL" in done.text
    done = run_agent(retort, "Go.", "--api", api, "--model", "fake")
    assert (done.code, done.events) == (125, [])
    assert f"set {VARIABLES[api]}_API_KEY, or name a file that holds it with --key-file" in done.text
    assert done.text.endswith("may need none)\n")


@pytest.mark.parametrize("name", ["RETORT_MODEL_URL", "BASE_URL"])
def test_the_environment_names_server_model_and_protocol(retort, api, name):
    name = f"{VARIABLES[api]}_{name}" if name == "BASE_URL" else name
    with FakeModel([ASK, ANSWER]) as model:
        env = {name: model.url, "RETORT_MODEL": "theirs", "RETORT_MODEL_API": api}
        done = run_agent(retort, "What is six times seven?", env=env)
    assert (done.code, len(model.requests)) == (0, 2), done.text
    assert model.requests[0]["body"]["model"] == "theirs"
    assert model.requests[0]["path"] == {"openai": "/v1/chat/completions", "anthropic": "/v1/messages"}[api]


def test_a_query_of_the_base_url_stays_behind_the_path(retort, api):
    """As of gateways that want a version; it may be secret, so no message shows it."""
    with FakeModel([ASK, {"fault": "page", "status": 404}]) as model:
        done = run_agent(retort, "Go.", "--api", api, "--base-url", model.url + "/?version=secret", "--model", "fake")
    path = {"openai": "/v1/chat/completions", "anthropic": "/v1/messages"}[api]
    assert [request["path"] for request in model.requests] == [path + "?version=secret"] * 2
    assert done.of("stop")[-1]["message"].endswith(path) and "secret" not in done.text


def test_an_option_wins_over_the_environment(retort):
    with FakeModel([ASK, ANSWER]) as model:
        env = {"RETORT_MODEL_URL": "http://127.0.0.1:9/v1", "RETORT_MODEL": "theirs", "RETORT_MODEL_API": "anthropic"}
        done = run_agent(retort, "Six times seven?", "--base-url", model.url, "--model", "mine", "--api", "openai", env=env)
    assert done.code == 0 and model.requests[0]["body"]["model"] == "mine"
    done = run_agent(retort, "Go.", env={"RETORT_MODEL_API": "openia"})
    assert done.code == 125 and "RETORT_MODEL_API has to be openai or anthropic" in done.text


def test_the_key_shows_up_nowhere(retort, api, tmp_path):
    state = tmp_path / "state"
    with FakeModel([{**ASK, "pause": 0.05}, {"fault": "bad_key"}]) as model:
        environment = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "RETORT_STATE": str(state)}
        process = retort.popen("agent", "Go.", "--json", "--api", api, "--base-url", model.url, "--model", "fake",
                               env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not model.requests:
            time.sleep(0.01)
        processes = pathlib.Path("/proc").glob("[0-9]*")
        for about in processes:
            for name in ("cmdline", "environ"):
                try:
                    seen = (about / name).read_bytes()
                except OSError:
                    continue
                if str(about.name) == str(process.pid) or name == "cmdline":
                    used = "OPENAI_API_KEY" if api == "openai" else "ANTHROPIC_API_KEY"
                    assert f"{used}={KEY}".encode() not in seen
        out, err = process.communicate()
    sent = str(model.requests[0]["headers"])
    assert KEY in sent
    assert KEY.encode() not in out + err
    record = Record(retort, state, json.loads(out.splitlines()[0])["session"])
    assert [note["event"] for note in record.notes][-2:] == ["stop", "conversation"]
    assert "bad_key" in record.export("html")  # below `state`, and so looked into with the rest
    for path in state.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes()


def test_a_key_that_the_server_writes_into_replies(retort, api, tmp_path):
    """In portions of seven letters, into text and code: neither events nor record nor cassette show it."""
    state, cassette = tmp_path / "state", tmp_path / "cassette"
    said = f"Your key is {KEY}, isn't it? {KEY[:9]}"
    call = {"name": "run_python", "arguments": {"code": f"key = '{KEY}'\nprint(6 * 7, key)"}}
    with FakeModel([{"text": said, "calls": [call]}, {"text": f"The product is 42, {KEY}."}]) as model:
        environment = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "RETORT_STATE": str(state)}
        done = run_agent(retort, "Six times seven?", "--api", api, "--base-url", model.url, "--model", "fake",
                         "--cassette", cassette, env=environment)
    stars = "*" * len(KEY)
    assert done.answer == f"The product is 42, {stars}." and KEY not in done.text
    deltas = "".join(event["delta"] for event in done.of("model") if "delta" in event)
    assert deltas == f"Your key is {stars}, isn't it? {KEY[:9]}The product is 42, {stars}."
    assert done.of("observation")[0]["result"]["stdout"] == f"42 {stars}\n"
    assert KEY not in json.dumps(model.requests[1]["body"])
    Record(retort, state, done.of("plan")[0]["session"]).export("html")
    for path in [cassette, *state.rglob("*")]:
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("length", [280, 285, 290])
def test_a_key_in_a_message_that_is_cut(retort, length):
    done = ask(retort, "openai", [{"fault": "bad_key", "message": "x" * length + " KEY"}])
    assert done.stop == "model" and KEY[:4] not in done.text


@pytest.mark.parametrize("length", [298, 299, 300, 301, 302])
@pytest.mark.few(1)
def test_long_messages_are_cut_between_characters(retort, length):
    done = ask(retort, "openai", [{"fault": "bad_key", "message": "x" * length + "é€😀" * 9}])
    assert (done.code, done.stop) == (4, "model")
    refusal = ask(retort, "openai", [{"text": "x" * (length - 10) + "é€😀" * 9, "fault": "refusal"}])
    assert (refusal.code, refusal.stop) == (4, "refused")


def test_key_from_a_file(retort, tmp_path):
    path = tmp_path / "key"
    path.write_text("file-key-123\n")
    done = ask(retort, "openai", [ASK, ANSWER], "--key-file", path)
    assert done.code == 0
    assert done.requests[0]["headers"]["Authorization"] == "Bearer file-key-123"


def test_recording_and_replaying_a_cassette(retort, api, tmp_path):
    cassette = tmp_path / "tape.jsonl"
    first = ask(retort, api, [ASK, ANSWER], "--cassette", cassette)
    assert (first.code, len(first.requests)) == (0, 2)
    second = ask(retort, api, [{"fault": "500"}], "--cassette", cassette)
    assert (second.code, second.answer, len(second.requests)) == (0, "The product is 42.", 0)
    assert KEY not in cassette.read_text()
