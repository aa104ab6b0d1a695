"""A module for code that imports IPython if it is not installed: the names that notebooks use. Objects for display()
carry their MIME type; the program that shows the result decides how.
"""
import sys
from importlib.machinery import ModuleSpec

from . import cell, rich

VERSION = "8.0.0"


def get_ipython():
    """None for libraries, which ask whether IPython runs and how to change what it does."""
    return cell.get_ipython() if sys._getframe(1).f_globals is cell.namespace else None


class DisplayObject:
    mime, binary = "text/plain", False

    def __init__(self, data=None, url=None, filename=None, metadata=None, **_):
        if data is not None and type(data) is not bytes and is_file(str(data), self.suffixes):
            data, filename = None, str(data)
        if isinstance(data, str) and data.startswith(("http:", "https:")):
            data, url = None, data
        self.data, self.url, self.filename, self.metadata = data, url, filename, metadata or {}
        if data is None and filename is not None:
            self.reload()

    suffixes = ()

    def reload(self):
        with open(self.filename, "rb") as file:
            self.data = file.read()
        if not self.binary:
            self.data = self.data.decode("utf-8", "replace")

    def content(self):
        if self.data is None and self.url is not None:
            raise ValueError("%s is not fetched: read it and pass data=" % self.url)
        return self.data

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {self.mime: self.content()}

    def __repr__(self):
        return "<IPython.core.display.%s object>" % type(self).__name__


def is_file(name, suffixes):
    return name.lower().endswith(suffixes) and "\n" not in name if suffixes else False


class TextDisplayObject(DisplayObject):
    """If the type cannot be shown, its text is shown instead."""

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": self.content(), self.mime: self.content()}


class Pretty(TextDisplayObject):
    pass


class HTML(TextDisplayObject):
    mime = "text/html"


class Markdown(TextDisplayObject):
    mime = "text/markdown"


class Latex(TextDisplayObject):
    mime = "text/latex"


class Math(Latex):
    def content(self):
        return "$\\displaystyle %s$" % str(self.data).strip("$")


class SVG(DisplayObject):
    mime, suffixes = "image/svg+xml", (".svg",)


class JSON(DisplayObject):
    mime, suffixes = "application/json", (".json",)

    def content(self):
        import json

        return json.loads(self.data) if isinstance(self.data, str) else self.data


class GeoJSON(JSON):
    mime = "application/geo+json"


class Javascript(TextDisplayObject):
    mime = "application/javascript"


class Code(TextDisplayObject):
    def __init__(self, data=None, url=None, filename=None, language=None, **_):
        super().__init__(data, url, filename)
        self.language = language or ""

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": self.data, "text/markdown": "```%s\n%s\n```" % (self.language, self.data)}


BEGINNINGS = ((b"\x89PNG", "image/png"), (b"\xff\xd8", "image/jpeg"), (b"GIF8", "image/gif"),
              (b"RIFF", "image/webp"), (b"BM", "image/bmp"))


class Image(DisplayObject):
    binary, suffixes = True, (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")

    def __init__(self, data=None, url=None, filename=None, format=None, embed=None, width=None,
                 height=None, **_):
        super().__init__(data, url, filename)
        self.format, self.width, self.height = format, width, height

    @property
    def mime(self):
        begins = bytes(self.data[:4]) if isinstance(self.data, (bytes, bytearray)) else b""
        for beginning, mime in BEGINNINGS:
            if begins.startswith(beginning):
                return mime
        return "image/" + (self.format or "png").replace("jpg", "jpeg")


class Media(DisplayObject):
    """Sound and films: by a file's name, or as bytes."""

    binary = True

    def __init__(self, data=None, filename=None, url=None, rate=None, mimetype=None, **_):
        if rate and data is not None and type(data) is not bytes:
            data = wave_of(data, int(rate))
        super().__init__(data, url, filename)
        self.mime = mimetype or self.mime


class Audio(Media):
    mime, suffixes = "audio/wav", (".wav", ".mp3", ".ogg", ".flac")


class Video(Media):
    mime, suffixes = "video/mp4", (".mp4", ".webm", ".mov")


def wave_of(samples, rate):
    """The bytes of a WAV file with one channel, as loud as possible."""
    import array
    import io
    import wave

    samples = [float(x) for x in samples]
    most = max(map(abs, samples), default=0) or 1
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(array.array("h", [int(x / most * 32767) for x in samples]).tobytes())
    return file.getvalue()


class IFrame:
    def __init__(self, src, width="100%", height=400, **_):
        self.src, self.width, self.height = src, width, height

    def _repr_html_(self):
        return '<iframe src="%s" width="%s" height="%s"></iframe>' % (self.src, self.width, self.height)


class YouTubeVideo(IFrame):
    def __init__(self, id, width=400, height=300, **_):
        super().__init__("https://www.youtube.com/embed/" + id, width, height)


class FileLink:
    def __init__(self, path, **_):
        self.path = str(path)

    def __repr__(self):
        return self.path


FileLinks = FileLink


class ProgressBar:
    """Counts, and prints nothing: a person who watches sees that the cell runs."""

    def __init__(self, total):
        self.total, self.progress = total, 0

    def display(self):
        pass

    update = display

    def __iter__(self):
        for self.progress in range(self.total):
            yield self.progress


def display_as(kind):
    def show(*objects, raw=False, **options):
        return cell.display(*(kind(o) if raw else o for o in objects), **options)

    return show


def publish_display_data(data, metadata=None, **options):
    return cell.display(data, raw=True)


def nothing(*_, **__):
    """Settings of a front end that does not exist here."""


class DisplayHandle(rich.Handle):
    def __init__(self, display_id=None):
        super().__init__(display_id or "display-%d" % id(self))


class InteractiveShell:
    ast_node_interactivity = "last_expr"
    instance = staticmethod(cell.get_ipython)


def register(kind):
    def decorate(function):
        cell.get_ipython().register_magic_function(function, kind)
        return function

    return decorate


DISPLAY = {kind.__name__: kind for kind in (
    Audio, Code, DisplayHandle, DisplayObject, FileLink, GeoJSON, HTML, IFrame, Image, JSON, Javascript,
    Latex, Markdown, Math, Pretty, ProgressBar, SVG, TextDisplayObject, Video, YouTubeVideo)}
DISPLAY.update({"display_" + kind.__name__.lower(): display_as(kind)
                for kind in (HTML, Image, JSON, Javascript, Latex, Markdown, Pretty, SVG)})
DISPLAY.update(display=cell.display, update_display=rich.update_display,
               clear_output=rich.clear_output, FileLinks=FileLinks, publish_display_data=publish_display_data,
               display_png=display_as(Image), display_jpeg=display_as(Image),
               set_matplotlib_formats=nothing, set_matplotlib_close=nothing)
MODULES = {
    "core": {},
    "core.display": DISPLAY,
    "core.display_functions": DISPLAY,
    "core.getipython": {"get_ipython": get_ipython},
    "core.interactiveshell": {"InteractiveShell": InteractiveShell},
    "core.magic": {"register_line_magic": register("line"), "register_cell_magic": register("cell"),
                   "register_line_cell_magic": register("line_cell")},
    "display": DISPLAY,
    "lib": {},
    "lib.display": DISPLAY,
}


class Loader:
    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__dict__.update(__doc__=__doc__, __version__=VERSION, get_ipython=get_ipython,
                               version_info=tuple(map(int, VERSION.split("."))) + ("",),
                               InteractiveShell=InteractiveShell)
        for name, contents in MODULES.items():
            self.add(module, name, contents)

    def add(self, module, name, contents):
        made = type(sys)("IPython." + name)
        made.__dict__.update(contents)
        sys.modules[made.__name__] = made
        parent, _, last = made.__name__.rpartition(".")
        setattr(sys.modules[parent], last, made)


def spec():
    return ModuleSpec("IPython", Loader(), is_package=True)
