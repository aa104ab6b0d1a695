/* What a cell gave, as elements. All of it is text of a guest: hostile. */
import {base64Bytes, rpc} from "/page/api.js";
import {button, clean, cleanPart, download, duration, h, problem, size} from "/page/dom.js";

const MOST_TEXT = 256 * 1024; /* characters that are shown of one thing */
const MOST_HTML = 512 * 1024; /* more is shown as text: a million elements would hold up the page */
const MOST_COLUMNS = 200;
const DEEP = 40;
const MOST_LISTED = 100; /* files of one cell */
const PIECE = 64 * 1024; /* bytes of stored output that are looked at together */
const KEPT = new Set(["class", "id", "title", "alt", "colspan", "rowspan", "width", "height", "dir", "lang", "border", "align"]);
const MOST_ROWS = 500; /* of a table */
const DROPPED = "script, style, link, meta, base, iframe, frame, object, embed, template, form, input, button, audio, video, source, track";
const IMAGES = {"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true};

/* --- streams --- */

const LIVE = 64 * 1024; /* characters of a stream that are shown while more of it comes */
const MOST_LINE = 16 * 1024;
const LABELS = {stdout: "Standard output", stderr: "Standard error", model: "Words of the model"};

const EARLIER = "… what came before is not shown\n";

/* A stream that grows: put(text) appends, and shows it with the next picture. Of much text the end is shown, and no more than that
 * is kept: in a tab that nobody sees there is no next picture. The last line is a node of its own, because it may still change. */
export class Stream {
    constructor(name) {
        this.element = h("pre", {class: `stream ${name}`, tabindex: 0, "aria-label": LABELS[name], hidden: true});
        this.planned = false;
        this.clear();
    }

    clear() {
        this.waiting = this.line = "";
        this.last = document.createTextNode("");
        this.shown = 0;
        this.cut = false;
        this.element.replaceChildren(this.last);
    }

    put(text) {
        this.waiting += text;
        if (this.waiting.length > 2 * LIVE) this.bound(LIVE);
        if (this.planned || !text) return;
        this.planned = true;
        requestAnimationFrame(() => this.flush(LIVE));
    }

    bound(most) {
        if (this.waiting.length <= most) return;
        this.cut = true;
        this.line = "";
        this.waiting = this.waiting.slice(-most);
    }

    flush(most) {
        this.planned = false;
        this.bound(most);
        const text = this.line + this.waiting, end = text.lastIndexOf("\n") + 1;
        const whole = text.length - end > MOST_LINE ? text.length : end;
        this.line = text.slice(whole);
        this.waiting = "";
        this.last.before(document.createTextNode(clean(text.slice(0, whole))));
        this.last.data = clean(this.line);
        this.shown += whole;
        this.trim(most);
        this.element.hidden = this.shown + this.line.length === 0;
    }

    trim(most) {
        while (this.shown > most && this.element.childNodes.length > 3) {
            const first = this.element.childNodes[this.element.firstElementChild ? 1 : 0];
            this.shown -= first.length;
            first.remove();
            this.cut = true;
        }
        if (this.cut && !this.element.firstElementChild) this.element.prepend(h("em", {}, EARLIER));
    }

    set(text) {
        this.clear();
        this.waiting = text;
        this.flush(MOST_TEXT);
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

/* Stored output a piece at a time: however much there is, one piece is in the page. */
function pager(session, cell, stream) {
    const text = h("pre", {class: `stream ${stream}`, tabindex: 0, "aria-label": `Piece of ${LABELS[stream].toLowerCase()}`});
    const where = h("span", {role: "status"});
    let at = 0, total = 0;

    async function go(offset) {
        try {
            const piece = await rpc("output.read", {session, cell, stream, offset, length: PIECE});
            at = offset;
            total = piece.size;
            text.replaceChildren(clean(piece.text));
            text.scrollTop = 0;
            where.textContent = `${size(at)} to ${size(Math.min(at + PIECE, total))} of ${size(total)}`;
            [first, before].forEach((one) => { one.disabled = at === 0; });
            [after, last].forEach((one) => { one.disabled = at + PIECE >= total; });
        } catch (error) {
            text.replaceChildren(problem(error));
        }
    }

    const first = button("First", () => go(0)), before = button("Before", () => go(Math.max(at - PIECE, 0)));
    const after = button("After", () => go(at + PIECE)), last = button("Last", () => go(Math.floor((total - 1) / PIECE) * PIECE));
    go(0);
    return h("div", {class: "pager"}, h("p", {class: "buttons"}, first, before, after, last, where), text);
}

export function truncated(session, cell, result) {
    return ["stdout", "stderr"].filter((name) => result.truncated?.[name]).map((name) => {
        const look = button(`Look through all of ${name}`, () => look.parentElement.after(pager(session, cell, name)) ?? look.remove());
        const line = h("p", {class: "note"}, `Only a part of ${name} is shown. `, look, " ",
            button(`Download all of ${name}`, () => wholeStream(session, cell, name)
                .then((blob) => download(blob, `cell-${cell}-${name}.txt`), (error) => line.append(problem(error)))));
        return h("div", {}, line);
    });
}

/* --- tables --- */

function compare(a, b) {
    const [x, y] = [Number(a), Number(b)];
    return a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y) ? x - y : a.localeCompare(b);
}

export function isNumber(text) {
    return text !== "" && !Number.isNaN(Number(text));
}

/* A column of numbers has its head above them, on the right. */
function numeric(rows, column) {
    const texts = rows.slice(0, MOST_ROWS).map((row) => row[column] ?? "").filter((text) => text !== "" && text !== "NaN");
    return texts.length > 0 && texts.every(isNumber) ? "number" : undefined;
}

/* Rows of texts, which a click on a column's head sorts. */
export function table(head, rows, label) {
    const body = h("tbody");
    let column = -1, down = false;

    function fill() {
        const order = column < 0 ? rows : [...rows].sort((a, b) => (down ? -1 : 1) * compare(a[column] ?? "", b[column] ?? ""));
        body.replaceChildren(...order.slice(0, MOST_ROWS).map((row) => h("tr", {}, row.slice(0, MOST_COLUMNS).map((text) =>
            h("td", {class: isNumber(text) ? "number" : undefined}, clean(text))))));
    }

    const heads = head.slice(0, MOST_COLUMNS).map((text, at) => {
        const cell = h("th", {scope: "col", class: numeric(rows, at)}, button(clean(text) || "#", () => {
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
        rows.length > MOST_ROWS ? h("p", {class: "note"}, `${MOST_ROWS} of ${rows.length} rows`) : null,
        head.length > MOST_COLUMNS ? h("p", {class: "note"}, `${MOST_COLUMNS} of ${head.length} columns`) : null);
}

/* Without elements of style, in one pass: a pattern would look for the end of each that has none. */
function withoutStyles(html) {
    const [first, ...others] = html.split(/<style\b/i);
    return first + others.map((part) => part.slice(part.search(/<\/style\s*>/i) >>> 0)).join("");
}

/* A document of which nothing is loaded or run. Styles would only be refused, and each refusal reported. */
function inert(html) {
    const plain = withoutStyles(html).replace(/\sstyle\s*=\s*("[^"]*"|'[^']*')/gi, "");
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
    return h("img", {class: "plot", src: `data:${type};base64,${data}`, alt: label});
}

function base64Text(text) {
    return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}

function block(text) {
    return h("pre", {class: "value", tabindex: 0}, cleanPart(text, MOST_TEXT));
}

function deep(flat) {
    let depth = 0;
    for (const c of flat) {
        if (c === "[" || c === "{") depth++;
        else if (c === "]" || c === "}") depth--;
        if (depth > DEEP) return true;
    }
    return false;
}

/* Indented, unless that would make a thousand times as much of it. */
export function json(value, indent) {
    const flat = JSON.stringify(value) ?? "";
    return cleanPart(flat.length > MOST_TEXT || deep(flat) ? flat : JSON.stringify(value, null, indent), MOST_TEXT);
}

/* Large markup is shown as text. */
function html(text, label) {
    if (text.length > MOST_HTML) return h("div", {}, h("p", {class: "note"}, `HTML of ${size(text.length)}, shown as text. `), block(text));
    const read = readTable(text);
    return read ? h("div", {}, table(read.head, read.rows, label), read.notes.map((note) => h("p", {class: "facts"}, clean(note)))) : frame(text);
}

/* The richest form that can be shown. */
export function bundle(mime, label) {
    for (const type of Object.keys(IMAGES)) if (typeof mime[type] === "string" && /^[\w+/=\s]*$/.test(mime[type])) return image(type, mime[type].replace(/\s/g, ""), label);
    if (typeof mime["image/svg+xml"] === "string") return image("image/svg+xml", base64Text(mime["image/svg+xml"]), label);
    if (typeof mime["text/html"] === "string") return html(mime["text/html"], label);
    if (mime["application/json"] !== undefined) return h("pre", {class: "value", tabindex: 0}, json(mime["application/json"], 2));
    return block(String(mime["text/plain"] ?? ""));
}

/* --- the rest of a result --- */

/* Lists of plain values beside each other are columns; of anything else there is JSON. */
function series(told, label) {
    const columns = Object.entries(told).filter(([name, list]) => Array.isArray(list) && !name.endsWith("_ticks") && list.every((one) => one === null || typeof one !== "object"));
    if (!columns.length) return h("pre", {tabindex: 0}, json(told, 1));
    const rows = Array.from({length: Math.max(...columns.map(([, list]) => list.length))}, (_, at) => columns.map(([, list]) => String(list[at] ?? "")));
    return table(columns.map(([name]) => name), rows, label);
}

/* What a plot was drawn from, series by series; made when somebody wants to see it. */
function numbers(chart) {
    const found = (chart.subplots ?? [chart]).flatMap((one) => (one.series ?? [one]).map((each) => ({each, name: [one.title, each.label].filter((text) => typeof text === "string" && text).join(": ")})));
    const place = h("details", {class: "numbers", ontoggle: () => place.open && place.childElementCount === 1
        && place.append(...found.map(({each, name}, at) => h("div", {}, name ? h("h3", {}, clean(name)) : "", series(each, `Numbers of series ${at + 1}`))))},
    h("summary", {}, "Numbers of the plot"));
    return place;
}

function error(told) {
    return h("div", {class: "error"}, h("p", {}, h("strong", {}, clean(told.name ?? "Error")), ": ", clean(told.message ?? "")),
        told.source ? h("pre", {class: "source", tabindex: 0, "aria-label": "Where it happened"}, clean(told.source)) : null,
        told.hint ? h("p", {class: "hint"}, clean(told.hint)) : null,
        told.traceback ? h("details", {}, h("summary", {}, "Traceback"), h("pre", {tabindex: 0}, clean(told.traceback))) : null);
}

function files(list, open) {
    return h("p", {class: "files"}, "Files: ", list.slice(0, MOST_LISTED).map((file) => [button(clean(file.path), () => open(file.path), {class: "link"}), ` (${file.change ?? ""}) `]),
        list.length > MOST_LISTED ? `and ${list.length - MOST_LISTED} more` : "");
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
    return [
        ...(result.displays ?? []).map((display, at) => bundle(display.mime ?? {}, `Display ${at + 1} of cell ${result.cell}`)),
        ...(result.plots ?? []).filter((plot) => plot.chart).map((plot) => numbers(plot.chart)),
        result.value ? bundle(result.value, `Value of cell ${result.cell}`) : null,
        result.error ? error(result.error) : null,
        STATES[result.state] ? h("p", {class: "note rolled"}, STATES[result.state]) : null,
        ...(result.state_notes ?? []).map((text) => h("p", {class: "note"}, clean(text))),
        result.files?.length ? files(result.files, open) : null,
        resources(result),
    ].filter(Boolean);
}
