"""Runs cells in one namespace, the way a notebook does, and answers each with one RESULT frame.

The path from start to the result of a plain print imports nothing but these three modules;
everything else (values, errors, variables, tools, checkpoints) lives in modules that are imported
when first needed, and so is `site`.
"""
import _signal
import _thread
import gc
import posix
import sys
from builtins import compile, eval, exec, open, print  # cells may replace the global ones

from . import channel, hooks

OK, ERROR, EXIT, INTERRUPTED = range(4)
QUIET, SCRIPT = 1, 2
STRING = "<string>"  # the file name of a program without one
SHORT = 1000
IDLE = "<idle>"  # the file name of code that runs in idle time
PAUSE = 0.02  # seconds without a frame after which a new interpreter counts as idle
ONLY_AST, TOP_LEVEL_AWAIT, FUTURES = 0x400, 0x2000, 0x1FE0000
COROUTINE = 0x80
Expression = None  # the type of a syntax tree, set with the first one, without importing _ast

# Words that begin a line which is no expression.
STATEMENTS = frozenset(
    "import from pass del raise assert return global nonlocal break continue for while if with try"
    " def class async".split())

get_name = type.__dict__["__name__"].__get__  # does not ask the metaclass, which may be the user's

main = type(sys)("__main__")
namespace = main.__dict__
injected = set()  # names put there by the guest itself
sources = {}  # file name to source, for tracebacks
here = __file__.rpartition("/")[0]

# Modules whose users cannot notice whether `site` has run: they neither look at sys.path nor start another Python, nor
# import anything that is not Python's own.
PLAIN = frozenset((
    "__future__ abc array base64 bisect bz2 calendar cmath collections contextlib copy csv"
    " dataclasses datetime decimal difflib enum fractions functools glob hashlib heapq io itertools"
    " json lzma math numbers os pathlib pprint queue random re secrets shutil statistics string"
    " struct tempfile textwrap threading time typing unicodedata zlib").split())
PYTHONS_OWN = getattr(sys, "stdlib_module_names", frozenset())  # from Python 3.10 on
# Names of builtins and attributes through which code reaches anything else.
WAYS_OUT = frozenset((
    "exit quit help copyright credits license eval exec compile getattr globals locals vars dir"
    " breakpoint __import__ __builtins__ __loader__ __spec__ __globals__ __dict__ __self__"
    " __subclasses__ __getattribute__").split())


class State:
    """What is known of the session and of the running cell. An object, because setting an attribute of a class makes
    Python drop its caches of classes."""

    def __init__(self):
        self.bare = bool(sys.flags.no_site)  # `site` has not run yet
        self.futures = 0  # `from __future__` of earlier cells
        self.loop = None
        self.handler = _signal.default_int_handler  # SIGINT as the user's code left it
        self.language = None  # a module that runs the cell, if it is not Python
        self.work = None  # the session's own directory
        self.cell = 0
        self.running = False
        self.quiet = False  # only the outcome is wanted: a replay
        self.script = False  # a program whose output is read
        self.wordless = False  # no cell will follow to use `_`: a syntax tree costs a millisecond
        self.displays = 0  # how many this cell sent, and their bytes
        self.bytes = 0
        self.final = None  # JSON text of final_answer()
        self.threads = 0  # threads that no longer exist, but that _thread counts after a fork
        self.shim = None  # of a deterministic session


state = State()


class FinalAnswer(BaseException):
    """Ends the cell; no Exception, so that `except Exception` does not catch it."""


def final_answer(value=None):
    from .rich import TEXT, to_json

    text = to_json(value)
    if len(text) > TEXT:
        raise ValueError("a final answer may have %d bytes of JSON; this one has %d"
                         % (TEXT, len(text)))
    state.final = text
    raise FinalAnswer


def display(*objects, **options):
    """Shows objects in their richest form."""
    from .rich import show

    return show(objects, **options)


def get_ipython():
    """For code of notebooks. Only cells that mention the name have it: libraries that find it among the builtins take
    the interpreter for IPython."""
    import_site()
    from .magics import shell

    return shell


def idle(*_):
    """For signals that do nothing, such as SIGINT between cells."""


def unraisable(lost):
    """An interrupt that strikes a finalizer or a weakref's callback is raised again."""
    if state.running and lost.exc_type is KeyboardInterrupt:
        # From a thread, because here it would be lost again.
        again = channel.main_thread, _signal.SIGINT
        _thread.start_new_thread(_signal.pthread_kill, again)
    else:
        sys.__unraisablehook__(lost)


def serve(prepared=False, waited=False):
    """Sends READY, then answers frames until the channel is closed. `prepared`: the zygote has prepared it, for a
    client that has its first cell ready if `waited`."""
    born()
    if not prepared:
        prepare()
    greet()
    if prepared and not waited and not channel.spoken(PAUSE):
        breathe()
    loop()


def born(fd=channel.FD):
    channel.born()
    _signal.signal(_signal.SIGINT, idle)
    _signal.signal(_signal.SIGURG, idle)  # ends a system call that waits, so that SIGINT is noticed
    posix.set_inheritable(fd, False)


def greet(fd=channel.FD):
    channel.reply(channel.READY, [(channel.F_VERSION, sys.version.split()[0]),
                                  (channel.F_PID, channel.owner)], fd)


def breathe():
    """After a fork the first write to each page copies it. Does in idle time what each cell does, so that the next cell
    finds its pages copied; runs and changes nothing of the user's."""
    if tables():
        return  # looking at them would run more than a cell needs, and copy a megabyte
    if b"RETORT_DETERMINISTIC" in posix.environ:
        return  # what it leaves on the heap would show how long nobody sent anything
    number, word, ends = state.cell, namespace.get("_", namespace), []
    try:
        ends += posix.pipe()
        channel.write(channel.encode(channel.CELL, [
            (channel.F_CELL, number), (channel.F_FLAGS, 0), (channel.F_FILENAME, IDLE),
            (channel.F_CODE, "0\n1+1")]), ends[1])
        step(*ends)
    except Exception:
        pass
    namespace["_"] = word
    if word is namespace:
        del namespace["_"]
    for end in ends:
        posix.close(end)
    forget(IDLE)
    state.cell, state.running = number, False


def tables():
    """Whether the session has dataframes."""
    variables = sys.modules.get("retort_guest.variables")
    return variables and variables.tables


def loop():
    while True:
        step()


def step(fd=channel.FD, to=channel.FD):
    """Answers the next frame."""
    kind, fields = channel.receive(fd)
    answer = ANSWERS.get(kind)
    if answer:
        if kind not in (channel.HELLO, channel.CELL):
            import_site()
        answer(fields, to)


def oom_score(value):
    """Lets the kernel kill the live interpreter before its dormant checkpoint. (A raised score may be lowered.)"""
    try:
        with open("/proc/self/oom_score_adj", "wb", 0) as f:
            f.write(b"%d" % value)
    except OSError:
        pass


def prepare():
    import builtins

    sys.modules["__main__"] = main
    namespace.update(__builtins__=builtins)
    builtins.display, builtins.final_answer = display, final_answer
    sys.argv = [""]
    sys.unraisablehook = unraisable
    hooks.after_import("linecache",
                       lambda module: module.cache.update(map(line_entry, list(sources))))
    hooks.after_import("matplotlib.figure", lambda module: rich_plots().hook_figure(module))
    hooks.after_import("matplotlib.axes", lambda module: rich_plots().hook_axes(module))
    hooks.after_import("matplotlib.pyplot", lambda module: rich_plots().hook_pyplot(module))
    for name in ("IPython.core.display_functions", "IPython.core.display"):  # since 7.23, before
        hooks.after_import(name, hook_ipython)
    hooks.stand_in("IPython", ipython_spec)
    open_streams()


def ipython_spec():
    """A module for code that imports IPython for its display(), if it is not installed."""
    from .ipython import spec

    return spec()


def hook_ipython(module):
    from . import rich

    rich.hook_ipython(module)


def rich_plots():
    from . import plots

    return plots


def open_streams():
    """Makes streams write line by line and refuse no text, and opens closed ones again."""
    for name, original, fd in (("stdout", "__stdout__", 1), ("stderr", "__stderr__", 2)):
        stream = getattr(sys, name, None)
        try:
            if stream is None or stream.closed:
                stream = open(fd, "w", closefd=False)
                setattr(sys, name, stream)
                setattr(sys, original, stream)
            if stream is getattr(sys, original) and not (
                    stream.line_buffering and stream.errors == "backslashreplace"
                    and stream.encoding == "utf-8"):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
        except Exception:
            pass  # replaced by an object of the user, or the descriptor is gone
    try:
        if sys.stdin is None or sys.stdin.closed:  # exit() closes it
            sys.stdin = open(0, closefd=False)
    except Exception:
        pass


def flush():
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()
        except Exception:
            pass


def hello(fields, _):
    state.work = posix.getcwd()
    names = [channel.text(data) for tag, data in fields if tag == channel.F_NAME]
    values = [channel.text(data) for tag, data in fields if tag == channel.F_DATA]
    if names:
        import os

        for name, value in zip(names, values):  # update() would check what a mapping is, which is slow
            os.environ[name] = value
    for tag, data in fields:
        if tag == channel.F_SEED:
            seed = channel.number(data)
            if b"RETORT_DETERMINISTIC" in posix.environ:
                from .deterministic import begin

                state.shim = begin(seed)
            hooks.after_import("random", lambda module: module.seed(seed))
            hooks.after_import("numpy.random", lambda module: module.seed(seed & 0xFFFFFFFF))


def line_entry(filename):
    lines = sources[filename].split("\n")
    lines = [line + "\n" for line in lines]
    return filename, (len(sources[filename]), None, lines, filename)


def remember(filename, source):
    sources[filename] = source
    linecache = sys.modules.get("linecache")
    if linecache:
        linecache.cache.update([line_entry(filename)])


def forget(filename):
    sources.pop(filename, None)
    linecache = sys.modules.get("linecache")
    if linecache:
        linecache.cache.pop(filename, None)


def compiled(source, filename, compiler=None):
    """Code of the statements, and code of the last expression; None where there are none."""
    # From 3.13 on, some Pythons remember warnings of compile() here, by text and line only.
    globals().pop("__warningregistry__", None)
    flags = state.futures | TOP_LEVEL_AWAIT
    compiler = compiler or (whole if state.wordless else split)
    try:
        body, last = compiler(source, filename, flags)
    except (RecursionError, MemoryError):  # deeply nested, but perhaps not too deep for the compiler alone
        body, last = whole(source, filename, flags)
    except SyntaxError as e:
        from . import notebook

        body, last = notebook.compiled(compiler, source, filename, flags, e)
    state.futures |= body.co_flags & FUTURES if body else 0
    return body, last


def whole(source, filename, flags):
    return compile(source, filename, "exec", flags, True), None


def expression(source, filename, flags):
    """Compiles a cell that is just an expression in one line, without a syntax tree; None if it is, or may be, more."""
    if ("=" in source or ";" in source or "\\" in source or "\n" in source.rstrip("\n")
            or source[:1].isspace() or source.split(" ", 1)[0] in STATEMENTS):
        return None
    try:
        return compile(source, filename, "eval", flags, True)
    except (SyntaxError, ValueError):
        return None


def split(source, filename, flags):
    global Expression
    last = expression(source, filename, flags)
    if last:
        return None, last
    Expression = Expression or type(compile("0", "", "eval", ONLY_AST, True))
    tree = compile(source, filename, "exec", flags | ONLY_AST, True)
    if not tree.body or type(tree.body[-1]).__name__ != "Expr":
        return compile(tree, filename, "exec", flags, True), None
    last = Expression()
    last.body = tree.body.pop().value
    body = compile(tree, filename, "exec", flags, True) if tree.body else None
    flags |= body.co_flags & FUTURES if body else 0
    return body, compile(last, filename, "eval", flags, True)


def plain(source):
    """Whether no import in the code can notice if `site` has run. This and the next two functions save time; they
    protect nothing. Whatever is unusual counts as able to notice."""
    if not PYTHONS_OWN or "\\\n" in source:
        return False
    for line in source.replace(";", "\n").replace(":", "\n").split("\n"):
        if "import" in line and not plain_import(line.split()):
            return False
    return True


def plain_import(words):
    """import a, b as c / from a import …, if that cannot mean a file of the user."""
    if words[0] == "import":
        names = [(part.split() or [""])[0] for part in " ".join(words[1:]).split(",")]
    elif words[0] == "from" and words[2:3] == ["import"]:
        names = words[1:2]
    else:
        return False
    try:
        return PLAIN.issuperset(names) and not posix.listdir(state.work)
    except OSError:
        return False


def plain_names(names):
    names = {*names, *(name.lstrip("_") for name in names)}
    return not ((names & PYTHONS_OWN) - PLAIN or names & WAYS_OUT)


def plain_code(code):
    return plain_names(code.co_names) and all(
        plain_code(const) for const in code.co_consts if type(const) is type(code))


def simple(source, filename):
    """Runs a short program without compile(), whose first call takes as long as three imports, for syntax trees that
    nobody needs here. False: it is not such a program, and nothing was run."""
    if not state.wordless or filename != STRING or len(source) > SHORT or not plain(source):
        return False
    if not plain_names("".join(c if c.isalnum() or c == "_" else " " for c in source).split()):
        return False
    try:
        exec(source, namespace)
    except SyntaxError as e:
        if e.__traceback__.tb_next:
            raise  # the program's own error
        return False  # perhaps only an error for exec(), which has no `await` outside of functions
    return True


def import_site():
    """An interrupt waits until it is done. If a cell has left no free descriptor for it, it is done later."""
    if state.bare:
        try:
            from . import late_site

            channel.shielded(late_site.import_site)
            state.bare = False
        except Exception:
            pass


def evaluate(code):
    if not code.co_flags & COROUTINE:
        return eval(code, namespace)
    from .loop import complete

    return complete(eval(code, namespace))


def run(source, filename):
    """The value of the cell's last expression."""
    if state.language:
        return dialect(source, filename)
    if "get_ipython" in source:
        namespace.setdefault("get_ipython", get_ipython)
    if simple(source, filename):
        return
    body, last = compiled(source, filename)
    if state.bare and not (plain(source) and all(plain_code(c) for c in (body, last) if c)):
        import_site()
    if body:
        evaluate(body)
    if last:
        value = evaluate(last)
        if value is not None:
            namespace["_"] = value
        return value


def dialect(source, filename):
    """Runs a cell in another language than Python, in the module of that name."""
    import_site()
    from importlib import import_module

    return import_module("." + state.language, __package__).run(source, filename)


def cell(fields, to):
    report = answered(fields)
    channel.reply(channel.RESULT, report, to)


def answered(fields):
    """Runs a cell; the fields of its RESULT."""
    given = dict(fields)
    flags = channel.number(given[channel.F_FLAGS]) if channel.F_FLAGS in given else 0
    state.cell = channel.number(given.get(channel.F_CELL, b""))
    filename = channel.text(given.get(channel.F_FILENAME, b""))
    source = channel.text(given.get(channel.F_CODE, b"")).replace("\r\n", "\n")
    if flags & SCRIPT:
        sys.argv = [filename or "-c"]
        if filename:
            namespace["__file__"] = filename
        gc.freeze()  # so that shutdown() need not look at older objects
    filename = filename or (STRING if flags & SCRIPT else "<cell %d>" % state.cell)
    remember(filename, source)
    open_streams()
    state.language = channel.text(given.get(channel.F_LANGUAGE, b""))
    state.quiet = bool(flags & QUIET)
    state.script = bool(flags & SCRIPT)
    state.wordless = flags & (QUIET | SCRIPT) == QUIET | SCRIPT
    state.displays = state.bytes = 0
    state.final = None
    if state.shim:
        state.shim.begins(state.cell)
    try:
        report = perform(source, filename, flags)
    except BaseException as e:
        quiet_interrupts()
        report = unfinished(e)
    state.running = False
    return [(channel.F_CELL, state.cell)] + report


def unfinished(error):
    """The report if an interrupt, or damage to the interpreter, spoilt the proper one."""
    name = get_name(type(error))
    return [
        (channel.F_KIND, INTERRUPTED if name == "KeyboardInterrupt" else ERROR),
        (channel.F_ERROR_NAME, name),
        (channel.F_ERROR_MESSAGE, "while the result was being prepared"),
    ]


def quiet_interrupts():
    """From here on SIGINT is ignored; the handler that the user's code had set is kept for the next cell."""
    old = _signal.signal(_signal.SIGINT, idle)
    if old is not idle:
        state.handler = _signal.default_int_handler if old is None else old


def perform(source, filename, flags):
    """Runs the cell and returns the fields of its report. Interrupts are on, because reprs run the user's code, too."""
    state.running = True
    value = error = None
    _signal.signal(_signal.SIGINT, state.handler)
    try:
        value = run(source, filename)
    except BaseException as e:
        error = e
    if state.shim:
        state.shim.ended()  # before its value is shown, because a replay does not show it
    if posix.getpid() != channel.owner:
        leave(error)
    kind, report = outcome(error, flags)
    report += describe(None if state.quiet else value, kind)
    del value, error
    if flags & SCRIPT:
        shutdown()
    quiet_interrupts()
    flush()
    threads = _thread._count() - state.threads
    if threads > 0:
        report.append((channel.F_THREADS, threads))
    if state.final is not None:
        report.append((channel.F_FINAL, state.final))
    return [(channel.F_KIND, kind)] + report


def outcome(error, flags):
    if error is None or isinstance(error, FinalAnswer):
        return OK, []
    if isinstance(error, SystemExit):
        return EXIT, [(channel.F_EXIT_CODE, exit_code(error))]
    kind = INTERRUPTED if isinstance(error, KeyboardInterrupt) else ERROR
    try:
        import_site()
        from . import errors

        fields = errors.report(error)
        if flags & SCRIPT and not errors.print_like_python(error, whole=False):
            kind = ERROR  # there is nothing more to report
    except KeyboardInterrupt:
        raise
    except BaseException:  # for example if imports no longer work
        fields = [(channel.F_ERROR_NAME, get_name(type(error)))]
    return kind, fields


def exit_code(error):
    code = error.code
    if code is None:
        return 0
    if isinstance(code, int):
        return int.__and__(code, 0xFF)
    try:
        print(code, file=sys.stderr)
    except Exception:
        pass
    return 1


def describe(value, kind):
    """Value, open figures, variables and dataframes. Leaves out a part that fails."""
    fields = []
    for part in (figure_fields, value_fields, variable_fields):
        try:
            fields += part(value, kind)
        except KeyboardInterrupt:
            raise
        except BaseException:
            pass
    return fields


def figure_fields(_, kind):
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot and pyplot.get_fignums() and kind != INTERRUPTED:
        rich_plots().capture_open()
    return []


def value_fields(value, _):
    if value is None:
        return []
    rich = sys.modules.get("retort_guest.rich")  # importing a loaded module again takes longer
    if not rich:
        from . import rich
    return rich.value_fields(value)


def variable_fields(*_):
    variables = sys.modules.get("retort_guest.variables")
    if BASE.issuperset(namespace) and not (variables and variables.known):
        return []
    if not variables:
        from . import variables
    return variables.fields(namespace)


def leave(error):
    """Called in a child that the cell forked and that reached the end of the code: it ends as a script would."""
    code = 0
    if isinstance(error, SystemExit):
        code = exit_code(error)
    elif error is not None and not isinstance(error, FinalAnswer):
        from . import errors

        errors.print_like_python(error)
        code = 1
    shutdown()
    flush()
    posix._exit(code)


def shutdown():
    """As at the end of a Python process: joins threads, runs atexit, flushes files."""
    import atexit

    threading = sys.modules.get("threading")
    for step in (threading and threading._shutdown, atexit._run_exitfuncs, clear_namespace,
                 gc.collect):
        try:
            step and step()
        except KeyboardInterrupt:
            raise
        except BaseException:
            pass


def clear_namespace():
    for name in list(namespace):
        if name != "__builtins__":
            namespace[name] = None


def complete(fields, _):
    try:
        from . import completion
    except Exception:  # as below
        return channel.send(channel.COMPLETIONS, [(channel.F_START, 0)])
    completion.answer(dict(fields))


def list_variables(fields, _):
    try:
        from . import inventory
    except Exception:  # as below
        return channel.send(channel.LISTING, [])
    inventory.answer(channel.text(dict(fields).get(channel.F_LANGUAGE, b"")))


def checkpoint(_, __, way=None):
    try:
        from . import checkpoint
    except Exception as e:  # for example if the cell left no free descriptor
        posix.read(channel.FD, 1)  # drops the descriptor that comes with it
        return channel.send(channel.CHECKPOINTED, [(channel.F_ERROR_MESSAGE, str(e))])
    checkpoint.take(way and getattr(checkpoint, way))


def branch(*frame):
    checkpoint(*frame, "branch")


def tools(fields, _):
    from .tools import define

    define(fields)


def anew(fields, _):
    from . import checkpoint

    checkpoint.follow({channel.number(inode): path for (_, inode), (_, path) in zip(fields[::2], fields[1::2])})


# Names that the interpreter itself makes: warnings leave their registry in the module that they strike.
BASE = {"__builtins__", "_", "get_ipython", "__file__", "__annotations__", "__warningregistry__"}.union(namespace)
ANSWERS = {
    channel.HELLO: hello,
    channel.CELL: cell,
    channel.COMPLETE: complete,
    channel.VARIABLES: list_variables,
    channel.CHECKPOINT: checkpoint,
    channel.BRANCH: branch,
    channel.TOOLS: tools,
    channel.ANEW: anew,
}
