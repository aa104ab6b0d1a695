"""Did you mean …: what the author of the failing line probably wanted."""
import builtins
import errno
import os
import sys

from . import peek

# Names that code uses without having imported them.
USUAL = {
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "plt": "import matplotlib.pyplot as plt",
    "sns": "import seaborn as sns",
    "pl": "import polars as pl",
}
PARTS = {
    "collections": ("Counter", "defaultdict", "deque", "namedtuple", "OrderedDict"),
    "dataclasses": ("dataclass",),
    "datetime": ("timedelta",),
    "decimal": ("Decimal",),
    "fractions": ("Fraction",),
    "functools": ("partial", "reduce"),
    "math": ("ceil", "floor", "log", "pi", "sqrt"),
    "pathlib": ("Path",),
    "random": ("randint", "shuffle"),
}
for module, parts in PARTS.items():
    USUAL.update((part, "from %s import %s" % (module, part)) for part in parts)


# Packages whose name differs from that of their module.
PACKAGES = {
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "PIL": "pillow",
    "pptx": "python-pptx",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}


def closest(name, names, count=3):
    """Names like `name`: first those that differ only in case, then the most similar."""
    import difflib

    if not 0 < len(name) <= 200:
        return []
    names = [n for n in dict.fromkeys(names) if type(n) is str and len(n) < 200 and n != name]
    names = names[:5000]
    same = [n for n in names if n.lower() == name.lower()]
    alike = difflib.get_close_matches(name, names, count, 0.6)
    return (same + [n for n in alike if n not in same])[:count]


def did_you_mean(found):
    return "did you mean %s?" % " or ".join(found) if found else ""


def some(names, limit=12):
    names = [str(n)[:60] for n in names]
    return ", ".join(names[:limit]) + (", … (%d)" % len(names) if len(names) > limit else "")


def in_quotes(error, place):
    """A name that the message quotes, for Pythons whose exceptions do not carry the name."""
    parts = str(error).split("'")
    return parts[place] if len(parts) > 2 else ""


def hint(error, frame):
    for module, kind in (("magics", "UsageError"), ("sql", "SQLError")):  # these bring their own hints
        module = sys.modules.get("retort_guest." + module)
        if module and isinstance(error, getattr(module, kind)):
            return error.hint
    for kind, make in HINTS:
        if isinstance(error, kind):
            return make(error, frame) or ""
    return ""


def name_error(error, frame):
    name = getattr(error, "name", None) or in_quotes(error, 1)
    if name in USUAL:
        return "%s is not defined: %s" % (name, USUAL[name])
    if name in stdlib_names():
        return "%s is not defined: did you forget to import %s?" % (name, name)
    names = [n for scope in peek.scopes_of(frame.frame) for n in scope] if frame else dir(builtins)
    return did_you_mean(closest(name, names))


def stdlib_names():
    if hasattr(sys, "stdlib_module_names"):
        return sys.stdlib_module_names
    return found_on_path() | set(sys.builtin_module_names)


def found_on_path():
    import pkgutil

    return {module.name for module in pkgutil.iter_modules()}


def attribute_error(error, frame):
    name = getattr(error, "name", None) or in_quotes(error, -2)
    owner = getattr(error, "obj", None)
    if owner is None:
        owner = owner_on_line(name, frame)
    if owner is None:
        nothing = "'NoneType'" in str(error)
        return "the object is None: what made it returned nothing" if nothing else ""
    private = name.startswith("_")
    return did_you_mean(closest(name, [n for n in dir(owner) if private or not n.startswith("_")]))


def owner_on_line(name, frame):
    """The object before `.name` on the failing line; AttributeError carries it since 3.10."""
    for node in nodes_on_line(frame, "Attribute"):
        if node.attr == name:
            try:
                return peek.peek(node.value, peek.scopes_of(frame.frame))
            except peek.Unknown:
                pass
    return None


def nodes_on_line(frame, kind):
    """Nodes of one kind on the failing line."""
    import ast

    from .errors import lines_of

    if frame is None:
        return []
    try:
        tree = parsed("\n".join(lines_of(frame.file)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [n for n in ast.walk(tree)
            if type(n).__name__ == kind and n.lineno <= frame.line <= (n.end_lineno or n.lineno)]


def parsed(source):
    try:
        return compile(source, "<peek>", "exec", 0x400 | 0x2000, True)
    except SyntaxError:
        from .notebook import translated

        return compile(translated(source) or source, "<peek>", "exec", 0x400 | 0x2000, True)


def key_error(error, frame):
    key = error.args[0] if error.args else None
    for keys in keys_on_line(frame):
        if keys and key not in keys:
            found = [k for k in keys if str(k) == str(key)]
            for name in missing_names(key, keys) if not found else []:
                found += closest(name, keys)
            return did_you_mean(list(map(repr, found))) or "the keys are " + some(map(repr, keys))
    return ""


def missing_names(key, keys):
    """The missing names; pandas may name several, as "['a', 'b'] not in index"."""
    if type(key) is not str:
        return []
    if key.endswith(("not in index", "not found in axis", "are in the [columns]")):
        return [name for name in key.split("'")[1::2] if name not in keys][:3]
    return [key]


def keys_on_line(frame):
    """The keys of the object that is subscripted on the failing line; then those of the tables on that line, because a
    column's name is often an argument (groupby, sort_values, loc)."""
    scopes = peek.scopes_of(frame.frame) if frame else ()
    for kind in ("Subscript", "Name"):
        for node in nodes_on_line(frame, kind):
            try:
                value = peek.peek(node.value if kind == "Subscript" else node, scopes)
            except peek.Unknown:
                continue
            if kind == "Subscript" or peek.is_table(value):
                yield peek.keys(value)


def missing_module(error, _):
    name = error.name or ""
    root = name.partition(".")[0]
    installed = found_on_path() | set(stdlib_names())
    if root in sys.modules or root in installed:
        inside = [m.name for m in submodules(root)]
        found = closest(name.rpartition(".")[2], inside)
        return ("%s is installed, but has no module %s. %s"
                % (root, name, did_you_mean(found))).rstrip()
    found = closest(root, installed)
    text = ("%s is not installed, and nothing can be installed from here. Outside, `retort env create NAME --pip %s` makes an"
            " environment that has it, for sessions with `--environment NAME`." % (root, PACKAGES.get(root, root)))
    return text + (" Installed and alike: " + ", ".join(found) if found else "")


def submodules(root):
    import pkgutil

    module = sys.modules.get(root)
    return list(pkgutil.iter_modules(module.__path__)) if hasattr(module, "__path__") else []


def import_error(error, _):
    module = sys.modules.get(error.name or "")
    return did_you_mean(closest(in_quotes(error, 1), dir(module))) if module else ""


def missing_file(error, _):
    name = error.filename
    if not isinstance(name, str):
        return ""
    folder, base = os.path.split(name)
    try:
        entries = os.listdir(folder or ".")[:5000]
    except OSError:
        return "there is no directory %s" % folder
    found = closest(base, entries)
    if found:
        return did_you_mean([os.path.join(folder, f) for f in found])
    return "%s holds %s" % (folder or "the working directory", some(sorted(entries)) or "nothing")


def syntax_error(error, _):
    line = error.text.strip() if type(error.text) is str else ""
    if line.startswith("%%"):
        return "%s must stand in the first line of its cell" % line.split()[0]
    return ""


def unreachable(error, _):
    """A hint for a failed connection, of any library, if the session's isolation is the reason."""
    chain = []
    while isinstance(error, BaseException) and len(chain) < 20:
        chain.append(error)
        reason = getattr(error, "reason", None)
        error = reason if isinstance(reason, BaseException) else error.__cause__ or error.__context__
    names = {type(one).__name__ for one in chain}
    if "gaierror" in names or any(getattr(one, "errno", None) == errno.ENETUNREACH for one in chain):
        if os.environ.get("HTTPS_PROXY"):
            return "this session reaches the hosts that its rules allow, by the proxy in HTTPS_PROXY and in no other way"
        return ("this session has no network. Outside, `--allow HOST` (or `network` of session.create) lets a session"
                " reach that host.")
    if "ConnectionRefusedError" in names:
        return ("127.0.0.1 is this session itself, and nobody listens there. Outside, a rule"
                ' {"host": NAME, "ports": [PORT], "address": "127.0.0.1"} (`--network FILE`) gives a server of the host a name.')
    return ""


HINTS = (
    (ModuleNotFoundError, missing_module),
    (ImportError, import_error),
    (NameError, name_error),
    (AttributeError, attribute_error),
    (KeyError, key_error),
    (FileNotFoundError, missing_file),
    (SyntaxError, syntax_error),
    (OSError, unreachable),
)
