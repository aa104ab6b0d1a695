/* The live sessions, as they are now, and those of the record that can be brought back. */
import {approving, listen, rpc} from "/page/api.js";
import {ask, button, clean, duration, h, problem, say, size, when} from "/page/dom.js";

const LANGUAGES = ["python", "sql", "bash", "javascript", "typescript"];
const RECENT = 30;

function labelled(text, field, note) {
    return h("label", {}, h("span", {}, text), field, note ? h("small", {}, note) : null);
}

/* The parameters of session.create that a person chooses. */
async function askForSession() {
    const {environments} = await rpc("environments.list").catch(() => ({environments: []}));
    const fields = {
        language: h("select", {}, LANGUAGES.map((name) => h("option", {}, name))),
        environment: h("select", {}, h("option", {value: ""}, "the usual"), environments.map(({name}) => h("option", {}, name))),
        timeout: h("input", {type: "number", min: 1, step: "any", placeholder: "30"}),
        memory: h("input", {type: "number", min: 16, placeholder: "512"}),
        hosts: h("input", {type: "text", placeholder: "none"}),
        deterministic: h("input", {type: "checkbox"}),
    };
    const content = h("div", {class: "fields"}, labelled("Language", fields.language, "a cell may name its own"),
        labelled("Environment", fields.environment), labelled("Seconds of a cell", fields.timeout),
        labelled("Memory in MiB", fields.memory), labelled("Hosts it may reach", fields.hosts, "separated by spaces; if the server allows it"),
        labelled("Same code, same bytes", fields.deterministic));
    return ask("New session", content, "Create", () => {
        const hosts = fields.hosts.value.split(/[\s,]+/).filter(Boolean);
        const limits = Object.fromEntries(["timeout", "memory"].filter((name) => fields[name].value)
            .map((name) => [name, Number(fields[name].value)]));
        return {language: fields.language.value, ...(fields.environment.value ? {environment: fields.environment.value} : {}),
            ...(Object.keys(limits).length ? {limits} : {}), ...(hosts.length ? {network: hosts} : {}),
            ...(fields.deterministic.checked ? {deterministic: true} : {})};
    });
}

function link(session, title) {
    return h("a", {href: `#/session/${encodeURIComponent(session)}`}, title ? clean(title) : "empty session");
}

function stateOf(live) {
    return live.running ? "running" : live.info?.state === "asleep" ? "asleep" : "ready";
}

/* Of the last entries of a session: what ran last, what came of it, and how much memory it took. */
function lastCell(entries) {
    const intent = entries.findLast((one) => one.kind === "cell_intent" && one.body);
    const outcome = entries.find((one) => one.kind === "cell_outcome" && one.body?.cell === intent?.body.cell)?.body;
    return intent ? {code: intent.code ?? "", status: outcome?.status ?? "running", memory: outcome?.resources?.peak_memory_mb} : {};
}

function lastShown({code, status}) {
    if (code === undefined) return "";
    const line = clean(code).trim().split("\n")[0];
    return [h("code", {}, line.length > 20 ? `${line.slice(0, 19)}…` : line), " ", h("span", {class: `outcome ${status}`}, status)];
}

function small(text, action, disabled = false) {
    return button(text, action, {class: "small", disabled});
}

/* How long nothing was asked of it: nobody wants to see that run. */
function idleFor(seconds) {
    return seconds < 60 ? `${Math.round(seconds)} s` : seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

function liveRow(live, recorded, act, rename) {
    const {info, last = {}} = live;
    const used = info?.account?.cpu_ms?.used;
    return h("tr", {"data-session": live.session},
        h("th", {scope: "row"}, link(live.session, recorded?.title), h("br"), h("small", {}, live.session)),
        h("td", {}, h("span", {class: `state ${stateOf(live)}`}, stateOf(live))),
        h("td", {}, info?.language ?? ""), h("td", {class: "number"}, String(live.cells)),
        h("td", {class: "last"}, lastShown(last)),
        h("td", {class: "number"}, info?.limits ? `${last.memory ? `${Math.round(last.memory)} of ` : ""}${size(info.limits.memory)}` : ""),
        h("td", {class: "number"}, used ? duration(used) : "–"),
        h("td", {class: "number"}, info ? idleFor(info.idle_s) : ""),
        h("td", {class: "actions"},
            small("Interrupt", () => act("session.interrupt", live.session, "interrupted"), !live.running),
            small("Sleep", () => act("session.sleep", live.session, "sleeps"), live.running || info?.state === "asleep"),
            small("Rename", () => rename(live.session), !recorded), small("Close", () => act("session.close", live.session, "closed"))));
}

function pastRow(one, act) {
    return h("tr", {"data-session": one.session},
        h("th", {scope: "row"}, link(one.session, one.title), h("br"), h("small", {}, one.session)),
        h("td", {}, one.state), h("td", {}, one.language ?? ""), h("td", {class: "number"}, String(one.cells)),
        h("td", {}, when(one.touched_ms)),
        h("td", {class: "actions"}, one.state === "forgotten" ? "" : small("Resume", () => act("session.resume", one.session, "resumed"))));
}

/* Rows of sessions that were there stay, and of them what has not changed: who reads or is on a button is not disturbed. */
function renew(body, rows) {
    const known = new Map([...body.children].map((row) => [row.dataset.session, row]));
    const wanted = rows.map((row) => {
        const old = known.get(row.dataset.session);
        if (old) [...row.cells].forEach((cell, at) => cell.outerHTML !== old.cells[at].outerHTML && old.cells[at].replaceWith(cell));
        return old ?? row;
    });
    const stay = new Set(wanted);
    for (const row of [...body.children]) if (!stay.has(row)) row.remove();
    let at = body.firstChild;
    for (const row of wanted) {
        if (row === at) at = at.nextSibling;
        else body.insertBefore(row, at);
    }
}

/* Its frame stays when its rows change: who has scrolled in it stays where they are. */
function table(caption, heads, none) {
    const body = h("tbody"), nothing = h("p", {class: "none"}, none);
    const frame = h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": caption},
        h("table", {}, h("thead", {}, h("tr", {}, heads.map(([text, kind]) => h("th", {scope: "col", class: kind}, text)))), body));
    return {
        element: h("div", {}, h("h2", {}, caption), frame, nothing), frame,
        sees(session) {
            const row = body.querySelector(`[data-session="${CSS.escape(session)}"]`)?.getBoundingClientRect(), box = frame.getBoundingClientRect();
            return row && row.bottom > box.top && row.top < Math.min(box.bottom, innerHeight);
        },
        fill(rows) {
            const top = frame.scrollTop;
            renew(body, rows);
            frame.scrollTop = top;
            frame.hidden = !rows.length;
            nothing.hidden = rows.length > 0;
        },
    };
}

export async function show(place, _, connection) {
    const told = h("div");
    const now = table("Live", [["Session"], ["State"], ["Language"], ["Cells", "number"], ["Last cell"], ["Memory", "number"], ["CPU", "number"],
        ["Idle", "number"], ["Actions"]], "No session is live.");
    const before = table("Recorded", [["Session"], ["State"], ["Language"], ["Cells", "number"], ["Last used (UTC)"], ["Actions"]], "Nothing else is on record.");
    const lists = h("div", {}, now.element, before.element);
    let ended = false, later = null, known = new Map();
    const infos = new Map(), lasts = new Map();

    async function rename(session) {
        const field = h("input", {type: "text", value: clean(known.get(session)?.title ?? ""), maxlength: 80});
        const name = await ask("Rename the session", labelled("Name", field, "empty: its first line again"), "Rename", () => field.value.trim());
        if (name !== null) await act("session.rename", session, name ? `is called ${name}` : "has no name", {name});
    }

    async function act(method, session, word, more = {}) {
        told.replaceChildren();
        try {
            await rpc(method, {session, ...more});
            say(`${session} ${word}`);
            if (method === "session.resume") location.hash = `#/session/${session}`;
        } catch (error) {
            told.replaceChildren(problem(error));
        }
        await refresh();
    }

    function fillLive(live) {
        now.fill(live.map((one) => liveRow({...one, info: infos.get(one.session), last: lasts.get(one.session)}, known.get(one.session), act, rename)));
    }

    /* What ran last is asked for when something ran and somebody sees it: of many sessions that would be most of what is sent. */
    async function lookAt({session, cells, running}) {
        infos.set(session, await rpc("session.info", {session}).catch(() => null));
        const seen = `${cells} ${running}`;
        if (!known.has(session) || lasts.get(session)?.seen === seen || !now.sees(session)) return;
        const {entries} = await rpc("ledger.list", {session, limit: 6}).catch(() => ({entries: []}));
        lasts.set(session, {...lastCell(entries), seen});
    }

    /* The list is there first, and what is asked of each session fills it. */
    async function refresh() {
        const [{sessions: live}, {sessions: recorded}] = await Promise.all(
            [rpc("session.list"), rpc("ledger.list").catch(() => ({sessions: []}))]);
        known = new Map(recorded.map((one) => [one.session, one]));
        const awake = new Set(live.map((one) => one.session));
        if (ended) return;
        const made = ({session}) => known.get(session)?.created_ms ?? Infinity;
        live.sort((a, b) => made(b) - made(a) || 0); /* the newest first, and each stays where it is */
        const past = recorded.filter((one) => !awake.has(one.session)).sort((a, b) => b.touched_ms - a.touched_ms);
        fillLive(live);
        before.fill(past.slice(0, RECENT).map((one) => pastRow(one, act)));
        await Promise.all(live.slice(0, RECENT).map(lookAt));
        if (!ended) fillLive(live);
    }

    /* Events come in crowds. */
    function soon() {
        if (!later && !ended && !document.hidden && !document.querySelector("dialog[open]")) later = setTimeout(() => {
            later = null;
            refresh().catch(() => {});
        }, 300);
    }

    async function create() {
        const params = await askForSession();
        if (!params) return;
        try {
            const {session} = await rpc("session.create", params);
            location.hash = `#/session/${session}`;
        } catch (error) {
            told.replaceChildren(problem(error));
        }
    }

    const asked = h("div"), approve = approving(asked);
    place.append(h("div", {class: "title"}, h("h1", {}, "Sessions"), button("New session", create, {class: "main"})), told, asked, lists);
    await refresh();
    const timer = setInterval(soon, 3000);
    now.frame.addEventListener("scroll", soon, {passive: true});
    const stop = listen(null, (method, params) => {
        approve(method, params);
        if (/^(cell|agent)\./.test(method)) soon();
    }, (state, again) => {
        connection(state, state === "lost" ? "The connection is lost; trying again." : "");
        if (again) soon();
    });
    return () => {
        ended = true;
        clearInterval(timer);
        clearTimeout(later);
        stop();
    };
}
