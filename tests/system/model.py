"""Drives one engine through operations and holds every session against a World.

An operation is a list of plain values, so that a run can be printed, shortened and run again; one that does not
apply is passed over. Whatever a session does otherwise than its World, without saying so, is a Deviation."""
import base64
import json
import os
import pathlib
import re
import shutil
import signal
import tempfile
import time

import rpc
import traces
import world

PATIENCE = 120  # seconds for what happens by itself; a session that is rebuilt under sanitizers needs some
GRACE_MS = 1000  # after an interrupt
MOST_SESSIONS = 6
REBUILT = "the session had no process and was rebuilt by replay"
INTERRUPTED = "was interrupted when it ran first"
BRANCHED = "the branch was made by running its cells again"
OF_OTHERS = "were run again in a new interpreter", "bash", "javascript", "in the background, if any"
DIFFERENT = "was run again and came out differently"
# What a restored state may lack, by the note that says so.
LOSSES = {"thread(s)": "threads", "child process(es)": "processes", "in the background, if any": "processes", "its file was unlinked": "unlinked"}


class Deviation(AssertionError):
    pass


def check(good, *what):
    if not good:
        raise Deviation(" ".join(str(part) for part in what))


class Live:
    """A session, the World it must be in, and how it came there: the World before each cell and upload."""

    def __init__(self, session, options, like=None):
        self.session, self.options = session, options
        self.world = like.world.copy() if like else world.World()
        self.past = list(like.past) if like else []  # (is a cell, World before it)
        self.number = like.number if like else 0
        self.lost = set(like.lost) if like else set()  # kinds of LOSSES that were said
        self.resumed = self.killed = self.was_killed = False  # and has not run a cell since
        self.interrupted = bool(like and like.interrupted)  # a cell of its past, which says so when it is run again
        self.branched = like is not None  # and has not run a cell since
        self.mixed = bool(like and like.mixed)  # it has cells in other languages

    def never_saved(self):
        return self.options.get("checkpoint") == "off" or self.options.get("deterministic")

    def step(self, is_cell, after):
        self.past.append((is_cell, self.world))
        self.world = after

    def back(self, cells):
        while cells:
            is_cell, self.world = self.past.pop()
            cells -= is_cell
        self.world = self.world.copy()


ENDINGS = {  # code; status and what goes with it; whether the state is kept
    "ok": ("", "ok", True),
    "raise": ("raise KeyError('model')", "error", None),
    "exit": ("import sys; sys.exit(3)", "exit", True),
    "_exit": ("import os; os._exit(7)", "exit", False),
    "kill": ("import os; os.kill(os.getpid(), 9)", "signal", False),
    "segv": ("import ctypes; ctypes.string_at(0)", "signal", False),
    "hang": ("import time\nwhile True: time.sleep(1)", "timeout", False),
    "oom": ("hoard = []\nwhile True: hoard.append(bytearray(b'x') * (8 << 20))", "oom", False),
    "interrupt": ("import time\nprint('waits', flush=True)\nwhile True: time.sleep(1)", "interrupted", True),
    "deaf": ("import time\nwhile True:\n    try:\n        print('waits', flush=True)\n        time.sleep(9)\n"
             "    except KeyboardInterrupt: pass", "interrupted", False),
}


# Of cells in other languages: code; status; whether the state is kept.
OTHER_ENDINGS = {
    "javascript": {"ok": ("", "ok", True), "raise": ("throw new Error('model')", "error", None),
                   "exit": ("process.exit(3)", "exit", True), "_exit": ("process.reallyExit(7)", "exit", False),
                   "kill": ("process.kill(process.pid, 9)", "signal", False), "hang": ("while (true);", "timeout", False)},
    "bash": {"ok": ("true", "ok", True), "raise": ("(exit 5)", "exit", True), "exit": ("exit 3", "exit", True),
             "_exit": ("exec true", "exit", False), "kill": ("kill -9 $$", "signal", False),
             "hang": ("while :; do :; done", "timeout", False)},
    "sql": {"ok": ("SELECT 1", "ok", True),
            "hang": ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", "timeout", False)},
}


class Model:
    def __init__(self, caller):
        self.caller = caller
        self.state = pathlib.Path(tempfile.mkdtemp(prefix="model-", dir=caller.home))
        shutil.chown(self.state, caller.home.owner() if caller.root else caller.home.stat().st_uid)
        self.sessions, self.ended, self.kills = [], [], 0
        self.deaths = {language: 0 for language in ("python", *world.SPEECH)}
        self.family = {}  # id: ids made by the same branching
        self.open()

    def open(self):
        self.server = rpc.Server(self.caller, RETORT_STATE=str(self.state))

    def done(self):
        self.server.close()
        shutil.rmtree(self.state)

    # ---- operations

    def apply(self, op):
        name, slot, *arguments = op
        if name in ("create", "restart", "crash", "pause"):
            getattr(self, name)(*arguments)
        elif self.sessions:
            getattr(self, name)(self.sessions[slot % len(self.sessions)], *arguments)

    def create(self, options):
        if len(self.sessions) < MOST_SESSIONS:
            session = self.server.session(limits={"memory": 160, **options.get("limits", {})},
                                          **{k: v for k, v in options.items() if k != "limits"})
            self.sessions.append(Live(session, options))

    def pause(self, seconds):
        time.sleep(seconds)

    def cell(self, live, actions, ending):
        after = live.world.copy()
        lines = [world.ACTIONS[name][0](after, *arguments) for name, *arguments in actions]
        lines = [line for line in lines if line]
        code, status, kept = ENDINGS[ending]
        if (not lines and ending == "ok") or (ending == "oom" and "cgroup" not in live.session.isolation["layers"]):
            return
        if kept is None:
            kept = live.options.get("on_error") != "rollback"
        if not live.options.get("background"):
            after.processes = 0
        result = self.run(live, "\n".join(lines + [code]), ending)
        if self.died(live, result):
            status, kept = "signal", False
        if ending == "interrupt" and result["resources"]["wall_ms"] > GRACE_MS:
            kept = result["state"] == "kept"  # on a busy machine it may come too late
        self.check_result(live, result, status, kept, after)
        self.deaths["python"] += not kept
        if kept:
            live.step(True, after)
            live.interrupted = live.interrupted or status == "interrupted"

    def speak(self, live, language, given, ending):
        """A cell in another language."""
        if ending not in OTHER_ENDINGS[language]:
            ending = "ok"
        after = live.world.copy()
        code, status, kept = OTHER_ENDINGS[language][ending]
        if kept is None:
            kept = live.options.get("on_error") != "rollback"
        if not live.options.get("background"):
            after.processes = 0
        live.number += 1
        live.mixed = True
        limits = {"limits": {"timeout": 0.5}} if ending == "hang" else {}
        result = self.server.call("session.execute", session=live.session.id, language=language,
                                  code=world.speak(after, language, *given) + ";\n" + code, **limits)
        shown = {key: result[key] for key in ("cell", "status", "flags", "state", "state_via", "state_notes", "files", "error", "stderr")}
        check((result["cell"], result["status"], result["state"]) == (live.number, status, "kept" if kept else "rolled_back"),
              language, ending, status, kept, "expected:", shown)
        check(changes(result["files"]) == (differences(live.world, after) if kept else {}), "files:", shown, differences(live.world, after))
        self.deaths[language] += not kept
        self.settle(live, result["state_notes"])
        live.branched = live.resumed = False
        if kept:
            live.step(True, after)
        else:
            live.world.processes = 0  # who has to be killed takes what runs in the background along

    def hear(self, live):
        """What the other languages hold."""
        live.mixed = True
        for language, how in world.SPEECH.items():
            live.number += 1
            result = self.server.call("session.execute", session=live.session.id, code=how["probe"], language=language)
            check(result["status"] == "ok", language, result["error"], result["stderr"])
            self.settle(live, result["state_notes"])
            live.branched = live.resumed = False  # which the first of them has told
            live.step(True, live.world.copy())
            if language == "sql":
                told = json.loads(result["value"]["application/json"][0]["told"] if "application/json" in result["value"]
                                  else re.search(r"\{.*\}", result["value"]["text/plain"]).group())
            else:
                told = json.loads(result["stdout"])
            told.pop("_", None)
            check(told == live.world.spoken[language], live.session.id, language, "is", told, "and not", live.world.spoken[language])

    def run(self, live, code, ending="ok"):
        live.number += 1
        if ending == "hang":
            return live.session.run(code, timeout=0.3)
        if ending not in ("interrupt", "deaf"):
            return live.session.run(code)
        before = len(live.session.notes("session.output"))
        pending = live.session.start(code, timeout=2)
        deadline = time.monotonic() + PATIENCE
        while len(live.session.notes("session.output")) == before and pending.box.empty():
            check(time.monotonic() < deadline, "the cell does not begin")
            time.sleep(0.002)
        live.session.interrupt()
        return pending.answer()

    def check_result(self, live, result, status, kept, after):
        shown = {key: result[key] for key in ("cell", "status", "exit_code", "signal", "flags", "state", "state_via",
                                              "state_notes", "files", "resources", "error", "stderr")}
        check(result["cell"] == live.number, "cell", live.number, "expected:", shown)
        check(result["status"] == status, status, "expected:", shown)
        check(result["state"] == ("kept" if kept else "rolled_back"), "kept" if kept else "rolled back", "expected:", shown)
        self.check_notes(live, result["state_notes"], shown)
        rebuilt = any(note == REBUILT or note.startswith(BRANCHED) for note in result["state_notes"])
        if kept:
            check(result["state_via"] == ("replay" if rebuilt else None) or live.mixed, "state_via:", shown)
            check(changes(result["files"]) == differences(live.world, after), "files:", shown, differences(live.world, after))
        else:
            check(result["files"] == [], "files of a cell that never happened:", shown)
            always = live.options.get("checkpoint") == "always"
            vias = ["replay"] if live.never_saved() or not any(is_cell for is_cell, _ in live.past) else ["checkpoint"] if always and not live.killed else ["checkpoint", "replay"]
            check(result["state_via"] in vias or live.mixed, vias, "expected:", shown)
        known, links = ({(path, node.data) for path, node in w.nodes.items() if node.kind == world.LINK} for w in (live.world, after))
        flags = ["artifact_rejected"] if kept and links - known else []
        if live.was_killed and "checkpoint_dropped" in result["flags"]:
            flags.insert(0, "checkpoint_dropped")  # there was nobody to take it of
        check(result["flags"] == flags, flags, "expected:", shown)
        live.branched = live.resumed = live.killed = live.was_killed = False
        self.settle(live, result["state_notes"])

    def check_notes(self, live, notes, shown):
        sleepy = live.options.get("limits", {}).get("idle")
        check((REBUILT in notes) == live.resumed or sleepy or live.branched, "rebuilt or not:", live.resumed, shown)
        for note in notes:
            good = note == REBUILT or (note.startswith(BRANCHED) and live.branched)
            check(good or self.has_cause(live, note), "a note without a cause:", shown)

    def has_cause(self, live, note):
        return (any(part in note and self.ever(live, kind) for part, kind in LOSSES.items())
                or (live.mixed and any(part in note for part in OF_OTHERS))
                or (live.interrupted and INTERRUPTED in note)
                or (live.lost and DIFFERENT in note))  # a cell that looked for what was lost finds it when it is run again

    def ever(self, live, kind):
        """Whether the session ever had what could be lost."""
        return any(had(w, kind) for w in [live.world, *(w for _, w in live.past)]) or kind in live.lost

    @staticmethod
    def died(live, result):
        """Whether a kill from outside shows: a session that has slept since then was rebuilt."""
        sleepy = live.options.get("limits", {}).get("idle")
        return live.killed and not (sleepy and REBUILT in result["state_notes"])

    def settle(self, live, notes):
        live.lost |= {kind for part, kind in LOSSES.items() if any(part in note for note in notes)}

    def probe(self, live):
        result = self.run(live, world.probe(live.world.nodes))
        if self.died(live, result):
            self.check_result(live, result, "signal", False, live.world)
            result = self.run(live, world.probe(live.world.nodes))
        self.check_result(live, result, "ok", True, live.world)
        live.step(True, live.world.copy())
        self.compare_seen(live, json.loads(result["stdout"]))

    def compare_seen(self, live, seen):
        expected = live.world.seen()
        for kind in ("threads", "processes"):
            if kind in live.lost and seen[kind] <= live.world.begun[kind]:  # there, where cells were run again
                setattr(live.world, kind, seen[kind])
                expected[kind] = seen[kind]
        for name, held in live.world.files.items():
            if held[1] is None and "unlinked" in live.lost:
                expected["open"].pop(name)
                seen["open"].pop(name, None)
        for part in expected:
            check(seen[part] == expected[part], live.session.id, part, "is", difference(seen[part], expected[part]))

    def look(self, live):
        """At the files from outside, where modes do not matter."""
        expected = {path: node.data for path, node in live.world.nodes.items() if node.kind == world.FILE}
        listed = {path: entry["size"] for path, entry in live.session.files().items() if not path.startswith(".retort/")}
        check(listed == {path: len(data) for path, data in expected.items()}, "listed", listed, "expected", sorted(expected))
        for path, data in expected.items():
            got = live.session.read(path)
            check(got == data, path, "holds", got, "expected", data)

    def undo(self, live, cells):
        cells = min(cells, sum(is_cell for is_cell, _ in live.past))
        if not cells:
            return
        done = self.server.call("session.undo", session=live.session.id, cells=cells)
        check(done["cells"] == cells, done)
        self.check_notes_of_undo(live, done)
        live.back(cells)
        live.killed = False
        self.settle(live, done["state_notes"])

    def check_notes_of_undo(self, live, done):
        for note in done["state_notes"]:
            check(self.has_cause(live, note), "a note without a cause:", done)
        check(done["state_via"] in (["replay"] if live.never_saved() else ["checkpoint", "replay"]) or live.mixed, done)

    def upload(self, live, path, text, offset):
        node, data = live.world.nodes.get(path), text.encode()
        above = live.world.parent(path)
        good = node is None or node.kind == world.FILE
        while above:
            good = good and (above not in live.world.nodes or live.world.nodes[above].kind == world.DIRECTORY)
            above = live.world.parent(above)
        try:
            live.session.write(path, data, **({"offset": offset} if offset else {}))
        except rpc.Failure as refusal:
            check(not good, "a file was refused:", path, refusal)
            return
        check(good, "a file was written over something else:", path)
        after = live.world.copy()
        above = after.parent(path)
        while above:
            after.nodes.setdefault(above, world.Node(world.DIRECTORY, 0o755))
            above = after.parent(above)
        if not offset and node:  # another file takes the name; what has the old one by another name, or open, keeps it
            after.forget(path)
            after.nodes[path] = world.Node(world.FILE, node.mode)
        node = after.nodes.setdefault(path, world.Node(world.FILE, 0o644))
        if not offset:
            node.data = data
        elif data:
            node.data = node.data[:offset].ljust(offset, b"\0") + data + node.data[offset + len(data):]
        live.step(False, after)

    def delete(self, live, path):
        after = live.world.copy()
        if path in after.nodes and after.inside(path):
            return
        try:
            live.session.delete(path)
        except rpc.Failure as refusal:
            check(path not in after.nodes, "a file was not deleted:", path, refusal)
            return
        check(path in after.nodes, "what is not there was deleted:", path)
        for name in [*after.below(path), path]:
            after.forget(name)
        live.step(False, after)

    def branch(self, live, count):
        count = min(count, MOST_SESSIONS - len(self.sessions))
        if count < 1:
            return
        made = self.server.call("session.branch", session=live.session.id, count=count)["sessions"]
        for one in made:
            self.family[one] = set(made)
            session = rpc.Session(self.server, {"session": one, "isolation": live.session.isolation})
            self.sessions.append(Live(session, live.options, live))

    def keep(self, live):
        others = self.family.get(live.session.id, set()) - {live.session.id}
        expected = {one.session.id for one in self.sessions} & others
        done = self.server.call("session.keep", session=live.session.id)
        check(set(done["closed"]) == expected, "closed", done, "expected", expected)
        for one in [one for one in self.sessions if one.session.id in expected]:
            self.end(one)

    def compare(self, live, slot):
        other = self.sessions[slot % len(self.sessions)]
        if other is live or live.killed or other.killed:
            return
        seen = self.server.call("session.compare", sessions=[live.session.id, other.session.id])
        one, two = (shapes(w) for w in (live.world, other.world))
        expected = {path for path in {**one, **two} if one.get(path) != two.get(path)}
        check({entry["path"] for entry in seen["files"]} == expected, "compare:", seen["files"], "expected", expected)
        one, two = live.world.values, other.world.values
        expected = {name for name in {**one, **two} if one.get(name) != two.get(name)}
        got = {entry["name"] for entry in seen["variables"]} & set(world.VALUES)
        check(got == expected, "compare:", seen["variables"], "expected", expected)

    def end(self, live):
        self.sessions.remove(live)
        self.ended.append(live)

    def close(self, live):
        live.session.close()
        self.end(live)

    def resume(self, live):
        if live.options.get("record") is False:
            return
        live.session.close()
        self.bring_back(live)

    def bring_back(self, live):
        info = self.server.call("session.resume", session=live.session.id)
        live.session = rpc.Session(self.server, {"session": live.session.id, "isolation": live.session.isolation})
        check(info["cells"] == live.number, "cells after a resume:", info, "expected", live.number)
        live.resumed, live.killed, live.branched = True, False, False
        for one in self.family.pop(live.session.id, ()):
            self.family[one] = self.family.get(one, set()) - {live.session.id}

    def restart(self):
        check(self.server.close() == 0, "the server ended with", self.server.process.returncode)
        self.reopen()

    def crash(self):
        self.server.process.kill()
        self.server.process.stdin.close()
        self.server.close()
        self.reopen()

    def reopen(self):
        self.open()
        self.family.clear()
        for live in list(self.sessions):
            if live.options.get("record") is False:
                self.sessions.remove(live)
            else:
                self.bring_back(live)

    def doze(self, live):
        if not live.options.get("limits", {}).get("idle"):
            return
        deadline = time.monotonic() + PATIENCE
        while live.session.info()["state"] != "asleep":
            check(time.monotonic() < deadline, "the session does not sleep:", live.session.info())
            time.sleep(0.05)
        live.resumed, live.killed = True, False

    def kill(self, live):
        """From outside, while nothing runs."""
        if live.killed:
            return
        self.kills += 1
        name = f"model {self.kills}"
        result = self.run(live, f"import ctypes; ctypes.CDLL(None).prctl(15, {name.encode()}) and None")
        self.check_result(live, result, "ok", True, live.world)
        live.step(True, live.world.copy())
        named = [pid for pid in traces.tree(self.server.pid) if traces.name_of(pid) == name]
        check(named, "no interpreter took the name", name)
        os.kill(min(named, key=started), signal.SIGKILL)  # a checkpoint of it is younger
        live.killed = live.was_killed = True

    # ---- at the end

    def finish(self):
        for live in list(self.sessions):
            self.probe(live)
            self.look(live)
            if live.mixed:
                self.hear(live)
        for live in list(self.sessions):
            self.close(live)
        for live in self.ended:
            if live.options.get("record") is False:
                continue
            verdict = self.server.call("ledger.verify", session=live.session.id)
            check(verdict["sound"], verdict)
            again = self.server.call("ledger.replay", session=live.session.id)
            too_late = live.interrupted and again["report"]["first"] and again["report"]["first"]["what"] == "state"
            check(again["equal"] or live.lost or too_late, live.session.id, "another outcome when run again:", again)
        check(self.server.close() == 0, "the server ended with", self.server.process.returncode)


def had(w, kind):
    return {"unlinked": any(held[1] is None for held in w.files.values()), "threads": w.threads, "processes": w.spawned}[kind]


def started(pid):
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]), pid


def shapes(w):
    """Of what compare looks at: bytes of files and targets of links."""
    return {path: (node.kind, node.data) for path, node in w.nodes.items() if node.kind != world.DIRECTORY}


def differences(before, after):
    old, new = ({path: node.data for path, node in w.nodes.items() if node.kind == world.FILE} for w in (before, after))
    found = {path: "deleted" for path in old.keys() - new.keys()}
    for path in new:
        if path not in old:
            found[path] = "created"
        elif old[path] != new[path]:
            found[path] = "modified"
    return found


def changes(files):
    """But those of the database, which is looked at by its contents."""
    return {entry["path"]: entry["change"] for entry in files if not entry["path"].startswith(".retort/")}


def difference(seen, expected):
    if not isinstance(seen, dict):
        return f"{seen} and not {expected}"
    return "; ".join(f"{key}: {seen.get(key)} and not {expected.get(key)}" for key in {**seen, **expected}
                     if seen.get(key) != expected.get(key))


# ---- runs

def run(caller, ops, deaths=None):
    """None, or the Deviation and the number of the operation at which it was seen. What died is added to `deaths`."""
    before = traces.Before({caller.home.stat().st_uid} - {0})
    model, i = Model(caller), -1
    try:
        for i, op in enumerate(ops):
            model.apply(op)
        i = len(ops)
        model.finish()
    except (Deviation, rpc.Failure, json.JSONDecodeError) as problem:
        return i, f"{type(problem).__name__}: {problem}"
    finally:
        model.done()
        if deaths is not None:
            deaths.update({language: deaths.get(language, 0) + n for language, n in model.deaths.items()})
    left = before.left()
    return (i, f"left behind: {left}") if left else None


def shorten(caller, ops, problem, seconds):
    """Fewer operations that still go wrong."""
    deadline, ops = time.monotonic() + seconds, ops[:problem[0] + 1]
    size = len(ops) // 2
    while size and time.monotonic() < deadline:
        end = len(ops)
        while end > 0 and time.monotonic() < deadline:
            fewer = ops[:max(0, end - size)] + ops[end:]
            again = run(caller, fewer)
            if again and kind_of(again) == kind_of(problem):  # and not in another way
                ops, problem = fewer[:again[0] + 1], again
            end = min(end - size, len(ops))
        size //= 2
    return ops, problem


def kind_of(problem):
    return re.sub("s_[0-9a-f]*|[0-9]", "", problem[1])[:30]


def pick(rng, weights):
    return rng.choices(list(weights), list(weights.values()))[0]


OPERATIONS = {"cell": 50, "probe": 14, "look": 3, "pause": 9, "undo": 9, "branch": 4, "upload": 7, "delete": 3, "compare": 2,
              "keep": 1, "create": 3, "resume": 2, "close": 1, "restart": 0.4, "crash": 0.4, "doze": 1, "kill": 2}
MIXED = {"cell": 14, "speak": 44, "hear": 10, "probe": 5, "look": 2, "undo": 7, "branch": 2, "upload": 3, "create": 2, "resume": 1,
         "close": 1, "restart": 0.3}
HOW_OTHERS_END = {"ok": 50, "raise": 8, "exit": 6, "_exit": 14, "kill": 14, "hang": 8}
HOW_CELLS_END = {"ok": 64, "raise": 10, "exit": 4, "_exit": 6, "kill": 4, "segv": 3, "hang": 2, "oom": 1, "interrupt": 3,
                 "deaf": 0.4}


def options(rng):
    chosen = {"checkpoint": rng.choice(["auto", "auto", "auto", "always", "off"])}
    for name, value, chance in (("on_error", "rollback", 0.3), ("record", False, 0.2), ("background", True, 0.3),
                                ("deterministic", True, 0.2), ("limits", {"idle": 0.5}, 0.15)):
        if rng.random() < chance:
            chosen[name] = value
    return chosen


def actions(rng):
    chosen = []
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        name = rng.choice(list(world.ACTIONS))
        chosen.append([name, *(rng.choice(list(choice)) for choice in world.ACTIONS[name][1])])
    return chosen


def operations(rng, count, weights=OPERATIONS):
    makers = {"speak": lambda: [rng.choice(list(world.SPEECH)),
                                [rng.choice(world.NAMES), rng.randrange(9), rng.choice(world.PATHS + [""]), rng.choice(["one", "two"])],
                                pick(rng, HOW_OTHERS_END)],
              "cell": lambda: [actions(rng), pick(rng, HOW_CELLS_END)],
              "pause": lambda: [rng.choice([0.01, 0.03, 0.1])],
              "undo": lambda: [rng.choice([1, 1, 1, 2, 3, 5, 9])],
              "branch": lambda: [rng.choice([1, 1, 2, 3])],
              "upload": lambda: [rng.choice(world.PATHS), rng.choice(["", "given", "long " * 99]), rng.choice([0, 0, 3])],
              "delete": lambda: [rng.choice(world.PATHS)],
              "compare": lambda: [rng.randrange(MOST_SESSIONS)],
              "create": lambda: [options(rng)]}
    ops = [["create", 0, options(rng)], ["create", 0, options(rng)]]
    for _ in range(count):
        name = pick(rng, weights)
        ops.append([name, rng.randrange(MOST_SESSIONS), *(makers[name]() if name in makers else [])])
    return ops
