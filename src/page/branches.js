/* The live sessions as trees: branch into several, run a cell in all of them, put them side by side, keep one. */
import {listen, rpc} from "/page/api.js";
import {button, clean, duration, h, keepText, problem, say} from "/page/dom.js";
import {bundle} from "/page/output.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 190, HEIGHT = 64, GAP = 26;

function svg(tag, attributes, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

function short(text, most = 24) {
    const line = clean(text).split("\n")[0];
    return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/* Depth and row of every session; a parent stands beside its first child. */
function placed(sessions) {
    const known = new Map(sessions.map((one) => [one.session, {...one, children: []}]));
    const roots = [];
    for (const one of known.values()) (known.get(one.parent)?.children ?? roots).push(one);
    let row = 0;
    function put(one, depth) {
        one.depth = depth;
        one.row = row;
        one.children.forEach((child, at) => {
            if (at) row++;
            put(child, depth + 1);
        });
    }
    roots.forEach((one) => {
        put(one, 0);
        row++;
    });
    return {all: [...known.values()], rows: row, depth: Math.max(0, ...[...known.values()].map((one) => one.depth)) + 1};
}

function lastOf(one) {
    const last = one.last;
    return last ? `${last.status}${last.value ? `: ${last.value}` : last.stdout ? `: ${last.stdout.trim().split("\n").at(-1)}` : ""}` : "nothing ran";
}

function draw(sessions, chosen, choose) {
    const {all, rows, depth} = placed(sessions);
    const at = (one) => ({x: 8 + one.depth * (WIDTH + 50), y: 8 + one.row * (HEIGHT + GAP)});
    const picture = svg("svg", {width: depth * (WIDTH + 50) - 34, height: Math.max(1, rows) * (HEIGHT + GAP), role: "group", "aria-label": "Tree of sessions"});
    for (const one of all) for (const child of one.children) {
        const from = at(one), to = at(child);
        picture.append(svg("path", {class: "edge", d: `M${from.x + WIDTH} ${from.y + HEIGHT / 2} C${from.x + WIDTH + 25} ${from.y + HEIGHT / 2} ${to.x - 25} ${to.y + HEIGHT / 2} ${to.x} ${to.y + HEIGHT / 2}`}));
    }
    for (const one of all) {
        const {x, y} = at(one), words = lastOf(one);
        const node = svg("g", {class: `node ${chosen.has(one.session) ? "chosen" : ""}`, transform: `translate(${x} ${y})`, tabindex: 0, role: "checkbox",
            "aria-checked": chosen.has(one.session), "aria-label": `${one.session}, ${one.title ? clean(one.title) : "empty"}, ${clean(words)}`, "data-session": one.session, "data-status": one.last?.status ?? ""},
        svg("rect", {width: WIDTH, height: HEIGHT, rx: 8}), svg("text", {x: 10, y: 18, class: "name"}, one.session.slice(0, 12)),
        svg("text", {x: 10, y: 36}, short(one.title ?? "empty session")), svg("text", {x: 10, y: 54, class: "last"}, short(words)));
        const toggle = () => choose(one.session);
        node.addEventListener("click", toggle);
        node.addEventListener("keydown", (event) => {
            if (event.key !== " " && event.key !== "Enter") return;
            event.preventDefault();
            toggle();
        });
        picture.append(node);
    }
    return picture;
}

/* --- side by side --- */

function differing(title, list, sessions, show) {
    if (!list.length) return h("p", {class: "none"}, `No ${title.toLowerCase()} differ.`);
    return h("div", {}, h("h3", {}, title), h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": `${title} that differ`}, h("table", {},
        h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "Name"), sessions.map((id) => h("th", {scope: "col"}, id.slice(0, 12))))),
        h("tbody", {}, list.slice(0, 200).map((one) => h("tr", {}, h("th", {scope: "row"}, clean(one.path ?? one.name)),
            one.in.map((each) => h("td", {}, each ? clean(show(each)) : "–"))))))));
}

/* What the last cell showed: plots and the like, from the record. */
async function displaysOf(session, cell) {
    const {entries} = await rpc("ledger.list", {session, limit: 20}).catch(() => ({entries: []}));
    const outcome = entries.findLast((one) => one.kind === "cell_outcome" && one.body?.cell === cell);
    const result = outcome && await rpc("ledger.result", {session, entry: outcome.entry}).catch(() => null);
    return (result?.displays ?? []).slice(0, 4).map((one, at) => bundle(one.mime ?? {}, `Display ${at + 1} of cell ${cell} of ${session}`));
}

function beside(compared, times, displays) {
    const {sessions, last} = compared;
    return h("section", {class: "panel", "aria-labelledby": "beside-title"}, h("h2", {id: "beside-title"}, "Side by side"),
        h("div", {class: "beside"}, sessions.map((id, at) => h("article", {class: "cell", "aria-label": `Last result of ${id}`, "data-status": last[at]?.status ?? ""},
            h("header", {}, h("span", {class: "mark"}, id.slice(0, 12)), h("span", {class: "status"}, last[at] ? `cell ${last[at].cell}: ${last[at].status}` : "nothing ran",
                times.has(id) ? `, ${duration(times.get(id))}` : "")),
            last[at]?.stdout ? h("pre", {class: "stream", tabindex: 0}, clean(last[at].stdout)) : "",
            displays[at], last[at]?.value ? h("pre", {class: "value", tabindex: 0}, clean(last[at].value)) : "",
            last[at]?.error ? h("p", {class: "problem"}, clean(last[at].error)) : ""))),
        differing("Variables", compared.variables, sessions, (one) => `${one.type}: ${one.repr}`),
        differing("Files", compared.files, sessions, (one) => one.link ?? `${one.size} bytes, ${String(one.sha256).slice(0, 8)}`),
        h("p", {class: "facts"}, `${compared.same.variables} variables and ${compared.same.files} files are the same.`),
        compared.notes.map((text) => h("p", {class: "note"}, clean(text))));
}

/* --- the view --- */

export async function show(place, _, connection) {
    const told = h("div", {role: "status"}), tree = h("div", {class: "scroll tree-picture", tabindex: 0, role: "region", "aria-label": "Sessions and their branches"});
    const compared = h("div"), chosen = new Set(), times = new Map();
    const count = h("input", {id: "count", type: "number", min: 1, max: 64, value: "3"});
    const code = h("textarea", {id: "all-code", rows: 2, class: "mono", spellcheck: "false"});
    const used = keepText(code, "branches");
    let sessions = [], ended = false, later = null;

    function paint() {
        const held = document.activeElement?.dataset?.session;
        tree.replaceChildren(sessions.length ? draw(sessions, chosen, choose) : h("p", {class: "none"}, "No session is live."));
        if (held) tree.querySelector(`[data-session="${CSS.escape(held)}"]`)?.focus();
        buttons.forEach(([one, least, most]) => { one.disabled = chosen.size < least || chosen.size > most; });
    }

    function choose(session) {
        if (!chosen.delete(session)) chosen.add(session);
        say(`${chosen.size} chosen`);
        paint();
    }

    /* What ran last in a session is what compare tells of it; it wants two. */
    async function refresh() {
        const [{sessions: live}, {sessions: recorded}] = await Promise.all([rpc("session.list"), rpc("ledger.list").catch(() => ({sessions: []}))]);
        const known = new Map(recorded.map((one) => [one.session, one]));
        const quiet = live.filter((one) => !one.running).slice(0, 64);
        const states = await Promise.all(quiet.map((one) => rpc("session.info", {session: one.session}).then((info) => info.state, () => "gone")));
        const idle = quiet.filter((_, at) => states[at] === "live"); /* to compare one that sleeps would wake it */
        const last = new Map(quiet.filter((_, at) => states[at] === "asleep").map((one) => [one.session, {status: "asleep"}]));
        if (idle.length) {
            const ids = idle.map((one) => one.session);
            const told = await rpc("session.compare", {sessions: ids.length > 1 ? ids : [ids[0], ids[0]]}).catch(() => null);
            told?.sessions.forEach((id, at) => last.set(id, told.last[at]));
        }
        if (ended) return;
        sessions = live.map((one) => ({...one, parent: known.get(one.session)?.parent, title: known.get(one.session)?.title, last: one.running ? {status: "running"} : last.get(one.session)}));
        for (const id of chosen) if (!sessions.some((one) => one.session === id)) chosen.delete(id);
        paint();
    }

    async function act(action) {
        told.replaceChildren();
        try {
            const words = await action([...chosen]);
            if (words) told.replaceChildren(h("p", {}, words));
        } catch (error) {
            told.replaceChildren(problem(error));
        }
        await refresh().catch((error) => told.replaceChildren(problem(error)));
    }

    async function branch([session]) {
        const {sessions: made} = await rpc("session.branch", {session, count: Number(count.value)});
        chosen.clear();
        made.forEach((id) => chosen.add(id));
        return `${made.length} branches were made, and are chosen.`;
    }

    async function runAll(ids) {
        if (!code.value.trim()) return "There is no code to run.";
        const results = await Promise.all(ids.map(async (session) => {
            const result = await rpc("session.execute", {session, code: code.value});
            times.set(session, result.resources?.wall_ms ?? 0);
            return result.status;
        }));
        used();
        await compare(ids);
        return `Run in ${ids.length}: ${results.join(", ")}.`;
    }

    async function compare(ids) {
        if (ids.length < 2) return;
        const found = await rpc("session.compare", {sessions: ids});
        const displays = await Promise.all(found.sessions.map((id, at) => (found.last[at] ? displaysOf(id, found.last[at].cell) : [])));
        compared.replaceChildren(beside(found, times, displays));
    }

    async function keep([session]) {
        const {closed} = await rpc("session.keep", {session});
        compared.replaceChildren();
        return `${session} is kept; ${closed.length === 1 ? "one other was" : `${closed.length} others were`} ended.`;
    }

    function soon() {
        if (!later && !ended) later = setTimeout(() => {
            later = null;
            refresh().catch(() => {});
        }, 500);
    }

    const open = button("Open", () => { location.hash = `#/session/${[...chosen][0]}`; });
    const buttons = [[button("Branch", () => act(branch), {class: "main"}), 1, 1], [button("Run in all chosen", () => act(runAll)), 1, 64],
        [button("Compare", () => act(compare)), 2, 64], [button("Keep this one", () => act(keep)), 1, 1], [open, 1, 1]];
    const [[one], [all], [two], [kept]] = buttons;
    place.append(h("h1", {}, "Branches"), h("p", {}, "Choose sessions in the tree: one to branch, open or keep, several to run a cell in or to compare."), tree,
        h("p", {class: "buttons"}, h("label", {htmlFor: "count"}, "Branches"), count, one, two, kept, open),
        h("div", {class: "task-form"}, h("label", {htmlFor: "all-code"}, "A cell for all that are chosen"), code, h("p", {class: "buttons"}, all)), told, compared);
    await refresh();
    const stop = listen(null, (method) => method.startsWith("cell.") && soon(), (state, again) => {
        connection(state, state === "lost" ? "The connection is lost; trying again." : "");
        if (again) soon();
    });
    return () => {
        ended = true;
        clearTimeout(later);
        stop();
    };
}
