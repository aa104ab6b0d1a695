"""CPython's own tests end in a session as they do outside. `make check` runs some, `make soak` all of the list."""
import json
import os
import pathlib
import re
import subprocess
import sys
import sysconfig

import pytest
import rpc

HERE = pathlib.Path(__file__).parent
PYTHON = "/usr/bin/python3"
# Those that use files, processes, threads, the recursion limit or the event loop, and few of those that compute alone.
SOME = ["test_json", "test_csv", "test_list", "test_copy", "test_dataclasses", "test_contextlib", "test_generators", "test_os",
        "datetimetester.TestDate", "test_asyncio.test_queues", "test_asyncio.test_locks"]
MORE = ["test_re", "test_collections", "test_dict", "test_string", "test_textwrap", "test_functools", "test_operator", "test_heapq",
        "test_bisect", "test_enum", "test_grammar", "test_syntax", "test_math", "datetimetester.TestTimeDelta", "test_datetime", "test_statistics", "test_decimal", "test_random", "test_set", "test_unicode", "test_int", "test_float",
        "test_tuple", "test_itertools", "test_exceptions", "test_traceback", "test_io", "test_subprocess", "test_threading", "test_signal", "test_tempfile",
        "test_shutil", "test_zipfile", "test_pathlib", "test_uuid", "test_time", "test_fractions", "test_hashlib", "test_pickle",
        "test_struct", "test_asyncio.test_tasks", "test_asyncio.test_futures", "test_asyncio.test_streams"]
CODE = """
import io, json, unittest
outcomes = {}
for name in %r:
    suite = unittest.defaultTestLoader.loadTestsFromName('test.' + name)
    done = unittest.TextTestRunner(stream=io.StringIO(), verbosity=0).run(suite)
    outcomes[name] = {'ran': done.testsRun, 'bad': sorted(t.id() for t, _ in done.failures + done.errors),
                      'skipped': sorted(t.id() for t, _ in done.skipped)}
with open('outcomes.json', 'w') as f: json.dump(outcomes, f)
"""


def exceptions():
    """Those of this version of Python: `3.13+` in front of a line keeps it from older ones."""
    found = set()
    for line in (HERE / "cpython_exceptions.txt").read_text().splitlines():
        since = re.match(r"3\.(\d+)\+ ", line)
        if line and not line.startswith("#") and (not since or sys.version_info >= (3, int(since[1]))):
            found.add(line[since.end() if since else 0:].split()[0])
    return found


def start_outside(names, folder):
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"}
    return subprocess.Popen([PYTHON, "-c", CODE % names], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def outcomes_inside(retort, names):
    server = rpc.Server(retort)
    one = server.session(record=False, checkpoint="off", limits={"timeout": 1200, "cpu": 1200, "memory": 1024})
    done = one.start(CODE % names).answer(patience=1300)
    assert done["status"] == "ok", (done["status"], done["error"], done["stderr"][-2000:])
    outcomes = json.loads(one.read("outcomes.json"))
    server.close()
    return outcomes


@pytest.mark.few
def test_as_outside(retort, tmp_path, count):
    if not os.path.exists(sysconfig.get_path("stdlib") + "/test/test_json"):
        pytest.skip("libpython%d.%d-testsuite is not installed" % sys.version_info[:2])
    names = SOME + count([], MORE)
    outside = start_outside(names, tmp_path)
    inside = outcomes_inside(retort, names)
    assert outside.wait() == 0
    expected, excused = json.loads((tmp_path / "outcomes.json").read_text()), exceptions()
    for name in names:
        here, there = inside[name], expected[name]
        assert here["ran"] == there["ran"] > 0, name
        assert set(here["bad"]) - set(there["bad"]) - excused == set(), name
        assert set(here["skipped"]) - set(there["skipped"]) - excused == set(), name
