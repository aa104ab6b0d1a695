"""make install: the tree works wherever it stands, and uninstall takes all of it away."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """
#include <retort.h>
#include <stdio.h>

int main(void) {
    struct retort_engine_options options = {.no_state = true};
    struct retort_engine *engine;
    struct retort_error error;
    if (retort_open(&options, &engine, &error) < 0) {
        fprintf(stderr, "%s\\n", error.message);
        return 1;
    }
    retort_close(engine);
    puts(RETORT_VERSION);
    return 0;
}
"""


def make(target, tree, build):
    variant = [] if build == ROOT / "build" else [f"VARIANT={build.name}"]
    subprocess.run(["make", "-s", *variant, target, f"DESTDIR={tree}", "PREFIX=/opt/retort"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def installed(build, tmp_path_factory):
    tree = tmp_path_factory.mktemp("tree")
    make("install", tree, build)
    return tree / "opt/retort"


def test_everything_is_there(installed):
    names = ["bin/retort", "libexec/retort/retort-supervisor", "libexec/retort/guest/init",
             "libexec/retort/retort-doors",
             "libexec/retort/guest/python/_retort.abi3.so", "lib/libretort.so", "lib/libretort.a", "include/retort.h",
             "lib/pkgconfig/retort.pc", "share/man/man1/retort.1", "share/man/man3/retort.h.3",
             "share/retort/apparmor/retort"]
    assert [name for name in names if not (installed / name).exists()] == []


def test_no_path_is_compiled_in(installed, tmp_path):
    moved = tmp_path / "elsewhere"
    shutil.copytree(installed, moved, symlinks=True)
    done = subprocess.run([moved / "bin/retort", "run", "-c", "print(6 * 7)"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "42\n"), done.stderr


def test_apparmor_profile_names_the_installed_supervisor(installed):
    text = (installed / "share/retort/apparmor/retort").read_text()
    assert "profile retort-supervisor /opt/retort/libexec/retort/retort-supervisor " in text
    assert "@" not in re.sub(r"#.*", "", text)


@pytest.mark.parametrize("static", [False, True])
def test_a_program_builds_with_pkg_config_and_runs(build, installed, tmp_path, static):
    # The library finds its helpers relative to itself: as part of a program, relative to the program.
    source, program = tmp_path / "p.c", installed / "bin/p" if static else tmp_path / "p"
    source.write_text(PROGRAM)
    env = {**os.environ, "PKG_CONFIG_PATH": str(installed / "lib/pkgconfig"), "PKG_CONFIG_ALLOW_SYSTEM_LIBS": "1"}
    query = ["pkg-config", f"--define-variable=prefix={installed}", "--cflags", "--libs", *(["--static"] if static else [])]
    flags = subprocess.run([*query, "retort"], env=env, check=True, capture_output=True, text=True).stdout.split()
    if static:
        flags = [str(installed / "lib/libretort.a") if flag == "-lretort" else flag for flag in flags]
    if build.name == "asan":
        flags.append("-fsanitize=address,undefined")
    subprocess.run(["gcc", "-Wall", "-Werror", "-o", program, source, *flags], check=True)
    done = subprocess.run([program], env={"LD_LIBRARY_PATH": str(installed / "lib"), "PATH": "/usr/bin"}, check=False,
                          capture_output=True, text=True)
    version = re.search(r'RETORT_VERSION "(.+)"', (ROOT / "include/retort.h").read_text())[1]
    assert (done.returncode, done.stdout) == (0, version + "\n"), done.stderr


def test_the_shared_library_exports_the_public_api_alone(installed):
    library = installed / "lib/libretort.so"
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1] for line in symbols.splitlines()}
    declared = set(re.findall(r"\b(retort_\w+)\(", (ROOT / "include/retort.h").read_text()))
    assert exported == declared


def test_uninstall_leaves_nothing(build, tmp_path):
    make("install", tmp_path, build)
    make("uninstall", tmp_path, build)
    assert [path for path in tmp_path.rglob("*") if not path.is_dir()] == []
