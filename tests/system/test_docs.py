"""What the manual says is true: its examples run, and its options are those of the program."""
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANUAL = (ROOT / "man/retort.1").read_text().replace(r"\-", "-")


def manual_examples():
    section = MANUAL.split(".SH EXAMPLES\n.nf\n")[1].split(".fi")[0]
    return section.strip().splitlines()


@pytest.mark.parametrize("line", manual_examples())
def test_examples_of_the_manual_run(retort, line):
    env = retort.environment(PATH=f"{retort.programs}:/usr/bin:/bin")
    done = subprocess.run(["bash", "-c", line], env=env, cwd=retort.home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_options_of_run_in_manual_and_program_agree(retort):
    section = MANUAL.split(".SH OPTIONS OF RUN")[1].split(".SH OPTIONS OF DOCTOR")[0]
    documented = set(re.findall(r"^\.BI? (--?[\w-]+)", section, re.MULTILINE))
    offered = set(re.findall(r"(?<![\w-])(--?[a-z][\w-]*)", retort.run("run", "--help").stdout.decode()))
    assert offered - {"--help", "-h"} == documented


def test_manual_has_no_formatting_errors():
    done = subprocess.run(["man", "--warnings", "-l", ROOT / "man/retort.1"], capture_output=True, check=False,
                          env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MANPAGER": "cat"})
    assert (done.returncode, done.stderr) == (0, b"")
