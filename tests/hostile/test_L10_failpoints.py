"""L10: every step of a set-up is made to fail. No guest code runs, nothing is left, and the next run works.

The steps are those of src/sandbox/ablation/failpoints.def. The programs are those of build/ablation, the only build in which a
step can be told to fail; every isolation layer is on."""
import contextlib
import dataclasses
import errno
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import pytest
import rpc
import traces
from arena import MODES

pytestmark = pytest.mark.by_turns
ROOT = pathlib.Path(__file__).resolve().parents[2]
STEPS = re.findall(r'^FAILPOINT\((\w+), "(\w*)", (\w+)\)$', (ROOT / "src/sandbox/ablation/failpoints.def").read_text(), re.MULTILINE)
ERRORS = (errno.EINTR, errno.ENOMEM, errno.ENOSPC, errno.EPERM)
ORDINARY = ["subordinate", "user"] if os.geteuid() == 0 and shutil.which("newuidmap") else ["user"]
CANARY = "the canary sings"
LONG = "#" * (200 << 10) + "\n"  # longer than an argument may be


@pytest.fixture(scope="module")
def virtual_environment():
    place = pathlib.Path(tempfile.mkdtemp(prefix="retort-venv-"))
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", place / "venv"], check=True)
    subprocess.run(["chmod", "-R", "a+rX", place], check=True)
    yield place / "venv/bin/python3"
    shutil.rmtree(place)


@pytest.fixture
def failing(caller, programs_that_fail):
    """The caller, with programs that fail where they are told to."""
    return dataclasses.replace(caller, programs=programs_that_fail)


@pytest.fixture(scope="module")
def without_preload():
    """Environment of engines that import nothing ahead, which the steps do not depend on."""
    place = pathlib.Path(tempfile.mkdtemp(prefix="retort-config-"))
    (place / "retort").mkdir()
    (place / "retort/config.json").write_text('{"preload": []}')
    subprocess.run(["chmod", "-R", "a+rX", place], check=True)
    yield {"XDG_CONFIG_HOME": str(place)}
    shutil.rmtree(place)


@pytest.fixture
def packaged(caller):
    """The name of an environment with packages, as `retort env` leaves it."""
    store = caller.home / ".local/state/retort/environments"
    (store / (64 * "0") / "python").mkdir(parents=True, exist_ok=True)
    (store / "packaged.json").write_text(json.dumps({"packages": 64 * "0"}))
    subprocess.run(["chmod", "-R", "a+rX", caller.home / ".local"], check=True)
    if os.geteuid() == 0 and not caller.root:
        subprocess.run(["chown", "-R", str(caller.uid), caller.home / ".local"], check=True)
    return "packaged"


@pytest.fixture
def taking(virtual_environment, packaged):
    """taking(who): arguments and input of a run that takes the step. Bash where it can be: its code runs as it starts."""

    def choose(who):
        if who == "PACKAGES":
            return ["--environment", packaged, "-"], f"print('{CANARY}')".encode()
        if who == "ENVIRONMENT":
            return ["--python", virtual_environment, "-"], f"print('{CANARY}')".encode()
        return ["-l", "bash", "-"], ((LONG if who == "BASH" else "") + f"echo {CANARY}").encode()

    return choose


def refusal(done):
    assert CANARY.encode() not in done.stdout + done.stderr
    assert done.returncode == 125, done
    result = json.loads(done.stdout)
    assert result["status"] == "setup_failed"
    return result["error"]


def test_there_are_steps():
    assert len(STEPS) > 50
    assert len({step for step, _, _ in STEPS}) == len(STEPS)


def check_step(failing, words, text, step, layer, numbers):
    """A run in which it fails is refused, once for each of these errors; and the one after it works."""
    traces.adopt()
    before = traces.Before()
    for number in numbers:
        done = failing.run(*words, input=text, env={"RETORT_FAILPOINT": f"{step}:{number}"})
        error = refusal(done)
        assert error["layer"] == layer
        assert error["message"]
        assert len(done.stderr.splitlines()) == 1
    assert before.left() == []
    done = failing.run(*words, input=text)
    assert done.returncode == 0
    assert json.loads(done.stdout)["stdout"] == CANARY + "\n"


def steps_of(wanted):
    """Parameters: each step with one error, by turns. The error is only handed on."""
    found = [(*step, ERRORS[i % len(ERRORS)]) for i, step in enumerate(STEPS) if wanted(step[2])]
    return pytest.mark.parametrize("step,layer,who,number", found, ids=[step for step, _, _, _ in found])


def test_L10_the_first_process_says_itself_why_it_gave_up(failing):
    """Not that nothing can be done to it any more, which is what the supervisor meets if it has gone by then."""
    for _ in range(20):
        done = failing.run("run", "--json", "-l", "bash", "-c", f"echo {CANARY}", env={"RETORT_FAILPOINT": "own_descriptors:28"})
        assert refusal(done)["message"].startswith("cannot have descriptors of its own")


@steps_of(lambda who: who not in ("FILES", "KILLING", "USER"))
def test_L10_a_step_that_fails(failing, taking, step, layer, who, number):
    arguments, text = taking(who)
    check_step(failing, ["run", "--json", *arguments], text, step, layer, [number])


@pytest.mark.parametrize("caller", ORDINARY, indirect=True, scope="session")
@steps_of(lambda who: who == "USER")
def test_L10_a_step_of_an_ordinary_user_that_fails(failing, taking, step, layer, who, number):
    """Root has no such step."""
    arguments, text = taking(who)
    check_step(failing, ["run", "--json", *arguments], text, step, layer, [number])


SAMPLES = [step for step in STEPS if step[2] not in ("FILES", "KILLING", "USER")][::15]


@pytest.mark.parametrize("step,layer,who", SAMPLES, ids=[step for step, _, _ in SAMPLES])
def test_L10_every_error_is_handed_on(failing, taking, step, layer, who):
    arguments, text = taking(who)
    check_step(failing, ["run", "--json", *arguments], text, step, layer, ERRORS)


@pytest.fixture
def ask(failing, without_preload):
    """ask(step, *messages): the answers of one engine in which the step fails so many times."""

    def talk(step, *messages, times=1):
        lines = [json.dumps({"jsonrpc": "2.0", "id": number, **message}) for number, message in enumerate(messages)]
        answers = []
        env = {"RETORT_FAILPOINT": f"{step}:{errno.ENOMEM}:{times}", **without_preload}
        with failing.popen("rpc", env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
            for line in lines:
                created = [one["result"]["session"] for one in answers if "session" in one.get("result", {})]
                child.stdin.write(line.replace("SESSION", *created[:1] or ["none"]) + "\n")
                child.stdin.flush()
                answers.append(next(one for one in map(json.loads, child.stdout) if one.get("id") == len(answers)))
            child.stdin.close()
            assert child.wait() == 0
        return answers

    return talk


def fails_once(ask, step, layer, language, code):
    create = {"method": "session.create", "params": {"language": language, "record": False}}
    execute = {"method": "session.execute", "params": {"session": "SESSION", "code": code}}
    refused, created, executed = ask(step, create, create, execute)
    assert refused["error"]["data"].get("layer", "") == layer
    assert "error" not in created
    assert executed["result"]["stdout"] == "42\n"


SESSION_STEPS = [(step, layer) for step, layer, who in STEPS if who == "SESSION"]


@pytest.mark.parametrize("step,layer", SESSION_STEPS, ids=[step for step, _ in SESSION_STEPS])
@pytest.mark.few(12)
def test_L10_a_step_that_fails_once(ask, step, layer):
    """The first session of an engine is refused, the second one is whole."""
    fails_once(ask, step, layer, "javascript", "console.log(6 * 7)")


ZYGOTE_STEPS = [("enter_root", "mount"), ("descriptors", ""), ("caps_drop", "caps"), ("seccomp", "seccomp")]


@pytest.mark.parametrize("step,layer", ZYGOTE_STEPS, ids=[step for step, _ in ZYGOTE_STEPS])
def test_L10_a_step_of_a_zygote_that_fails_once(ask, step, layer):
    fails_once(ask, step, layer, "python", "print(6 * 7)")


# What the supervisor opens again and again, with how often it does so before the first session is asked for.
OPENED = {"socket_pair": 0, "pipe": 0, "witness": 0, "watch": 3}


def supervisor_of(server):
    """Pid 1 of the namespace in which all others live; that of a session, which it forks, is one level deeper."""
    for pid in traces.tree(server.pid):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            status = pathlib.Path(f"/proc/{pid}/status").read_text()
            if re.search(r"^Name:\tretort-super", status) and re.search(r"^NSpid:\t\d+\t1$", status, re.MULTILINE):
                return pid
    raise AssertionError("no supervisor")


def held(pid):
    """Its sockets, pipes and processes, but for those of what is left of sessions: a socket and a process each."""
    found = []
    for name in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(FileNotFoundError):
            found.append(os.readlink(f"/proc/{pid}/fd/{name}"))
    counted = [one for one in found if one.startswith(("socket:", "pipe:", "anon_inode:[pidfd]", "pidfd:"))]
    return len(counted) - 2 * len(traces.spare(pid))


def held_but_by_zygotes(pid):
    """Each has a socket and a pipe; an older generation stays for as long as one that is prepared for the pool is its child."""
    return held(pid) - 2 * sum(traces.name_of(child).startswith("python") for child in traces.children(pid))


def most_held(pid, held):
    """How many it holds when its pools are full: as many for a while."""
    now, same = held(pid), 0
    while same < 40:
        time.sleep(0.05)
        same = same + 1 if held(pid) == now else 0
        now = held(pid)
    return now


def few_held(pid, most, held=held):
    """How many it holds once they are no more than `most`, or have not become so for long."""
    deadline = time.monotonic() + traces.PATIENCE
    while (now := held(pid)) > most and time.monotonic() < deadline:
        time.sleep(0.01)
    return now


def live_and_die(server, language, branches):
    """A session's life, as far as it comes."""
    with contextlib.suppress(rpc.Failure):
        one = server.session(record=False, language=language, checkpoint="always")
        one.run("1")
        one.run("2")
        if branches:
            server.call("session.branch", session=one.id, count=1)
    for session in server.call("session.list")["sessions"]:
        server.call("session.close", session=session["session"])


def made_at_last(server, language):
    """The step may fail here, too; but once."""
    with contextlib.suppress(rpc.Failure):
        return server.session(record=False, language=language)
    return server.session(record=False, language=language)


@pytest.mark.as_root  # nobody else sees the supervisor's descriptors
@pytest.mark.parametrize("step", OPENED)
@pytest.mark.few(1)
def test_L10_each_use_of_a_step_that_fails_once(new_caller, programs_that_fail, without_preload, count, step):
    """Whichever of its descriptors the supervisor cannot have: it loses none, and the next session is whole."""
    failing = dataclasses.replace(new_caller(MODES[0]), programs=programs_that_fail)
    for language, uses in (("javascript", 5), ("python", count(4, 24))):
        most = None
        for spared in [None, *range(OPENED[step], OPENED[step] + uses)]:
            told = {} if spared is None else {"RETORT_FAILPOINT": f"{step}:{errno.EMFILE}:1:{spared}"}
            server = rpc.Server(failing, **without_preload, **told)
            for _ in range(2):
                live_and_die(server, language, language == "python")
            last = made_at_last(server, language)
            assert last.run("6 * 7")["status"] == "ok"
            last.close()
            supervisor = supervisor_of(server)
            if spared is None:
                time.sleep(0.3)  # its pool is full by then; else the others are compared with less, and wait
                most = held(supervisor)
            else:
                assert few_held(supervisor, most) <= most, (language, spared)
            assert server.close() == 0


def live_as_far_as_it_goes(server, language):
    """With whatever takes something: a checkpoint, a process that is left, a branch, a way back, files. Returns the
    sessions that were made."""
    made = []
    with contextlib.suppress(rpc.Failure):
        one = server.session(record=False, language=language, checkpoint="always")
        made.append(one.id)
        if language == "javascript":  # it has no checkpoint, and a branch starts it with its first cell only
            one.run("fs.writeFileSync('a', 'b'); child_process.spawn('/usr/bin/sleep', ['77'], {detached: true}).unref()")
            return made
        one.run("import subprocess; open('a', 'w').write('b'); subprocess.Popen(['/usr/bin/sleep', '77'])")
        made += server.call("session.branch", session=one.id, count=1)["sessions"]
        one.run("import os; os._exit(3)")
    return made


@pytest.mark.as_root  # nobody else may signal the supervisor
@pytest.mark.parametrize("language", ["python", "javascript"])
@pytest.mark.few(1)
def test_L10_the_nth_call_that_fails(new_caller, programs_that_fail, without_preload, count, language):
    """Whatever the supervisor cannot have, memory, a descriptor or a process: at the worst one session is refused or ends.
    The supervisor goes on and loses nothing, and another session notices nothing."""
    failing = dataclasses.replace(new_caller(MODES[0]), programs=programs_that_fail)
    rounds, step = count((24, 7), (300, 1))
    server = rpc.Server(failing, RETORT_FAILPOINT=f"nth:1:{step}", **without_preload)
    victim = server.session(record=False, checkpoint="off", deterministic=True)  # its zygote is not that of the others
    victim.run("x = 7")
    supervisor, most = supervisor_of(server), None
    for turn in range(rounds):
        if turn:  # the first life is whole, to compare with
            os.kill(supervisor, signal.SIGUSR2)
        made = live_as_far_as_it_goes(server, language)
        for session in made:
            with contextlib.suppress(rpc.Failure):
                server.call("session.close", session=session)
        os.kill(supervisor, signal.SIGUSR1)
        assert victim.value("x") == "7", turn
        assert supervisor_of(server) == supervisor, turn
        if not turn:
            most = most_held(supervisor, held_but_by_zygotes)
    last = made_at_last(server, language)
    assert last.run("6 * 7")["status"] == "ok"
    last.close()
    # One that is prepared more or less is no loss; one descriptor for each life would be.
    few = most + 2 * rounds // 3
    assert few_held(supervisor, few, held_but_by_zygotes) <= few
    assert server.close() == 0


@pytest.mark.as_root  # nobody else may signal the supervisor
def test_L10_the_nth_call_that_fails_for_a_live_session(new_caller, programs_that_fail, without_preload):
    """After each cell the supervisor ends what it left running, and says so. Whichever of its calls fails then, the session
    is as it was."""
    failing = dataclasses.replace(new_caller(MODES[0]), programs=programs_that_fail)
    server = rpc.Server(failing, RETORT_FAILPOINT="nth:1:1", **without_preload)
    one = server.session(record=False, checkpoint="off")
    one.run("import subprocess; x = 7")
    supervisor = supervisor_of(server)
    for turn in range(40):
        os.kill(supervisor, signal.SIGUSR2)
        assert one.run("subprocess.Popen(['/usr/bin/sleep', '77']); x += 1")["state"] == "kept", turn
        os.kill(supervisor, signal.SIGUSR1)
        assert one.value("x") == str(8 + turn)
    assert server.close() == 0


@pytest.mark.as_root  # nobody else may signal the supervisor
@pytest.mark.parametrize(("language", "code"), [
    ("python", "import time; print(1); time.sleep(100)"), ("javascript", "console.log(1); setTimeout(() => {}, 1e5)")])
def test_L10_a_supervisor_that_dies_under_a_cell(new_caller, programs_that_fail, without_preload, language, code):
    """The cell never happened, the session comes back in another, and the broker, which checks every session, goes on."""
    failing = dataclasses.replace(new_caller(MODES[0]), programs=programs_that_fail)
    server = rpc.Server(failing, **without_preload)
    one = server.session(record=False, language=language)
    cell = one.start(code)
    while not one.notes("session.output"):
        time.sleep(0.01)
    os.kill(supervisor_of(server), signal.SIGKILL)
    assert cell.answer()["state"] == "rolled_back"
    assert [each["session"] for each in server.call("session.list")["sessions"]] == [one.id]
    assert one.value("6 * 7") == "42"
    one.close()
    assert server.close() == 0


def test_L10_files_that_nobody_can_reach(ask):
    """The cell runs; that its files cannot be listed is said, and a request for one is refused with the cause."""
    create = {"method": "session.create", "params": {"language": "python", "record": False}}
    execute = {"method": "session.execute", "params": {"session": "SESSION", "code": "open('a', 'w').write('b'); 6 * 7"}}
    list_files = {"method": "files.list", "params": {"session": "SESSION"}}
    _, executed, refused = ask("collector", create, execute, list_files, times=100)
    assert executed["result"]["value"]["text/plain"] == "42"
    assert executed["result"]["files"] == []
    assert any("could not be set up: Cannot allocate memory" in note for note in executed["result"]["state_notes"])
    assert "could not be set up: Cannot allocate memory" in refused["error"]["message"]


def test_layers_can_be_switched_off_only_in_the_virtual_machine(failing):
    """The build that can switch layers off refuses to, here."""
    if "retort.only=" in pathlib.Path("/proc/cmdline").read_text():
        pytest.skip("this is the virtual machine")
    done = failing.run("run", "-c", f"print('{CANARY}')", env={"RETORT_ABLATE": "uts"})
    assert done.returncode == 125
    assert CANARY.encode() not in done.stdout


def test_release_binaries_fail_at_no_step(caller):
    done = caller.run("run", "-c", "print(6 * 7)", env={"RETORT_FAILPOINT": f"seccomp:{errno.EPERM}"})
    assert (done.returncode, done.stdout) == (0, b"42\n")


@pytest.mark.few
def test_generations_of_zygotes(failing, without_preload):
    """Sessions are begun while one generation takes over from another, which in this build is after eight forks."""
    server, results = rpc.Server(failing, **without_preload), []

    def begin(count):
        for _ in range(count):
            session = server.session(record=False)
            results.append(session.run("print(1)"))
            session.close()

    threads = [threading.Thread(target=begin, args=(60,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.close() == 0
    assert [r for r in results if (r["status"], r["stdout"], r["flags"]) != ("ok", "1\n", [])] == []
    assert len(results) == 240
