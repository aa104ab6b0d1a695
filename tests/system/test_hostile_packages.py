"""Packages that mean harm: each is refused with a line, or holds nothing but its own files; nothing is left elsewhere."""
import io
import os
import pathlib
import stat
import tarfile
import zipfile

import pexpect
import pytest
import rpc
import terminals
import wheels
from test_environments import STORE, create, left, names, place, run  # noqa: F401: the fixture is used by name

ESCAPED = "escaped-from-a-package"  # whatever gets out has this in its name
INFO = "evil-1.0.dist-info"


def crafted(folder, *entries, record="", entry_points="", metadata=""):
    """A wheel with these entries beside its own: (name, text) or (name, text, mode with its kind)."""
    path = folder / "evil-1.0-py3-none-any.whl"
    own = [("evil.py", "fine = True\n"), (f"{INFO}/METADATA", f"Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n{metadata}"),
           (f"{INFO}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")]
    if entry_points:
        own.append((f"{INFO}/entry_points.txt", entry_points))
    listed = "".join(f'"{name}",,\n' for name, *_ in [*own, *entries])
    with zipfile.ZipFile(path, "w") as archive:
        for name, text, *mode in [*own, *entries, (f"{INFO}/RECORD", record or listed)]:
            info = zipfile.ZipInfo(name)
            info.filename = name  # with what ZipInfo would have taken out of it
            info.external_attr = (mode[0] if mode else stat.S_IFREG | 0o644) << 16
            archive.writestr(info, text)
    path.chmod(0o644)
    return path


LINK, FIFO, DEVICE = stat.S_IFLNK | 0o777, stat.S_IFIFO | 0o666, stat.S_IFCHR | 0o666
SCRIPTS = "[console_scripts]\n"
WHEELS = {
    "dots": lambda at: crafted(at, (f"../../../../../../tmp/{ESCAPED}", "x")),
    "dots inside": lambda at: crafted(at, (f"evil/../../../{ESCAPED}", "x")),
    "absolute": lambda at: crafted(at, (f"/tmp/{ESCAPED}", "x")),
    "the tree": lambda at: crafted(at, ("/work/tree", "retort-tree/1\n"), ("../tree", "x"), ("../../tree", "x")),
    "backslashes": lambda at: crafted(at, (f"..\\..\\{ESCAPED}", "x")),
    "a link": lambda at: crafted(at, ("evil/link", "/etc/passwd", LINK), ("evil/out", "/tmp", LINK), (f"evil/out/{ESCAPED}", "x")),
    "a link to a directory": lambda at: crafted(at, ("sub", "../../..", LINK), (f"sub/{ESCAPED}", "x")),
    "a device": lambda at: crafted(at, ("null", "", DEVICE), ("pipe", "", FIFO)),
    "set-uid": lambda at: crafted(at, ("become", "#!/bin/sh\n", stat.S_IFREG | 0o6755)),
    "data": lambda at: crafted(at, (f"evil-1.0.data/data/../../../../{ESCAPED}", "x"), (f"evil-1.0.data/scripts/../../{ESCAPED}", "x")),
    "data elsewhere": lambda at: crafted(at, (f"evil-1.0.data/data//tmp/{ESCAPED}", "x"), (f"evil-1.0.data/{ESCAPED}/x", "x")),
    "the record": lambda at: crafted(at, record="../../../../etc/passwd,sha256=AAAA,1\nevil.py,sha256=AAAA,7\nabsent.py,,\n"),
    "no record": lambda at: crafted(at, record="\0\n\"\n,,,,,,\n"),
    "a file as directory": lambda at: crafted(at, ("twice", "x"), ("twice/below", "x")),
    "two files of one name": lambda at: crafted(at, ("evil.py", "fine = False\n")),
    "names of scripts": lambda at: crafted(at, entry_points=f"{SCRIPTS}../../{ESCAPED} = evil:fine\n"),
    "absolute scripts": lambda at: crafted(at, entry_points=f"{SCRIPTS}/tmp/{ESCAPED} = evil:fine\n"),
    "markup": lambda at: crafted(at, entry_points=f"{SCRIPTS}<img src=x> = evil:fine\n$(touch {ESCAPED}) = evil:fine\n"),
    "code as script": lambda at: crafted(at, entry_points=f"{SCRIPTS}x = os:system('touch /tmp/{ESCAPED}')\n"),
    "new lines": lambda at: crafted(at, ("a\nb.py", ""), ("c\rd.py", ""), ("\x1b[2Je.py", ""), ("evil/\n/f.py", "")),
    "no text": lambda at: crafted(at, ("caf\udce9.py".encode("utf-8", "surrogateescape").decode("latin-1"), ""), ("\u202eyp.x", "")),
    "a long name": lambda at: crafted(at, ("n" * 300 + ".py", "")),
    "depth": lambda at: crafted(at, ("d/" * 300 + "x.py", "")),
    "another name": lambda at: crafted(at, metadata="Name: <b>other</b>\nVersion: ../../2\n"),
    "what it needs": lambda at: crafted(at, metadata=f"Requires-Dist: other @ file:///tmp/{ESCAPED}\n"),
}
# What pip takes, and what is in the environment then.
TAKEN = {"a device", "set-uid", "the record"}
# Cases for make soak, each with the one of make check that has the same way out.
ALIKE = {"dots inside": "dots", "absolute": "the tree", "backslashes": "dots", "a link to a directory": "a link", "data elsewhere": "data",
         "no record": "the record", "a file as directory": "two files of one name", "absolute scripts": "names of scripts",
         "markup": "names of scripts", "code as script": "names of scripts"}


def harmless(caller, before):
    """Nothing anywhere but in the environment, and there nothing but directories and files that nobody can change."""
    for top in ("/tmp", "/var/tmp", caller.home, pathlib.Path.cwd()):
        assert not [name for name in os.listdir(top) if ESCAPED in name]
    outside = [path for path in caller.home.rglob("*") if STORE not in str(path) and path not in before]
    assert [path for path in outside if path.name not in (".local", "state", "retort", "environments") and ".config" not in str(path)] == []
    for path in (caller.home / STORE).rglob("*"):
        mode = path.lstat().st_mode
        assert stat.S_ISDIR(mode) or stat.S_ISREG(mode) or stat.S_ISLNK(mode), path
        if stat.S_ISLNK(mode):
            assert path.resolve().is_relative_to(caller.home.resolve() / STORE) and not os.path.isabs(os.readlink(path)), path
        else:
            assert not mode & 0o7022, path


def attempt(caller, name, *options, patience=120):
    """The line with which it was refused, after what pip says; "" if it was made. A refusal leaves nothing."""
    before = set(caller.home.rglob("*"))
    done = caller.run("env", "create", name, *options, timeout=patience)
    said = done.stderr.decode()
    assert done.returncode in (0, 125), said
    harmless(caller, before)
    if done.returncode == 0:
        return ""
    last = said.splitlines()[-1]
    assert last.startswith("retort: ") and "internal" not in last and all(" " <= c <= "~" for c in last), said
    assert names(caller) == [] and left(caller) == []
    return last


@pytest.mark.by_turns
@pytest.mark.parametrize("case", [pytest.param(case, marks=pytest.mark.soak(ALIKE[case])) if case in ALIKE else case for case in WHEELS])
@pytest.mark.few(3)
def test_wheels(light_caller, place, case):  # noqa: F811
    why = attempt(light_caller, "evil", "--pip", WHEELS[case](place))
    assert not why or case not in TAKEN
    if not why:
        assert run(light_caller, "evil", "import evil; print(evil.fine)") in ("True", "False")
        assert run(light_caller, "evil", f"ls -dR /tmp/*{ESCAPED}* /opt/packages/{ESCAPED} 2>/dev/null; true", "-l", "bash") == ""


@pytest.mark.by_turns
@pytest.mark.few
def test_a_pth_file_runs_nowhere(light_caller, place):  # noqa: F811
    """Not when it is installed, nor in the warm interpreter, nor in a session or a Python that it starts."""
    lines = f"import sys, os; sys.came_by_pth = True; open('/tmp/{ESCAPED}', 'w')\n/tmp\n"
    wheel = crafted(place, ("evil.pth", lines), ("distutils-precedence.pth", lines), ("evil-nspkg.pth", lines))
    assert attempt(light_caller, "evil", "--pip", wheel, "--preload", "evil") == ""
    look = f"import sys, os, subprocess\nprint(hasattr(sys, 'came_by_pth'), os.path.exists('/tmp/{ESCAPED}'), flush=True)\n"
    again = look.splitlines()[1]
    code = look + f"subprocess.run([sys.executable, '-c', 'import sys, os\\n' + {again!r}])"
    assert run(light_caller, "evil", code) == "False False\nFalse False"


@pytest.mark.few
def test_a_great_many_files(light_caller, place, count):  # noqa: F811
    """More than an environment may have, or than can be unpacked in the time that is given."""
    number, seconds = count((40000, "3"), (600000, "600"))
    wheel = crafted(place, *((f"evil/{i}.txt", "") for i in range(number)))
    assert attempt(light_caller, "evil", "--pip", wheel, "--install-timeout", seconds, patience=900)


# ---- code that runs while something is built -------------------------------------------------------------------------

AFTER = "import os, pathlib\nwheels_at = pathlib.Path('/work/wheels'); wheels_at.mkdir(exist_ok=True)\n"
BUILDS = {
    "links for wheels": (AFTER + "os.symlink('/etc/passwd', wheels_at / 'passwd-1.0-py3-none-any.whl')", None),
    "a pipe for a wheel": (AFTER + "os.mkfifo(wheels_at / 'pipe-1.0-py3-none-any.whl')", None),
    "a name of two lines": (AFTER + "(wheels_at / 'a\\nb-1.0-py3-none-any.whl').touch()", "is no wheel"),
    "an option for a name": (AFTER + "(wheels_at / '--target=x-1.0-py3-none-any.whl').touch()", "is no wheel"),
    "a directory for a wheel": (AFTER + "d = wheels_at / 'd-1.0-py3-none-any.whl'; d.mkdir(); (d / 'x').touch()", "is no wheel"),
    "too many": (AFTER + "[(wheels_at / f'm{i}-1.0-py3-none-any.whl').touch() for i in range(2100)]", "is no wheel"),
    "bytes for a wheel": (AFTER + "(wheels_at / 'junk-1.0-py3-none-any.whl').write_bytes(b'PK' + bytes(99))", "junk"),
    "another pip": (AFTER + "pathlib.Path('/work/pip.py').write_text('raise SystemExit(0)')", None),
    "the end of its parents": ("import os\nfor pid in os.listdir('/proc'):\n    if pid.isdigit() and pid not in ('1', str(os.getpid())):\n"
                               "        os.kill(int(pid), 9)", ""),
    "frames": ("import os\nfor fd in range(3, 64):\n    try:\n        os.write(fd, bytes([1, 0, 0, 0]) * 1000)\n    except OSError:\n        pass", None),
    "all descriptors": ("import resource\nhold = []\nwhile True:\n    try:\n        hold.append(open('/dev/null'))\n    except OSError:\n        break\n"
                        "hold.clear()", None),
}


@pytest.mark.by_turns
@pytest.mark.parametrize("case", BUILDS)
@pytest.mark.few(2)
def test_code_that_builds(light_caller, place, case):  # noqa: F811
    code, said = BUILDS[case]
    project = wheels.own_backend(place, "evil", code)
    why = attempt(light_caller, "evil", "--pip", project)
    if said is None:
        assert why == ""
        assert run(light_caller, "evil", "import evil; print(evil.version)") == "1.0"
        lock = light_caller.run("env", "lock", "evil").stdout.decode()
        assert lock.count("py3-none-any.whl") == 1 and "passwd" not in lock
    else:
        assert why and said in why


@pytest.mark.by_turns
def test_what_is_built_cannot_speak_to_the_terminal(light_caller, place):  # noqa: F811
    """It may have colours; it may not move the cursor, set a title or ask for an answer, nor come with the reason."""
    said = "\x1b]0;title\x07\x1b[2J\x1b[31mred\x1b[0m\x1b[6n\x9b5n done"
    project = wheels.own_backend(place, "loud", f"import sys\nsys.stderr.write({said!r}); sys.stderr.flush()\nraise Exception({said!r})")
    terminal = terminals.Terminal(light_caller, "env", "create", "loud", "--pip", project)
    terminal.until("retort: pip failed[^\n]*\n")
    terminal.child.expect(pexpect.EOF)
    raw = terminal.raw + (terminal.child.before or "")
    assert "done" in raw
    for forbidden in ("\x1b]", "\x1b[2J", "\x1b[6n", "\x9b", "\x07"):
        assert forbidden not in raw, raw


# ---- archives of npm's and of sources --------------------------------------------------------------------------------


def archive(path, top, files, *entries):
    """A tar archive; entries are TarInfos, or (name, text)."""
    with tarfile.open(path, "w:gz") as tar:
        for entry in [*((f"{top}/{name}", text) for name, text in files.items()), *entries]:
            info = entry if isinstance(entry, tarfile.TarInfo) else tarfile.TarInfo(entry[0])
            data = b"" if info is entry else entry[1].encode()
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    path.chmod(0o644)
    return path


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode = kind, target, 0o777
    return info


HARM = {
    "dots": lambda top: [(f"{top}/../../../../tmp/{ESCAPED}", "x")],
    "absolute": lambda top: [(f"/tmp/{ESCAPED}", "x")],
    "links": lambda top: [special(f"{top}/l", tarfile.SYMTYPE, "/tmp"), (f"{top}/l/{ESCAPED}", "x"),
                          special(f"{top}/p", tarfile.SYMTYPE, "/etc/passwd"), special(f"{top}/up", tarfile.SYMTYPE, "../../../..")],
    "hard links": lambda top: [special(f"{top}/h", tarfile.LNKTYPE, "/etc/passwd"), special(f"{top}/g", tarfile.LNKTYPE, "../../etc/passwd")],
    "devices": lambda top: [special(f"{top}/d", tarfile.CHRTYPE), special(f"{top}/b", tarfile.BLKTYPE), special(f"{top}/f", tarfile.FIFOTYPE)],
}
ABOUT = '{"name": "evil", "version": "1.0.0", "main": "index.js"%s}'


@pytest.mark.by_turns
@pytest.mark.parametrize("case", HARM)
@pytest.mark.few(1)
def test_archives_of_npm(light_caller, place, case):  # noqa: F811
    path = archive(place / "evil-1.0.0.tgz", "package", {"package.json": ABOUT % "", "index.js": "module.exports = 7"}, *HARM[case]("package"))
    if not attempt(light_caller, "evil", "--npm", path):
        assert run(light_caller, "evil", "console.log(require('evil'))", "-l", "javascript") == "7"


@pytest.mark.by_turns
@pytest.mark.parametrize("about", [', "bin": {"../../../%s": "index.js"}' % ESCAPED, ', "bin": {"x": "../../../../../etc/passwd"}',
                                   ', "bin": "/etc/passwd"', ', "directories": {"bin": "../../../../etc"}',
                                   ', "bundleDependencies": ["../../x"]', ', "dependencies": {"x": "file:../../../../../etc"}'])
@pytest.mark.few(1)
def test_what_npm_is_told(light_caller, place, about):  # noqa: F811
    path = archive(place / "evil-1.0.0.tgz", "package", {"package.json": ABOUT % about, "index.js": "module.exports = 7"})
    if not attempt(light_caller, "evil", "--npm", path):
        assert run(light_caller, "evil", "console.log(require('evil'))", "-l", "javascript") == "7"


@pytest.mark.by_turns
@pytest.mark.parametrize("case", HARM)
@pytest.mark.few(1)
def test_archives_of_sources(light_caller, place, case):  # noqa: F811
    setup = "from setuptools import setup\nsetup(name='evil', version='1.0', py_modules=['evil'])\n"
    path = archive(place / "evil-1.0.tar.gz", "evil-1.0", {"setup.py": setup, "evil.py": "fine = True"}, *HARM[case]("evil-1.0"))
    if not attempt(light_caller, "evil", "--pip", path):
        assert run(light_caller, "evil", "import evil; print(evil.fine)") == "True"


@pytest.mark.by_turns
@pytest.mark.few
def test_an_engine_goes_on(light_caller, place):  # noqa: F811
    """One engine, and the packages one after the other: the last good one is made as the first was."""
    server = rpc.Server(light_caller)
    for case in ("dots", "depth"):
        try:
            server.call("environments.create", name="evil", pip=[str(WHEELS[case](place))])
            server.call("environments.remove", name="evil")
        except rpc.Failure as refusal:
            assert "internal" not in str(refusal)
    good = wheels.wheel(place, "good")
    assert server.call("environments.create", name="good", pip=[str(good)])["pip"][0]["name"] == "good"
    assert server.close() == 0
    assert create(light_caller, "again", "--pip", good)["packages"]
