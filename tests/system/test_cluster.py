"""`retort serve --cluster`: sessions in a log that NATS keeps, served by any node, and alive after one has died."""
import base64
import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import threading

import pytest

import clustered
from clustered import Nats, Node, Raw, Refused, fill, small_disk, text, until
from serving import serving

pytestmark = [pytest.mark.skipif(not clustered.SERVER, reason="nats-server is not installed"), pytest.mark.by_turns]


@pytest.fixture(scope="module")
def caller(light_caller):
    return light_caller


@pytest.fixture(scope="module")
def nats():
    servers = Nats()
    yield servers
    servers.close()


@pytest.fixture
def nodes(caller, nats):
    """nodes(…): another node of the cluster."""
    with clustered.cluster(caller, nats) as make:
        yield make


def test_a_session_goes_on_when_its_node_was_killed(nodes):
    one, two = nodes(), nodes()
    session = one.session()
    one.run(session, "x = 20")
    one.run(session, "open('a', 'w').write('kept'); y = 1")
    one.kill()
    assert text(two.run(session, "x + y, open('a').read()")) == "(21, 'kept')"
    assert two.call("ledger.verify", session=session)["sound"]


def test_any_node_serves_any_session(nodes):
    one, two = nodes(), nodes()
    session = one.session()
    assert text(two.run(session, "a = 6; a * 7")) == "42"
    assert text(one.run(session, "a")) == "6"
    assert two.call("session.info", session=session)["cells"] == 2
    two.call("files.write", session=session, path="f", base64="eA==")
    assert text(one.run(session, "open('f').read()")) == "'x'"
    assert "retort_cluster_forwarded_total 3\n" in two.get("/metrics")[1]
    assert "retort_cluster_taken_total 0\n" in two.get("/metrics")[1]


def test_large_calls_and_answers_are_passed_on_whole(nodes):
    one, two = nodes(), nodes()
    session = one.session()
    data = "ab" * 1_000_000
    assert text(two.run(session, f"x = '{data}'; len(x)")) == "2000000"
    two.run(session, "open('big', 'w').write(x)")
    assert two.call("files.read", session=session, path="big")["size"] == 2_000_000


def test_a_paused_owner_cannot_write_and_says_so(nodes):
    one, two = nodes(), nodes()
    session = one.session()
    one.run(session, "n = 1")
    one.signal(signal.SIGSTOP)
    # The first node still has the session when it is paused, and another one must wait until its lease has lapsed.
    assert text(two.run(session, "n += 1; n")) == "2"
    one.signal(signal.SIGCONT)
    # Whatever the first node answers now comes from where the session is.
    assert text(until(lambda: answered(one, session, "n += 1; n"))) == "3"
    assert two.call("ledger.verify", session=session)["sound"]
    assert "retort_cluster_taken_total 0\n" in one.get("/metrics")[1]


def test_a_paused_owner_shows_nothing_old(nodes):
    """Reading needs no entry of the log: the node that wakes up has to ask first whether it still has the session."""
    one, two = nodes(), nodes()
    sessions = [one.session() for _ in range(3)]
    for session in sessions:
        one.call("files.write", session=session, path="f", base64="b2xk")
    one.signal(signal.SIGSTOP)
    for session in sessions[:2]:
        two.run(session, "open('f', 'w').write('new')")
    one.signal(signal.SIGCONT)
    until(lambda: one.get("/healthz")[0] == 200)
    assert one.call("files.read", session=sessions[0], path="f")["base64"] == "bmV3"
    assert one.get(f"/files/{sessions[1]}/f") == (200, "new")
    assert one.call("files.read", session=sessions[2], path="f")["base64"] == "b2xk"


def test_what_others_have_taken_ends_on_the_node_that_wakes_up(nodes):
    one, two = nodes(), nodes()
    taken, kept = one.session(), one.session()
    one.run(kept, "n = 1")
    one.signal(signal.SIGSTOP)
    two.run(taken, "n = 2")
    one.signal(signal.SIGCONT)
    until(lambda: on_node(one) == [kept])
    assert text(two.run(taken, "n")) == "2" and text(one.run(kept, "n")) == "1"


def answered(node, session, code, **params):
    with contextlib.suppress(Refused):
        return node.run(session, code, **params)
    return None


def test_a_cell_that_ran_while_its_session_was_taken_is_not_answered_as_done(nodes):
    """The owner is paused in the middle of a cell; when it wakes up, the cell ends, and its outcome is refused."""
    one, two = nodes(), nodes()
    session = one.session()
    one.run(session, "n = 1")
    heard = []

    def run():
        try:
            heard.append(one.run(session, "import time; time.sleep(3); n = 100"))
        except Refused as why:
            heard.append(why)
    thread, before = threading.Thread(target=run), one.acknowledged()
    thread.start()
    until(lambda: one.acknowledged() > before)  # that it was begun
    one.signal(signal.SIGSTOP)
    assert text(two.run(session, "n")) == "1"
    one.signal(signal.SIGCONT)
    thread.join()
    assert isinstance(heard[0], Refused), heard
    assert heard[0].error["code"] == -32012
    kinds = [entry["kind"] for entry in two.call("ledger.list", session=session)["entries"]]
    outcomes = [entry["body"] for entry in two.call("ledger.list", session=session)["entries"] if entry["kind"] == "cell_outcome"]
    assert [o["status"] for o in outcomes] == ["ok", "lost", "ok"], kinds
    assert text(one.run(session, "n")) == "1"


@pytest.mark.few
def test_files_and_branches_come_along(nodes):
    one, two = nodes(), nodes()
    session = one.session()
    one.run(session, "import hashlib, os; data = os.urandom(3_000_000); open('big', 'wb').write(data); s = hashlib.sha256(data).hexdigest()")
    branch, = one.call("session.branch", session=session)["sessions"]
    one.run(branch, "only = 'here'")
    one.run(branch, "print('x' * 200_000)")
    one.kill()
    assert text(two.run(branch, "only, hashlib.sha256(open('big', 'rb').read()).hexdigest() == s")) == "('here', True)"
    assert text(two.run(session, "'only' in globals(), hashlib.sha256(open('big', 'rb').read()).hexdigest() == s")) == "(False, True)"
    for one_of in (session, branch):
        assert two.call("ledger.verify", session=one_of)["sound"]


def flip(nats, server, data):
    """One byte of these wherever a server of NATS has them on its disk: in the stream, and where it is newer in the log of its peers, too."""
    flipped = 0
    for block in (nats.dir / str(server)).glob("jetstream/**/msgs/*.blk"):
        found = block.read_bytes().find(data)
        if found >= 0:
            with open(block, "r+b") as file:
                file.seek(found + 7)
                file.write(bytes([data[7] ^ 1]))
            flipped += 1
    assert flipped, "the bytes are not there"


def leader(caller, nats):
    """Which server gives the bytes."""
    told = caller.run("cluster", "status", "--json", "--cluster", nats.urls, "--cluster-name", "tests").stdout
    replicas = json.loads(told or "{}").get("bytes", {}).get("replicas", [])
    return replicas and all(r["current"] for r in replicas) and replicas[0]["server"]


def test_a_flipped_byte_is_refused_and_comes_from_another_server(nodes, caller):
    nats = Nats(3)
    try:
        one, two, three = (nodes(servers=nats, replicas=3) for _ in range(3))
        session, data = one.session(), os.urandom(3_000_000)
        one.call("files.write", session=session, path="f", base64=base64.b64encode(data).decode())
        for i in range(3):  # they hold what they have just written in memory, too
            until(lambda: leader(caller, nats))
            nats.kill(i)
            nats.start(i)
        bad = int(until(lambda: leader(caller, nats))[1:])
        flip(nats, bad, data[2_000_000:2_000_100])
        one.kill()
        assert until(lambda: answered(two, session, "__import__('hashlib').sha256(open('f', 'rb').read()).hexdigest()")
                     )["value"]["text/plain"] == repr(hashlib.sha256(data).hexdigest())
        assert "retort_cluster_refetched_total 0\n" not in two.get("/metrics")[1]
        others = {0, 1, 2} - {bad}
        for i in others:  # both, before one starts: it would have the bytes from the other again
            nats.kill(i)
        for i in others:
            flip(nats, i, data[2_000_000:2_000_100])
            nats.start(i)
        two.kill()
        until(lambda: refused(three, session, "other bytes than|does not have the bytes"))
    finally:
        nats.close()


@pytest.mark.few
def test_a_large_file_outlives_its_node(nodes, count):
    one, two = nodes(), nodes()
    session, size = one.session(limits={"disk": 1 << 30}), count(20, 200) * 1_000_000
    one.run(session, f"import os, hashlib; data = os.urandom({size}); open('f', 'wb').write(data); s = hashlib.sha256(data).hexdigest()",
            limits={"timeout": 300}, timeout=900)
    one.kill()
    assert text(two.run(session, "data = None; s == hashlib.sha256(open('f', 'rb').read()).hexdigest()", limits={"timeout": 300},
                        request="same", timeout=900)) == "True"
    assert two.call("ledger.verify", session=session)["sound"]


def test_rules_for_the_network_hold_on_the_node_that_takes_over(nodes, caller):
    """What a client chose of them is on record with the session."""
    rules = caller.home / "rules.json"
    rules.write_text('{"rules": [{"host": "a.example"}, {"host": "b.example"}]}')
    rules.chmod(0o644)
    one, two = nodes("--network", rules), nodes("--network", rules)
    session = one.session(network=["a.example"])
    reach = """
import urllib.request
def reach(host):
    try:
        urllib.request.urlopen(f"http://{host}/", timeout=5)
    except Exception as why:
        return repr(why)
reach("b.example"), reach("c.example"), reach("a.example") == reach("b.example")"""
    before = text(one.run(session, reach))
    one.kill()
    assert text(two.run(session, "reach('b.example'), reach('c.example'), reach('a.example') == reach('b.example')")) == before
    assert "may not connect to b.example" in before and before.endswith("False)"), before


def test_a_node_that_ends_gives_its_sessions_up_at_once(nodes):
    one, two = nodes(lease=600), nodes(lease=600)
    sessions = [one.session() for _ in range(3)]
    for i, session in enumerate(sessions):
        one.run(session, f"n = {i}")
    one.signal(signal.SIGTERM)
    assert one.process.wait(60) == 0
    for i, session in enumerate(sessions):
        assert text(two.run(session, "n")) == str(i)


def test_a_closed_session_is_closed_everywhere(nodes):
    one, two = nodes(), nodes()
    session = one.session()
    one.run(session, "n = 5")
    two.call("session.close", session=session)
    for node in (one, two):
        with pytest.raises(Refused, match="no such session"):
            node.run(session, "n")
    two.call("session.resume", session=session)
    assert text(one.run(session, "n")) == "5"


def test_a_session_belongs_to_its_token_on_every_node(nodes, caller, tmp_path):
    tokens = caller.home / "cluster-tokens"
    tokens.write_text("alice-has-a-long-token name=alice sessions=1\nbob-has-a-long-token-too name=bob\n")
    one = nodes("--token-file", tokens, token="alice-has-a-long-token")
    two = nodes("--token-file", tokens, token="bob-has-a-long-token-too")
    session = one.session()
    one.run(session, "n = 1")
    with pytest.raises(Refused, match="no such session"):
        two.run(session, "n")
    one.kill()
    until(lambda: refused(two, session, "no such session"))
    two.token = one.token
    assert text(two.run(session, "n")) == "1"


def refused(node, session, words):
    with pytest.raises(Refused) as why:
        node.run(session, "n")
    return re.search(words, str(why.value))


def test_without_the_log_nothing_is_acknowledged(caller, nodes):
    servers = Nats()
    try:
        node = nodes(servers=servers)
        session = node.session()
        node.run(session, "n = 1")
        assert node.get("/healthz") == (200, '{"status":"ok"}\n')
        servers.kill(0)
        until(lambda: node.get("/healthz") == (503, '{"status":"no quorum"}\n'))
        assert "retort_cluster_quorum 0\n" in node.get("/metrics")[1]
        with pytest.raises(Refused, match="cannot reach the cluster's log|log has not acknowledged"):
            node.run(session, "n = 2")  # at first it still waits for an answer, for as long as its lease lasts
        with pytest.raises(Refused, match="cannot reach the cluster's log"):
            node.session()
        servers.start(0)
        until(lambda: node.get("/healthz")[0] == 200)
        assert text(until(lambda: answered(node, session, "n"))) == "1"
    finally:
        servers.close()


@pytest.mark.as_root  # mounts a small disk
def test_what_a_full_disk_kept_from_the_log_is_not_answered_as_done(nodes, light):
    with contextlib.ExitStack() as stack:
        node = Node(light, nodes().nats, home=small_disk(stack, light, "60m"))
        stack.callback(node.close)
        session = node.session()
        node.run(session, "n = 1")
        filler = fill(node.home)
        names = [f"r{i}" for i in range(5)]
        done = [answered(node, session, "n += 1; print('x' * 20_000)", request=name) for name in names]
        filler.unlink()
        assert None in done
        again = [until(lambda name=name: answered(node, session, "n += 1", request=name)) for name in names]
        for before, after in zip(done, again):
            assert before is None or before["status"] == after["status"], (before, after)
        ran = [result for result in again if result["status"] == "ok"]
        assert text(node.run(session, "n")) == str(1 + len(ran))
        assert node.call("ledger.verify", session=session)["sound"]


def test_nobody_comes_in_without_the_token(caller, nodes, nats):
    servers = Nats(extra='authorization { token: "a-secret-for-nodes" }')
    try:
        done = caller.run("serve", "--no-auth", "--listen", "127.0.0.1:0", "--cluster", servers.urls,
                          env={"RETORT_STATE": str(caller.home / "refused")})
        assert done.returncode == 125 and b"NATS refuses this node" in done.stderr, done.stderr
        secret = caller.home / "nats-token"
        secret.write_text("a-secret-for-nodes\n")
        node = nodes("--cluster-token-file", secret, servers=servers)
        assert text(node.run(node.session(), "1")) == "1"
    finally:
        servers.close()


def certificate(place, name, authority=None, host="127.0.0.1"):
    """NAME.pem and NAME.key, made by an authority, or by itself."""
    made = ["-keyout", place / f"{name}.key", "-out", place / f"{name}.pem", "-subj", f"/CN={name}"]
    by = ["-CA", place / f"{authority}.pem", "-CAkey", place / f"{authority}.key"] if authority else []
    extra = ["-addext", f"subjectAltName=IP:{host}"] if authority else []
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    *made, *by, *extra], check=True, capture_output=True)
    for kind in ("key", "pem"):
        (place / f"{name}.{kind}").chmod(0o644)


def test_tls_lets_in_who_has_a_certificate_and_nobody_else(caller, nodes):
    place = caller.home / "tls"
    place.mkdir(exist_ok=True)
    place.chmod(0o755)
    for name in ("authority", "stranger"):
        certificate(place, name)
    certificate(place, "server", "authority")
    certificate(place, "node", "authority")
    certificate(place, "guest", "stranger")
    servers = Nats(extra=f'tls {{ cert_file: "{place}/server.pem", key_file: "{place}/server.key", '
                         f'ca_file: "{place}/authority.pem", verify: true }}')

    def words(authority, name):
        return ("--cluster-ca", place / f"{authority}.pem", "--cluster-cert", place / f"{name}.pem", "--cluster-key", place / f"{name}.key")
    try:
        node = nodes(*words("authority", "node"), servers=servers)
        assert text(node.run(node.session(), "1")) == "1"
        certificate(place, "server", "authority", host="10.1.2.3")
        other = Nats(extra=f'tls {{ cert_file: "{place}/server.pem", key_file: "{place}/server.key" }}')
        try:
            done = caller.run("serve", "--no-auth", "--listen", "127.0.0.1:0", "--cluster", other.urls, *words("authority", "node"),
                              env={"RETORT_STATE": str(caller.home / "refused")}, timeout=30)
            assert done.returncode == 125 and b"NATS" in done.stderr, done.stderr
        finally:
            other.close()
        for wrong in (words("authority", "guest"), words("stranger", "node"), ("--cluster-ca", place / "authority.pem"), ()):
            done = caller.run("serve", "--no-auth", "--listen", "127.0.0.1:0", "--cluster", servers.urls, *wrong,
                              env={"RETORT_STATE": str(caller.home / "refused")})
            assert done.returncode == 125 and b"NATS" in done.stderr, (wrong, done.stderr)
    finally:
        servers.close()


@pytest.mark.parametrize("words, why", [
    (["--cluster-name", "a.b"], b"--cluster-name wants"), (["--replicas", "9"], b"--replicas: NATS has at most 5"),
    (["--lease", "0.1"], b"--lease wants"), (["--cluster-cert", "x"], b"belong together"),
    (["--cluster-token-file", "/nonexistent"], b"cannot read /nonexistent"),
])
def test_options_that_make_no_sense_are_refused(caller, words, why):
    done = caller.run("serve", "--no-auth", "--listen", "127.0.0.1:0", "--cluster", "nats://127.0.0.1:1", *words,
                      env={"RETORT_STATE": str(caller.home / "refused")})
    assert done.returncode == 125 and why in done.stderr, done.stderr


def test_all_nodes_have_the_lease_of_the_first(nodes):
    def leases(*made):
        return [next(e["lease"] for e in node.events() if e["event"] == "cluster") for node in made]
    servers = Nats()
    try:
        one, two = nodes(lease=3, servers=servers), nodes(lease=600, servers=servers)
        assert leases(one, two) == [3, 3]
        one.close()
        two.close()
        assert leases(nodes(lease=600, servers=servers)) == [600]
    finally:
        servers.close()


def test_nothing_of_nats_is_loaded_without_a_cluster(caller, nodes):
    def maps(process):
        return pathlib.Path(f"/proc/{process.pid}/maps").read_text()
    node = nodes()
    assert "retort-cluster" in maps(node.process)
    with serving(caller, "--no-auth") as server:
        assert "retort-doors" in maps(server.process)
        assert "nats" not in maps(server.process) and "retort-cluster" not in maps(server.process)


# ---- requests that are asked again ----

def test_the_same_request_is_answered_from_the_record_and_runs_once(nodes):
    one, two = nodes(), nodes()
    session = one.session()
    one.run(session, "n = 0")
    first = one.run(session, "n += 1; print('told', n); n", request="r-1")
    for node in (one, two):
        again = node.run(session, "n += 1; print('told', n); n", request="r-1")
        assert {**again, "ledger": None} == {**first, "ledger": None}
    one.kill()
    assert two.run(session, "n += 1; n", request="r-1")["value"] == first["value"]
    assert text(two.run(session, "n", request="r-2")) == "1"
    with pytest.raises(Refused, match="request must be"):
        two.run(session, "n", request="no spaces")


def test_a_cell_in_flight_when_its_node_dies_is_lost_and_not_run_again(nodes):
    one, two = nodes(), nodes()
    session = one.session()
    one.run(session, "n = 1")
    heard = []

    def run():
        try:
            heard.append(one.run(session, "n = 2; import time; time.sleep(600)", request="gone", limits={"timeout": 900}))
        except OSError as why:
            heard.append(why)
    thread, before = threading.Thread(target=run), one.acknowledged()
    thread.start()
    until(lambda: one.acknowledged() > before)  # that it was begun
    one.kill()
    thread.join()
    assert isinstance(heard[0], OSError)
    lost = two.run(session, "n = 2; import time; time.sleep(600)", request="gone")
    assert (lost["status"], lost["state"], lost["session"]) == ("lost", "rolled_back", session)
    assert text(two.run(session, "n")) == "1"
    assert two.call("ledger.verify", session=session)["sound"]


def test_of_two_messages_for_one_place_the_first_counts(nodes, nats):
    """A log whose servers elect a leader may take both: here the second is the first once more, put there by hand."""
    one, two = nodes(), nodes()
    session = one.session()
    one.run(session, "n = 1")
    raw, subject = Raw(nats.ports[0]), f"retort.tests.log.{session}"
    last = raw.ask("$JS.API.STREAM.MSG.GET.RETORT-tests-LOG", json.dumps({"last_by_subj": subject}).encode())
    raw.publish(subject, base64.b64decode(last["message"]["data"]))
    one.kill()
    assert text(two.run(session, "n += 1; n")) == "2"
    assert two.call("ledger.verify", session=session)["sound"]


def test_a_cell_that_ends_soon_is_one_message(nodes):
    """What announces it goes with its outcome. One that takes longer is announced, so that there are two."""
    one, two = nodes(), nodes()
    session = one.session()
    one.run(session, "n = 0")

    def messages(code):
        before, _ = one.acknowledged()
        assert one.run(session, code)["status"] == "ok"
        return one.acknowledged()[0] - before
    until(lambda: messages("n += 1") == 1)
    assert messages("import time; time.sleep(0.5)") == 2
    done = text(one.run(session, "n"))
    one.kill()
    assert text(two.run(session, "n")) == done
    assert two.call("ledger.verify", session=session)["sound"]


def test_a_call_that_waits_at_a_node_that_dies_is_answered_by_the_next(nodes):
    """Passed on to a node that is paused, and then killed: whether it was begun is in the log."""
    one, two = nodes(), nodes()
    session = one.session()
    one.run(session, "n = 1")
    heard = []
    one.signal(signal.SIGSTOP)
    thread = threading.Thread(target=lambda: heard.append(two.run(session, "n += 1; n")))
    thread.start()
    one.kill()
    thread.join()
    assert text(heard[0]) == "2"


def test_who_asks_while_a_session_is_being_brought_back_waits_for_it(nodes):
    """Its cells run again, which takes as long as they do."""
    one, two, three = nodes(), nodes(), nodes()
    session = one.session()
    one.run(session, "import time; n = 1; time.sleep(4)")
    one.kill()
    heard = []
    thread = threading.Thread(target=lambda: heard.append(two.run(session, "n += 1; n")))
    thread.start()
    until(lambda: "retort_cluster_taken_total 1\n" in two.get("/metrics")[1])
    told = sorted([text(two.run(session, "n += 1; n")), text(three.run(session, "n += 1; n"))])
    thread.join()
    assert sorted([text(heard[0]), *told]) == ["2", "3", "4"]


# ---- other doors, placement ----

def test_files_and_events_are_those_of_the_node_that_has_the_session(nodes):
    one, two = nodes(), nodes()
    session = one.session()
    one.run(session, "open('a b', 'w').write('by the other door'); n = 3")
    assert two.get(f"/files/{session}/a%20b") == (200, "by the other door")
    link = http.client.HTTPConnection("127.0.0.1", two.port, timeout=60)
    link.request("GET", f"/events?session={session}")
    events = link.getresponse()
    one.run(session, "print('heard', n)")
    seen = ""
    while "heard 3" not in seen:
        seen += events.readline().decode()
    link.close()
    assert "retort_cluster_taken_total 0\n" in two.get("/metrics")[1]
    assert two.get("/files/s_nowhere/a")[0] == 404
    one.kill()
    assert until(lambda: two.get(f"/files/{session}/a%20b")[0] == 200)
    assert text(two.run(session, "n")) == "3"


def listed(node):
    return sorted(s["session"] for s in node.call("session.list")["sessions"])


def test_a_node_knows_at_once_who_was_there_before(nodes):
    one = nodes(lease=600)  # its next lease is told in minutes
    session = one.session()
    assert listed(nodes(lease=600)) == [session]


def acquainted(*made):
    """A session of each node, which all of them list: what a node that has just started says is not heard in the same instant."""
    sessions = [node.session() for node in made]
    for node in made:
        until(lambda node=node: listed(node) == sorted(sessions))
    return sessions


def test_new_sessions_go_where_there_is_room(nodes):
    one, two = nodes(), nodes()
    acquainted(one, two)
    for _ in range(30):
        one.session()
    have = [len(on_node(node)) for node in (one, two)]
    assert sum(have) == 32 and have[1] >= 10, have


def on_node(node):
    return [s["session"] for s in node.call("session.list")["sessions"] if s["node"] == node.id]


def test_a_token_has_no_more_sessions_on_many_nodes_than_on_one(nodes, caller):
    tokens = caller.home / "few-tokens"
    tokens.write_text("alice-has-a-long-token name=alice sessions=3\n")
    made = [nodes("--token-file", tokens, token="alice-has-a-long-token") for _ in range(2)]
    sessions = acquainted(*made)
    sessions.append(made[0].session())
    for node in made:
        with pytest.raises(Refused, match="at most 3 sessions"):
            node.session()
        assert listed(node) == sorted(sessions)
    made[1].call("session.close", session=sessions[0])
    until(lambda: len(made[1].call("session.list")["sessions"]) == 2)
    made[1].session()


# ---- the command ----

def test_the_command_tells_of_nodes_and_ends_one(nodes, caller, nats):
    one, two = nodes(lease=600), nodes(lease=600)
    session = one.session()
    one.run(session, "n = 7")
    where = ("--cluster", nats.urls, "--cluster-name", "tests")
    told = json.loads(caller.run("cluster", "status", "--json", *where).stdout)
    assert {one.id, two.id} <= {node["node"] for node in told["nodes"]}
    assert told["log"]["messages"] >= 3 and told["log"]["replicas"] == []
    plain = caller.run("cluster", "status", *where).stdout.decode()
    assert one.id in plain and "log: " in plain
    assert caller.run("cluster", "drain", one.id, *where).returncode == 0
    assert one.process.wait(60) == 0
    assert text(two.run(session, "n")) == "7"
    done = caller.run("cluster", "drain", one.id, *where)
    assert done.returncode == 125 and b"no node" in done.stderr


def test_a_forgotten_session_is_nowhere(nodes, caller, nats):
    one, two = nodes(), nodes()
    session = one.session()
    one.run(session, "open('big', 'wb').write(bytes(1_000_000)); n = 1")
    where = ("--cluster", nats.urls, "--cluster-name", "tests")
    assert caller.run("cluster", "forget", session, *where).returncode == 0
    with pytest.raises(Refused):  # the log does not stand where the node believed: it gives the session up
        one.run(session, "n")
    for node in (one, two):
        with pytest.raises(Refused, match="no such session"):
            node.run(session, "n")
    done = caller.run("cluster", "forget", session, *where)
    assert done.returncode == 125 and b"no session" in done.stderr


@pytest.mark.parametrize("words", [(), ("walk",), ("drain",), ("drain", "a.b"), ("status", "--cluster", "nats://127.0.0.1:1")])
def test_the_command_says_what_is_wrong(caller, words):
    done = caller.run("cluster", *words)
    assert done.returncode == 125 and done.stderr.startswith(b"retort: cluster"), done.stderr


# ---- what is told while a cell runs ----

class Lines:
    """A client of a node's Unix socket, which hears of what happens meanwhile."""

    def __init__(self, path):
        self.link = socket.socket(socket.AF_UNIX)
        self.link.settimeout(60)
        self.link.connect(str(path))
        self.file, self.last = self.link.makefile("rw"), 0

    def send(self, method, **params):
        self.last += 1
        self.file.write(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}) + "\n")
        self.file.flush()

    def read(self):
        return json.loads(self.file.readline())

    def call(self, method, **params):
        self.send(method, **params)
        return self.read()["result"]


@pytest.fixture
def lines(nodes, caller):
    """lines(): a node, and a client of its socket."""
    with contextlib.ExitStack() as stack:
        def make():
            place = caller.home / f"socket-{random.randrange(1 << 30)}"
            place.mkdir()
            place.chmod(0o777)  # a server of root listens as nobody
            path = place / "s"
            node = nodes(f"--socket={path}")
            client = Lines(path)
            stack.callback(client.link.close)
            return node, client
        yield make


TOOL = [{"name": "price", "description": "What it costs.", "parameters": {"type": "object", "properties": {"of": {"type": "string"}}}}]


def test_output_and_calls_of_tools_come_back_from_the_node_that_runs_the_cell(lines):
    (one, first), (_two, second) = lines(), lines()
    session = first.call("session.create")["session"]
    assert second.call("tools.register", session=session, tools=TOOL) == {"tools": 1}
    second.send("session.execute", session=session, code="print('asking'); tools.price(of='tea') * 2")
    told = second.read()
    assert (told["method"], told["params"]["text"], told["params"]["session"]) == ("session.output", "asking\n", session)
    asked = second.read()
    assert (asked["method"], asked["params"]["arguments"]) == ("tools.call", {"of": "tea"})
    assert asked["params"]["call"].endswith("@" + one.id)
    second.send("tools.result", call=asked["params"]["call"], result=21)
    answers = {}
    while len(answers) < 2:
        answer = second.read()
        if "id" in answer:
            answers[answer["id"]] = answer["result"]
    assert {"accepted": True} in answers.values()
    assert [a["value"] for a in answers.values() if "value" in a] == [{"text/plain": "42"}]


@pytest.mark.parametrize("before", [True, False], ids=["gone", "going"])
def test_who_answers_for_a_tool_is_told_that_the_node_that_waited_is_gone(lines, before):
    (one, first), (_two, second) = lines(), lines()
    session = first.call("session.create")["session"]
    second.call("tools.register", session=session, tools=TOOL)
    second.send("session.execute", session=session, code="tools.price(of='tea')", request="asked")
    asked = second.read()
    if before:
        one.kill()
    else:
        one.signal(signal.SIGSTOP)
    second.send("tools.result", call=asked["params"]["call"], result=21)
    one.kill()
    answers = {}
    while len(answers) < 2:
        answer = second.read()
        answers[answer["id"]] = answer
    refused, lost = answers[second.last], answers[second.last - 1]
    assert "the node whose cell waited for it is gone" in refused["error"]["message"]
    assert (lost["result"]["status"], lost["result"]["state"]) == ("lost", "rolled_back")
