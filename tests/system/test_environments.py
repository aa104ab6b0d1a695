"""retort env: packages that are installed in sealed sessions, kept by their content, and used by others."""
import base64
import contextlib
import dataclasses
import hashlib
import http.server
import importlib.util
import json
import os
import pathlib
import re
import signal
import subprocess
import time
import urllib.parse

import loopback
import pytest
import rpc
import wheels
from serving import Client, serving

ROOT = pathlib.Path(__file__).resolve().parents[2]
STORE = ".local/state/retort/environments"
by_turns = pytest.mark.by_turns


@pytest.fixture
def place(light_caller, tmp_path):
    """A directory for packages that the caller can read, and a home without environments."""
    for parent in (tmp_path, *tmp_path.parents[:3]):
        parent.chmod(0o755)
    yield tmp_path
    for name in names(light_caller):
        light_caller.run("env", "remove", name)
    assert left(light_caller) == []


def names(someone):
    return [one["name"] for one in json.loads(someone.run("env", "list", "--json").stdout)]


def left(someone):
    """What is in the store, but for its lock."""
    store = someone.home / STORE
    return sorted(path.name for path in store.iterdir() if path.name != ".lock") if store.exists() else []


def create(someone, name, *options, command="create"):
    done = someone.run("env", command, "--json", name, *options)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def refused(someone, *words):
    """The one line that says why; pip's own words may come before it."""
    done = someone.run("env", *words)
    assert done.returncode == 125, done
    assert done.stdout == b""
    return done.stderr.decode().splitlines()[-1]


def run(someone, name, code, *options):
    done = someone.run("run", "--environment", name, *options, "-c", code)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


@pytest.mark.by_turns
def test_a_wheel_becomes_an_environment(light_caller, place):
    wheel = wheels.wheel(place, "greeting", files={"greeting.py": "def main():\n    print('hello')\n"},
                         entry_points="[console_scripts]\ngreet=greeting:main\n")
    made = create(light_caller, "hello", "--pip", wheel)
    assert re.fullmatch("[0-9a-f]{64}", made["packages"])
    assert [(one["name"], one["version"], one["file"]) for one in made["pip"]] == [("greeting", "1.0", wheel.name)]
    assert run(light_caller, "hello", "import greeting; greeting.main(); print(greeting.__file__)") == \
        "hello\n/opt/packages/python/greeting.py"
    assert run(light_caller, "hello", "greet", "-l", "bash") == "hello"
    assert light_caller.run("run", "-c", "import greeting").returncode == 1
    assert left(light_caller) == sorted([made["packages"], "hello.json"])
    assert b"hello " in light_caller.run("env", "list").stdout
    shown = json.loads(light_caller.run("env", "show", "hello").stdout)
    assert shown["file"]["packages"] == shown["lock"]["content"] == made["packages"]


@pytest.mark.few
def test_sessions_cannot_change_it(light_caller, place):
    create(light_caller, "fixed", "--pip", wheels.wheel(place, "fixed"))
    attempts = ("import os, fixed\n"
                "for path in (fixed.__file__, '/opt/packages/python/new', '/opt/packages'):\n"
                "    for attempt in (lambda: open(path, 'w'), lambda: os.chmod(path, 0o777), lambda: os.rename(path, '/tmp/x')):\n"
                "        try:\n            attempt()\n            print('changed', path)\n"
                "        except OSError:\n            pass\n")
    assert run(light_caller, "fixed", attempts) == ""


@by_turns
def test_an_index_is_a_directory_and_brings_what_is_needed(light_caller, place):
    index = place / "index"
    index.mkdir(mode=0o755)
    wheels.wheel(index, "top", needs=["bottom>=2"])
    wheels.wheel(index, "bottom", "1.0")
    wheels.wheel(index, "bottom", "2.5")
    made = create(light_caller, "both", "--pip", "top", "--index", index)
    assert {one["name"]: one["version"] for one in made["pip"]} == {"top": "1.0", "bottom": "2.5"}
    assert run(light_caller, "both", "import top, bottom; print(bottom.version)") == "2.5"
    (place / "wanted.txt").write_text("bottom==1.0\n")
    made = create(light_caller, "listed", "-r", place / "wanted.txt", "--index", index)
    assert [one["version"] for one in made["pip"]] == ["1.0"]
    assert "No matching distribution found for absent" in refused(light_caller, "create", "no", "--pip", "absent", "--index", index)


class Index(http.server.BaseHTTPRequestHandler):
    """An index of pip's in /simple and a registry of npm's, of the files in server.folder."""

    def do_GET(self):
        self.server.seen.append(self.path)
        part = urllib.parse.unquote(self.path).strip("/").split("/")
        file = self.server.folder / part[-1]
        if part[0] == "simple":
            found = sorted(file.name for file in self.server.folder.glob(f"{part[1]}-*"))
            self.answer("".join(f'<a href="/files/{name}">{name}</a>' for name in found).encode(), "text/html")
        elif part[0] == "files" and file.exists():
            self.answer(file.read_bytes(), "application/octet-stream")
        else:
            self.answer(json.dumps(self.package(part[0])).encode(), "application/json")

    def package(self, name):
        archive = next(self.server.folder.glob(f"{name}-*.tgz"))
        digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        one = {"name": name, "version": "1.0.0", "dist": {"integrity": f"sha512-{digest}", "tarball":
               f"http://index.test:{self.server.port}/files/{archive.name}"}}
        return {"name": name, "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": one}}

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def index(place):
    with loopback.served(handler=Index) as server:
        server.folder = place
        server.words = ("--resolve", "index.test=127.0.0.1")
        server.url = f"http://index.test:{server.port}"
        yield server


@pytest.mark.by_turns
@pytest.mark.few
def test_an_index_is_reached_through_the_gate(light_caller, place, index):
    wheels.wheel(place, "top", needs=["bottom"])
    wheels.wheel(place, "bottom")
    made = create(light_caller, "both", "--pip", "top", "--index", f"{index.url}/simple", *index.words)
    assert [one["name"] for one in made["pip"]] == ["bottom", "top"]
    assert "/files/bottom-1.0-py3-none-any.whl" in index.seen
    assert run(light_caller, "both", "import top, bottom; print(bottom.version)") == "1.0"
    result = light_caller.result(f"import urllib.request; urllib.request.urlopen('{index.url}')", "--environment", "both")
    assert result["status"] == "error"  # the network was the installer's


class Guarded(Index):
    def do_GET(self):
        self.server.heads.append(self.headers.get("Authorization", ""))
        super().do_GET()


@by_turns
def test_the_password_of_an_index_is_not_kept(light_caller, place):
    wheels.wheel(place, "plain")
    sent = "Basic " + base64.b64encode(b"reader:open-sesame").decode()
    with loopback.served(handler=Guarded) as server:
        server.folder = place
        env = {"PIP_INDEX_URL": f"http://reader:open-sesame@index.test:{server.port}/simple"}
        made = light_caller.run("env", "create", "shut", "--pip", "plain", "--resolve", "index.test=127.0.0.1", env=env)
        assert made.returncode == 0 and sent in server.heads, made.stderr.decode()
        state = light_caller.home / ".local/state/retort"
        assert json.loads((light_caller.home / STORE / "shut.json").read_text())["made"]["index"] == f"http://index.test:{server.port}/simple"
        kept = [path for path in state.rglob("*") if path.is_file() and b"open-sesame" in path.read_bytes()]
        assert kept == [] and b"open-sesame" not in made.stdout + made.stderr
        server.heads.clear()
        assert light_caller.run("env", "update", "shut", env=env).returncode == 0 and sent in server.heads


@by_turns
def test_passwords_of_requirements_are_not_kept_and_not_shown(light_caller, place):
    """Of packages by address, of another index, and in a line that pip does not understand, which it shows as it is."""
    wheels.wheel(place, "plain")
    wheels.wheel(place, "other")
    listed = light_caller.home / "requirements.txt"
    with loopback.served(handler=Guarded) as server:
        server.folder = place
        secret = f"http://reader:open-sesame@index.test:{server.port}"
        words = ("-r", str(listed), "--index", f"http://index.test:{server.port}/simple", "--resolve", "index.test=127.0.0.1")
        listed.write_text(f"--extra-index-url {secret}/simple\nplain\n")
        made = light_caller.run("env", "create", "shut", *words)
        assert made.returncode == 0, made.stderr.decode()
        listed.write_text(f"other @@ {secret}/other.whl\n")
        wrong = light_caller.run("env", "create", "wrong", *words, "--pip", f"plain @ {secret}/nothing.whl")
        assert wrong.returncode != 0
        shown = light_caller.run("env", "show", "shut")
        assert f"--extra-index-url http://index.test:{server.port}/simple\nplain" in json.loads(shown.stdout)["file"]["made"]["requirements"]
    state = light_caller.home / ".local/state/retort"
    assert [path for path in state.rglob("*") if path.is_file() and b"open-sesame" in path.read_bytes()] == []
    assert b"open-sesame" not in b"".join(done.stdout + done.stderr for done in (made, wrong, shown))


@by_turns
def test_a_registry_is_reached_through_the_gate(light_caller, place, index):
    wheels.npm_archive(place, "seven", "module.exports = 7\n")
    made = create(light_caller, "node", "--npm", "seven", "--registry", index.url, *index.words)
    assert [(one["name"], one["version"]) for one in made["npm"]] == [("seven", "1.0.0")]
    assert run(light_caller, "node", "console.log(require('seven'))", "-l", "javascript") == "7"


@by_turns
@pytest.mark.few
def test_what_packages_run_reaches_the_index_alone(light_caller, place, index):
    """Another port of the same host, the index by its address, and what the configuration allows to others."""
    with loopback.served() as other:
        code = ("import json, os, urllib.request\nreached = []\n"
                f"for url in ('http://web.test:{other.port}/', 'http://index.test:{other.port}/', 'http://127.0.0.1:{index.port}/simple/x/'):\n"
                "    try:\n        urllib.request.urlopen(url, timeout=5)\n        reached.append(url)\n"
                "    except OSError:\n        pass\n"
                f"urllib.request.urlopen('{index.url}/simple/from-setup/')\n"
                "assert not reached, reached\n")
        config = place / "config/retort"
        config.mkdir(parents=True)
        (config / "config.json").write_text(json.dumps({"preload": [], "network": [loopback.rule(other)]}))
        someone = dataclasses.replace(light_caller, configured=(("XDG_CONFIG_HOME", str(place / "config")),))
        project = wheels.own_backend(place, "curious", code)
        create(someone, "curious", "--pip", project, "--index", f"{index.url}/simple", *index.words)
        assert other.seen == []
        assert "/simple/from-setup/" in index.seen


@by_turns
def test_sessions_of_an_environment_may_have_rules(light_caller, place):
    with loopback.served() as web:
        rules = place / "rules.json"
        rules.write_text(json.dumps([loopback.rule(web)]))
        create(light_caller, "online", "--network", rules)
        code = f"import urllib.request; print(urllib.request.urlopen('http://{loopback.NAME}:{web.port}/a').read().decode())"
        assert run(light_caller, "online", code) == "hello from /a"


@by_turns
@pytest.mark.few
def test_an_extension_is_built_in_the_session(light_caller, place):
    create(light_caller, "native", "--pip", wheels.native_project(place))
    assert run(light_caller, "native", "import native; print(native.answer())") == "42"


@by_turns
def test_packages_for_node(light_caller, place):
    archive = wheels.npm_archive(place, "seven", "#!/usr/bin/env node\nmodule.exports = 7\n", bin="index.js",
                                 scripts={"install": "touch /work/out/ran"})
    made = create(light_caller, "node", "--npm", archive)
    assert [(one["name"], one["version"]) for one in made["npm"]] == [("seven", "1.0.0")]
    assert made["npm"][0]["integrity"].startswith("sha512-")
    assert run(light_caller, "node", "console.log(require('seven'))", "-l", "javascript") == "7"
    assert run(light_caller, "node", "import('seven').then(m => console.log(m.default))", "-l", "javascript") == "7"
    assert not list((light_caller.home / STORE / made["packages"]).rglob("ran"))


@by_turns
@pytest.mark.few
def test_the_same_lock_file_makes_the_same_content(light_caller, place):
    index = place / "index"
    index.mkdir(mode=0o755)
    wheels.wheel(index, "alpha", needs=["beta"], files={"alpha/__init__.py": "KINDS = {'a', 'b', 'c'}\n", "alpha/x.py": ""})
    wheels.wheel(index, "beta")
    first = create(light_caller, "first", "--pip", "alpha", "--index", index)
    lock = place / "lock.json"
    lock.write_bytes(light_caller.run("env", "lock", "first").stdout)
    assert light_caller.run("env", "remove", "first").returncode == 0
    assert left(light_caller) == []
    second = create(light_caller, "second", "--lock", lock, "--index", index)
    assert second == {**first, "name": "second"}
    wheels.wheel(index, "beta", files={"beta.py": "version = 'another'\n"})
    assert "beta-1.0-py3-none-any.whl is not the one of the lock file" in \
        refused(light_caller, "create", "third", "--lock", lock, "--index", index)
    assert names(light_caller) == ["second"]


@by_turns
def test_a_lock_file_names_packages_alone(light_caller, place):
    """Somebody else may have written it: what it names is no path of the host, no address and no option."""
    lock = place / "lock.json"
    bad = [("pip", "/etc/passwd"), ("pip", "../x"), ("pip", "--index-url=http://other.test"), ("pip", "x @ file:///etc/passwd"),
           ("pip", ""), ("npm", "@../x"), ("npm", "user/repository"), ("npm", "./x"), ("npm", "@scope/../x")]
    for member, name in bad:
        lock.write_text(json.dumps({"lock": "retort.lock/1", "content": "0" * 64, member: [{"name": name, "version": "1.0"}]}))
        lock.chmod(0o644)
        assert "this is not a lock file" in refused(light_caller, "create", "other", "--lock", lock, "--index", place), name
    lock.write_text(json.dumps({"content": "0" * 64, "pip": [{"name": "x", "version": "1.0 --pre"}]}))
    assert "this is not a lock file" in refused(light_caller, "create", "other", "--lock", lock, "--index", place)
    assert left(light_caller) == []


@by_turns
@pytest.mark.few
def test_update_makes_another_version_and_sessions_keep_theirs(light_caller, place):
    index = place / "index"
    index.mkdir(mode=0o755)
    wheels.wheel(index, "moving", "1.0")
    first = create(light_caller, "moving", "--pip", "moving", "--index", index)
    server = rpc.Server(light_caller)
    old = server.session(environment="moving")
    wheels.wheel(index, "moving", "2.0")
    described = light_caller.home / STORE / "moving.json"
    edited = json.loads(described.read_text())
    edited["made"]["versions"] = [None, 7]  # by hand, and not well: it is not looked at
    described.write_text(json.dumps(edited))
    second = create(light_caller, "moving", command="update")
    assert second["packages"] != first["packages"]
    new = server.session(environment="moving")
    assert (old.run("import moving; moving.version")["value"]["text/plain"],
            new.run("import moving; moving.version")["value"]["text/plain"]) == ("'1.0'", "'2.0'")
    assert light_caller.run("env", "remove", "moving").returncode == 0
    assert names(light_caller) == []
    assert old.run("import importlib; importlib.reload(moving).version")["value"]["text/plain"] == "'1.0'"
    with pytest.raises(rpc.Failure, match="there is no environment moving"):
        server.session(environment="moving")
    assert server.close() == 0
    assert names(light_caller) == [] and left(light_caller) == []


@by_turns
@pytest.mark.few
def test_sessions_are_forked_from_an_interpreter_of_their_own(light_caller, place):
    create(light_caller, "warm", "--pip", wheels.wheel(place, "heavy"), "--preload", "heavy", "--timeout", "7")
    server = rpc.Server(light_caller)
    session = server.session(environment="warm")
    assert session.info()["warm"] is True
    assert session.info()["limits"]["timeout"] == 7
    assert session.run("import sys; 'heavy' in sys.modules")["value"]["text/plain"] == "True"
    assert server.session().run("import sys; 'heavy' in sys.modules")["value"]["text/plain"] == "False"
    assert server.close() == 0


@by_turns
@pytest.mark.few
def test_packages_run_in_sessions_alone_unless_they_are_preloaded(light_caller, place):
    """What they bring along for the start of every interpreter ends this one, and would end the warm one."""
    files = {"greedy.py": "", **{f"{name}.py": "raise SystemExit(1)\n" for name in ("sitecustomize", "usercustomize", "random", "json")}}
    wheel = wheels.wheel(place, "greedy", files=files)
    create(light_caller, "greedy", "--pip", wheel)
    create(light_caller, "trusting", "--pip", wheel, "--preload", "greedy")
    server = rpc.Server(light_caller)
    with pytest.raises(rpc.Failure, match="the warm interpreter ended"):
        server.session(environment="trusting")
    session = server.session(environment="greedy")
    assert session.info()["warm"] is True
    assert session.run("import greedy, os; greedy.__file__, os.environ['PYTHONPATH']")["value"]["text/plain"] == \
        "('/opt/packages/python/greedy.py', '/opt/packages/python')"
    assert server.close() == 0


def zygotes(server):
    """Warm interpreters of this engine: what was forked from one is in a pid namespace further down."""
    pids = {server.pid}
    for _ in range(4):  # the broker, the keeper, the supervisor, its zygotes
        pids |= {int(pid) for pid in filter(str.isdigit, os.listdir("/proc")) if parent(pid) in pids}
    return sum(b"/opt/retort/python/warm.py" in read(pid, "cmdline") and depth(pid) == depth(parent(pid)) for pid in pids)


def read(pid, name):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/{name}").read_bytes()
    return b""


def parent(pid):
    fields = read(pid, "stat").rpartition(b")")[2].split()
    return int(fields[1]) if fields else None


def depth(pid):
    return len(re.findall(rb"NSpid:(.*)", read(pid, "status"))[0].split()) if read(pid, "status") else 0


def configured(someone, names):
    """Environments of hashes that name nothing but an empty directory."""
    store = someone.home / STORE
    for number, name in enumerate(names):
        content = f"{number:064x}"
        subprocess.run(someone.command("mkdir", "-p", store / content / "python"), check=True)
        (store / f"{name}.json").write_text(json.dumps({"packages": content}))
        (store / f"{name}.json").chmod(0o644)


def wait_until(true):
    end = time.monotonic() + 240
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


@by_turns
@pytest.mark.few
def test_warm_interpreters_are_bounded(light_caller, place):
    several = [f"e{number}" for number in range(11)]
    configured(light_caller, several)
    server = rpc.Server(light_caller)
    sessions = [server.session(environment=name) for name in several]
    assert all(session.info()["warm"] for session in sessions)
    assert zygotes(server) == 11
    for session in sessions:
        session.close()
    wait_until(lambda: zygotes(server) <= 8)
    for _ in range(3):  # some are ended while sessions are prepared for the next who asks
        for session in [server.session(environment=name) for name in several]:
            session.close()
        wait_until(lambda: zygotes(server) <= 8)
    assert server.session(environment="e0").info()["warm"]
    assert server.close() == 0


@by_turns
def test_a_warm_interpreter_that_nobody_uses_ends(light_caller, ablation_programs, place):
    """It rests after a second in the programs that are made for tests."""
    configured(light_caller, ["idle"])
    server = rpc.Server(dataclasses.replace(light_caller, programs=ablation_programs))
    for _ in range(2):
        session = server.session(environment="idle")
        assert session.run("6 * 7")["value"]["text/plain"] == "42"
        time.sleep(2)
        assert zygotes(server) > 0  # it is in use
        session.close()
        wait_until(lambda: zygotes(server) == 0)
    assert server.close() == 0


@by_turns
@pytest.mark.few
def test_versions_that_nobody_uses_go(light_caller, place):
    def update(version):
        return create(light_caller, "moved", "--pip", wheels.wheel(place, "moved", version), command="update")["packages"]

    first = create(light_caller, "moved", "--pip", wheels.wheel(place, "moved", "1.0"))["packages"]
    second = update("2.0")
    assert left(light_caller) == sorted([second, "moved.json"])
    server = rpc.Server(light_caller)
    held = server.session(environment="moved", record=False)
    third = update("3.0")
    assert left(light_caller) == sorted([second, third, "moved.json"])
    assert held.run("import moved; moved.version")["value"]["text/plain"] == "'2.0'"
    held.close()  # the engine goes on, with its warm interpreter
    assert names(light_caller) == ["moved"] and left(light_caller) == sorted([third, "moved.json"])
    again = update("2.0")
    assert again == second and names(light_caller) == ["moved"] and left(light_caller) == sorted([second, "moved.json"])
    fresh = server.session(environment="moved", record=False)
    assert fresh.run("import moved; moved.version")["value"]["text/plain"] == "'2.0'"
    assert update("3.0") == third
    assert server.close() == 0
    assert names(light_caller) == ["moved"] and left(light_caller) == sorted([third, "moved.json"])
    done = light_caller.run("run", "--record", "--environment", "moved", "-c", "import moved; print(moved.version)")
    session = re.search(rb"s_\w+", done.stderr)[0].decode()
    last = update("4.0")
    assert names(light_caller) == ["moved"] and left(light_caller) == sorted([third, last, "moved.json"])
    assert light_caller.run("replay", session).returncode == 0
    assert light_caller.run("forget", session).returncode == 0
    assert names(light_caller) == ["moved"] and left(light_caller) == sorted([last, "moved.json"])
    assert first not in left(light_caller)


@by_turns
def test_who_is_killed_while_versions_go_leaves_no_halves(light_caller, place, count):
    """What has a hash for a name is whole: the next creation with the same content would take it."""
    files, points = count((1000, 5), (3000, 40))
    tree = light_caller.home / STORE / ("ab" * 32)
    owner = light_caller.home.stat().st_uid

    def fill():
        (tree / "python").mkdir(parents=True)
        for i in range(files):
            (tree / "python" / str(i)).touch()
        subprocess.run(["chown", "-R", str(owner), light_caller.home / pathlib.Path(STORE).parts[0]], check=True)

    fill()
    began = time.monotonic()
    assert names(light_caller) == [] and left(light_caller) == []
    whole = time.monotonic() - began
    for point in range(points):
        fill()
        process = light_caller.popen("env", "list", stderr=-3, stdout=-3)
        time.sleep(whole * (point + 0.5) / points)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not tree.exists() or len(list((tree / "python").iterdir())) == files
        assert names(light_caller) == [] and left(light_caller) == []


@by_turns
@pytest.mark.few
def test_sessions_start_while_versions_come_and_go(light_caller, place, count):
    wheel = {version: wheels.wheel(place, "busy", version) for version in ("1.0", "2.0")}
    create(light_caller, "busy", "--pip", wheel["1.0"])
    updates = [light_caller.popen("env", "update", "busy", "--pip", wheel[version], stderr=-1, stdout=-1)
               for version in ("2.0", "1.0") * count(1, 10)]
    seen = {run(light_caller, "busy", "import busy; print(busy.version)")}
    while any(process.poll() is None for process in updates):
        seen.add(run(light_caller, "busy", "import busy; print(busy.version)"))
    for process in updates:
        said = process.communicate()[1]
        assert process.returncode == 0, said.decode()
    assert seen <= {"1.0", "2.0"}
    assert names(light_caller) == ["busy"] and len(left(light_caller)) == 2


@by_turns
def test_a_recorded_session_is_repeated_with_its_packages(light_caller, place):
    create(light_caller, "kept", "--pip", wheels.wheel(place, "kept", "1.0"))
    done = light_caller.run("run", "--record", "--environment", "kept", "-c", "import kept; print(kept.version)")
    session = re.search(rb"s_\w+", done.stderr)[0].decode()
    create(light_caller, "kept", "--pip", wheels.wheel(place, "kept", "2.0"), command="update")
    assert light_caller.run("replay", session).returncode == 0
    assert light_caller.run("env", "remove", "kept").returncode == 0
    gone = light_caller.run("replay", session)
    assert gone.returncode == 125 and b"are not there any more" in gone.stderr


HOSTILE = {
    "reaches": "import glob, socket\nfound = [open(p).read() for p in glob.glob(SECRET)] + glob.glob('/home/*')\n"
               "for reach in (lambda: socket.create_connection(('198.51.100.1', 80), 5), lambda: socket.getaddrinfo('example.com', 80)):\n"
               "    try:\n        found.append(reach())\n    except OSError:\n        pass\nexit(f'it found {found}')",
    "forks": "import os, time\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        time.sleep(0.05)",
    "stays": "import os, time\nif os.fork() == 0:\n    os.setsid()\n    os.closerange(0, 100)\n    while True:\n        time.sleep(1)",
    "waits": "import time\ntime.sleep(1000)",
}


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.few(1)
def test_what_packages_do_they_do_in_a_session(light_caller, place, case):
    secret = light_caller.home / "secret"
    secret.write_text("the secret of the host")
    project = wheels.project(place, case, HOSTILE[case].replace("SECRET", repr(str(secret))))
    seconds = {"waits": "4", "forks": "4"}.get(case, "60")
    done = light_caller.run("env", "create", case, "--pip", project, "--install-timeout", seconds)
    assert b"the secret of the host" not in done.stdout + done.stderr
    assert done.returncode == (0 if case == "stays" else 125), done.stderr.decode()
    assert (b"it found []" in done.stderr) == (case == "reaches"), done.stderr.decode()
    assert names(light_caller) == (["stays"] if case == "stays" else [])
    assert left(light_caller) == [] or case == "stays"


@by_turns
@pytest.mark.few
def test_a_killed_creation_leaves_nothing(light_caller, place, count):
    wheel = wheels.wheel(place, "early", files={f"early/{i}.py": "" for i in range(200)})
    began = time.monotonic()
    create(light_caller, "measured", "--pip", wheel)
    whole = time.monotonic() - began
    assert light_caller.run("env", "remove", "measured").returncode == 0
    points = count(3, 20)
    for point in range(points):
        process = light_caller.popen("env", "create", "killed", "--pip", wheel, stderr=-3, stdout=-3)
        time.sleep(whole * (point + 0.5) / points)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert names(light_caller) in ([], ["killed"])
        if names(light_caller):
            assert run(light_caller, "killed", "import early") == ""
            assert light_caller.run("env", "remove", "killed").returncode == 0
        assert left(light_caller) == []
    create(light_caller, "killed", "--pip", wheel)
    assert run(light_caller, "killed", "import early") == ""


@by_turns
@pytest.mark.few
def test_names(light_caller, place):
    wheel = wheels.wheel(place, "plain")
    configured = pathlib.Path(dict(light_caller.configured)["XDG_CONFIG_HOME"]) / "retort/environments"
    configured.mkdir(exist_ok=True)
    (configured / "mine.json").write_text('{"env": {"A": "1"}}')
    assert "is an environment of the configuration" in refused(light_caller, "create", "mine", "--pip", wheel)
    assert "is an environment of the configuration" in refused(light_caller, "remove", "mine")
    (configured / "mine.json").unlink()
    for name in ("../x", ".x", "a/b", "x" * 101):
        assert "is no name of an environment" in refused(light_caller, "create", name, "--pip", wheel)
    assert "there is no environment none" in refused(light_caller, "remove", "none")
    assert "there is no environment none" in refused(light_caller, "update", "none")
    create(light_caller, "plain", "--pip", wheel)
    assert "there is an environment plain" in refused(light_caller, "create", "plain", "--pip", wheel)
    assert "is no package" in refused(light_caller, "create", "other", "--pip", "--index-url=http://x")


@by_turns
@pytest.mark.few
def test_json_rpc_makes_them_for_who_started_it(light_caller, place):
    wheel = wheels.wheel(place, "remote")
    server = rpc.Server(light_caller)
    made = server.call("environments.create", name="remote", pip=[str(wheel)], preload=["remote"], limits={"timeout": 9})
    session = server.session(environment="remote")
    assert session.run("import remote; remote.version")["value"]["text/plain"] == "'1.0'"
    assert session.info()["limits"]["timeout"] == 9
    shown = server.call("environments.show", name="remote")
    assert shown["lock"]["content"] == made["packages"] and shown["file"]["preload"] == ["remote"]
    assert {"name": "remote"} in server.call("environments.list")["environments"]
    again = server.call("environments.create", name="again", lock=shown["lock"], index=str(place))
    assert again["packages"] == made["packages"]
    for wrong, named in (({"preload": ["a b"]}, "preload"), ({"pip": [1]}, "is no package"), ({"limits": {"timeout": 1e9}}, "timeout"),
                         ({"python": "/etc/passwd"}, "python")):
        with pytest.raises(rpc.Failure, match=named):
            server.call("environments.create", name="wrong", **wrong)
    for name in ("remote", "again"):
        assert server.call("environments.remove", name=name) == {"removed": True}
    assert server.close() == 0


@pytest.mark.few
def test_only_administrators_make_them(light_caller, place):
    """The server of root has become nobody by then; what it makes is its own."""
    admin, somebody = "administrator-0123456789", "somebody-else-0123456789"
    tokens = place / "tokens"
    tokens.write_text(f"{admin} admin\n{somebody}\n")
    wheel = wheels.wheel(place, "served")
    with serving(light_caller, "--token-file", tokens) as server:
        for method in ("create", "update", "show", "remove"):
            status, reply = Client(server, somebody).rpc(f"environments.{method}", name="x")
            assert (status, reply["error"]["code"]) == (403, -32003)
        status, reply = Client(server, admin).rpc("environments.create", name="served", pip=[str(wheel)])
        assert status == 200 and reply["result"]["pip"][0]["name"] == "served"
        session = Client(server, somebody).rpc("session.create", environment="served")[1]["result"]["session"]
        ran = Client(server, somebody).rpc("session.execute", session=session, code="import served; served.version")[1]
        assert ran["result"]["value"]["text/plain"] == "'1.0'"
        assert Client(server, admin).rpc("environments.remove", name="served")[0] == 200
    with serving(light_caller, "--no-auth") as server:
        assert Client(server, None).rpc("environments.create", name="x")[0] == 403


@by_turns
def test_the_hint_names_the_command(light_caller):
    for module, package in (("sklearn", "scikit-learn"), ("no_such_module", "no_such_module")):
        result = light_caller.result(f"import {module}.x")
        if result["error"]["name"] == "ModuleNotFoundError" and "not installed" in result["error"]["hint"]:
            assert f"`retort env create NAME --pip {package}`" in result["error"]["hint"]
    assert "retort env create NAME --pip no_such_module" in result["error"]["hint"]


ONLY_OUTSIDE = (("python", "import no_such_module", "`retort env create NAME --pip no_such_module`"),
                ("javascript", "require('no-such/module')", "`retort env create NAME --npm no-such`"),
                ("javascript", "import('@no/such/module')", "`retort env create NAME --npm @no/such`"),
                ("python", "import urllib.request; urllib.request.urlopen('http://example.com/')", "`--allow HOST`"),
                ("python", "import socket; socket.create_connection(('192.0.2.1', 80))", "`--allow HOST`"),
                ("python", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')", '"address": "127.0.0.1"'),
                ("javascript", "require('dns').promises.lookup('example.com')", "`--allow HOST`"))


@by_turns
def test_a_run_tells_what_only_its_user_can_do(light_caller):
    """As its last line, after the traceback; of a session that may reach somebody, nothing of the kind."""
    for language, code, told in ONLY_OUTSIDE:
        done = light_caller.run("run", "-l", language, "-c", code)
        last = done.stderr.decode().splitlines()[-1]
        assert done.returncode == 1 and last.startswith("retort: ") and "Outside, " in last and told in last
    for language, code in (("python", "open('/no/such')"), ("javascript", "require('./absent')"), ("python", "raise OSError(5, 'x')")):
        assert b"Outside, " not in light_caller.run("run", "-l", language, "-c", code).stderr
    direct = light_caller.result("import socket; socket.create_connection(('example.com', 80))", "--allow", "example.com")
    assert "by the proxy in HTTPS_PROXY" in direct["error"]["hint"]


@by_turns
@pytest.mark.few
def test_doctor_lists_them_and_finds_what_is_lost(light_caller, place):
    made = create(light_caller, "whole", "--pip", wheels.wheel(place, "whole"))
    found = json.loads(light_caller.run("doctor", "--json").stdout)["environments"]
    assert found == [{"name": "whole", "works": True, "image": False, "packages": made["packages"], "detail": None, "remedy": None}]
    assert b"with packages of its own" in light_caller.run("doctor").stdout
    store = light_caller.home / STORE
    (store / made["packages"]).rename(store / "elsewhere")
    found = json.loads(light_caller.run("doctor", "--json").stdout)["environments"][0]
    assert found["works"] is False and "retort env" in found["remedy"]
    (store / "elsewhere").rename(store / made["packages"])


def test_without_pip_the_package_is_named(monkeypatch):
    spec = importlib.util.spec_from_file_location("install", ROOT / "guest/python/install.py")
    install = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(install)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(install.glob, "glob", lambda pattern: [])
    with pytest.raises(install.Failure, match="apt install python3-pip"):
        install.pip()
    monkeypatch.setattr(install.glob, "glob", lambda pattern: ["/usr/share/python-wheels/pip-23.0.1-py3-none-any.whl"])
    assert install.pip()[1] == "/usr/share/python-wheels/pip-23.0.1-py3-none-any.whl/pip"
