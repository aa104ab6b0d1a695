"""What must be true of a session, as plain values: its variables, files, open files, random numbers, and what other
languages hold.

An action changes a World as its code changes a session, and gives that code; or None where it does not apply, so
that a list of actions still means something when others were taken out of it."""
import copy
import hashlib
import itertools
import random

try:
    import numpy
except ImportError:
    numpy = None

DIRECTORY, LINK, FILE = "directory", "link", "file"


class Node:
    """A file, directory or symbolic link; a file may have several names."""

    numbers = itertools.count()

    def __init__(self, kind, mode, data=b""):
        self.kind, self.mode, self.data, self.number = kind, mode, data, next(self.numbers)


class World:
    def __init__(self):
        self.values = {}  # name of a variable: int, or list of ints; two names may share a list
        self.functions, self.counters = {}, {}
        self.random = self.numpy = None  # a generator in the state that the session's is in, once it was seeded
        self.nodes = {}  # path below /work: Node
        self.folder = ""
        self.files = {}  # name: [Node, path or None if that is gone, offset, flags]
        self.threads = self.processes = 0
        self.begun = {"threads": 0, "processes": 0}  # by all cells, also what was lost since: cells run again begin all
        self.spoken = {language: {} for language in SPEECH}  # name: number
        self.spawned = False  # a child that has ended is one, too, until somebody asks for its status

    def copy(self):
        return copy.deepcopy(self)

    # ---- files

    def parent(self, path):
        return path.rpartition("/")[0]

    def room(self, path):
        """Whether a new name can be made: there is none, in a directory that may be written."""
        return path not in self.nodes and self.open_to(path)

    def open_to(self, path):
        """Whether names in the directory of this path may be changed."""
        above = self.parent(path)
        if not above:
            return True
        node = self.nodes.get(above)
        return node is not None and node.kind == DIRECTORY and node.mode & 0o300 == 0o300 and self.reachable(above)

    def reachable(self, path):
        """Whether every directory above is one, and may be passed."""
        above = self.parent(path)
        while above:
            node = self.nodes.get(above)
            if node is None or node.kind != DIRECTORY or not node.mode & 0o100:
                return False
            above = self.parent(above)
        return True

    def file(self, path, needed=0):
        node = self.nodes.get(path)
        good = node is not None and node.kind == FILE and node.mode & needed == needed and self.reachable(path)
        return node if good else None

    def below(self, path):
        return [name for name in self.nodes if name.startswith(path + "/")]

    def forget(self, path):
        """The name is gone; what was opened by it stays open."""
        del self.nodes[path]
        for held in self.files.values():
            if held[1] == path:
                held[1] = None

    def moved(self, path, to):
        node = self.nodes.pop(path)
        for held in self.files.values():
            if held[1] is not None and held[1] == path:
                held[1] = to
        if self.folder == path:
            self.folder = to
        self.nodes[to] = node

    def inside(self, path):
        """Whether the working directory is there or below."""
        return self.folder == path or self.folder.startswith(path + "/")

    # ---- what can be seen of it

    def seen(self):
        """As PROBE tells it."""
        groups = {}
        for path, node in sorted(self.nodes.items()):
            groups.setdefault(node.number, path)
        files = {}
        for path, node in self.nodes.items():
            shown = node.data.decode("latin-1") if node.kind == LINK else None
            if node.kind == FILE:
                shown = [groups[node.number], node.data.decode("latin-1") if node.mode & 0o400 else None]
            files[path] = [node.kind, 0 if node.kind == LINK else node.mode, shown]
        opened = {name: [held[2], held[1], held[3] & 0o3] for name, held in self.files.items()}
        return {"values": self.values, "functions": {name: k + 3 for name, k in self.functions.items()},
                "counters": sorted(self.counters), "files": files, "open": opened, "folder": self.folder,
                "random": self.random and digest(repr(self.random.getstate())),
                "numpy": self.numpy and digest(repr([self.numpy.get_state()[1].tolist(), self.numpy.get_state()[2]])),
                "threads": self.threads, "processes": self.processes}


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


PROBE = '''
import hashlib, json, os, stat, sys
def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]
def look(path):
    st = os.lstat(path)
    mode = stat.S_IMODE(st.st_mode)
    if stat.S_ISLNK(st.st_mode):
        return ["link", 0, os.readlink(path)]
    if stat.S_ISDIR(st.st_mode):
        return ["directory", mode, None]
    try:
        data = open(path, "rb").read().decode("latin-1")
    except PermissionError:
        data = None
    return ["file", mode, [first.setdefault(st.st_ino, path[6:]), data]]
files, first, paths = {}, {}, []
def walk(folder):
    for name in sorted(set(os.listdir(folder)) - {".retort"}) if os.access(folder, os.R_OK) else KNOWN:
        path = name if name.startswith("/work/") else os.path.join(folder, name)
        if os.path.dirname(path) == folder and os.access(folder, os.X_OK):
            paths.append(path)
            if os.path.isdir(path) and not os.path.islink(path):
                walk(path)
walk("/work")
for path in sorted(paths):
    try:
        files[path[6:]] = look(path)
    except FileNotFoundError:
        pass
def tell(fd):
    path = os.readlink("/proc/self/fd/%d" % fd)
    flags = [line for line in open("/proc/self/fdinfo/%d" % fd) if line.startswith("flags")][0]
    return [os.lseek(fd, 0, 1), None if path.endswith(" (deleted)") else path[6:], int(flags.split()[1], 8) & 3]
def sleepers():
    count = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = open("/proc/%s/stat" % pid).read().rpartition(")")
        except OSError:
            continue
        state, parent = fields[2].split()[:2]
        count += fields[0].endswith("(sleep") and state != "Z" and int(parent) == os.getpid()
    return count
def numpy_state():
    state = sys.modules["numpy"].random.get_state()
    return digest(repr([state[1].tolist(), int(state[2])]))
values = {k: v for k, v in user.items() if k in ("x", "y", "z") and type(v) in (int, list)}
print(json.dumps({"values": values, "functions": {k: v(3) for k, v in user.items() if k.startswith("fun_")},
    "counters": sorted(k for k in user if k.startswith("gen_")), "files": files,
    "open": {k: tell(v) for k, v in user.get("held", {}).items()}, "folder": os.getcwd()[6:],
    "random": digest(repr(sys.modules["random"].getstate())) if "seeded" in user else None,
    "numpy": numpy_state() if "numpy_seeded" in user else None,
    "threads": sum(t.name == "model" for t in sys.modules["threading"].enumerate()) if "threading" in sys.modules else 0,
    "processes": sleepers()}))
'''


def probe(known):
    """A cell that looks at everything and leaves no trace. A directory that cannot be listed is asked by name."""
    code = PROBE.replace("KNOWN", repr(["/work/" + path for path in known]))
    return f"exec({code!r}, {{'user': globals()}})"


# ---- other languages: how a number gets a name, a text becomes a file, and all names are told as JSON

NAMES = "pqr"
TABLE = "CREATE TABLE IF NOT EXISTS told (name TEXT PRIMARY KEY, value INTEGER);\n"
SPEECH = {
    "javascript": {
        "assign": "var {name} = {value}", "write": "require('fs').writeFileSync({path}, {text})",
        "probe": "console.log(JSON.stringify({%s}))" % ", ".join(f"{n}: globalThis.{n}" for n in NAMES)},
    "bash": {
        "assign": "{name}={value}", "write": "printf %s {text} > {path}",
        "probe": "echo \"{%s\\\"_\\\": 0}\"" % "".join("${%s+\\\"%s\\\": $%s, }" % (n, n, n) for n in NAMES)},
    "sql": {
        "assign": TABLE + "INSERT OR REPLACE INTO told VALUES ('{name}', {value})", "write": None,
        "probe": TABLE + "SELECT json_group_object(name, value) AS told FROM told"},
}


def speak(w, language, name, value, path, text):
    """Code in another language that gives a number a name and, perhaps, writes a file."""
    how = SPEECH[language]
    lines = [how["assign"].format(name=name, value=value)]
    if how["write"] and path and write(w, path, text):
        lines.append(how["write"].format(path=f"'/work/{path}'", text=f"'{text}'"))
    w.spoken[language][name] = value
    return ";\n".join(lines)


# ---- actions: (world, arguments) -> code or None

VALUES, PATHS = "xyz", ["a", "b", "c", "D", "E", "D/a", "D/b", "D/F", "D/F/a", "E/a"]
OPEN_FLAGS = {"r": 0, "w": 1, "rw": 2, "a": 0o2001}  # as os.O_…
ACTIONS = {}


def action(*choices):
    def note(function):
        ACTIONS[function.__name__] = (function, choices)
        return function
    return note


def work(path):
    return repr("/work/" + path)


@action(VALUES, range(9))
def assign(w, name, value):
    w.values[name] = value
    return f"{name} = {value}"


@action(VALUES, range(9))
def append(w, name, value):
    if not isinstance(w.values.get(name), list):
        w.values[name] = [value]
        return f"{name} = [{value}]"
    w.values[name].append(value)
    return f"{name}.append({value})"


@action(VALUES, VALUES)
def alias(w, name, other):
    if other not in w.values:
        return None
    w.values[name] = w.values[other]
    return f"{name} = {other}"


@action(VALUES)
def unset(w, name):
    return None if w.values.pop(name, None) is None else f"del {name}"


@action("fg", range(9))
def define(w, name, k):
    w.functions["fun_" + name] = k
    return f"def fun_{name}(v): return v + {k}"


@action("gh", VALUES, range(9))
def count(w, name, variable, start):
    """A running generator: no copy but a fork has it."""
    name = "gen_" + name
    if name not in w.counters:
        w.counters[name] = start
        return f"import itertools; {name} = (n for n in itertools.count({start}))"
    w.values[variable] = w.counters[name]
    w.counters[name] += 1
    return f"{variable} = next({name})"


@action(range(99))
def seed(w, n):
    w.random = random.Random(n)
    return f"import random; random.seed({n}); seeded = True"


@action(VALUES)
def draw(w, name):
    if w.random is None:
        return None
    w.values[name] = w.random.randrange(1000)
    return f"{name} = random.randrange(1000)"


@action(range(99))
def seed_numpy(w, n):
    if numpy is None:
        return None
    w.numpy = numpy.random.RandomState(n)
    return f"import numpy; numpy.random.seed({n}); numpy_seeded = True"


@action(VALUES)
def draw_numpy(w, name):
    if w.numpy is None:
        return None
    w.values[name] = int(w.numpy.randint(1000))
    return f"{name} = int(numpy.random.randint(1000))"


@action(PATHS, ["", "one", "two\0", "three " * 50])
def write(w, path, text):
    if w.room(path):
        w.nodes[path] = Node(FILE, 0o644, text.encode())
    elif w.file(path, 0o200):
        w.nodes[path].data = text.encode()
    else:
        return None
    return f"open({work(path)}, 'w').write({text!r}) and None"


@action(PATHS, ["+", "more"])
def extend(w, path, text):
    if not w.file(path, 0o200):
        return None
    w.nodes[path].data += text.encode()
    return f"open({work(path)}, 'a').write({text!r}) and None"


@action(PATHS)
def remove(w, path):
    if path not in w.nodes or w.nodes[path].kind == DIRECTORY or not w.open_to(path):
        return None
    w.forget(path)
    return f"import os; os.remove({work(path)})"


@action(PATHS)
def make_directory(w, path):
    if not w.room(path):
        return None
    w.nodes[path] = Node(DIRECTORY, 0o755)
    return f"import os; os.mkdir({work(path)})"


@action(PATHS)
def remove_directory(w, path):
    node = w.nodes.get(path)
    if node is None or node.kind != DIRECTORY or w.below(path) or w.inside(path) or not w.open_to(path):
        return None
    w.forget(path)
    return f"import os; os.rmdir({work(path)})"


@action(PATHS, PATHS)
def rename(w, path, to):
    node = w.nodes.get(path)
    other = w.nodes.get(to)
    if (node is None or path == to or to.startswith(path + "/") or not w.open_to(path) or not w.open_to(to)
            or other is node or (node.kind == DIRECTORY and not node.mode & 0o200)):
        return None
    if other is not None and (node.kind == DIRECTORY or other.kind == DIRECTORY):
        return None
    if other is not None:
        w.forget(to)
    inner = w.below(path)
    w.moved(path, to)
    for name in inner:
        w.moved(name, to + name[len(path):])
    return f"import os; os.rename({work(path)}, {work(to)})"


@action(PATHS, ["a", "/work/D", "nowhere", "../etc/passwd"])
def link(w, path, target):
    if not w.room(path):
        return None
    w.nodes[path] = Node(LINK, 0o777, target.encode())
    return f"import os; os.symlink({target!r}, {work(path)})"


@action(PATHS, PATHS)
def second_name(w, path, to):
    node = w.file(path, 0o600)  # fs.protected_hardlinks asks for both
    if node is None or not w.room(to):
        return None
    w.nodes[to] = node
    return f"import os; os.link({work(path)}, {work(to)})"


@action(PATHS, [0o600, 0o444, 0o755, 0o000, 0o640])
def change_mode(w, path, mode):
    node = w.nodes.get(path)
    if node is None or node.kind == LINK or not w.reachable(path):
        return None
    node.mode = mode if node.kind == FILE else mode | 0o500
    return f"import os; os.chmod({work(path)}, {node.mode:#o})"


@action(PATHS + [""])
def change_folder(w, path):
    node = w.nodes.get(path)
    if path and (node is None or node.kind != DIRECTORY or not node.mode & 0o100 or not w.reachable(path)):
        return None
    w.folder = path
    return f"import os; os.chdir({work(path)})"


@action("uv", PATHS, sorted(OPEN_FLAGS))
def hold(w, name, path, how):
    needed = {"r": 0o400, "w": 0o200, "rw": 0o600, "a": 0o200}[how]
    if name in w.files or not w.file(path, needed):
        return None
    w.files[name] = [w.nodes[path], path, 0, OPEN_FLAGS[how]]
    return f"import os; held = globals().get('held', {{}}); held[{name!r}] = os.open({work(path)}, {OPEN_FLAGS[how]})"


@action("uv", ["!", "held"])
def write_held(w, name, text):
    if name not in w.files or not w.files[name][3] & 3:
        return None
    node, _, offset, flags = w.files[name]
    data = text.encode()
    at = len(node.data) if flags & 0o2000 else offset
    node.data = node.data[:at].ljust(at, b"\0") + data + node.data[at + len(data):]
    w.files[name][2] = at + len(data)
    return f"os.write(held[{name!r}], {data!r}) and None"


@action("uv", range(6))
def read_held(w, name, n):
    if name not in w.files or w.files[name][3] & 1:
        return None
    node, _, offset, _ = w.files[name]
    w.files[name][2] += len(node.data[offset:offset + n])
    return f"os.read(held[{name!r}], {n}) and None"


@action("uv", range(9))
def seek_held(w, name, n):
    if name not in w.files:
        return None
    w.files[name][2] = n
    return f"os.lseek(held[{name!r}], {n}, 0) and None"


@action("uv")
def close_held(w, name):
    return None if w.files.pop(name, None) is None else f"os.close(held.pop({name!r}))"


@action()
def start_thread(w):
    if w.threads >= 2:
        return None
    w.threads += 1
    w.begun["threads"] += 1
    return "import threading; threading.Thread(target=threading.Event().wait, name='model', daemon=True).start()"


@action()
def start_process(w):
    """Ends with the cell, unless the session allows work in the background."""
    if w.processes >= 2:
        return None
    w.processes += 1
    w.begun["processes"] += 1
    w.spawned = True
    return "import subprocess; child = subprocess.Popen(['sleep', '1000'])"
