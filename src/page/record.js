/* What is on record: the sessions, and of one its entries with their hashes; verify, replay, export. */
import {listen, rpc} from "/page/api.js";
import {button, clean, download, duration, h, problem, say, when} from "/page/dom.js";
import {cellsOf} from "/page/history.js";

const STEP = 200; /* rows that are added at a time */

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
    cell_outcome: (body) => `cell ${body.cell}: ${body.status}, ${body.state}, ${duration(body.resources?.wall_ms ?? 0)}`,
    file_write: (body) => clean(body.path ?? ""), file_delete: (body) => clean(body.path ?? ""),
    tool_call: (body) => clean(body.name ?? ""), network: (body) => clean([body.verdict, body.method, body.host, body.path].filter(Boolean).join(" ")),
    undo: (body) => (body.cells === 1 ? "one cell taken back" : `${body.cells} cells taken back`),
    branch: (body) => body.child ?? "", note: (body) => clean(body.source ?? ""),
};

function entryRow(verdicts) {
    return ({entry, kind, time_ms: time, hash, body, code, event}) => {
        const verdict = h("td", {class: "verdict"});
        if (kind === "cell_outcome" && body) verdicts.set(body.cell, verdict);
        return h("tr", {class: kind}, h("td", {class: "number"}, String(entry)), h("td", {}, kind.replace("_", " ")),
            h("td", {}, body ? (WORDS[kind]?.(body) ?? "") : "forgotten", code ? h("pre", {class: "code", tabindex: 0, "aria-label": `Code of entry ${entry}`}, clean(code)) : "",
                event ? h("details", {}, h("summary", {}, clean(event.event ?? "note")), h("pre", {}, clean(JSON.stringify(event, null, 1)))) : ""),
            verdict, h("td", {}, when(time)), h("td", {}, h("code", {title: hash}, hash.replace("sha256:", "").slice(0, 12))));
    };
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
        h("p", {}, h("strong", {}, equal ? "Equal" : "Different"), `: ${report.cells === 1 ? "one cell was" : `${report.cells} cells were`} run again.`),
        first ? h("dl", {}, h("dt", {}, `Cell ${first.cell}, ${first.what}, as recorded`), h("dd", {}, h("pre", {tabindex: 0}, clean(first.expected ?? ""))),
            h("dt", {}, "and now"), h("dd", {}, h("pre", {tabindex: 0}, clean(first.got ?? "")))) : "",
        report.unanswered?.length ? h("p", {class: "note"}, `${report.unanswered.length} requests to the network are not on record.`) : "");
}

async function one(place, session) {
    const {entries} = await rpc("ledger.list", {session});
    const verdicts = new Map(), told = h("div", {role: "status"}), body = h("tbody");

    async function work(word, action) {
        told.replaceChildren(h("p", {}, `${word} …`));
        try {
            told.replaceChildren((await action()) ?? "");
        } catch (error) {
            told.replaceChildren(problem(error));
        }
    }

    /* Cells that are run again are told as events. */
    async function withProgress(action) {
        const bar = h("progress", {max: 1, "aria-label": "Cells run again"}), words = h("span");
        let stop;
        told.replaceChildren(h("p", {}, "Running the cells again … ", bar, " ", words));
        await new Promise((resolve) => {
            stop = listen(null, (method, params) => {
                if (method !== "ledger.replaying" || params.session !== session) return;
                bar.max = params.total;
                bar.value = params.done;
                words.textContent = `${params.done} of ${params.total}`;
            }, resolve);
        });
        return action().finally(stop);
    }

    async function replay() {
        const answer = await withProgress(() => rpc("ledger.replay", {session}));
        const different = new Map(answer.report.different.map(({cell, what}) => [cell, what]));
        const kept = new Set(cellsOf(session, entries).filter((cell) => cell.state === "kept" && !cell.undone).map((cell) => cell.number));
        for (const [cell, place] of verdicts) {
            place.textContent = different.has(cell) ? `differs: ${different.get(cell)}` : kept.has(cell) ? "equal" : "not run again";
            place.className = `verdict ${different.has(cell) ? "bad" : "good"}`;
        }
        say(answer.equal ? "equal" : "different");
        return replayed(answer);
    }

    async function save(format) {
        const {text} = await rpc("ledger.export", {session, format});
        download(new Blob([text], {type: format === "html" ? "text/html" : "application/x-ipynb+json"}), `${session}.${format}`);
        return h("p", {}, `${session}.${format} is downloaded.`);
    }

    place.append(h("h1", {}, "Record"), h("p", {class: "facts"}, h("a", {href: "#/record"}, "All sessions"), ` · ${session} · `, h("a", {href: `#/session/${encodeURIComponent(session)}`}, "Open")),
        h("p", {class: "buttons"}, button("Verify", () => work("Checking", async () => verified(await rpc("ledger.verify", {session}))), {class: "main"}),
            button("Replay", () => work("Running the cells again", replay)), button("Notebook", () => work("Writing", () => save("ipynb"))),
            button("HTML page", () => work("Writing", () => save("html"))),
            button("JSON", () => download(new Blob([JSON.stringify(entries, null, 1)], {type: "application/json"}), `${session}.json`))),
        told, h("div", {class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Entries"},
            h("table", {class: "entries"}, h("thead", {}, h("tr", {}, ["Entry", "Kind", "What", "Replay", "Time (UTC)", "Hash"].map((text) => h("th", {scope: "col"}, text)))), body),
            growing(entries, entryRow(verdicts), body)));
}

export async function show(place, [session]) {
    await (session ? one(place, session) : list(place));
}
