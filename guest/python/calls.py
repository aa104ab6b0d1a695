"""Which functions of a session's cells were called with what, and what they answered: skills are made of it. `begin` is run before
the cells of a session are run again, `found` after them."""
import ast
import builtins
import inspect
import json
import symtable
import sys

from . import cell, rich, skill

NOTED = 200   # calls that are noted of one function
TOLD = 8      # calls that are reported of one function
BYTES = 16384  # of arguments or answers, as JSON
UNUSUAL = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

noted = {}  # code of a function: [(cell, in, out)]
begun = {}  # frame: what went in


def as_text(value):
    """The value as JSON text; None: it cannot be written as JSON."""
    try:
        text = json.dumps(skill.packed(value), default=rich.simplified, allow_nan=False, sort_keys=True)
    except Exception:  # of the user's own types, too
        return None
    return text if len(text) <= BYTES else None


def note(frame, event, value):
    code = frame.f_code
    if not code.co_filename.startswith("<cell ") or frame.f_globals is not cell.namespace:
        return
    if event == "call":
        usual = code.co_name.isidentifier() and not code.co_flags & UNUSUAL and code.co_flags & inspect.CO_NEWLOCALS
        if usual and len(noted.setdefault(code, [])) < NOTED:
            names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
            begun[frame] = as_text({name: frame.f_locals.get(name) for name in names})
    elif event == "return" and frame in begun:
        given, answer = begun.pop(frame), as_text(value)
        if given is not None and answer is not None and value is not None:  # an exception gives None, too
            noted[code].append((cell.state.cell, given, answer))


def begin():
    sys.setprofile(note)


# ---- What a function needs to stand alone ----

def literal(node):
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return False
    return True


def bound(node):
    """[(name, kind)] that a statement at the top level of a cell binds."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(a.asname or a.name.partition(".")[0], "import") for a in node.names if a.name != "*"]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [(node.name, "definition")]
    kind = "constant" if isinstance(node, ast.Assign) and len(node.targets) == 1 and literal(node.value) else "variable"
    return [(one.id, kind) for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]


def definitions():
    """{name: (order, kind, source)} after all cells have run."""
    found, order = {}, 0
    numbered = sorted((int(name[6:-1]), text) for name, text in cell.sources.items() if name.startswith("<cell ") and name[6:-1].isdigit())
    for _, text in numbered:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):  # a notebook's cell, or one that never ran
            continue
        for node in tree.body:
            order += 1
            for name, kind in bound(node):
                found[name] = (order, kind, ast.get_source_segment(text, node))
    return found


def globals_of(source):
    def below(table):
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
                yield symbol.get_name()
        for child in table.get_children():
            yield from below(child)

    return set(below(symtable.symtable(source, "<skill>", "exec")))


def whole(name, known):
    """(source of the function with everything it needs, None), or (None, the variable that it would need)."""
    wanted, taken = [name], {}
    while wanted:
        one = wanted.pop()
        if one in taken or (one not in known and hasattr(builtins, one)):
            continue
        if one not in known or known[one][1] == "variable":
            return None, one
        taken[one] = known[one]
        if known[one][1] == "definition":
            wanted += globals_of(known[one][2])
    ranks = {"import": 0, "constant": 1, "definition": 2}
    parts = sorted({(ranks[kind], order, text) for order, kind, text in taken.values()})
    gap = {0: "\n", 1: "\n", 2: "\n\n\n"}
    return "".join((gap[rank] if i else "") + text for i, (rank, _, text) in enumerate(parts)) + "\n", None


def chosen(calls):
    """A few calls, those with new answers first."""
    answers, first, later = set(), [], []
    for call in calls:
        (later if call[2] in answers else first).append(call)
        answers.add(call[2])
    return [{"cell": number, "in": json.loads(given), "out": json.loads(answer)} for number, given, answer in (first + later)[:TOLD]]


def found():
    sys.setprofile(None)
    known, told = definitions(), []
    for code, calls in noted.items():
        function = cell.namespace.get(code.co_name)
        if getattr(function, "__code__", None) is not code or known.get(code.co_name, (0, ""))[1] != "definition":
            continue
        distinct = dict.fromkeys(calls_of(calls))
        steady = len({given for _, given, _ in distinct}) == len(distinct)
        source, missing = whole(code.co_name, known)
        about = inspect.cleandoc(function.__doc__ or "").partition("\n\n")[0] if isinstance(function.__doc__, str) else ""
        told.append({"name": code.co_name, "description": " ".join(about.split()), "source": source, "missing": missing, "steady": steady,
                     "cell": int(code.co_filename[6:-1]), "calls": chosen(distinct), "order": known[code.co_name][0]})
    return sorted(told, key=lambda one: one["order"])


def calls_of(calls):
    """Each call once, where it was made first."""
    seen = {}
    for number, given, answer in calls:
        seen.setdefault((given, answer), number)
    return [(number, given, answer) for (given, answer), number in seen.items()]
