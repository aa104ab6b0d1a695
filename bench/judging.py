"""judging.py: what a judge does with a program of 500 lines, in milliseconds of processor time. One request a line, as bench/server.h
says: follow N, review N, cell N (20 lines more in a session of 500)."""
import gc
import importlib.machinery
import importlib.util
import pathlib
import sys
import time

spec = importlib.machinery.ModuleSpec("retort_guest_source", None, is_package=True)
spec.submodule_search_locations = [str(pathlib.Path(__file__).resolve().parent.parent / "guest/python")]
sys.modules["retort_guest_source"] = importlib.util.module_from_spec(spec)
from retort_guest_source import dataflow, review  # noqa: E402

TOOLS = {"tools": [{"name": "fetch", "parameters": {"type": "object", "properties": {"url": {"type": "string"}}}},
                   {"name": "send", "parameters": {"type": "object", "properties": {"to": {"type": "string"}, "body": {"type": "string"}}},
                    "source": "trusted", "sinks": {"to": "trusted"}}], "files": {"inbox/*": {"source": "untrusted"}, "report*": {"sink": "trusted"}}}
PART = """def clean_%(n)d(rows, limit=10):
    out = []
    for row in rows:
        name, value = row["name"].strip(), float(row["value"])
        if value > limit and name:
            out.append({"name": name.title(), "value": round(value, 2)})
    return sorted(out, key=lambda row: -row["value"])
page_%(n)d = tools.fetch(url="https://example.org/%(n)d")
rows_%(n)d = [{"name": part, "value": str(len(part))} for part in page_%(n)d.split()]
best_%(n)d = clean_%(n)d(rows_%(n)d)[:3]
total_%(n)d = sum(row["value"] for row in best_%(n)d)
try:
    mean_%(n)d = total_%(n)d / len(best_%(n)d)
except ZeroDivisionError:
    mean_%(n)d = 0.0
text_%(n)d = f"{total_%(n)d:.2f} of {len(rows_%(n)d)}, mean {mean_%(n)d}"
with open("notes%(n)d.txt", "w") as file:
    file.write(text_%(n)d)
tools.send(to="ann", body=text_%(n)d)
print(best_%(n)d, text_%(n)d)
"""
PROGRAM = "".join(PART % {"n": n} for n in range(25))
assert len(PROGRAM.splitlines()) == 500 and dataflow.analyse(PROGRAM.encode(), TOOLS)["verdict"] == "accepted"
CELLS = [[n + 1, "import tools\n" + PART % {"n": n}, False] for n in range(26)]
WORK = {"follow": lambda: dataflow.analyse(PROGRAM.encode(), TOOLS), "review": lambda: review.analyse(PROGRAM.encode(), {"language": "python"}, None)}


def cell():
    dataflow.kept.clear()
    for last in (25, 26):
        start = time.process_time()
        assert dataflow.analyse_cells(CELLS[:last], TOOLS)["verdict"] == "accepted"
    return (time.process_time() - start) * 1e3


def took(work):
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e3


gc.disable()  # as guest/python/verdicts.py does
for request in sys.stdin:
    name, count = request.split()
    print(*("%.4f" % (cell() if name == "cell" else took(WORK[name])) for _ in range(int(count))), flush=True)
