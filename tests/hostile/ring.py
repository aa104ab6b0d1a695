"""What hostile cases share: the ring they run in, canaries, tripwires. conftest.py makes fixtures of it."""
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import secrets
import socket
import tempfile

import pytest

ORDINARY_UID = 61234
SUBORDINATE_FIRST = 0x60000000  # far from anything that is in use

# What guests begin with: each attempt prints its label and what came of it.
PRELUDE = """
import ctypes, errno, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def tell(label, outcome):
    print(label.replace(' ', '_'), outcome, flush=True)
def attempt(label, function, *arguments, **options):
    try:
        result = function(*arguments, **options)
    except OSError as e:
        tell(label, errno.errorcode.get(e.errno, 'OSError'))
    except Exception as e:
        tell(label, type(e).__name__)
    else:
        tell(label, 'DONE ' + ascii(result)[:200])
def syscall(label, number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    tell(label, errno.errorcode[ctypes.get_errno()] if result < 0 else f'DONE {result}')
"""


def digest(folder):
    """Everything about a tree that a guest might change."""
    seen = []
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        seen.append((str(path), status.st_mode, status.st_mtime_ns, status.st_uid, status.st_size, content))
    return seen


class Canary:
    """Secrets where hostile code would look, and files that it would like to change."""

    def __init__(self, owner):
        self.token = "canary" + secrets.token_hex(12)
        self.tree = pathlib.Path(tempfile.mkdtemp(prefix="canary-"))
        (self.tree / "project").mkdir(mode=0o777)
        (self.tree / "flag").write_text(self.token)
        (self.tree / "project/main.py").write_text(f"SECRET = {self.token!r}\n")
        for path in (self.tree, self.tree / "project", self.tree / "flag", self.tree / "project/main.py"):
            path.chmod(0o777)  # its permissions are not what protects it
            os.chown(path, owner, -1)
        self.before = digest(self.tree)

    def environment(self):
        return {"CANARY": self.token, "OPENAI_API_KEY": self.token, f"N{self.token}": "1"}


class Tripwire:
    """Listeners on this host's loopback that nobody has reason to talk to."""

    def __init__(self):
        self.sockets = []
        self.tcp = self.listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        self.udp = self.listen(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        self.tcp6 = self.listen(socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0))
        self.name = "\0canary-" + secrets.token_hex(8)
        self.listen(socket.AF_UNIX, socket.SOCK_STREAM, self.name)

    def listen(self, family, kind, address):
        s = socket.socket(family, kind)
        s.bind(address)
        if kind == socket.SOCK_STREAM:
            s.listen()
        return self.add(s).getsockname()

    def add(self, s):
        s.setblocking(False)
        self.sockets.append(s)
        return s

    def seen(self):
        """What has knocked since the last time."""
        heard = []
        for s in self.sockets:
            try:
                if s.type == socket.SOCK_STREAM:
                    s.accept()[0].close()
                else:
                    s.recv(9)
                heard.append(s.getsockname())
            except BlockingIOError:
                pass
        return heard


@dataclasses.dataclass
class Outcome:
    result: dict
    raw: bytes

    def __getitem__(self, name):
        return self.result[name]

    @property
    def attempts(self):
        """What PRELUDE's attempts printed: label to outcome."""
        pairs = [line.split(" ", 1) for line in self.result["stdout"].splitlines()]
        return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


class Box:
    def __init__(self, caller, canary, tripwire):
        self.caller, self.canary, self.tripwire = caller, canary, tripwire
        self.mode = caller.name
        self.raw = []

    @property
    def cgroup(self):
        """Whether limits are held by a cgroup, which an ordinary user may not have."""
        return "cgroup" in self.run("1")["isolation"]["layers"]

    def run(self, code, *options, language="python", status="ok", caller=None, **more):
        """Runs code and checks what holds for every result; the status too, one or several."""
        done = (caller or self.caller).run("run", "--json", "-l", language, *options, "-", input=code.encode(),
                                           env=self.canary.environment(), **more)
        self.raw.append(done.stdout + done.stderr)
        assert done.stdout, f"no result: {done.stderr.decode(errors='replace')}"
        outcome = Outcome(json.loads(done.stdout), done.stdout)
        wanted = (status,) if isinstance(status, str) else status
        if outcome["status"] not in wanted:
            pytest.fail(f"status {outcome['status']}, not {wanted}: {done.stdout.decode(errors='replace')[:3000]}")
        self.check_message(outcome, done.stderr)
        return outcome

    def run_all(self, cases, *options, at_once=4, **more):
        """Runs several pieces of code side by side: name to code, or to (language, code). Returns name to outcome."""
        def one(name, case):
            language, code = ("python", case) if isinstance(case, str) else case
            try:
                return self.run(code, *options, language=language, **more)
            except BaseException as e:
                raise AssertionError(f"{name}: {e}") from e

        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            runs = {name: pool.submit(one, name, case) for name, case in cases.items()}
        return {name: run.result() for name, run in runs.items()}

    def attempts(self, code, *options, **more):
        """Runs attempts (see PRELUDE) and returns what came of each."""
        attempts = self.run(PRELUDE + code, *options, **more).attempts
        assert attempts, "nothing was attempted"
        return attempts

    def check_message(self, outcome, stderr):
        assert len(stderr) < 1024 and len(outcome.raw) < 4 << 20
        message = stderr.decode() + str((outcome["error"] or {}).get("message", ""))[:65536]
        assert all(c.isprintable() or c in "\n\t" for c in stderr.decode())
        for path in (self.caller.home, self.caller.programs):
            assert str(path) not in message

    def check(self, before):
        """The invariants."""
        assert before.left() == []
        assert digest(self.canary.tree) == self.canary.before
        for raw in self.raw:
            assert self.canary.token.encode() not in raw
        assert self.tripwire.seen() == []
        fresh = self.caller.run("run", "-c", "print(6*7)")
        assert (fresh.stdout, fresh.stderr, fresh.returncode) == (b"42\n", b"", 0)


def refused(attempts, *errors):
    """Every attempt failed, and by one of these errors."""
    wrong = {label: outcome for label, outcome in attempts.items() if outcome not in errors}
    assert wrong == {}


def give_subordinate_ids(folder):
    """A command that sees this user in /etc/passwd, /etc/subuid and /etc/subgid, where it alone looks."""
    span = f"attacker:{SUBORDINATE_FIRST}:65536\n"
    texts = {"passwd": pathlib.Path("/etc/passwd").read_text() + f"attacker:x:{ORDINARY_UID}:{ORDINARY_UID}::/:/bin/sh\n",
             "subuid": span, "subgid": span}
    for name, text in texts.items():
        (folder / name).write_text(text)
    mounts = " && ".join(f"mount --bind {folder}/{name} /etc/{name}" for name in texts)
    return ("/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", f'{mounts} && exec "$@"', "sh")
