"""The numbers behind a matplotlib figure: series, labels, ticks."""
from . import rich

POINTS, BUDGET = 1000, 20000  # of one series, of one figure
SERIES, SUBPLOTS, TICKS = 50, 20, 50


class Budget:
    """How many more points may be listed; counts those that are left out."""

    def __init__(self):
        self.left = BUDGET

    def list(self, data):
        most = min(POINTS, self.left)
        if rich.root_of(data) == "numpy":
            data = data[:most]
            if data.dtype.kind == "M":  # tolist() would give nanoseconds
                data = data.astype("datetime64[us]")
        kept = (data.tolist() if hasattr(data, "tolist") else list(data))[:most]
        self.left -= len(kept)
        return [point(item) for item in kept]


def point(item):
    if type(item) in (int, float, bool) or item is None:
        return item
    if type(item) is not str:
        item = rich.simplified(item)
    return rich.cut(item, 200) if type(item) is str else item


def remember_calls(wrap, axes_class):
    """Remembers the calls that draw histograms, pies and boxes, to tell these from bars and lines."""
    for kind in ("hist", "pie", "boxplot"):
        def after(result, axes, *args, kind=kind, **kwargs):
            axes.__dict__.setdefault("_retort_calls", []).append((kind, result, args, kwargs))

        wrap(axes_class, kind, after)


def chart_of(figure):
    budget = Budget()
    axes = [a for a in figure.axes if a.get_label() != "<colorbar>"][:SUBPLOTS]
    charts = [chart_of_axes(a, budget) for a in axes]
    title = figure._suptitle.get_text() if getattr(figure, "_suptitle", None) else ""
    if len(charts) == 1:
        chart = charts[0]
        chart["title"] = rich.cut(title or chart["title"], 1000)
        return chart
    kinds = {chart["type"] for chart in charts}
    return {
        "type": kinds.pop() if len(kinds) == 1 else "mixed",
        "title": rich.cut(title or next((c["title"] for c in charts if c["title"]), ""), 1000),
        "subplots": charts,
    }


def chart_of_axes(axes, budget):
    series = (special_series(axes, budget) + bar_series(axes, budget) + line_series(axes, budget)
              + scatter_series(axes, budget))[:SERIES]
    kinds = {one["type"] for one in series}
    chart = {
        "type": kinds.pop() if len(kinds) == 1 else "mixed",
        "title": rich.cut(axes.get_title(), 1000),
        "x_label": rich.cut(axes.get_xlabel(), 1000),
        "y_label": rich.cut(axes.get_ylabel(), 1000),
    }
    if chart["type"] != "pie":
        chart["x_ticks"] = ticks(axes.xaxis)
        chart["y_ticks"] = ticks(axes.yaxis)
    if chart["type"] != "mixed":
        for one in series:
            del one["type"]
    if len(series) == 1 and chart["type"] != "mixed":
        chart.update(series[0])
    elif series:
        chart["series"] = series
    return chart


def ticks(axis):
    low, high = sorted(axis.get_view_interval())
    places = [place for place in axis.get_majorticklocs() if low <= place <= high][:TICKS]
    return [tick(str(text)) for text in axis.get_major_formatter().format_ticks(places)]


def tick(text):
    """The text of a tick; on a logarithmic axis 10^{2} comes wrapped in markup."""
    if text.startswith("$\\mathdefault{") and text.endswith("}$"):
        text = text[14:-2]
    return rich.cut(text, 200)


def along(axis, numbers):
    """Positions on an axis of dates or words as dates or words; others as they are."""
    units = type(getattr(axis, "converter", None)).__name__
    if "Date" in units:
        from matplotlib.dates import num2date

        return [moment.replace(tzinfo=None).isoformat() for moment in num2date(list(numbers))]
    return categories(axis, numbers) if units == "StrCategoryConverter" else numbers


def categories(axis, centres):
    """The labels under the bars if the axis has words, otherwise the positions."""
    formatter = axis.get_major_formatter()
    if "Date" in type(getattr(axis, "converter", None)).__name__:
        return along(axis, centres)
    if type(formatter).__name__ not in ("StrCategoryFormatter", "FixedFormatter", "FuncFormatter"):
        return centres
    places = list(axis.get_majorticklocs())
    texts = formatter.format_ticks(places)
    labels = []
    for centre in centres:
        near = min(range(len(places)), key=lambda i: abs(places[i] - centre), default=None)
        if near is None or abs(places[near] - centre) > 0.5:
            return centres
        labels.append(texts[near])
    return labels


def labelled(series, *artists):
    """Adds the first proper one of the labels."""
    for artist in artists:
        label = artist.get_label()
        if isinstance(label, str) and label and not label.startswith("_"):
            series["label"] = rich.cut(label, 200)
            break
    return series


def counted(series, points):
    """Adds the number of points if not all are listed."""
    if points > len(series["x"]):
        series["points"] = points
    return series


def calls(axes):
    """Remembered calls whose artists still exist: the axes may have been cleared since."""
    children = set(map(id, axes.get_children()))
    for kind, result, args, kwargs in axes.__dict__.get("_retort_calls", ()):
        if all(id(artist) in children for artist in drawn(kind, result)):
            yield kind, result, args, kwargs


def drawn(kind, result):
    """Every artist that one of those calls made."""
    if kind == "hist":  # one container, or a list of containers or of lists
        return [a for group in result[2]
                for a in (group if hasattr(group, "__iter__") else [group])]
    if kind == "pie":
        return list(result[0])
    return [artist for group in ("boxes", "medians", "whiskers", "caps", "fliers", "means")
            for artist in result[group]]


def special_series(axes, budget):
    makers = {"hist": histogram, "pie": pie, "boxplot": box}
    return [one for call in calls(axes) for one in makers[call[0]](axes, budget, *call[1:])]


def histogram(axes, budget, result, args, kwargs):
    counts, edges, groups = result
    several = getattr(counts, "ndim", 1) > 1 or isinstance(counts, list)
    found = []
    for one, group in zip(counts if several else [counts], groups if several else [groups]):
        series = {"type": "histogram", "x": budget.list(edges), "y": budget.list(one)}
        bars = list(group) if hasattr(group, "__iter__") else [group]
        # The label of a histogram is on its first bar.
        found.append(labelled(counted(series, len(edges)), *bars[:1]))
    return found


def pie(axes, budget, result, args, kwargs):
    wedges, texts = result[0], result[1]
    values = args[0] if args else kwargs.get("x")
    if isinstance(values, str) and kwargs.get("data") is not None:
        values = rich.guarded(lambda: kwargs["data"][values])[0]
    if values is None or isinstance(values, str):
        values = [(wedge.theta2 - wedge.theta1) / 360 for wedge in wedges]
    names = [text.get_text() for text in texts]
    if not any(names):
        names = [wedge.get_label() for wedge in wedges]
    return [{"type": "pie", "x": budget.list(names), "y": budget.list(values)}]


def box(axes, budget, result, args, kwargs):
    vertical = kwargs.get("vert") is not False and kwargs.get("orientation") != "horizontal"
    coordinate = (lambda line: line.get_ydata()) if vertical else (lambda line: line.get_xdata())
    across = (lambda line: line.get_xdata()) if vertical else (lambda line: line.get_ydata())
    centres = [float(sum(across(line)) / len(across(line))) for line in result["medians"]]
    names = categories(axes.xaxis if vertical else axes.yaxis, centres)
    found = []
    for number, median in enumerate(result["medians"]):
        low, high = result["whiskers"][2 * number : 2 * number + 2]
        series = {"type": "box", "label": str(names[number])}
        series.update(zip(("q1", "min"), map(float, coordinate(low))))
        series["median"] = float(coordinate(median)[0])
        series.update(zip(("q3", "max"), map(float, coordinate(high))))
        if number < len(result["fliers"]):
            series["outliers"] = budget.list(coordinate(result["fliers"][number]))
        found.append(series)
    return found


def bar_series(axes, budget):
    used = {id(artist) for call in calls(axes) for artist in drawn(call[0], call[1])}
    found = []
    for container in axes.containers:
        bars = getattr(container, "patches", None)
        if not bars or type(container).__name__ != "BarContainer" or id(bars[0]) in used:
            continue
        if getattr(container, "orientation", "vertical") == "horizontal":
            centres = [bar.get_y() + bar.get_height() / 2 for bar in bars]
            series = {"type": "bar", "x": budget.list([bar.get_width() for bar in bars])}
            series.update(y=budget.list(categories(axes.yaxis, centres)), orientation="horizontal")
        else:
            centres = [bar.get_x() + bar.get_width() / 2 for bar in bars]
            series = {"type": "bar", "x": budget.list(categories(axes.xaxis, centres))}
            series.update(y=budget.list([bar.get_height() for bar in bars]))
        found.append(labelled(counted(series, len(bars)), container))
    return found


def line_series(axes, budget):
    used = {id(artist) for call in calls(axes) for artist in drawn(call[0], call[1])}
    found = []
    for line in axes.lines:
        # Lines in other coordinates than the data's are rules (axhline), not series. (Comparing the transforms would
        # compare numbers, which may be equal before limits are set.)
        across = line.get_transform().contains_branch_seperately(axes.transData)
        if id(line) in used or not all(across):
            continue
        nothing = (None, "None", " ", "")
        dots = line.get_linestyle() in nothing and line.get_marker() not in nothing
        x, y = line.get_xdata(), line.get_ydata()
        series = {"type": "scatter" if dots else "line", "x": budget.list(x), "y": budget.list(y)}
        found.append(labelled(counted(series, len(x)), line))
    return found


def scatter_series(axes, budget):
    found = []
    for collection in axes.collections:
        if type(collection).__name__ == "PathCollection":
            places = collection.get_offsets()
            series = {"type": "scatter",
                      "x": budget.list(along(axes.xaxis, places[:, 0].tolist()[:POINTS])),
                      "y": budget.list(along(axes.yaxis, places[:, 1].tolist()[:POINTS]))}
            found.append(labelled(counted(series, len(places)), collection))
    return found
