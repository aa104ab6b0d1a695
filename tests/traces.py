"""What a run may leave behind on the host: processes, cgroups, mounts, files, descriptors.

Whoever asks becomes a subreaper, so that every process a run started stays below it in the tree, whatever it did: what
is below and was not there before is what has been left."""
import collections
import contextlib
import ctypes
import fcntl
import os
import pathlib
import time

PATIENCE = 30  # seconds until something that goes on its own counts as left; no test passes sooner or later by it
PR_SET_CHILD_SUBREAPER = 36
SESSION_UIDS = 0x60000000  # those that root takes, and those that tests give to an ordinary user
PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock")
# The lock of a user's uids, which stays; what test suites make; what clients keep that they try.
NOT_OURS = ("retort-", "claude-", "cc-socks")
SANITIZED = pathlib.Path(os.environ.get("RETORT_BUILD", "build")).name in ("asan", "tsan")
HELD_BACK = (256 << 20) if SANITIZED else 0  # bytes that are free and kept, so that who uses them still is found out


def growth(before, now):
    """How much memory a program has more; not counted with sanitizers, which hold back what is free and find leaks."""
    return 0 if SANITIZED else now - before


def adopt():
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def children(pid):
    """Of all its threads; one that has just ended hides not those of the others."""
    found = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                found += map(int, pathlib.Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return found


def name_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def tree(pid=None):
    """Every process below `pid`, or below this one."""
    found, todo = set(), children(pid or os.getpid())
    while todo:
        child = todo.pop()
        if child not in found:
            found.add(child)
            todo += children(child)
    return found


def spare(pid):
    """First processes below `pid` in whose pid namespace nobody else is: what is left of a session, for the next one."""
    inside = collections.defaultdict(list)
    for one in tree(pid):
        with contextlib.suppress(OSError):
            inside[os.readlink(f"/proc/{one}/ns/pid")].append(one)
    return {one for members in inside.values() for one in members if len(members) == 1 and name_of(one) == "init"}


def reap_orphans(known):
    """Collects what this process inherited and nobody else waits for."""
    for pid in set(children(os.getpid())) - known:
        try:
            os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            pass


def cgroups():
    """Directories of engines; that of a living engine is locked by it."""
    found = set()
    for place, names, _ in os.walk("/sys/fs/cgroup"):  # others come and go meanwhile, which it does not mind
        ours = [name for name in names if name.startswith("retort-")]
        names[:] = [name for name in names if name not in ours]
        found |= {pathlib.Path(place, name) for name in ours}
    return found


def is_dead(cgroup):
    """By its lock, as engines themselves tell: the process may be in another pid namespace."""
    try:
        fd = os.open(cgroup, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return False  # it is gone, or is somebody else's
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False
    finally:
        os.close(fd)


def mounts():
    return set(pathlib.Path("/proc/self/mountinfo").read_text().splitlines())


def entries(owners):
    """What in the host's common places belongs to the user of a run, or to that of a session."""
    found = set()
    for place in PLACES:
        try:
            listing = list(os.scandir(place))
        except OSError:
            continue
        for entry in listing:
            if entry.name.startswith(NOT_OURS):
                continue
            try:
                uid = entry.stat(follow_symlinks=False).st_uid
            except OSError:
                continue
            if uid in owners or uid >= SESSION_UIDS:
                found.add(entry.path)
    return found


class Before:
    """The host before a case; `left()` tells what there is more afterwards, once it has had the time to go."""

    def __init__(self, owners=()):
        self.owners = set(owners)
        self.processes, self.cgroups, self.mounts = tree(), cgroups(), mounts()
        self.entries = entries(self.owners)
        self.descriptors = os.listdir("/proc/self/fd")

    def _left_now(self):
        reap_orphans(self.processes)
        left = [f"process {pid} {name_of(pid)}" for pid in sorted(tree() - self.processes)]
        left += [f"cgroup {path}" for path in sorted(cgroups() - self.cgroups) if is_dead(path)]
        left += [f"file {path}" for path in sorted(entries(self.owners) - self.entries)]
        # Only those that came: one that another program made goes when its directory is removed.
        left += [f"mount {line}" for line in sorted(mounts() - self.mounts)]
        if len(os.listdir("/proc/self/fd")) > len(self.descriptors):
            left.append("a descriptor is open")
        return left

    def left(self, at_once=False):
        deadline = time.monotonic() + (0 if at_once else PATIENCE)
        while True:
            left = self._left_now()
            if not left or time.monotonic() > deadline:
                return left
            time.sleep(0.02)
