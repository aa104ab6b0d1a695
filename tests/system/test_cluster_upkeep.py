"""What whoever runs a cluster relies on: a bounded log, nodes of several versions, credentials, a node that ends itself."""
import base64
import contextlib
import http.client
import json
import os
import signal
import subprocess
import time

import pytest

import clustered
from clustered import Nats, Node, Raw, Refused, supervisors, text, until

pytestmark = [pytest.mark.skipif(not clustered.SERVER, reason="nats-server is not installed"), pytest.mark.by_turns]


@pytest.fixture(scope="module")
def caller(light_caller):
    return light_caller


@pytest.fixture
def nats():
    servers = Nats()
    yield servers
    servers.close()


@pytest.fixture
def nodes(caller, nats):
    """nodes(…): another node of the cluster."""
    with clustered.cluster(caller, nats) as make:
        yield make


def refused_start(caller, nats, *options):
    """What a node says that does not begin."""
    done = caller.run("serve", "--no-auth", "--listen", "127.0.0.1:0", "--cluster", nats.urls, "--cluster-name", "tests", *options,
                      env={"RETORT_STATE": str(caller.home / "refused")})
    assert done.returncode == 125, done
    return done.stderr.decode()


def where(nats):
    return ("--cluster", nats.urls, "--cluster-name", "tests")


# ---- room ----

def fill_log(node, session):
    """Cells whose output goes to the log, until that refuses one: how many it took."""
    for i in range(200):
        try:
            assert node.run(session, f"n = {i + 1}; print('x' * 50_000)", request=f"r{i}")["status"] == "ok"
        except Refused as why:
            assert "the cluster's log is full" in str(why), why
            assert why.error["data"]["fault"] == "host"
            return i
    raise AssertionError("it never became full")


def after_the_full_log(node, session, done):
    """The session holds what was acknowledged, and the cell that was refused ran never, or is lost."""
    again = until(lambda: answered(node, session, "n += 100", request=f"r{done}"))
    assert again["status"] in ("lost", "ok"), again
    assert text(node.run(session, "n")) == str(done + (100 if again["status"] == "ok" else 0))
    assert node.call("ledger.verify", session=session)["sound"]


def answered(node, session, code, **params):
    with contextlib.suppress(Refused):
        return node.run(session, code, **params)
    return None


def test_a_full_log_refuses_what_is_new_and_loses_nothing(nodes, caller, nats):
    one = nodes("--log-space", 1)
    told = json.loads(caller.run("cluster", "status", "--json", *where(nats)).stdout)
    assert told["log"]["space"] == told["bytes"]["space"] == 1 << 20
    session = one.session()
    done = fill_log(one, session)
    assert done > 5
    assert "retort_cluster_full 1\n" in one.get("/metrics")[1]
    with pytest.raises(Refused, match="log is full"):
        while True:
            one.session()
    two = nodes("--log-space", 64)
    after_the_full_log(two, session, done)
    assert " of 67.1 MB" in caller.run("cluster", "status", *where(nats)).stdout.decode()


def test_a_limit_below_what_is_taken_drops_nothing(nodes):
    """The first entries of a stream are the first that NATS would drop."""
    one = nodes("--log-space", 64)
    session = one.session()
    for i in range(30):
        one.run(session, f"n = {i}; print('x' * 50_000)")
    two = nodes("--log-space", 1)
    assert "retort_cluster_full 0\n" in one.get("/metrics")[1]
    with pytest.raises(Refused, match="log is full"):
        two.session()
    last = 29
    with pytest.raises(Refused, match="log is full"):  # as soon as it has looked
        while True:
            one.run(session, f"n = {last + 1}")
            last += 1
    three = nodes("--log-space", 64)
    assert text(until(lambda: answered(three, session, "n"))) == str(last)
    assert three.call("ledger.verify", session=session)["sound"]


def limits(raw, stream):
    return raw.ask(f"$JS.API.STREAM.INFO.RETORT-tests-{stream}", b"")["config"]


def test_a_limit_that_an_older_version_told_nats_becomes_the_nodes(nodes, caller, nats):
    one = nodes()
    session = one.session()
    one.run(session, "n = 1")
    raw = Raw(nats.ports[0])
    for stream in ("LOG", "BYTES"):
        config = limits(raw, stream)
        assert config["max_bytes"] == -1
        told = raw.ask(f"$JS.API.STREAM.UPDATE.RETORT-tests-{stream}", json.dumps({**config, "max_bytes": 4 << 20}).encode())
        assert "error" not in told
    nodes()
    told = json.loads(caller.run("cluster", "status", "--json", *where(nats)).stdout)
    assert told["log"]["space"] == told["bytes"]["space"] == 4 << 20
    assert limits(raw, "LOG")["max_bytes"] == -1
    raw.link.close()


def test_what_is_forgotten_makes_room(nodes, caller, nats):
    one = nodes("--log-space", 1)
    small, large = one.session(), one.session()
    one.run(small, "n = 7")
    fill_log(one, large)
    assert caller.run("cluster", "forget", large, *where(nats)).returncode == 0
    assert text(until(lambda: answered(one, small, "n"))) == "7"
    assert "retort_cluster_full 0\n" in one.get("/metrics")[1]


def test_a_file_that_the_log_has_no_room_for_is_not_there(nodes):
    one = nodes("--log-space", 1)
    session = one.session()
    one.run(session, "n = 1")
    with pytest.raises(Refused, match="the cluster's log is full"):
        one.call("files.write", session=session, path="f", base64=base64.b64encode(os.urandom(3_000_000)).decode())
    assert text(until(lambda: answered(one, session, "n, __import__('os').path.exists('f')"))) == "(1, False)"


# ---- versions ----

@pytest.fixture
def raw(nats):
    made = []

    def publish(subject, value, rest=b""):
        made.append(Raw(nats.ports[0]))
        made[-1].publish(subject, json.dumps(value).encode() + rest)
    yield publish
    for one in made:
        one.link.close()


def lease(node, **more):
    return {"node": node, "version": "0.0.9", "sessions": 0, "most": 0, "draining": False, "lease": 600, **more}


def test_versions_that_speak_the_same_may_be_mixed(nodes, caller, nats, raw):
    one = nodes(lease=600)
    raw("retort.tests.lease.same_1", lease("same_1", protocol=2))
    two = nodes(lease=600)
    session = one.session()
    assert text(two.run(session, "6 * 7")) == "42"
    told = json.loads(caller.run("cluster", "status", "--json", *where(nats)).stdout)
    assert {n["node"]: n["version"] for n in told["nodes"]}["same_1"] == "0.0.9"
    assert {n["node"]: n.get("protocol") for n in told["nodes"]}[two.id] == 2


def test_a_node_does_not_come_in_beside_one_that_speaks_another_protocol(nodes, caller, nats, raw):
    one = nodes(lease=600)
    raw("retort.tests.lease.other_1", lease("other_1", protocol=3))
    assert "node other_1 of this cluster speaks protocol 3, this Retort 2" in refused_start(caller, nats)
    raw("retort.tests.lease.other_1", lease("other_1"))  # it did not say what it speaks
    assert "node other_1 of this cluster speaks protocol 1, this Retort 2" in refused_start(caller, nats)
    assert text(one.run(one.session(), "1")) == "1"


def test_a_call_of_a_node_that_was_not_heard_of_for_a_lease_is_not_begun(nodes, nats, raw):
    """It was under way while its node was cut off: nobody waits for it any more."""
    one = nodes(lease=600)
    head = {"v": 2, "peer": {"owner": "local", "review": "off"}, "part": 0, "last": True}
    call = {"jsonrpc": "2.0", "id": 1, "method": "session.create", "params": {}}

    def ask():
        return Raw(nats.ports[0]).ask(f"retort.tests.call.{one.id}", f"{json.dumps(head)}\n{json.dumps(call)}".encode(), "retort.tests.reply.cut_1.7")
    late = ask()
    assert late["again"] and one.call("session.list")["sessions"] == [], late
    raw("retort.tests.lease.cut_1", lease("cut_1", protocol=2))
    until(lambda: not ask().get("again"))
    assert until(lambda: one.call("session.list")["sessions"])


def test_a_session_that_a_newer_version_wrote_is_refused_by_name(nodes, raw):
    one = nodes()
    raw("retort.tests.log.s_newer", {"v": 3, "node": "newer_1", "session": "s_newer"}, b"\n")
    with pytest.raises(Refused, match="s_newer was written by a newer Retort: update this node"):
        one.run("s_newer", "1")


# ---- credentials ----

PREFIXES = {"operator": 14 << 3, "account": 0, "user": 20 << 3}


def checked(data):
    """In the letters of NATS's keys, with their check sum."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ (0x1021 if crc & 0x8000 else 0)
            crc &= 0xffff
    return base64.b32encode(data + crc.to_bytes(2, "little")).decode().rstrip("=")


def plain(value):
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


class Key:
    """One of NATS: an Ed25519 key with a kind."""

    def __init__(self, kind, place):
        self.kind, self.file = kind, place / f"{kind}-{os.urandom(4).hex()}.der"
        openssl = ["openssl", "pkey", "-inform", "DER", "-in", self.file, "-outform", "DER"]
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-outform", "DER", "-out", self.file], check=True, capture_output=True)
        self.seed = subprocess.run(openssl, check=True, capture_output=True).stdout[-32:]
        self.public = checked(bytes([PREFIXES[kind]]) + subprocess.run([*openssl, "-pubout"], check=True, capture_output=True).stdout[-32:])

    def sign(self, data):
        whole = self.file.with_suffix(".text")
        whole.write_bytes(data)
        return subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", self.file, "-in", whole],
                              check=True, capture_output=True).stdout

    def vouch(self, other, **claims):
        """A token that says what this key says of another."""
        head = {"typ": "JWT", "alg": "ed25519-nkey"}
        body = {"jti": os.urandom(8).hex(), "iat": int(time.time()), "iss": self.public, "name": other.kind, "sub": other.public,
                "nats": {**claims, "type": other.kind, "version": 2}}
        signed = ".".join(plain(json.dumps(part).encode()) for part in (head, body))
        return f"{signed}.{plain(self.sign(signed.encode()))}"

    def secret(self):
        prefix = PREFIXES[self.kind]
        return checked(bytes([(18 << 3) | prefix >> 5, (prefix & 31) << 3]) + self.seed)


ANYTHING = {**dict.fromkeys(("subs", "data", "payload", "imports", "exports", "conn", "leaf"), -1), "wildcards": True}
STREAMS = dict.fromkeys(("mem_storage", "disk_storage", "streams", "consumer"), -1)  # which the account of the servers may not have


def credentials(account, place, name):
    """The file of a user of an account."""
    user, file = Key("user", place), place / name
    file.write_text(f"-----BEGIN NATS USER JWT-----\n{account.vouch(user, pub={}, sub={}, subs=-1, data=-1, payload=-1)}\n"
                    f"------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n{user.secret()}\n------END USER NKEY SEED------\n")
    file.chmod(0o644)
    return file


def test_credentials_let_a_node_in_and_those_of_a_stranger_do_not(caller, nodes):
    place = caller.home / "creds"
    place.mkdir(exist_ok=True)
    place.chmod(0o755)
    operator, system, account, stranger = (Key(kind, place) for kind in ("operator", "account", "account", "account"))
    accounts = {system.public: operator.vouch(system, limits=ANYTHING), account.public: operator.vouch(account, limits={**ANYTHING, **STREAMS})}
    preload = ", ".join(f"{public}: {token}" for public, token in accounts.items())
    servers = Nats(extra=f"operator: {operator.vouch(operator)}\nsystem_account: {system.public}\nresolver: MEMORY\n"
                         f"resolver_preload: {{ {preload} }}\n")
    try:
        good, bad = credentials(account, place, "good.creds"), credentials(stranger, place, "bad.creds")
        one, two = nodes("--cluster-creds", good, servers=servers), nodes("--cluster-creds", good, servers=servers)
        session = one.session()
        assert text(two.run(session, "6 * 7")) == "42"
        servers.kill(0)
        servers.start(0)  # they prove who they are once more
        assert text(until(lambda: answered(one, session, "1"))) == "1"
        for wrong in (("--cluster-creds", bad), ()):
            assert "NATS refuses this node" in refused_start(caller, servers, *wrong)
        assert "NATS" in refused_start(caller, servers, "--cluster-creds", place / "nowhere.creds")
    finally:
        servers.close()


# ---- a node that ends itself ----

def unreachable(node, session):
    with contextlib.suppress(OSError, http.client.HTTPException):
        answered(node, session, "1")
        return False
    return True


@pytest.mark.as_root  # an ordinary user's server can always start another supervisor
def test_a_node_that_can_start_no_sessions_any_more_ends_with_a_status_of_its_own(light, nats):
    with contextlib.ExitStack() as stack:
        one, two = Node(light, nats), Node(light, nats)
        stack.callback(one.close)
        stack.callback(two.close)
        session = one.session()
        one.run(session, "n = 5")
        for pid in supervisors(one):  # the launcher among them
            os.kill(pid, signal.SIGKILL)
        # It notices when it needs one.
        until(lambda: unreachable(one, session) and one.process.poll() is not None)
        assert one.process.wait() == 75
        assert "start it again" in (one.home.parent / f"{one.home.name}.log").read_text()
        assert text(until(lambda: answered(two, session, "n"))) == "5"
