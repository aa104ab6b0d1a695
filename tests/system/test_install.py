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


def make_words(build, *words):
    return ["make", "-s", *([] if build == ROOT / "build" else [f"VARIANT={build.name}"]), *words]


def make(target, tree, build):
    subprocess.run(make_words(build, target, f"DESTDIR={tree}", "PREFIX=/opt/retort"), cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def installed(build, tmp_path_factory):
    tree = tmp_path_factory.mktemp("tree")
    make("install", tree, build)
    return tree / "opt/retort"


def test_everything_is_there(installed):
    names = ["bin/retort", "libexec/retort/retort-supervisor", "libexec/retort/guest/init",
             "libexec/retort/retort-doors", "libexec/retort/retort-gate",
             "libexec/retort/guest/python/_retort.abi3.so", "lib/libretort.so", "lib/libretort.a", "include/retort.h",
             "lib/pkgconfig/retort.pc",
             "share/retort/apparmor/retort", "share/retort/systemd/retort-run.socket", "share/retort/systemd/retort-run.service",
             "lib/systemd/system/retort.service", "lib/systemd/system/retort.socket",
             "share/bash-completion/completions/retort", "share/zsh/site-functions/_retort",
             "share/fish/vendor_completions.d/retort.fish", *(f"share/man/man{page.suffix[1:]}/{page.name}"
                                                              for page in (ROOT / "man").iterdir())]
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
    declared = set(re.findall(r"\b(retort_\w+)\(", "".join(header.read_text() for header in (ROOT / "include").glob("*.h"))))
    assert exported == declared


@pytest.mark.few
def test_uninstall_leaves_nothing(build, tmp_path):
    tree = tmp_path / "a tree"
    make("install", tree, build)
    make("install", tree, build)  # over itself: the directories are still known to be ours
    make("uninstall", tree, build)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.few
def test_uninstall_leaves_what_was_there(build, tmp_path):
    there = [tmp_path / "opt/retort/lib/pkgconfig", tmp_path / "opt/retort/share/man/man1"]
    for path in there:
        path.mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    make("install", tmp_path, build)
    (tmp_path / "opt/retort/bin/other").write_text("")
    make("uninstall", tmp_path, build)
    assert sorted(tmp_path.rglob("*")) == sorted([*before, tmp_path / "opt/retort/bin", tmp_path / "opt/retort/bin/other"])


def test_everybody_may_read_what_was_installed_with_a_strict_umask(build, tmp_path):
    subprocess.run(make_words(build, "install", f"DESTDIR={tmp_path}", "PREFIX=/opt"), cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL, umask=0o077)
    shut = [path for path in (tmp_path / "opt").rglob("*") if not path.is_symlink() and path.stat().st_mode & 0o044 != 0o044]
    assert shut == []


@pytest.mark.parametrize("prefix, message", [("/opt/with space", "may not contain a space"), ("opt", "has to begin with a slash")])
@pytest.mark.parametrize("target", ["install", "uninstall"])
@pytest.mark.few(1)
def test_a_prefix_that_cannot_work_is_refused(build, tmp_path, target, prefix, message):
    done = subprocess.run(make_words(build, target, f"DESTDIR={tmp_path}", f"PREFIX={prefix}"), cwd=ROOT, check=False,
                          capture_output=True, text=True)
    assert done.returncode != 0 and message in done.stderr
    assert list(tmp_path.iterdir()) == []


# Another /usr/local and a copy of the loader's list, which are gone with the mount namespace.
REAL = r"""
mount -t tmpfs -o mode=755 tmpfs /usr/local
cp -a /etc "$1/etc" && mount --bind "$1/etc" /etc
[ ! -d /var/cache/ldconfig ] || mount -t tmpfs tmpfs /var/cache/ldconfig
scratch=$1 && cd "$2" && shift 2 && "$@" install >&2
gcc -o "$scratch/program" "$scratch/program.c" $(pkg-config --cflags --libs retort) && env -i PATH=/usr/bin:/bin "$scratch/program"
"$@" uninstall >&2
ldconfig -p | grep libretort
find /usr/local -mindepth 1
"""


@pytest.mark.as_root
@pytest.mark.few
def test_a_real_install_is_ready_at_once(build, tmp_path):
    if build.name == "asan":
        pytest.skip("the program is not sanitized")
    (tmp_path / "program.c").write_text(PROGRAM)
    done = subprocess.run(["unshare", "-m", "sh", "-c", REAL, "sh", tmp_path, ROOT, *make_words(build)], check=False,
                          capture_output=True, text=True, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    version = re.search(r'RETORT_VERSION "(.+)"', (ROOT / "include/retort.h").read_text())[1]
    assert done.stdout == version + "\n", done.stderr
