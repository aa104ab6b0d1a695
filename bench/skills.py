"""skills.py RETORT: calls of skills and searches for them, in milliseconds. One request a line, as bench/server.h says: plain N and inline N (a
cell that calls a function), isolated N and wasm N (a call inside of a cell, to a skill that has its session), work N and native N (a loop in
WebAssembly and in C), search N (among 10,000 skills)."""
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

LOOP = 100_000_000
SPIN = "unsigned %s(unsigned n) { unsigned x = 1; for (unsigned i = 0; i < n; i++) x = x * 1664525u + 1013904223u ^ (x >> 7); return x; }\n"
DOUBLE = "def double(x):\n    return 2 * x\n"
TESTS = [{"in": {"x": 3}, "out": 6}, {"in": {"x": 1}, "out": 2}]


class Rpc:
    def __init__(self, program, state):
        self.last = 0
        self.process = subprocess.Popen([program, "rpc", "--state", state], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True)

    def call(self, method, **params):
        self.last += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}) + "\n")
        self.process.stdin.flush()
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.last:
                return answer["result"]

    def add(self, name, source, manifest):
        texts = {"SKILL.md": f"---\nname: {name}\ndescription: About {name}.\n---\n", "skill.json": json.dumps(manifest), **source}
        self.call("skills.add", files=[{"path": path, "text": text} for path, text in texts.items()])


def many(state, count=10_000):
    """Rows of the index with a directory each: a search looks at nothing else."""
    words = "loan date table text mean sum price route tax graph image audio query parse clean merge split rank filter plot".split()
    with sqlite3.connect(f"{state}/skills.db") as index:
        for n in range(count):
            name, about = f"skill-{n}", " ".join(words[(n * step + n // 7) % 20] for step in (1, 3, 7, 9)) + f" number {n}"
            at = index.execute("INSERT INTO versions(name, version, state, hash, description, kind) VALUES(?, 1, 1, 'x', ?, 'python')", (name, about))
            index.execute("INSERT INTO words(rowid, name, description) VALUES(?, ?, ?)", (at.lastrowid, name, about))
            os.makedirs(f"{state}/skills/{name}/1")


class Bench:
    def __init__(self, program, place):
        self.place, self.state = place, f"{place}/state"
        os.mkdir(self.state)
        self.rpc = Rpc(program, self.state)
        self.rpc.add("double", {"skill.py": DOUBLE}, {"functions": ["double"], "tests": TESTS})
        self.rpc.add("inlined", {"skill.py": DOUBLE.replace("double", "inlined")}, {"functions": ["inlined"], "tests": TESTS, "inline": True})
        names = ["double", "inlined"]
        self.wasm = shutil.which("wasm2c") and shutil.which("clang") and shutil.which("gcc")
        if self.wasm:
            self.rpc.add("spin", {"skill.c": SPIN % "spin"}, {"functions": {"spin": {"parameters": ["n"]}}, "limits": {"pages": 16, "timeout": 60},
                         "tests": [{"in": {"n": 0}, "out": 1}, {"in": {"n": 1}, "out": 1015568748}]})
            names.append("spin")
            (pathlib.Path(place) / "spin.c").write_text(
                SPIN % "spin" + "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\nint main(int c, char **v) { struct timespec a, b;"
                " clock_gettime(CLOCK_MONOTONIC, &a); unsigned x = spin((unsigned)atol(v[c - 1])); clock_gettime(CLOCK_MONOTONIC, &b);"
                " printf(\"%f %u\\n\", (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6, x); }\n")
            subprocess.run(["gcc", "-O2", "-w", f"{place}/spin.c", "-o", f"{place}/spin"], check=True)
        self.session = self.rpc.call("session.create", skills=names, limits={"timeout": 120})["session"]
        self.run("import time, skills\n" + DOUBLE)
        self.run("".join(f"skills.{name}({'n' if name == 'spin' else 'x'}=1)\n" for name in names))
        self.prepared = False

    def run(self, code):
        result = self.rpc.call("session.execute", session=self.session, code=code)
        assert result["status"] == "ok", result
        return result

    def cell(self, code, count):
        times = []
        for _ in range(count):
            start = time.perf_counter()
            self.run(code)
            times.append((time.perf_counter() - start) * 1e3)
        return times

    def inside(self, call, count):
        """Each call of one cell."""
        shown = self.run(f"times = []\nfor _ in range({count}):\n    start = time.perf_counter()\n    {call}\n"
                         "    times.append((time.perf_counter() - start) * 1e3)\nprint(*times)")
        return [float(word) for word in shown["stdout"].split()]

    def search(self, count):
        if not self.prepared:
            many(self.state)
            self.prepared = True
        times = []
        for n in range(count):
            start = time.perf_counter()
            found = self.rpc.call("skills.search", words=f"the mean price of route {n}")["skills"]
            times.append((time.perf_counter() - start) * 1e3)
            assert len(found) == 20
        return times

    def native(self, count):
        return [float(subprocess.run([f"{self.place}/spin", str(LOOP)], capture_output=True, check=True).stdout.split()[0]) for _ in range(count)]

    def answer(self, name, count):
        if name in ("wasm", "work", "native") and not self.wasm:
            sys.exit("wabt, clang or gcc is not installed")
        work = {"plain": lambda: self.cell("double(4)", count), "inline": lambda: self.cell("skills.inlined(4)", count),
                "isolated": lambda: self.inside("skills.double(x=4)", count), "wasm": lambda: self.inside("skills.spin(n=1)", count),
                "work": lambda: self.inside(f"skills.spin(n={LOOP})", count), "native": lambda: self.native(count), "search": lambda: self.search(count)}
        return work[name]()


with tempfile.TemporaryDirectory() as folder:
    bench = Bench(sys.argv[1], folder)
    for request in sys.stdin:
        word, number = request.split()
        print(*("%.4f" % took for took in bench.answer(word, int(number))), flush=True)
    bench.rpc.process.stdin.close()
    bench.rpc.process.wait()
