"""What `make check-fresh` would do; and what continuous integration says at the end. Neither is run here."""
import importlib.machinery
import importlib.util
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def fresh():
    loader = importlib.machinery.SourceFileLoader("fresh", str(ROOT / "tests/fresh/run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("fresh", loader))
    loader.exec_module(module)
    return module


def test_systems_callers_and_steps_add_up(fresh):
    everything = {"demo", "check", "readme", "deb"}
    assert fresh.parse(["trixie"]) == {"trixie": {"root": everything, "user": everything - {"deb"}}}
    assert fresh.parse(["trixie:deb"]) == {"trixie": {"root": {"deb"}}}
    assert fresh.parse(["sid:demo", "sid/user:check", "noble/root:readme"]) == {
        "sid": {"root": {"demo"}, "user": {"demo", "check"}}, "noble": {"root": {"readme"}}}


@pytest.mark.parametrize("word", ["slink", "trixie/nobody", "trixie:dance", "trixie:", "", "trixie/", "../x"])
def test_a_wrong_word_is_named(fresh, word):
    with pytest.raises(SystemExit, match="fresh: .*: not SYSTEM"):
        fresh.parse([word])


def test_the_commands_of_the_readme_are_found(fresh):
    """All that want nothing of the reader, `make demo` and `make check` apart, which are steps of their own."""
    scripts = "\n".join(fresh.readme_scripts((ROOT / "README.md").read_text()))
    for command in ("run -l javascript", "shell", "doctor", "rpc", "serve --no-auth &\ncurl ", "pip install", "import retort",
                    "replay SESSION"):
        assert command in scripts
    assert "OPENAI_API_KEY" not in scripts and "make" not in scripts
    assert "&& " not in scripts  # of which bash does not take the first part's failure for one


@pytest.mark.parametrize("line, status, said", [
    ("echo in vain | grep x", 1, ""), ("sleep 1000 &\necho up", 0, "up\n"), ("false\necho on", 1, "")])
def test_a_block_ends_with_the_line_that_fails_and_leaves_nothing_running(fresh, line, status, said):
    done = subprocess.run(["bash", "-c", fresh.as_script(line)], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (status, said)


def test_a_step_that_does_not_end_is_ended(fresh, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(fresh, "ROOT", tmp_path)
    monkeypatch.setattr(fresh, "LOGS", tmp_path / "logs")
    with pytest.raises(fresh.Failure, match="no end after 1 s; logs/x.log has all of it"):
        fresh.run_logged(["sh", "-c", "echo last words; sleep 1000"], "x", 1)
    assert capsys.readouterr().out == "    last words\n"


def test_what_a_killed_run_left_is_taken_away_and_a_living_one_is_not(fresh, tmp_path):
    dead = tmp_path / "retort-fresh-dead"
    dead.mkdir()
    with fresh.scratch(tmp_path) as one, fresh.scratch(tmp_path) as other:
        assert not dead.exists() and one.exists() and other.exists()
    assert list(tmp_path.iterdir()) == []


def test_it_takes_root():
    done = subprocess.run(["unshare", "--user", ROOT / "tests/fresh/run", "trixie:demo"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "fresh: it takes root to make and enter root file systems\n")


@pytest.fixture
def ci(tmp_path):
    """ci(check, fresh): runs .ci/run over a `make` that says this for its two targets; gives status and last line."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", tmp_path / ".ci")

    def run(check, fresh):
        make = tmp_path / "make"
        cases = "".join(f"{name}) echo '{said}'; exit {status} ;;\n" for name, (said, status) in
                        {"check": check, "check-fresh": fresh}.items())
        make.write_text(f"#!/bin/sh\n[ \"$CI\" = true ] || exit 9\ncase $2 in\n{cases}esac\n")
        make.chmod(0o755)
        done = subprocess.run([tmp_path / ".ci/run"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              env={"PATH": f"{tmp_path}:/usr/bin:/bin"})
        return done.returncode, done.stdout.splitlines()[-1]

    return run


def test_ci_sums_up(ci):
    assert ci(("7 passed, 0 failed, 0 skipped", 0), ("5 passed, 0 failed", 0)) == (0, "12 passed, 0 failed, 0 skipped")


@pytest.mark.parametrize("check, fresh, closing", [
    (("7 passed, 2 failed, 0 skipped", 2), ("5 passed, 0 failed", 0), "12 passed, 2 failed, 0 skipped"),
    (("7 passed, 0 failed, 0 skipped", 0), ("5 passed, 1 failed", 2), "12 passed, 1 failed, 0 skipped"),
    (("7 passed, 0 failed, 3 skipped", 2), ("5 passed, 0 failed", 0), "12 passed, 0 failed, 3 skipped"),
    (("apt has failed", 2), ("5 passed, 0 failed", 0), "5 passed, 1 failed, 0 skipped"),
    (("7 passed, 0 failed, 0 skipped", 0), ("", 1), "7 passed, 1 failed, 0 skipped")])
def test_ci_fails_with_each_of_its_parts(ci, check, fresh, closing):
    assert ci(check, fresh) == (1, closing)
