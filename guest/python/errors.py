"""Describes exceptions for the person or model who has to correct the code. Everything is bounded and survives
exceptions whose own methods raise: chains and groups are cut, recursion is folded, text is truncated.
"""
import sys
from itertools import islice

from . import cell, channel, hints, rich

# Exceptions of one chain, members of one group, groups within groups.
CHAIN, GROUP, DEPTH = 8, 10, 4
FRAMES = 30
MESSAGE, TEXT = 8192, 32768

CAUSED = "The above exception was the direct cause of the following exception:"
HANDLING = "During handling of the above exception, another exception occurred:"


class Frame:
    """One entry of a traceback; columns count characters, or are None before Python 3.11."""

    def __init__(self, tb):
        code = tb.tb_frame.f_code
        self.frame, self.line, self.end_line = tb.tb_frame, tb.tb_lineno, tb.tb_lineno
        self.file, self.name = code.co_filename, code.co_name
        self.start = self.end = None
        if hasattr(code, "co_positions") and tb.tb_lasti >= 0:
            self.locate(next(islice(code.co_positions(), tb.tb_lasti // 2, None)))

    def locate(self, position):
        line, end_line, start, end = position
        if line is None or end_line is None or start is None or end is None:
            return
        self.end_line = end_line
        self.start = characters(line_of(self.file, line), start)
        self.end = characters(line_of(self.file, end_line), end)

    @property
    def users(self):
        work = cell.state.work
        return self.file in cell.sources or bool(work and self.file.startswith(work + "/"))


def characters(line, offset):
    return len(line.encode("utf-8", "replace")[:offset].decode("utf-8", "replace"))


def lines_of(file):
    if file in cell.sources:
        return cell.sources[file].split("\n")
    import linecache

    return [line.rstrip("\n") for line in linecache.getlines(file)]


def line_of(file, number):
    lines = lines_of(file)
    return lines[number - 1] if 0 < number <= len(lines) else ""


def raw(error, name):
    """An attribute as BaseException keeps it, whatever a subclass says."""
    return BaseException.__dict__[name].__get__(error)


def frames_of(error):
    """Frames outside this package, outermost first; a number stands for frames left out."""
    found, tb, moved = [], raw(error, "__traceback__"), False
    while tb is not None:
        code = tb.tb_frame.f_code
        if code.co_filename.startswith(cell.here):
            moved = moved or code.co_name == "in_place"
        else:
            if moved and found:  # the line of a magic, which contains the next frame's code
                found.pop()
            found.append(tb)
            moved = False
        tb = tb.tb_next
    dropped = len(found) - FRAMES
    if dropped > 0:
        found[FRAMES // 3 : FRAMES // 3 + dropped] = [dropped]
    frames = [tb if type(tb) is int else Frame(tb) for tb in found]
    first = [i for i, frame in enumerate(frames) if type(frame) is not int and frame.users][:1]
    # The frames above the user's code are those of the event loop that awaits it.
    return frames[first[0] :] if first else frames


def message_of(error):
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
    except KeyboardInterrupt:
        raise
    except BaseException as e:
        text = "<exception str() failed: %s>" % type(e).__name__
    return rich.cut(text, MESSAGE)


def name_of(error):
    return rich.type_name(error), rich.module_name(error)


def last_line(error):
    name, module = name_of(error)
    if module not in ("builtins", "__main__"):
        name = module + "." + name
    message = message_of(error)
    return name + ": " + message if message else name


def carets(line, start, end):
    """A line of carets below `line`, as Python draws them: none where they would mark all of it."""
    blank = len(line) - len(line.lstrip())
    if start is None or end <= start or (start <= blank and end >= len(line.rstrip())):
        return ""
    return " " * (start - blank) + "^" * (end - start)


def format_frame(frame):
    line = line_of(frame.file, frame.line)
    text = '  File "%s", line %d, in %s\n' % (frame.file, frame.line, frame.name)
    if line.strip():
        text += "    " + line.strip() + "\n"
        end = frame.end if frame.end_line == frame.line else len(line.rstrip())
        marks = carets(line, frame.start, end)
        if marks:
            text += "    " + marks + "\n"
    return text


def format_frames(frames, everything):
    parts, hidden, module = [], 0, ""
    for frame in frames:
        if type(frame) is int:
            parts.append("  [%d frames omitted]\n" % frame)
        elif everything or frame.users:
            parts += library_line(hidden, module)
            hidden = 0
            parts.append(format_frame(frame))
        else:
            hidden += 1
            module = str(frame.frame.f_globals.get("__name__", "?"))
    return "".join(parts + library_line(hidden, module))


def library_line(hidden, module):
    if not hidden:
        return []
    return ["  [%d frame%s in libraries, the last in %s]\n" % (hidden, "s" * (hidden > 1), module)]


def format_syntax(error):
    """The place that a SyntaxError names; its fields may have been set to anything."""
    line, file, text, start = error.lineno, error.filename, error.text, error.offset
    if type(line) is not int or not file:
        return ""
    out = '  File "%s", line %d\n' % (file, line)
    if type(text) is str:
        blank = len(text) - len(text.lstrip())
        out += "    " + rich.cut(text.strip(), 1000) + "\n"
        if type(start) is int and 0 < start <= 1000:
            end = getattr(error, "end_offset", None)
            same_line = type(end) is int and error.end_lineno == line and start < end <= 1000
            width = end - start if same_line else 1
            out += "    " + " " * max(start - 1 - blank, 0) + "^" * width + "\n"
    return out


def format_one(error, everything, depth=0):
    frames = frames_of(error)
    text = ""
    if frames:
        text = "Traceback (most recent call last):\n" + format_frames(frames, everything)
    if isinstance(error, SyntaxError):
        text += format_syntax(error)
    text += last_line(error) + "\n"
    for note in notes_of(error):
        text += note + "\n"
    return text + format_group(error, everything, depth)


def notes_of(error):
    notes = getattr(error, "__notes__", None)
    if type(notes) is not list:
        return []
    return [rich.cut(note, 1000) for note in notes[:GROUP] if type(note) is str]


def format_group(error, everything, depth):
    if sys.version_info < (3, 11) or not isinstance(error, BaseExceptionGroup):  # noqa: F821
        return ""
    members = BaseExceptionGroup.__dict__["exceptions"].__get__(error)  # noqa: F821
    if depth == DEPTH:
        return "  [%d more exceptions within]\n" % len(members)
    text = ""
    for number, member in enumerate(members[:GROUP], 1):
        inner = format_one(member, everything, depth + 1)
        text += "  ---------------- %d ----------------\n" % number
        text += "".join("  | " + line + "\n" for line in inner.rstrip("\n").split("\n"))
    if len(members) > GROUP:
        text += "  [%d more exceptions]\n" % (len(members) - GROUP)
    return rich.cut(text, TEXT)


def format_error(error, everything):
    """The text Python would print; `everything` shows the frames of libraries too."""
    parts, seen = [format_one(error, everything)], {id(error)}
    while len(parts) < 2 * CHAIN:
        cause, context = raw(error, "__cause__"), raw(error, "__context__")
        link = CAUSED
        if cause is None and not raw(error, "__suppress_context__"):
            cause, link = context, HANDLING
        if cause is None or id(cause) in seen:
            break
        seen.add(id(cause))
        parts += ["\n" + link + "\n\n", format_one(cause, everything)]
        error = cause
    text = "".join(reversed(parts))
    return text if len(text) <= TEXT else text[: TEXT // 3] + "\n  [cut]\n" + text[-TEXT * 2 // 3 :]


INTERRUPT = "KeyboardInterrupt\n"


def print_like_python(error, whole=True):
    """Prints on standard error, unless that is closed, by the user's own hook if there is one. Leaves out the line that
    names an interrupt, for a caller who knows whether a limit sent it; True if it was left out."""
    hook = sys.excepthook
    if hook is not sys.__excepthook__:
        rich.guarded(hook, type(error), error, raw(error, "__traceback__"))
        return False
    text = format_error(error, True)
    unnamed = not whole and type(error) is KeyboardInterrupt and text.endswith(INTERRUPT)
    rich.guarded(lambda: sys.stderr.write(text[: -len(INTERRUPT)] if unnamed else text))
    return unnamed


def source_block(file, line, start, end):
    """The line with two lines around it, and carets below it."""
    lines, out = lines_of(file), []
    for number in range(max(line - 2, 1), min(line + 2, len(lines)) + 1):
        text = rich.cut(lines[number - 1], 400)
        out.append("%s %4d | %s" % (">" if number == line else " ", number, text))
        if number == line and start is not None and start < 400:
            blank = len(text) - len(text.lstrip())
            start, end = max(start, blank), max(min(end, len(text)), start + 1)
            out.append("       | " + " " * start + "^" * (end - start))
    return "\n".join(out)


def names_in(text):
    """Identifiers that no dot precedes. (Importing `re` would cost milliseconds.)"""
    word, before = "", ""
    for c in text + " ":
        if c == "_" or c.isalnum():
            word += c
            continue
        if word.isidentifier() and before != ".":
            yield word
        word, before = "", c


def values_on(frame):
    """JSON with short reprs of the names on the failing line, without functions and modules."""
    text = "\n".join(line_of(frame.file, n)
                     for n in range(frame.line, min(frame.end_line, frame.line + 5) + 1))
    values = {}
    for name in dict.fromkeys(names_in(text)):
        scope = frame.frame.f_locals if name in frame.frame.f_locals else frame.frame.f_globals
        if name in scope and len(values) < 12:
            value = scope[name]
            if not isinstance(value, (type, type(sys), type(len), type(values_on))):
                values[name] = rich.short(value)
    return rich.to_json(values) if values else ""


def place(error, frame):
    """File, line and columns to show: the user's deepest frame, or where a SyntaxError points."""
    written_here = isinstance(error, SyntaxError) and error.filename in cell.sources
    if written_here and type(error.lineno) is int:
        start = error.offset - 1 if type(error.offset) is int and error.offset > 0 else None
        end = getattr(error, "end_offset", None)
        if type(end) is not int or getattr(error, "end_lineno", None) != error.lineno:
            end = 0
        return error.filename, error.lineno, start, end - 1
    if frame:
        one_line = frame.end_line == frame.line
        end = frame.end if one_line else len(line_of(frame.file, frame.line))
        return frame.file, frame.line, frame.start, end
    return None


def user_frames(error):
    return [frame for frame in frames_of(error) if type(frame) is not int and frame.users]


def report(error):
    """The F_ERROR_ fields. Leaves out each field that fails."""
    frames = rich.guarded(user_frames, error)[0] or []
    deepest = frames[-1] if frames else None
    where = rich.guarded(place, error, deepest)[0]
    fields = [(channel.F_ERROR_NAME, name_of(error)[0])]
    for tag, make, *args in (
        (channel.F_ERROR_MESSAGE, message_of, error),
        (channel.F_ERROR_TRACEBACK, format_error, error, False),
        (channel.F_ERROR_LINE, lambda: where and where[1]),
        (channel.F_ERROR_SOURCE, lambda: where and source_block(*where)),
        (channel.F_ERROR_VALUES, lambda: deepest and values_on(deepest)),
        (channel.F_ERROR_HINT, lambda: rich.cut(hints.hint(error, deepest), 1000)),
    ):
        value, _ = rich.guarded(make, *args)
        if value:
            fields.append((tag, value))
    return fields
