"""The examples are built as a user of the installed library would build them, and do what they say."""
import os
import pathlib
import subprocess

import pytest
import traces
from compiling import compiled

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
SAYS = {
    "embed": "read [3, 4, 5]\n[ok]\n[ok]\nout.txt has 2 bytes: 12\nlooping\n[interrupted]\n[exit]\nstill there: [3, 4, 5]\n[ok]\n",
    "eventloop": "step 0\nstep 1\nstep 2\n[ok]\nlooping\n[interrupted]\nstill there: 2\n[ok]\n",
    "threads": "4 sessions, 0 failed\n",
}


@pytest.mark.parametrize("how", ["static", "shared"])
@pytest.mark.parametrize("name", SAYS)
def test_example(build, tmp_path, name, how):
    traces.adopt()
    before = traces.tree()
    program = compiled(EXAMPLES / f"{name}.c", build, tmp_path, how)
    (tmp_path / "retort").mkdir()
    (tmp_path / "retort/config.json").write_text('{"preload": []}')
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "RETORT_LIBEXEC": str(build)}
    done = subprocess.run([program], capture_output=True, text=True, env=env, timeout=600, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (SAYS[name], "", 0)
    traces.reap_orphans(before)
    assert traces.tree() - before == set()


@pytest.mark.few
def test_a_policy_input_and_tries_are_shown(light):
    done = subprocess.run(light.command(EXAMPLES.parent / "scripts/demo-patterns", light.programs), env=light.environment(),
                          capture_output=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    shown = done.stdout.decode()
    assert "→ refused, not run: line 2: send_mail(to=…)" in shown and "\nbegun\n" not in shown
    assert "learned compound@1: 2 tests passed" in shown and "✓ 3421.42: grounded" in shown
    assert "✓ 58: grounded" in shown and "✓ try 2  score 1  [0, 2, 4, 7, 9]" in shown
