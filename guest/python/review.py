"""Review of code by rules that are data. The code is read, never run."""
import ast
import functools
import importlib.util
import json
import re
import sys
import warnings

SEVERITIES = ("block", "repair", "note")
LANGUAGES = ("python", "sql", "bash", "any")
LEVELS = {"block": "error", "repair": "warning", "note": "note"}
MEMBERS = {"id", "severity", "language", "message", "hint", "match", "bad", "good"}
MATCHES = {"text": str, "string": str, "statement": str, "assigned": str, "call": list, "import": list, "check": str,
           "computed": int, "keyword": dict}
FIRST = ("text", "string", "statement", "assigned", "call", "import", "check")


class BadRule(Exception):
    """A client's own rule is wrong; the message says how."""


# ---- Rules of clients ----

def read_rules(given):
    rules = given.get("rules") if isinstance(given, dict) else given
    if not isinstance(rules, list):
        raise BadRule('rules must be {"rules": […]}')
    return [read_rule(i, rule) for i, rule in enumerate(rules)]


def read_rule(i, rule):
    if not isinstance(rule, dict) or not isinstance(rule.get("id"), str) or not rule["id"]:
        raise BadRule("rules[%d] has no id" % i)
    what, rule = "rule " + rule["id"][:60], {"language": "python", "hint": "", **rule}
    if set(rule) - MEMBERS:
        raise BadRule("%s: there is no member %s" % (what, sorted(set(rule) - MEMBERS)[0]))
    for member in ("message", "hint"):
        if not isinstance(rule.get(member), str):
            raise BadRule("%s: %s must be text" % (what, member))
    for member, allowed in (("severity", SEVERITIES), ("language", LANGUAGES)):
        if rule.get(member) not in allowed:
            raise BadRule("%s: %s must be one of %s" % (what, member, ", ".join(allowed)))
    read_match(what, rule.get("match"))
    for member, expected in (("bad", True), ("good", False)):
        read_example(what, rule, member, expected)
    return rule


def read_match(what, match):
    if not isinstance(match, dict) or sum(key in match for key in FIRST) != 1:
        raise BadRule("%s: match must have one of %s" % (what, ", ".join(FIRST)))
    for key, value in match.items():
        if key not in MATCHES or not isinstance(value, MATCHES[key]):
            raise BadRule("%s: match.%s cannot be read" % (what, key))
    try:
        for key in ("text", "string", "statement", "assigned"):
            re.compile(match.get(key, ""))
    except re.error as e:
        raise BadRule("%s: %s" % (what, e)) from None
    if "check" in match and match["check"] not in CHECKS:
        raise BadRule("%s: there is no check %s" % (what, match["check"][:60]))


def read_example(what, rule, member, expected):
    """The examples of a rule are its tests."""
    if member in rule:
        language = "python" if rule["language"] == "any" else rule["language"]
        code = Code(str(rule[member]), language)
        if bool(list(found_by(rule, code))) != expected:
            raise BadRule("%s: its %s example %s" % (what, member, "is not found" if expected else "is found"))


# ---- The code ----

class Code:
    def __init__(self, text, language):
        self.text, self.language, self.tree, self.error = text, language, None, None
        if language == "python":
            try:
                self.tree = ast.parse(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
                self.error = e
        self.kinds, self.parents = {}, {}
        if self.tree:
            self.walk(self.tree)
        self.names = dict(imported(self.of(ast.Import, ast.ImportFrom)))
        self.named = self.statements = None

    def walk(self, tree):
        """Visits every node once, and notes its kind and its parent."""
        kinds, parents, ahead = self.kinds, self.parents, [tree]
        while ahead:
            node = ahead.pop()
            kind = type(node)
            if kind in kinds:
                kinds[kind].append(node)
            else:
                kinds[kind] = [node]
            for value in node.__dict__.values():
                if type(value) is list:
                    for item in value:
                        if isinstance(item, ast.AST):
                            parents[item] = node
                            ahead.append(item)
                elif isinstance(value, ast.AST) and value._fields:  # not an operator, nor Load or Store
                    parents[value] = node
                    ahead.append(value)

    def of(self, *kinds):
        """The nodes of these kinds."""
        return [node for kind in kinds for node in self.kinds.get(kind, ())]

    def strings(self):
        return [n for n in self.of(ast.Constant) if isinstance(n.value, str)]

    def assigned(self):
        """(node, target) of every assignment."""
        for node in self.of(ast.Assign, ast.AugAssign, ast.AnnAssign):
            for target in targets(node):
                yield node, target

    def dotted(self, node):
        """The dotted name as it is written, os.path.join, with imported names resolved."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            owner = self.dotted(node.value)
            return owner and owner + "." + node.attr
        return ""

    def calls(self):
        if self.named is None:
            self.named = [(node, self.dotted(node.func)) for node in self.of(ast.Call)]
        return self.named

    def above(self, node):
        while node in self.parents:
            node = self.parents[node]
            yield node


@functools.lru_cache(1)
def read(text, language):
    """Keeps the last one: code that looks for magics in a cell reads it before its rules do."""
    return Code(text, language)


def imported(nodes):
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, node.module + "." + alias.name


def statements(code):
    if code.statements is None:
        code.statements = list(split(code))
    return code.statements


def split(code):
    """(line, statement) of SQL or shell; for Python, the SQL that it executes."""
    if code.language == "sql":
        line, text = 1, re.sub(r"--[^\n]*|/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), code.text, flags=re.S)
        for part in re.findall(r"(?:'(?:[^']|'')*'|[^;'])+;?|'", text):
            yield line + len(part[: len(part) - len(part.lstrip())].split("\n")) - 1, part.strip()
            line += part.count("\n")
    elif code.language == "bash":
        for number, line in enumerate(code.text.split("\n"), 1):
            for part in re.split(r"(?<!\|)&&|;|(?<!\|)\|(?!\|)", re.sub(r"(?:^|\s)#.*", "", line)):
                yield number, part
    else:
        for node, name in code.calls():
            if name.rpartition(".")[2] in ("execute", "executescript", "executemany") and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    for _, statement in statements(Code(first.value, "sql")):
                        yield node.lineno, statement


# ---- What a cell runs ----

SHELLS, PYTHONS = ("bash", "sh", "shell", "sx", "system"), ("python", "python3", "py", "capture", "time", "timeit")
SHOWN = ("file", "html", "HTML", "latex", "markdown", "svg", "writefile")
UNREAD = ("cd", "conda", "env", "lsmagic", "mamba", "matplotlib", "pip", "pwd", "reset", "set_env", "who", "who_ls", "whos")


def pieces(text):
    """(lines before it, language, text) of everything that a cell runs. If the compiler refuses the cell, habits of
    notebooks are read as the session reads them. If we cannot know whether it will, both readings count."""
    code = read(text, "python")
    if code.error is None:
        yield from python_pieces(code)
    if code.error is not None or not compiles(code):
        yield from notebook_pieces(text)


def compiles(code):
    """Whether the session's compiler will certainly accept it. For the compiler, a lone \\r ends a line; for the habits
    it does not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code.tree, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return "\r" not in code.text.replace("\r\n", "\n")


def notebook_pieces(text):
    from . import notebook

    head = notebook.CELL.match(text)
    if head:
        before = head.group().count("\n")
        yield from magic_pieces(before, head.group(1), head.group(2).strip(), text[head.end() :])
    else:
        yield from python_pieces(read(notebook.translated(text) or text, "python"))


def python_pieces(code):
    yield 0, "python", code.text
    for node in code.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and code.dotted(getattr(node.func.value, "func", None)) == "get_ipython":
            for before, language, piece in shell_pieces(node.func.attr, [constant(a) for a in node.args]):
                yield node.lineno - 1 + before, language, piece


def magic_pieces(before, name, line, body):
    """The pieces of %%NAME, or of %NAME without a body. An unknown name counts as a language of its own."""
    from . import magics

    for expression in expressions(line) if name not in magics.VERBATIM else ():
        yield max(before - 1, 0), "python", expression
    if name in PYTHONS:
        statement = magics.options(line, "n:r:oq")[1] if name == "timeit" else line if body is None else ""
        for start, text in ((max(before - 1, 0), statement), (before, body or "")):
            for lines, language, piece in pieces(text) if text.strip() else ():
                yield start + lines, language, piece
    elif name == "sql" and body is not None:
        yield max(before - 1, 0), "sql", line + "\n" + body
    elif name == "sql":
        yield before, "sql", line
    elif name in SHELLS:
        yield before, "bash", line if body is None else body
    elif name in magics.ALIASES and body is None:
        yield before, "bash", name + " " + line
    elif name in SHOWN:
        yield before, "text", body or ""
    elif body is not None or name not in UNREAD + magics.IGNORED:
        yield before, name, line if body is None else body


def expressions(line):
    """The Python in {…} in the line of a magic or a command; anything else is left to the shell."""
    from . import magics

    for expression, _ in magics.QUOTED.findall(line):
        if expression and read(expression.strip(), "python").error is None:
            yield expression.strip()


def shell_pieces(method, words):
    """The pieces of get_ipython().METHOD(WORDS); a word that is computed is None."""
    name, *rest = [word if isinstance(word, str) else "" for word in words] or [""]
    if method in ("system", "getoutput"):
        yield 0, "bash", name
        for expression in expressions(name):
            yield 0, "python", expression
    elif method in ("run_cell", "ex", "ev"):
        yield from pieces(name)
    elif method == "run_line_magic":
        yield from magic_pieces(0, name, "".join(rest[:1]), None)
    elif method == "magic":
        name, _, line = name.lstrip("%").partition(" ")
        yield from magic_pieces(0, name, line, None)
    elif method == "run_cell_magic":
        yield from magic_pieces(0, name, "".join(rest[:1]), "".join(rest[1:2]))


# ---- What a rule matches ----

def found_by(rule, code):
    """The lines and columns that a rule finds."""
    match = rule["match"]
    if "text" in match:
        for found in re.finditer(match["text"], code.text):
            before = code.text[: found.start()]
            yield before.count("\n") + 1, found.start() - before.rfind("\n")
    elif "statement" in match:
        for line, statement in statements(code):
            if statement.strip() and re.search(match["statement"], statement):
                yield line, 1
    elif "check" in match:
        for node in CHECKS[match["check"]](code):
            yield node.lineno, node.col_offset + 1
    else:
        for node in nodes_of(match, code):
            yield node.lineno, node.col_offset + 1


def nodes_of(match, code):
    if "string" in match:
        return [n for n in code.strings() if re.search(match["string"], n.value)]
    if "assigned" in match:
        return [t for _, t in code.assigned() if isinstance(t, ast.Attribute) and re.search(match["assigned"], code.dotted(t))]
    if "import" in match:
        return [n for n in code.of(ast.Import, ast.ImportFrom) if any(m == w or m.startswith(w + ".") for m in modules(n) for w in match["import"])]
    return [n for n, name in code.calls() if name in match["call"] and arguments_match(match, n)]


def arguments_match(match, call):
    if "computed" in match and (len(call.args) <= match["computed"] or isinstance(call.args[match["computed"]], ast.Constant)):
        return False
    given = {k.arg: k.value.value for k in call.keywords if isinstance(k.value, ast.Constant)}
    return all(key in given and given[key] == value for key, value in match.get("keyword", {}).items())


def targets(node):
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []


def modules(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []


# ---- Checks that need more than a pattern ----

def constant(node):
    """A literal value, or `None`."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def password(code):
    name = re.compile(r"(?i)(?:^|_)(?:passw(?:or)?d|passwd|secret|api_?key|auth_?token)$")
    for node, target in code.assigned():
        word = target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""
        if name.search(word) and node.value:
            value = constant(node.value)
            if isinstance(value, str) and len(value) >= 8 and not re.search(r"(?i)example|xxx|<|\$|\*\*\*|your", value):
                yield node


def decoded_code(code):
    decoders = re.compile(r"(?:b64|b32|b16|b85|a85)decode$|^codecs\.decode$|fromhex$|^zlib\.decompress$|^marshal\.loads$|unhexlify$")
    run = [node for node, name in code.calls() if name in ("exec", "eval", "compile", "builtins.exec", "builtins.eval")]
    decoded = {t.id for n in code.of(ast.Assign) if has_call(code, n.value, decoders) for t in n.targets
               if isinstance(t, ast.Name)} if run else set()
    for node in run:
        if node.args:
            inside = {n.id for n in ast.walk(node.args[0]) if isinstance(n, ast.Name)}
            if inside & decoded or has_call(code, node.args[0], decoders):
                yield node


def has_call(code, tree, names):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = code.dotted(node.func) or (node.func.attr if isinstance(node.func, ast.Attribute) else "")
            if names.search(name):
                return True
    return False


def built(node):
    """Text that is put together from parts that are not literal."""
    if isinstance(node, ast.JoinedStr):
        return any(isinstance(part, ast.FormattedValue) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)):
        texts = [n for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        return bool(texts) and any(isinstance(n, (ast.Name, ast.Call, ast.Attribute, ast.Subscript)) for n in ast.walk(node))
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format" and \
        isinstance(node.func.value, ast.Constant)


def built_sql(code):
    word = re.compile(r"(?is)^\s*(?:select|insert|update|delete|replace|with|create|drop|alter)\b")
    queries = {t.id: n.value for n in code.of(ast.Assign) if built(n.value) for t in n.targets if isinstance(t, ast.Name)}
    for node, name in code.calls():
        last = name.rpartition(".")[2] or (node.func.attr if isinstance(node.func, ast.Attribute) else "")
        if last in ("execute", "executescript", "executemany", "read_sql", "read_sql_query") and node.args:
            first = node.args[0]
            first = queries.get(first.id, first) if isinstance(first, ast.Name) else first
            texts = [n.value for n in ast.walk(first) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
            if built(first) and any(word.search(text) for text in texts):
                yield node


def built_name(code):
    for node, name in code.calls():
        if name in ("getattr", "setattr", "delattr") and len(node.args) > 1 and \
                isinstance(node.args[1], (ast.BinOp, ast.JoinedStr, ast.Call)):
            yield node


TEST_FILE = re.compile(r"(?:^|/)(?:tests?/.*|test_[^/]*|[^/]*_test\.\w+|conftest\.py|pytest\.ini)$")
WRITERS = re.compile(r"(?:^|\.)(?:write_text|write_bytes|unlink|remove|rename|replace|rmtree|copy|copyfile|move|truncate)$")


def edited_test(code):
    for node, name in code.calls():
        opens = name in ("open", "io.open")
        if not opens and not WRITERS.search(name or (node.func.attr if isinstance(node.func, ast.Attribute) else "")):
            continue
        words = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        tested = any(TEST_FILE.search(word) for word in words if "\n" not in word)
        if tested and opens and any(set(w) <= set("wax+bt") and set(w) & set("wax+") for w in words[1:]):
            yield node
        elif tested and not opens:
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            if name.startswith(("os.", "shutil.")) or isinstance(owner, ast.Call):
                yield node


def empty_assertion(code):
    """Only in a test; elsewhere `assert True` harms nobody."""
    said = [(node, node.test) for node in code.of(ast.Assert)]
    said += [(node, node.args[0]) for node in code.of(ast.Call)
             if isinstance(node.func, ast.Attribute) and node.func.attr == "assertTrue" and node.args]
    for node, condition in said:
        if always(condition) and any(isinstance(f, ast.FunctionDef) and f.name.startswith("test") for f in code.above(node)):
            yield node


def always(node):
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
        calls = any(isinstance(n, ast.Call) for n in ast.walk(node))
        return not calls and ast.dump(node.left) == ast.dump(node.comparators[0])
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        return any(map(always, node.values))
    return isinstance(node, ast.Constant) and bool(node.value) or isinstance(node, ast.Tuple) and bool(node.elts)


def exit_zero(code):
    """At the end of a program's own main part it is honest."""
    for node, name in code.calls():
        if name in ("sys.exit", "exit", "quit", "os._exit"):
            zero = not node.args or constant(node.args[0]) in (0, None) and isinstance(node.args[0], ast.Constant)
            if zero and not in_main(code, node):
                yield node
    for node in code.of(ast.Raise):
        if isinstance(node.exc, ast.Call) and code.dotted(node.exc.func) == "SystemExit" and \
                (not node.exc.args or constant(node.exc.args[0]) == 0) and not in_main(code, node):
            yield node


def in_main(code, node):
    """Under `if __name__ == …`, in a function with the name of a program's main part, or under any condition of a
    script."""
    for above in code.above(node):
        if isinstance(above, ast.If):
            return True
        if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if any(isinstance(n, ast.Call) and code.dotted(n.func) == "os.fork" for n in ast.walk(above)):
                return True
            return above.name in ("main", "run", "cli", "usage", "stop", "quit", "exit", "handler", "shutdown") or above.name.startswith(("do_", "on_", "cmd_"))
    return False


def comparator(code):
    for node in code.of(ast.FunctionDef):
        if node.name in ("__eq__", "__ne__") and len(node.args.args) == 2:
            body = [s for s in node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
            if len(body) == 1 and isinstance(body[0], ast.Return) and constant(body[0].value) is (node.name == "__eq__"):
                yield node
    for node, target in code.assigned():
        if isinstance(target, ast.Attribute) and target.attr in ("__eq__", "assertEqual", "assert_equal", "assertAlmostEqual"):
            yield node


def special_case(code):
    for test in code.of(ast.If):
        answer = test.body[0]
        if isinstance(answer, ast.Return) and answer.value is not None and telling(constant(answer.value)) and \
                any(telling(compared(test.test, {a.arg for a in f.args.args})) for f in code.above(test)
                    if isinstance(f, ast.FunctionDef) and not f.name.startswith("__")):
            yield test


def compared(test, names):
    """The literal that a parameter is compared with."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        for here, there in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
            if isinstance(here, ast.Name) and here.id in names:
                return constant(there)
    return None


def telling(value):
    """No value with which every algorithm begins, and no name for something."""
    if isinstance(value, (list, tuple, dict, set)):
        return len(value) > 1
    if isinstance(value, str):
        return len(value) > 12 or " " in value
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) > 12


def endless(code):
    for node in code.of(ast.While):
        if constant(node.test) in (True, 1) and not leaves(node.body):
            yield node


def leaves(statements, inner=False):
    for node in statements:
        if isinstance(node, (ast.Return, ast.Raise)) or isinstance(node, ast.Break) and not inner:
            return True
        if any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await)) for n in ast.walk(node)):
            return True
        calls = [n.func for n in ast.walk(node) if isinstance(n, ast.Call)]
        if any(getattr(f, "attr", getattr(f, "id", "")) in ("exit", "_exit", "quit", "next", "recv", "accept", "readline", "get", "input", "sleep")
               for f in calls):
            return True
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            continue
        loop = inner or isinstance(node, (ast.For, ast.While))
        parts = [p for name in ("body", "orelse", "finalbody") for p in getattr(node, name, [])]
        parts += [p for h in getattr(node, "handlers", []) + getattr(node, "cases", []) for p in h.body]
        if parts and leaves(parts, loop):
            return True
    return False


def huge_range(code):
    for node, name in code.calls():
        if name != "range" or not any(number(a) >= 10**9 for a in node.args):
            continue
        used = isinstance(code.parents.get(node), (ast.For, ast.comprehension)) or \
            any(code.dotted(a.func) in ("list", "sum", "tuple") for a in code.above(node) if isinstance(a, ast.Call))
        if used and not (isinstance(code.parents.get(node), ast.For) and leaves(code.parents[node].body)):
            yield node


def number(node):
    """A literal number, also as 10**9 or 5 * 10**9."""
    if isinstance(node, ast.BinOp):
        a, b = number(node.left), number(node.right)
        if isinstance(node.op, ast.Pow):
            return a**b if 0 <= b <= 64 and abs(a) <= 1000 else 0
        return a * b if isinstance(node.op, ast.Mult) else 0
    value = constant(node)
    return value if isinstance(value, (int, float)) else 0


def silent(code):
    for node in code.of(ast.ExceptHandler):
        if (node.type is None or code.dotted(node.type) in ("Exception", "BaseException")) and \
                all(isinstance(s, (ast.Pass, ast.Continue)) for s in node.body):
            yield node


def unseeded(code):
    if any(name in ("random.seed", "numpy.random.seed", "numpy.random.default_rng", "random.Random") for _, name in code.calls()):
        return
    drawn = [node for node, name in code.calls()
             if name.startswith(("random.", "numpy.random.")) and name not in ("random.SystemRandom",)]
    if drawn:
        yield min(drawn, key=lambda node: (node.lineno, node.col_offset))


def installs(code):
    for node, name in code.calls():
        if name.startswith(("subprocess.", "os.system", "os.popen")):
            words = " ".join(n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))
            if re.search(r"\b(?:pip3?|conda|npm|apt(?:-get)?)\s+(?:-\S+\s+)*install\b", words):
                yield node
        elif name in ("pip.main", "pip._internal.main", "ensurepip.bootstrap"):
            yield node


def missing_module(code):
    for node in code.of(ast.Import, ast.ImportFrom):
        optional = any(isinstance(above, ast.Try) for above in code.above(node))
        for name in modules(node) if not optional else ():
            root = name.partition(".")[0]
            if root not in ("tools", "skills", "__main__") and not exists(root):
                yield node


def exists(root):
    if root in sys.modules:  # as find_spec does, but faster
        return True
    try:
        return importlib.util.find_spec(root) is not None
    except (ImportError, ValueError):
        return False


CHECKS = {check.__name__: check for check in (
    password, decoded_code, built_sql, built_name, edited_test, empty_assertion, exit_zero, comparator, special_case, endless,
    huge_range, silent, unseeded, installs, missing_module)}


# ---- The verdict ----

def applies(rule, code):
    return rule["language"] in ("any", code.language) or rule["language"] == "sql" and code.language == "python"


def review(text, language, own=(), cell=False):
    """Reviews a program; in a cell, also the code in magics of notebooks."""
    found = {}
    for before, kind, piece in pieces(text) if cell and language == "python" else ((0, language, text),):
        for finding in findings_of(read(piece, kind), own):
            finding["line"] += before
            found.setdefault((finding["rule"], finding["line"], None if cell else finding["column"]), finding)
    findings = sorted(found.values(), key=lambda f: (f["line"], f["column"], f["rule"]))
    worst = min((SEVERITIES.index(f["severity"]) for f in findings), default=None)
    return {"schema": "retort.review/1", "language": language, "verdict": "clean" if worst is None else SEVERITIES[worst],
            "findings": findings}


def findings_of(code, own):
    from .rules import RULES

    if code.error is not None:
        yield unreadable("syntax", "is no Python", str(getattr(code.error, "msg", code.error)), getattr(code.error, "lineno", None) or 1)
    elif code.language not in (*LANGUAGES, "text"):
        yield unreadable("language", "there are no rules for %s" % code.language, "write it in Python, SQL or bash")
    for rule in (*RULES, *own):
        for line, column in sorted(set(found_by(rule, code))) if applies(rule, code) else ():
            yield {"rule": rule["id"], "severity": rule["severity"], "line": line, "column": column,
                   "message": rule["message"], "hint": rule["hint"]}


def unreadable(rule, message, hint, line=1):
    return {"rule": rule, "severity": "block", "line": line, "column": 1, "message": message, "hint": hint}


def analyse(data, options, own):
    rules = read_rules(json.loads(own)) if own is not None else []
    try:
        verdict = review(data.decode("utf-8"), options["language"], rules, options.get("cell"))
    except UnicodeDecodeError:
        verdict = {"schema": "retort.review/1", "language": options["language"], "verdict": "block",
                   "findings": [unreadable("syntax", "is no UTF-8", "")]}
    return sarif(verdict, options["file"], rules) if options.get("sarif") else verdict


def sarif(verdict, file, own):
    """The verdict in the form that pipelines read: SARIF 2.1.0."""
    from .rules import RULES

    known = {rule["id"]: rule for rule in (*RULES, *own)}
    used = dict.fromkeys(f["rule"] for f in verdict["findings"])
    described = [{"id": id, "shortDescription": {"text": known[id]["message"]}, "help": {"text": known[id]["hint"]},
                  "defaultConfiguration": {"level": LEVELS[known[id]["severity"]]}} if id in known else {"id": id} for id in used]
    results = [{"ruleId": f["rule"], "level": LEVELS[f["severity"]],
                "message": {"text": f["message"] + (": " + f["hint"] if f["hint"] else "")},
                "locations": [{"physicalLocation": {"artifactLocation": {"uri": file},
                                                    "region": {"startLine": f["line"], "startColumn": f["column"]}}}]}
               for f in verdict["findings"]]
    return {**verdict, "sarif": {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
        "runs": [{"tool": {"driver": {"name": "retort review", "rules": described}}, "results": results}]}}
