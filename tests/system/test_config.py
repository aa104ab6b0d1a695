"""config.json and environments/NAME.json: what they set, who wins, and what is wrong with them."""
import json
import re
import venv

import pytest
import rpc


@pytest.fixture
def files(retort, tmp_path):
    """files(config, NAME=environment…): writes them; returns the variables that make Retort read them."""

    def write(config=None, **environments):
        folder = tmp_path / "retort"
        (folder / "environments").mkdir(parents=True, exist_ok=True)
        if config is not None:
            (folder / "config.json").write_text(config if isinstance(config, str) else json.dumps(config))
        for name, content in environments.items():
            path = folder / "environments" / f"{name}.json"
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        return {"XDG_CONFIG_HOME": str(tmp_path)}

    return write


SHOW = "import os; print(os.environ.get('A'), os.environ.get('B'), os.environ.get('C'))"


def run(retort, env, code, *options):
    done = retort.run("run", *options, "-c", code, env=env)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def test_config_holds_for_every_session(retort, files):
    env = files({"env": {"A": "1"}, "limits": {"timeout": 4}})
    assert run(retort, env, SHOW) == "1 None None"
    assert retort.run("run", "-c", "import time; time.sleep(60)", env=env).returncode == 124
    assert run(retort, env, "echo $A", "-l", "bash") == "1"


def test_environment_wins_over_config_and_options_over_both(retort, files):
    env = files({"env": {"A": "config", "B": "config", "C": "config"}, "limits": {"pids": 20}},
                work={"env": {"B": "work", "C": "work"}})
    assert run(retort, env, SHOW, "--environment", "work", "--env", "C=option") == "config work option"
    env = files({"limits": {"timeout": 0.3}}, work={"limits": {"timeout": 0.2}})
    assert run(retort, env, "import time; time.sleep(1); print(1)", "--environment", "work", "--timeout", "30") == "1"


@pytest.mark.few
def test_limits_are_in_the_units_of_the_options(retort, files):
    env = files(small={"limits": {"memory": 100, "disk": 7, "output": 1, "timeout": 5.5}})
    server = rpc.Server(retort, **env)
    limits = server.session(environment="small").info()["limits"]
    assert (limits["memory"], limits["disk"], limits["output"], limits["timeout"]) == (100 << 20, 7 << 20, 1024, 5.5)
    assert server.close() == 0


@pytest.mark.few
def test_limits_are_caps_for_clients(retort, files):
    """Not for the person at the command line, whose options win; a client, and its model, are refused by name."""
    env = files({"limits": {"timeout": 2, "memory": 100}, "caps": {"memory": 200}}, own={"caps": {"timeout": 5, "pids": 8}})
    assert run(retort, env, "print(1)", "--timeout", "30", "--memory", "300") == "1"
    server = rpc.Server(retort, **env)
    limits = server.session().info()["limits"]
    assert (limits["timeout"], limits["memory"], limits["pids"]) == (2, 100 << 20, 64)
    one = server.session(limits={"timeout": 1, "memory": 150})
    assert one.run("1", timeout=2)["status"] == "ok"
    for refused, named in (({"limits": {"timeout": 60}}, "limit timeout: 60 s asked for, cap 2 s (limits of the server)"),
                           ({"limits": {"memory": 201}}, "limit memory: 201 MiB asked for, cap 200 MiB (limits of the server)"),
                           ({"limits": {"pids": 9}, "environment": "own"}, "limit pids: 9 asked for, cap 8 (limits of the server)")):
        with pytest.raises(rpc.Failure, match=re.escape(named)):
            server.session(**refused)
    own = server.session(environment="own")
    assert (own.info()["limits"]["timeout"], own.info()["limits"]["pids"]) == (2, 8)
    for session, cap in ((one, 2), (own, 5)):
        with pytest.raises(rpc.Failure, match=f"cap {cap} s"):
            session.run("1", timeout=60)
        branch = server.call("session.branch", session=session.id, count=1)["sessions"][0]
        with pytest.raises(rpc.Failure, match=f"cap {cap} s"):
            server.call("session.execute", session=branch, code="1", limits={"timeout": 60})
    assert server.close() == 0


def test_interpreter(retort, files, tmp_path):
    venv.create(tmp_path / "venv", symlinks=True)
    env = files(own={"python": str(tmp_path / "venv")})
    assert run(retort, env, "import sys; print(sys.prefix)", "--environment", "own") == str(tmp_path / "venv")
    assert run(retort, env, "echo no python", "--environment", "own", "-l", "bash") == "no python"


def test_modules_are_loaded_before_the_session(retort, files):
    server = rpc.Server(retort, **files(own={"preload": ["decimal", "xml.dom"]}, bare={"preload": []}))
    show = "import sys; [name for name in ('decimal', 'xml.dom', 'numpy') if name in sys.modules]"
    assert server.session(environment="own").value(show) == "['decimal', 'xml.dom']"
    assert server.session(environment="bare").value(show) == "[]"
    assert server.close() == 0


@pytest.mark.few
def test_environments_over_rpc(retort, files):
    env = files(alpha={"env": {"A": "alpha"}}, beta={})
    server = rpc.Server(retort, **env)
    assert server.call("environments.list")["environments"] == [{"name": "alpha"}, {"name": "beta"}]
    assert server.session(environment="alpha").value("import os; os.environ['A']") == "'alpha'"
    with pytest.raises(rpc.Failure, match="there is no environment gamma"):
        server.session(environment="gamma")
    assert server.close() == 0


WRONG = [
    ("{", "config.json: line 1"),
    ("[]", "config.json: must be a JSON object"),
    ({"pyhton": "x"}, "config.json: pyhton: there is no such member"),
    ({"python": 3}, "config.json: python: must be the path"),
    ({"python": "/nowhere/python"}, "config.json: python: cannot read the interpreter /nowhere/python"),
    ({"preload": "numpy"}, "config.json: preload: must be a list"),
    ({"preload": ["os; evil"]}, "config.json: preload: must be a list"),
    ({"limits": []}, "config.json: limits: must be an object"),
    ({"limits": {"timeot": 1}}, "config.json: limits.timeot: there is no such limit"),
    ({"limits": {"timeout": "1"}}, "config.json: limits.timeout: must be a number"),
    ({"limits": {"pids": -1}}, "config.json: limits.pids: must be a number"),
    ({"limits": {"memory": 1}}, "config.json: limits: limit memory must be between"),
    ({"caps": {"memory": 1}}, "config.json: caps: limit memory must be between"),
    ({"caps": {"timeout": 0}}, "config.json: caps.timeout: must be a number"),
    ({"ledger": 1}, "config.json: ledger: must be an object"),
    ({"ledger": {"quta": 1}}, "config.json: ledger: has the members quota"),
    ({"ledger": {"quota": -1}}, "config.json: quota: must be a number from 0"),
    ({"env": {"A": 1}}, "config.json: env: must map names to strings"),
    ({"env": {"A=B": "1"}}, "config.json: env: must map names to strings"),
]


def test_the_ledger_is_no_environments_own(retort, files):
    done = retort.run("run", "--environment", "own", "-c", "print(1)", env=files({}, own={"ledger": {"quota": 1}}))
    assert done.returncode == 125 and b"own.json: ledger: belongs into config.json" in done.stderr


def test_the_quota_of_the_ledger(retort, files, tmp_path):
    def verdicts(quota):
        env = {"RETORT_STATE": str(tmp_path / f"state{quota}"), **files({"ledger": {"quota": quota}})}
        code = "import os; open('data', 'wb').write(os.urandom(700_000))"
        made = [retort.run("run", "--record", "-c", code, env=env).stderr.split()[-1].decode() for _ in range(3)]
        reports = [json.loads(retort.run("verify", "--json", one, env=env).stdout) for one in made]
        assert all(report["sound"] for report in reports)
        return [report["verdict"] for report in reports]

    assert verdicts(1) == ["expired", "expired", "ok"]
    assert verdicts(100) == ["ok", "ok", "ok"]


@pytest.mark.parametrize("config, message", WRONG)
def test_errors_name_file_and_member(retort, files, config, message):
    done = retort.run("run", "-c", "print(1)", env=files(config))
    assert (done.returncode, done.stdout) == (125, b"")
    assert message in done.stderr.decode() and done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("name", ["missing", "../config", ".hidden", "", "a/b"])
def test_environments_that_are_none(retort, files, name):
    done = retort.run("run", "--environment", name, "-c", "print(1)", env=files({"env": {}}))
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (125, b"", 1)
    assert b"environment" in done.stderr


def test_an_unreadable_file_is_no_missing_file(new_caller, files, tmp_path):
    user = new_caller("user")
    env = files({"env": {"A": "1"}})
    (tmp_path / "retort/config.json").chmod(0)
    done = user.run("run", "-c", "print(1)", env=env)
    assert done.returncode == 125 and b"cannot read" in done.stderr and b"config.json" in done.stderr
