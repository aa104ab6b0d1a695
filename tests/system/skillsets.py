"""Folders of skills for tests, and what the library is made of."""
import hashlib
import json
import os
import pathlib
import shutil

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATE = ".local/state/retort"

DOUBLE = "def double(x):\n    return 2 * x\n"
TESTS = [{"in": {"x": 3}, "out": 6}, {"in": {"x": -1}, "out": -2}]


def owned(someone, path):
    """What a test has made as root is the caller's."""
    if os.geteuid() == 0 and not someone.root:
        for one in [path, *path.rglob("*")]:
            os.chown(one, someone.uid, someone.uid, follow_symlinks=False)
    return path


def folder(someone, name="double", code=DOUBLE, head=None, files=(), **manifest):
    """A folder of that name in a new place; `manifest` changes skill.json, None takes a member away."""
    place = someone.home / "folders" / os.urandom(4).hex()
    path = place / name
    path.mkdir(parents=True)
    (path / "SKILL.md").write_text(head if head is not None else f"---\nname: {name}\ndescription: Doubles a number.\n---\n# Text\n")
    whole = {"functions": [name.replace("-", "_")], "tests": TESTS, **manifest}
    if code is not None:
        (path / "skill.py").write_text(code)
        (path / "skill.json").write_text(json.dumps({key: value for key, value in whole.items() if value is not None}))
    for file, data in dict(files).items():
        (path / file).parent.mkdir(parents=True, exist_ok=True)
        (path / file).write_bytes(data)
    owned(someone, someone.home / "folders")
    return path


def example(someone, name):
    path = someone.home / "folders" / os.urandom(4).hex() / name
    shutil.copytree(ROOT / "examples/skills" / name, path)
    owned(someone, someone.home / "folders")
    return path


def told(someone, *words):
    """What `retort skill WORDS --json` prints."""
    done = someone.run("skill", *words, "--json")
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def refused(someone, *words):
    done = someone.run("skill", *words)
    assert done.returncode == 125 and done.stdout == b"", done
    return done.stderr.decode()


def library(someone):
    """Everything in the library: {path: hash, or the word dir}."""
    top = someone.home / STATE / "skills"
    return {str(path.relative_to(top)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "dir"
            for path in sorted(top.rglob("*"))}


def clear(someone):
    for one in told(someone, "list"):
        assert someone.run("skill", "remove", one["name"]).returncode == 0
    assert library(someone) == {}
    assert list((someone.home / STATE / "skills.new").iterdir()) == []
    (someone.home / STATE / "skills.db").unlink()  # so that numbers begin at 1 again
