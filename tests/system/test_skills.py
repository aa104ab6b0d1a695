"""retort skill: folders that are reviewed and tested in sealed sessions, and kept as versions that nobody writes again."""
import json
import os
import random
import time

import pytest
import skillsets
from skillsets import DOUBLE, STATE, TESTS, example, folder, library, refused, told
from test_check import guest

by_turns = pytest.mark.by_turns


@pytest.fixture
def someone(light_caller):
    yield light_caller
    skillsets.clear(light_caller)


@pytest.mark.few
def test_the_life_of_a_skill(someone):
    assert told(someone, "list") == []
    first = told(someone, "add", folder(someone))
    assert (first["name"], first["version"], first["tests"], first["review"]["verdict"]) == ("double", 1, 2, "clean")
    again = told(someone, "add", folder(someone, code=DOUBLE + "# another\n"))
    assert again["version"] == 2 and again["hash"] != first["hash"]
    assert [(one["name"], one["version"]) for one in told(someone, "list")] == [("double", 2)]
    assert told(someone, "show", "double")["version"] == 2
    shown = told(someone, "show", "double@1")
    assert shown["hash"] == first["hash"] and [one["version"] for one in shown["versions"]] == [1, 2]
    assert shown["functions"]["double"]["input"]["required"] == ["x"] and "# Text" in shown["text"]
    assert told(someone, "test", "double@1") == {"name": "double", "version": 1, "tests": 2}
    assert someone.run("skill", "remove", "double@2").returncode == 0
    assert told(someone, "show", "double")["version"] == 1
    assert told(someone, "add", folder(someone))["version"] == 3  # numbers are not given twice
    assert "there is no skill double@2" in refused(someone, "show", "double@2")


@by_turns
def test_export_and_import(someone):
    told(someone, "add", folder(someone, files={"references/more.md": b"more"}))
    before = told(someone, "show", "double")
    out = someone.home / "out" / os.urandom(4).hex()
    out.parent.mkdir(exist_ok=True)
    skillsets.owned(someone, out.parent)
    assert someone.run("skill", "export", "double", out).returncode == 0
    assert (out / "double/references/more.md").read_bytes() == b"more"
    assert someone.run("skill", "export", "double", out).returncode == 125  # never over what is there
    someone.run("skill", "remove", "double")
    report = told(someone, "import", out)
    assert [one["hash"] for one in report["added"]] == [before["hash"]] and report["refused"] == []
    (out / "double/references/more.md").chmod(0o644)
    (out / "double/references/more.md").write_bytes(b"changed")
    done = someone.run("skill", "import", out / "double")
    assert done.returncode == 125 and b"not those that skill.json has the hashes of" in done.stderr


@by_turns
@pytest.mark.few
def test_examples(someone):
    for name in sorted(path.name for path in (skillsets.ROOT / "examples/skills").iterdir() if not (path / "skill.ts").exists()):
        assert told(someone, "add", example(someone, name))["tests"] >= 2
    assert told(someone, "search", "interest of a mortgage")[0]["name"] == "loan-schedule"
    assert told(someone, "search", "weeks and months")[0]["name"] == "date-ranges"
    assert told(someone, "search", 'NEAR( "xyz* )') == []  # no word of it is an operator
    assert told(someone, "search", "mortgage " * 2000)[0]["name"] == "loan-schedule"  # a task may be long
    assert told(someone, "search", "zebra") == told(someone, "search", "which of the Zebras is it") == []
    assert told(someone, "search", "of the") != []  # unless there is nothing else to go by


@by_turns
def test_a_folder_of_another_agent(someone):
    """Text and scripts, without functions of ours."""
    head = "---\nname: notes\ndescription: |\n  Writes notes.\n  When asked.\nallowed-tools:\n  - Read\nmetadata:\n  author: me\n---\nDo it.\n"
    path = folder(someone, "notes", code=None, head=head, files={"scripts/run.sh": b"echo hello\n", "assets/a.bin": b"\0\xff"})
    assert told(someone, "add", path)["tests"] == 0
    shown = told(someone, "show", "notes")
    assert shown["language"] == "text" and shown["description"] == "Writes notes.\nWhen asked."
    assert shown["allowed-tools"] == ["Read"] and shown["metadata"] == {"author": "me"}


# ---- what is refused --------------------------------------------------------------------------------------------------

def head(**members):
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in members.items()) + "---\n"


REFUSED = {  # folder(…), what is said
    "no front matter": ({"head": "# Double\n"}, "does not begin with front matter"),
    "front matter without end": ({"head": "---\nname: double\n"}, "does not end"),
    "front matter bomb": ({"head": "---\na: &a [x]\nb: *a\n---\n"}, "anchors, aliases and tags"),
    "huge front matter": ({"head": "---\nname: double\ndescription: " + "x" * 100000 + "\n---\n"}, "longer than"),
    "no description": ({"head": head(name="double")}, "description: 1 to 1024"),
    "long description": ({"head": head(name="double", description="x" * 1025)}, "description: 1 to 1024"),
    "another name": ({"head": head(name="triple", description="x")}, "they must be the same"),
    "upper case": ({"name": "Double", "head": head(name="Double", description="x"), "functions": ["double"]}, "name: 1 to 64"),
    "dots": ({"head": head(name="../double", description="x")}, "name: 1 to 64"),
    "two hyphens": ({"name": "a--b", "head": head(name="a--b", description="x"), "functions": ["double"]}, "name: 1 to 64"),
    "case trick": ({"files": {"Skill.PY": b""}}, "differ in case only"),
    "unknown member": ({"rights": "all"}, "there is no member rights"),
    "deep JSON": ({"files": {"skill.json": b"[" * 100000}}, "skill.json is no JSON"),
    "no such function": ({"functions": ["triple"]}, "there is no function triple"),
    "no syntax": ({"code": "def double(x:\n"}, "cannot be read"),
    "review": ({"code": "import sys\ndef double(x):\n    sys.exit(0)\n"}, "review: skill.py"),
    "failing test": ({"tests": [*TESTS, {"in": {"x": 1}, "out": 3}]}, "test 3 of double: expected 3, got 2"),
    "raising": ({"code": "def double(x):\n    raise KeyError('no')\n"}, "test 1 of double: KeyError"),
    "no test": ({"tests": []}, "has no test"),
    "a constant": ({"code": "def double(x):\n    return 6\n", "tests": [TESTS[0], {"in": {"x": 4}, "out": 6}]}, "tell it from a constant"),
    "written down": ({"code": "def double(x):\n    return {1: 31415, 2: 27182}[x]\n",
                      "tests": [{"in": {"x": 1}, "out": 31415}, {"in": {"x": 2}, "out": 27182}]}, "stands in the code: 31415"),
    "looked up": ({"code": "import json\ndef double(x):\n    told = json.load(open('/work/skill/skill.json'))['tests']\n"
                           "    return [test['out'] for test in told if test['in'] == {'x': x}][0]\n"}, "FileNotFoundError"),
    "a memory": ({"code": "n = 0\ndef double(x):\n    global n\n    n += 1\n    return 2 * x if n < 2 else 2 * x + (x > 0)\n"},
                 "answers depend on what was called before"),
    "undeclared network": ({"code": "import urllib.request\n" + DOUBLE}, "needs the capability network"),
    "undeclared random": ({"code": "import random\n" + DOUBLE}, "needs the capability random"),
    "undeclared clock": ({"code": "import time\nt = time.time()\n" + DOUBLE}, "needs the capability clock"),
    "unknown capability": ({"capabilities": {"everything": True}}, "network, clock, random, tools and files only"),
    "inline with rights": ({"inline": True, "capabilities": {"clock": True}}, "only what has no capability"),
    "bad schema": ({"functions": {"double": {"output": {"$ref": "http://x"}}}}, "output of double"),
    "description that is no text": ({"functions": {"double": {"description": 5}}}, "description of double must be text"),
    "full without its manifest": ({"files": {"a.bin": bytes((16 << 20) - 500)}}, "more than 16 MiB"),
    "wrong answer's shape": ({"functions": {"double": {"output": {"type": "string"}}}}, "the answer does not fit"),
}


@by_turns
@pytest.mark.few
def test_what_is_refused_leaves_the_library_as_it_is(someone):
    told(someone, "add", folder(someone))
    before = library(someone)
    for what, (given, reason) in REFUSED.items():
        said = refused(someone, "add", folder(someone, **given))
        assert reason in said, (what, said)
        assert library(someone) == before, what
    link = folder(someone)
    (link / "link").symlink_to("/etc/passwd")
    assert "is a link" in refused(someone, "add", link)
    fifo = folder(someone)
    os.mkfifo(fifo / "fifo")
    assert "is no file" in refused(someone, "add", fifo)
    for name in ("..", "a/b", "double@0", "double@x", "Double", "", "@1", "a" * 65):
        assert "retort: " in refused(someone, "show", name)
    assert library(someone) == before


@by_turns
def test_one_who_is_killed_leaves_a_whole_version_or_none(someone):
    told(someone, "add", folder(someone))
    path, known = folder(someone), library(someone)
    began = time.monotonic()
    told(someone, "add", path)
    takes = time.monotonic() - began
    points = 20
    for i in range(points):
        known = library(someone)
        program = someone.popen("skill", "add", path)
        time.sleep(takes * (i + random.random()) / points)  # where it is by then does not matter
        program.kill()
        program.wait()
        now = library(someone)
        new = {name: value for name, value in now.items() if name not in known}
        assert {name: now.get(name) for name in known} == known
        assert not new or sorted(name.split("/")[2:] for name in new) == [[], ["SKILL.md"], ["skill.json"], ["skill.py"]]
        newest = max(int(name.split("/")[1]) for name in now if "/" in name)
        assert told(someone, "show", "double")["version"] == newest  # the index follows
    assert list((someone.home / STATE / "skills.new").iterdir()) == []


@by_turns
@pytest.mark.few
def test_writers_at_the_same_time_lose_nothing(someone, count):
    paths = [folder(someone, code=DOUBLE + f"# {i}\n") for i in range(count(4, 12))]
    programs = [someone.popen("skill", "add", path, "--json", stdout=-1) for path in paths]
    made = [json.loads(program.communicate()[0])["version"] for program in programs]
    assert sorted(made) == list(range(1, len(paths) + 1))
    assert [one["version"] for one in told(someone, "show", "double")["versions"]] == sorted(made)


@by_turns
def test_directories_are_the_truth(someone):
    told(someone, "add", folder(someone))
    told(someone, "add", folder(someone, "triple", "def triple(x):\n    return x * 3\n", tests=[
        {"in": {"x": 1}, "out": 3}, {"in": {"x": 2}, "out": 6}]))
    before = told(someone, "list")
    (someone.home / STATE / "skills.db").unlink()
    assert told(someone, "list") == before and told(someone, "search", "triple")[0]["name"] == "triple"
    changed = someone.home / STATE / "skills/double/1/skill.py"
    changed.chmod(0o644)
    changed.write_text("def double(x):\n    return 0\n")
    assert "is not what was added" in refused(someone, "test", "double")


@by_turns
def test_what_an_earlier_process_left_is_swept(someone):
    told(someone, "add", folder(someone))
    left = someone.home / STATE / "skills.new/0123456789abcdef/double/2"
    left.mkdir(parents=True)
    (left / "SKILL.md").write_text("half")
    skillsets.owned(someone, left.parents[1])
    assert [one["version"] for one in told(someone, "list")] == [1]
    assert not left.parents[1].exists()


# ---- front matter, without a session ---------------------------------------------------------------------------------

def front(text):
    return guest("skill").front_matter("---\n" + text + "\n---\n")


def test_front_matter():
    assert front("name: a-b\ndescription: one: two # not\n# note\nlicense: 'it''s'") == {
        "name": "a-b", "description": "one: two", "license": "it's"}
    assert front('description: >-\n  folded\n  text\nname: "q\\u00e9"') == {"description": "folded text", "name": "q\u00e9"}
    assert front("allowed-tools: [Read, Bash]\nmetadata:\n  a: 1\n  b: two") == {
        "allowed-tools": ["Read", "Bash"], "metadata": {"a": "1", "b": "two"}}
    assert front("description: begins here\n  and goes on") == {"description": "begins here and goes on"}


@pytest.mark.parametrize("text", ["name", " name: x", "name: x\nname: y", "a: {b: c}", "a: *b", "a: !!python/object:os.system x",
                                  "a: 'x", 'a: "x', "a:\n  b:\n    c:\n      d: e", "- a"])
def test_front_matter_that_is_none(text):
    with pytest.raises(guest("skill").BadSkill):
        front(text)


def test_values_travel():
    skill = guest("skill")
    value = {"a": [b"\0\xff", {"b": (1, 2.5, None, "x")}]}
    assert skill.unpacked(json.loads(json.dumps(skill.packed(value)))) == {"a": [b"\0\xff", {"b": [1, 2.5, None, "x"]}]}
