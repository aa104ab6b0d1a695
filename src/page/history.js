/* The cells of a record. */
import {rpc} from "/page/api.js";

function takeBack(cells, count) {
    for (const cell of cells.filter((one) => one.state === "kept" && !one.undone).slice(-count)) cell.undone = true;
}

/* Of the entries of one session: number, code, where the result is, whether it was taken back. `cells` are those before them. */
export function cellsOf(session, entries, cells = []) {
    let usual = "";
    for (const {entry, kind, body, code} of entries) {
        if (!body) continue;
        if (kind === "create") usual = body.language;
        else if (kind === "cell_intent") cells.push({number: body.cell, code: code ?? "", language: body.language ?? usual, session, state: "kept"});
        else if (kind === "cell_outcome") Object.assign(cells.at(-1) ?? {}, {entry, status: body.status, state: body.state});
        else if (kind === "undo") takeBack(cells, body.cells);
    }
    return cells;
}

const parents = new Map(); /* they never change */

async function parentOf(session) {
    if (!parents.has(session)) for (const one of (await rpc("ledger.list")).sessions) parents.set(one.session, one.parent);
    return parents.get(session);
}

/* Of a branch: those of the session it came from, up to that moment, then its own. `until`: only up to where this branch left. */
export async function recordOf(session, until = null) {
    const [{entries}, parent] = await Promise.all([rpc("ledger.list", {session}), parentOf(session)]);
    const end = until ? entries.findIndex((one) => one.kind === "branch" && one.body?.child === until) : entries.length;
    const earlier = parent ? await recordOf(parent, session) : [];
    return cellsOf(session, entries.slice(0, Math.max(end, 0)), earlier.filter((one) => !one.undone));
}
