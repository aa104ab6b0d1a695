"""The examples are built as a user of the installed library would build them, and do what they say."""
import os
import pathlib
import subprocess

import pytest
import traces

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
SAYS = {
    "embed": "read [3, 4, 5]\n[ok]\n[ok]\nout.txt has 2 bytes: 12\nlooping\n[interrupted]\n[exit]\nstill there: [3, 4, 5]\n[ok]\n",
    "threads": "4 sessions, 0 failed\n",
}


def compiled(name, build, tmp_path, how):
    program = tmp_path / name
    link = [str(build / "libretort.a")] if how == "static" else [f"-L{build}", "-lretort", f"-Wl,-rpath,{build}"]
    libraries = ["-ljansson", "-lsqlite3", "-lcrypto", "-levent", "-lm"] if how == "static" else []
    flags = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pthread", f"-I{EXAMPLES.parent}/include"]
    if "asan" in build.name:
        flags.append("-fsanitize=address,undefined")
    subprocess.run(["cc", *flags, EXAMPLES / f"{name}.c", "-o", program, *link, *libraries], check=True)
    return program


@pytest.mark.parametrize("how", ["static", "shared"])
@pytest.mark.parametrize("name", SAYS)
def test_example(build, tmp_path, name, how):
    traces.adopt()
    before = traces.tree()
    program = compiled(name, build, tmp_path, how)
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "RETORT_LIBEXEC": str(build)}
    done = subprocess.run([program], capture_output=True, text=True, env=env, timeout=120, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (SAYS[name], "", 0)
    traces.reap_orphans(before)
    assert traces.tree() - before == set()
