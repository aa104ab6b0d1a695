"""Where the data of a program comes from and where it goes, told from CPython's own syntax tree: nothing of it runs.

A value carries the sources that it depends on, each with the way it took. Variables, containers and objects are told
apart by the place that made them; calls are followed into the functions of the program; what is computed under a
branch, a loop or a handler depends on what decided it. A function of a library gives what it was given. What the
tree does not show (eval, a computed attribute, a patched tool) is refused, never assumed to be harmless.
"""
import ast
import fnmatch
import hashlib
import itertools
import operator
import os
import re
import unicodedata

from . import known
from .signature import identifier, parameters_of

STEPS = 400000
SHOWN = 12  # steps of a path that are shown
CONSTANTS = 8
NONE = frozenset()
COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


class TooLarge(Exception):
    """The program is refused because following it takes too long."""


class BadPolicy(Exception):
    """The declaration of the tools is wrong; the message says how."""


class Source(tuple):
    """(tool, line, whether untrusted, who may read it or None for everybody); for files (pattern, 0, …)"""

    def label(self):
        words = ["untrusted"] if self[2] else []
        if self[3] is not None:
            words.append("for %s only" % (", ".join(sorted(self[3])) or "nobody"))
        return "%s [%s]" % ("%s() line %d" % self[:2] if self[1] else "file %s" % self[0], ", ".join(words))


class Value:
    """taint: {Source: path}; refs: objects that it may be; const: constants that it may be, None: any."""

    __slots__ = ("taint", "refs", "const")

    def __init__(self, taint, refs=NONE, const=None):
        self.taint, self.refs, self.const = taint, refs, const


CLEAN = Value({})


def union(a, b):
    if not b or a is b:
        return a
    if not a:
        return b
    return a if b.keys() <= a.keys() else {**b, **a}


def step(taint, word):
    return {source: (word, way) for source, way in taint.items()} if taint else taint


def join(a, b):
    if a is b or b is None:
        return a
    if a is None:
        return b
    taint, refs = union(a.taint, b.taint), a.refs if b.refs <= a.refs else a.refs | b.refs
    const = a.const
    if const is not None and const is not b.const:
        const = None if b.const is None else const | b.const
        const = None if const is not None and len(const) > CONSTANTS else const
    if taint is a.taint and refs is a.refs and const == a.const:
        return a
    return Value(taint, refs, const)


def rank(ref):
    """A key that sorts nodes by their place, the same in every process. Nodes without a place come first."""
    return (ref[1], ref) if len(ref) > 1 and type(ref[1]) is int else (-1, told_of(ref))


def told_of(part):
    if type(part) is tuple:
        return "(%s)" % " ".join(map(told_of, part))
    return "{%s}" % " ".join(sorted(map(told_of, part))) if type(part) is frozenset else repr(part)


def ordered(refs):
    """A set's order depends on hashes, which differ between processes; the choice of the path that is reported must
    not."""
    return refs if len(refs) < 2 else sorted(refs, key=rank)


def join_fields(a, b):
    out = a
    for field, value in b.items():
        before = a.get(field)
        if before is value:
            continue
        after = join(before, value)
        if after is not before:
            if out is a:
                out = dict(a)
            out[field] = after
    return out


def join_heaps(a, b):
    """Returns `a` itself if `b` adds nothing."""
    if a is b or b is None:
        return a
    if a is None:
        return dict(b)  # a copy, because `b` changes further
    out = a
    for obj in tuple(itertools.compress(b, map(operator.is_not, map(a.get, b), b.values()))):
        mine, fields = a.get(obj), b[obj]
        after = fields if mine is None else join_fields(mine, fields)
        if after is not mine:
            if out is a:
                out = dict(a)
            out[obj] = after
    return out


def path_of(way, source):
    words = []
    while way:
        if not words or words[-1] != way[0]:
            words.append(way[0])
        way = way[1]
    if len(words) > SHOWN:
        words[SHOWN - 2 : -1] = ["…"]
    return [*words, source.label()]


def text_of(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return "%s.%s" % (text_of(node.value), node.attr)
    return "…"


# ---- Scopes ----

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


PARTS = {}  # {class: the fields in which names may stand}


def children(node):
    """As ast.iter_child_nodes, but without operators and similar nodes, which hold no names."""
    kind, out = type(node), []
    if kind not in PARTS:
        PARTS[kind] = tuple(f for f in kind._fields if f not in ("ctx", "op", "ops", "id", "attr", "kind", "type_comment", "n", "s"))
    for field in PARTS[kind]:
        value = getattr(node, field, None)
        if type(value) is list:
            out += [part for part in value if isinstance(part, ast.AST)]
        elif isinstance(value, ast.AST):
            out.append(value)
    return out


def bound_names(node, names, outer, inside=False):
    """Names that the body of a function binds; names that it declares global or nonlocal go into `outer`."""
    for child in children(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(child.name)
            continue
        if isinstance(child, ast.Lambda):
            continue
        if isinstance(child, ast.Name) and isinstance(child.ctx, (ast.Store, ast.Del)) and not inside:
            names.add(child.id)
        elif isinstance(child, ast.NamedExpr):
            names.add(child.target.id)
        elif isinstance(child, (ast.Global, ast.Nonlocal)):
            outer.update(child.names)
        elif isinstance(child, (ast.Import, ast.ImportFrom)):
            names.update((a.asname or a.name).partition(".")[0] for a in child.names)
        elif isinstance(child, ast.ExceptHandler) and child.name:
            names.add(child.name)
        elif isinstance(child, (ast.MatchAs, ast.MatchStar)) and child.name:
            names.add(child.name)
        elif isinstance(child, ast.MatchMapping) and child.rest:
            names.add(child.rest)
        bound_names(child, names, outer, inside or isinstance(child, COMPREHENSIONS))


def body_of(node):
    return node.body if isinstance(node.body, list) else [ast.copy_location(ast.Return(node.body), node.body)]


def parameters(args):
    return [*args.posonlyargs, *args.args]


class Function:
    """What is known of a function before it is called."""

    def __init__(self, node):
        self.node, self.body, names, outer = node, None, set(), set()
        if isinstance(node, ast.GeneratorExp):
            self.lazy, self.captured = True, NONE
            return
        self.body = body_of(node)
        for arg in ast.walk(node.args):
            if isinstance(arg, ast.arg):
                names.add(arg.arg)
        for statement in self.body:
            bound_names(ast.Module([statement], []), names, outer)
        self.names = frozenset(names - outer)
        self.lazy = isinstance(node, ast.AsyncFunctionDef) or any(map(yields, self.body))
        used = set()
        for statement in self.body:
            used_within(statement, used, False)
        self.captured = self.names & used


def used_within(node, names, inside):
    """Names that stand in functions, classes and comprehensions of a body."""
    inside = inside or isinstance(node, SCOPES + COMPREHENSIONS)
    if inside and isinstance(node, ast.Name):
        names.add(node.id)
    for child in children(node):
        used_within(child, names, inside)


def yields(node):
    if isinstance(node, (ast.Yield, ast.YieldFrom)):
        return True
    return not isinstance(node, SCOPES) and any(map(yields, children(node)))


class Recursion:
    def __init__(self):
        self.args, self.heap, self.after, self.result, self.hit = {}, None, None, None, False


# ---- The policy ----

def read_policy(declared):
    """{Python's name: tool} from what tools.register takes. Reports every mistake."""
    if not isinstance(declared, dict) or not isinstance(declared.get("tools"), list):
        raise BadPolicy('the tools must be {"tools": […]}')
    policy = {}
    for i, tool in enumerate(declared["tools"]):
        if not isinstance(tool, dict) or not isinstance(tool.get("name"), str) or not tool["name"]:
            raise BadPolicy("tools[%d] has no name" % i)
        if identifier(tool["name"]) in policy:
            raise BadPolicy("the tool %s is given twice" % tool["name"])
        policy[identifier(tool["name"])] = read_tool(tool)
    return policy


def read_tool(tool):
    name, schema = tool["name"], tool.get("parameters") or {}
    if not isinstance(schema, dict) or not isinstance(schema.get("properties") or {}, dict):
        raise BadPolicy("parameters of %s: not a JSON schema of an object" % name)
    order = [p[0] for p in parameters_of(schema)]
    sinks = tool.get("sinks") or {}
    if not isinstance(sinks, dict):
        raise BadPolicy("sinks of %s: not an object" % name)
    for argument in sinks:
        if order and argument not in schema["properties"]:
            raise BadPolicy("sinks of %s: there is no parameter %s" % (name, argument))
    read = {argument: read_sink(name, argument, sink, order or sinks) for argument, sink in sinks.items()}
    return {"name": name, "order": order, "sinks": read, "source": read_source(name, tool.get("source", "untrusted"))}


class Files:
    """The policy for files below /work, by patterns: where their content comes from, and what may be written to them.
    """

    def __init__(self, declared):
        files = declared.get("files") or {}
        if not isinstance(files, dict):
            raise BadPolicy('files: not an object {"PATTERN": {"source": …, "sink": …}}')
        self.sources, self.sinks = [], []
        for pattern, rule in files.items():
            parts = pattern.split("/")
            if not pattern or set(pattern) & set("[]\\") or set(parts) & {"", ".", ".."}:
                raise BadPolicy("files: %r is no pattern of paths below /work; * and ? stand for anything" % pattern)
            if not isinstance(rule, dict) or not rule or set(rule) - {"source", "sink"}:
                raise BadPolicy('files: %s has neither "source" nor "sink", or more' % pattern)
            untrusted, readers = read_source("file " + pattern, rule.get("source", "trusted"))
            if untrusted or readers is not None:
                self.sources.append((pattern, Source((pattern, 0, untrusted, readers))))
            if "sink" in rule:
                self.sinks.append((pattern, read_sink("file " + pattern, "content", rule["sink"], ())))

    @staticmethod
    def found(rules, key):
        """The entries about this file; if its name is not known, all entries."""
        path = key[len("/work/"):] if key.startswith("/work/") else None
        return [rule for pattern, rule in rules if key == "*" or path is not None and fnmatch.fnmatchcase(path, pattern)]


def read_source(name, source):
    if source in ("trusted", "untrusted"):
        return source == "untrusted", None
    if not isinstance(source, dict) or set(source) - {"trust", "readers"} or \
            source.get("trust", "untrusted") not in ("trusted", "untrusted"):
        raise BadPolicy('source of %s: neither "trusted", "untrusted" nor {"trust": …, "readers": […]}' % name)
    return source.get("trust", "untrusted") == "untrusted", names_of("source of %s" % name, source.get("readers"))


def names_of(what, readers):
    if readers is None:
        return None
    if not isinstance(readers, list) or not all(isinstance(r, str) for r in readers):
        raise BadPolicy("%s: readers must be a list of names" % what)
    return frozenset(readers)


def read_sink(name, argument, sink, others):
    """(whether it must be trusted, who gets to read it: None, the argument that names them, or names)"""
    what = "sink %s of %s" % (argument, name)
    if sink in ("trusted", "any"):
        return sink == "trusted", None
    if not isinstance(sink, dict) or not sink or set(sink) - {"trusted", "readers"} or \
            not isinstance(sink.get("trusted", False), bool):
        raise BadPolicy('%s: neither "trusted", "any" nor {"trusted": …, "readers": …}' % what)
    readers = sink.get("readers")
    if isinstance(readers, str):
        if readers not in others:
            raise BadPolicy("%s: there is no parameter %s" % (what, readers))
        return sink.get("trusted", False), readers
    return sink.get("trusted", False), names_of(what, readers)


# ---- The analysis ----

class Analysis:
    def __init__(self, policy, files, elsewhere):
        self.policy = policy
        self.files = files
        self.heap = {}
        self.pc = {}          # decides whether this place is reached
        self.jump = {}        # decided whether the function was left before
        self.loop_jump = {}   # the same for the loop
        self.thrown = {}      # decided about exceptions
        self.touched = {}     # may have made an operation of this try fail
        self.raised = None    # exceptions of this try
        self.tries = 0
        self.seen = None      # all states within this try
        self.breaks = self.returns = self.result = self.yielded = None
        self.scope, self.context, self.line, self.steps = (), 0, 0, 0
        self.numbers, self.loads, self.closures, self.functions, self.handlers = {}, {}, [], {}, {}
        self.constant = {}  # the values of the program's constants
        self.opened = {}    # files that something was written to, as keys in order
        self.active, self.running, self.multi, self.stack = {}, set(), set(), []
        self.protected, self.refusals, self.wrote = {"tools"}, {}, False
        self.elsewhere = elsewhere  # whether the working directory may have changed
        self.tree = None
        frame = ("frame", 0, 0)
        self.scope = ((frame, None),)
        self.heap[frame] = {"tools": Value({}, frozenset({("tools",)}), NONE)}

    def run(self, blocks):
        """Runs the parts of a program in order, after those of the last call; each is reached, however the one before
        ended."""
        before = self.tree.body if self.tree else []
        tree = self.tree = ast.Module(body=before + [s for block in blocks for s in block], type_ignores=[])
        self.functions.pop("", None)  # now there are more names
        try:
            for block in blocks:
                self.block(block)
        except TooLarge:
            self.refuse(tree, "unseen", "the program is too large to be followed")
        except RecursionError:
            self.refuse(tree, "unseen", "the program is nested too deeply to be followed")

    # ---- What is found ----

    def refuse(self, node, kind, message, **more):
        line = getattr(node, "lineno", self.line) or 1
        found = {"line": line, "column": getattr(node, "col_offset", 0) + 1, "kind": kind, **more,
                 "message": "line %d: %s" % (line, message)}
        self.refusals.setdefault((line, found["column"], kind, more.get("argument")), found)
        return CLEAN

    def unseen(self, node, what):
        return self.refuse(node, "unseen", "%s cannot be followed" % what)

    def leak(self, node, tool, argument, text, source, way, why=""):
        path = path_of(way, source)
        call = tool if node is None else "%s(%s=%s)" % (tool, argument, text) if argument else "%s()" % tool
        words = "%s%s: %s" % (call, why, " ← ".join(path))
        self.refuse(node, "flow" if argument else "control", words, tool=tool, argument=argument, path=path,
                    source={"tool": source[0], "line": source[1]} if source[1] else {"file": source[0]})

    # ---- Memory ----

    def number(self, key):
        return self.numbers.setdefault(key, len(self.numbers) + 1)

    def get(self, obj, field):
        fields = self.heap.get(obj)
        return fields.get(field) if fields else None

    def put(self, obj, field, value, strong=False):
        decides = union(self.pc, self.touched) if self.tries else self.pc
        if decides:
            value = Value(union(value.taint, step(decides, "branch")), value.refs, value.const)
        if obj[0] == "file":
            self.opened[obj] = True
            if value.taint and self.files.sinks:
                self.written(obj[1], value)
        fields = self.heap.get(obj) or {}
        before = fields.get(field)
        after = value if strong and obj not in self.multi else join(before, value)
        if after is not before:
            self.heap[obj] = {**fields, field: after}

    def written(self, key, value):
        """What is written to a file, as its readers will see it."""
        name = key[len("/work/"):] if key.startswith("/work/") else key
        for rule in Files.found(self.files.sinks, key):
            self.sink(None, "file %s" % name, "content", value, rule, {})

    def make(self, kind, node):
        """The object that this place makes. An earlier object of the same place may still exist."""
        obj = (kind, self.number(node), self.context)
        if obj in self.heap:
            self.multi.add(obj)
        else:
            self.heap[obj] = {}
        return obj

    def fresh(self, kind, node, taint=None, refs=NONE):
        """A value that something made here. Its object is stored only once something is put into it."""
        return Value(taint or {}, refs | {(kind, self.number(node), self.context)})

    def grow(self, obj, value):
        if obj[0] == "file":  # it holds text, not objects
            value = Value(self.deep(value))
        self.put(obj, "*", value)
        if self.pc or self.touched:
            self.put(obj, "#shape", CLEAN)

    def smear(self, obj):
        """What was at known places may be anywhere now."""
        fields = self.heap.get(obj)
        if fields and any(type(f) is tuple for f in fields):
            rest = None
            for field, value in fields.items():
                rest = join(rest, value) if type(field) is tuple or field == "*" else rest
            self.heap[obj] = {**{f: v for f, v in fields.items() if type(f) is not tuple}, "*": rest}

    def fields_of(self, obj):
        """Everything in it, as one value; for a file also what may have been written under other names."""
        out = None
        for field, value in (self.heap.get(obj) or {}).items():
            out = join(out, value)
        if obj[0] == "file":
            for other in [o for o in self.opened if o != obj and "*" in (o[1], obj[1])]:
                for value in (self.heap.get(other) or {}).values():
                    out = join(out, value)
            for source in Files.found(self.files.sources, obj[1]):
                out = join(out, Value({source: None}))
        return out

    def deep(self, value):
        """Everything that a reader of this value learns."""
        if not value.refs:
            return value.taint
        return self.reach(value).taint

    def parts(self, ref):
        kind = ref[0]
        if kind in ("func", "tool", "tools", "property", "frame"):
            return ()
        if kind in ("method", "view"):
            return (Value({}, ref[1]),)
        if kind == "bound":
            return (Value({}, frozenset({ref[2]})),)
        if kind == "gen":
            return (self.run_lazy(ref),)
        found = self.fields_of(ref)
        out = [found] if found else []
        if kind == "obj":
            out += [self.operate(ref, CLEAN), *filter(None, [self.fields_of(ref[3])])]
        return out

    def reach(self, value):
        """The same, with everything that can be called or changed through it."""
        taint, refs, todo = value.taint, set(), [*ordered(value.refs)]
        while todo:
            ref = todo.pop()
            if ref not in refs:
                refs.add(ref)
                for part in self.parts(ref):
                    taint = union(taint, part.taint)
                    todo.extend(part.refs)
        return Value(taint, frozenset(refs))

    def operate(self, obj, other):
        """An operator, a conversion or a loop may call any of the special methods."""
        out = CLEAN
        for name, method in self.methods(obj[3]):
            if name.startswith("__") and name not in ("__init__", "__post_init__") and obj not in self.running:
                self.running.add(obj)
                for ref in ordered(method.refs):
                    if ref[0] == "func":
                        out = join(out, self.enter(ref, [(None, Value({}, frozenset({obj})), 0), (None, other, 0),
                                                         (None, other, 0), (None, other, 0)], self.functions_node(ref)))
                self.running.discard(obj)
        return out

    def functions_node(self, ref):
        return self.closures[ref[1]][0].node

    def methods(self, ref, depth=0):
        for field, value in list((self.heap.get(ref) or {}).items()):
            if type(field) is str and any(r[0] == "func" for r in value.refs):
                yield field, value
        for base in self.bases(ref):
            if base[0] == "class" and depth < 20:
                yield from self.methods(base, depth + 1)

    def bases(self, ref):
        value = self.get(ref, "#bases")
        return value.refs if value else ()

    def touch(self, taint):
        if self.tries and taint:
            self.touched = union(self.touched, taint)

    # ---- Statements ----

    def block(self, statements):
        """True: control does not go on after it."""
        for statement in statements:
            self.line = statement.lineno
            ended = self.handler("do_", statement)(statement)
            if self.tries:
                self.seen = join_heaps(self.seen, self.heap)
            if ended:
                return True
        return False

    def handler(self, what, node):
        kind = type(node)
        found = self.handlers.get(kind)
        if found is None:
            found = self.handlers[kind] = getattr(self, what + kind.__name__, getattr(self, what + "other"))
        return found

    def do_other(self, node):
        self.unseen(node, type(node).__name__)

    def do_Pass(self, node):
        pass

    do_Global = do_Nonlocal = do_Pass

    def do_Expr(self, node):
        self.eval(node.value)
        call = node.value
        if isinstance(call, ast.Call) and text_of(call.func) in known.ENDING:
            return self.leave("thrown")

    def leave(self, how):
        setattr(self, how, union(getattr(self, how), step(self.pc, "branch")))
        return True

    def do_Assign(self, node):
        value = self.eval(node.value)
        for target in node.targets:
            self.assign(target, value)

    def do_AnnAssign(self, node):
        if node.value is not None:
            self.assign(node.target, self.eval(node.value))

    def do_AugAssign(self, node):
        target = node.target
        if node not in self.loads:  # once: what is known of it goes by the node, also in the next round of a loop
            self.loads[node] = ast.copy_location({ast.Name: lambda: ast.Name(target.id, ast.Load()),
                                                  ast.Attribute: lambda: ast.Attribute(target.value, target.attr, ast.Load()),
                                                  ast.Subscript: lambda: ast.Subscript(target.value, target.slice, ast.Load())
                                                  }[type(target)](), target)
        before, value = self.eval(self.loads[node]), self.eval(node.value)
        for ref in ordered(before.refs):
            if ref[0] in ("list", "set", "dict", "ext", "data"):
                self.smear(ref)
                self.grow(ref, self.spread(value))
        out = self.binary(before, value, "+=", node)
        self.assign(target, Value(out.taint, out.refs | before.refs))

    def do_Delete(self, node):
        for target in node.targets:
            if isinstance(target, (ast.Attribute, ast.Subscript)):
                owner = self.eval(target.value)
                if any(r[0] in ("tools", "lib") for r in owner.refs):
                    self.unseen(node, "a change of a module")
                key = self.eval(target.slice) if isinstance(target, ast.Subscript) else CLEAN
                for ref in ordered(self.owners(owner).refs):
                    self.smear(ref)
                    self.grow(ref, Value(key.taint))
                    if ref[0] == "obj":
                        self.operate(ref, key)
            elif isinstance(target, ast.Name) and target.id in self.protected:
                self.unseen(node, "another meaning of the name %s" % target.id)
            elif self.pc:
                self.unseen(node, "a name that is deleted under a branch")

    def do_Return(self, node):
        value = self.eval(node.value) if node.value else CLEAN
        value = Value(union(value.taint, step(self.pc, "branch")), value.refs, value.const)
        self.result = join(self.result, value)
        self.returns = join_heaps(self.returns, self.heap)
        return self.leave("jump")

    def do_Raise(self, node):
        for part in (node.exc, node.cause):
            if part:
                value = self.eval(part)
                self.touch(self.deep(value))
                self.raised = join(self.raised, value)
        return self.leave("thrown")

    def do_Assert(self, node):
        taint = self.deep(self.eval(node.test))
        saved, self.pc = self.pc, union(self.pc, taint)
        if node.msg:
            self.raised = join(self.raised, self.eval(node.msg))
        self.touch(taint)
        self.leave("thrown")
        self.pc = self.after(saved)

    def do_Break(self, node):
        self.breaks = join_heaps(self.breaks, self.heap)
        return self.leave("loop_jump")

    do_Continue = do_Break

    def after(self, saved):
        """What decides about the place after a branch, including whether the branch left the loop or the function."""
        return union(union(union(saved, self.jump), self.loop_jump), self.thrown)

    def branches(self, taint, parts):
        """Runs each of the functions from the same state; True if none of them returns."""
        saved, before, after = self.pc, self.heap, None
        for part in parts:
            self.heap, self.pc = dict(before), union(saved, taint)
            if not part():
                after = self.heap if after is None else join_heaps(after, self.heap)
        self.pc = self.after(saved)
        self.heap = before if after is None else after
        return after is None

    def condition(self, node):
        value = self.eval(node)
        return step(self.shape(value), "condition line %d" % node.lineno)

    def do_If(self, node):
        taint = self.condition(node.test)
        return self.branches(taint, [lambda: self.block(node.body), lambda: self.block(node.orelse)])

    def do_Match(self, node):
        value = self.eval(node.subject)
        taint = step(self.deep(value), "match line %d" % node.lineno)

        def case(c):
            for part in ast.walk(c.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    self.store(name, join(value, self.spread(value)), node)
            if c.guard:
                self.pc = union(self.pc, self.condition(c.guard))
            return self.block(c.body)

        self.branches(taint, [*(lambda c=c: case(c) for c in node.cases), lambda: False])

    def loop(self, node, head):
        """Repeats until another round changes nothing. `head` gives what decides about one more round."""
        outer, self.breaks = (self.breaks, self.loop_jump), None
        saved, self.loop_jump = self.pc, {}
        while True:
            before = self.heap
            self.heap = dict(before)
            self.pc = union(saved, self.loop_jump)
            jumps = self.loop_jump
            self.pc = union(self.pc, head())
            self.block(node.body)
            decided = self.pc
            self.heap = join_heaps(before, join_heaps(self.heap, self.breaks))
            if self.heap is before and self.loop_jump.keys() <= jumps.keys():
                break
        self.heap = dict(self.heap)
        self.pc = union(saved, decided)
        self.block(node.orelse)
        self.breaks, self.loop_jump = outer
        self.pc = self.after(saved)

    def do_While(self, node):
        self.loop(node, lambda: self.condition(node.test))

    def do_For(self, node):
        value = self.eval(node.iter)

        def head():
            self.touch(value.taint)
            decides = step(self.shape(value), "loop line %d" % node.lineno)
            saved, self.pc = self.pc, union(self.pc, decides)
            self.assign(node.target, self.element(value, node))
            self.pc = saved
            return decides

        self.loop(node, head)

    do_AsyncFor = do_For

    def guarded(self, body, handlers):
        """A body whose exceptions are caught: what may have failed decides about what follows in it."""
        saved = self.pc, self.touched, self.thrown, self.raised, self.seen
        self.touched, self.thrown, self.raised, self.seen = {}, {}, None, dict(self.heap)
        self.tries += 1
        ended = self.block(body)
        self.tries -= 1
        decides = step(union(self.touched, self.thrown), "exception")
        error, states, after = self.raised, self.seen, None if ended else self.heap
        self.pc, self.touched, self.thrown, self.raised, self.seen = saved
        error = Value(union(decides, error.taint if error else {}), error.refs if error else NONE)
        for handler in handlers:
            self.heap, self.pc = dict(states), union(saved[0], decides)
            if not handler(error):
                after = join_heaps(after, self.heap)
        if self.tries:
            self.seen = join_heaps(self.seen, states)
        self.pc = self.after(saved[0])
        self.heap = dict(states if after is None else after)
        return after is None

    def do_Try(self, node):
        def handle(handler, error):
            if handler.type:
                self.eval(handler.type)
            if handler.name:
                self.store(handler.name, error, handler)
            return self.block(handler.body)

        def body():
            return self.block(node.body) or self.block(node.orelse)

        if node.handlers:
            ended = self.guarded([*node.body, *node.orelse],
                                 [lambda e, h=h: handle(h, e) for h in node.handlers])
        else:
            ended = self.guarded(node.body, []) if node.finalbody and self.tries else body()
        return self.finish(node.finalbody, ended)

    def finish(self, body, ended):
        """A `finally` block also runs when an exception, return or break leaves."""
        if not body:
            return ended
        self.heap = dict(join_heaps(join_heaps(self.heap, self.returns), self.breaks))
        ended = self.block(body) or ended
        self.returns = self.returns and join_heaps(self.returns, self.heap)
        self.breaks = self.breaks and join_heaps(self.breaks, self.heap)
        return ended

    do_TryStar = do_Try

    def do_With(self, node):
        plain = True
        for item in node.items:
            value = self.eval(item.context_expr)
            plain = plain and all(ref[0] == "file" for ref in value.refs)
            for ref in ordered(value.refs):
                if ref[0] == "obj":
                    value = join(value, self.operate(ref, CLEAN))
            if item.optional_vars:
                self.assign(item.optional_vars, value)
        return self.block(node.body) if plain else self.guarded(node.body, [lambda error: False]) and False

    do_AsyncWith = do_With

    def do_Import(self, node):
        for alias in node.names:
            self.module(alias.name, node)
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            self.bind_module(alias.asname or name, name, node)

    def module(self, name, node):
        root = name.partition(".")[0]
        if name not in known.MODULES and not (root in known.FILES and root not in ("os", "pathlib")):
            self.unseen(node, "the module %s" % name)
        elif self.wrote and name != "tools":
            self.unseen(node, "an import after a file of unknown name was written")

    def bind_module(self, name, module, node):
        ref = ("tools",) if module == "tools" else ("lib", module)
        if module == "tools":
            self.protected.add(name)
        elif name in self.protected:
            self.unseen(node, "another meaning of the name %s" % name)
        self.store(name, Value({}, frozenset({ref}), NONE), None)

    def do_ImportFrom(self, node):
        if node.level or node.module is None:
            return self.unseen(node, "a relative import") and None
        self.module(node.module, node)
        for alias in node.names:
            name = alias.asname or alias.name
            if alias.name == "*":
                self.unseen(node, "import *")
            elif node.module == "tools":
                self.protected.add(name)
                self.store(name, self.attribute(Value({}, frozenset({("tools",)}), NONE), alias.name, node), None)
            elif node.module + "." + alias.name in known.MODULES:
                self.bind_module(name, node.module + "." + alias.name, node)
            else:
                owner = Value({}, frozenset({("lib", node.module)}), NONE)
                self.store(name, self.attribute(owner, alias.name, node), node)

    def do_FunctionDef(self, node):
        value = self.function(node)
        for decorator in reversed(node.decorator_list):
            value = self.decorate(self.eval(decorator), value, decorator)
        self.store(node.name, value, node)

    do_AsyncFunctionDef = do_FunctionDef

    def decorate(self, decorator, value, node):
        if any(r == ("lib", "property") or r == ("lib", "functools.cached_property") for r in decorator.refs):
            return Value(value.taint, frozenset(("property", r) for r in value.refs), NONE)
        if any(r in (("lib", "staticmethod"),) for r in decorator.refs):
            return Value(value.taint, frozenset(("static", r) for r in value.refs), NONE)
        if any(r in (("lib", "classmethod"),) for r in decorator.refs):
            return Value(value.taint, frozenset(("ofclass", r) for r in value.refs), NONE)
        setter = [r[1] for r in decorator.refs if r[0] == "method" and r[2] == "setter"]
        if setter:
            return Value(value.taint, frozenset().union(*setter, {("setter", r) for r in value.refs}), NONE)
        if any(r[0] == "lib" for r in decorator.refs) or not decorator.refs or \
                any(r[0] == "method" for r in decorator.refs):
            return value  # of a library: functools.wraps, dataclass, a setter
        return self.apply(decorator, [(None, value, 0)], node)

    def do_ClassDef(self, node):
        ref = self.make("class", node)
        bases = None
        for base in node.bases:
            bases = join(bases, self.eval(base))
        if node.keywords:
            self.unseen(node, "a metaclass")
        names, outer = set(), set()
        bound_names(ast.Module(node.body, []), names, outer)
        for name in sorted(names & known.CHANGING):
            self.unseen(node, "a class with %s" % name)
        scope, self.scope = self.scope, ((ref, frozenset(names - outer)), *self.scope)
        self.block(node.body)
        self.scope = scope
        self.put(ref, "#bases", bases or CLEAN)
        fields = [s.target.id for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
        self.functions[ref] = fields
        value = Value({}, frozenset({ref}), NONE)
        for decorator in reversed(node.decorator_list):
            value = self.decorate(self.eval(decorator), value, decorator)
        self.store(node.name, value, node)

    # ---- Names ----

    def store(self, name, value, node):
        if node is not None and name in self.protected:
            self.unseen(node, "another meaning of the name %s" % name)
        decides = union(self.pc, self.touched) if self.tries else self.pc
        if value.taint or decides:
            value = Value(step(union(value.taint, step(decides, "branch")), name), value.refs, value.const)
        for frame, names in self.scope:
            if names is None or name in names:
                strong = frame not in self.multi
                return self.put(frame, name, value, strong or not self.is_captured(frame, name))

    def is_captured(self, frame, name):
        function = self.functions.get(frame)
        return not isinstance(function, Function) or name in function.captured

    def assign(self, target, value):
        kind = type(target)
        if kind is ast.Name:
            self.store(target.id, value, target)
        elif kind in (ast.Tuple, ast.List):
            self.unpack(target, value)
        elif kind is ast.Starred:
            box = self.fresh("list", target, value.taint)
            for ref in ordered(box.refs):
                self.put(ref, "*", value)
            self.assign(target.value, box)
        elif kind is ast.Attribute:
            self.set_attribute(self.eval(target.value), target.attr, value, target)
        elif kind is ast.Subscript:
            self.set_item(self.eval(target.value), self.eval(target.slice), value, target)

    def unpack(self, target, value):
        exact = self.exact(value)
        self.touch(value.taint)
        if exact and len(exact) == len(target.elts) and not any(isinstance(t, ast.Starred) for t in target.elts):
            for part, item in zip(target.elts, exact):
                self.assign(part, Value(union(item.taint, value.taint), item.refs, item.const))
        else:
            item = self.element(value, target)
            for part in target.elts:
                self.assign(part, item)

    def exact(self, value):
        """The items of a tuple or list if the place of each is known, or None."""
        if len(value.refs) != 1 or value.const is None:
            return None
        (ref,) = value.refs
        fields = self.heap.get(ref) or {}
        if ref[0] not in ("tuple", "list") or "*" in fields or "#shape" in fields:
            return None
        items = [fields.get(("k", i)) for i in range(len(fields))]
        return None if None in items else items

    def owners(self, value):
        """What changes when this changes: df.loc[…] changes df."""
        refs = value.refs
        while any(ref[0] in ("method", "view") for ref in refs):
            refs = frozenset(r for ref in refs for r in (ref[1] if ref[0] in ("method", "view") else (ref,)))
        return Value(value.taint, refs, value.const)

    def set_attribute(self, owner, name, value, node):
        owner = self.owners(owner)
        if name.startswith("__") and name.endswith("__") or name in known.FRAMES:
            return self.unseen(node, "a change of %s" % name)
        if value.taint:
            value = Value(step(value.taint, "." + name), value.refs, value.const)
        value = Value(union(value.taint, owner.taint), value.refs, value.const)
        for ref in ordered(owner.refs):
            if ref[0] in ("tools", "lib", "tool"):
                self.unseen(node, "a change of %s" % (".".join(map(str, ref[1:])) or "tools"))
            for holder in self.order(ref[3]) if ref[0] == "obj" else ():
                for setter in ordered((self.get(holder, name) or CLEAN).refs):
                    if setter[0] == "setter" and setter[1][0] == "func":
                        self.enter(setter[1], [(None, Value({}, frozenset({ref}), NONE), 0), (None, value, 0)], node)
            self.put(ref, name if ref[0] in ("obj", "class", "super") else "*", value,
                     len(owner.refs) == 1 and ref[0] == "obj")
        if not owner.refs:
            self.unseen(node, "an attribute of an unknown object")

    def set_item(self, owner, key, value, node):
        owner = self.owners(owner)
        self.touch(union(owner.taint, key.taint))
        if value.taint:
            value = Value(step(value.taint, text_of(node.value) + "[…]"), value.refs, value.const)
        for ref in ordered(owner.refs):
            if ref[0] in ("tools", "lib") and ref != ("lib", "os.environ"):
                self.unseen(node, "a change of %s" % (".".join(ref[1:]) or "tools"))
            if ref[0] == "lib":
                self.put(("file", "*"), "*", Value(union(self.deep(value), self.deep(key))))
            if ref[0] == "obj":
                self.operate(ref, Value(union(self.deep(value), self.deep(key)), value.refs))
            place = self.place(key)
            item = Value(union(value.taint, union(key.taint, owner.taint)), value.refs, value.const)
            if place and ref[0] in ("dict", "list", "tuple"):
                self.put(ref, place, item, len(owner.refs) == 1)
                if self.pc:
                    self.put(ref, "#shape", CLEAN)
            else:
                self.grow(ref, item)
            if ref[0] == "dict" or key.taint:
                self.put(ref, "#keys", Value(self.deep(key), key.refs))
        if not owner.refs:
            self.unseen(node, "an item of an unknown object")

    @staticmethod
    def place(key):
        if key.const is not None and len(key.const) == 1 and not key.refs and not key.taint:
            (const,) = key.const
            if isinstance(const, (str, bytes)) or type(const) is int and const >= 0:
                return ("k", const)
        return None

    # ---- Values ----

    def eval(self, node):
        self.steps += 1
        if self.steps > STEPS:
            raise TooLarge
        return (self.handlers.get(type(node)) or self.handler("eval_", node))(node)

    def eval_other(self, node):
        return self.unseen(node, type(node).__name__)

    def eval_Constant(self, node):
        found = self.constant.get(id(node))
        if found is None:
            found = self.constant[id(node)] = Value({}, NONE, frozenset({node.value}))
        return found

    def eval_Name(self, node):
        name = node.id
        for frame, names in self.scope:
            if names is None or name in names:
                fields = self.heap.get(frame)
                found = fields.get(name) if fields else None
                if found is not None:
                    return found
                if frame[0] == "class":
                    continue
                if names is not None:
                    return CLEAN
        if name in known.UNSEEN:
            return self.unseen(node, name)
        if name in known.BUILTINS:
            return Value({}, frozenset({("lib", name)}), NONE)
        return CLEAN if name in self.later() else self.unseen(node, "the name %s" % name)

    def later(self):
        """Names that the module binds somewhere: a function may run before they are bound."""
        if "" not in self.functions:
            names, outer = set(), set()
            bound_names(self.tree, names, outer)
            self.functions[""] = names | {n for g in ast.walk(self.tree) if isinstance(g, ast.Global) for n in g.names}
        return self.functions[""]

    def gather(self, values, word, refs=True):
        taint, found = {}, NONE
        for value in values:
            taint = union(taint, value.taint)
            found = found | value.refs if refs else found
        return Value(step(taint, word) if word else taint, found)

    def binary(self, a, b, word, node):
        out = self.gather((a, b), word)
        if out.refs:
            for left, right in ((a, b), (b, a)):
                for ref in ordered(left.refs):
                    if ref[0] == "obj":
                        out = join(out, self.operate(ref, Value(self.deep(right), right.refs)))
            if word == "%" and not a.refs:
                out = Value(step(union(self.deep(b), a.taint), word))
            out = self.mingled(out, node)
        self.touch(out.taint)
        return out

    def eval_BinOp(self, node):
        a, b = self.eval(node.left), self.eval(node.right)
        if isinstance(node.op, ast.Add) and a.const and b.const and len(a.const) == len(b.const) == 1:
            (left,), (right,) = a.const, b.const
            if type(left) is type(right) is str:
                return Value({**b.taint, **a.taint}, NONE, frozenset({left + right}))
        word = {ast.Mod: "%", ast.Add: "+"}.get(type(node.op), "operator")
        return self.binary(a, b, word, node)

    def eval_UnaryOp(self, node):
        value = self.eval(node.operand)
        return Value(step(self.shape(value), "not") if isinstance(node.op, ast.Not) else self.deep(value), NONE)

    def eval_BoolOp(self, node):
        """`and` and `or` run the right side only if the left side says so."""
        saved, out = self.pc, None
        for part in node.values:
            value = self.eval(part)
            out = join(out, Value(union(value.taint, self.pc), value.refs, value.const))
            self.pc = union(self.pc, step(self.shape(value), "condition line %d" % node.lineno))
            out = Value(union(out.taint, self.shape(value)), out.refs, out.const)
        self.pc = saved
        return out

    def eval_Compare(self, node):
        values, saved = [], self.pc
        for i, part in enumerate((node.left, *node.comparators)):
            if i > 1:  # asked only if what stands before holds
                self.pc = union(self.pc, step(union(self.deep(values[-1]), self.deep(values[-2])), "comparison"))
            values.append(self.eval(part))
        self.pc = saved
        if any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            return self.gather(values, "comparison", False)
        taint = {}
        for value in values:
            taint = union(taint, self.deep(value))
        self.touch(taint)
        return Value(step(taint, "comparison"))

    def eval_IfExp(self, node):
        taint, found = self.condition(node.test), []

        def part(which):
            value = self.eval(which)
            found.append(Value(union(value.taint, taint), value.refs, value.const))

        self.branches(taint, [lambda: part(node.body), lambda: part(node.orelse)])
        return join(*found)

    def eval_NamedExpr(self, node):
        value = self.eval(node.value)
        self.store(node.target.id, value, node)
        return value

    def eval_JoinedStr(self, node):
        taint, const = {}, ""
        for part in node.values:
            value = self.eval(part)
            taint = union(taint, self.deep(value))
            one = next(iter(value.const)) if value.const and len(value.const) == 1 and not value.refs else None
            const = const + one if const is not None and type(one) is str else None
        return Value(step(taint, "f-string"), NONE, None if const is None else frozenset({const}))

    eval_TemplateStr = eval_JoinedStr

    def eval_FormattedValue(self, node):
        value = self.eval(node.value)
        if node.format_spec:
            value = Value(union(self.deep(value), self.deep(self.eval(node.format_spec))))
            self.touch(value.taint)
        return value

    eval_Interpolation = eval_FormattedValue

    def sequence(self, node, kind):
        ref = self.make(kind, node)
        starred = False
        for i, part in enumerate(node.elts):
            if isinstance(part, ast.Starred):
                value, starred = self.spread(self.eval(part.value)), True
            else:
                value = self.eval(part)
            if kind == "set":
                self.deep(value)  # it is asked for its hash
            if starred or kind == "set":
                self.put(ref, "*", value)
            else:
                self.put(ref, ("k", i), value, True)
        return Value({}, frozenset({ref}), NONE)

    def eval_List(self, node):
        return self.sequence(node, "list")

    def eval_Tuple(self, node):
        return self.sequence(node, "tuple")

    def eval_Set(self, node):
        return self.sequence(node, "set")

    def eval_Dict(self, node):
        ref = self.make("dict", node)
        for key, value in zip(node.keys, node.values):
            item = self.eval(value)
            if key is None:
                self.put(ref, "*", self.spread(item))
                self.put(ref, "#keys", self.element(item, node))
                continue
            name = self.eval(key)
            place = self.place(name)
            self.put(ref, place or "*", item if place else join(item, Value(name.taint)), True)
            self.put(ref, "#keys", Value(self.deep(name), name.refs, name.const))
        return Value({}, frozenset({ref}), NONE)

    def eval_Slice(self, node):
        taint = {}
        for part in (node.lower, node.upper, node.step):
            if part:
                taint = union(taint, self.deep(self.eval(part)))
        return Value(taint)

    def eval_Subscript(self, node):
        owner, key = self.eval(node.value), self.eval(node.slice)
        if isinstance(node.slice, ast.Slice):
            return self.mingled(Value(step(union(owner.taint, key.taint), "slice"), owner.refs), node)
        self.touch(union(owner.taint, key.taint))
        return self.item(owner, key)

    def mingled(self, value, node):
        """Containers that went into an operation come out as one, in which no item has a known place."""
        held = [ref for ref in ordered(value.refs) if ref[0] in ("list", "tuple", "dict", "set")]
        if not held:
            return value
        kind = "dict" if all(ref[0] == "dict" for ref in held) else "list"
        obj = (kind, self.number(node), self.number(("mingled", self.context)))
        self.multi.add(obj)
        for ref in held:
            fields = self.heap.get(ref) or {}
            self.put(obj, "*", self.items(fields) or CLEAN)
            self.put(obj, "#shape", Value(self.shape(Value({}, frozenset({ref})))))
            if "#keys" in fields:
                self.put(obj, "#keys", fields["#keys"])
        return Value(value.taint, value.refs.difference(held) | {obj})

    def item(self, owner, key):
        out, place = Value(step(union(owner.taint, self.deep(key)), "[…]")), self.place(key)
        for ref in ordered(owner.refs):
            fields = self.heap.get(ref) or {}
            if ref[0] in ("list", "tuple", "dict") and place:
                out = join(out, join(join(CLEAN if place not in fields else fields[place], fields.get("*")), fields.get("#shape")))
                if place in fields and "*" not in fields and len(owner.refs) == 1 and not out.taint:
                    out = fields[place]
            elif ref[0] in ("list", "tuple", "dict"):
                for field, value in fields.items():
                    out = join(out, value) if field != "#keys" else out
            elif ref[0] == "obj":
                out = join(out, join(self.operate(ref, key), self.fields_of(ref)))
            elif ref[0] == "gen":
                out = join(out, self.run_lazy(ref))
            elif ref[0] not in ("func", "tool", "tools"):
                out = join(out, join(Value({}, frozenset({ref})), self.fields_of(ref)))
        return out

    def shape(self, value):
        """What tells how many items there are, or whether it is true, without telling the items."""
        taint = value.taint
        for ref in ordered(value.refs):
            fields = self.heap.get(ref) or {}
            if ref[0] in ("list", "dict", "tuple", "set"):
                taint = union(taint, fields["#shape"].taint) if "#shape" in fields else taint
                if ref[0] in ("dict", "set"):
                    taint = union(taint, self.deep(fields.get("#keys" if ref[0] == "dict" else "*", CLEAN)))
            elif ref[0] == "view":
                taint = union(taint, self.shape(Value({}, ref[1])))
            else:
                for part in self.parts(ref):
                    taint = union(taint, self.deep(part))
        return taint

    def element(self, value, node=None):
        """What a loop over the value sees."""
        out = None if value.refs and not value.taint else Value(step(value.taint, "iteration"))
        for ref in ordered(value.refs):
            fields = self.heap.get(ref) or {}
            if ref[0] == "dict":
                out = join(join(out, fields.get("#keys")), Value(self.shape(Value({}, frozenset({ref}))), NONE, NONE))
            elif ref[0] == "gen":
                out = join(out, self.run_lazy(ref))
            elif ref[0] == "obj":
                made = self.operate(ref, CLEAN)
                inside = Value(made.taint, frozenset(r for r in made.refs if r[0] != "obj"))
                out = join(join(out, Value(self.deep(made), made.refs)), join(self.spread(inside), self.fields_of(ref)))
            elif ref[0] == "method":
                out = join(out, self.spread(Value({}, ref[1])))
            elif ref[0] == "view":
                out = join(out, self.element(self.look(Value({}, ref[1]), ref[2], ref[3])))
            elif ref[0] in ("ext", "data", "file", "fsext", "lib"):
                out = join(out, join(Value({}, frozenset({ref})), self.fields_of(ref)))
            elif ref[0] != "frame":
                out = join(out, self.items(fields))
        return out or CLEAN

    @staticmethod
    def items(fields):
        out = None
        for field, value in fields.items():
            if field == "#shape":
                value = Value(value.taint, NONE, NONE)
            out = join(out, value) if field != "#keys" else out
        return out

    def spread(self, value):
        """Items and keys of any value."""
        out = self.element(value)
        for ref in ordered(value.refs):
            if ref[0] == "dict":
                out = join(out, self.fields_of(ref))
        return out

    # ---- Comprehensions, functions, generators ----

    def comprehension(self, node, collect):
        names = self.functions.get(("names", id(node)))
        if names is None:
            names = set()
            for generator in node.generators:
                bound_names(ast.Module([ast.Expr(generator.target)], []), names, set())
            names = self.functions["names", id(node)] = frozenset(names)
        frame = ("frame", self.number(node), self.context)
        scope, saved = self.scope, self.pc
        inner = self.scope = ((frame, names), *scope)
        while True:
            before = self.heap
            self.heap = dict(before)
            for i, generator in enumerate(node.generators):
                if i == 0:
                    self.scope = scope
                value = self.eval(generator.iter)
                self.scope = inner
                self.touch(value.taint)
                self.pc = union(self.pc, step(self.shape(value), "loop line %d" % node.lineno))
                self.assign(generator.target, self.element(value, node))
                for test in generator.ifs:
                    self.pc = union(self.pc, self.condition(test))
            collect()
            self.pc = saved
            self.heap = join_heaps(before, self.heap)
            if self.heap is before:
                break
        self.heap, self.scope = dict(self.heap), scope

    def collection(self, node, kind):
        ref = (kind, self.number(node), self.context)
        self.multi.add(ref)

        def collect():
            if kind == "dict":
                key = self.eval(node.key)
                self.put(ref, "#keys", Value(self.deep(key), key.refs))
                self.grow(ref, self.eval(node.value))
            else:
                self.grow(ref, self.eval(node.elt))

        self.comprehension(node, collect)
        return Value({}, frozenset({ref}), NONE)

    def eval_ListComp(self, node):
        return self.collection(node, "list")

    def eval_SetComp(self, node):
        return self.collection(node, "set")

    def eval_DictComp(self, node):
        return self.collection(node, "dict")

    def eval_GeneratorExp(self, node):
        """Evaluates the first iterable now, the rest when the generator is used."""
        first = self.eval(node.generators[0].iter)
        ref = ("gen", self.closure(node)[1], self.number(node), self.context)
        self.put(ref, "first", first)
        return Value({}, frozenset({ref}), NONE)

    def closure(self, node):
        key = ("closure", id(node), tuple(s for s in self.scope if s[0][0] != "class"))
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.closures)
            while len(self.closures) <= number:
                self.closures.append(None)
            if id(node) not in self.functions:
                self.functions[id(node)] = Function(node)
            self.closures[number] = (self.functions[id(node)], key[2])
        return ("func", number)

    def function(self, node):
        ref = self.closure(node)
        args = node.args
        names = [a.arg for a in parameters(args)]
        for name, default in [*zip(reversed(names), reversed(args.defaults)),
                              *((a.arg, d) for a, d in zip(args.kwonlyargs, args.kw_defaults) if d is not None)]:
            self.put(ref, name, self.eval(default))
        return Value({}, frozenset({ref}), NONE)

    eval_Lambda = function

    def eval_Await(self, node):
        value = self.eval(node.value)
        return join(value, self.spread(value)) if value.refs else value

    def eval_Yield(self, node):
        value = self.eval(node.value) if node.value else CLEAN
        value = Value(union(value.taint, step(self.pc, "branch")), value.refs, value.const)
        self.yielded = join(self.yielded, value)
        sent = self.stack[-1] if self.stack else None
        return Value({}, frozenset({sent})) if sent else CLEAN

    def eval_YieldFrom(self, node):
        value = self.eval(node.value)
        self.yielded = join(self.yielded, self.spread(value))
        return self.spread(value)

    def eval_Starred(self, node):
        return self.eval(node.value)

    def run_lazy(self, ref):
        """A generator runs where its values are asked for."""
        if ref in self.running:
            return self.get(ref, "given") or CLEAN
        self.running.add(ref)
        function, chain = self.closures[ref[1]]
        while True:
            if isinstance(function.node, ast.GeneratorExp):
                out = self.run_expression(function.node, chain)
            else:
                args = [(field[1], value, 0) for field, value in (self.heap.get(ref) or {}).items() if type(field) is tuple]
                out = self.body(("func", ref[1]), dict((n, v) for n, v, _ in args), ref, ref)
            out = join(out, self.get(ref, "*"))
            if join(self.get(ref, "given"), out) is self.get(ref, "given"):
                break
            self.heap[ref] = {**(self.heap.get(ref) or {}), "given": join(self.get(ref, "given"), out)}
        self.running.discard(ref)
        return out

    def run_expression(self, node, chain):
        found = []
        saved, self.scope = self.scope, chain
        self.comprehension(node, lambda: found.append(self.tainted(self.eval(node.elt))))
        self.scope = saved
        out = CLEAN
        for value in found:
            out = join(out, value)
        return out

    def tainted(self, value):
        return Value(union(value.taint, self.pc), value.refs, value.const)

    # ---- Attributes ----

    def eval_Attribute(self, node):
        owner = self.eval(node.value)
        self.touch(owner.taint)
        return self.attribute(owner, node.attr, node)

    def attribute(self, owner, name, node):
        if name in known.FRAMES or name.startswith("__") and name.endswith("__") and name not in known.DUNDERS:
            return self.unseen(node, "the attribute %s" % name)
        out = None
        for ref in ordered(owner.refs):
            out = join(out, self.attribute_of(ref, name, owner, node))
        if out is None:
            return Value(owner.taint, frozenset({("method", NONE, name)}), NONE)
        return Value(union(out.taint, owner.taint), out.refs, out.const)

    def attribute_of(self, ref, name, owner, node):
        kind = ref[0]
        if kind == "tools":
            return self.tool(name, node)
        if kind == "lib":
            return self.library(ref[1] + "." + name, node)
        if kind in ("obj", "class", "super"):
            found = self.lookup(ref, name, node)
            if found is not None:
                return found
        if kind == "func" and self.get(ref, "*") is not None:
            return self.get(ref, "*")
        if name == "__class__" and kind == "obj":
            return Value({}, frozenset({ref[3]}), NONE)
        return Value({}, frozenset({("method", frozenset({ref}), name)}), NONE)

    def tool(self, name, node):
        if name in self.policy:
            return Value({}, frozenset({("tool", name)}), NONE)
        if name in ("parallel", "ToolError"):
            return Value({}, frozenset({("lib", "tools." + name)}), NONE)
        return self.unseen(node, "tools.%s, which no tool is called," % name)

    def library(self, dotted, node):
        if dotted.endswith("chdir") and not self.elsewhere:
            return self.unseen(node, "a hidden change of the working directory")
        if dotted in known.REACHING or "tools" in dotted.split(".") and dotted not in ("tools.parallel", "tools.ToolError") \
                or dotted.startswith(("os.exec", "os.spawn", "os.fork", "os.posix_spawn", "sys._")):
            return self.unseen(node, dotted)
        return Value({}, frozenset({("lib", dotted)}), NONE)

    def lookup(self, ref, name, node):
        """An attribute of an object: its own, or its class's, bound to it."""
        found = self.get(ref, name) if ref[0] != "super" else None
        owner = ref[3] if ref[0] == "obj" else ref
        for holder in self.order(owner) if ref[0] != "super" else self.order(ref[1])[1:]:
            value = self.get(holder, name)
            if value is not None:
                if found is None or ref[0] == "class":
                    found = join(found, self.bind_method(value, ref, node))
                break
        if ref[0] == "obj" and found is not None and self.get(ref, "*") is not None:
            found = join(found, self.get(ref, "*"))
        return found if found is not None else (self.get(ref, "*") if ref[0] == "obj" else None)

    def order(self, ref):
        out = [ref]
        for holder in out:
            out += [b for b in self.bases(holder) if b[0] == "class" and b not in out]
        return out

    def bind_method(self, value, ref, node):
        out, refs = None, set()
        this = ref[2] if ref[0] == "super" else ref
        for r in ordered(value.refs):
            if r[0] == "property" and this[0] == "obj":
                out = join(out, self.apply(Value({}, frozenset({r[1]})), [(None, Value({}, frozenset({this})), 0)], node))
            elif r[0] == "setter":
                continue
            elif r[0] == "static":
                refs.add(r[1])
            elif r[0] == "ofclass":
                refs.add(("bound", r[1], this[3] if this[0] == "obj" else this))
            elif r[0] == "func" and ref[0] in ("obj", "super"):
                refs.add(("bound", r, this))
            else:
                refs.add(r)
        return join(out, Value(value.taint, frozenset(refs), value.const))

    # ---- Calls ----

    def eval_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            return self.super_of()
        callee = self.eval(node.func)
        args = []
        for arg in node.args:
            star = isinstance(arg, ast.Starred)
            args.append((None, self.eval(arg.value if star else arg), 1 if star else 0))
        for keyword in node.keywords:
            args.append((keyword.arg, self.eval(keyword.value), 0 if keyword.arg else 2))
        return self.apply(callee, args, node)

    def super_of(self):
        for frame, names in self.scope:
            this = self.get(frame, "self") or self.get(frame, "cls")
            for ref in ordered(this.refs) if this else ():
                owner = ref[3] if ref[0] == "obj" else ref
                if owner[0] == "class":
                    return Value({}, frozenset({("super", owner, ref)}), NONE)
        return CLEAN

    def apply(self, callee, args, node):
        saved, out = self.pc, None
        if callee.taint and any(r[0] not in ("method", "bound") for r in callee.refs):
            self.pc = union(self.pc, step(callee.taint, "callee"))
        before, after = self.heap, None
        several = len(callee.refs) > 1
        for ref in ordered(callee.refs):
            if several:
                self.heap = dict(before)
            out = join(out, self.apply_one(ref, callee, args, node))
            after = join_heaps(after, self.heap) if several else None
        if several:
            self.heap = dict(after)
        if out is None:
            out = self.opaque(callee, args, node)
        self.pc = self.after(saved)
        return Value(union(out.taint, callee.taint), out.refs, out.const) if callee.taint else out

    def apply_one(self, ref, callee, args, node):
        kind = ref[0]
        if kind == "func":
            return self.enter(ref, args, node)
        if kind == "bound":
            return self.enter(ref[1], [(None, Value(callee.taint, frozenset({ref[2]}), NONE), 0), *args], node) \
                if ref[1][0] == "func" else self.opaque(callee, args, node)
        if kind == "tool":
            return self.call_tool(ref[1], args, node)
        if kind == "class":
            return self.instance(ref, args, node)
        if kind == "lib":
            return self.call_library(ref[1], args, node)
        if kind == "method":
            return self.call_method(Value(callee.taint, ref[1]), ref[2], args, node)
        if kind in ("static", "ofclass", "property"):
            return self.apply_one(ref[1], callee, args, node)
        if kind == "obj":
            call = self.lookup(ref, "__call__", node)
            return self.apply(call, args, node) if call else self.opaque(callee, args, node)
        return self.opaque(Value(callee.taint, frozenset({ref})), args, node)

    def flat(self, args):
        """Positional values, named values, and what may go to any parameter."""
        positional, named, loose = [], {}, None
        for name, value, star in args:
            exact = self.exact(value) if star == 1 else None
            if star == 0 and name is None:
                if loose is None:
                    positional.append(value)
                else:
                    loose = join(loose, value)
            elif star == 0:
                named[name] = value
            elif exact is not None and loose is None:
                positional += [Value(union(v.taint, value.taint), v.refs, v.const) for v in exact]
            elif star == 2 and self.named_items(value) is not None:
                named.update(self.named_items(value))
            else:
                loose = join(loose, join(self.spread(value), Value(self.shape(value))))
        return positional, named, loose

    def named_items(self, value):
        if len(value.refs) != 1 or value.taint:
            return None
        (ref,) = value.refs
        fields = self.heap.get(ref) or {}
        if ref[0] != "dict" or "*" in fields or "#shape" in fields:
            return None
        return {f[1]: v for f, v in fields.items() if type(f) is tuple}

    def enter(self, ref, args, node):
        function, _ = self.closures[ref[1]]
        spec, values = function.node.args, {}
        positional, named, loose = self.flat(args)
        names = [a.arg for a in parameters(spec)]
        for name, value in zip(names, positional):
            values[name] = value
        kwonly = [a.arg for a in spec.kwonlyargs]
        for name in [*names, *kwonly]:
            given = join(values.get(name), named.pop(name, None))
            default = self.get(ref, name)
            values[name] = join(given, loose) if given is not None else join(loose, default) or CLEAN
        if spec.vararg:
            values[spec.vararg.arg] = self.boxed("list", node, positional[len(names):], loose)
        if spec.kwarg:
            values[spec.kwarg.arg] = self.named_box(node, named, loose)
        if function.lazy:
            return self.start_lazy(ref, values, node)
        return self.body(ref, values, self.number(node), None)

    def boxed(self, kind, node, values, loose):
        obj = (kind, self.number(node), self.number(("args", self.context)))
        fields = {("k", i): value for i, value in enumerate(values)}
        if loose is not None:
            fields = {"*": self.gather([*values, loose], "")}
        self.heap[obj] = join_fields(self.heap.get(obj) or {}, fields)
        return Value({}, frozenset({obj}), NONE)

    def named_box(self, node, named, loose):
        obj = ("dict", self.number(node), self.number(("args", self.context)))
        fields = {("k", name): value for name, value in named.items()}
        if loose is not None:
            fields = {"*": self.gather([*named.values(), loose], ""), "#keys": Value(loose.taint)}
        self.heap[obj] = join_fields(self.heap.get(obj) or {}, fields)
        return Value({}, frozenset({obj}), NONE)

    def start_lazy(self, ref, values, node):
        gen = ("gen", ref[1], self.number(node), self.context)
        for name, value in values.items():
            self.put(gen, ("k", name), value)
        return Value({}, frozenset({gen}), NONE)

    def body(self, ref, values, site, gen):
        """Runs the body of a function with these parameters. A recursive function is run until its arguments and its
        result no longer change."""
        if ref in self.active:
            return self.again(ref, values)
        recursion = self.active[ref] = Recursion()
        before, outer = self.heap, (self.scope, self.context, self.pc, self.jump, self.loop_jump, self.breaks,
                                    self.returns, self.result, self.yielded, self.line)
        self.context = self.number((self.context, site))
        self.stack.append(gen)
        while True:
            self.heap = dict(join_heaps(before, recursion.heap))
            self.pc, self.jump, self.loop_jump = outer[2], {}, {}
            self.returns = self.result = self.yielded = self.breaks = None
            recursion.hit = False
            result = self.once(ref, {n: join(v, recursion.args.get(n)) for n, v in values.items()})
            if not recursion.hit:
                break
            after = join_heaps(recursion.after, self.heap)
            whole = join(recursion.result, result)
            done = after is recursion.after and whole is recursion.result
            recursion.after, recursion.result = after, whole
            if done:
                break
        del self.active[ref]
        self.stack.pop()
        (self.scope, self.context, self.pc, self.jump, self.loop_jump, self.breaks, self.returns, self.result, self.yielded,
         self.line) = outer
        return result

    def once(self, ref, values):
        function, chain = self.closures[ref[1]]
        frame = ("frame", self.number(function.node), self.context)
        if frame in self.heap:
            self.multi.add(frame)
        self.functions[frame] = function
        self.scope = ((frame, function.names), *chain)
        for name, value in values.items():
            if value.taint:
                value = Value(step(value.taint, name), value.refs, value.const)
            self.put(frame, name, value, frame not in self.multi or name not in function.captured)
        if not self.block(function.body):
            self.result = join(self.result, Value(self.jump, NONE, frozenset({None})))
            self.returns = join_heaps(self.returns, self.heap)
        self.heap = dict(self.returns or self.heap)
        result = join(self.result, self.yielded) or CLEAN
        return Value(union(result.taint, self.jump), result.refs, result.const)

    def again(self, ref, values):
        recursion = self.active[ref]
        changed = {n: join(recursion.args.get(n), self.tainted(v)) for n, v in values.items()}
        heap = join_heaps(recursion.heap, self.heap)
        recursion.hit = True
        recursion.args, recursion.heap = changed, heap
        self.heap = dict(join_heaps(self.heap, recursion.after))
        return recursion.result or CLEAN

    def instance(self, ref, args, node):
        obj = ("obj", self.number(node), self.context, ref)
        if obj in self.heap:
            self.multi.add(obj)
        else:
            self.heap[obj] = {}
        this = Value({}, frozenset({obj}), NONE)
        init = self.lookup(obj, "__init__", node)
        if init is not None:
            self.apply(init, args, node)
            return this
        positional, named, loose = self.flat(args)
        fields = [f for holder in reversed(self.order(ref)) for f in self.functions.get(holder, ())]
        for name, value in [*zip(fields, positional), *named.items()]:
            self.put(obj, name, value)
        for value in [*positional[len(fields):], *([loose] if loose else [])]:
            self.put(obj, "*", value)
        post = self.lookup(obj, "__post_init__", node)
        if post is not None:
            self.apply(post, [], node)
        return this

    def everything(self, callee, args):
        """Everything that a call gets: its deep taint, and what it can reach."""
        out = callee
        for _, value, _ in args:
            out = join(out, value)
        return self.reach(Value(out.taint, out.refs))

    def call_back(self, refs, given, node):
        """A library may call what it is given, with anything that it was given."""
        out, plain = None, frozenset(r for r in refs if r[0] not in ("func", "bound", "tool", "tools", "property", "method"))
        value = Value(given, plain)
        for ref in ordered(refs):
            if ref == ("tools",):
                self.unseen(node, "the module tools as a value")
            elif ref[0] in ("func", "bound"):
                target = ref if ref[0] == "func" else ref[1]
                if target in self.active or target[0] != "func":
                    continue
                function = self.closures[target[1]][0]
                if isinstance(function.node, ast.GeneratorExp):
                    continue
                this = [(None, Value({}, frozenset({ref[2]})), 0)] if ref[0] == "bound" else []
                found = self.enter(target, [*this, (None, value, 0), (None, Value(given, NONE), 1)], node)
                out = join(out, join(found, self.spread(found)))
            elif ref[0] == "method" and ref[1]:
                out = join(out, self.call_method(Value({}, ref[1]), ref[2], [(None, value, 0)], node))
            elif ref[0] == "tool":
                out = join(out, self.call_tool(ref[1], [(None, Value(given), 1), (None, value, 2)], node))
        return out

    def opaque(self, callee, args, node, kind="data"):
        """A call of something outside of the program: it may return, keep and call what it got."""
        whole = self.everything(callee, args)
        self.touch(whole.taint)
        found = self.call_back(whole.refs, whole.taint, node)
        word = text_of(node.func).rpartition(".")[2] + "()" if isinstance(node, ast.Call) else "call"
        out = self.fresh(kind, node, step(whole.taint, word), frozenset(r for r in whole.refs if r[0] != "tools"))
        return join(out, found and Value(self.deep(found), found.refs))

    # ---- Libraries ----

    def call_library(self, name, args, node):
        special = getattr(self, "lib_" + name.replace(".", "_"), None)
        if special:
            return special(args, node)
        module = name.rpartition(".")[0]
        while module and module not in known.MODULES:
            module = module.rpartition(".")[0]
        callee = Value({}, NONE)
        if name in known.PLAIN:
            return self.plain(name, args, node)
        if module in known.NETWORK:
            return self.request(name, args, node)
        if module in known.PURE:
            self.poured(args)
        if name in known.BUILTINS or module in known.PURE:
            return self.opaque(callee, args, node)
        return self.keeping(("lib", name), module, args, node)

    def poured(self, args):
        """A function that computes may still write into an open file that it was given."""
        into = [ref for _, value, _ in args for ref in ordered(value.refs) if ref[0] in ("file", "ext")]
        taint = self.everything(CLEAN, args).taint if into else {}
        for ref in into if taint else ():
            self.grow(ref, Value(taint))

    def plain(self, name, args, node):
        taint = {}
        for key, value, _ in args:
            if any(r == ("tools",) for r in value.refs):
                self.unseen(node, "the module tools as a value")
            taint = union(taint, self.shape(value) if name in ("len", "bool", "type", "isinstance", "callable", "id") else
                          self.deep(value))
        if name not in ("print", "str", "repr", "len", "isinstance", "type", "bool", "id", "callable"):
            self.touch(taint)
        for key, value, _ in args:
            if name == "print" and key == "file":
                for ref in ordered(value.refs):
                    self.grow(ref, Value(taint))
        if name == "type" and len(args) > 1:
            return self.unseen(node, "a class that type() makes")
        if name[0].isupper() or name == "tools.ToolError" or name in ("bytearray", "range", "object"):
            return self.fresh("data", node, step(taint, name + "()"))
        return Value(step(taint, name + "()"))

    def keeping(self, ref, module, args, node):
        """A library function that may keep what it got: in itself, in its arguments or in files."""
        callee = Value({}, frozenset({("ext", module)}) if module in known.STATEFUL else NONE)
        whole = self.everything(callee, args)
        kept = Value(whole.taint)
        if module in known.STATEFUL:
            self.put(("ext", module), "*", Value(whole.taint, frozenset(r for r in whole.refs if r[0] in ("file", "ext", "data", "list"))))
        files = module in known.FILES and module != "csv" and ref[1] not in known.PATHS
        if whole.taint:
            if module in ("heapq", "bisect") or module in known.STATEFUL or files:
                for obj in ordered(whole.refs):
                    if obj[0] in ("list", "dict", "set", "data", "ext", "file", "fsext"):
                        self.smear(obj)
                        self.grow(obj, kept)
        elif module in ("heapq", "random", "bisect"):
            for obj in ordered(whole.refs):
                self.smear(obj)
        if files and ref[1].rpartition(".")[2].startswith("read_") and args and \
                not any(r[0] in ("ext", "file", "fsext", "net") for r in args[0][1].refs):
            self.sink(node, ref[1], None, args[0][1], (True, NONE), {}, " may leave the session")  # it may be an address
        out = self.opaque(callee, args, node, "fsext" if files else "ext")
        if not files:
            return out
        if ref[1] in known.NAMING:
            return out
        named = ref[1].startswith("pandas.read_") and len(args) > 0 and not args[0][2]
        reads = named or ref[1] in known.LOOKING
        return self.through_files(out, whole.taint, "reads" if reads else "any", self.file_key(args[0][1]) if named else "*")

    def through_files(self, out, taint, does="any", key="*"):
        """What a library does with files: it reads them, writes what it was given, or may do anything."""
        if taint and does != "reads":
            self.put(("file", "*"), "*", Value(taint))
        found = self.fields_of(("file", key))
        if found and found.taint and does == "any":  # the file may have another name
            self.put(("file", "*"), "*", Value(found.taint))
        return join(out, found and Value(step(found.taint, "files")))

    def file_key(self, path):
        """The file that a path names; "*": any. If the working directory is not /work, relative names mean other files.
        """
        if not path.const or len(path.const) != 1 or path.refs or not isinstance(next(iter(path.const)), str):
            return "*"
        (name,) = path.const
        return "*" if self.elsewhere and not name.startswith("/") else os.path.normpath(os.path.join("/work", name))

    def request(self, name, args, node):
        """A request leaves the session: nothing untrusted and nothing with restricted readers may be in it or decide
        about it."""
        whole = self.everything(CLEAN, args)
        self.sink(node, name, None, Value(union(whole.taint, self.pc)), (True, NONE), {}, " leaves the session")
        found = Source((name, node.lineno, True, None))
        return self.fresh("net", node, {found: None}, whole.refs)

    def lib_open(self, args, node):
        positional, named, loose = self.flat(args)
        path = positional[0] if positional else named.get("file", CLEAN)
        mode = positional[1] if len(positional) > 1 else named.get("mode")
        key = self.file_key(path) if loose is None and "opener" not in named else "*"
        reading = mode is None or mode.const and not any(set(str(m)) & set("wax+") for m in mode.const)
        if not reading or loose:
            if key.endswith(known.SUFFIXES):
                self.unseen(node, "a file that can be imported")
            self.wrote = self.wrote or key == "*"
            if path.taint or self.pc or self.touched:  # the mere existence of the request tells something, too
                self.put(("file", "*"), "*", Value(path.taint))
        self.touch(path.taint)
        return Value(self.deep(path), frozenset({("file", key)}), NONE)

    lib_io_open = lib_open

    def lib_getattr(self, args, node):
        positional, named, loose = self.flat(args)
        name = positional[1].const if len(positional) > 1 and loose is None else None
        if not name or len(name) != 1 or positional[1].refs:
            return self.unseen(node, "getattr with a computed name")
        found = self.attribute(positional[0], str(next(iter(name))), node)
        return join(found, positional[2]) if len(positional) > 2 else found

    def lib_setattr(self, args, node):
        positional, named, loose = self.flat(args)
        name = positional[1].const if len(positional) == 3 and loose is None else None
        if not name or len(name) != 1:
            return self.unseen(node, "setattr with a computed name")
        self.set_attribute(positional[0], str(next(iter(name))), positional[2], node)
        return CLEAN

    def lib_delattr(self, args, node):
        return self.unseen(node, "delattr")

    def lib_hasattr(self, args, node):
        taint = {}
        for _, value, _ in args:
            taint = union(taint, value.taint)
        return Value(taint)

    def copied(self, kind, args, node):
        """list(x) and similar calls: the same items in a new container."""
        if len(args) != 1 or args[0][0] or args[0][2]:
            return self.opaque(CLEAN, args, node)
        value = args[0][1]
        exact = self.exact(value)
        obj = self.make(kind, node)
        if exact is not None and kind in ("list", "tuple"):
            for i, item in enumerate(exact):
                self.put(obj, ("k", i), item, True)
        else:
            self.put(obj, "*", self.element(value))
            self.put(obj, "#shape", Value(self.shape(value)))
        return Value(value.taint, frozenset({obj}), NONE if exact else None)

    def lib_list(self, args, node):
        return self.copied("list", args, node) if args else self.empty("list", node)

    def lib_tuple(self, args, node):
        return self.copied("tuple", args, node) if args else self.empty("tuple", node)

    def lib_set(self, args, node):
        return self.copied("set", args, node) if args else self.empty("set", node)

    def lib_reversed(self, args, node):
        return self.copied("list", [(None, Value(v.taint, v.refs), s) for _, v, s in args], node)

    def empty(self, kind, node):
        return Value({}, frozenset({self.make(kind, node)}), NONE)

    def lib_dict(self, args, node):
        obj = self.make("dict", node)
        for name, value, star in args:
            if name:
                self.put(obj, ("k", name), value, True)
                self.put(obj, "#keys", CLEAN)
            else:
                item = self.spread(value)
                self.put(obj, "*", join(item, self.spread(item)))
                self.put(obj, "#keys", Value(union(self.deep(item), value.taint)))
        return Value({}, frozenset({obj}), NONE)

    def pairs(self, site, first, second, decides):
        """A list of pairs, as enumerate, zip and items() give it."""
        pair, out = (("tuple", site, self.context), ("list", site, self.context))
        self.multi.update((pair, out))
        for i, value in enumerate((first, *second)):
            self.put(pair, ("k", i), value)
        self.put(out, "*", Value({}, frozenset({pair}), NONE))
        if decides:
            self.put(out, "#shape", Value(decides))
        return Value({}, frozenset({out}))

    def lib_enumerate(self, args, node):
        values = [v for _, v, _ in args] or [CLEAN]
        decides = self.shape(values[0])
        return self.pairs(self.number(node), Value(union(decides, self.deep(values[1]) if len(values) > 1 else {})),
                          [self.element(values[0])], decides)

    def lib_zip(self, args, node):
        if len(args) < 2 or any(star for _, _, star in args):
            return self.opaque(CLEAN, args, node)
        decides = {}
        for _, value, _ in args:
            decides = union(decides, self.shape(value))
        items = [self.element(v) for name, v, _ in args if not name]
        return self.pairs(self.number(node), items[0], items[1:], decides)

    def lib_exit(self, args, node):
        return CLEAN

    lib_quit = lib_sys_exit = lib_os__exit = lib_exit

    def lib_tools_parallel(self, args, node):
        """[(name or tool, {argument: value}), …], if it is written out in the code."""
        out = None
        for _, value, star in args:
            calls = None if star else self.exact(value)
            for call in calls if calls is not None else [None]:
                pair = call and self.exact(call)
                named = self.named_items(pair[1]) if pair and len(pair) == 2 else None
                names = self.tool_names(pair[0]) if named is not None else None
                if not names:
                    return self.unseen(node, "tools.parallel with calls that are not written out")
                for name in names:
                    out = join(out, self.call_tool(name, [(n, v, 0) for n, v in named.items()], node))
        return out or CLEAN

    def tool_names(self, value):
        names = [r[1] for r in ordered(value.refs) if r[0] == "tool"]
        names += [identifier(c) for c in value.const or () if isinstance(c, str)]
        return names if not value.taint and all(n in self.policy for n in names) else None

    # ---- Methods of what is no object of the program ----

    def call_method(self, receiver, name, args, node):
        if name in ("format", "format_map"):
            self.check_format(node, args)
        if any(ref[0] == "net" for ref in receiver.refs):
            if name not in known.RECEIVING:
                return self.request(name, args, node)
            return self.fresh("data", node, step(self.everything(receiver, args).taint, name + "()"))
        if name == "get" and args and not args[0][2]:
            found = self.item(receiver, args[0][1])
            return join(found, args[1][1]) if len(args) > 1 else found
        if name in ("items", "keys", "values") and not args and receiver.refs:
            return Value(receiver.taint, frozenset({("view", receiver.refs, name, self.number(node))}))
        if name == "copy" and not args and receiver.refs:
            return receiver
        if name in ("read", "readline", "readlines", "strip", "lower", "upper", "split") and not receiver.refs:
            return self.opaque(receiver, args, node)
        whole = self.everything(receiver, args)
        self.changed(receiver, name, whole, args)
        for ref in ordered(receiver.refs):
            if ref[0] in ("obj", "super"):
                self.inherited(ref, whole, node)
        out = self.opaque(receiver, args, node)
        if any(ref[0] == "fsext" for ref in whole.refs):
            return out if name in known.TABLES else self.through_files(
                out, whole.taint, "reads" if name in known.FILE_READS else "writes" if name in known.FILE_WRITES else "any")
        return out

    def changed(self, receiver, name, whole, args):
        """Whether the receiver keeps what the method got."""
        given = Value({})
        for _, value, star in args:
            item = self.spread(value) if star or name in ("extend", "update", "writelines", "extendleft") else value
            given = join(given, item)
        for ref in ordered(receiver.refs):
            if ref[0] in ("func", "tool", "tools", "gen"):
                if ref[0] == "gen":
                    self.put(ref, "*", Value(given.taint, given.refs))
                continue
            known_name = name in known.MUTATORS
            if not known_name and ref[0] in ("data", "list", "dict", "tuple", "set"):
                continue
            if name not in known.GROWING:
                self.smear(ref)
            if args or self.pc or known_name:
                self.grow(ref, Value(union(given.taint, self.deep(given)), given.refs))
                if ref[0] == "dict":
                    self.put(ref, "#keys", Value(self.deep(given)))

    def inherited(self, ref, whole, node):
        """A method of a library's class may call methods that the program's class overrides."""
        owner = ref[3] if ref[0] == "obj" else ref[1]
        this = ref if ref[0] == "obj" else ref[2]
        if this in self.running or not any(b[0] != "class" for h in self.order(owner) for b in self.bases(h)):
            return
        self.running.add(this)
        for name, method in list(self.methods(owner)):
            if name not in ("__init__", "__post_init__"):
                refs = frozenset(("bound", r, this) for r in method.refs if r[0] == "func")
                self.call_back(refs, whole.taint, node)
        self.running.discard(this)

    def look(self, receiver, name, site):
        """What a view of a dict shows at this moment."""
        values = None
        for ref in ordered(receiver.refs):
            values = join(values, self.items(self.heap.get(ref) or {}) if ref[0] == "dict" else self.spread(Value({}, frozenset({ref}))))
        values = values or CLEAN
        keys, decides = self.element(receiver), self.shape(receiver)
        if name == "items":
            return self.pairs(site, keys, [values], decides)
        obj = ("list", site, self.context)
        self.multi.add(obj)
        self.put(obj, "*", values if name == "values" else keys)
        self.put(obj, "#shape", Value(decides))
        return Value({}, frozenset({obj}))

    def check_format(self, node, args):
        """A format string may name attributes of its arguments."""
        text = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        constant = isinstance(text, ast.Constant) and isinstance(text.value, str)
        objects = any(r[0] in ("func", "class", "obj", "lib", "tools", "tool", "bound") for _, v, _ in args for r in v.refs)
        if constant and "__" in text.value or not constant and objects:
            self.unseen(node, "a format that names attributes")

    # ---- Tools ----

    def call_tool(self, name, args, node):
        tool = self.policy[name]
        positional, named, loose = self.flat(args)
        arguments = dict(zip(tool["order"], positional))
        for value in positional[len(tool["order"]):]:
            loose = join(loose, value)
        for key, value in named.items():
            arguments[key] = join(arguments.get(key), value)
        for argument, rule in tool["sinks"].items():
            value = join(arguments.get(argument), loose)
            if value is not None:
                self.sink(node, tool["name"], argument, Value(self.deep(value)), rule, arguments)
        if tool["sinks"]:
            readers = [rule[1] for rule in tool["sinks"].values() if rule[1] is not None]
            for rule in [(True, None), *((False, r) for r in readers)]:
                self.sink(node, tool["name"], None, Value(self.pc), rule, arguments, " depends on")
        untrusted, readers = tool["source"]
        for value in [*positional, *named.values(), *([loose] if loose else [])]:
            self.touch(self.deep(value))
        taint = {Source((tool["name"], getattr(node, "lineno", self.line), untrusted, readers)): None} \
            if untrusted or readers is not None else {}
        # A tool may return what it was told.
        for value in [*positional, *named.values(), *([loose] if loose else [])]:
            taint = union(taint, step(self.deep(value), name + "()"))
        return self.fresh("data", node, taint)

    def sink(self, node, tool, argument, value, rule, arguments, why=""):
        trusted, readers = rule
        for source, way in sorted(value.taint.items(), key=lambda item: item[0][1]):
            text = self.argument_text(node, tool, argument)
            if trusted and source[2]:
                return self.leak(node, tool, argument, text, source, way, why)
            if readers is not None and source[3] is not None:
                known_names = self.constants(arguments.get(readers)) if isinstance(readers, str) else readers
                if known_names is None or not known_names <= source[3] or not known_names and readers == NONE:
                    return self.leak(node, tool, argument, text, source, way,
                                     why or (" would be read by others" if known_names is not None else
                                             ", whose readers are not known"))

    def constants(self, value):
        """The texts that the value may be, or be a list of; None if unknown."""
        if value is None or value.const is None:
            return None
        out = set(value.const)
        for ref in value.refs:
            if ref[0] not in ("list", "tuple", "set") or ref in self.running:
                return None
            for field, item in (self.heap.get(ref) or {}).items():
                inner = self.constants(item)
                if inner is None:
                    return None
                out |= inner
        return frozenset(out)

    def argument_text(self, node, tool, argument):
        if not argument or not isinstance(node, ast.Call):
            return "…"
        for keyword in node.keywords:
            if keyword.arg == argument:
                return text_of(keyword.value)
        order = next((t["order"] for t in self.policy.values() if t["name"] == tool), [])
        place = order.index(argument) if argument in order else len(node.args)
        return text_of(node.args[place]) if place < len(node.args) else "…"


# ---- From outside ----

def analyse(data, declared):
    """The verdict on a program (bytes) with the declared tools."""
    policy, files = read_policy(declared), Files(declared)
    verdict = {"schema": "retort.check/1", "sha256": hashlib.sha256(data).hexdigest()}
    refusals = refusals_of(data, policy, files)
    refusals.sort(key=lambda r: (r["line"], r["column"]))
    return {**verdict, "verdict": "refused" if refusals else "accepted", "refusals": refusals}


def refusals_of(data, policy, files):
    tree, mistakes = parsed(data)
    return mistakes or followed([tree.body], policy, files, changes_directory(data.decode("utf-8-sig")))


def parsed(data):
    try:
        text = data.decode("utf-8-sig")
        for line in text.splitlines()[:2]:
            cookie = COOKIE.match(line)
            if cookie and cookie.group(1).lower() not in ("utf-8", "utf8", "ascii", "us-ascii"):
                raise ValueError("another encoding than UTF-8")
        return ast.parse(text), []
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        line = getattr(e, "lineno", None) or 1
        words = "is no Python: %s" % e.msg if isinstance(e, SyntaxError) else "cannot be read: %s" % e
        return None, [{"line": line, "column": getattr(e, "offset", None) or 1, "kind": "syntax",
                       "message": "line %d: %s" % (line, words)}]


def changes_directory(text):
    return "chdir" in (text if text.isascii() else unicodedata.normalize("NFKC", text))


def followed(blocks, policy, files, elsewhere):
    analysis = Analysis(policy, files, elsewhere)
    analysis.run(blocks)
    return list(analysis.refusals.values())


# ---- Cells of a session ----

CELL = 10**8  # line numbers per cell: more than any cell has
KEPT = 4  # states of sessions
MOST_KEPT = 1 << 18  # most characters of a session's code for which we keep the state
kept = {}  # {what was read: the analysis after it}, the most recently used at the end


def key_of(cells, declared):
    return hashlib.sha256(repr((declared, [tuple(cell) for cell in cells])).encode("utf-8", "surrogatepass")).digest()


def analyse_cells(cells, declared):
    """The verdict on the last of [[number, code, failed], …], each read after those before it. A failed cell may have
    stopped at any place. If the others were read last time without findings, only the last is read."""
    policy, files = read_policy(declared), Files(declared)
    blocks, refusals, last = [], [], cells[-1][0] if cells else 0
    elsewhere = any(changes_directory(code) for _, code, _ in cells)
    before = key_of(cells[:-1], declared)
    analysis = kept.pop(before, None)
    if analysis is None or analysis.elsewhere != elsewhere:
        analysis, unread = Analysis(policy, files, elsewhere), cells
    else:
        unread = cells[-1:]
    for number, code, failed in unread:
        tree, mistakes = parsed(code.encode("utf-8", "surrogatepass"))
        if failed and mistakes and not has_habits(code):
            continue  # the compiler refused it, so nothing of it has run
        refusals += [moved(r, number * CELL) for r in mistakes]
        if tree and tree.body:
            ast.increment_lineno(tree, number * CELL)
            blocks.append([caught(tree.body)] if failed else tree.body)
    if not refusals:
        analysis.run(blocks)
        refusals = list(analysis.refusals.values())
        if not refusals and sum(len(code) for _, code, _ in cells) <= MOST_KEPT:
            kept[key_of(cells, declared)] = analysis
    elif unread is not cells:
        kept[before] = analysis
    while len(kept) > KEPT:
        del kept[next(iter(kept))]
    refusals.sort(key=lambda r: (r["line"], r["column"]))
    return {"schema": "retort.check/1", "verdict": "refused" if refusals else "accepted",
            "refusals": [placed(r, last) for r in refusals]}


def has_habits(code):
    """Whether it has magics and commands of notebooks, which run although they are no Python."""
    from . import notebook

    return notebook.translated(code) is not None


def caught(body):
    at = {"lineno": body[0].lineno, "col_offset": 0}
    handler = ast.ExceptHandler(type=None, name=None, body=[ast.Pass(**at)], **at)
    return ast.Try(body=body, handlers=[handler], orelse=[], finalbody=[], **at)


def moved(refusal, lines):
    line, words = refusal["line"] + lines, refusal["message"].partition(": ")[2]
    return {**refusal, "line": line, "message": "line %d: %s" % (line, words)}


def placed(refusal, last):
    """The same with the lines of cells; those of the last cell are reported without its number."""
    def told(text):
        return re.sub(r"\bline (\d{9,})", words, text)

    def words(found):
        cell, line = divmod(int(found.group(1)), CELL)
        return "line %d" % line if cell == last else "cell %d line %d" % (cell, line)

    cell, line = divmod(refusal["line"], CELL)
    out = {**refusal, "cell": cell, "line": line, "message": told(refusal["message"])}
    if "path" in out:
        out["path"] = [told(step) for step in out["path"]]
    if "line" in out.get("source", ()):
        cell, line = divmod(out["source"]["line"], CELL)
        out["source"] = {**out["source"], "cell": cell, "line": line}
    return out
