"""docs/serve.md: every block with curl in it is run, in order, in one shell."""
import pathlib
import re
import shutil
import subprocess

import pytest

from serving import serving

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCKS = [block for block in re.findall(r"```sh\n(.*?)```", (ROOT / "docs/serve.md").read_text(), re.DOTALL) if "curl" in block]
TOKEN = "a-token-for-the-documentation"


@pytest.fixture(scope="module")
def retort(light):
    return light


@pytest.fixture(scope="module")
def outputs(retort):
    """What each block printed."""
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    tokens = retort.home / "doc-tokens"
    tokens.write_text(TOKEN + " admin\n")
    with serving(retort, "--token-file", tokens) as server:
        script = "set -e\n" + "echo ----\n".join(BLOCKS)
        done = subprocess.run(["bash", "-c", script], cwd=retort.home, capture_output=True, text=True, check=False, timeout=120,
                              env=retort.environment(URL=server.url, TOKEN=TOKEN))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split("----\n")


def test_json_rpc(outputs):
    assert '"text/plain":"42"' in outputs[0]


def test_files(outputs):
    assert outputs[1].startswith('{"written":8}\na,b[{"path":"data.csv","size":8')


def test_events(outputs):
    assert '"stream":"stdout","text":"1\\n"' in outputs[2]


def test_the_rest(outputs):
    assert outputs[3].splitlines()[:2] == ['{"status":"ok"}', "1"]
    assert "retort_sessions 1" in outputs[3]


def test_options_in_pages_and_program_agree(retort):
    offered = set(re.findall(r"--[a-z][\w-]*", retort.run("serve", "--help").stdout.decode()))
    page, cluster = (set(re.findall(r"--[a-z][\w-]*", (ROOT / "docs" / name).read_text())) for name in ("serve.md", "cluster.md"))
    assert offered - page - cluster <= {"--socket", "--help"}
    assert page - {"--transport", "--header"} <= offered  # those are of claude


def test_curl_examples_of_the_readme(retort):
    lines = [line for line in (ROOT / "README.md").read_text().splitlines() if line.startswith("curl ")]
    assert lines
    with serving(retort, "--no-auth") as server:
        for line in lines:
            done = subprocess.run(["bash", "-c", line.replace("127.0.0.1:8700", f"127.0.0.1:{server.port}")], text=True,
                                  capture_output=True, check=False, timeout=60, env=retort.environment())
            assert done.returncode == 0 and '"result"' in done.stdout, line
