/* What the server does, from /metrics: numbers now, and small charts of the last minutes. */
import {text} from "/page/api.js";
import {duration, h, problem, size} from "/page/dom.js";

const SVG = "http://www.w3.org/2000/svg";
const EVERY = 2000, SAMPLES = 150, WIDTH = 260, HEIGHT = 60;

/* Name, with its labels, to number. */
function read(told) {
    const found = {};
    for (const line of told.split("\n")) {
        const parts = line.match(/^(\w+(?:\{.*\})?) (\S+)$/);
        if (parts) found[parts[1]] = Number(parts[2]);
    }
    return found;
}

const held = (kinds) => (now) => kinds.reduce((sum, kind) => sum + (now[`retort_account_used{kind="${kind}"}`] ?? 0), 0);
/* Seconds under which this part of the cells since then stayed: from the counts of the histogram, evenly within each. */
const part = (wanted) => (now, then) => {
    const bounds = Object.keys(now).filter((name) => name.startsWith("retort_cell_seconds_bucket")).map((name) => ({to: Number(name.match(/le="(.*)"/)[1].replace("+Inf", "Infinity")),
        count: now[name] - (then?.[name] ?? 0)})).sort((a, b) => a.to - b.to);
    const sought = (bounds.at(-1)?.count ?? 0) * wanted, at = bounds.findIndex((one) => one.count >= sought);
    if (!sought || at < 0) return 0;
    const from = bounds[at - 1] ?? {to: 0, count: 0}, {to, count} = bounds[at];
    return Number.isFinite(to) ? from.to + (to - from.to) * (sought - from.count) / (count - from.count) : from.to;
};
const rate = (...names) => (now, then) => {
    const seconds = now.retort_uptime_seconds - then?.retort_uptime_seconds;
    return seconds > 0 ? names.reduce((sum, name) => sum + (now[name] ?? 0) - (then[name] ?? 0), 0) / seconds : 0;
};

const CHARTS = [
    {name: "Live sessions", value: (now) => now.retort_sessions, show: (x) => String(x)},
    {name: "Connections", value: (now) => now.retort_connections, show: (x) => String(x)},
    {name: "Cells per second", value: rate("retort_cells_ok_total", "retort_cells_failed_total"), show: (x) => x.toFixed(1)},
    {name: "Cell time, mean", show: (x) => (x ? duration(x * 1000) : "–"), value: (now, then) => {
        const count = now.retort_cell_seconds_count - (then?.retort_cell_seconds_count ?? 0);
        return count > 0 ? (now.retort_cell_seconds_sum - (then?.retort_cell_seconds_sum ?? 0)) / count : 0;
    }},
    {name: "Cell time, 95 of 100", value: part(0.95), show: (x) => (x ? duration(x * 1000) : "–")},
    {name: "Requests per second", value: rate("retort_http_requests_total"), show: (x) => x.toFixed(1)},
    {name: "Refused requests", value: (now) => now.retort_http_refused_total, show: (x) => String(x)},
    {name: "Failed cells", value: (now) => now.retort_cells_failed_total, show: (x) => String(x)},
    {name: "Held in memory", value: held(["past", "saved_states", "tool_calls", "file_lists", "proof", "output", "frames", "result"]), show: size},
    {name: "Temporary files", value: held(["stored_output", "kept_files"]), show: size},
];

function line(values) {
    const most = Math.max(...values, 1e-9), step = WIDTH / (SAMPLES - 1);
    return values.map((value, at) => `${(WIDTH - (values.length - 1 - at) * step).toFixed(1)},${(HEIGHT - 4 - (value / most) * (HEIGHT - 10)).toFixed(1)}`).join(" ");
}

function chart({name, show}) {
    const shape = document.createElementNS(SVG, "polyline"), picture = document.createElementNS(SVG, "svg");
    const number = h("strong"), most = h("small");
    const values = [];
    picture.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    picture.setAttribute("aria-hidden", "true");
    picture.append(shape);
    return {
        element: h("section", {class: "panel chart", "aria-label": name}, h("h2", {}, name), h("p", {}, number, " ", most), picture),
        put(value) {
            values.push(value);
            if (values.length > SAMPLES) values.shift();
            number.textContent = show(value);
            most.textContent = `at most ${show(Math.max(...values))}`;
            shape.setAttribute("points", line(values));
        },
    };
}

export async function show(place, _, connection) {
    const charts = CHARTS.map((one) => ({...one, ...chart(one)}));
    const up = h("p", {class: "facts"});
    let before = null;

    async function sample() {
        const now = read(await text("/metrics"));
        charts.forEach((one) => one.put(one.value(now, before) || 0));
        up.textContent = `Running for ${duration(now.retort_uptime_seconds * 1000)}; a point every ${EVERY / 1000} s, since this view was opened.`;
        before = now;
    }

    place.append(h("h1", {}, "Operations"), up, h("div", {class: "charts"}, charts.map((one) => one.element)));
    await sample();
    const timer = setInterval(() => sample().then(() => connection("on", ""), (error) => {
        connection("lost", "The connection is lost; trying again.");
        if (error.status === 401) place.replaceChildren(problem(error));
    }), EVERY);
    return () => clearInterval(timer);
}
