"""Surroundings that are not this machine's: other interpreters, less than everything, containers."""
import dataclasses
import json
import subprocess

import pytest
from surroundings import OTHER_USR, among, as_root

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
    """A script that makes /usr/bin/node another one, which maps more than it uses."""
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
