"""What the manual says is true: its examples run, its options are those of the program, its functions those of the header."""
import os
import pathlib
import re
import subprocess

import pytest
from compiling import compiled

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "man").iterdir(), key=str)
MANUAL = {page.stem: page.read_text().replace(r"\-", "-") for page in PAGES if page.suffix == ".1"}
LIBRARY = (ROOT / "man/retort.h.3").read_text()
HEADER = re.sub(r"/\*.*?\*/", " ", (ROOT / "include/retort.h").read_text(), flags=re.DOTALL)
DECLARATION = r"^(?:(?:int|bool|void|char|const char)\b[^;{]*?\bretort_\w+\([^;]*\);|(?:struct|enum) \w+ \{[^}]*\};)"


# The agent wants a model, and has it in test_policy_doc.py; a server does not end.
def manual_examples():
    sections = [text.split(".SH EXAMPLES\n.nf\n")[1].split(".fi")[0] for page, text in MANUAL.items()
                if ".SH EXAMPLES\n.nf\n" in text and page != "retort-agent"]
    return sorted({line for section in sections for line in section.strip().splitlines()})


@pytest.mark.parametrize("line", manual_examples())
def test_examples_of_the_manual_run(retort, line):
    env = retort.environment(PATH=f"{retort.programs}:/usr/bin:/bin")
    done = subprocess.run(["bash", "-c", line], env=env, cwd=retort.home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def readme_commands():
    """Lines of the README that call retort and leave nothing to be filled in. Those of the agent want a model."""
    lines = re.findall(r"^[^`#\n]*build/retort (?!serve|agent|shell)[^#\n]*", (ROOT / "README.md").read_text(), re.MULTILINE)
    return [line.strip() for line in lines if "SESSION" not in line]


@pytest.mark.parametrize("line", readme_commands())
def test_commands_of_the_readme_run(retort, line, tmp_path):
    (tmp_path / "README.md").write_bytes((ROOT / "README.md").read_bytes())
    (tmp_path / "build").symlink_to(retort.programs)
    done = subprocess.run(["bash", "-c", line], env=retort.environment(), cwd=tmp_path, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr


def test_the_readme_has_commands():
    assert len(readme_commands()) >= 8


def offered(retort, command):
    return set(re.findall(r"(?<![\w-])(--?[a-z][\w-]*)", retort.run(command, "--help").stdout.decode())) - {"--help", "-h"}


def documented(page):
    """Options that head a paragraph of the section OPTIONS, several in a line or in lines that follow one another."""
    section = MANUAL[page].partition("\n.SH OPTIONS\n")[2].partition("\n.SH ")[0]
    heads = re.findall(r"^\.T[PQ]\n\.B[IR]? (.*)", section, re.MULTILINE)
    return set(re.findall(r"(?<![\w-])(--?[a-z][\w-]*)", " ".join(heads)))


def test_there_are_pages_of_the_commands_alone(commands):
    assert {page for page in MANUAL if page != "retort"} == {f"retort-{name}" for name in commands if name != "help"}


@pytest.mark.parametrize("page", [page for page in MANUAL if page != "retort"])
def test_options_in_manual_and_program_agree(retort, page):
    assert offered(retort, page.partition("-")[2]) == documented(page)


@pytest.mark.parametrize("page", [page for page in MANUAL if page != "retort"])
def test_a_page_begins_with_its_command(page):
    command = page.partition("-")[2]
    text = MANUAL[page].replace('\'\\" t\n', "", 1)
    assert re.match(rf'\.TH RETORT-{command.upper()} 1 "\d+" "Retort [\d.]+" "User Commands"\n\.SH NAME\n{page} - ', text)
    assert re.search(rf"^\.SH SYNOPSIS\n\.B retort {command}$", text, re.MULTILINE)
    assert re.search(r"^\.SH SEE ALSO\n(.*\n)*\.BR retort \(1\)", text, re.MULTILINE)
    for section in ("DESCRIPTION", "EXIT STATUS"):
        assert f"\n.SH {section}\n" in text


def test_pages_that_are_named_exist():
    named = {name for text in MANUAL.values() for name in re.findall(r"^\.BR (retort[\w.-]*) \(1\)", text, re.MULTILINE)}
    assert named - set(MANUAL) == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_manual_has_no_formatting_errors(page):
    done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, check=False,
                          env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MANPAGER": "cat"})
    assert (done.returncode, done.stderr) == (0, b"")


def words(text):
    return " ".join(re.findall(r"\w+|[^\w\s]", text))


def declarations():
    return [words(declaration) for declaration in re.findall(DECLARATION, HEADER, re.MULTILINE)]


@pytest.fixture(scope="module")
def commands(retort):
    return re.findall(r"^  ([\w-]+) +\w", retort.run("help").stdout.decode(), re.MULTILINE)


def test_the_manual_has_every_command(commands):
    explained = MANUAL["retort"].split(".SH COMMANDS")[1].split(".SH ")[0]
    assert re.findall(r"^\.BR retort-([\w-]+) \(1\)", explained, re.MULTILINE) == [name for name in commands if name != "help"]


def test_every_declaration_is_found():
    names = set(re.findall(r"\b(?:retort_\w+(?= ?\()|(?<=struct )retort_\w+(?= ?\{)|(?<=enum )retort_\w+(?= ?\{))", HEADER))
    assert len(declarations()) == len(names) > 30


def described():
    """What the page prints in bold, a line at a time, is code."""
    return words("\n".join(re.findall(r'^\.B "?(.*?)"?$', LIBRARY, re.MULTILINE)))


@pytest.mark.parametrize("declaration", [d for d in declarations() if not d.startswith("enum")])
def test_the_library_page_has_every_function_and_structure(declaration):
    assert declaration in described()


def test_the_library_page_explains_every_function():
    prose = re.sub(r"\.nf.*?\.fi", "", LIBRARY, flags=re.DOTALL)
    explained = set(re.findall(r"^\.BR (retort_\w+) \(\)", prose, re.MULTILINE))
    skills = (ROOT / "include/retort_skills.h").read_text()
    assert set(re.findall(r"\b(retort_\w+)\(", HEADER + skills)) == explained


def test_the_library_page_names_every_enumerator():
    enumerators = re.findall(r"\bRETORT_(?!H\b)[A-Z_]+\b", HEADER)
    assert [name for name in enumerators if name not in LIBRARY] == []


@pytest.mark.few
def test_the_example_of_the_library_page(build, tmp_path):
    source = tmp_path / "example.c"
    text = LIBRARY.split(".SH EXAMPLE\n.nf\n")[1].split(".fi")[0]
    source.write_text(text.replace(r"\e", "\\").replace(r"\-", "-"))
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "RETORT_LIBEXEC": str(build)}
    program = compiled(source, build, tmp_path, "shared")
    done = subprocess.run([program], capture_output=True, text=True, env=env, timeout=120, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("ok\nerror\nok\n21.5\nok\n", "", 0)


# ---- promises ------------------------------------------------------------------------------------------------------

SECURITY = (ROOT / "SECURITY.md").read_text()


def all_tests():
    python = [path.read_text() for path in (ROOT / "tests").rglob("test_*.py") if "node_modules" not in path.parts]
    return set(re.findall(r"^ *def (test_\w+)\(", "\n".join(python), re.MULTILINE))


def test_tests_that_promises_name_exist():
    named = set(re.findall(r"`(test_\w+)`", SECURITY))
    assert len(named) > 40 and named - all_tests() == set()
    places = set(re.findall(r"`(tests/[\w/.]+)`", SECURITY))
    assert places and [place for place in places if not (ROOT / place).exists()] == []


def test_every_promise_names_a_test():
    """In the last column of each row."""
    tables = re.findall(r"^\| promise \|.*\n\|---.*\n((?:\|.*\n)+)", SECURITY, re.MULTILINE)
    rows = [row for table in tables for row in table.splitlines()]
    assert len(tables) == 2 and len(rows) > 15
    assert [row[:60] for row in rows if not re.search(r"`tests?[_/][\w/.]+`", row.rsplit(" | ", 1)[1])] == []
