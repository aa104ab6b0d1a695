"""A dormant copy of the interpreter: the session goes on from it when a cell kills the live one.

The live process forks a middle one, which forks the dormant one and exits: the dormant process
belongs to pid 1, and the user's os.wait() never sees it. It answers "d" on the wake socket and
blocks there; "r" comes with a new channel and new pipes; the end of that socket ends it. What a
fork does not carry over is written down before it: offsets of open files (they are shared with
the live process), the working directory, the state of `random` (os.fork reseeds it).
"""
import _signal
import _socket
import _thread
import os
import stat
import sys

from . import cell, channel

CREATION = os.O_CREAT | os.O_EXCL | os.O_TRUNC
PATIENCE = 5  # seconds for a process that has to make just one call


def descriptor():
    """The wake socket, sent with the byte that follows the CHECKPOINT frame."""
    source = _socket.socket(fileno=channel.FD)
    try:
        _, ancillary, _, _ = source.recvmsg(1, _socket.CMSG_SPACE(4))
    finally:
        source.detach()
    if not ancillary:
        raise OSError("the cell left no descriptor free")
    return int.from_bytes(ancillary[0][2][:4], sys.byteorder)


def take(fork=None):
    """Answers a CHECKPOINT frame or, with another way to fork, a BRANCH frame."""
    cell.flush()
    problem = []
    try:
        wake = descriptor()
        try:
            (fork or fork_twice)(wake)
        finally:
            os.close(wake)
    except OSError as e:
        problem = [(channel.F_ERROR_MESSAGE, str(e))]
    channel.send(channel.CHECKPOINTED, problem)
    cell.breathe()


def fork_twice(wake):
    os.set_inheritable(wake, False)
    memory = Memory(wake)
    mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, [_signal.SIGCHLD])
    try:
        (fork_cheaply if "retort_guest._retort" in sys.modules else fork_plainly)(wake, memory, mask)
        swallow_sigchld()
    except ChildProcessError:
        pass  # SIGCHLD is ignored, or a thread of the user waits for all children
    finally:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)


def fork_cheaply(wake, memory, mask):
    """The middle process shares our memory. We wait until the dormant one has reported: before that the supervisor does
    not know it, and would kill it after the next cell."""
    from . import _retort

    ours, theirs = os.pipe()
    try:
        middle, trouble = _retort.copy()
        if middle == 0:
            take_over(wake, memory, mask, ours, theirs)
    finally:
        os.close(theirs)
        os.read(ours, 1)
        os.close(ours)
    if middle > 0:
        os.waitpid(middle, 0)
    if trouble:
        raise OSError("the second fork failed")


def take_over(wake, memory, mask, *rest):
    """Runs in the copy. Never returns into what the original does."""
    try:
        say(wake)
        for fd in rest:
            os.close(fd)
        _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)
        sleep(wake, memory)
    finally:
        os._exit(1)


def fork_plainly(wake, memory, mask):
    middle = os.fork()
    if middle == 0:
        split(wake, memory, mask)
    if os.waitpid(middle, 0)[1]:
        raise OSError("the second fork failed")


def branch(wake):
    """Forks into namespaces of its own. The parent of the copy is pid 1, so os.wait() never sees it."""
    from . import _retort

    os.set_inheritable(wake, False)
    memory = Memory(wake, "the parent of this branch")
    mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, [_signal.SIGCHLD])
    try:
        middle, trouble = _retort.branch(wake)
        if middle == 0:
            leave_loop(memory)
            take_over(wake, memory, mask)
        if middle > 0:
            os.waitpid(middle, 0)
        swallow_sigchld()
    except ChildProcessError:
        pass  # as above
    finally:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)
    if trouble:
        raise OSError(trouble, os.strerror(trouble))


def leave_loop(memory):
    """The loop for top-level await waits on an epoll instance that the parent still uses."""
    if cell.state.loop is not None:
        memory.notes.append("not carried over: the event loop and its tasks")
        memory.loop = cell.state.loop  # never closed: that would affect the parent's
        cell.state.loop = None


def swallow_sigchld():
    """The user's handler must hear only of the user's children, not of the middle process."""
    if _signal.SIGCHLD in _signal.sigpending():
        _signal.sigtimedwait([_signal.SIGCHLD], 0)
        try:
            if os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                os.kill(os.getpid(), _signal.SIGCHLD)
        except ChildProcessError:
            pass


def split(wake, memory, mask):
    """Runs in a middle process that was forked: exits once the dormant process has reported."""
    status, middle = 1, os.getpid()
    try:
        if os.fork() == 0:
            report(wake, middle)
            _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)
            sleep(wake, memory)
        if _signal.sigtimedwait([_signal.SIGCHLD], PATIENCE):
            status = 0
    finally:
        os._exit(status)


def say(wake):
    bell = _socket.socket(fileno=wake)
    bell.send(b"d")
    bell.detach()


def report(wake, middle):
    say(wake)
    os.kill(middle, _signal.SIGCHLD)  # blocked there, so it stays until it is waited for


def sleep(wake, memory):
    """In the dormant process: waits, then takes the session over and serves. Does not return."""
    try:
        channel.born()
        # Some Pythons still count threads that did not survive the fork.
        cell.state.threads = _thread._count()
        memory.restore_random()
        cell.oom_score(0)
        null = os.open("/dev/null", os.O_RDWR)
        for fd in (1, 2, channel.FD):
            os.dup2(null, fd, False)
        os.close(null)
        # Both take milliseconds: better now than when the session waits.
        memory.notes += shared_maps()
        cell.breathe()
        bell = _socket.socket(fileno=wake)
        data, ancillary, _, _ = bell.recvmsg(1, _socket.CMSG_SPACE(12))
        if data != b"r":
            os._exit(0)
        fds = memoryview(ancillary[0][2]).cast("i")
        for fd, to in zip(fds, (channel.FD, 1, 2)):
            os.dup2(fd, to, to != channel.FD)
            os.close(fd)
        bell.close()
        cell.oom_score(900)
        notes = memory.restore()
        channel.send(channel.RESUMED, [(channel.F_NOTE, note) for note in notes])
        cell.loop()
    finally:
        os._exit(1)


class Memory:
    """What is true of the process now, but would not be of its copy later."""

    def __init__(self, wake, other="a process that ended"):
        self.other = other
        self.folder = os.getcwd()
        self.random = None
        module = sys.modules.get("random")
        if module is not None:
            self.random = module.getstate()
        self.files, self.notes = [], []
        known = {0, 1, 2, channel.FD, wake} | loop_descriptors()
        for fd in map(int, os.listdir("/proc/self/fd")):
            if fd not in known:
                self.remember(fd)
        self.notes += lost("thread(s)", _thread._count() - cell.state.threads)
        self.notes += lost("child process(es)", len(children()))

    def remember(self, fd):
        try:
            kind = os.fstat(fd).st_mode
            path = os.readlink("/proc/self/fd/%d" % fd)
            with open("/proc/self/fdinfo/%d" % fd) as f:
                lines = f.read().split("\n")
        except OSError:
            return  # it was the directory that listed the others
        offset, flags = place_of(lines)
        if path.endswith(" (deleted)"):
            self.notes.append("descriptor %d: its file was unlinked" % fd)
        elif stat.S_ISREG(kind) or stat.S_ISDIR(kind):
            self.files.append((fd, path, flags & ~CREATION, offset if stat.S_ISREG(kind) else 0))
        elif path.startswith(("socket:", "pipe:")):
            self.notes.append("descriptor %d: its %s is shared with %s"
                              % (fd, path.partition(":")[0], self.other))

    def restore_random(self):
        if self.random is not None:
            sys.modules["random"].setstate(self.random)
            self.random = None

    def restore(self):
        """Opens files again, by path; returns notes on everything that was lost."""
        notes = self.notes
        try:
            os.chdir(self.folder)
        except OSError as e:
            notes.append("working directory %s: %s" % (self.folder, e.strerror))
        for fd, path, flags, offset in self.files:
            try:
                put_open(fd, path, flags, offset)
            except OSError as e:
                notes.append("descriptor %d: %s: %s" % (fd, path, e.strerror))
        return notes


def follow(made):
    """Files and directories of the session were removed and made again, {old inode: path below /work}: replaces this
    process's open files of them, and its working directory, by the new ones."""
    work = os.fsencode(cell.state.work)
    device = os.stat(work).st_dev
    here = os.stat(".")
    if here.st_dev == device and here.st_ino in made:
        os.chdir(os.path.join(work, made[here.st_ino]))
    for fd in map(int, os.listdir("/proc/self/fd")):
        try:
            st = os.fstat(fd)
            if st.st_dev == device and st.st_ino in made:
                with open("/proc/self/fdinfo/%d" % fd) as f:
                    offset, flags = place_of(f.read().split("\n"))
                put_open(fd, os.path.join(work, made[st.st_ino]), flags & ~CREATION, offset if stat.S_ISREG(st.st_mode) else 0)
        except OSError:
            pass  # it listed the others; or the file is not there again, and stays what it was


def place_of(lines):
    """Offset and flags, out of fdinfo."""
    return int(lines[0].split()[1]), int(lines[1].split()[1], 8)


def put_open(fd, path, flags, offset):
    new = open_again(path, flags)
    os.lseek(new, offset, os.SEEK_SET)
    if new == fd:  # it was closed, and its number is the lowest one that is free
        os.set_inheritable(fd, not flags & os.O_CLOEXEC)
    else:
        os.dup2(new, fd, not flags & os.O_CLOEXEC)
        os.close(new)


def open_again(path, flags):
    """An open file stays open whatever its mode has become; the process is its owner."""
    try:
        return os.open(path, flags)
    except PermissionError:
        mode = stat.S_IMODE(os.stat(path).st_mode)
        os.chmod(path, mode | 0o600)
        try:
            return os.open(path, flags)
        finally:
            os.chmod(path, mode)


def lost(kind, count):
    return ["not carried over: %d %s" % (count, kind)] if count > 0 else []


def children():
    """Processes that this one started; the copy is not their parent. Not every kernel lists them."""
    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as f:
            return f.read().split()
    except OSError:
        return []


def loop_descriptors():
    """The wake-up sockets of the loop for top-level await: nobody else uses them."""
    ends = [getattr(cell.state.loop, name, None) for name in ("_ssock", "_csock")]
    return {end.fileno() for end in ends if end is not None}


def shared_maps():
    """Memory shared with the process that ended; only mmap makes it."""
    if "mmap" not in sys.modules:
        return []
    paths = set()
    with open("/proc/self/maps", "rb", 0) as f:
        maps = f.readall()  # a thousand lines, which are hardly ever worth looking at one by one
    if b"w-s " in maps or b"wxs " in maps:
        for line in maps.decode(errors="replace").split("\n"):
            access = line.split(None, 2)[1:2]
            if access and access[0].endswith("s") and "w" in access[0]:
                paths.add("".join(line.split(None, 5)[5:]).strip() or "anonymous memory")
    return ["shared map of %s may have changed" % path for path in sorted(paths)][:20]
