/* What is on record: the sessions, and of one its entries with their hashes; verify, replay, export. */
import {listen, rpc} from "/page/api.js";
import {button, clean, cleanPart, download, duration, h, problem, say, size, when} from "/page/dom.js";
import {json} from "/page/output.js";
import {Window} from "/page/window.js";

const STEP = 200; /* rows that are added, and entries that are read at a time */
const LATE = 1000; /* milliseconds for events behind an answer */
const MOST_SIDE = 20_000; /* characters of what differs */

/* Rows that are made as far as somebody looks: `row(one)` for the first of them, more by a button at the end. */
function growing(list, row, body) {
    const more = button("", () => add(), {class: "more"});
    let shown = 0;
    function add() {
        body.append(...list.slice(shown, shown + STEP).map(row));
        shown = Math.min(shown + STEP, list.length);
        more.hidden = shown === list.length;
        more.textContent = `Show more (${list.length - shown} left)`;
    }
    add();
    return more;
}

/* --- all sessions --- */

function sessionRow(one) {
    return h("tr", {}, h("th", {scope: "row"}, h("a", {href: `#/record/${encodeURIComponent(one.session)}`}, clean(one.title ?? "empty session")), h("br"), h("small", {}, one.session)),
        h("td", {}, one.state), h("td", {}, one.language ?? ""), h("td", {class: "number"}, String(one.cells)), h("td", {class: "number"}, String(one.entries)),
        h("td", {}, one.parent ? h("a", {href: `#/record/${encodeURIComponent(one.parent)}`}, "branch") : ""), h("td", {}, when(one.touched_ms)));
}

async function list(place) {
    const {sessions} = await rpc("ledger.list");
    const field = h("input", {type: "search", id: "search", oninput: () => {
        inCode = new Set();
        fill();
        clearTimeout(later);
        later = setTimeout(searchCode, 400);
    }});
    const found = h("div"), told = h("p", {role: "status"});
    let inCode = new Set(), later;
    sessions.sort((a, b) => b.touched_ms - a.touched_ms);

    /* The server reads everything that ran for it, so it is asked when somebody has written to the end. */
    async function searchCode() {
        const search = field.value.trim();
        if (search.length < 2) return;
        const answer = await rpc("ledger.list", {search}).catch((error) => told.replaceChildren(problem(error)));
        if (!answer || search !== field.value.trim()) return;
        inCode = new Set(answer.sessions.map((one) => one.session));
        fill();
    }

    function fill() {
        const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
        const fits = sessions.filter((one) => inCode.has(one.session)
            || words.every((word) => `${one.session} ${one.title ?? ""} ${one.state} ${one.language ?? ""}`.toLowerCase().includes(word)));
        const body = h("tbody");
        told.textContent = fits.length === 1 ? "One session" : `${fits.length} sessions`;
        found.replaceChildren(h("div", {class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Recorded sessions"},
            h("table", {}, h("thead", {}, h("tr", {}, ["Session", "State", "Language", "Cells", "Entries", "Made from", "Last used (UTC)"].map((text) => h("th", {scope: "col"}, text)))), body),
            growing(fits, sessionRow, body)));
    }

    place.append(h("h1", {}, "Record"), h("p", {class: "buttons"}, h("label", {htmlFor: "search"}, "Search titles, ids, states, code"), field), told, found);
    fill();
}

/* --- one session --- */

const WORDS = {
    create: (body) => `${body.language}, through ${body.door ?? "a program"}`,
    cell_intent: (body) => `cell ${body.cell}${body.language ? `, ${body.language}` : ""}`,
    cell_outcome: (body) => `cell ${body.cell}: ${body.status}, ${body.state}, ${duration(body.resources?.wall_ms ?? 0)}${body.review ? `, review: ${body.review.verdict}` : ""}`,
    file_write: (body) => clean(body.path ?? ""), file_delete: (body) => clean(body.path ?? ""),
    tool_call: (body) => `cell ${body.cell}: ${clean(body.name ?? "")}`,
    network: (body) => clean(`cell ${body.cell}: ${[body.method, `${body.scheme ?? ""}://${body.host ?? ""}${body.port ? `:${body.port}` : ""}${body.path ?? ""}`].filter(Boolean).join(" ")}`),
    undo: (body) => (body.cells === 1 ? "one cell taken back" : `${body.cells} cells taken back`),
    branch: (body) => body.child ?? "", note: (body) => clean(body.source ?? ""),
};

/* What was decided of a request or a call, and why. */
const DECIDED = {
    network: (body) => ({word: body.verdict ?? "", good: body.verdict === "allowed", more: [body.reason, body.status ? `status ${body.status}` : "", body.received ? size(body.received) : ""]}),
    tool_call: (_, call) => (call ? {word: call.failure ? "failed" : "answered", good: !call.failure, more: [call.failure?.message ?? call.failure]} : null),
};

function told(summary, value) {
    return h("details", {}, h("summary", {}, clean(summary)), h("pre", {tabindex: 0}, json(value, 1)));
}

/* Arguments are recorded as the text that they came as. */
function readable(call) {
    try {
        return {...call, arguments: JSON.parse(call.arguments)};
    } catch {
        return call;
    }
}

function decided({kind, body, call}) {
    const found = body && DECIDED[kind]?.(body, call);
    return found?.word ? h("p", {class: found.good ? "verdict good" : "verdict bad"}, h("strong", {}, clean(found.word)), found.more.filter(Boolean).map((text) => `, ${clean(text)}`)) : "";
}

/* Texts as they are; anything else as JSON. */
function side(value) {
    const plain = typeof value === "string" ? value : value?.["text/plain"];
    return h("pre", {tabindex: 0}, typeof plain === "string" ? cleanPart(plain, MOST_SIDE) : value === undefined ? "too long to be told while it ran" : json(value, 1));
}

/* What a replay said of a cell. */
function putVerdict(place, {equal, what, expected, got}) {
    place.className = `verdict ${equal ? "good" : "bad"}`;
    place.replaceChildren(...(equal ? ["equal"] : [`differs: ${what}`, h("details", {}, h("summary", {}, "the difference"),
        h("dl", {}, h("dt", {}, "recorded"), h("dd", {}, side(expected)), h("dt", {}, "now"), h("dd", {}, side(got))))]));
}

function verified({sound, report}) {
    return h("div", {class: sound ? "verdict good" : "verdict bad"},
        h("p", {}, h("strong", {}, sound ? "Sound" : "Not sound"), `: ${report.verdict}. ${report.entries} entries and ${report.blobs} stored pieces (${report.bytes} bytes) were checked.`),
        h("p", {}, "Keep the hash of the last entry, and you can tell later whether anything was changed: ", h("code", {}, report.head)),
        report.findings.length ? h("ul", {}, report.findings.slice(0, 50).map((one) => h("li", {}, `${one.verdict}: entry ${one.entry} of ${one.session}. ${clean(one.text)}`))) : "");
}

function replayed({equal, report}) {
    const {first} = report;
    return h("div", {class: equal ? "verdict good" : "verdict bad"},
        h("p", {}, h("strong", {}, equal ? "Equal" : "Different"), `: ${report.cells === 1 ? "one cell was" : `${report.cells} cells were`} run again`,
            equal ? "." : `, ${report.different.length === 1 ? "one" : report.different.length} with another result.`),
        first ? h("dl", {}, h("dt", {}, `Cell ${first.cell}, ${first.what}, as recorded`), h("dd", {}, side(first.expected ?? "")), h("dt", {}, "and now"), h("dd", {}, side(first.got ?? ""))) : "",
        report.unanswered?.length ? h("p", {class: "note"}, `${report.unanswered.length} requests to the network are not on record.`) : "");
}

/* The entries of a session, as they are read, and what replays say of its cells. */
class Entries {
    constructor(session) {
        Object.assign(this, {session, all: [], verdicts: new Map(), places: new Map(), ended: false});
        this.body = h("tbody");
        this.element = h("div", {class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Entries"},
            this.table = h("table", {class: "entries"}, h("thead", {}, h("tr", {}, ["Entry", "Kind", "What", "Replay", "Time (UTC)", "Hash"].map((text) => h("th", {scope: "col"}, text)))), this.body));
        this.window = new Window(this.body, {element: (at) => this.row(this.all[at]), scroller: this.element, usual: 40,
            spacer: () => h("tr", {"data-room": true, "aria-hidden": true}, h("td", {colspan: 6})), tell: (one, at, count) => {
                one.ariaRowIndex = at + 1; /* the first is the head */
                this.table.ariaRowCount = count + 1;
            }});
    }

    row(one) {
        const {entry, kind, time_ms: time, hash, body, code, call, event} = one;
        const verdict = h("td", {class: "verdict"});
        if (kind === "cell_outcome" && body) this.places.set(body.cell, verdict);
        if (kind === "cell_outcome" && this.verdicts.has(body?.cell)) putVerdict(verdict, this.verdicts.get(body.cell));
        return h("tr", {class: kind}, h("td", {class: "number"}, String(entry)), h("td", {}, kind.replace("_", " ")),
            h("td", {}, body ? (WORDS[kind]?.(body) ?? "") : "forgotten", code ? h("pre", {class: "code", tabindex: 0, "aria-label": `Code of entry ${entry}`}, clean(code)) : "",
                decided(one), call ? told("arguments and result", readable(call)) : "", kind === "network" && body ? told("all of the request", body) : "", event ? told(event.event ?? "note", event) : ""),
            verdict, h("td", {}, when(time)), h("td", {}, h("code", {title: hash}, hash.replace("sha256:", "").slice(0, 12))));
    }

    /* The next page; false when there is none. */
    async more() {
        const last = this.all.length;
        const {entries, total} = await rpc("ledger.list", {session: this.session, after: last, before: last + (last ? 5 * STEP : STEP) + 1});
        this.all.push(...entries);
        this.window.set(this.all.map((_, at) => at));
        return entries.length > 0 && this.all.length < total;
    }

    async read() {
        while (!this.ended && await this.more());
    }

    put(verdict) {
        this.verdicts.set(verdict.cell, verdict);
        const place = this.places.get(verdict.cell);
        if (place) putVerdict(place, verdict);
    }

    begin() {
        this.verdicts.clear();
        for (const place of this.places.values()) place.replaceChildren();
    }

    /* What no event told: those that differ stand in the report; the others were not run. */
    end({different}) {
        for (const one of different) if (!this.verdicts.has(one.cell)) this.put({...one, equal: false});
        for (const [cell, place] of this.places) if (!this.verdicts.has(cell)) place.replaceChildren("not run again");
    }

    close() {
        this.ended = true;
        this.window.close();
    }
}

async function one(place, session) {
    const entries = new Entries(session), told = h("div", {role: "status"});
    let hush = () => {};

    async function work(word, action) {
        told.replaceChildren(h("p", {}, `${word} …`));
        try {
            told.replaceChildren((await action()) ?? "");
        } catch (error) {
            told.replaceChildren(problem(error));
        }
    }

    /* Cells that are run again are told as events, with what came of them. */
    async function withProgress(action) {
        const bar = h("progress", {max: 1, "aria-label": "Cells run again"}), words = h("span");
        let different = 0, last;
        const all = new Promise((resolve) => { last = resolve; });
        told.replaceChildren(h("p", {}, "Running the cells again … ", bar, " ", words));
        await new Promise((resolve) => {
            hush = listen(null, (method, params) => {
                if (method !== "ledger.replaying" || params.session !== session) return;
                bar.max = params.total;
                bar.value = params.done;
                if (!params.verdict.equal) different++;
                words.textContent = `${params.done} of ${params.total}${different ? `, ${different} different` : ""}`;
                entries.put(params.verdict);
                if (params.done === params.total) last();
            }, resolve);
        });
        try {
            const answer = await action(); /* the last events may come behind it */
            await Promise.race([all, new Promise((resolve) => setTimeout(resolve, LATE))]);
            return answer;
        } finally {
            hush();
        }
    }

    async function replay() {
        entries.begin();
        const answer = await withProgress(() => rpc("ledger.replay", {session}));
        entries.end(answer.report);
        say(answer.equal ? "equal" : "different");
        return replayed(answer);
    }

    async function save(format) {
        const {text} = await rpc("ledger.export", {session, format});
        download(new Blob([text], {type: format === "html" ? "text/html" : "application/x-ipynb+json"}), `${session}.${format}`);
        return h("p", {}, `${session}.${format} is downloaded.`);
    }

    async function saveEntries() {
        const {entries: all} = await rpc("ledger.list", {session});
        download(new Blob([JSON.stringify(all, null, 1)], {type: "application/json"}), `${session}.json`);
        return h("p", {}, `${session}.json is downloaded.`);
    }

    place.append(h("h1", {}, "Record"), h("p", {class: "facts"}, h("a", {href: "#/record"}, "All sessions"), ` · ${session} · `, h("a", {href: `#/session/${encodeURIComponent(session)}`}, "Open")),
        h("p", {class: "buttons"}, button("Verify", () => work("Checking", async () => verified(await rpc("ledger.verify", {session}))), {class: "main"}),
            button("Replay", () => work("Running the cells again", replay)), button("Notebook", () => work("Writing", () => save("ipynb"))),
            button("HTML page", () => work("Writing", () => save("html"))), button("JSON", () => work("Writing", saveEntries))),
        told, entries.element);
    if (await entries.more()) entries.read().catch((error) => told.replaceChildren(problem(error)));
    return () => {
        entries.close();
        hush();
    };
}

export function show(place, [session]) {
    return session ? one(place, session) : list(place);
}
