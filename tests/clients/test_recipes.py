"""docs/recipes.md: every program prints what stands below it."""
import re
import subprocess

import pytest

from npm import HERE, MODULES
from scripted_model import ScriptedModel
from test_frameworks import STEPS

ROOT = HERE.parents[1]
SECTIONS = (ROOT / "docs/recipes.md").read_text().split("\n## ")[1:]
PROGRAM = re.compile(r"```(python|js)\n(.*?)^```\n\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
RECIPES = [pytest.param(*found.groups(), id=section.partition("\n")[0].replace(" ", "-"))
           for section in SECTIONS if (found := PROGRAM.search(section))]


def test_none_is_left_out():
    assert len(RECIPES) == len(SECTIONS)


@pytest.fixture(scope="module")
def retort(light):
    return light


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where a program in JavaScript finds what it imports."""
    place = tmp_path_factory.mktemp("recipes")
    (place / "node_modules").mkdir()
    for name in ("ai", "@ai-sdk"):
        (place / "node_modules" / name).symlink_to(MODULES / name)
    (place / "node_modules/retort-client").symlink_to(ROOT / "clients/typescript")
    return place


@pytest.mark.parametrize("language, code, printed", RECIPES)
@pytest.mark.few(2)
def test_recipe(request, retort, folder, language, code, printed):
    program = folder / ("program.py" if language == "python" else "program.mjs")
    program.write_text(code)
    interpreter = "/usr/bin/python3" if language == "python" else request.getfixturevalue("node")
    with ScriptedModel(STEPS[:1]) as model:
        done = subprocess.run([interpreter, program], cwd=folder, capture_output=True, text=True, timeout=120, check=False,
                              env=retort.environment(RETORT_PROGRAM=str(retort.retort), PYTHONPATH=str(ROOT / "clients/python"),
                                                     OPENAI_BASE_URL=model.url + "/v1"))
    assert (done.returncode, done.stdout) == (0, printed), done.stderr
