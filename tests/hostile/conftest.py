"""Hostile code is let loose in `box`, as one of three callers: root, a user with subordinate ids, a plain user.

When a case is over, the invariants are checked (security: 5.0): nothing left on the host, canaries untouched and
unspoken, tripwires quiet, the next run as good as ever."""
import dataclasses
import os
import re
import shutil
import subprocess

import pytest

pytest.register_assert_rewrite("ring")  # or its assertions would not say what was wrong
import ring  # noqa: E402
import traces  # noqa: E402

MODES = ["user"]
if os.geteuid() == 0:
    MODES = ["root", "subordinate", "user"] if shutil.which("newuidmap") else ["root", "user"]


@pytest.fixture(scope="session", params=MODES)
def caller(request, new_caller, tmp_path_factory):
    someone = new_caller("root" if request.param == "root" else "user")
    if request.param == "subordinate":
        prefix = ring.give_subordinate_ids(tmp_path_factory.mktemp("etc"))
        someone = dataclasses.replace(someone, name="subordinate", prefix=prefix)
    return someone


@pytest.fixture(scope="session")
def tripwire():
    return ring.Tripwire()


@pytest.fixture(scope="session", autouse=True)
def subreaper():
    traces.adopt()


@pytest.fixture(scope="session")
def canary(caller):
    made = ring.Canary(caller.home.stat().st_uid)
    config = caller.home / ".config/retort"
    config.mkdir(parents=True)
    (caller.home / ".netrc").write_text(made.token)
    subprocess.run(["chown", "-R", str(caller.home.stat().st_uid), caller.home / ".config"], check=True)
    yield made
    shutil.rmtree(made.tree)


@pytest.fixture
def box(caller, canary, tripwire):
    traces_before = traces.Before(owners={ring.ORDINARY_UID} if os.geteuid() == 0 else {os.geteuid()})
    arena = ring.Box(caller, canary, tripwire)
    yield arena
    arena.check(traces_before)


@pytest.fixture(scope="session", autouse=True)
def kernel_log():
    """The kernel has no word to say about any of this."""
    def complaints():
        done = subprocess.run(["dmesg"], capture_output=True, check=False)
        # Lockups of work queues tell of a host that gives this machine no time.
        words = rb"^.*(?:BUG(?!: workqueue lockup)|KASAN|Oops|general protection fault(?! ip:)|WARNING:).*$"
        return re.findall(words, done.stdout, re.MULTILINE)  # with their times, so that no two are alike
    before = set(complaints())  # which may rotate out of the kernel's ring
    yield
    assert [line for line in complaints() if line not in before] == []


@pytest.fixture(scope="session")
def programs_that_fail(ablation_programs):
    """Programs of the build in which a step can be told to fail; every isolation layer is on."""
    return ablation_programs
