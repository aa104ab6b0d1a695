"""retort env import: sessions whose files are those of a container image."""
import contextlib
import fcntl
import functools
import gzip
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile

import images
import pytest
from images import entry, layer
from rpc import Server

STORE = ".local/state/retort/environments"
PROGRAMS = ("bash", "cat", "ls", "stat", "readlink")
LOOK = "import runpy; runpy.run_path('/opt/retort/python/doctor.py', {'PORT': 1})"


def left(someone):
    """What is in the store, but for its lock."""
    store = someone.home / STORE
    return sorted(path.name for path in store.iterdir() if path.name != ".lock") if store.exists() else []


@pytest.fixture
def place(light_caller, tmp_path):
    """A directory that the caller can read, and a home without environments."""
    for parent in (tmp_path, *tmp_path.parents[:3]):
        parent.chmod(0o755)
    yield tmp_path
    for one in json.loads(light_caller.run("env", "list", "--json").stdout):
        light_caller.run("env", "remove", one["name"])
    assert left(light_caller) == []


def import_image(someone, name, path, *options):
    done = someone.run("env", "import", "--json", name, path, *options)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def refused(someone, path):
    """The one line that says why; and nothing is left."""
    done = someone.run("env", "import", "refused", path)
    assert done.returncode == 125, done
    assert done.stdout == b""
    assert left(someone) == []
    return done.stderr.decode().splitlines()[-1]


def bash(someone, name, code):
    done = someone.run("run", "-l", "bash", "--environment", name, "-c", code)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def with_libraries(program):
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return [program, *re.findall(r"(/\S+) \(0x", listed)]


@pytest.fixture(scope="module")
def tiny():
    """A layer with bash and a few programs, taken from the host."""
    paths = {path for program in PROGRAMS for path in with_libraries(shutil.which(program))}
    found = [entry(path, pathlib.Path(path).read_bytes(), mode=0o755) for path in sorted(paths)]
    return layer(*found, entry("bin", kind=tarfile.SYMTYPE, target="usr/bin"))


# ---- Debian -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def system_layer():
    """system_layer(name): the archive of a base system, fetched once; a test that cannot have it says why."""

    def get(system):
        images.CACHE.mkdir(parents=True, exist_ok=True)
        with open(images.CACHE / f"{system}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            try:
                return images.fetch(system)
            except (OSError, subprocess.TimeoutExpired) as error:
                pytest.skip(f"{system} cannot be fetched: {error}")

    return get


FORMS = {"bookworm": images.docker_save, "trixie": images.oci_archive}


def report(result):
    """What trying every layer from inside came to. Namespaces are others for each session, and the host's only where
    an ordinary user cannot have one."""
    found = json.loads(result["stdout"])
    for name, own in found["namespaces"].items():
        assert own != os.readlink(f"/proc/self/ns/{name}") or name in result["isolation"]["missing"]
    return {**found, "namespaces": sorted(found["namespaces"])}


@pytest.mark.by_turns
@pytest.mark.as_root  # who makes a base system; the image is used by both callers
@pytest.mark.parametrize("system", images.SYSTEMS)
@pytest.mark.few(1)
def test_a_base_system_of_debian_runs_its_own_python(light_caller, place, system_layer, system):
    """With all layers that a session of the host's own has, tried from inside; warm, and cold."""
    settings = images.config([f"PATH={images.PATH}", "FROM_IMAGE=yes"])
    archive = FORMS[system](place / "image.tar", [system_layer(system)], settings)
    made = import_image(light_caller, "debian", archive)
    version = images.SYSTEMS[system]
    assert made["image"]["python"].startswith(version + ".")
    assert made["image"]["warm"] is True
    assert made["image"]["programs"] == ["/usr/bin/python3", "/usr/bin/bash"]
    host = light_caller.result(LOOK)
    cold = light_caller.result(LOOK, "--environment", "debian")
    assert report(cold) == report(host)
    assert cold["isolation"] == host["isolation"]
    assert cold["image"] == {"content": made["packages"], "interpreter": "/usr/bin/python3", "warm": False}
    with contextlib.closing(Server(light_caller)) as rpc:
        session = rpc.call("session.create", environment="debian")["session"]
        result = rpc.call("session.execute", session=session, code="import os, sys\nprint(sys.version, os.environ['FROM_IMAGE'])\n"
                          "print(open('/etc/os-release').read())\nprint(os.path.exists('/opt/packages'))")
        assert result["image"]["warm"] is True
        assert result["stdout"].startswith(version + ".") and "yes" in result["stdout"]
        assert f"VERSION_CODENAME={system}" in result["stdout"] and result["stdout"].endswith("False\n")
        assert result["isolation"] == host["isolation"]
        assert rpc.call("session.execute", session=session, code="1 / 0")["error"]["name"] == "ZeroDivisionError"
        beside = rpc.call("session.execute", session=session, language="bash", code="cat /etc/debian_version")
        assert beside["status"] == "ok" and beside["stdout"]
        branch, = rpc.call("session.branch", session=session, count=1)["sessions"]
        assert rpc.call("session.execute", session=branch, code="sys.version_info[:2]")["value"]["text/plain"] == \
            str(tuple(int(part) for part in version.split(".")))


# ---- forms ------------------------------------------------------------------------------------------------------


@functools.cache
def gzipped(data):
    return gzip.compress(data, 1)


def packed_archive(path, layers, settings=None):
    plain = images.docker_save(path.with_suffix(".plain"), layers, settings)
    path.write_bytes(gzip.compress(plain.read_bytes(), 1))
    return path


@pytest.mark.parametrize("form", [images.docker_save, images.oci_archive, images.oci_layout, packed_archive])
@pytest.mark.parametrize("pack", [bytes, gzipped, images.zstd], ids=["plain", "gzip", "zstd"])
@pytest.mark.few(3)
def test_forms(light, tmp_path, tiny, form, pack):
    tmp_path.joinpath("image").mkdir()
    where = tmp_path / "image" if form is images.oci_layout else tmp_path / "image.tar"
    made = import_image(light, "small", form(where, [pack(tiny), pack(layer(entry("greeting", b"hello\n")))]))
    assert bash(light, "small", "cat /greeting") == "hello"
    assert made["image"]["python"] is None
    done = light.run("run", "--environment", "small", "-c", "1")
    assert done.returncode == 125 and b"the image has no python3" in done.stderr
    listed = light.run("env", "list").stdout.decode()
    assert re.match(r"small +image, Python none \(cold\)", listed)
    light.run("env", "remove", "small")
    assert left(light) == []


def test_the_content_is_the_name(light, tmp_path, tiny):
    """Times and owners are none of it; the same files in other layers are the same."""
    one = import_image(light, "one", images.docker_save(tmp_path / "1.tar", [tiny, layer(entry("a", b"1"), entry("b", b"2"))]))
    info, data = entry("b", b"2")
    info.mtime, info.uid = 12345, 1000
    two = import_image(light, "two", images.oci_archive(tmp_path / "2.tar", [layer((info, data)), layer(entry("a", b"0")), tiny,
                                                                             layer(entry("./a", b"1"))]))
    assert one["packages"] == two["packages"]
    assert len(left(light)) == 3
    light.run("env", "remove", "one")
    assert bash(light, "two", "cat /a /b") == "12"
    light.run("env", "remove", "two")


def test_layers(light, tmp_path, tiny):
    """Whiteouts hide what is below and nothing of their own layer; links, modes and names are as they should be."""
    below = layer(entry("d/gone", b"1"), entry("d/stays", b"2"), entry("opaque/old/x", b"3"), entry("tree/a/b", b"4"),
                  entry("file", b"5"), entry("really/here", b"6"), entry("way", kind=tarfile.SYMTYPE, target="/really"),
                  entry("becomes", b"file"), entry("other/x", b"7"))
    above = layer(entry("d/.wh.gone"), entry("opaque/new", b"8"), entry("opaque/.wh..wh..opq"), entry(".wh.tree"),
                  entry("tree/c", b"9"), entry("hard", kind=tarfile.LNKTYPE, target="file"), entry("way/through", b"10"),
                  entry("becomes/dir", b"11"), entry("other", kind=tarfile.SYMTYPE, target="file"),
                  entry("/absolute", b"12"), entry("setuid", b"13", mode=0o4755), entry("secret", b"14", mode=0o600),
                  entry("dev/sda", kind=tarfile.BLKTYPE), entry("na\u00efve\u2028", b"15"))
    import_image(light, "layered", images.docker_save(tmp_path / "i.tar", [tiny, below, above]))
    listed = bash(light, "layered", "ls -R /d /opaque /tree /really /becomes; cat /hard /absolute /secret /na*; readlink /other /way")
    assert listed.split() == ["/becomes:", "dir", "/d:", "stays", "/opaque:", "new", "/really:", "here", "through", "/tree:", "c",
                              "5121415file", "/really"]
    assert bash(light, "layered", "stat -c %a /setuid /secret /d; ls /dev | cat").split()[:3] == ["555", "444", "755"]
    assert "sda" not in bash(light, "layered", "ls /dev")
    light.run("env", "remove", "layered")


def test_our_own_places_are_ours(light, tmp_path, tiny):
    """Whatever an image has where a session has something of its own, it leads nowhere."""
    links = layer(*(entry(name, kind=tarfile.SYMTYPE, target="/usr") for name in ("work", "tmp", "proc", "opt", "dev")),
                  entry("etc/passwd", b"evil"))
    import_image(light, "linked", images.docker_save(tmp_path / "i.tar", [tiny, links]))
    said = bash(light, "linked", "echo 1 >/work/a; echo 2 >/tmp/b; cat /work/a /tmp/b; ls /proc/self/status /dev/null /opt; "
                "read -r first </etc/passwd; echo $first; echo no 2>/dev/null >/usr/x || echo read-only")
    assert said.split("\n") == ["1", "2", "/dev/null", "/proc/self/status", "", "/opt:", "retort", "root:x:0:0:root:/root:/bin/sh",
                                "read-only"]
    light.run("env", "remove", "linked")


# ---- hostile ones -----------------------------------------------------------------------------------------------


@functools.cache
def many_files(count):
    whole = io.BytesIO()
    header = tarfile.TarInfo("d/" + "0" * 7)
    with gzip.GzipFile(fileobj=whole, mode="wb", compresslevel=1) as out:
        block = header.tobuf()
        plain = block[:148] + b" " * 8 + block[156:]
        base = sum(plain)
        for i in range(count):
            name = b"d/%07d" % i
            total = base - sum(b"d/" + b"0" * 7) + sum(name)
            out.write(name + plain[9:148] + b"%06o\0 " % total + plain[156:])
        out.write(bytes(1024))
    return whole.getvalue()


def claims(size):
    info = tarfile.TarInfo("large")
    info.size = size
    return info.tobuf(format=tarfile.GNU_FORMAT) + bytes(512)


def bomb():
    """Zeros: 1 GB in 1 MB."""
    whole = io.BytesIO()
    with gzip.GzipFile(fileobj=whole, mode="wb", compresslevel=1) as out:
        for i in range(16):
            info = tarfile.TarInfo(f"zeros{i}")
            info.size = 64 << 20
            out.write(info.tobuf())
            for _ in range(64):
                out.write(bytes(1 << 20))
        out.write(bytes(1024))
    return whole.getvalue()


HOSTILE = {
    "dots": (lambda: layer(entry("a/../../outside", b"1")), "a/../../outside has '..' in its name"),
    "dots-below": (lambda: layer(entry("../outside", b"1")), "../outside has '..' in its name"),
    "link-out": (lambda: layer(entry("usr/lib/x", kind=tarfile.SYMTYPE, target="../../../../etc/shadow")),
                 "usr/lib/x is a link that leads out of the image"),
    "through-a-link": (lambda: layer(entry("out", kind=tarfile.SYMTYPE, target="../.."), entry("out/x", b"1")),
                       "out is a link that leads out of the image"),
    "hard-link-out": (lambda: layer(entry("x", kind=tarfile.LNKTYPE, target="/etc/shadow")),
                      "x is a hard link to a file that is not in the image"),
    "hard-link-dots": (lambda: layer(entry("x", kind=tarfile.LNKTYPE, target="../../etc/shadow")),
                       "../../etc/shadow has '..' in its name"),
    "device": (lambda: layer(entry("x", kind=tarfile.BLKTYPE)), "x is a device, a pipe or a socket"),
    "character-device": (lambda: layer(entry("etc/null", kind=tarfile.CHRTYPE)), "etc/null is a device, a pipe or a socket"),
    "pipe": (lambda: layer(entry("x", kind=tarfile.FIFOTYPE)), "x is a device, a pipe or a socket"),
    "loop": (lambda: layer(entry("a", kind=tarfile.SYMTYPE, target="b"), entry("b", kind=tarfile.SYMTYPE, target="a"),
                           entry("a/x", b"1")), "is a link that leads to itself"),
    "hides-dots": (lambda: layer(entry("a/.wh...")), "a/.wh... hides nothing"),
    "bomb": (bomb, "makes it more than 100 times as large as its archive"),
    "terabyte": (lambda: claims(1 << 40), "large makes it larger than 6 GiB"),
    "many": (lambda: many_files(500100), "it has more than 500,000 files"),
    "long-name": (lambda: layer(entry("x" * 300, b"1")), "a name is too long"),
    "deep": (lambda: layer(entry("d/" * 3000 + "x", b"1")), "a name is too long"),
    "deep-in-parts": (lambda: layer(entry("d/" * 200 + "x", b"1")), "d is in more than 126 directories"),
    "deep-by-links": (lambda: layer(*(entry(f"l{n + 1}", kind=tarfile.SYMTYPE, target=f"l{n}" + "/d" * 50) for n in range(30)),
                                    entry("l0", kind=tarfile.SYMTYPE, target="d"), entry("l30/x", b"1")),
                      "d is in more than 126 directories"),
    "damaged": (lambda: gzip.compress(layer(entry("x", os.urandom(100000))))[:50000], "is damaged"),
    "no-archive": (lambda: b"x" * 10000, "it is damaged, or no archive of tar's"),
    "nothing-runs": (lambda: layer(entry("x", b"1")), "it has no python3, no bash and no node"),
}


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.few(5)
def test_hostile_layers_are_refused(light, tmp_path, case):
    made, words = HOSTILE[case]
    why = refused(light, images.docker_save(tmp_path / "i.tar", [made()]))
    assert words in why and why.startswith("retort: ")


@pytest.mark.parametrize("case", ["dots", "link-out", "hard-link-out", "device", "many"])
@pytest.mark.few(1)
def test_hostile_layers_are_refused_for_everybody(light_user, tmp_path, case):
    for parent in (tmp_path, *tmp_path.parents[:3]):
        parent.chmod(0o755)
    made, words = HOSTILE[case]
    assert words in refused(light_user, images.docker_save(tmp_path / "i.tar", [made()]))


def test_archives_that_are_no_image(light, tmp_path, tiny):
    files = images.oci_files([tiny])
    first = max(files, key=lambda name: len(files[name]))
    cases = {
        "has another hash": {**files, first: files[first][:-1] + b"x"},
        "is missing": {name: data for name, data in files.items() if name != first},
        "this is no image": {"x": b"1"},
        "another form": {"manifest.json": b"[7]"},
        "it has 0 layers": {"manifest.json": b'[{"Config": "c", "Layers": []}]', "c": b"{}"},
        "the archive has 2 images (a, b): save one": {
            "manifest.json": b'[{"Config": "c", "RepoTags": ["a"]}, {"Config": "c", "RepoTags": ["b"]}]', "c": b"{}"},
    }
    for words, content in cases.items():
        assert words in refused(light, images.write_tar(tmp_path / "i.tar", content))
    other = images.docker_save(tmp_path / "i.tar", [tiny], images.config(architecture="s390x"))
    assert "the image is for linux/s390x" in refused(light, other)
    (tmp_path / "text").write_text("no archive")
    assert "damaged, or no archive" in refused(light, tmp_path / "text")
    assert "cannot read" in refused(light, tmp_path / "missing")
    assert os.listdir(tmp_path) != []
