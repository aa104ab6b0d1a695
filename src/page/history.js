/* The cells of a record. */
import {rpc} from "/page/api.js";

function takeBack(cells, count) {
    for (const cell of cells.filter((one) => one.state === "kept" && !one.undone).slice(-count)) cell.undone = true;
}

/* Of the entries of one session: number, code, where the result is, whether it was taken back. */
export function cellsOf(session, entries) {
    const cells = [];
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

/* Of a branch: those of the session it came from, up to that moment, then its own. */
export async function recordOf(session) {
    const [{entries}, {sessions}] = await Promise.all([rpc("ledger.list", {session}), rpc("ledger.list")]);
    const parent = sessions.find((one) => one.session === session)?.parent;
    const own = cellsOf(session, entries);
    if (!parent) return own;
    const {entries: earlier} = await rpc("ledger.list", {session: parent});
    const end = earlier.findIndex((one) => one.kind === "branch" && one.body?.child === session);
    return [...cellsOf(parent, earlier.slice(0, end < 0 ? 0 : end)).filter((one) => !one.undone), ...own];
}
