"""What stands behind get_ipython(): the magics that code in notebooks uses, and the shell.

Each magic is a function of its line, and of the body where it begins a cell; the first line of its
documentation is what %lsmagic says of it.
"""
import ast
import builtins
import io
import os
import re
import shlex
import subprocess
import sys
import time

from . import cell, hints, rich

QUOTED = re.compile(r"\{([^{}\n]+)\}|\$(\$|[^\W\d]\w*)")
INSTALL = re.compile(r"\s*(?:sudo\s+)?(?:\S*python[\d.]*\s+-m\s+|uv\s+)?"
                     r"(pip[\d.]*|conda|mamba|apt|apt-get)\s+((?:-\S+\s+)*install\b.*)", re.S)
ALIASES = ("cat", "cp", "head", "ll", "ls", "mkdir", "mv", "rm", "rmdir", "tail")
IGNORED = ("autoreload", "autosave", "colors", "config", "load_ext", "pdb", "precision", "reload_ext",
           "unload_ext", "xmode")
SHELL = next((path for path in ("/bin/bash", "/bin/sh") if os.path.exists(path)), None)


class UsageError(Exception):
    """A magic does not exist, or was called wrongly."""

    def __init__(self, message, hint=""):
        super().__init__(message)
        self.hint = hint


UsageError.__module__ = "builtins"  # tracebacks name it without a module, as IPython's


class Text(list):
    """The lines that a command wrote; as one text .n (lines) and .s (words)."""

    l = property(list)
    n = property(lambda self: "\n".join(self))
    s = property(lambda self: " ".join(self))


class Captured:
    """What %%capture has captured."""

    def __init__(self, stdout, stderr):
        self.stdout, self.stderr, self.outputs = stdout, stderr, []

    def show(self):
        sys.stdout.write(self.stdout)
        sys.stderr.write(self.stderr)

    __call__ = show
    __str__ = lambda self: self.stdout


class Events:
    def register(self, *_):
        """Calls nothing: a cell ends when its code does."""

    unregister = register


def note(text):
    print(text, file=sys.stderr)


# ---- Commands ----

def expanded(text, frame):
    """Replaces {expression} and $name by their values in the cell; leaves unknown ones to the shell."""

    def value(match):
        expression, name = match.groups()
        if name == "$":
            return "$"
        try:
            return str(eval(expression or name, frame.f_globals, frame.f_locals))
        except Exception:
            return match.group()

    return QUOTED.sub(value, text)


def spawn(command, **options):
    """Runs a command; its output goes where that of print() goes."""
    cell.flush()
    direct = sys.stdout is sys.__stdout__ and sys.stderr is sys.__stderr__
    if not direct:
        options.update(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    done = subprocess.run(command, errors="backslashreplace", **options)
    if not direct:
        sys.stdout.write(done.stdout)
        sys.stderr.write(done.stderr)
    return done.returncode


def system(command):
    asked = INSTALL.fullmatch(command)
    if asked:
        return installer(*asked.groups())
    spawn(command, shell=True, executable=SHELL)


def getoutput(command):
    """The lines of standard output; standard error is shown."""
    asked = INSTALL.fullmatch(command)
    if asked:
        installer(*asked.groups())
        return Text()
    cell.flush()
    done = subprocess.run(command, shell=True, executable=SHELL, stdout=subprocess.PIPE,
                          errors="backslashreplace")
    return Text(done.stdout.splitlines())


def installer(program, line):
    """Says what cannot be installed and what need not be."""
    words = [word for word in line.split()[1:] if not word.startswith("-")]
    names = [re.split(r"[\[=<>!~;@]", word.strip("\"'"))[0] for word in words]
    there = [name for name in names if name and is_installed(name)]
    missing = [name for name in names if name and name not in there]
    if there:
        note("%s: already installed: %s" % (program, ", ".join(there)))
    if missing or not there:
        note("%s: nothing can be installed here: %s.%s Use what is installed (%%pip"
             " list), or have whoever runs this session make an environment that has more (`retort env"
             " create`)." % (program, reach(), " Missing: %s." % ", ".join(missing) if missing else ""))


def reach():
    """Whether the session has network rules: then this variable names its gate."""
    if os.environ.get("HTTP_PROXY"):
        return "the network is the hosts that this session's rules allow"
    return "there is no network"


def is_installed(name):
    from importlib import metadata, util

    try:
        return bool(metadata.version(name))
    except Exception:
        return name.isidentifier() and bool(rich.guarded(util.find_spec, name)[0])


# ---- Python in magics ----

def moved(source, filename, line, column):
    """Compiles `source` as if it stood at this line and column of the file: (statements, expression)."""

    def compiler(text, filename, flags):
        tree = compile(text, filename, "exec", flags | ast.PyCF_ONLY_AST, True)
        for node in ast.walk(tree):
            if getattr(node, "lineno", None) == 1:
                node.col_offset += column
            if getattr(node, "end_lineno", None) == 1:
                node.end_col_offset += column
        ast.increment_lineno(tree, line - 1)
        value = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            value = compile(ast.Expression(tree.body.pop().value), filename, "eval", flags, True)
        return compile(tree, filename, "exec", flags, True) if tree.body else None, value

    return cell.compiled(source, filename, compiler)


def here(source, frame, line=None):
    """Compiles what a magic was given: a line of the cell, or all lines after the first."""
    file = frame.f_code.co_filename
    if line is None:
        return moved("\n" * frame.f_lineno + source, file, 1, 0)
    written = cell.sources.get(file, "").split("\n")[frame.f_lineno - 1 : frame.f_lineno]
    column = written[0].rfind(line) if written else 0
    return moved(source, file, frame.f_lineno, max(column, 0) + line.rfind(source))


def perform(code):
    """The value of the last expression."""
    statements, value = code
    if statements:
        cell.evaluate(statements)
    return cell.evaluate(value) if value else None


def in_place(code):
    """The same for code from here(): tracebacks leave out the line that called the magic, see errors.py."""
    return perform(code)


def seconds(value):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size * 0.9995:
            return "%.3g %s" % (value / size, unit)
    return "%.3g ns" % (value * 1e9)


def time_(line, body, frame):
    """how long a statement (or, as %%time, a cell) takes"""
    code = here(line, frame, line) if body is None else here(body, frame)
    wall, cpu = time.perf_counter(), os.times()
    try:
        return in_place(code)
    finally:
        end = os.times()
        took = seconds(time.perf_counter() - wall)
        user, own = end.user - cpu.user, end.system - cpu.system
        print("CPU times: user %s, sys: %s, total: %s\nWall time: %s"
              % (seconds(user), seconds(own), seconds(user + own), took))


class TimeitResult:
    def __init__(self, loops, times):
        self.loops, self.repeat, self.timings = loops, len(times), times
        self.average, self.best, self.worst = sum(times) / len(times), min(times), max(times)
        self.stdev = (sum((t - self.average) ** 2 for t in times) / len(times)) ** 0.5

    def __repr__(self):
        return "<TimeitResult : %s>" % self

    def __str__(self):
        return "%s ± %s per loop (mean ± std. dev. of %d run%s, %s loop%s each)" % (
            seconds(self.average), seconds(self.stdev), self.repeat, "s" * (self.repeat > 1),
            format(self.loops, ","), "s" * (self.loops > 1))


def timeit_(line, body, frame):
    """the mean time of many runs: %timeit [-n LOOPS] [-r RUNS] [-o] [-q] STATEMENT"""
    import timeit

    given, statement = options(line, "n:r:oq")
    code, setup = (body, statement or "pass") if body is not None else (statement, "pass")
    timer = timeit.Timer(code, setup, globals=frame.f_globals)
    loops = int(given.get("n", 0)) or timer.autorange()[0]
    result = TimeitResult(loops, [t / loops for t in timer.repeat(int(given.get("r", 7)), loops)])
    if "q" not in given:
        print(result)
    return result if "o" in given else None


def options(line, known):
    """({letter: value}, rest) of `-a -b VALUE rest`; "ab:" means that b takes a value."""
    given = {}
    while True:
        match = re.match(r"-([a-zA-Z])\s*", line)
        if not match or match.group(1) not in known:
            return given, line
        letter, line, value = match.group(1), line[match.end() :], True
        if letter + ":" in known:
            value, _, line = line.partition(" ")
            line = line.lstrip()
        given[letter] = value


def run(line, _, frame):
    """runs a file of Python, whose names are then here: %run [-i] FILE [ARGUMENTS]"""
    given, rest = options(line, "i")
    words = shlex.split(rest)
    if not words:
        raise UsageError("%run needs the name of a file")
    path = words[0] if os.path.exists(words[0]) else words[0] + ".py"
    with open(path, encoding="utf-8") as file:
        source = file.read()
    scope = cell.namespace if "i" in given else {
        "__name__": "__main__", "__file__": path, "__builtins__": builtins,
        "get_ipython": cell.get_ipython}
    arguments, sys.argv = sys.argv, words
    try:
        exec(compile(source, os.path.abspath(path), "exec"), scope)
    except SystemExit as e:
        if e.code:
            note("%s: exit status %s" % (path, e.code))
    finally:
        sys.argv = arguments
    cell.namespace.update((k, v) for k, v in scope.items() if not k.startswith("__"))


def capture(line, body, frame):
    """keeps what a cell prints in a variable: %%capture [NAME]"""
    import contextlib

    names = [word for word in line.split() if not word.startswith("-")]
    out = sys.stdout if "--no-stdout" in line else io.StringIO()
    err = sys.stderr if "--no-stderr" in line else io.StringIO()
    quiet, cell.state.quiet = cell.state.quiet, cell.state.quiet or "--no-display" not in line
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            in_place(here(body, frame))
    finally:
        cell.state.quiet = quiet
        if names:
            cell.namespace[names[0]] = Captured(*(
                s.getvalue() if isinstance(s, io.StringIO) else "" for s in (out, err)))


# ---- Files, names, environment ----

def cd(line, *_):
    """enters a directory"""
    os.chdir(os.path.expanduser(line.strip("\"'") or cell.state.work or "~"))
    print(os.getcwd())


def pwd(*_):
    """the working directory"""
    return os.getcwd()


def env(line, *_):
    """variables of the environment: %env, %env NAME, %env NAME=VALUE"""
    name, sign, value = line.partition("=") if "=" in line else line.partition(" ")
    if not name:
        return dict(os.environ)
    if not sign:
        if name not in os.environ:
            raise UsageError("%%env: there is no variable %s" % name)
        return os.environ[name]
    os.environ[name.strip()] = value.strip()
    print("env: %s=%s" % (name.strip(), value.strip()))


def own_names():
    from . import variables

    return sorted(n for n in variables.top_level(cell.namespace) if not n.startswith("_"))


def who(line, *_):
    """the names that cells have made: %who [TYPE]"""
    kinds = line.split()
    names = [n for n in own_names() if not kinds or rich.type_name(cell.namespace[n]) in kinds]
    print("\t".join(names) or "there are no names yet")


def who_ls(*_):
    """the names that cells have made, as a list"""
    return own_names()


def whos(*_):
    """the names that cells have made, with types and values"""
    rows = [("Variable", "Type", "Data/Info")]
    for name in own_names():
        value = cell.namespace[name]
        rows.append((name, rich.type_name(value), rich.short(value, 80)))
    wide = [max(len(row[i]) for row in rows) for i in (0, 1)]
    for name, kind, text in rows:
        print("%-*s   %-*s   %s" % (wide[0], name, wide[1], kind, text))


def reset(*_):
    """forgets all names"""
    for name in own_names():
        del cell.namespace[name]


def matplotlib(*_):
    """nothing: figures are shown without it"""


def pip(line, *_):
    """what is installed (%pip list, show); nothing can be installed"""
    if re.match(r"\s*(-\S+\s+)*(install|uninstall|download)\b", line):
        return installer("pip", line)
    if line.split()[:1] in (["list"], ["freeze"]):
        from importlib import metadata

        found = {d.metadata["Name"]: d.version for d in metadata.distributions()}
        return print("\n".join("%s==%s" % item for item in sorted(found.items()) if item[0]))
    spawn([sys.executable, "-m", "pip", *shlex.split(line)])


def conda(line, *_):
    """nothing can be installed"""
    installer("conda", line)


def lsmagic(*_):
    """these"""
    for sign, table in (("%", LINES), ("%%", CELLS)):
        for name, work in sorted(table.items()):
            print("%-14s %s" % (sign + name, (work.__doc__ or "").split("\n")[0]))


# ---- Cells of other kinds ----

def writefile(line, body, _):
    """writes the cell to a file: %%writefile [-a] FILE"""
    given, path = options(line, "a")
    path = os.path.expanduser(path.strip().strip("\"'"))
    if not path:
        raise UsageError("%%writefile needs the name of a file")
    done = "Appending to" if "a" in given else "Overwriting" if os.path.exists(path) else "Writing"
    with open(path, "a" if "a" in given else "w", encoding="utf-8") as file:
        file.write(body if body.endswith("\n") or not body else body + "\n")
    print(done, path)


def script(program, *names):
    def work(line, body, _):
        words = [word for word in shlex.split(line) if word not in ("-s", "--no-raise-error")]
        code = spawn([program, "-c", body, *names, *words])
        if code and "--no-raise-error" not in line:
            raise subprocess.CalledProcessError(code, os.path.basename(program))

    work.__doc__ = "runs the cell as a program of its own"
    return work


def sql(line, body, frame):
    """runs SQL on the session's database: %%sql [NAME <<], %sql SELECT …"""
    from . import sql

    if body is None:
        return sql.query(line)
    return sql.run("\n" * (frame.f_lineno - 1) + line + "\n" + body, frame.f_code.co_filename)


def shown(mime):
    def work(_, body, __):
        cell.display({mime: body}, raw=True)

    work.__doc__ = "shows the cell as %s" % mime
    return work


def alias(name):
    def work(line, *_):
        system("%s %s" % ("ls -l" if name == "ll" else name, line))

    work.__doc__ = "the command %s" % name
    return work


def ignored(name):
    def work(line, *_):
        note("%%%s %s: ignored, it has no use here" % (name, line))

    work.__doc__ = "ignored"
    return work


def shell_line(line, *_):
    """the lines that a command writes"""
    return getoutput(line)


LINES = {
    "cd": cd, "conda": conda, "env": env, "lsmagic": lsmagic, "mamba": conda,
    "matplotlib": matplotlib, "pip": pip, "pwd": pwd, "reset": reset, "run": run, "set_env": env,
    "sql": sql, "sx": shell_line, "system": shell_line, "time": time_, "timeit": timeit_, "who": who,
    "who_ls": who_ls, "whos": whos,
}
LINES.update((name, alias(name)) for name in ALIASES)
LINES.update((name, ignored(name)) for name in IGNORED)
CELLS = {
    "bash": script(SHELL, "bash"), "capture": capture, "file": writefile, "html": shown("text/html"),
    "HTML": shown("text/html"), "javascript": shown("application/javascript"),
    "js": shown("application/javascript"), "latex": shown("text/latex"),
    "markdown": shown("text/markdown"), "python": script(sys.executable),
    "python3": script(sys.executable), "sh": script("/bin/sh", "sh"), "sql": sql,
    "svg": shown("image/svg+xml"),
    "time": time_, "timeit": timeit_, "writefile": writefile,
}
VERBATIM = {"time", "timeit", "capture", "sql"}  # whose lines are Python or names: nothing is expanded


def unknown(sign, name, table):
    found = hints.closest(name, table)
    other = ("" if sign == "%%" or name not in CELLS else
             "%%" + name + " must stand in the first line of a cell. ")
    names = ", ".join(sign + n for n in sorted(table) if n not in IGNORED)
    return UsageError("there is no magic %s%s" % (sign, name), " ".join(filter(None, (
        other + hints.did_you_mean([sign + n for n in found]), "There are: " + names))))


# ---- get_ipython() ----

class Shell:
    """As much of IPython's shell as code in cells uses."""

    def __init__(self):
        self.config, self.events = {}, Events()
        self.ast_node_interactivity = "last_expr"

    @property
    def user_ns(self):
        return cell.namespace

    @property
    def execution_count(self):
        return cell.state.cell

    def run_line_magic(self, name, line="", _stack_depth=1):
        return self.perform("%", name, line, None, sys._getframe(1))

    def run_cell_magic(self, name, line, body):
        return self.perform("%%", name, line, body, sys._getframe(1))

    def magic(self, line):
        name, _, rest = line.lstrip("%").partition(" ")
        return self.perform("%", name, rest, None, sys._getframe(1))

    def perform(self, sign, name, line, body, frame):
        table = LINES if body is None else CELLS
        if name not in table:
            raise unknown(sign, name, table)
        return table[name](line if name in VERBATIM else expanded(line, frame), body, frame)

    def register_magic_function(self, function, magic_kind="line", magic_name=None):
        name = magic_name or function.__name__
        if "line" in magic_kind:
            LINES[name] = lambda line, body, _: function(line)
        if "cell" in magic_kind:
            CELLS[name] = lambda line, body, _: function(line, body)

    def system(self, command):
        system(expanded(command, sys._getframe(1)))

    def getoutput(self, command):
        return getoutput(expanded(command, sys._getframe(1)))

    def run_cell(self, code, **_):
        return perform(cell.compiled(code, "<run_cell>"))

    ex = run_cell

    def ev(self, expression):
        return eval(expression, cell.namespace)

    def ask(self, name, marks=1):
        """name? and name??"""
        if name.startswith("%"):
            work = (CELLS if name.startswith("%%") else LINES).get(name.lstrip("%"))
            return print(work.__doc__ if work else "there is no magic %s" % name)
        frame = sys._getframe(1)
        try:
            value = eval(name, frame.f_globals, frame.f_locals)
        except Exception:
            return print("Object `%s` not found." % name)
        print(description(name, value, marks > 1))


def description(name, value, source):
    import inspect

    parts = []
    if callable(value):
        parts.append(("Signature", name + str(rich.guarded(inspect.signature, value)[0] or "(…)")))
    else:
        parts += [("Type", rich.type_name(value)), ("Value", rich.short(value, 400))]
    text = rich.guarded(inspect.getsource, value)[0] if source else None
    if text:
        parts.append(("Source", "\n" + text.rstrip()))
    else:
        parts.append(("Docstring", rich.cut(rich.guarded(inspect.getdoc, value)[0] or "none", 8192)))
    file = rich.guarded(inspect.getfile, value)[0]
    return "\n".join("%-11s%s" % (head + ":", text) for head, text in parts + (
        [("File", file)] if file else []))


shell = Shell()
