"""B: disk, inodes, names."""
import json
import shutil

from ring import PRELUDE

NAMES = [b"new\nline", b"%s%n%x", b"\x1b[31mred", b"\xff\xfe\xfd", "\u202etxt.exe".encode(), b"-rf", b"trailing ", b" leading",
         b"...", b"..x", b"back\\slash", b"\\x41", b"quote\"'", b"\x7f\x01", "e\u0301".encode(), "\u00e9".encode(), b"n" * 255,
         b"CON", b"a:b", b"*?[", b"~", b"$HOME", b"`id`"]


def test_B1_fill_the_disk(box):
    code = """
import errno, os
for place in ('/work', '/tmp', '/dev/shm'):
    try:
        with open(place + '/big', 'wb', 0) as f:
            while True: f.write(bytes(1 << 20))
    except OSError as e: print(place, errno.errorcode[e.errno])
    if place != '/dev/shm': os.remove(place + '/big')
"""
    before = shutil.disk_usage("/").free
    outcome = box.run(code, "--disk", "16", "--memory", "64")
    assert outcome["stdout"] == "/work ENOSPC\n/tmp ENOSPC\n/dev/shm ENOSPC\n" and outcome["flags"] == ["disk_full"]
    assert before - shutil.disk_usage("/").free < 1 << 30  # whatever else this host does


def test_B2_inodes(box):
    code = """
import errno, os
i = 0
try:
    while True:
        os.close(os.open(f'/work/{i}', os.O_CREAT)); i += 1
except OSError as e: print(errno.errorcode[e.errno], 16000 < i <= 16384)
for j in range(i): os.remove(f'/work/{j}')
for j in range(i): os.mkdir(f'/tmp/{j}')
"""
    outcome = box.run(code)
    assert outcome["stdout"] == "ENOSPC True\n" and "disk_full" in outcome["flags"]


def test_B3_sparse(box):
    """Holes cost nobody anything: not hashed, not brought out."""
    out = box.caller.home / "sparse"
    code = """
for name, size in (('tera', 1 << 40), ('peta', 1 << 50), ('most', 1 << 62)):
    attempt(name, lambda: open(name, 'wb').truncate(size))
for i in range(300): open(f'/work/many{i}', 'wb').truncate(200 << 20)
open('/work/honest', 'w').write('kept')
"""
    outcome = box.run(PRELUDE + code, "--out", out)
    assert "artifact_rejected" in outcome["flags"]
    names = {entry["path"] for entry in outcome["files"]}
    assert "honest" in names and not names & {"tera", "peta", "most"} and len(names) < 10
    assert (out / "honest").read_text() == "kept"
    assert sum(path.stat().st_size for path in out.iterdir()) <= 256 << 20
    shutil.rmtree(out)


def test_B5_names(box):
    code = f"""
import os
names = {NAMES!r}
for name in names: os.close(os.open(b'/work/' + name, os.O_CREAT | os.O_WRONLY))
deep = b'/work/' + b'/'.join([b'd'] * 100)
os.makedirs(deep); os.close(os.open(deep + b'/leaf', os.O_CREAT))
"""
    outcome = box.run(code)
    listed = [entry["path"] for entry in outcome["files"]]
    assert len(listed) == len(set(listed)) == len(NAMES) + 1
    assert all(path.isprintable() or path.startswith("\u202e") for path in listed)
    assert {decode(path) for path in listed} - {b"/".join([b"d"] * 100) + b"/leaf"} == set(NAMES)


def decode(path):
    """What the listing's escapes stand for."""
    raw, i, data = bytearray(), 0, path.encode()
    while i < len(data):
        if data[i:i + 2] == b"\\x":
            raw.append(int(data[i + 2:i + 4], 16))
            i += 4
        else:
            i += data[i:i + 1] == b"\\"
            raw.append(data[i])
            i += 1
    return bytes(raw)


def test_B5_many_long_names(box):
    code = "import os\nfor i in range(3000): os.close(os.open(f'/work/{i:0255}', os.O_CREAT))"
    outcome = box.run(code)
    assert len(outcome["files"]) == 3000 and json.dumps(outcome["files"])


def test_B7_disk_then_memory(box):
    """Files and memory come out of one purse; what happens has one name."""
    code = """
try:
    with open('/dev/shm/big', 'wb', 0) as f:
        while True: f.write(bytes(1 << 20))
except OSError: pass
x = []
while True: x.append(b'x' * (1 << 20) + bytes(1))
"""
    outcome = box.run(code, "--memory", "64", "--disk", "32", status=("oom", "error"))
    if outcome["status"] == "error":
        assert outcome["error"]["name"] == "MemoryError"
    assert "disk_full" in outcome["flags"]
