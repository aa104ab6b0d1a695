/* What a cell gave, as elements. All of it is text of a guest: hostile. */
import {base64Bytes, rpc} from "/page/api.js";
import {button, clean, download, duration, h, problem} from "/page/dom.js";

const MOST_TEXT = 256 * 1024; /* characters of a stream that are shown */
const KEPT = new Set(["class", "id", "title", "alt", "colspan", "rowspan", "width", "height", "dir", "lang", "border", "align"]);
const MOST_ROWS = 500; /* of a table */
const DROPPED = "script, style, link, meta, base, iframe, frame, object, embed, template, form, input, button, audio, video, source, track";
const IMAGES = {"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true};

/* --- streams --- */

const LABELS = {stdout: "Standard output", stderr: "Standard error", model: "Words of the model"};

/* A stream that grows: put(text) appends, and shows it with the next picture. */
export class Stream {
    constructor(name) {
        this.name = name;
        this.element = h("pre", {class: `stream ${name}`, tabindex: 0, "aria-label": LABELS[name], hidden: true});
        this.waiting = "";
        this.shown = 0;
        this.planned = false;
    }

    put(text) {
        this.waiting += text;
        if (this.planned || !text) return;
        this.planned = true;
        requestAnimationFrame(() => this.flush());
    }

    flush() {
        this.planned = false;
        const room = MOST_TEXT - this.shown;
        const text = clean(this.waiting.slice(0, Math.max(room, 0)));
        this.waiting = "";
        this.shown += text.length;
        if (text) this.element.append(text);
        this.element.hidden = this.shown === 0;
    }

    set(text) {
        this.element.replaceChildren();
        this.shown = 0;
        this.waiting = text;
        this.flush();
    }
}

/* What the result does not hold is read from the store, in pieces. */
async function wholeStream(session, cell, stream) {
    const pieces = [];
    for (let offset = 0, total = 1; offset < total;) {
        const piece = await rpc("output.read", {session, cell, stream, offset});
        const bytes = base64Bytes(piece.base64);
        if (!bytes.length) break;
        pieces.push(bytes);
        offset += bytes.length;
        total = piece.size;
    }
    return new Blob(pieces, {type: "text/plain"});
}

export function truncated(session, cell, result) {
    return ["stdout", "stderr"].filter((name) => result.truncated?.[name]).map((name) => {
        const line = h("p", {class: "note"}, `Only a part of ${name} is shown. `,
            button(`Download all of ${name}`, () => wholeStream(session, cell, name)
                .then((blob) => download(blob, `cell-${cell}-${name}.txt`), (error) => line.append(problem(error)))));
        return line;
    });
}

/* --- tables --- */

function compare(a, b) {
    const [x, y] = [Number(a), Number(b)];
    return a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y) ? x - y : a.localeCompare(b);
}

/* Rows of texts, which a click on a column's head sorts. */
export function table(head, rows, label) {
    const body = h("tbody");
    let column = -1, down = false;

    function fill() {
        const order = column < 0 ? rows : [...rows].sort((a, b) => (down ? -1 : 1) * compare(a[column] ?? "", b[column] ?? ""));
        body.replaceChildren(...order.slice(0, MOST_ROWS).map((row) => h("tr", {}, row.map((text) =>
            h("td", {class: text !== "" && !Number.isNaN(Number(text)) ? "number" : undefined}, clean(text))))));
    }

    const heads = head.map((text, at) => {
        const cell = h("th", {scope: "col"}, button(clean(text) || "#", () => {
            down = column === at && !down;
            column = at;
            heads.forEach((other) => other.removeAttribute("aria-sort"));
            cell.setAttribute("aria-sort", down ? "descending" : "ascending");
            fill();
        }));
        return cell;
    });
    fill();
    return h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": label},
        h("table", {class: "data"}, h("thead", {}, h("tr", {}, heads)), body),
        rows.length > MOST_ROWS ? h("p", {class: "note"}, `${MOST_ROWS} of ${rows.length} rows`) : null);
}

/* A document of which nothing is loaded or run. Styles would only be refused, and each refusal reported. */
function inert(html) {
    const plain = html.replace(/<style\b[^]*?<\/style>/gi, "").replace(/\sstyle\s*=\s*("[^"]*"|'[^']*')/gi, "");
    const parsed = new DOMParser().parseFromString(plain, "text/html");
    parsed.querySelectorAll(DROPPED).forEach((one) => one.remove());
    return parsed;
}

/* The texts of HTML that is one table and nothing else; null if it is anything else. */
function readTable(html) {
    const parsed = inert(html);
    const tables = parsed.querySelectorAll("table");
    if (tables.length !== 1 || tables[0].querySelector("img, svg, a, form, iframe, [colspan], [rowspan]")) return null;
    const notes = [...parsed.querySelectorAll("p")].map((one) => one.textContent);
    const rows = [...tables[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()));
    const headed = tables[0].tHead?.rows.length === 1;
    const inside = tables[0].textContent.length + notes.join("").length;
    if (!headed || !rows.length || parsed.body.textContent.trim().length > inside + 40) return null;
    return {head: rows[0], rows: rows.slice(1), notes};
}

/* --- markup of guests --- */

/* In a frame of its own: no origin, no script, no way out. The frame has the page's policy, too, and a stricter one beside it. */
function frame(html) {
    const parsed = inert(html);
    for (const one of parsed.querySelectorAll("*"))
        for (const {name, value} of [...one.attributes])
            if (!KEPT.has(name) && !(name === "src" && /^data:image\//.test(value))) one.removeAttribute(name);
    const policy = `default-src 'none'; img-src data:; style-src ${location.origin}/page/frame.css`;
    const lines = Math.min(20, 2 + parsed.querySelectorAll("tr, p, li, br, div, h1, h2, h3, pre").length);
    return h("iframe", {sandbox: "", class: `guest lines-${Math.ceil(lines / 5)}`, title: "HTML of the cell", referrerpolicy: "no-referrer",
        srcdoc: `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">` +
            `<meta name="color-scheme" content="light"><link rel="stylesheet" href="${location.origin}/page/frame.css">${parsed.body.innerHTML}`});
}

function image(type, data, label) {
    const url = type === "image/svg+xml" ? URL.createObjectURL(new Blob([data], {type})) : `data:${type};base64,${data}`;
    return h("img", {class: "plot", src: url, alt: label});
}

/* The richest form that can be shown. */
export function bundle(mime, label) {
    for (const type of Object.keys(IMAGES)) if (typeof mime[type] === "string" && /^[\w+/=\s]*$/.test(mime[type])) return image(type, mime[type].replace(/\s/g, ""), label);
    if (mime["image/svg+xml"]) return image("image/svg+xml", mime["image/svg+xml"], label);
    if (mime["text/html"]) {
        const read = readTable(mime["text/html"]);
        return read ? h("div", {}, table(read.head, read.rows, label), read.notes.map((text) => h("p", {class: "note"}, clean(text)))) : frame(mime["text/html"]);
    }
    if (mime["application/json"] !== undefined) return h("pre", {class: "value", tabindex: 0}, clean(JSON.stringify(mime["application/json"], null, 2)));
    return h("pre", {class: "value", tabindex: 0}, clean(mime["text/plain"] ?? ""));
}

/* --- the rest of a result --- */

function error(told) {
    return h("div", {class: "error"}, h("p", {}, h("strong", {}, clean(told.name ?? "Error")), ": ", clean(told.message ?? "")),
        told.source ? h("pre", {class: "source", tabindex: 0, "aria-label": "Where it happened"}, clean(told.source)) : null,
        told.hint ? h("p", {class: "hint"}, clean(told.hint)) : null,
        told.traceback ? h("details", {}, h("summary", {}, "Traceback"), h("pre", {tabindex: 0}, clean(told.traceback))) : null);
}

function files(list, open) {
    return h("p", {class: "files"}, "Files: ", list.map((file) => [button(clean(file.path), () => open(file.path), {class: "link"}), ` (${file.change ?? ""}) `]));
}

function resources(result) {
    const used = result.resources;
    if (!used) return null;
    const parts = [duration(used.wall_ms), `CPU ${duration(used.cpu_ms)}`, used.peak_memory_mb ? `${used.peak_memory_mb} MB` : "",
        ...(result.flags ?? [])].filter(Boolean);
    return h("p", {class: "resources"}, parts.join(" · "));
}

const STATES = {rolled_back: "Memory and files are as they were before this cell.", lost: "What was in memory is lost."};

export function rest(result, open) {
    const plots = (result.plots ?? []).filter((plot) => plot.numbers ?? plot.series ?? plot.axes);
    return [
        ...(result.displays ?? []).map((display, at) => bundle(display.mime ?? {}, `Display ${at + 1} of cell ${result.cell}`)),
        ...plots.map((plot) => h("details", {class: "numbers"}, h("summary", {}, "Numbers of the plot"), h("pre", {tabindex: 0}, clean(JSON.stringify(plot, null, 1))))),
        result.value ? bundle(result.value, `Value of cell ${result.cell}`) : null,
        result.error ? error(result.error) : null,
        STATES[result.state] ? h("p", {class: "note rolled"}, STATES[result.state]) : null,
        ...(result.state_notes ?? []).map((text) => h("p", {class: "note"}, clean(text))),
        result.files?.length ? files(result.files, open) : null,
        resources(result),
    ].filter(Boolean);
}
