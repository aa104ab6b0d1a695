"""matplotlib figures: each is captured once, as a PNG and as the numbers it shows.

A figure is captured when it is saved to a file, shown, displayed, or still open at the end of
the cell; then it is closed, as notebooks do. Saving it again unchanged, or ending the cell after
saving it, captures nothing new: «unchanged» means that its numbers and its artists are the same.
"""
import io
import os
import sys

from . import cell, channel, rich
from .charts import chart_of, remember_calls


def wrap(owner, name, after):
    """Makes owner.name call after(result, …its arguments) when it has returned."""
    inner = getattr(owner, name)
    if getattr(inner, "_retort", False):
        return
    from functools import wraps

    @wraps(inner)
    def outer(*args, **kwargs):
        result = inner(*args, **kwargs)
        rich.guarded(lambda: after(result, *args, **kwargs))
        return result

    outer._retort = True
    setattr(owner, name, outer)


def hook_figure(module):
    def after(result, figure, fname=None, *args, **kwargs):
        saved(figure, fname)

    wrap(module.Figure, "savefig", after)
    module.Figure.show = lambda figure, warn=True: capture(figure)


def hook_axes(module):
    remember_calls(wrap, module.Axes)


def hook_pyplot(module):
    """show() captures and closes; the Agg backend's own show() only warns that it shows nothing."""

    def show(*args, **kwargs):
        capture_open()

    module.show = show


def saved(figure, target):
    if isinstance(target, (str, os.PathLike)):
        path = os.path.abspath(os.fspath(target))
        if not os.path.exists(path) and os.path.exists(path + ".png"):
            path += ".png"  # savefig adds it
        inside = cell.state.work and path.startswith(cell.state.work + "/")
        capture(figure, os.path.relpath(path, cell.state.work) if inside else None, path)


def capture_open():
    """Captures and closes every figure that pyplot holds open."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    numbers = pyplot.get_fignums() if pyplot and os.getpid() == channel.owner else []
    for number in numbers:
        figure = pyplot.figure(number)
        if figure.axes or figure.texts or figure.images:
            _, error = rich.guarded(capture, figure)
            if error is not None:  # such as a formula in a title that cannot be drawn
                print("figure %d could not be drawn: %s: %s"
                      % (number, rich.type_name(error), rich.cut(str(error), 500)), file=sys.stderr)
    if numbers:
        pyplot.close("all")


def capture(figure, name=None, path=None):
    """Sends one PLOT frame, unless this cell has sent this very picture; `path`: the file it was just saved to."""
    if not cell.state.running or cell.state.quiet:
        return
    chart = rich.guarded(chart_of, figure)[0] or {"type": "mixed", "title": ""}
    text = rich.to_json(chart)
    artists = [id(artist) for axes in figure.axes for artist in axes.get_children()]
    mark = cell.state.cell, text, artists
    if figure.__dict__.get("_retort_seen") == mark:
        return
    if rich.is_full():
        return
    data = png_file(path) if path else None
    if data is None:
        data = render(figure)
    figure._retort_seen = mark  # at its last capture
    fields = [(channel.F_PATH, name)] if name else []
    title = chart.get("title")
    if title:
        fields.append((channel.F_TITLE, title))
    fields += [(channel.F_CHART, text.encode()), (channel.F_DATA, data)]
    rich.publish(channel.PLOT, fields)


def png_file(path):
    with open(path, "rb") as f:
        data = f.read(rich.BUNDLE + 1)
    return data if data.startswith(b"\x89PNG") and len(data) <= rich.BUNDLE else None


def render(figure):
    """The PNG of a figure, at a lower resolution if it is very large."""
    width, height = figure.get_size_inches()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png",
                   dpi=min(figure.dpi, (16e6 / max(width * height, 1e-6)) ** 0.5))
    return buffer.getvalue()
