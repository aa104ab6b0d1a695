"""Surroundings that are not this machine's: other interpreters, less than everything, containers."""
import dataclasses
import json
import pathlib
import subprocess

import pytest
from surroundings import OTHER_USR, among, as_root
from unavailable import EPERM, LANDLOCK, MOUNT, dockers_filter, in_user_namespace, with_filter, with_refused

ROOT = pathlib.Path(__file__).resolve().parents[2]
WITHOUT_CGROUP = "umount -l /sys/fs/cgroup 2>/dev/null || true\n"

# What V8 does from node 24 on: half a gigabyte of writable pages, for code that may come.
RESERVES = r"""
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((constructor)) static void reserve(void) {
    void *p = mmap(NULL, 512 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        fputs("Failed to reserve virtual memory for CodeRange\n", stderr);
        abort();
    }
}
"""


def reserving_node(tmp_path):
    """A script that makes /usr/bin/node another one, which maps more than it uses. From 24 on it does so itself."""
    version = subprocess.run(["/usr/bin/node", "--version"], capture_output=True, text=True, check=True).stdout
    if int(version[1:].split(".")[0]) >= 24:
        return OTHER_USR
    (tmp_path / "reserve.c").write_text(RESERVES)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "reserve.so", tmp_path / "reserve.c"], check=True)
    return OTHER_USR + """
mv /usr/bin/node /usr/bin/real-node
cp $1/reserve.so /usr/lib/reserve.so
printf '#!/bin/sh\\nLD_PRELOAD=/usr/lib/reserve.so exec /usr/bin/real-node "$@"\\n' >/usr/bin/node
chmod 755 /usr/bin/node
"""


@as_root
def test_a_node_that_reserves_much(light_caller, tmp_path):
    """The limit is for what code uses, not for what V8 maps before."""
    script = reserving_node(tmp_path) + WITHOUT_CGROUP
    node = ["run", "--json", "-l", "javascript", "--memory", "100", "-c"]
    done = among(light_caller, tmp_path, script, *node, "console.log(Buffer.alloc(60 << 20, 1).length >> 20)")
    assert (done.returncode, done.stderr) == (0, b""), done
    assert b'"stdout":"60\\n"' in done.stdout.replace(b" ", b"")


@as_root
def test_the_limit_of_a_node_that_reserves_much(light_caller, tmp_path):
    script = reserving_node(tmp_path) + WITHOUT_CGROUP
    code = "const kept = []; for (let i = 1; i < 400; i++) { kept.push(Buffer.alloc(1 << 20, 1)); console.log(i); }"
    done = among(light_caller, tmp_path, script, "run", "-l", "javascript", "--memory", "100", "-c", code)
    assert done.returncode != 0
    assert int(done.stdout.split()[-1]) < 130


# ---- root that is not all of root -----------------------------------------------------------------------------------


@as_root
@pytest.mark.parametrize("lost", ["sys_admin", "setuid"])
def test_root_of_a_container(retort, lost):
    """Without CAP_SYS_ADMIN, which Docker does not give, root goes the way of an ordinary user."""
    fewer = dataclasses.replace(retort, prefix=("setpriv", f"--bounding-set=-{lost}"))
    result = fewer.result("print(42)")
    assert (result["status"], result["stdout"]) == ("ok", "42\n")
    assert "uid" in result["isolation"]["missing"]
    found = json.loads(fewer.run("doctor", "--json").stdout)
    assert (found["core"], found["mode"]) == (True, "plain")
    (uid,) = [layer for layer in found["layers"] if layer["name"] == "uid"]
    assert "CAP_SYS_ADMIN" in uid["remedy"]


# ---- other Pythons --------------------------------------------------------------------------------------------------


def test_flags_can_be_set_in_a_program(light):
    """From Python 3.14 on this writes into sys.flags."""
    code = "import sys\nsys.set_int_max_str_digits(700)\nprint(sys.get_int_max_str_digits(), sys.flags.no_site)"
    done = light.run("run", "-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"700 0\n", b"")


def test_a_warning_of_the_compiler_comes_in_every_cell(light):
    """From Python 3.13.4 on the interpreter remembers those of the caller of compile()."""
    done = light.run("shell", input=b"x = 1 is 1\ny = 2\nx = 1 is 1\n")
    assert done.stderr.count(b"SyntaxWarning") == 2, done


# ---- what would help ------------------------------------------------------------------------------------------------

UNCONFINED = ["seccomp=unconfined", "apparmor=unconfined", "systempaths=unconfined", "procMount: Unmasked"]


def check(tell, layer, words):
    """tell(*arguments) runs retort somewhere: run's message, the result object and doctor name layer and remedy."""
    done = tell("run", "-c", "print('it ran')")
    assert (done.returncode, done.stdout) == (125, b""), done
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"retort: setup_failed: layer {layer}: ") and "`retort doctor`" in line
    done = tell("run", "--json", "-c", "print('it ran')")
    result = json.loads(done.stdout)
    assert (done.returncode, result["status"], result["error"]["layer"]) == (125, "setup_failed", layer)
    done = tell("doctor", "--json")
    (found,) = [one for one in json.loads(done.stdout)["layers"] if one["name"] == layer]
    assert (done.returncode, found["enforced"]) == (1, False)
    for word in words:
        assert word in line and word in result["error"]["hint"] and word in found["remedy"], (word, line, found)
    done = tell("doctor")
    assert f"{layer} " in done.stdout.decode() and words[0] in done.stdout.decode()
    done = tell("shell")
    assert done.returncode == 125 and words[0] in done.stderr.decode()


def test_no_user_namespaces_left(light_caller):
    limits = {"max_user_namespaces": 0}
    check(lambda *words: in_user_namespace(light_caller, limits, *words), "user",
          ["sysctl -w user.max_user_namespaces=10000"])


def test_the_filter_of_a_container(light_caller):
    """No marker of Docker is needed: containerd and Kubernetes leave none."""
    check(lambda *words: with_filter(light_caller, dockers_filter(), *words), "user", UNCONFINED)


@as_root
def test_the_filter_of_a_container_for_its_root(light):
    fewer = dataclasses.replace(light, prefix=("setpriv", "--bounding-set=-sys_admin"))
    check(lambda *words: with_filter(fewer, dockers_filter(), *words), "user", UNCONFINED)


def test_mounts_that_are_denied(light_caller):
    check(lambda *words: with_refused(light_caller, {MOUNT: EPERM}, *words), "mount", UNCONFINED)


def test_landlock_that_is_denied(light_caller):
    check(lambda *words: with_refused(light_caller, dict.fromkeys(LANDLOCK, EPERM), *words), "landlock",
          ["allow landlock_* in it"])


@as_root
def test_a_masked_proc(light_user, tmp_path):
    check(lambda *words: among(light_user, tmp_path, "mount --bind /dev/null /proc/uptime", *words), "mount",
          ["systempaths=unconfined", "procMount: Unmasked"])


@as_root
def test_a_mount_below_usr(light_caller, tmp_path):
    check(lambda *words: among(light_caller, tmp_path, "mount --bind /bin/true /usr/bin/tac", *words), "mount",
          ["mounted below /usr"])


PARTS = "usr proc sys dev tmp"


@as_root
def test_a_chroot(light_caller, tmp_path):
    tmp_path.chmod(0o755)
    script = f"mkdir -p $1/root && cd $1/root && mkdir -p {PARTS} && for d in {PARTS}; do mount --rbind /$d $d; done && " \
             "for d in bin sbin lib lib64; do ln -sfn usr/$d $d; done"
    there = dataclasses.replace(light_caller, prefix=("/usr/sbin/chroot", str(tmp_path / "root")))
    check(lambda *words: among(there, tmp_path, script, *words), "user", ["chroot", "pivot_root"])


@as_root
def test_a_chroot_on_a_mount_point(light, tmp_path):
    """It looks like any other root; but root sees that pid 1 has another."""
    script = "mkdir -p $1/root; mount --rbind / $1/root; /usr/sbin/chroot $1/root $0 run -c 1; exit $?"
    done = subprocess.run(["unshare", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", script, light.retort,
                           tmp_path], env=light.environment(), capture_output=True, check=False, timeout=120)
    assert done.returncode == 125 and b"this is a chroot" in done.stderr, done


@as_root
def test_too_few_processes(lonely_user):
    few = dataclasses.replace(lonely_user, prefix=("prlimit", "--nproc=2"))
    check(few.run, "user", ["ulimit -u", "TasksMax="])


@as_root
def test_too_few_processes_for_a_language(lonely_user):
    """Doctor's status tells it, though every layer holds."""
    for limit in 4, 8, 11:
        done = dataclasses.replace(lonely_user, prefix=("prlimit", f"--nproc={limit}")).run("doctor")
        assert (done.returncode == 0) == done.stdout.endswith(b"\nevery core layer holds\n"), done


def test_newuidmap_under_no_new_privs(light_user):
    done = dataclasses.replace(light_user, prefix=("setpriv", "--no-new-privs")).run("doctor", "--json")
    (uid,) = [one for one in json.loads(done.stdout)["layers"] if one["name"] == "uid"]
    assert uid["enforced"] is False and "/etc/subgid" not in uid["remedy"]


def test_nothing_beside_missing_reads_as_proof(caller):
    for line in caller.run("doctor").stdout.decode().splitlines():
        if " MISSING " in line:
            assert " not so: " in line


@as_root
def test_no_cgroup_hierarchy(light_caller, tmp_path):
    done = among(light_caller, tmp_path, WITHOUT_CGROUP, "doctor", "--json")
    (layer,) = [one for one in json.loads(done.stdout)["layers"] if one["name"] == "cgroup"]
    assert (done.returncode, layer["enforced"]) == (0, False)
    assert "mounted" in layer["remedy"] or "visible" in layer["remedy"]
    done = among(light_caller, tmp_path, WITHOUT_CGROUP, "run", "-c", "print(42)")
    assert (done.returncode, done.stdout) == (0, b"42\n")


def test_a_state_directory_that_cannot_be_made(light_user):
    """The reason stands there once."""
    done = light_user.run("run", "--record", "-c", "1", env={"HOME": "/proc/nowhere"})
    assert done.returncode == 125
    assert done.stderr.decode().count("No such file or directory") == 1, done


# ---- interpreters ---------------------------------------------------------------------------------------------------

CLAIMS = {
    "PyPy 3.9": "import sys; sys.implementation.name = 'pypy'; sys.version_info = (3, 9, 18, 'final', 0)",
    "CPython 3.6": "import sys; sys.version_info = (3, 6, 15, 'final', 0)",
}


@pytest.fixture(scope="module")
def venv(tmp_path_factory):
    folder = tmp_path_factory.mktemp("venvs")
    folder.parent.chmod(0o755)
    folder.chmod(0o755)
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", folder / "env"], check=True)
    return folder / "env"


@pytest.fixture
def claims(venv):
    """claims(code): what the interpreter of the virtual environment runs before all else."""
    (site,) = venv.glob("lib/python3*/site-packages")
    yield (site / "claims.pth").write_text
    (site / "claims.pth").unlink()


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("how", [["run", "-c", "print(1)"], ["shell"]], ids=["cold", "warm"])
def test_another_python_is_refused_by_name(light, venv, claims, name, how):
    claims(CLAIMS[name] + "\n")
    done = light.run(*how, "--python", venv)
    assert (done.returncode, done.stdout) == (125, b"")
    assert done.stderr.decode() == f"retort: Retort needs CPython 3.7 or later, this is {name}\n"


def test_python_2_can_read_what_refuses_it():
    """No syntax of Python 3 in what every interpreter reads: here, what the ancestors of both had in common."""
    for name in "boot.py", "warm.py":
        text = (ROOT / "guest/python" / name).read_text()
        assert not [word for word in ("f\"", "f'", "->", ":=", "nonlocal", "print(") if word in text]


@pytest.mark.parametrize("program", ["/bin/bash", "/usr/bin/node", "/bin/true"])
@pytest.mark.parametrize("how", [["run", "-c", "print(1)"], ["shell"]], ids=["cold", "warm"])
def test_what_is_no_python(light, program, how):
    done = light.run(*how, "--python", program)
    (line,) = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (125, b"")
    assert "is it a CPython" in line
    assert (program != "/usr/bin/node") or "Node.js" in line


def test_the_last_line_of_a_warm_interpreter(light, venv, claims):
    claims("import sys; sys.stderr.write('long ' * 100000 + '\\nthe reason\\n'); sys.stderr.flush(); import os; os._exit(7)\n")
    done = light.run("shell", "--python", venv)
    assert b"the warm interpreter ended: the reason; " in done.stderr, done
    done = light.run("run", "--python", venv, "-c", "1")
    assert done.returncode == 125


def test_what_an_interpreter_says_before_it_is_ready(light, venv, claims):
    """It is shown when the code runs, and once; site reads the file once for lib and once for lib64."""
    claims("import sys; hasattr(sys, 'said') or sys.stderr.write('early\\n'); sys.said = True\n")
    done = light.run("run", "--python", venv, "-c", "import sys; print('late', file=sys.stderr)")
    assert (done.returncode, done.stderr) == (0, b"early\nlate\n")
    assert light.result("import sys; print('late', file=sys.stderr)", "--python", venv)["stderr"] == "early\nlate\n"


def test_a_name_is_looked_up_on_path(light, venv):
    code = "import sys; print(sys.prefix)"
    done = light.run("run", "--python", "python3", "-c", code, env={"PATH": f"{venv}/bin:/usr/bin:/bin"})
    assert (done.returncode, done.stdout.decode()) == (0, f"{venv}\n"), done
    done = light.run("run", "--python", venv.name, "-c", code, cwd=venv.parent)
    assert (done.returncode, done.stdout.decode()) == (0, f"{venv}\n"), "a directory is a virtual environment"
    done = light.run("run", "--python", "no-such-python", "-c", code)
    assert done.returncode == 125 and b"no-such-python" in done.stderr


def test_a_python_for_another_language(light):
    done = light.run("run", "-l", "javascript", "--python", "/usr/bin/python3", "-c", "1")
    assert done.returncode == 125 and b"--python is for code in python" in done.stderr


@as_root
@pytest.mark.parametrize("language,program,package", [("python", "python3", "python3"), ("javascript", "node", "nodejs")])
def test_an_interpreter_that_is_missing(light_caller, tmp_path, language, program, package):
    script = OTHER_USR + f"rm /usr/bin/{program}"
    done = among(light_caller, tmp_path, script, "run", "--json", "-l", language, "-c", "1")
    result = json.loads(done.stdout)
    assert (done.returncode, result["status"]) == (125, "setup_failed")
    assert f"/usr/bin/{program} (package {package})" in result["error"]["message"]
    done = among(light_caller, tmp_path, script, "doctor")
    assert done.returncode in (1, 125)
    assert f"apt-get install {package}" in done.stdout.decode(), done


@as_root
def test_a_warm_interpreter_that_is_missing(light, tmp_path):
    done = among(light, tmp_path, OTHER_USR + "rm /usr/bin/python3", "shell")
    assert done.returncode == 125 and b"/usr/bin/python3 (package python3)" in done.stderr


PLACES = {"usr/local": "/usr/local/bin", "a version manager's": "$1/versions/node/v99/bin"}


@as_root
@pytest.mark.parametrize("place", PLACES)
def test_a_node_elsewhere(light_caller, tmp_path, place):
    directory = PLACES[place].replace("$1", str(tmp_path))
    for part in (tmp_path, *tmp_path.parents[:2]):
        part.chmod(0o755)
    script = OTHER_USR + f"mkdir -p {directory} {directory}/../lib/node_modules && mv /usr/bin/node {directory}/node"
    there = dataclasses.replace(light_caller, configured=(*light_caller.configured, ("PATH", f"/usr/bin:/bin:{directory}")))
    done = among(there, tmp_path, script, "run", "-l", "javascript", "-c", "console.log(process.execPath)")
    assert (done.returncode, done.stdout.decode().strip()) == (0, f"{directory}/node"), done


SHIM = """#!/bin/sh
echo asked >> {mark}
exec /usr/bin/python3 "$@"
"""


def with_shim(caller, tmp_path, folder, mode=0o755):
    """A caller before whose PATH stands a script, as version managers have it; and the file that tells whether it was run."""
    for part in (tmp_path, *tmp_path.parents[:2]):
        part.chmod(0o755)
    mark = tmp_path / "mark"
    mark.touch()
    mark.chmod(0o666)
    (tmp_path / folder).mkdir()
    shim = tmp_path / folder / "python3"
    shim.write_text(SHIM.format(mark=mark))
    shim.chmod(mode)
    path = ("PATH", f"{tmp_path / folder}:/usr/bin:/bin")
    return dataclasses.replace(caller, configured=(*caller.configured, path)), mark


def test_a_shim_of_a_version_manager_is_asked_what_it_starts(light_caller, tmp_path):
    there, mark = with_shim(light_caller, tmp_path, "shims")
    done = there.run("run", "--python", "python3", "-c", "import json, sys; print(sys.executable)")
    assert (done.returncode, done.stderr) == (0, b"") and done.stdout.startswith(b"/usr/bin/python3"), done
    assert mark.read_text()


@pytest.mark.parametrize("folder, mode", [("bin", 0o755), ("shims", 0o757)], ids=["another script", "anybody's"])
def test_no_other_script_is_run_as_interpreter(light_caller, tmp_path, folder, mode):
    there, mark = with_shim(light_caller, tmp_path, folder, mode)
    done = there.run("run", "--python", "python3", "-c", "1")
    assert done.returncode == 125 and b"not an interpreter but a script" in done.stderr, done
    assert mark.read_text() == ""


@as_root
def test_a_python_elsewhere(light_caller, tmp_path):
    for part in (tmp_path, *tmp_path.parents[:2]):
        part.chmod(0o755)
    script = OTHER_USR + "mkdir -p $1/bin && mv $(readlink -f /usr/bin/python3) /usr/bin/python-of-another-name && " \
                         "rm /usr/bin/python3 && ln -s /usr/bin/python-of-another-name $1/bin/python3"
    there = dataclasses.replace(light_caller, configured=(*light_caller.configured, ("PATH", f"/usr/bin:/bin:{tmp_path}/bin")))
    done = among(there, tmp_path, script, "run", "-c", "import json; print(42)")
    assert (done.returncode, done.stdout) == (0, b"42\n"), done
