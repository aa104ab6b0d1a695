"""The page of a run: one file without scripts or anything from elsewhere; plots are SVG drawn here."""
import html
import math

import stats

COLOURS = ["#b5532a", "#4a6fa5", "#5b8a5a", "#8a6aa8", "#a58a3f", "#5f6b73"]
WIDTH, LEFT, RIGHT = 860, 210, 30

STYLE = """body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #222;
  background: #fff } h1, h2 { font-weight: 600 } h2 { margin-top: 2.5rem } table { border-collapse: collapse;
  font-size: 13px } td, th { padding: .2rem .6rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
  td:first-child, th:first-child, .text { text-align: left; white-space: normal } .scroll td:first-child { min-width: 11rem } .met { color: #2c7a3d } .missed { color: #b3261e }
  .scroll { overflow-x: auto } svg { width: 100%; max-width: 60rem; min-width: 40rem; height: auto; display: block;
  margin: .8rem 0 1.6rem }
  svg text { font: 12px system-ui, sans-serif; fill: #333 } svg .title { font-weight: 600; font-size: 13px }"""


def escape(text):
    return html.escape(str(text))


def figure(value):
    return "%.0f" % value if value >= 1000 else "%.3g" % value


class Scale:
    """Values to pixels; logarithmic when they span more than a decade and a half."""

    def __init__(self, low, high, start, end, from_zero=False):
        self.log = low > 0 and high / low > 30 and not from_zero
        if self.log:
            low, high = 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high))
        else:
            low, high = 0, high * 1.05 or 1
        self.low, self.high, self.start, self.end = low, high, start, end

    def at(self, value):
        if self.log:
            share = math.log10(max(value, self.low) / self.low) / math.log10(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        if self.log:
            return [10**e for e in range(round(math.log10(self.low)), round(math.log10(self.high)) + 1)]
        step = 10 ** math.floor(math.log10(self.high / 4))
        step *= next(f for f in (1, 2, 5, 10) if self.high / (step * f) <= 6)
        return [i * step for i in range(int(self.high / step) + 1)]


class Svg:
    def __init__(self, height, title):
        self.height, self.parts = height, []
        self.text(0, 14, title, "title")

    def text(self, x, y, text, kind="", anchor="start", rotate=None):
        turn = ' transform="rotate(-90 %.1f %.1f)"' % (x, y) if rotate else ""
        self.parts.append('<text x="%.1f" y="%.1f" class="%s" text-anchor="%s"%s>%s</text>'
                          % (x, y, kind, anchor, turn, escape(text)))

    def line(self, x1, y1, x2, y2, colour="#999", width=1):
        self.parts.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="%s"/>'
                          % (x1, y1, x2, y2, colour, width))

    def rect(self, x, y, width, height, colour):
        self.parts.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>'
                          % (x, y, max(width, 0.5), height, colour))

    def path(self, points, colour, width=2):
        places = " ".join("%.1f,%.1f" % point for point in points)
        self.parts.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="%s"/>' % (places, colour, width))

    def dot(self, x, y, colour):
        self.parts.append('<circle cx="%.1f" cy="%.1f" r="3.2" fill="%s"/>' % (x, y, colour))

    def x_axis(self, scale, y, top, label):
        for tick in scale.ticks():
            self.line(scale.at(tick), top, scale.at(tick), y, "#e4e4e4")
            self.text(scale.at(tick), y + 15, "%g" % tick, anchor="middle")
        self.line(scale.start, y, scale.end, y)
        self.text((scale.start + scale.end) / 2, y + 32, label + (", logarithmic" if scale.log else ""), anchor="middle")

    def y_axis(self, scale, x, right, label):
        for tick in scale.ticks():
            self.line(x, scale.at(tick), right, scale.at(tick), "#e4e4e4")
            self.text(x - 6, scale.at(tick) + 4, "%g" % tick, anchor="end")
        self.line(x, scale.start, x, scale.end)
        self.text(x - 48, (scale.start + scale.end) / 2, label + (", logarithmic" if scale.log else ""),
                  anchor="middle", rotate=True)

    def __str__(self):
        return '<div class="scroll"><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img">%s</svg></div>' % (
            WIDTH, self.height, "".join(self.parts))


def labels(m, samples):
    """The participants of a measure in the order of the table, as (label, rounds)."""
    names = {"ours " + m.name: "Retort"}
    return [(names.get(name, name), rounds) for name, rounds in samples.items()]


def bars(m, samples):
    """Medians with their intervals."""
    rows = [(label, stats.median(rounds), stats.bootstrap(rounds)[0]) for label, rounds in labels(m, samples)]
    foot = 24 + 24 * len(rows)
    svg = Svg(foot + 40, "%s: median and 95 %% interval" % m.title)
    values = [v for _, median, limits in rows for v in (median, *limits) if v > 0]
    scale = Scale(min(values), max(values), LEFT, WIDTH - RIGHT - 60)
    svg.x_axis(scale, foot, 22, m.unit)
    for i, (label, median, (low, high)) in enumerate(rows):
        y = 28 + 24 * i
        colour = COLOURS[0] if label == "Retort" else "#b9b9b9" if label.startswith("floor") else COLOURS[1]
        svg.text(LEFT - 8, y + 12, label, anchor="end")
        svg.rect(scale.start, y, scale.at(median) - scale.start, 16, colour)
        svg.line(scale.at(low), y + 8, scale.at(high), y + 8, "#222", 1.5)
        for edge in (low, high):
            svg.line(scale.at(edge), y + 4, scale.at(edge), y + 12, "#222", 1.5)
        svg.text(max(scale.at(high), scale.at(median)) + 6, y + 12, figure(median))
    return str(svg)


def distribution(m, samples):
    """Which share of the samples was at most so long."""
    curves = [(label, sorted(stats.flat(rounds))) for label, rounds in labels(m, samples)]
    curves = [(label, values) for label, values in curves if len(values) >= 12 and values[0] > 0]
    if len(curves) < 2:
        return ""
    svg = Svg(270, "%s: distribution" % m.title)
    x = Scale(min(v[0] for _, v in curves), max(v[-1] for _, v in curves), 70, WIDTH - RIGHT - 200)
    y = Scale(0, 1 / 1.05, 225, 26)
    svg.x_axis(x, 225, 26, m.unit)
    svg.y_axis(y, 70, x.end, "share of samples")
    for i, (label, values) in enumerate(curves):
        colour = COLOURS[i % len(COLOURS)]
        svg.path([(x.at(v), y.at((n + 1) / len(values))) for n, v in enumerate(values)], colour)
        svg.rect(x.end + 14, 34 + 18 * i, 12, 12, colour)
        svg.text(x.end + 32, 44 + 18 * i, label)
    return str(svg)


def chart(title, x_label, y_label, series):
    """Lines over what grows. series: {label: [(x, median, (low, high))]}"""
    points = [p for line in series.values() for p in line]
    svg = Svg(max(300, 60 + 18 * len(series)), title)
    x = Scale(min(p[0] for p in points), max(p[0] for p in points), 90, WIDTH - RIGHT - 200, from_zero=True)
    y = Scale(min(p[2][0] for p in points), max(p[2][1] for p in points), 255, 26, from_zero=True)
    svg.x_axis(x, 255, 26, x_label)
    svg.y_axis(y, 90, x.end, y_label)
    for i, (label, line) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        svg.path([(x.at(p[0]), y.at(p[1])) for p in line], colour)
        for place, median, (low, high) in line:
            svg.line(x.at(place), y.at(low), x.at(place), y.at(high), colour, 1.5)
            svg.dot(x.at(place), y.at(median), colour)
        svg.rect(x.end + 14, 34 + 18 * i, 12, 12, colour)
        svg.text(x.end + 32, 44 + 18 * i, label)
    return str(svg)


def growth(group, members):
    """Medians over what grows. members: [(measure, samples)]"""
    series = {}
    for m, samples in members:
        for label, rounds in labels(m, samples):
            series.setdefault(label, []).append((m.curve[1], stats.median(rounds), stats.bootstrap(rounds)[0]))
    return chart("%s: median and 95 %% interval" % group, members[0][0].curve[2], members[0][0].unit, series)


def trend(title, label, unit, points):
    """One thing over what grows, with its interval where it has one. points: [(x, low, high, median)]"""
    svg = Svg(300, title)
    x = Scale(0, max(p[0] for p in points), 90, WIDTH - RIGHT, from_zero=True)
    y = Scale(0, max(p[2] for p in points), 255, 26, from_zero=True)
    svg.x_axis(x, 255, 26, label)
    svg.y_axis(y, 90, x.end, unit)
    svg.path([(x.at(p[0]), y.at(p[3])) for p in points], COLOURS[0])
    for place, low, high, median in points:
        svg.line(x.at(place), y.at(low), x.at(place), y.at(high), COLOURS[0], 1.5)
        svg.dot(x.at(place), y.at(median), COLOURS[0])
    return str(svg)


def row_html(row):
    goal = "" if row["goal"] is None else "≤ %.3g" % row["goal"]
    kind = {True: "met", False: "missed", None: ""}[row["met"]]
    verdict = {True: "met", False: "missed", None: ""}[row["met"]]
    cells = [row["title"], figure(row["ours_ms"]) + " " + row["unit"], figure(row["ours_p95"]),
             figure(row["ours_p99"]), row["other"], figure(row["other_ms"]), "%.3g" % row["ratio"],
             "%.3g – %.3g" % (row["ratio_low"], row["ratio_high"]), goal]
    cells = "".join("<td%s>%s</td>" % (' class="text"' if i == 4 else "", escape(c)) for i, c in enumerate(cells))
    floor = "" if row["floor_ms"] is None else "%s: %s" % (row["floor"], figure(row["floor_ms"]))
    return '<tr>%s<td class="%s">%s</td><td class="text">%s</td><td>%d</td></tr>' % (
        cells, kind, verdict, escape(floor), row["n"])


def table(rows):
    heads = ["measure", "Retort", "p95", "p99", "beside", "median", "ratio", "95 % interval", "goal", "", "floor", "n"]
    return '<div class="scroll"><table><tr>%s</tr>%s</table></div>' % (
        "".join("<th%s>%s</th>" % (' class="text"' if h in ("beside", "floor") else "", h) for h in heads), "".join(map(row_html, rows)))


def plots(chosen, samples):
    present = [m for m in chosen if any(name.startswith("ours") for name in samples.get(m.name, ()))]
    out = ["<h2>Medians</h2>"] + [bars(m, samples[m.name]) for m in present]
    out += ["<h2>Distributions</h2>"] + [distribution(m, samples[m.name]) for m in present]
    groups = {}
    for m in present:
        if m.curve:
            groups.setdefault(m.curve[0], []).append((m, samples[m.name]))
    out += ["<h2>Growth</h2>"] + [growth(group, members) for group, members in groups.items() if len(members) > 1]
    out += [trend(*one) for m in present for one in m.trends if len(one[3]) > 1]
    return "".join(out)


def document(title, body):
    return """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>%s</title>
<style>%s</style><h1>%s</h1>
%s</html>""" % (escape(title), STYLE, escape(title), body)


def render(rows, samples, missing, skipped, chosen):
    run = rows[0]["run"] if rows else {}
    facts = "".join("<tr><td>%s</td><td class='text'>%s</td></tr>" % (escape(k.replace("_", " ")), escape(v))
                    for k, v in run.items())
    absent = "".join("<li>%s: %s</li>" % (escape(k), escape(v)) for k, v in missing)
    absent += "<li>left out for lack of time: %s</li>" % escape(", ".join(skipped)) if skipped else ""
    return document("Retort beside the alternatives", """<p>All programs of a measure took turns in one run. Less is better everywhere; a ratio is Retort's median divided by the
other's; intervals are of the median, by bootstrap over rounds. Repeat it with <code>make bench</code>.</p>
<table>%s</table><h2>Ratios and goals</h2>%s%s%s""" % (
        facts, table(rows), "<h2>Not measured</h2><ul>%s</ul>" % absent if absent else "",
        plots(chosen, samples)))
