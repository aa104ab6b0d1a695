"""The session's files as a door shows them (services.py): entries, directories, moves, watchers."""
import ctypes
import errno
import grp
import os
import pwd
import selectors
import stat
import struct
import time

HOME = "/home/user"
MOST = 10000  # entries of one answer, and events that a watcher keeps until somebody asks
loop = Failure = None
libc = ctypes.CDLL(None, use_errno=True)
watchers = {}


def begin(the_loop, failure):
    global loop, Failure
    loop, Failure = the_loop, failure


def place(path):
    return os.path.normpath(os.path.join(HOME, path.replace("~", HOME, 1) if path[:1] == "~" else path))


def named(get, number):
    try:
        return get(number)[0]
    except KeyError:
        return str(number)


def entry(path):
    own = os.lstat(path)
    try:
        what = os.stat(path)
    except OSError:
        what = own
    kind = "DIRECTORY" if stat.S_ISDIR(what.st_mode) else "SYMLINK" if stat.S_ISLNK(what.st_mode) else "FILE"
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(own.st_mtime))
    found = {"name": os.path.basename(path) or "/", "type": "FILE_TYPE_" + kind, "path": path, "size": str(what.st_size),
             "mode": stat.S_IMODE(own.st_mode), "permissions": stat.filemode(own.st_mode),
             "owner": named(pwd.getpwuid, own.st_uid), "group": named(grp.getgrgid, own.st_gid),
             "modifiedTime": f"{seconds}.{own.st_mtime_ns % 10**9:09}Z"}
    if stat.S_ISLNK(own.st_mode):
        found["symlinkTarget"] = os.readlink(path)
    return found


def show(call, question, _):
    call.done({"entry": entry(place(question["path"]))})


def listed(directory, depth):
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        yield entry(path)
        if depth > 1 and os.path.isdir(path) and not os.path.islink(path):
            yield from listed(path, depth - 1)


def list_directory(call, question, _):
    entries = []
    for found in listed(place(question["path"]), question.get("depth", 1)):
        entries.append(found)
        if len(entries) > MOST:
            raise Failure("resource_exhausted", f"there are more than {MOST} entries")
    call.done({"entries": entries})


def make_directory(call, question, _):
    path = place(question["path"])
    os.makedirs(path)
    call.done({"entry": entry(path)})


def move(call, question, _):
    source, destination = place(question["source"]), place(question["destination"])
    os.lstat(source)
    os.makedirs(os.path.dirname(destination), exist_ok=True)
    os.rename(source, destination)
    call.done({"entry": entry(destination)})


def remove_all(path):
    if os.path.isdir(path) and not os.path.islink(path):
        for name in os.listdir(path):
            remove_all(os.path.join(path, name))
        os.rmdir(path)
    else:
        os.unlink(path)


def remove(call, question, _):
    remove_all(place(question["path"]))
    call.done()


# ---- watching ---------------------------------------------------------------------------------------------------

KINDS = ((0x100, "CREATE"), (0x2, "WRITE"), (0x200, "REMOVE"), (0x40, "RENAME"), (0x80, "CREATE"), (0x4, "CHMOD"))
MASK = sum(bit for bit, _ in KINDS)
IS_DIRECTORY = 0x40000000
EVENT_HEAD = struct.Struct("iIII")


class Watcher:
    """Calls `tell` for each change below a directory."""

    def __init__(self, path, recursive, tell):
        if not os.path.isdir(path):
            os.lstat(path)
            raise Failure("invalid_argument", f"{path} is not a directory")
        self.root, self.recursive, self.tell, self.directories = path, recursive, tell, {}
        self.fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.fd < 0:  # sessions that share the host's device nodes have no inotify
            self.seen = self.look()
            pollers.append(self)
            return
        self.add(path)
        loop.register(self.fd, selectors.EVENT_READ, self.read)

    def add(self, directory):
        number = libc.inotify_add_watch(self.fd, os.fsencode(directory), MASK)
        if number < 0:
            code = ctypes.get_errno()
            if code in (errno.ENOENT, errno.ENOTDIR):
                return
            raise OSError(code, os.strerror(code))
        self.directories[number] = directory
        for name in os.listdir(directory) if self.recursive else ():
            path = os.path.join(directory, name)
            if os.path.isdir(path) and not os.path.islink(path):
                self.add(path)

    def read(self):
        data, at = os.read(self.fd, 65536), 0
        while at < len(data):
            number, mask, _, length = EVENT_HEAD.unpack_from(data, at)
            name = data[at + EVENT_HEAD.size:at + EVENT_HEAD.size + length].rstrip(b"\0")
            at += EVENT_HEAD.size + length
            if number in self.directories and name:
                self.heard(os.path.join(self.directories[number], os.fsdecode(name)), mask)

    def heard(self, path, mask):
        if self.recursive and mask & IS_DIRECTORY and mask & 0x180:
            self.add(path)
        for bit, kind in KINDS:
            if mask & bit:
                self.say(path, kind)

    def say(self, path, kind):
        if not os.path.basename(path).startswith(".upload-"):  # doors first write files under such names
            self.tell({"name": os.path.relpath(path, self.root), "type": "EVENT_TYPE_" + kind})

    def look(self):
        """The present entries, with the values that change when a file is written or gets another mode."""
        found, places = {}, [self.root]
        while places and len(found) < MOST:
            try:
                entries = list(os.scandir(places.pop()))
            except OSError:
                continue
            for one in entries:
                try:
                    status = one.stat(follow_symlinks=False)
                except OSError:
                    continue
                found[one.path] = status.st_ino, status.st_mtime_ns, status.st_size, status.st_mode
                if self.recursive and stat.S_ISDIR(status.st_mode):
                    places.append(one.path)
        return found

    def poll(self):
        before, self.seen = self.seen, self.look()
        for path in before.keys() - self.seen.keys():
            self.say(path, "REMOVE")
        for path, now in self.seen.items():
            old = before.get(path)
            if old is None or old[0] != now[0]:
                self.say(path, "CREATE")
            elif old[1:3] != now[1:3] and not stat.S_ISDIR(now[3]):
                self.say(path, "WRITE")
            elif old[3] != now[3]:
                self.say(path, "CHMOD")

    def close(self):
        if self in pollers:
            pollers.remove(self)
            return
        loop.unregister(self.fd)
        os.close(self.fd)


pollers = []
PAUSE = 0.2  # seconds between two looks


def patience():
    return PAUSE if pollers else None


def overdue():
    global looked
    if pollers and time.monotonic() - looked >= PAUSE:
        for watcher in pollers[:]:
            watcher.poll()
        looked = time.monotonic()


looked = 0


def watch(call, question, _):
    watcher = Watcher(place(question["path"]), question.get("recursive", False),
                      lambda event: call.credit > 0 and call.event({"filesystem": event}))
    call.on_end = watcher.close
    call.event({"start": {}})


def create_watcher(call, question, _):
    kept = []
    watcher = Watcher(place(question["path"]), question.get("recursive", False),
                      lambda event: len(kept) < MOST and kept.append(event))
    name = f"w{call.number}"
    watchers[name] = watcher, kept
    call.done({"watcherId": name})


def watcher_of(question):
    found = watchers.get(question.get("watcherId"))
    if not found:
        raise Failure("not_found", "no such watcher")
    return found


def watcher_events(call, question, _):
    kept = watcher_of(question)[1]
    events = kept[:]
    kept.clear()
    call.done({"events": events})


def remove_watcher(call, question, _):
    watcher_of(question)[0].close()
    del watchers[question["watcherId"]]
    call.done()


OPERATIONS = {"filesystem.Filesystem/Stat": show, "filesystem.Filesystem/ListDir": list_directory,
              "filesystem.Filesystem/MakeDir": make_directory, "filesystem.Filesystem/Move": move,
              "filesystem.Filesystem/Remove": remove, "filesystem.Filesystem/WatchDir": watch,
              "filesystem.Filesystem/CreateWatcher": create_watcher,
              "filesystem.Filesystem/GetWatcherEvents": watcher_events,
              "filesystem.Filesystem/RemoveWatcher": remove_watcher}
