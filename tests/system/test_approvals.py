"""Calls of tools that somebody has to allow: nothing is called before."""
import time

import pytest
import rpc

PAY = {"name": "pay", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}, "approval": "ask"}
CODE = "import tools\ntry:\n    print(tools.pay('ann'))\nexcept tools.ToolError as e:\n    print('refused:', e)"


@pytest.fixture
def server(light_caller):
    server = rpc.Server(light_caller)
    yield server
    assert server.close() == 0


def begin(server, **limits):
    """A session whose code calls a tool; what the tool got, and the answer that is still to come."""
    session, paid = server.session(limits=limits).id, []
    server.tools["pay"] = lambda to: paid.append(to) or "paid " + to
    server.call("tools.register", session=session, tools=[PAY])
    return session, paid, server.start("session.execute", session=session, code=CODE)


def asked(server):
    """The newest question, once it has come."""
    end = time.monotonic() + rpc.PATIENCE
    while time.monotonic() < end:
        found = [params for method, params in server.notes if method == "tools.approval"]
        if found:
            return found[-1]
        time.sleep(0.01)
    raise AssertionError("nobody was asked")


@pytest.mark.by_turns
@pytest.mark.parametrize("decision, printed, paid_to", [
    ({"allow": True, "by": "ann"}, "paid ann\n", ["ann"]), ({"allow": False}, "refused: the call was not allowed\n", []),
    ({"allow": False, "reason": "too late"}, "refused: the call was not allowed: too late\n", [])])
def test_a_call_is_made_when_it_was_allowed_and_only_then(server, decision, printed, paid_to):
    session, paid, running = begin(server)
    question = asked(server)
    assert (question["name"], question["arguments"], paid) == ("pay", {"to": "ann"}, [])
    with pytest.raises(rpc.Failure, match="no such tool call"):
        server.call("tools.result", call=question["call"], result="paid by nobody")  # an answer is no consent
    assert server.call("tools.approve", call=question["call"], **decision) == {"accepted": True}
    assert (running.answer()["stdout"], paid) == (printed, paid_to)
    with pytest.raises(rpc.Failure, match="waits for a decision"):
        server.call("tools.approve", call=question["call"], allow=True)  # twice
    assert paid == paid_to


@pytest.mark.by_turns
def test_nobody_decides_in_time_or_the_session_ends(server):
    session, paid, running = begin(server, timeout=1)
    question = asked(server)
    assert running.answer()["status"] == "timeout" and paid == []
    with pytest.raises(rpc.Failure, match="waits for a decision"):
        server.call("tools.approve", call=question["call"], allow=True)
    server.notes.clear()
    session, paid, running = begin(server)
    asked(server)
    server.call("session.interrupt", session=session)
    done = running.answer()  # the code may still say that its call has failed
    assert done["status"] in ("interrupted", "ok") and "paid" not in done["stdout"] and paid == []


@pytest.mark.by_turns
def test_the_record_says_who_decided_what(server, light_caller):
    session, _, running = begin(server)
    server.call("tools.approve", call=asked(server)["call"], allow=True, by="ann of accounting")
    running.answer()
    entries = server.call("ledger.list", session=session)["entries"]
    (note,) = [entry["event"] for entry in entries if entry["kind"] == "note"]
    assert (note["verdict"], note["by"], note["name"], note["arguments"]) == ("allowed", "ann of accounting", "pay", {"to": "ann"})


def test_a_client_that_leaves_has_allowed_nothing(light):
    server = rpc.Server(light)
    session, paid, running = begin(server)
    asked(server)
    assert server.close() == 0
    assert "the client has gone" in running.answer()["stdout"] and paid == []


def test_a_tool_that_nobody_has_to_allow_is_called_at_once_and_words_are_checked(server):
    session = server.session().id
    server.tools["pay"] = lambda to: "paid " + to
    server.call("tools.register", session=session, tools=[{**PAY, "approval": "none"}])
    assert server.call("session.execute", session=session, code=CODE)["stdout"] == "paid ann\n"
    with pytest.raises(rpc.Failure):
        server.call("tools.register", session=session, tools=[{**PAY, "approval": "perhaps"}])
