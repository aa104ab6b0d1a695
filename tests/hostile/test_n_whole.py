"""N7, X7: what is said of files is what happened to them, whatever names, depths, counts and kinds there are."""
import shutil

import pytest

from rpc import Failure, Server, Session

DIE = "\nos._exit(1)"
LOOK = """
import hashlib, os, stat
def look():
    'Every name below /work with kind, mode, number of names and bytes; however deep, without a path.'
    seen = hashlib.sha256()
    def level(fd, path):
        names = sorted(os.listdir(fd), key=os.fsencode)
        for name in names:
            st = os.lstat(name, dir_fd=fd)
            line = [path, os.fsencode(name), st.st_mode, st.st_nlink]
            if stat.S_ISREG(st.st_mode):
                line.append(hashlib.sha256(open(os.open(name, os.O_RDONLY, dir_fd=fd), 'rb').read()).digest() if st.st_mode & 0o400 else st.st_size)
            if stat.S_ISLNK(st.st_mode):
                line.append(os.readlink(name, dir_fd=fd))
            seen.update(repr(line).encode())
            if stat.S_ISDIR(st.st_mode) and st.st_mode & 0o500 == 0o500:
                inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=fd)
                level(inner, hashlib.sha256(path + b'/' + os.fsencode(name)).digest())
                os.close(inner)
    root = os.open('/work', os.O_RDONLY | os.O_DIRECTORY)
    import sys; sys.setrecursionlimit(100000)
    level(root, b'')
    os.close(root)
    return seen.hexdigest()[:16], oct(os.stat('/work').st_mode), len(os.listdir('/work'))
"""


@pytest.fixture(scope="module")
def server(light_caller):
    one = Server(light_caller)
    yield one
    assert one.close() == 0


@pytest.fixture
def make(server):
    made = []

    def create(**options):
        made.append(server.session(**{"record": False, **options}))
        return made[-1]

    yield create
    for one in made:
        one.close()


def branch(one):
    return Session(one.server, {"session": one.server.call("session.branch", session=one.id)["sessions"][0], "isolation": None})


def check(one, build, harm):
    """Roll-back, undo and branch give the same tree, and say nothing, because nothing is missing."""
    result = one.run(LOOK + build)
    assert result["status"] == "ok", result["error"]
    before = one.value("look()")
    died = one.run(harm + DIE)
    assert (died["state"], died["state_notes"], died["flags"]) == ("rolled_back", [], [])
    assert one.value("look()") == before
    assert one.run(harm)["status"] == "ok"
    undone = one.server.call("session.undo", session=one.id, cells=1)
    assert undone["state_notes"] == [] and "flags" not in undone
    assert one.value("look()") == before
    other = branch(one)
    assert other.value("look()") == before
    other.close()


@pytest.mark.few
def test_N7_more_files_than_a_session_has_by_default(make):
    one = make(limits={"inodes": 60000})
    one.run("import os\nfor i in range(17000): open(f'{i}', 'w').write('old')\n")
    died = one.run("for i in range(17000): open(f'{i}', 'w').write('new')" + DIE)
    assert (died["state"], died["state_notes"], died["flags"]) == ("rolled_back", [], [])
    assert one.value("{open(n).read() for n in os.listdir()}, len(os.listdir())") == "({'old'}, 17000)"
    assert len(one.files()) == 17000


@pytest.mark.parametrize("depth, name", [(300, "d"), (60, "n" * 200)])
def test_N7_deep(make, depth, name):
    """Deeper than a path can say: inside, one gets there step by step."""
    one = make(limits={"open_files": 4096})
    go = (f"def down():\n    os.chdir('/work')\n    for i in range({depth}):\n        os.path.isdir({name!r}) or os.mkdir({name!r})\n"
          f"        os.chdir({name!r})\ndef write(text):\n    down(); open('file', 'w').write(text); os.symlink(text, text); os.chdir('/work')\n")
    check(one, go + "write('old')\n", "write('new')\ndown(); os.remove('old'); os.mkfifo('fifo'); os.chdir('/work')\n")
    [path] = one.files()
    assert path == f"{name}/" * depth + "file" and one.read(path) == b"old"
    one.delete(name)
    assert one.value("os.listdir('/work')") == "[]"


KINDS = """
names = [b'new\\nline', b'\\xff\\xfe', b'n' * 255, b'-rf', b' ', b'back\\\\slash', '\\u202e'.encode(), b'\\x01']
def files(text):
    for name in names: open(b'/work/' + name, 'wb').write(name + text)
files(b'old')
os.mkfifo('fifo', 0o640); os.mkfifo('other')
os.mkdir('closed', 0o700); open('closed/in', 'w').write('old'); os.mkdir('closed/d'); os.chmod('closed', 0)
os.mkdir('sticky'); os.chmod('sticky', 0o1777); open('sticky/in', 'w').write('old')
os.mkdir('readonly'); open('readonly/in', 'w').write('old'); os.chmod('readonly', 0o555)
open('ro', 'w').write('old'); os.chmod('ro', 0o444); open('set', 'w').write('old'); os.chmod('set', 0o6755)
os.symlink('nowhere', 'link'); os.symlink(b'\\xff' * 4000, 'long')
open('one', 'w').write('old'); os.link('one', 'two')
f = open('holes', 'wb'); f.truncate(20 << 20); f.seek(10 << 20); f.write(b'old'); f.close()
for i in range(4): os.truncate(os.open(f'hole{i}', os.O_CREAT | os.O_WRONLY), 8 << 20)
"""
KINDS_HARM = """
files(b'newer')
os.remove('fifo'); os.chmod('other', 0o600)
os.chmod('closed', 0o700); open('closed/in', 'w').write('new'); os.rmdir('closed/d'); os.symlink('/', 'closed/d')
os.chmod('sticky', 0o755); os.remove('sticky/in'); os.mkdir('sticky/in')
os.chmod('readonly', 0o755); os.remove('readonly/in'); os.chmod('readonly', 0o500)
os.chmod('ro', 0o644); open('ro', 'w').write('new'); os.chmod('ro', 0); os.chmod('set', 0o755)
os.remove('link'); os.remove('long'); os.mkfifo('long')
os.remove('two'); open('two', 'w').write('new')
for n in ('holes', 'hole0', 'hole1', 'hole2', 'hole3'): open(n, 'w').write('new')
os.mkdir('extra', 0); open('x' * 255, 'w'); os.chmod('/work', 0o511)
"""


@pytest.mark.parametrize("mode", ["always", "off"])
@pytest.mark.few(1)
def test_X7_kinds(make, mode):
    one = make(checkpoint=mode, limits={"disk": 60})
    check(one, KINDS, KINDS_HARM)
    one.run("os.truncate('hole0', 1 << 50)")
    assert one.run("os.truncate('hole0', 1)" + DIE)["flags"] == ["files_incomplete"]


def test_X7_sockets(make):
    """One that is left alone stays; one that is gone cannot be made again, which is said."""
    one = make(checkpoint="always")
    one.run("import os, socket\ns = socket.socket(socket.AF_UNIX); s.bind('socket'); s.close()")
    died = one.run("1" + DIE)
    assert (died["state"], died["state_notes"], died["flags"]) == ("rolled_back", [], [])
    other = branch(one)
    born = other.run("os.listdir()")
    assert born["value"]["text/plain"] == "['socket']" or (
        born["flags"] == ["files_incomplete"] and "socket: is not in the branch" in born["state_notes"])
    other.close()
    died = one.run("os.remove('socket')" + DIE)
    assert died["flags"] == ["files_incomplete"] and "socket: is no file" in died["state_notes"][0]
    assert one.run("1")["flags"] == []


LONG = "for i in range({0}): os.symlink('t' * 4000, 'l' * 250 + str(i))\n"


@pytest.mark.few
def test_X7_more_than_a_list_holds(make):
    """What cannot be known is said with every result, of undo and of a branch too; what can be is restored all the same."""
    one = make(limits={"disk": 64})
    one.run("import os\nopen('first', 'w').write('old')")
    died = one.run(LONG.format(6000) + "open('first', 'w').write('new')" + DIE)
    assert (died["state"], died["state_notes"], died["flags"]) == ("rolled_back", [], [])
    assert one.value("os.listdir(), open('first').read()") == "(['first'], 'old')"
    made = one.run(LONG.format(6000))
    assert "files_incomplete" in made["flags"] and "not complete" in made["state_notes"][0]
    assert one.server.call("files.list", session=one.id)["incomplete"] is True
    assert "files_incomplete" in one.run("1")["flags"]
    other = branch(one)
    assert "files_incomplete" in other.run("1")["flags"]
    other.close()
    died = one.run("for n in os.listdir(): os.remove(n)" + DIE)
    assert died["state"] == "rolled_back" and "files_incomplete" in died["flags"]
    assert "not all files are what they were" in died["state_notes"][-1]
    undone = one.server.call("session.undo", session=one.id, cells=1)
    assert undone["flags"] == ["files_incomplete"]
    assert one.server.call("session.undo", session=one.id, cells=1).get("flags") is None
    assert one.value("os.listdir()") == "['first']" and "incomplete" not in one.server.call("files.list", session=one.id)


def test_X7_all_comes_out_or_it_is_said(box):
    out = box.caller.home / "whole"
    code = ("import os\nfor i in range(60):\n    os.mkdir('n' * 100); os.chdir('n' * 100)\nopen('deep', 'w').write('deep')\n"
            "os.chdir('/work')\n")
    outcome = box.run(code, "--out", out)
    assert outcome["flags"] == [] and [f["size"] for f in outcome["files"]] == [4]
    done = box.caller.run("run", "--out", out, "-c", "import os\nopen('a', 'w').write('a')\n" + LONG.format(6000))
    assert done.returncode == 125 and b"not complete" in done.stderr and done.stderr.count(b"\n") == 1
    shutil.rmtree(out)


def test_X7_a_name_that_was_listed_is_found(make):
    """Also one that no JSON text can say."""
    one = make()
    names = [b"\xff\xfe", b"new\nline", b"back\\slash", b"a\\x41", b"aA", "\u00e9".encode()]
    one.run(f"import os\nfor n in {names!r}: open(b'/work/' + n, 'wb').write(n)")
    listed = one.files()
    assert sorted(one.read(path) for path in listed) == sorted(names)
    for path in listed:
        one.delete(path)
    assert one.files() == {}
    with pytest.raises(Failure):
        one.read("\\xff")
