"""Processes that a door starts in the session (services.py), with pipes or in a terminal: sends their output to
listeners, gives them input and signals, and reports their end."""
import base64
import fcntl
import os
import selectors
import signal
import struct
import subprocess
import termios
import time

HOME = "/home/user"
PIECE = 32768
MOST_INPUT = 4 << 20  # bytes that may wait for a process that does not read
running = {}  # by pid
loop = Failure = None


def set_size(terminal, size):
    rows, columns = (int(size[name]) for name in ("rows", "cols"))
    if not (0 < rows < 65536 and 0 < columns < 65536):
        raise ValueError("rows and cols are numbers from 1 to 65535")
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def with_pipes(words, fed, **how):
    """The process, where its output comes from, and where its input goes."""
    child = subprocess.Popen(words, stdin=subprocess.PIPE if fed else subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, **how)
    return child, {"stdout": child.stdout, "stderr": child.stderr}, child.stdin


def in_terminal(words, size, **how):
    if not os.path.exists("/dev/ptmx"):
        raise Failure("unavailable", "this host gives the sandbox no terminals")
    controller, terminal = os.openpty()
    # The leader of a session without a terminal gets the one that it opens.
    take_it = lambda name=os.ttyname(terminal): os.close(os.open(name, os.O_RDWR))
    try:
        set_size(terminal, size)
        child = subprocess.Popen(words, stdin=terminal, stdout=terminal, stderr=terminal, preexec_fn=take_it, **how)
    except BaseException:
        os.close(controller)
        raise
    finally:
        os.close(terminal)
    return child, {"pty": open(controller, "rb", 0)}, open(os.dup(controller), "wb", 0)


class Process:
    def __init__(self, question):
        self.config, self.tag = question["process"], question.get("tag")
        self.listeners, self.deadline, self.reading = [], None, False
        self.waiting, self.feeding, self.closing = bytearray(), False, False  # input
        words, place = [self.config["cmd"], *self.config.get("args", [])], self.config.get("cwd") or HOME
        how = {"env": {**os.environ, "PWD": place, **self.config.get("envs", {})}, "cwd": place, "start_new_session": True}
        self.terminal = "pty" in question
        self.child, self.pipes, self.input = (in_terminal(words, question["pty"]["size"], **how) if self.terminal
                                              else with_pipes(words, question.get("stdin", True), **how))
        for pipe in (*self.pipes.values(), *([self.input] if self.input else [])):
            os.set_blocking(pipe.fileno(), False)

    def tell(self, data):
        if self.closing or not self.input:
            raise Failure("failed_precondition", "this process has no input")
        if len(self.waiting) + len(data) > MOST_INPUT:
            raise Failure("resource_exhausted", "the process does not read what it was sent")
        self.waiting += data
        self.feed()

    def feed(self):
        """Writes as fast as the process reads; nobody waits for one that does not."""
        try:
            while self.waiting:
                del self.waiting[:os.write(self.input.fileno(), self.waiting[:PIECE])]
        except BlockingIOError:
            pass
        except OSError:  # the process reads no more
            self.closing = True
            self.waiting.clear()
        if bool(self.waiting) != self.feeding:
            self.feeding = not self.feeding
            if self.feeding:
                loop.register(self.input, selectors.EVENT_WRITE, self.feed)
            else:
                loop.unregister(self.input)
        if self.closing and not self.waiting:
            self.input.close()

    def close_input(self):
        if self.input:
            self.closing = True
            self.feed()

    def listen(self, call):
        self.listeners.append(call)
        call.on_credit, call.on_end = self.flow, lambda: self.leave(call)
        call.event({"event": {"start": {"pid": self.child.pid}}})
        self.flow()

    def leave(self, call):
        self.listeners.remove(call)
        self.flow()

    def flow(self):
        """A listener that does not read makes the process wait; without a listener, output is dropped."""
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
        except OSError:  # no process has the terminal open any more
            data = b""
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
        """Output that is in the pipes belongs to the process; what its children write later does not."""
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
        self.waiting.clear()
        self.close_input()
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
    process = Process(question)
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
    kind = "pty" if process.terminal else "stdin"
    if kind not in data:
        raise Failure("failed_precondition", f"this process takes {kind}")
    process.tell(base64.b64decode(data[kind]))
    call.done()


def close_stdin(call, question, _):
    process = chosen(question)
    if process.terminal:
        raise Failure("failed_precondition", "a terminal stays open: send it what ends input there, \\x04")
    process.close_input()
    call.done()


def send_signal(call, question, _):
    name = question["signal"].removeprefix("SIGNAL_")
    if name not in ("SIGKILL", "SIGTERM"):
        raise Failure("invalid_argument", f"unknown signal {name}")
    kill(chosen(question), getattr(signal, name))
    call.done()


def update(call, question, _):
    process = chosen(question)
    if not process.terminal or "pty" not in process.pipes:
        raise Failure("failed_precondition", "this process has no terminal")
    set_size(process.pipes["pty"].fileno(), question["pty"]["size"])
    call.done()


OPERATIONS = {"process.Process/Start": start, "process.Process/Connect": connect, "process.Process/List": list_all,
              "process.Process/SendInput": send_input, "process.Process/CloseStdin": close_stdin,
              "process.Process/SendSignal": send_signal, "process.Process/Update": update}
