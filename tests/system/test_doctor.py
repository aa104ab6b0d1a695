"""retort doctor: every layer as it is on this host, and what it says where one has been made unavailable."""
import json
import pathlib
import re

import pytest
import rpc
from unavailable import ENOSYS, EPERM, LANDLOCK, in_user_namespace, with_refused

CORE = ["user", "mount", "pid", "net", "ipc", "uts", "seccomp", "landlock", "caps", "nnp"]
REINFORCEMENTS = ["cgroup", "uid"]


def report(done):
    found = json.loads(done.stdout)
    assert found["schema"] == "retort.doctor/1"
    return found, {layer["name"]: layer for layer in found["layers"]}


def test_every_core_layer_holds_here(caller):
    done = caller.run("doctor", "--json")
    found, layers = report(done)
    assert (done.returncode, done.stderr) == (0, b"")
    assert sorted(layers) == sorted(CORE + REINFORCEMENTS)
    assert found["core"] is True
    for name in CORE:
        assert layers[name]["enforced"] is True, layers[name]
        assert layers[name]["checked"] and layers[name]["remedy"] is None
    for name in REINFORCEMENTS:
        assert layers[name]["kind"] == "reinforcement"
        assert layers[name]["enforced"] == (layers[name]["remedy"] is None)


def test_what_it_finds_is_what_results_report(caller):
    _, layers = report(caller.run("doctor", "--json"))
    isolation = caller.result("pass")["isolation"]
    assert {name for name, layer in layers.items() if layer["enforced"]} == set(isolation["layers"])
    assert {name for name, layer in layers.items() if not layer["enforced"]} == set(isolation["missing"])


def test_the_mode_is_that_of_the_caller(caller):
    found, layers = report(caller.run("doctor", "--json"))
    expected = "plain" if not layers["uid"]["enforced"] else "root" if caller.root else "subordinate"
    assert found["mode"] == expected


def test_interpreters_are_tried(caller):
    found, _ = report(caller.run("doctor", "--json"))
    versions = {one["language"]: one["version"] for one in found["interpreters"]}
    assert versions["python"] == caller.result("import platform\nprint(platform.python_version())")["stdout"].strip()
    assert re.match(r"\d+\.\d+", versions["bash"])
    assert re.match(r"\d+\.\d+", versions["javascript"])


def test_indexes_are_named_without_passwords(light):
    said = {"PIP_INDEX_URL": "https://me:hunter2@index.test/simple?a=b@c"}
    done = light.run("doctor", "--json", env=said)
    assert json.loads(done.stdout)["indexes"] == {"pip": "https://index.test/simple?a=b@c", "npm": "https://registry.npmjs.org"}
    shown = light.run("doctor", env=said).stdout.decode()
    assert "from https://index.test/simple" in shown and "hunter2" not in shown


def test_the_host_is_described(retort):
    found, _ = report(retort.run("doctor", "--json"))
    notes = {note["name"]: note for note in found["host"]}
    assert set(notes) == {"core_pattern", "ksm", "swap", "container"}
    piped = pathlib.Path("/proc/sys/kernel/core_pattern").read_text().startswith("|")
    assert notes["core_pattern"]["ok"] == (not piped)
    for note in notes.values():
        assert note["detail"] and note["ok"] == (note["remedy"] is None)


def test_accounts_are_those_of_a_session(retort, light):
    """The limits of each kind are the ones that a session with the usual limits has, in numbers and in words."""
    found, _ = report(retort.run("doctor", "--json"))
    server = rpc.Server(light)
    account = server.session(record=False).info()["account"]
    assert server.close() == 0
    assert found["account"] == {kind: entry["limit"] for kind, entry in account.items()}
    (line,) = [line for line in retort.run("doctor").stdout.decode().splitlines() if line.startswith("a session with the usual")]
    assert f"tool_calls {found['account']['tool_calls'] >> 20}, " in line
    assert f"; and has at most: descriptors {found['account']['descriptors']}, locks {found['account']['locks']}, " in line


def test_people_get_a_line_for_each_layer(caller):
    done = caller.run("doctor")
    lines = done.stdout.decode().splitlines()
    for name in CORE + REINFORCEMENTS:
        (line,) = [line for line in lines if re.match(rf"{name} +(core|reinforcement) ", line)]
        assert re.search(r" (enforced|MISSING) ", line)
    assert lines[-1] == "every core layer holds"


@pytest.mark.parametrize("arguments", [["--nonsense"], ["--json", "more"], ["more"]])
def test_bad_arguments(retort, arguments):
    done = retort.run("doctor", *arguments)
    assert (done.returncode, done.stdout) == (125, b"")
    assert len(done.stderr.splitlines()) == 1


def test_programs_that_are_not_there(retort, tmp_path):
    done = retort.run("doctor", env={"RETORT_LIBEXEC": str(tmp_path)})
    assert (done.returncode, done.stdout) == (125, b"")
    assert len(done.stderr.splitlines()) == 1


def test_what_no_layer_is_to_blame_for(retort, tmp_path):
    (tmp_path / "retort").mkdir()
    (tmp_path / "retort/config.json").write_text("no JSON")
    done = retort.run("doctor", "--json", env={"XDG_CONFIG_HOME": str(tmp_path)})
    found, layers = report(done)
    assert done.returncode == 125
    assert "config.json" in found["error"]
    assert not any(layer["enforced"] or layer["remedy"] for layer in layers.values())


# ---- with a layer made unavailable --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["net", "ipc", "uts"])
@pytest.mark.few(1)
def test_no_namespace_of_a_kind(caller, kind):
    done = in_user_namespace(caller, {f"max_{kind}_namespaces": 0}, "doctor", "--json", times=2)
    found, layers = report(done)
    assert done.returncode == 1
    assert found["core"] is False
    assert layers[kind]["enforced"] is False
    assert layers[kind]["detail"] and layers[kind]["remedy"]
    others = [name for name in CORE if name != kind]
    assert [name for name in others if not layers[name]["enforced"]] == []


def test_no_user_namespaces_at_all(caller):
    done = in_user_namespace(caller, {"max_user_namespaces": 0}, "doctor", "--json")
    found, layers = report(done)
    assert done.returncode == 1
    assert found["core"] is False
    assert not any(layer["enforced"] for layer in layers.values())
    assert layers["user"]["remedy"] == "sysctl -w user.max_user_namespaces=10000"
    assert "namespace" in layers["user"]["detail"]
    assert layers["seccomp"]["remedy"] is None  # not reached: nothing to be done about it


def test_no_user_namespaces_for_people(caller):
    done = in_user_namespace(caller, {"max_user_namespaces": 0}, "doctor")
    text = done.stdout.decode()
    assert done.returncode == 1
    assert "what would help:" in text
    assert "sysctl -w user.max_user_namespaces=10000" in text


def test_a_kernel_without_landlock(caller):
    """It is no core layer where the kernel has none, but it is missing."""
    done = with_refused(caller, dict.fromkeys(LANDLOCK, ENOSYS), "doctor", "--json")
    found, layers = report(done)
    assert done.returncode == 0
    assert found["core"] is True
    assert layers["landlock"]["kind"] == "reinforcement"
    assert layers["landlock"]["enforced"] is False
    assert "5.13" in layers["landlock"]["remedy"]


def test_landlock_refused_by_a_filter(caller):
    done = with_refused(caller, dict.fromkeys(LANDLOCK, EPERM), "doctor", "--json")
    found, layers = report(done)
    assert done.returncode == 1
    assert layers["landlock"]["kind"] == "core"
    assert layers["landlock"]["enforced"] is False
    assert "filter" in layers["landlock"]["remedy"]
    assert [name for name in CORE if not layers[name]["enforced"]] == ["landlock"]
