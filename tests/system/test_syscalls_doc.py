"""The reference page of the system call policy is what the table says today."""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RETORT_BUILD", ROOT / "build"))


def test_page_is_current():
    made = subprocess.run([BUILD / "tests/syscalls_doc"], stdout=subprocess.PIPE, check=True, text=True).stdout
    assert (ROOT / "docs/syscalls.md").read_text() == made, "docs/syscalls.md is stale: run `make docs`"
