"""A skill in AssemblyScript: its compiler, from npm, runs in the sealed session that reads the skill."""
import json
import pathlib
import shutil
import sys
import tempfile

import npm
import pytest

HERE = pathlib.Path(__file__).resolve().parent / "assemblyscript"
MODULES = HERE / "node_modules"
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "tests/system"))
import skillsets  # noqa: E402

pytestmark = pytest.mark.by_turns


@pytest.fixture(scope="module")
def modules():
    """The compiler where any user can reach it, as a checkout under /root is not."""
    npm.install(HERE, (MODULES / "assemblyscript/dist/asc.js").exists)
    place = pathlib.Path(tempfile.mkdtemp(prefix="retort-assemblyscript-"))
    place.chmod(0o755)
    yield shutil.copytree(MODULES, place / "node_modules", symlinks=True)
    shutil.rmtree(place)


@pytest.fixture
def caller(light_caller):
    yield light_caller
    skillsets.clear(light_caller)


def added(caller, path, modules):
    return caller.run("skill", "add", path, "--json", env={"RETORT_ASSEMBLYSCRIPT": str(modules)})


@pytest.mark.few
def test_it_is_compiled_in_a_sealed_session(caller, modules):
    done = added(caller, skillsets.example(caller, "collatz"), modules)
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["tests"] == 4
    assert skillsets.told(caller, "show", "collatz")["language"] == "wasm"
    assert skillsets.told(caller, "test", "collatz")["tests"] == 4  # without the compiler


@pytest.mark.few
def test_what_is_refused(caller, modules):
    path = skillsets.example(caller, "collatz")
    before = skillsets.library(caller)
    assert "AssemblyScript's compiler is not installed" in added(caller, path, "/nowhere").stderr.decode()
    source = (path / "skill.ts").read_text()
    (path / "skill.ts").write_text(source.replace("return count;", "return \"count\";"))
    assert "node refuses it: ERROR TS" in added(caller, path, modules).stderr.decode()
    (path / "skill.ts").write_text("@external(\"env\", \"leak\")\ndeclare function leak(n: i64): void;\n" + source.replace("let count", "leak(n); let count"))
    assert "the module imports env.leak, and skill.json does not declare it" in added(caller, path, modules).stderr.decode()
    assert skillsets.library(caller) == before
    shutil.rmtree(path)
