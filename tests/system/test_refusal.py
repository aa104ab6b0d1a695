"""Isolation never degrades silently: a core layer that cannot be had ends the run before it began, unless it was given
up by name; the reinforcements that an ordinary user may lack are listed, or refused with --strict."""
import json

import pytest
from unavailable import ENOSYS, EPERM, LANDLOCK, SECCOMP, in_user_namespace, with_refused

CANARY = "it ran"
CODE = f"print('{CANARY}')"


def refused(done, layer):
    assert done.returncode == 125, done
    assert CANARY.encode() not in done.stdout
    assert len(done.stderr.splitlines()) == 1
    assert f"setup_failed: layer {layer}: ".encode() in done.stderr
    return done.stderr.decode()


def test_strict_is_refused_where_a_reinforcement_is_missing(caller):
    missing = caller.result("pass")["isolation"]["missing"]
    done = caller.run("run", "--strict", "-c", CODE)
    if missing:
        refused(done, missing[0])
        assert set(missing) <= {"cgroup", "uid"}
    else:
        assert (done.returncode, done.stdout) == (0, f"{CANARY}\n".encode())


def test_strict_with_json(caller):
    usual = caller.result("pass")
    missing = usual["isolation"]["missing"]
    done = caller.run("run", "--strict", "--json", "-c", CODE)
    result = json.loads(done.stdout)
    assert list(result) == list(usual) and list(result["resources"]) == list(usual["resources"])
    if missing:
        assert (done.returncode, result["status"], result["error"]["layer"]) == (125, "setup_failed", missing[0])
        assert "run as root" in result["error"]["message"] or "start" in result["error"]["message"]
    else:
        assert (done.returncode, result["status"]) == (0, "ok")


def test_strict_goes_without_what_was_given_up_by_name(caller):
    missing = caller.result("pass")["isolation"]["missing"]
    done = caller.run("run", "--strict", "--allow-missing", "cgroup", "--allow-missing", "uid", "--json", "-c", CODE)
    result = json.loads(done.stdout)
    assert (done.returncode, result["status"]) == (0, "ok")
    assert result["isolation"]["missing"] == missing


@pytest.mark.parametrize("language", ["python", "bash", "javascript"])
def test_strict_in_every_language(caller, language):
    missing = caller.result("pass")["isolation"]["missing"]
    code = {"python": CODE, "bash": f"echo {CANARY}", "javascript": f"console.log('{CANARY}')"}[language]
    done = caller.run("run", "--strict", "-l", language, "-c", code)
    if missing:
        refused(done, missing[0])
    else:
        assert (done.returncode, done.stdout) == (0, f"{CANARY}\n".encode())


@pytest.mark.parametrize("layer", ["nonsense", "", "USER", "seccomp,net"])
def test_an_unknown_layer_cannot_be_given_up(caller, layer):
    done = caller.run("run", "--allow-missing", layer, "-c", CODE)
    assert (done.returncode, done.stdout) == (125, b"")
    assert b"unknown layer" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("layer", ["user", "mount", "pid"])
def test_layers_without_which_there_is_no_session(caller, layer):
    done = caller.run("run", "--allow-missing", layer, "-c", CODE)
    assert (done.returncode, done.stdout) == (125, b"")
    assert layer.encode() in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("layer", ["net", "ipc", "uts", "seccomp", "landlock", "caps", "nnp", "cgroup", "uid"])
def test_what_was_given_up_is_there_all_the_same_where_it_can_be(caller, layer):
    without = caller.result("pass")["isolation"]
    assert caller.result("pass", "--allow-missing", layer)["isolation"] == without


@pytest.mark.parametrize("kind", ["net", "ipc", "uts"])
def test_a_namespace_that_cannot_be_had(caller, kind):
    limits = {f"max_{kind}_namespaces": 0}
    refused(in_user_namespace(caller, limits, "run", "-c", CODE, times=2), kind)
    other = "uts" if kind == "net" else "net"
    refused(in_user_namespace(caller, limits, "run", "--allow-missing", other, "-c", CODE, times=2), kind)
    words = ["run", "--json", "--allow-missing", kind, "--allow-missing", other, "-c", CODE]
    done = in_user_namespace(caller, limits, *words, times=2)
    result = json.loads(done.stdout)
    assert (done.returncode, result["stdout"]) == (0, f"{CANARY}\n")
    assert kind in result["isolation"]["missing"]
    assert other in result["isolation"]["layers"]


def test_no_user_namespaces(caller):
    message = refused(in_user_namespace(caller, {"max_user_namespaces": 0}, "run", "-c", CODE), "user")
    assert "namespace" in message


def test_landlock_that_a_filter_forbids(caller):
    forbidden = dict.fromkeys(LANDLOCK, EPERM)
    refused(with_refused(caller, forbidden, "run", "-c", CODE), "landlock")
    done = with_refused(caller, forbidden, "run", "--json", "--allow-missing", "landlock", "-c", CODE)
    result = json.loads(done.stdout)
    assert (done.returncode, result["stdout"]) == (0, f"{CANARY}\n")
    assert "landlock" in result["isolation"]["missing"]
    recorded = with_refused(caller, forbidden, "run", "--record", "--allow-missing", "landlock", "-c", CODE)
    session = recorded.stderr.decode().split()[-1]
    again = with_refused(caller, forbidden, "replay", session)
    assert again.returncode == 0, "what was given up for a session is given up for its replay"


def test_a_kernel_without_landlock_is_said_to_be_one(caller):
    done = with_refused(caller, dict.fromkeys(LANDLOCK, ENOSYS), "run", "--json", "-c", CODE)
    result = json.loads(done.stdout)
    assert (done.returncode, result["stdout"]) == (0, f"{CANARY}\n")
    assert "landlock" in result["isolation"]["missing"]
    refused(with_refused(caller, dict.fromkeys(LANDLOCK, ENOSYS), "run", "--strict", "--allow-missing", "cgroup",
                         "--allow-missing", "uid", "-c", CODE), "landlock")


def test_filters_that_cannot_be_loaded(caller):
    refused(with_refused(caller, {SECCOMP: ENOSYS}, "run", "-c", CODE), "seccomp")
    done = with_refused(caller, {SECCOMP: ENOSYS}, "run", "--json", "--allow-missing", "seccomp", "-c", CODE)
    result = json.loads(done.stdout)
    assert (done.returncode, result["stdout"]) == (0, f"{CANARY}\n")
    assert "seccomp" in result["isolation"]["missing"]
