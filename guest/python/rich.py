"""Values and displays as MIME bundles, all of them bounded."""
import sys

from . import cell, channel

PLAIN = 65536  # characters of one text/plain
TEXT = 1 << 20  # bytes of any other text; the broker's MAX_TEXT
BUNDLE = 8 << 20
TOTAL, COUNT = 24 << 20, 256  # of all displays and plots of one cell
ITEMS = 1000  # of a container of which we show the beginning

LIBRARIES = {"numpy", "pandas", "polars", "torch", "scipy", "xarray"}  # whose values have a shape

get_module = type.__dict__["__module__"].__get__

SIMPLE = {int, float, complex, bool, str, bytes, list, tuple, dict, set}  # these have none of the methods

METHODS = (
    ("text/html", "_repr_html_"),
    ("text/markdown", "_repr_markdown_"),
    ("image/svg+xml", "_repr_svg_"),
    ("image/png", "_repr_png_"),
    ("image/jpeg", "_repr_jpeg_"),
    ("application/pdf", "_repr_pdf_"),
    ("text/latex", "_repr_latex_"),
    ("application/json", "_repr_json_"),
)


def cut(text, limit):
    if len(text) <= limit:
        return text
    return "%s… [%d more characters]" % (text[:limit], len(text) - limit)


def guarded(work, *args):
    """work(*args), or the exception that it raised, except the interrupt of the cell."""
    try:
        return work(*args), None
    except KeyboardInterrupt:
        raise
    except BaseException as e:
        return None, e


def beginning(value):
    """A value whose repr is cheap, and what to append to that repr."""
    kind = type(value)
    if kind in (str, bytes, bytearray) and len(value) > PLAIN:
        return value[:PLAIN], "… [length %d]" % len(value)
    if kind in (list, tuple) and len(value) > 10 * ITEMS:
        return value[:ITEMS], "… [length %d]" % len(value)
    if kind in (set, frozenset, dict) and len(value) > 10 * ITEMS:
        first = [item for item, _ in zip(value.items() if kind is dict else value, range(ITEMS))]
        return kind(first), "… [length %d]" % len(value)
    return value, ""


def plain(value, limit=PLAIN):
    some, rest = beginning(value)
    text, error = guarded(repr, some)
    if error is not None:
        text = "<unprintable %s: %s>" % (type_name(value), type_name(error))
    return cut(str.__str__(text), limit) + rest  # repr may give a subclass of str


def short(value, limit=160):
    """One line for the table of values beside an error."""
    shape = shape_of(value)
    if shape is None:
        return cut(plain(value, limit * 4).replace("\n", " "), limit)
    text = type_name(value) + " " + "×".join(map(str, shape))
    columns, _ = guarded(lambda: ", ".join(map(str, list(value.columns)[:20])))
    if not columns:
        columns, _ = guarded(lambda: plain(value, limit * 4).replace("\n", " "))
    return cut(text + ": " + columns if columns else text, limit)


def shape_of(value):
    """The shape of a table or an array; we do not ask other objects, because that would run the user's code."""
    if root_of(value) not in LIBRARIES:
        return None
    shape, _ = guarded(lambda: [int(n) for n in value.shape])
    return shape


def root_of(value):
    return module_name(value).partition(".")[0]


def type_name(value):
    return cell.get_name(type(value))


def module_name(value):
    try:
        module = get_module(type(value))
    except AttributeError:
        return ""
    return module if type(module) is str else ""


def is_binary(mime):
    if mime == "image/svg+xml":
        return False
    return mime.startswith(("image/", "audio/", "video/")) or mime == "application/pdf"


def to_bytes(mime, data):
    """The bytes of one representation, or None if they do not match the type or are too large."""
    if data is None:
        return None
    if is_binary(mime):
        if len(data) > 2 * BUNDLE:
            return None
        if isinstance(data, str):
            import binascii

            data = binascii.a2b_base64(data)
        return bytes(data) if len(data) <= BUNDLE else None
    if mime == "application/json" or mime.endswith("+json"):
        data = to_json(data)
    if not isinstance(data, str):
        return None
    if mime == "text/plain":
        data = cut(data, PLAIN)
    if len(data) > TEXT:
        return None
    data = data.encode("utf-8", "backslashreplace")
    return data if len(data) <= TEXT else None


def bundle(value):
    """[(MIME type, bytes)] of a value, text/plain first."""
    if type(value) in SIMPLE:
        return [("text/plain", cut(plain(value), PLAIN).encode("utf-8", "backslashreplace"))]
    found = {"text/plain": special_plain(value)}
    for mime, data in special(value):
        found[mime] = data
    if not isinstance(value, type):
        for mime, method in METHODS:
            if mime not in found and hasattr_safely(value, method):
                found[mime] = unpacked(guarded(getattr(value, method))[0])
        if hasattr_safely(value, "_repr_mimebundle_"):
            more = unpacked(guarded(value._repr_mimebundle_)[0])
            if type(more) is dict:
                found.update(list(more.items())[:20])
    return encoded(found)


def encoded(found):
    out, total = [], 0
    for mime, data in found.items():
        if type(mime) is not str or len(mime) > 127:
            continue
        data, _ = guarded(to_bytes, mime, data)
        if data is not None and total + len(data) <= BUNDLE:
            total += len(data)
            out.append((mime, data))
    return out


def hasattr_safely(value, name):
    # Objects that have any attribute (mocks, proxies) do not mean these.
    found, _ = guarded(lambda: callable(getattr(type(value), name, None)))
    return bool(found)


def unpacked(data):
    """_repr_*_ may return (data, metadata)."""
    return data[0] if type(data) is tuple and data else data


told = 0, 0, ""  # cell, id of a table, text: how a cell in SQL shows its answer, as long as that cell runs


def special_plain(value):
    if told[1] == id(value) and told[0] == cell.state.cell:
        return told[2]
    if root_of(value) == "pandas" and "pandas" in sys.modules:
        text, error = guarded(lambda: modest(value, text_of))
        if error is None and type(text) is str:
            return text
    return plain(value)


def special(value):
    """Representations for objects of well-known libraries that offer too little themselves."""
    root, kind = root_of(value), type_name(value)
    found = []
    if root == "pandas" and kind == "DataFrame":
        found.append(("text/html", guarded(modest, value, to_html)[0]))
    elif root == "pandas" and kind == "Series":
        found.append(("text/html", guarded(lambda: modest(value.to_frame(), to_html))[0]))
    elif root == "PIL" and hasattr_safely(value, "save"):
        found.append(("image/png", guarded(image_png, value)[0]))
    return found


def to_html(table):
    return table._repr_html_()


def modest(table, show):
    """show(table), with limits on rows and columns even if the user has lifted pandas' own."""
    pandas = sys.modules["pandas"]
    limits = []
    for option, most in (("display.max_rows", 200), ("display.max_columns", 100)):
        now = pandas.get_option(option)
        if now is None or now > most:
            limits += [option, most]
    if not limits:
        return show(table)
    with pandas.option_context(*limits):
        return show(table)


def text_of(table):
    """repr(table). To fit columns into a terminal, pandas formats all of them twice, even if they fit: so we format
    once without that, and again only if they do not fit."""
    option = sys.modules["pandas"].get_option
    if type_name(table) == "DataFrame" and table.shape[1] <= 20 and option("display.max_rows") \
            and (option("display.max_columns"), option("display.large_repr")) == (0, "truncate"):
        with sys.modules["pandas"].option_context("display.max_columns", None,
                                                  "display.expand_frame_repr", False):
            text = repr(table)
        if max(map(len, text.split("\n"))) < sys.modules["shutil"].get_terminal_size()[0]:
            return text
    return repr(table)


def image_png(image):
    import io

    buffer = io.BytesIO()
    if image.mode in ("CMYK", "YCbCr", "LAB", "HSV"):  # PNG has no such modes
        image = image.convert("RGB")
    image.save(buffer, format="PNG")
    return buffer.getvalue()


def mime_fields(pairs):
    fields = []
    for mime, data in pairs:
        fields += ((channel.F_MIME, mime), (channel.F_DATA, data))
    return fields


def value_fields(value):
    if type(value) not in SIMPLE and is_figure(value):
        cell.rich_plots().capture(value)
    return [(channel.F_VALUE, b"")] + mime_fields(bundle(value))


def is_figure(value):
    module = sys.modules.get("matplotlib.figure")
    return module is not None and isinstance(value, module.Figure)


class Handle:
    """What display() returns if it was given an id: shows more under the same id."""

    def __init__(self, display_id):
        self.display_id = display_id

    def display(self, value, **options):
        show([value], display_id=self.display_id, **options)

    update = display


def show(objects, display_id=None, raw=False, **_):
    if display_id is True:
        state = cell.state
        display_id = "display-%d-%d" % (state.cell, state.displays + 1)
    identity = [] if display_id is None else [(channel.F_ID, cut(str(display_id), 200))]
    for value in objects:
        if is_figure(value):
            cell.rich_plots().capture(value)
            continue
        pairs = encoded(value) if raw and type(value) is dict else bundle(value)
        publish(channel.DISPLAY, identity + mime_fields(pairs))
    return Handle(display_id) if identity else None


def update_display(value, *, display_id, **options):
    Handle(display_id).update(value, **options)


def clear_output(wait=False):
    """Does nothing: what was shown is part of the result."""


def hook_ipython(module):
    """Replaces IPython's display(), which prints if IPython does not run, and clear_output(), which writes escapes."""
    if hasattr(module, "display"):
        module.display, module.update_display = cell.display, update_display
    if hasattr(module, "clear_output"):
        module.clear_output = clear_output


def is_full():
    """Whether this cell has shown all that it may; says so once."""
    state = cell.state
    if state.displays < COUNT and state.bytes <= TOTAL:
        return False
    if state.bytes <= TOTAL:
        state.bytes = TOTAL + 1
        print("more than %d displays or %d MiB in one cell: the rest is dropped"
              % (COUNT, TOTAL >> 20), file=sys.stderr)
    return True


def publish(kind, fields):
    """Sends a display or a plot, if its cell runs and has not used up its share."""
    state = cell.state
    size = sum(len(data) for _, data in fields)
    if not state.running or state.quiet or is_full():
        return
    if state.bytes + size > TOTAL:
        state.displays = COUNT
        is_full()
        return
    state.displays += 1
    state.bytes += size
    cell.flush()
    channel.show(kind, fields)


def to_json(value, depth=0):
    """JSON, without the milliseconds that importing json takes. Other values become their repr."""
    kind = type(value)
    if value is None or kind is bool:
        return {None: "null", True: "true", False: "false"}[value]
    if kind is str:
        return quoted(value)
    if kind is int and -(2**63) <= value < 2**63:
        return repr(value)
    if kind is float:
        return repr(value) if value - value == 0 else "null"
    if depth < 40:
        if isinstance(value, dict):
            # The keys 1 and "1" become one: readers refuse an object that has a key twice.
            items = {quoted(str(key)): to_json(item, depth + 1) for key, item in value.items()}
            return "{" + ", ".join([key + ": " + item for key, item in items.items()]) + "}"
        if isinstance(value, (list, tuple, set, frozenset)):
            return "[" + ", ".join([to_json(item, depth + 1) for item in value]) + "]"
    return to_json(simplified(value), depth + 1)


def simplified(value):
    """Numbers and arrays of libraries as Python's own, dates in ISO 8601, the rest by repr."""
    if root_of(value) in ("numpy", "pandas", "polars", "torch"):
        for method in ("item", "tolist", "to_dict", "to_dicts"):
            plain_value, error = guarded(lambda: getattr(value, method)())
            if error is None and root_of(plain_value) == "builtins":
                return plain_value
    if hasattr_safely(value, "isoformat"):
        text, _ = guarded(value.isoformat)
        if type(text) is str:
            return text
    if root_of(value) == "pandas" and type_name(value) in ("Period", "Interval"):
        return str(value)
    for base in (str, int, float):
        if isinstance(value, base) and type(value) is not base:
            return base.__str__(value) if base is str else base(value)
    return plain(value, 4096)


def quoted(text):
    """A JSON string; makes lone surrogates and NUL visible, because strict parsers refuse them."""
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:
        from json import dumps as quote
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode()
    return quote(text.replace("\0", "\u2400"))
