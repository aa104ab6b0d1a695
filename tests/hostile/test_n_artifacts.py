"""N: the host touches files of the guest, on their way out and in."""
import os
import shutil

import pytest


@pytest.fixture
def out(box):
    folder = box.caller.home / "brought-out"
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def brought(out):
    return {str(path.relative_to(out)) for path in out.rglob("*") if not path.is_dir()} if out.exists() else set()


LINKS = """
import os
for name, target in (('passwd', '/etc/passwd'), ('environ', '/proc/self/environ'), ('up', '../../../../etc/shadow'),
                     ('root', '/'), ('dir', '/etc'), ('loop', 'loop'), ('dangling', 'nowhere'), ('canary', '%s/flag'),
                     ('proc', '/proc'), ('fd', '/proc/self/fd/0'), ('magic', '/proc/self/root'), ('cwd', '/proc/self/cwd'),
                     ('exe', '/proc/self/exe'), ('self', '.')):
    os.symlink(target, name)
os.mkdir('real'); open('real/file', 'w').write('honest')
os.symlink('real', 'alias')
"""


def test_N1_symbolic_links(box, out):
    outcome = box.run(LINKS % box.canary.tree, "--out", out)
    assert outcome["flags"] == ["artifact_rejected"]
    assert [entry["path"] for entry in outcome["files"]] == ["real/file"]
    assert brought(out) == {"real/file"}


def test_N1_link_in_place_of_what_was_there(box, out):
    """The host's directory has a link of the same name as a file that comes out: it is not followed."""
    out.mkdir()
    victim = box.caller.home / "victim"
    victim.write_text("untouched")
    (out / "file").symlink_to(victim)
    (out / "folder").symlink_to(box.caller.home)
    if os.geteuid() == 0:
        os.chown(out, box.caller.home.stat().st_uid, -1)
    code = "import os\nopen('file', 'w').write('x')\nos.mkdir('folder'); open('folder/victim', 'w').write('x')"
    done = box.caller.run("run", "--out", out, "-c", code)
    assert done.returncode == 125 and done.stderr.count(b"\n") == 1 and victim.read_text() == "untouched"


def test_N2_swapped_while_listed(box, out):
    """Whatever a path was when it was looked at, only a regular file of /work is ever read."""
    code = """
while :; do ln -sfn /etc x; rm -f x; mkdir -p x; echo y > x/passwd; rm -rf x; done &
while :; do ln -sfn /proc/self/environ y; rm -f y; echo y > y; rm -f y; done &
sleep 0.3"""
    outcome = box.run(code, "--out", out, language="bash")
    for path in brought(out):
        assert (out / path).read_text() == "y\n"
    assert outcome["status"] == "ok"


def test_N4_not_regular(box, out):
    code = """
import os, socket
os.mkfifo('fifo'); os.mkdir('report.csv'); os.mkdir('empty')
s = socket.socket(socket.AF_UNIX); s.bind('socket')
open('honest', 'w').write('x')
os.chmod('honest', 0)
os.mkdir('closed', 0o700); open('closed/inside', 'w').write('x'); os.chmod('closed', 0)
"""
    outcome = box.run(code, "--out", out)
    assert outcome["flags"] == ["artifact_rejected"]
    assert {entry["path"] for entry in outcome["files"]} == {"honest", "closed/inside"}
    assert brought(out) == {"honest", "closed/inside"}


def test_N6_growing_and_shrinking(box, out):
    code = """
import os
if os.fork() == 0:
    os.setsid()
    while True:
        with open('/work/grows', 'ab', 0) as f: f.write(bytes(1 << 16))
        os.truncate('/work/grows', 0 if os.path.getsize('/work/grows') > 4 << 20 else 1 << 20)
import time; time.sleep(0.2)
"""
    outcome = box.run(code, "--out", out)
    [entry] = outcome["files"]
    assert (out / "grows").stat().st_size == entry["size"] <= 5 << 20


def test_N8_names(box, out):
    names = [b"new\nline", b"\xff\xfe", b"..x", b"...", b"~", b"-rf", b"CON", b"a:b", "\u202eexe".encode(), "e\u0301".encode(),
             "\u00e9".encode(), b"Case", b"case", b"%0a", b"back\\slash", b"end\\", b"a\\x41", b"a%41", b"\x1b[2J"]
    code = f"import os\nfor name in {names!r}: os.write(os.open(b'/work/' + name, os.O_CREAT | os.O_WRONLY), name)"
    outcome = box.run(code, "--out", out)
    assert len(outcome["files"]) == len(names)
    found = sorted((out / path).read_bytes() for path in brought(out))
    assert found == sorted(names) and all(path.parent == out for path in out.rglob("*"))
    assert all(path.isprintable() for path in brought(out))


def test_N10_no_mount_in_the_way(box, out):
    """Were a mount possible it would be seen: there is one file system under /work, and it is the session's."""
    code = "import os\nopen('f', 'w').write(str(len({os.stat(p).st_dev for p in ('/work', '/tmp', '/dev/shm')})))"
    box.run(code, "--out", out)
    assert (out / "f").read_text() == "1"


def test_N12_content_is_not_parsed(box, out):
    code = """
import io, tarfile
with tarfile.open('evil.tar', 'w') as t:
    for name in ('../../escaped', '/tmp/escaped'):
        info = tarfile.TarInfo(name); info.size = 1
        t.addfile(info, io.BytesIO(b'x'))
open('bomb.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + b'\\xff' * 64)
open('x.csv', 'w').write('=cmd|calc!A1\\n')
open('x.html', 'w').write('<script>alert(1)</script>')
"""
    outcome = box.run(code, "--out", out)
    assert brought(out) == {"evil.tar", "bomb.png", "x.csv", "x.html"}
    assert (out / "x.html").read_text() == "<script>alert(1)</script>" and not (out.parent / "escaped").exists()
    assert {entry["change"] for entry in outcome["files"]} == {"created"}


def test_N13_upload_over_an_upload(box):
    """Inputs are written before any guest code runs, each beneath /work; a directory does not become a file."""
    source = box.caller.home / "input"
    source.write_text("data")
    done = box.caller.run("run", "--file", f"{source}:a/b", "--file", f"{source}:a", "-c", "1")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (125, b"", 1)
    assert box.run("print(open('a').read())", "--file", f"{source}:a", "--file", f"{source}:a")["stdout"] == "data\n"
    listing = box.run("import os; print(os.stat('a').st_uid, oct(os.stat('a').st_mode & 0o6000))", "--file", f"{source}:a")
    assert listing["stdout"] == "1000 0o0\n"


def test_N14_upload_names(box):
    source = box.caller.home / "input"
    source.write_text("data")
    for name in ("/etc/x", "..", "../x", "a/../../x", "a//../../x", "", ".", "a/", "n" * 256, "/".join(["d" * 200] * 30),
                 "../proc/self/mem"):
        done = box.caller.run("run", "--file", f"{source}:{name}", "-c", "import os; print(os.listdir('/work'))")
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (125, b"", 1), name


def test_N15_many_files(box, out, count):
    """As many as there are inodes: listed, hashed and brought out within bounds, the rest of the host undisturbed."""
    amount = count(500, 16000)
    code = f"for i in range({amount}): open(f'/work/{{i}}', 'w').write('x')"
    outcome = box.run(code, "--out", out, timeout=600)
    assert len(outcome["files"]) == amount == len(brought(out))
