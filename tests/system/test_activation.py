"""Sockets that a service manager opened: `retort serve` takes them, checks them as if they had been given by address, and
leaves them to the manager at its end."""
import contextlib
import fcntl
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

import pytest

# Root's server becomes somebody else, and makes its state where everybody may go.
STATE = f"{tempfile.gettempdir()}/retort-activation-state"
# The manager's part: descriptors from 3 on, and the number of the very process that is to take them.
HAND_OVER = 'i=3; for fd in $FDS; do eval "exec $i<&$fd"; i=$((i + 1)); done; LISTEN_FDS=${COUNT:-$((i - 3))} ' \
            'LISTEN_PID=${FOR:-$$} exec "$@"'


@pytest.fixture(scope="module")
def retort(light):
    return light


@pytest.fixture
def listening():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


@pytest.fixture
def path(retort):
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        name = retort.home / "given"
        listener.bind(str(name))
        stack.callback(name.unlink)
        listener.listen()
        yield listener, name


@pytest.fixture(scope="module", autouse=True)
def state():
    yield
    shutil.rmtree(STATE, ignore_errors=True)


def start(retort, sockets, *options, **env):
    # Beyond the descriptors that the shell will hand over, so that none is overwritten before it is copied.
    fds = [fcntl.fcntl(s.fileno(), fcntl.F_DUPFD, 20) for s in sockets]
    words = retort.command("bash", "-c", HAND_OVER, "manager", retort.retort, "serve", *options)
    env = retort.environment(FDS=" ".join(map(str, fds)), RETORT_STATE=STATE, **env)
    process = subprocess.Popen(words, env=env, pass_fds=fds, cwd=retort.home, stdin=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    for fd in fds:
        os.close(fd)
    return process


@contextlib.contextmanager
def serving(retort, sockets, *options, **env):
    process = start(retort, sockets, *options, **env)
    log = []
    thread = threading.Thread(target=lambda: log.extend(process.stderr))
    thread.start()
    try:
        yield process, log
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        thread.join()
    assert process.returncode == 0, log


def health(listener):
    connection = http.client.HTTPConnection(*listener.getsockname(), timeout=60)
    connection.request("GET", "/healthz")
    return connection.getresponse().status


def server_info(name):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(str(name))
        lines = connection.makefile("rw")
        lines.write('{"jsonrpc":"2.0","id":1,"method":"server.info"}\n')
        lines.flush()
        return json.loads(lines.readline())["result"]["name"]


def test_both_sockets_are_served_and_are_left_alone_at_the_end(retort, listening, path):
    listener, name = path
    with serving(retort, [listener, listening], "--no-auth") as (_, log):
        assert health(listening) == 200
        assert server_info(name) == "retort"
    told = [json.loads(line) for line in log]
    assert [t["socket"] for t in told if "socket" in t] == [str(name)]
    assert [t["port"] for t in told if "port" in t] == [listening.getsockname()[1]]
    # The next server takes the same ones: a client that came in between has waited.
    assert name.is_socket()
    with serving(retort, [listener, listening], "--no-auth"):
        assert server_info(name) == "retort"


def test_a_unix_socket_alone_opens_no_port(retort, path):
    with serving(retort, [path[0]]) as (_, log):
        assert server_info(path[1]) == "retort"
    assert [line for line in log if '"port"' in line] == []


@pytest.mark.as_root
def test_the_supervisor_does_not_inherit_them(retort, listening, path):
    inodes = {os.fstat(s.fileno()).st_ino for s in (listening, path[0])}
    with serving(retort, [path[0], listening], "--no-auth") as (process, _):
        assert health(listening) == 200
        held = {pid for pid in [process.pid, *descendants(process.pid)] if inodes & set(socket_inodes(pid))}
    assert held == {process.pid}


def descendants(pid):
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False).stdout
    return [p for child in map(int, children.split()) for p in (child, *descendants(child))]


def socket_inodes(pid):
    for fd in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(OSError):
            yield os.stat(f"/proc/{pid}/fd/{fd}").st_ino


def refusal(retort, sockets, *options, **env):
    process = start(retort, sockets, *options, **env)
    message = process.communicate(timeout=60)[1]
    return process.returncode, message


def test_a_given_port_is_as_guarded_as_any(retort, listening):
    status, message = refusal(retort, [listening])
    assert (status, "give --token-file FILE, or --no-auth" in message) == (125, True), message


def test_given_addresses_beyond_the_loopback_want_tls(retort):
    with socket.create_server(("0.0.0.0", 0)) as listener:
        status, message = refusal(retort, [listener], "--no-auth")
    assert (status, "--no-auth is for loopback addresses only" in message) == (125, True), message


@pytest.mark.parametrize("options, message", [
    (["--listen", "127.0.0.1:0"], "one address for HTTP, please"), (["--socket", "elsewhere"], "one Unix socket, please")])
def test_one_of_each_kind(retort, listening, path, options, message):
    status, said = refusal(retort, [listening, path[0]], "--no-auth", *options)
    assert (status, message in said) == (125, True), said


def test_what_does_not_listen_is_refused(retort):
    with socket.socket() as unbound:
        status, message = refusal(retort, [unbound], "--no-auth")
    assert (status, "descriptor 3 is no listening stream socket" in message) == (125, True), message


def test_more_than_were_given(retort, listening):
    status, message = refusal(retort, [listening], "--no-auth", COUNT="3")
    assert status == 125 and "handed over to listen on: Bad file descriptor" in message
    status, message = refusal(retort, [listening], "--no-auth", COUNT="1000000")
    assert status == 125 and "LISTEN_FDS says more than 16" in message


def test_those_of_another_process_are_not_taken(retort, path):
    status, message = refusal(retort, [path[0]], FOR="1")
    assert (status, "give --token-file FILE" in message) == (125, True), message
