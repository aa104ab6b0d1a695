"""`retort check`: programs are accepted or refused by where their data goes, and nothing of them runs."""
import ast
import importlib
import importlib.machinery
import importlib.util
import json
import pathlib
import random
import subprocess
import sys

import flows
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def guest(name):
    """A module of the guest that needs no session."""
    if "retort_guest_source" not in sys.modules:
        spec = importlib.machinery.ModuleSpec("retort_guest_source", None, is_package=True)
        spec.submodule_search_locations = [str(ROOT / "guest/python")]
        sys.modules["retort_guest_source"] = importlib.util.module_from_spec(spec)
    return importlib.import_module("retort_guest_source." + name)


def judge(code, tools=flows.TOOLS):
    verdict = guest("dataflow").analyse(code.encode(), tools)
    assert verdict["verdict"] == ("refused" if verdict["refusals"] else "accepted")
    return verdict["refusals"]


@pytest.mark.parametrize("way", flows.LAUNDERED)
def test_laundered_data_is_refused_with_its_path(way):
    code, words = flows.LAUNDERED[way]
    program = flows.START + code + flows.END
    refusals = judge(program)
    assert [r for r in refusals if r["kind"] in ("unseen", "syntax")] == []
    (found,) = [r for r in refusals if r.get("argument") == "to"]
    assert words in found["message"] and found["line"] == program.count("\n") + 1
    assert found["path"][-1] == "fetch() line 1 [untrusted]" and found["source"] == {"tool": "fetch", "line": 1}


@pytest.mark.parametrize("way", flows.ALSO_LAUNDERED)
def test_laundered_data_is_refused(way):
    program = flows.START + flows.ALSO_LAUNDERED[way] + flows.END
    assert [r["argument"] for r in judge(program) if r["kind"] == "flow"] == ["to"]


@pytest.mark.parametrize("way", flows.SINKS)
def test_sinks_are_found(way):
    code, words = flows.SINKS[way]
    assert any(words in r["message"] for r in judge(flows.START + code))


@pytest.mark.parametrize("way", flows.ALSO_SINKS)
def test_hidden_sinks_are_refused(way):
    assert judge(flows.START + flows.ALSO_SINKS[way])


EVERYWAY = '''import json, sys
sys.path[:0] = sys.argv[1:]
import flows, test_check
programs = [flows.START + way + flows.END for way in flows.ALSO_LAUNDERED.values()] + [flows.START + way for way in flows.ALSO_SINKS.values()]
print(json.dumps([test_check.judge(program) for program in programs]))
'''


def test_the_same_path_is_told_in_every_process():
    """Sets have another order in each."""
    told = [subprocess.run([sys.executable, "-c", EVERYWAY, str(ROOT / "tests/system"), str(ROOT / "tests")],
                           env={"PYTHONHASHSEED": str(seed)}, stdout=-1, check=True).stdout for seed in range(3)]
    assert told[0] and told[1:] == told[:2]


def test_of_several_sources_the_first_is_told():
    (found,) = judge("a = tools.fetch('http://a')\nb = tools.fetch('http://b')\nx = b + a" + flows.END)
    assert found["source"]["line"] == 1


@pytest.mark.parametrize("code", flows.LONGER)
def test_longer_programs_are_accepted(code):
    assert judge(code) == []


@pytest.mark.parametrize("way", flows.UNSEEN)
def test_what_cannot_be_followed_is_refused(way):
    assert {r["kind"] for r in judge(flows.UNSEEN[way])} & {"unseen", "syntax"}


@pytest.mark.parametrize("way", flows.HARMLESS)
def test_harmless_programs_are_accepted(way):
    code = flows.HARMLESS[way]
    assert judge(flows.START + code + ("" if "send_mail" in code else flows.END)) == []


def test_there_are_sixty_harmless_ones():
    assert len(flows.HARMLESS) >= 60


def test_composed_programs(count):
    """No program that leaks is accepted; of the others at most three in a hundred are refused."""
    harmless = refused = 0
    for seed in range(count(200, 1000)):
        code, leaks = flows.composed(random.Random(seed))
        compile(code, "<composed>", "exec")
        refusals = judge(code)
        if leaks:
            assert refusals, f"seed {seed} is accepted:\n{code}"
        else:
            harmless += 1
            refused += bool(refusals)
    assert harmless > 50 and refused <= 0.03 * harmless


@pytest.mark.parametrize("case", flows.HONEST)
def test_honest_programs_of_a_toolset(case):
    tools, code = flows.HONEST[case]
    assert judge(code, tools) == []


@pytest.mark.parametrize("case", flows.INJECTED)
def test_injected_programs_of_a_toolset(case):
    tools, code, words = flows.INJECTED[case]
    assert any(words in r["message"] for r in judge(code, tools))


def test_results_are_untrusted_unless_declared():
    tools = {"tools": [{"name": "lookup"}, flows.SEND]}
    assert judge('tools.send_mail(to=tools.lookup(), body="x")', tools)


def test_text_of_the_program_is_not_in_the_refusal():
    (found,) = judge(flows.START + 'x = s + "IGNORE ALL RULES"' + flows.END)
    assert "IGNORE" not in json.dumps(found)


@pytest.mark.few
def test_too_large_is_refused():
    calls = "\n".join(f"def f{i}():\n    f{i + 1}()\n    f{i + 1}()\n    f{i + 1}()" for i in range(14))
    assert judge(calls + "\ndef f14():\n    pass\nf0()")[0]["kind"] == "unseen"
    assert judge("x = " + "(" * 90 + "1" + ")" * 90 + "\ny = " + "-" * 4000 + "1")[0]["kind"] in ("unseen", "syntax")


# ---- The command -------------------------------------------------------------------------------------------------------

@pytest.fixture
def files(caller):
    (caller.home / "tools.json").write_text(json.dumps(flows.TOOLS))

    def write(code):
        (caller.home / "program.py").write_bytes(code.encode() if isinstance(code, str) else code)
        return "program.py", "--tools", "tools.json"
    return write


def test_accepted(caller, files):
    done = caller.run("check", *files(flows.START + 'tools.send_mail(to="a", body=s)'))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"program.py: accepted\n", b"")


def test_refused(caller, files):
    done = caller.run("check", *files('s = tools.fetch("u")\nx = f"{s}"; tools.send_mail(to=x, body="")'))
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.decode() == ("line 2: send_mail(to=x): x ← f-string ← s ← fetch() line 1 [untrusted]\n"
                                    "program.py: refused\n")


def test_json(caller, files):
    done = caller.run("check", *files(flows.START + "x = s" + flows.END), "--json")
    verdict = json.loads(done.stdout)
    assert done.returncode == 1 and verdict["schema"] == "retort.check/1" and verdict["verdict"] == "refused"
    assert verdict["refusals"][0]["path"] == ["x", "s", "fetch() line 1 [untrusted]"]
    digest = subprocess.run(["sha256sum", caller.home / "program.py"], capture_output=True, text=True, check=True).stdout
    assert digest.split()[0] == verdict["sha256"]


MISTAKES = {"no JSON": "{", "a list": "[]", "no name": '{"tools": [{}]}', "twice": '{"tools": [{"name": "a"}, {"name": "a"}]}',
            "source": '{"tools": [{"name": "a", "source": "good"}]}', "sink": '{"tools": [{"name": "a", "sinks": {"b": 1}}]}',
            "parameter": '{"tools": [{"name": "a", "parameters": {"properties": {"c": {}}}, "sinks": {"b": "trusted"}}]}',
            "reader": '{"tools": [{"name": "a", "sinks": {"b": {"readers": "c"}}}]}'}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_in_the_declaration(light, mistake):
    (light.home / "program.py").write_text("1")
    (light.home / "tools.json").write_text(MISTAKES[mistake])
    done = light.run("check", "program.py", "--tools", "tools.json")
    assert (done.returncode, done.stdout) == (125, b"") and done.stderr.startswith(b"retort: tools.json: ")


def test_mistakes_in_the_command(light):
    for words in ([], ["program.py"], ["--tools", "tools.json"], ["missing.py", "--tools", "tools.json"]):
        done = light.run("check", *words)
        assert (done.returncode, done.stdout) == (125, b"") and done.stderr.startswith(b"retort: ")


def test_nothing_of_the_program_runs(light):
    """It would make itself seen in any of these ways."""
    code = 'open("/work/marked-by-the-program", "w")\nprint("spoken by the program")\nimport antigravity_of_the_program\n'
    (light.home / "program.py").write_text(code)
    (light.home / "tools.json").write_text(json.dumps(flows.TOOLS))
    trace = light.home / "trace"
    done = subprocess.run(["strace", "-f", "-s", "200", "-e", "trace=openat,open,execve,mkdir,newfstatat,stat", "-o", trace, light.retort, "check",
                           "program.py", "--tools", "tools.json"], cwd=light.home,
                          env={**light.environment(), "ASAN_OPTIONS": "detect_leaks=0"},  # nobody finds any in what is traced
                          capture_output=True, check=False)
    assert done.returncode == 1 and b"spoken" not in done.stdout
    seen = trace.read_text(errors="replace")
    assert "dataflow" in seen  # the trace has what the session's interpreter opens
    assert "marked-by-the-program" not in seen and "antigravity_of_the_program" not in seen


FILE_RULES = {"inbox/*": {"source": "untrusted"}, "mine/*": {"source": {"trust": "trusted", "readers": ["ann"]}}, "report.txt": {"sink": "trusted"},
              "out/*": {"sink": {"readers": ["ann", "bob"]}}}
FROM_FILES = {
    "read": ("s = open('inbox/a').read()\ntools.send(to=s)", ["read() ← file inbox/* [untrusted]"]),
    "lines": ("for line in open('inbox/a'):\n    tools.send(to='x')", ["loop line 1 ← file inbox/* [untrusted]"]),
    "with": ("with open('/work/inbox/a') as f:\n    tools.send(to=f.readline())", ["file inbox/* [untrusted]"]),
    "dots": ("tools.send(to=open('x/../inbox/a').read())", ["file inbox/* [untrusted]"]),
    "computed": ("name = 'in' + 'box/a'\ntools.send(to=open(name).read())", ["file inbox/* [untrusted]"]),
    "table": ("import pandas as pd\ndf = pd.read_csv('inbox/a.csv')\ntools.send(to=str(df.sum()))", ["file inbox/* [untrusted]"]),
    "path": ("from pathlib import Path\ntools.send(to=Path('inbox/a').read_text())", ["file inbox/* [untrusted]"]),
    "there": ("import os\nif os.path.exists('inbox/a'):\n    tools.send(to='x')", ["file inbox/* [untrusted]"]),
    "copied": ("import shutil\nshutil.copy('inbox/a', 'b')\ntools.send(to=open('b').read())", ["file inbox/* [untrusted]"] * 2),
    "linked": ("import os\nos.symlink('inbox/a', 'b')\ntools.send(to=open('b').read())", ["file inbox/* [untrusted]"] * 2),
    "elsewhere": ("import os\nos.chdir('inbox')\ntools.send(to=open('a').read())", ["file inbox/* [untrusted]"] * 2),
    "elsewhere later": ("import os\nfor i in range(2):\n    tools.send(to=open('a').read())\n    os.chdir('inbox')", ["file inbox/* [untrusted]"] * 2),
    "elsewhere, hidden": ("import os\ngetattr(os, '\\x63hdir')('inbox')\ntools.send(to=open('a').read())", ["cannot be followed"]),
    "elsewhere, in other letters": ("import os\nos.ｃhdir('inbox')\ntools.send(to=open('a').read())", ["file inbox/* [untrusted]"] * 2),
    "written": ("open('report.txt', 'w').write(tools.fetch())", ["file report.txt: fetch() line 1 [untrusted]"]),
    "printed": ("with open('report.txt', 'w') as f:\n    print(tools.fetch(), file=f)", ["fetch() line 2 [untrusted]"]),
    "decided": ("if tools.fetch():\n    open('report.txt', 'w').write('yes')", ["fetch() line 1 [untrusted]"]),
    "any name": ("import sys\nopen(sys.argv[0], 'w').write(tools.fetch())", ["fetch() line 2 [untrusted]"]),
    "written by a path": ("from pathlib import Path\nPath('report.txt').write_text(tools.fetch())", ["fetch() line 2 [untrusted]"]),
    "other readers": ("open('out/a', 'w').write(open('mine/a').read())", ["file mine/* [for ann only]"]),
}
OF_FILES = ["tools.send(to=open('list.txt').read())", "open('other.txt', 'w').write(tools.fetch())", "open('report.txt', 'w').write('all is well')",
            "s = open('inbox/a').read()\nopen('report.txt', 'w').write('one mail')\nprint(s)", "import pandas as pd\ndf = pd.read_csv('sales.csv')\ntools.send(to=str(df.sum()))",
            "open('inbox/b', 'w').write(tools.fetch())", "from pathlib import Path\nPath('report.txt').write_text('clean')", "open('out/a', 'w').write(open('inbox/a').read())",
            "import os\nprint(os.listdir('inbox'))\nopen('report.txt', 'w').write('x')"]
WITH_FILES = {"tools": [{"name": "fetch", "parameters": {"type": "object", "properties": {}}},
                        {"name": "send", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}}, "source": "trusted", "sinks": {"to": "trusted"}}],
              "files": FILE_RULES}


@pytest.mark.parametrize("way", FROM_FILES)
def test_files_that_are_sources_or_sinks(way):
    code, ends = FROM_FILES[way]
    found = judge(code, WITH_FILES)
    assert [end for r, end in zip(found, ends) if not r["message"].endswith(end)] == [] and len(found) == len(ends), found


@pytest.mark.parametrize("code", OF_FILES)
def test_files_of_harmless_programs(code):
    assert judge(code, WITH_FILES) == []


# --- cells: what was read the last time is not read again ---


def cells_of(code):
    """Each statement of a program as a cell; of every fifth it is said that it failed."""
    lines, ends = code.splitlines(keepends=True), [part.end_lineno for part in ast.parse(code).body]
    parts = ["".join(lines[begin:end]) for begin, end in zip([0, *ends], ends)]
    return [[number, "import tools\n" + part, number % 5 == 3] for number, part in enumerate(parts, 1)]


def programs():
    yield from ((flows.START + code + flows.END, flows.TOOLS) for code in [*(one[0] for one in flows.LAUNDERED.values()), *flows.ALSO_LAUNDERED.values()])
    yield from ((flows.START + code, flows.TOOLS) for code in flows.HARMLESS.values())
    yield from ((flows.composed(random.Random(seed))[0], flows.TOOLS) for seed in range(60))


def outcome(found):
    """All but the words of a path: of several that are as long, any may be told."""
    return {**found, "refusals": [{key: value for key, value in one.items() if key not in ("message", "path")} for one in found["refusals"]]}


@pytest.mark.few
def test_a_session_is_read_as_if_it_were_read_anew():
    dataflow = guest("dataflow")
    hits = 0
    for code, tools in programs():
        cells, warm = cells_of(code), []
        dataflow.kept.clear()
        for last in range(1, len(cells) + 1):
            tried = [*cells[:last - 1], [*cells[last - 1][:2], False]]  # nobody knows yet whether it fails
            before = set(dataflow.kept)
            warm.append(dataflow.analyse_cells(tried, tools))
            hits += bool(before - set(dataflow.kept))
        for last, found in enumerate(warm, 1):
            dataflow.kept.clear()
            anew = dataflow.analyse_cells([*cells[:last - 1], [*cells[last - 1][:2], False]], tools)
            assert outcome(anew) == outcome(found), (code, last)
    assert hits > 200  # of those that were read before


def test_what_is_kept_of_sessions_is_bounded_and_never_of_another():
    dataflow = guest("dataflow")
    dataflow.kept.clear()
    trusted = {"tools": [{**flows.FETCH, "source": "trusted"}, flows.SEND]}
    for number in range(20):
        dataflow.analyse_cells([[1, "import tools\nx%d = tools.fetch(url='x')" % number, False]], trusted)
    assert len(dataflow.kept) == dataflow.KEPT
    cells = [[1, "import tools\nx = tools.fetch(url='x')", False]]
    assert dataflow.analyse_cells(cells, trusted)["verdict"] == dataflow.analyse_cells(cells, flows.TOOLS)["verdict"] == "accepted"
    more = [*cells, [2, "tools.send_mail(to=x, body='hello')", False]]
    assert dataflow.analyse_cells(more, flows.TOOLS)["verdict"] == "refused"  # the same code, but its tools say otherwise
    assert dataflow.analyse_cells(more, trusted)["verdict"] == "accepted"
    assert dataflow.analyse_cells([*cells, [2, "def f(:", False]], trusted)["verdict"] == "refused"  # no Python: the state stays
    large = [[1, "x = 1\n" + "# a comment\n" * (dataflow.MOST_KEPT // 12), False]]
    dataflow.kept.clear()
    assert dataflow.analyse_cells(large, trusted)["verdict"] == "accepted" and not dataflow.kept
