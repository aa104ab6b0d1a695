"""Many clients of one token beside those of another: who is served next, who waits, and who is told to come back."""
import threading

import pytest
from serving import Client, serving

CROWD, GUEST = "crowd-0123456789abcdef", "guest-0123456789abcdef"


@pytest.fixture
def tokens(tmp_path):
    path = tmp_path / "tokens"
    path.write_text(f"{CROWD} name=crowd admin\n{GUEST} name=guest admin\n")
    return path


def crowd_of(server, count, code):
    """Clients that each run the code in a session of their own; the answers as they come."""
    answers, clients = [], [Client(server, CROWD) for _ in range(count)]
    sessions = [client.session(language="bash") for client in clients]
    threads = [threading.Thread(target=lambda c=client, s=session: answers.append(
        c.rpc("session.execute", session=s, code=code))) for client, session in zip(clients, sessions, strict=True)]
    for thread in threads:
        thread.start()
    return answers, threads


def lane(client, name="cells"):
    return client.result("metrics")[name]


def test_a_crowd_of_one_token_does_not_keep_another_out(light, tokens, count):
    """While hundreds of its cells wait, those of the other are served at once, one after the other."""
    many = count(30, 500)
    with serving(light, "--token-file", tokens, "--at-once", "4", "--wait", "600") as server:
        guest = Client(server, GUEST)
        answers, threads = crowd_of(server, many, "sleep 0.2; echo 42")
        while lane(guest)["waiting"] < many // 2:
            pass
        session = guest.session(language="bash")
        for number in range(3):
            assert guest.run(session, f"echo {number}")["stdout"] == f"{number}\n"
        now = lane(guest)
        assert now["at_once"] == 4 and now["served"] <= 2 and now["waiting"] > 0
        for thread in threads:
            thread.join()
        assert [(status, answer["result"]["stdout"]) for status, answer in answers] == [(200, "42\n")] * many
        after = lane(guest)
        assert (after["served"], after["waiting"], after["refused_full"], after["refused_late"]) == (0, 0, 0, 0)
        assert after["served_total"] == many + 3 and after["waited_s"] > 0
        assert lane(guest, "births")["served_total"] == many + 1


def test_who_waits_too_long_is_told_when_to_come_back(light, tokens):
    with serving(light, "--token-file", tokens, "--at-once", "2", "--wait", "0.3") as server:
        client, guest = Client(server, CROWD), Client(server, GUEST)
        held, session = client.session(language="bash"), client.session(language="bash")
        running = threading.Thread(target=client.run, args=(held, "sleep 1000"))
        running.start()
        while lane(guest)["served"] < 1:
            pass
        body = ('{"jsonrpc": "2.0", "id": 1, "method": "session.execute", "params": {"session": "%s", "code": "echo"}}' % session)
        status, headers, answer = client.request("POST", "/rpc", body, {"Content-Type": "application/json"})
        assert status == 429 and 1 <= int(headers["retry-after"]) <= 60, answer
        assert b"the server is busy" in answer and b"try again in" in answer and b"-32002" in answer
        assert guest.run(guest.session(language="bash"), "echo 42")["stdout"] == "42\n"
        assert client.result("session.interrupt", session=held)["interrupted"]
        running.join()
        assert client.run(session, "echo 42")["stdout"] == "42\n"
        text = guest.request("GET", "/metrics")[2].decode()
        assert 'retort_refused_late_total{what="cells"} 1\n' in text
        assert 'retort_served_total{what="births"} 3\n' in text


def test_a_cell_that_waits_can_be_given_up(light, tokens):
    with serving(light, "--token-file", tokens, "--at-once", "2") as server:
        client = Client(server, CROWD)
        sessions = [client.session(language="bash") for _ in range(2)]
        answers = {}
        threads = [threading.Thread(target=lambda s=session: answers.update({s: client.rpc("session.execute", session=s, code="sleep 1000")}))
                   for session in sessions]
        for number, thread in enumerate(threads):
            thread.start()
            while sum(lane(client)[each] for each in ("served", "waiting")) <= number:
                pass
        assert (lane(client)["served"], lane(client)["waiting"]) == (1, 1)
        for session, thread in reversed(list(zip(sessions, threads, strict=True))):
            assert client.result("session.interrupt", session=session)["interrupted"]
            thread.join()
            assert answers[session][1]["result"]["status"] == "interrupted"
        assert client.run(sessions[1], "echo 42")["stdout"] == "42\n"
