"""Processes that a door starts in the session (services.py): output to those who listen, input, signals, their end."""
import base64
import os
import selectors
import signal
import subprocess
import time

HOME = "/home/user"
PIECE = 32768
running = {}  # by pid
loop = Failure = None


class Process:
    def __init__(self, config, tag, stdin):
        self.config, self.tag = config, tag
        self.listeners, self.deadline = [], None
        place = config.get("cwd") or HOME
        env = {**os.environ, "PWD": place, **config.get("envs", {})}
        self.child = subprocess.Popen(
            [config["cmd"], *config.get("args", [])], env=env, cwd=place, start_new_session=True,
            stdin=subprocess.PIPE if stdin else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pipes = {"stdout": self.child.stdout, "stderr": self.child.stderr}
        for pipe in self.pipes.values():
            os.set_blocking(pipe.fileno(), False)
        self.reading = False

    def listen(self, call):
        self.listeners.append(call)
        call.on_credit, call.on_end = self.flow, lambda: self.leave(call)
        call.event({"event": {"start": {"pid": self.child.pid}}})
        self.flow()

    def leave(self, call):
        self.listeners.remove(call)
        self.flow()

    def flow(self):
        """Whoever listens and does not read makes the process wait; without a listener its output is dropped."""
        want = all(call.credit > 0 for call in self.listeners)
        if want == self.reading:
            return
        self.reading = want
        for name, pipe in list(self.pipes.items()):
            if want:
                loop.register(pipe, selectors.EVENT_READ, lambda name=name: self.take(name))
            else:
                loop.unregister(pipe)

    def take(self, name):
        pipe = self.pipes.get(name)
        if not pipe:
            return False
        try:
            data = os.read(pipe.fileno(), PIECE)
        except BlockingIOError:
            return False
        if not data:
            self.shut(name)
            return False
        text = base64.b64encode(data).decode()
        for call in list(self.listeners):
            call.event({"event": {"data": {name: text}}})
        self.flow()
        return True

    def shut(self, name):
        pipe = self.pipes.pop(name)
        if self.reading:
            loop.unregister(pipe)
        pipe.close()

    def ended(self):
        """What is in the pipes belongs to it; what its own children write later does not."""
        for name in list(self.pipes):
            while self.take(name):
                pass
            if name in self.pipes:
                self.shut(name)
        code = self.child.returncode
        end = {"exitCode": code if code >= 0 else -1, "exited": code >= 0,
               "status": f"exit status {code}" if code >= 0 else f"signal: {signal.strsignal(-code).lower()}"}
        if code:
            end["error"] = end["status"]
        for call in list(self.listeners):
            call.event({"event": {"end": end}})
            call.done()
        if self.child.stdin:
            self.child.stdin.close()
        del running[self.child.pid]


def begin(the_loop, failure):
    global loop, Failure
    loop, Failure = the_loop, failure
    awake, wake = os.pipe()
    for end in awake, wake:
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    loop.register(awake, selectors.EVENT_READ, lambda: reap(awake))


def reap(awake):
    os.read(awake, 4096)
    for process in list(running.values()):
        if process.child.poll() is not None:
            process.ended()


def patience():
    soonest = min((p.deadline for p in running.values() if p.deadline), default=None)
    return None if soonest is None else max(0, soonest - time.monotonic())


def overdue():
    now = time.monotonic()
    for process in list(running.values()):
        if process.deadline and process.deadline <= now:
            process.deadline = None
            for call in list(process.listeners):
                call.fail("deadline_exceeded", "the command ran longer than it was given")
            process.listeners.clear()
            kill(process, signal.SIGKILL)


def kill(process, number):
    try:
        os.killpg(process.child.pid, number)
    except ProcessLookupError:
        pass


def chosen(question):
    selector = question.get("process", {})
    for pid, process in running.items():
        if pid == selector.get("pid") or (process.tag and process.tag == selector.get("tag")):
            return process
    raise Failure("not_found", f"process {selector.get('pid', selector.get('tag'))} not found")


def start(call, question, _):
    if "pty" in question:
        raise Failure("unimplemented", "terminals are not supported here: use commands")
    config = question["process"]
    process = Process(config, question.get("tag"), question.get("stdin", True))
    running[process.child.pid] = process
    if question.get("timeout_ms"):
        process.deadline = time.monotonic() + question["timeout_ms"] / 1000
    process.listen(call)


def connect(call, question, _):
    chosen(question).listen(call)


def list_all(call, question, _):
    call.done({"processes": [{"config": p.config, "pid": pid, **({"tag": p.tag} if p.tag else {})}
                             for pid, p in running.items()]})


def send_input(call, question, _):
    process, data = chosen(question), question.get("input", {})
    if "stdin" not in data or not process.child.stdin:
        raise Failure("failed_precondition", "this process has no input")
    os.write(process.child.stdin.fileno(), base64.b64decode(data["stdin"]))
    call.done()


def close_stdin(call, question, _):
    process = chosen(question)
    if process.child.stdin:
        process.child.stdin.close()
    call.done()


def send_signal(call, question, _):
    name = question["signal"].removeprefix("SIGNAL_")
    if name not in ("SIGKILL", "SIGTERM"):
        raise Failure("invalid_argument", f"unknown signal {name}")
    kill(chosen(question), getattr(signal, name))
    call.done()


def update(call, question, _):
    chosen(question)
    raise Failure("unimplemented", "terminals are not supported here: use commands")


OPERATIONS = {"process.Process/Start": start, "process.Process/Connect": connect, "process.Process/List": list_all,
              "process.Process/SendInput": send_input, "process.Process/CloseStdin": close_stdin,
              "process.Process/SendSignal": send_signal, "process.Process/Update": update}
