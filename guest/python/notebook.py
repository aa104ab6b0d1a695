"""Habits of notebooks in code that is no Python: magics (%), shell commands (!), questions (?).

A cell is asked here only after the compiler has refused it, so that valid Python is never touched.
Lines are translated where a statement may begin, never inside of strings or brackets, and each stays
on its line, so that tracebacks point to what was written.
"""
import re

from . import cell

NAME = r"[^\W\d]\w*"
CELL = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*%%(" + NAME + r")([^\n]*)\n?")
SHELL = re.compile(r"(!!?)\s*(.+)")
MAGIC = re.compile(r"%(" + NAME + r")\s*(.*)")
ASSIGNED = re.compile(r"(" + NAME + r"[\w.,\[\]'\" ]*?\s*=\s*)([!%])(?!=)\s*(.+)")
ASKED = re.compile(r"(\?\??)\s*(%{0,2}[\w.]+)\s*|(%{0,2}" + NAME + r"(?:\." + NAME + r")*)\s*(\?\??)\s*;?\s*")


def translated(source):
    """The same as Python code, or None if it has none of these habits."""
    whole = CELL.match(source)
    if whole:
        before = whole.group().rstrip("\n").count("\n")
        return "\n" * before + call("run_cell_magic", whole.group(1), whole.group(2).strip(),
                                    source[whole.end() :])
    lines = Lines(source)
    out = list(lines)
    return "\n".join(out) if lines.found else None


def call(method, *words):
    return "get_ipython().%s(%s)" % (method, ", ".join(map(repr, words)))


class Lines:
    """The translated lines of a cell, with empty lines after one that took several."""

    def __init__(self, source):
        self.rest = source.split("\n")[::-1]
        self.found = False
        self.quote = ""  # of the string that the line begins in
        self.depth = 0  # of brackets
        self.joined = False  # a backslash joins it to the line before

    def __iter__(self):
        while self.rest:
            line = self.rest.pop()
            begins = not (self.quote or self.depth or self.joined)
            words = habit(line.lstrip()) if begins else None
            if words is None:
                self.scan(line)
                yield line
                continue
            self.found = True
            count = 0
            while line.endswith("\\") and self.rest:
                line = line[:-1] + self.rest.pop().lstrip()
                count += 1
            yield line[: len(line) - len(line.lstrip())] + habit(line.strip())
            yield from [""] * count

    def scan(self, line):
        """Notes how the line ends: inside of which string or brackets."""
        at, self.joined = 0, False
        while at < len(line):
            at = self.inside(line, at) if self.quote else self.outside(line, at)
        if len(self.quote) == 1 and not line.endswith("\\"):
            self.quote = ""  # the string never ends: the compiler will report it

    def inside(self, line, at):
        if line[at] == "\\":
            return at + 2
        if line.startswith(self.quote, at):
            at += len(self.quote)
            self.quote = ""
            return at
        return at + 1

    def outside(self, line, at):
        c = line[at]
        if c == "#":
            return len(line)
        if c in "\"'":
            self.quote = c * 3 if line.startswith(c * 3, at) else c
            return at + len(self.quote)
        if c in "([{":
            self.depth += 1
        elif c in ")]}":
            self.depth = max(self.depth - 1, 0)
        self.joined = c == "\\" and at + 1 == len(line)
        return at + 1


def habit(line):
    """Python for one line, without its indentation; None if the line has none of the habits."""
    asked = ASKED.fullmatch(line)
    if asked:
        before, name, other, after = asked.groups()
        return call("ask", name or other, len(before or after))
    shell = SHELL.fullmatch(line)
    if shell:
        return call("getoutput" if shell.group(1) == "!!" else "system", shell.group(2))
    magic = MAGIC.fullmatch(line)
    if magic:
        return call("run_line_magic", *magic.groups())
    assigned = ASSIGNED.fullmatch(line)
    if not assigned:
        return None
    target, sign, rest = assigned.groups()
    if sign == "!":
        return target + call("getoutput", rest)
    magic = MAGIC.fullmatch("%" + rest)
    return target + call("run_line_magic", *magic.groups()) if magic else None


def compiled(compiler, source, filename, flags, error):
    """What compiler() makes of a cell that is no Python, or its error; the error shows the line as it was written."""
    python = translated(source)
    if python is None:
        raise error
    cell.namespace.setdefault("get_ipython", cell.get_ipython)
    try:
        return compiler(python, filename, flags)
    except SyntaxError as e:
        lines = source.split("\n")
        if type(e.lineno) is int and 0 < e.lineno <= len(lines):
            e.text = lines[e.lineno - 1]
        raise e from None
