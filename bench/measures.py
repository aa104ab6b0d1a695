"""The measures: who takes part in each, what the floor is, what the goal.

A participant is a function of a count that returns that many samples. All values are such that less is better, so that
every goal reads: ours at most `goal` times the other."""
import json
import os
import shutil
import subprocess

import peers
import stats
from subjects import DESCRIBE, PANDAS, PRELOAD, PRINT, open_descriptors, resident_mb, supervisors

PYTHON, CAPTURED, BWRAP = "python3", "subprocess per call", "bubblewrap + python3"
IPYKERNEL, PYODIDE, MONTY = "ipykernel", "Pyodide", "Monty (a subset of Python)"
SQLITE = "sqlite3 in Python"
NODE, BASH = "node -e", "bash -c true"
FORK, NAMESPACES = "fork + exit, same size", "fork + namespaces + exit"
SUSTAINED = "fork + namespaces + exit, sustained"
ALONE, WITHOUT = "alone", "without one"
ROUND_TRIP, LIMIT, API, HTTP = "socketpair round trip", "the limit", "C API, recorded", "HTTP, recorded"
DIRECT, DEFAULT = "without session and gate", "the default environment"
BARE, LINES = "the same lines without the client", "the same lines from C"
ONLY = "without other languages"
FETCH = "fetch and our own HTTP door"
ONE_TRY = "one try"
PLAIN, NATIVE = "a plain function", "the same in C"


LONG = {"gate-100MB", "live-100", "live-500", "rollback-300", "undo-300", "branch-300", "rollback-1000", "undo-1000", "branch-1000",
        "begin-1-bare", "begin-1-pandas", "rate-2-bare", "rate-2-pandas", "fresh-pandas", "ledger-store", "memory-describe",
        "only-fresh", "only-warm", "only-memory", "page-open", "page-output", "page-scroll", "page-cells"}


class Measure:
    def __init__(self, name, title, ours, others, floor=None, goals=None, rounds=(10, 3), count=(10, 5), unit="ms",
                 curve=None, finish=None, ordered=False, trends=()):
        self.name, self.title, self.ours, self.others = name, title, ours, others
        self.floor = floor  # (name, participant); may be one of the others by its name alone
        self.goals = goals or {}  # other's name: largest ratio, or a function of the other's value
        self.rounds, self.count = rounds, count  # of a full run, of a quick one
        self.unit = unit
        self.curve = curve  # (group, x, label of x): belongs to a growth curve
        self.finish = finish  # called when it is over
        self.trends = trends  # filled on the way: (title, label of x, unit, [(x, low, high, median)])
        self.ordered = ordered  # the others' samples come with ours: no warm-up, always in this order


def singles(function, *arguments):
    return lambda count: [function(*arguments) for _ in range(count)]


def asks(subject, request, *arguments):
    """The request's {n} becomes the count."""
    return lambda count: subject(*arguments).ask(request.replace("{n}", str(count)))


def starts(s):
    programs = {PYTHON: s.python, CAPTURED: s.captured, BWRAP: s.bubblewrap}
    scripts = {PYODIDE: singles(s.javascript_once, "pyodide"), MONTY: singles(s.javascript_once, "monty")}
    printing = {name: singles(run, PRINT) for name, run in programs.items()}
    describing = {name: singles(run, DESCRIBE) for name, run in programs.items()}
    few = {IPYKERNEL: lambda count: s.kernel().ask("fresh %d" % max(1, count // 8))}
    return [
        Measure("cold", "cold one-shot: print(1) from nothing", singles(s.retort_run, PRINT), {**printing, **scripts},
                (NAMESPACES, asks(s.floors, "namespaces 0 {n}")),
                {PYTHON: lambda bare: 1 + max(8 / bare, 0.35)}, count=(4, 3)),
        Measure("resident", "one-shot `import pandas; print(1)` with an engine that is running", singles(s.retort_run_resident, PANDAS),
                {WITHOUT: singles(s.retort_run, PANDAS), PYTHON: singles(s.python, PANDAS)}, None, {WITHOUT: 0.05}, count=(4, 3)),
        Measure("fresh-print", "fresh session and print(1)", asks(s.engine, "fresh bare {n}"), {**printing, **few},
                ("fork + exit", asks(s.floors, "fork 0 {n}")), {PYTHON: 0.10}, count=(8, 4)),
        Measure("fresh-pandas", "fresh session and a pandas describe", asks(s.engine, "fresh pandas {n}"), describing,
                (FORK, asks(s.floors, "fork 90 {n}", PRELOAD)), {PYTHON: 0.06}, rounds=(10, 3), count=(3, 1)),
    ]


def cells(s):
    def warm(pause):
        return {IPYKERNEL: asks(s.kernel, "cells {n} %d" % pause),
                PYODIDE: asks(s.javascript, "cells {n} %d" % pause, "pyodide"),
                MONTY: asks(s.javascript, "cells {n} %d" % pause, "monty")}

    trip = ROUND_TRIP, asks(s.floors, "round-trip {n}")

    def door(name, title, subject, others=(), goals=()):
        return Measure(name, title, asks(subject, "cells {n} 0"),
                       {API: asks(s.engine, "recorded {n} 0"), IPYKERNEL: warm(0)[IPYKERNEL], **dict(others)}, trip,
                       {API: 3, IPYKERNEL: 0.2, **dict(goals)}, count=(40, 20))

    return [
        Measure("warm-think", "cell 1+1 after 20 ms of thinking", asks(s.engine, "warm {n} 20000"), warm(20000), trip,
                {IPYKERNEL: 0.05}, count=(25, 15)),
        Measure("warm", "cell 1+1 back to back", asks(s.engine, "warm {n} 0"), warm(0), trip, {IPYKERNEL: 0.05},
                count=(100, 40)),
        Measure("warm-ledger", "cell 1+1 back to back, recorded in the ledger", asks(s.engine, "recorded {n} 0"),
                {IPYKERNEL: warm(0)[IPYKERNEL]}, trip, count=(100, 40)),
        door("http", "cell 1+1 through HTTP, recorded", s.http),
        door("mcp", "cell 1+1 through MCP over pipes, recorded", s.mcp, {HTTP: asks(s.http, "cells {n} 0")}, {HTTP: 1.2}),
        Measure("sql", "SQL cell: the ten largest of 100,000 rows", asks(s.engine, "sql {n}"),
                {SQLITE: asks(s.sqlite, "sql {n}")}, None, {SQLITE: 1.5}, count=(20, 5)),
        Measure("first-javascript", "fresh session in JavaScript and 1+1", asks(s.engine, "first javascript {n}"),
                {NODE: singles(s.node, "console.log(1+1)")}, None, {NODE: 0.25}, count=(4, 2)),
        Measure("beside-javascript", "first JavaScript cell in a session for Python", asks(s.engine, "beside javascript {n}"),
                {NODE: singles(s.node, "console.log(1+1)")}, count=(4, 2)),
        Measure("javascript", "JavaScript cell 1+1", asks(s.engine, "again javascript {n}"),
                {NODE: singles(s.node, "console.log(1+1)")}, None, {NODE: 0.1}, count=(5, 3)),
        Measure("bash", "bash cell `true`", asks(s.engine, "again bash {n}"), {BASH: singles(s.bash, "true")}, None, {BASH: 0.3},
                count=(20, 10)),
        *(Measure("client-" + language.lower(), "cell 1+1 through the %s client, recorded" % language,
                  asks(s.client, "cells {n} 0", language),
                  {BARE: asks(s.client, "cells {n} 0", language, "bare"), LINES: asks(s.rpc, "cells {n} 0")}, trip, {BARE: 1.3},
                  count=(100, 40))
          for language in ("Python", "TypeScript")),
        Measure("client-e2b", "cell 1+1 through E2B's SDK, recorded", asks(s.client, "cells {n} 0", "TypeScript", "e2b"),
                {FETCH: asks(s.client, "cells {n} 0", "TypeScript", "fetch")}, trip, {FETCH: 3}, count=(100, 40)),
        Measure("stream", "a cell that prints 8 MB, line by line", lambda _: s.engine().ask("stream 8"),
                {PYTHON: singles(s.python, "for _ in range(8000): print('x' * 999)"),
                 IPYKERNEL: lambda _: s.kernel().ask("stream 8")},
                ("pipe", lambda _: s.floors().ask("pipe 8")), rounds=(10, 3), count=(1, 1)),
        Measure("interrupt", "from the interrupt to the prompt", asks(s.engine, "interrupt {n}"),
                {IPYKERNEL: asks(s.kernel, "interrupt {n}")}, trip, rounds=(8, 2), count=(4, 2)),
    ]


def networks(s):
    def request(kind, title, more):
        return Measure("gate-" + kind, "a request through the gate, " + title, asks(s.network, kind + " {n} gate"),
                       {DIRECT: asks(s.network, kind + " {n} direct")}, None, {DIRECT: lambda direct: 1 + more / direct},
                       count=(40, 20))

    return [
        request("plain", "by HTTP", 0.3),
        request("passed", "by TLS that is passed on", 0.3),
        request("read", "by TLS that is read", 0.8),
        Measure("gate-100MB", "a download of 100 MB through the gate", asks(s.network, "download 1 gate"),
                {DIRECT: asks(s.network, "download 1 direct")}, None, {DIRECT: 1 / 0.7}, count=(1, 1)),
        Measure("fresh-packages", "fresh session with packages of its own and print(1)",
                lambda count: s.engine().ask("fresh %s %d" % (s.packages(), count)),
                {DEFAULT: asks(s.engine, "fresh bare {n}")}, None, {DEFAULT: 1.1}, count=(20, 8)),
    ]


def states(s):
    out = []
    for size in (90, 300, 1000):
        same = asks(s.floors, "fork %d {n}" % size, PRELOAD)
        for name, title, goal in (("rollback", "roll-back after os._exit", 1.5), ("undo", "undo of the last cell", 1.5),
                                  ("branch", "branch into 8, each with a first result, per branch", 3)):
            out.append(Measure("%s-%d" % (name, size), "%s at %d MB" % (title, size),
                               asks(s.engine, "%s %d {n}" % (name, size)), {FORK: same}, FORK,
                               {FORK: goal}, rounds=(5, 2), count=(4, 2),
                               curve=(name, size, "resident memory, MB")))
    return out


def crowds(s):
    out = []
    for cores, cpus in ((1, "0"), (2, "0,1")):
        for kind, modules, size in (("bare", (), 21), ("pandas", PRELOAD, 95)):  # MB of the zygote that is forked
            floor = asks(s.floors, "sustained %d 1000 %d" % (size, cores), modules, cpus)
            where = "%d core%s, %s" % (cores, "s"[: cores - 1], kind)
            goal = {SUSTAINED: 1 / 0.6} if cores == 1 else {}

            def sessions(name, title, request, finish=None, cpus=cpus, where=where, floor=floor, goal=goal):
                return Measure(name, "per fresh session %s, sustained, %s" % (title, where),
                               lambda _: s.engine(cpus).ask(request), {SUSTAINED: floor}, SUSTAINED, goal,
                               rounds=(6, 2), count=(1, 1), finish=finish)

            if cores == 1:
                out.append(sessions("begin-1-" + kind, "that answers, without a cell", "begin %s 1000 1" % kind))
            out.append(sessions("rate-%d-%s" % (cores, kind), "with print(1)", "rate %s 1000 %d" % (kind, cores),
                                (lambda cpus=cpus: s.stop("engine on " + cpus)) if kind == "pandas" else None))
    for live in (1, 100, 500):
        out.append(Measure(
            "live-%d" % live, "cell 1+1 after 20 ms of thinking, %d live session%s" % (live, "s"[: live > 1]),
            lambda count, live=live: crowd(s, live, count), {"1 live session": lambda count: crowd(s, 1, count, True)},
            None, {"1 live session": 1.5} if live == 500 else {}, rounds=(6, 2), count=(30, 15),
            curve=("latency", live, "live sessions"), finish=lambda: s.stop("engine for crowds")))
    return out


def crowd(s, live, count, alone=False):
    """Cells in sessions drawn by lot from those that live; another engine has one session only."""
    engine = s.lines("engine for one" if alone else "engine for crowds", [str(s.build / "bench/bench_engine")])
    engine.ask("live %d" % (1 if alone else live))
    return engine.ask("crowd %d 20000" % count)


def additional(engine, kind):
    def measure(_):
        before, after, count = engine().ask("memory %s 16" % kind)
        return [(after + before) / count]
    return measure


def without_languages(s):
    """A session for Python beside one of an engine that knows no other language."""
    def beside(name, title, request, **options):
        return Measure("only-" + name, title + ", beside an engine without other languages", asks(s.engine, request),
                       {ONLY: asks(s.python_only, request)}, None, {ONLY: 1.03}, **options)

    return [beside("fresh", "fresh session and print(1)", "fresh bare {n}", rounds=(20, 4), count=(20, 5)),
            beside("warm", "cell 1+1 back to back", "warm {n} 0", rounds=(20, 4), count=(200, 40)),
            Measure("only-memory", "memory of one more idle session, beside an engine without other languages",
                    additional(s.engine, "fresh"), {ONLY: additional(s.python_only, "fresh")}, None, {ONLY: 1.03},
                    rounds=(5, 1), count=(1, 1), unit="MiB")]


def memories(s):
    plain = singles(s.python_memory)
    return [Measure("memory-" + kind, "memory of one more idle session, " + title, additional(s.engine, kind),
                    {"python3 with pandas": lambda _: plain(1)}, None,
                    {"python3 with pandas": lambda other, limit=limit: limit / other}, rounds=(3, 1), count=(1, 1),
                    unit="MiB")
            for kind, title, limit in (("fresh", "fresh", 3), ("describe", "after a describe, with checkpoint", 12))]


def paired(measure, ours, other, others):
    """Participants whose values come out of one and the same measurement; ours is asked first."""
    last = []

    def first(count):
        last[:] = [measure(count)]
        return [ours(last[0])]

    return first, {other: lambda _: [others(last[0])]}


def records(s):
    def ledger(rounds):
        """What bench_ledger found, in a ledger of its own."""
        folder = s.folder / "ledger"
        done = subprocess.run([s.build / "bench/bench_ledger", folder, str(rounds)], capture_output=True, check=True, text=True)
        shutil.rmtree(folder)
        return json.loads(done.stdout)

    def store_ms(found):
        return 1e3 / found["store_mb_s"]

    def agent(_):
        done = subprocess.run([s.build / "bench/bench_agent", "200"], capture_output=True, check=True, text=True)
        return [float(word) for word in done.stdout.split()]

    fixed = {LIMIT: 1.0}
    return [
        Measure("ledger-cell", "the ledger's cost of a small cell", lambda _: [ledger(0)["cell_ms_median"]],
                {LIMIT: lambda _: [0.15]}, ("write + fsync", lambda n: s.floors().ask(
                    "fsync %s %d" % (s.folder / "fsync", max(n, 10)))), fixed, rounds=(3, 1), count=(1, 1)),
        Measure("ledger-store", "storing 1 MB, made durable",
                *paired(ledger, store_ms, "plain write + fsync", lambda found: found["store_to_plain"] * store_ms(found)),
                "plain write + fsync", {"plain write + fsync": 1 / 0.7}, rounds=(3, 1), count=(10, 4), ordered=True),
        Measure("replay", "replaying a recorded cell, compared and verified",
                *paired(asks(s.engine, "replay 60"), lambda pair: pair[1], "the first run of the cell",
                        lambda pair: pair[0]), None, {}, rounds=(6, 2), count=(1, 1), ordered=True),
        Measure("check-answer", "checking 2,000 words against 100 cells with 100,000 numbers, after the first time",
                lambda _: s.engine().ask("check 5")[1:], {LIMIT: lambda _: [50.0]}, None, fixed, rounds=(2, 1), count=(1, 1)),
        Measure("check-answer-first", "the first such check of a session, which reads all of it",
                lambda _: s.engine().ask("check 0"), {}, None, {}, rounds=(2, 1), count=(1, 1)),
        Measure("policy-500", "following the data of a program of 500 lines", asks(s.judging, "follow {n}"), {LIMIT: lambda _: [10.0]}, None,
                fixed, rounds=(5, 2), count=(10, 5)),
        Measure("policy-cell", "following a cell of 20 lines behind 500", asks(s.judging, "cell {n}"), {LIMIT: lambda _: [10.0]}, None, fixed,
                rounds=(5, 2), count=(10, 5)),
        Measure("review-500", "reviewing a program of 500 lines", asks(s.judging, "review {n}"), {LIMIT: lambda _: [10.0]}, None, fixed,
                rounds=(5, 2), count=(10, 5)),
        Measure("agent-tries", "best of 8 from a session of 300 MB, each with a step that waits half a second, without the model",
                asks(s.tries, "tries 8 {n}"), {ONE_TRY: asks(s.tries, "tries 1 {n}")}, None, {ONE_TRY: 1.5}, rounds=(5, 2), count=(2, 1)),
        Measure("skill-inline", "a cell that calls an inline skill", asks(s.skills, "inline {n}"), {PLAIN: asks(s.skills, "plain {n}")}, None,
                {PLAIN: 1.2}, rounds=(10, 2), count=(20, 5)),
        Measure("skill-isolated", "a call of a skill that has its session", asks(s.skills, "isolated {n}"), {LIMIT: lambda _: [2.0]}, None, fixed,
                rounds=(10, 2), count=(20, 5)),
        Measure("skill-wasm", "a call of a WebAssembly skill that does nothing", asks(s.skills, "wasm {n}"), {LIMIT: lambda _: [1.0]}, None, fixed,
                rounds=(10, 2), count=(20, 5)),
        Measure("skill-work", "a loop of a WebAssembly skill", asks(s.skills, "work {n}"), {NATIVE: asks(s.skills, "native {n}")}, None,
                {NATIVE: 1.2}, rounds=(5, 2), count=(2, 1)),
        Measure("skill-search", "searching 10,000 skills", asks(s.skills, "search {n}"), {LIMIT: lambda _: [5.0]}, None, fixed,
                rounds=(5, 2), count=(20, 5)),
        Measure("agent-step", "the agent's own cost of a step, in 200 steps", agent, {LIMIT: lambda _: [2.0]}, None,
                fixed, rounds=(3, 1), count=(1, 1)),
    ]


def pages(s):
    def limited(name, title, request, most, rounds=(3, 1), count=(5, 2)):
        return Measure(name, title, asks(s.browser, request), {LIMIT: lambda _: [most]}, None, {LIMIT: 1.0}, rounds=rounds, count=count)

    return [
        limited("page-open", "the page in Chromium: from nothing to the list of sessions, to be used", "open {n}", 500.0),
        limited("page-output", "the page: from the line that a client has to the same line on the screen", "output {n}", 50.0, count=(20, 10)),
        limited("page-scroll", "the page: the longest task while 10,000 cells are scrolled through", "scroll 10000", 100.0, rounds=(2, 1), count=(1, 1)),
        Measure("page-cells", "the page: opening a session of 10,000 cells", asks(s.browser, "cells 10000"), {}, None, {}, rounds=(3, 1), count=(1, 1)),
    ]


def drift(s, sessions, steps=20):
    """The same engine at the beginning and after many sessions; on the way, what its supervisor holds."""
    engine = lambda: s.lines("engine for drift", [str(s.build / "bench/bench_engine")])
    first, trends = [], {name: [] for name in ("latency", "memory", "descriptors")}

    def look(done):
        pids = supervisors(engine().process.pid)
        times = engine().ask("fresh bare 40")
        trends["latency"].append((done, *stats.bootstrap([times])[0], stats.median([times])))
        trends["memory"].append((done, *[sum(map(resident_mb, pids))] * 3))
        trends["descriptors"].append((done, *[sum(map(open_descriptors, pids))] * 3))

    def last(_):
        first[:] = engine().ask("fresh bare 200")
        done = 0
        while done < sessions:
            look(done)
            for _ in range(max(1, sessions // steps // 250)):
                done += int(1000 / engine().ask("rate bare 1000 1")[0])
        look(done)
        return engine().ask("fresh bare 200")

    return [Measure("drift", "fresh session and print(1) after %d sessions" % sessions, last,
                    {"the first 200": lambda _: first}, None, {}, rounds=(1, 1), count=(1, 1),
                    finish=lambda: s.stop("engine for drift"), ordered=True,
                    trends=[("latency of a fresh session", "sessions so far", "ms", trends["latency"]),
                            ("resident memory of the supervisor and its keeper", "sessions so far", "MiB", trends["memory"]),
                            ("descriptors of the supervisor and its keeper", "sessions so far", "open", trends["descriptors"])])]


def beside(s, attack, ordinary):
    """Cells of the quiet session while the attack goes on, from its first moment; those before and after it are the other's
    samples. Their 99th percentile is one of the slowest six, with a cgroup: of fewer cells it would be chance."""
    alone = []

    def attacked(count):
        lines = s.peers(ordinary)
        code = lines.folder / attack.name
        code.write_text(attack.code)
        ask = "quiet %d 10000 %s" % (count, "recorded" if attack.recorded else "")
        alone[:] = lines.ask(ask)
        lines.ask("attack %s %d %s" % (attack.kind, attack.clients, code))
        try:
            found = lines.ask(ask)
        finally:
            lines.ask("calm")
        alone.extend(lines.ask(ask))
        return found

    return attacked, {ALONE: lambda _: list(alone)}


def neighbours(s):
    out = []
    for ordinary in (False, True) if os.geteuid() == 0 else (True,):
        for attack in peers.ATTACKS:
            name = ("plain-" if ordinary else "peer-") + attack.name
            title = "cell 1+1 beside: %s%s" % (attack.title, ", without a cgroup" if ordinary else "")
            out.append(Measure(name, title, *beside(s, attack, ordinary), None, {} if ordinary else {ALONE: 1.5},
                               rounds=(1 if ordinary else 3, 1), count=(40 if ordinary else 200, 20), ordered=True))
    return out


def everything(s, quick):
    out = cells(s)[:2] + starts(s) + cells(s)[2:] + networks(s) + memories(s) + without_languages(s) + states(s) + crowds(s) + records(s) + pages(s)
    if quick:  # what takes long comes last, and is left out first
        return sorted(out, key=lambda m: m.name in LONG) + neighbours(s)
    return out + neighbours(s) + drift(s, 10000)
