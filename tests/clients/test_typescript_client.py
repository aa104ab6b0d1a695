"""The TypeScript client, packed and installed as npm does it: types by tsc --strict, then every way to an engine, on the oldest
Node that is supported and on that of the machine."""
import json
import pathlib
import shutil
import subprocess

import pytest

from npm import HERE, install
from serving import serving

SOURCE = HERE.parent.parent / "clients/typescript"
TESTS = HERE / "typescript"
MODULES = TESTS / "node_modules"


def run(words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=300, **options)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
    return done.stdout


def pack(folder):
    """The package as it would be published, unpacked into node_modules."""
    copy = folder / "copy"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("dist"))
    packed = json.loads(run(["npm", "pack", "--json", "--pack-destination", folder], cwd=copy))
    target = folder / "node_modules/retort-client"
    target.mkdir(parents=True)
    run(["tar", "-xzf", folder / packed[0]["filename"], "-C", target, "--strip-components=1"])
    return target


@pytest.fixture(scope="module")
def retort(light):
    return light


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The tests in JavaScript, beside the package that they import."""
    install(TESTS, (MODULES / "@deno/linux-x64-glibc/package.json").exists)
    folder = tmp_path_factory.mktemp("typescript")
    pack(folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "node_modules/@types").symlink_to(MODULES / "@types")
    (folder / "node_modules/undici-types").symlink_to(MODULES / "undici-types")
    for file in [*TESTS.glob("*.ts"), *TESTS.glob("*.cts"), *TESTS.glob("*.mjs"), TESTS / "tsconfig.json"]:
        shutil.copy(file, folder)
    run([MODULES / ".bin/tsc", "-p", folder])
    return folder / "out"


@pytest.fixture(scope="module", params=["18", "here"])
def node(request, compiled):
    return MODULES / "node18/bin/node" if request.param == "18" else shutil.which("node", path="/usr/bin:/bin")


@pytest.mark.parametrize("node, way", [("18", "private"), ("18", "socket"), ("here", "http"), *(
    pytest.param(*one, marks=pytest.mark.soak("the other Node by this way, and this Node by another"))
    for one in (("18", "http"), ("here", "private"), ("here", "socket")))], indirect=["node"])
@pytest.mark.few(1)
def test_every_way_to_an_engine(retort, compiled, node, way):
    def check(where=""):
        run([node, compiled / "session.js"], env=retort.environment(WAY=way, WHERE=where, RETORT_PROGRAM=str(retort.retort)))

    if way == "private":
        check()
        return
    with serving(retort, "--no-auth") as server:
        check(server.url if way == "http" else str(server.socket))


@pytest.mark.parametrize("runtime", [["@oven/bun-linux-x64/bin/bun"], ["@deno/linux-x64-glibc/deno", "run", "-A"]], ids=["bun", "deno"])
@pytest.mark.parametrize("way", ["private", "http"])
@pytest.mark.few(1)
def test_other_runtimes(retort, compiled, runtime, way):
    program, *words = runtime

    def check(**settings):
        said = run([MODULES / program, *words, compiled.parent / "runtime.mjs"],
                   env=retort.environment(RETORT_PROGRAM=str(retort.retort), **settings))
        assert said == "42 printed AbortError 42 5000000 42\n"

    if way == "private":
        check()
        return
    with serving(retort, "--no-auth") as server:
        check(RETORT_URL=server.url)


def test_without_anything_of_node(retort, compiled):
    """As in a browser: fetch(), streams, and nothing that Node alone has."""
    with serving(retort, "--no-auth") as server:
        said = run([MODULES / "@deno/linux-x64-glibc/deno", "run", "-A", compiled.parent / "browser.mjs", server.url],
                   env=retort.environment())
    assert said == "42 grün 300000 RetortError\n"


def test_required_by_commonjs(retort, compiled, node):
    out = run([node, compiled / "required.cjs"], env=retort.environment(RETORT_PROGRAM=str(retort.retort)))
    assert out == "42 true\n"


@pytest.mark.few(1)
def test_a_token_is_sent(retort, compiled, node, tmp_path):
    """By RETORT_URL and RETORT_TOKEN alone, and from a place without Node's own modules."""
    tokens = retort.home / "typescript-tokens"
    tokens.write_text("token-of-typescript-1\n")
    tokens.chmod(0o600)
    with serving(retort, "--token-file", tokens) as server:
        environment = retort.environment(RETORT_URL=server.url, RETORT_TOKEN="token-of-typescript-1")
        assert run([node, compiled / "required.cjs"], env=environment) == "42 true\n"


def members(text, opening):
    """The names of methods in a class, of its declaration or of its code."""
    body = text.partition(opening)[2].partition("\n}")[0]
    found = set()
    for line in body.splitlines():
        name = line.strip().removeprefix("static ").removeprefix("async ").removeprefix("*").partition("(")[0].partition("<")[0]
        if line.startswith("    ") and not line.startswith("     ") and "(" in line and name.isidentifier():
            found.add(name)
    return found - {"constructor"}


def test_what_is_declared_is_there_and_the_other_way_round():
    declared = (SOURCE / "index.d.ts").read_text()
    written = {"Session": (SOURCE / "src/session.js").read_text(), "CodeTool": (SOURCE / "src/tools.js").read_text()}
    for name, text in written.items():
        assert members(declared, f"export class {name} {{") == members(text, f"export class {name} {{") != set()
    index = (SOURCE / "index.js").read_text()
    for line in index.splitlines():
        for name in line.partition("{")[2].partition("}")[0].split(","):
            assert f"class {name.strip()} " in declared or f"function {name.strip()}(" in declared, name


def test_readme(retort, compiled):
    """Each block of the client's page, as a program."""
    folder = compiled.parent
    blocks = (SOURCE / "README.md").read_text().split("```js\n")[1:]
    assert blocks
    for number, block in enumerate(blocks):
        program = folder / f"readme{number}.mjs"
        program.write_text(block.partition("```")[0])
        run([pathlib.Path("/usr/bin/node"), program], env=retort.environment(RETORT_PROGRAM=str(retort.retort)))
