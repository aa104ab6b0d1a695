/* The cells of a record. They are read from its end: what is seen first stands there, and of thousands of cells the others come
 * page by page. */
import {rpc} from "/page/api.js";

const FIRST = 200, PAGE = 1600; /* entries that are read at first, and at a time; a cell has two */
const UNENDED = "did not end"; /* what became of a cell that has no outcome although more happened: its server or its engine died */
const AFTER = new Set(["cell_intent", "sleep", "resume", "close"]); /* entries that are written while no cell runs */

export class Past {
    constructor(session) {
        Object.assign(this, {session, cells: [], numbers: new Map(), last: 0, next: {session, before: 0}, outcomes: new Map(), undos: [], over: false});
    }

    /* Whether all of it was read. */
    get whole() {
        return !this.next;
    }

    /* What came since, or at first the end of it. */
    async refresh() {
        if (!this.last) return this.more();
        const {entries} = await rpc("ledger.list", {session: this.session, after: this.last});
        for (const one of entries.filter(({entry}) => entry > this.last)) { /* somebody else may have asked for the same */
            this.follow(one);
            this.last = one.entry;
        }
    }

    /* The page before the first that is known; of a branch, at its beginning, that of the session it came from. */
    async more() {
        const {next} = this;
        if (!next) return;
        const {entries, parent, branched_at: branched} = await rpc("ledger.list", {session: next.session, limit: this.last ? PAGE : FIRST, ...(next.before ? {before: next.before} : {})});
        if (next !== this.next) return; /* somebody else has asked for the same */
        if (!this.last && entries.length) this.last = entries.at(-1).entry;
        this.cells.unshift(...entries.reverse().map((one) => this.precede(one, next.session)).filter(Boolean).reverse());
        const first = entries.at(-1)?.entry ?? 1;
        if (first > 1) this.next = {session: next.session, before: first};
        else this.next = parent ? {session: parent, before: branched} : null;
    }

    keep(cell) {
        this.numbers.set(cell.number, cell);
        return cell;
    }

    /* An entry before all that are known: an undo takes back what stands before it, the last undo what the others left. */
    precede({entry, kind, body, code}, session) {
        if (!body) return null;
        if (kind === "create" && session === this.session) this.language = body.language;
        else if (kind === "cell_outcome") this.outcomes.set(body.cell, {entry, status: body.status, state: body.state});
        else if (kind === "undo") this.undos.push({left: body.cells, session});
        const over = this.over;
        this.over ||= AFTER.has(kind);
        if (kind !== "cell_intent" || this.numbers.has(body.cell)) return null;
        const cell = {number: body.cell, code: code ?? "", language: body.language, session, state: "kept", status: over ? UNENDED : undefined, ...this.outcomes.get(body.cell)};
        this.outcomes.delete(body.cell);
        const undo = cell.entry && cell.state === "kept" ? this.undos.at(-1) : null;
        if (!undo) return this.keep(cell);
        if (--undo.left === 0) this.undos.pop();
        cell.undone = true;
        return undo.session === this.session ? this.keep(cell) : null; /* a branch begins without what was taken back before */
    }

    /* An entry behind all that are known. */
    follow({entry, kind, body, code}) {
        if (!body) return;
        if (AFTER.has(kind)) this.cells.filter((one) => !one.entry).forEach((one) => { one.status = UNENDED; });
        if (kind === "cell_intent") {
            this.cells.push(this.keep({number: body.cell, code: code ?? "", language: body.language, session: this.session, state: "kept"}));
        } else if (kind === "cell_outcome") {
            Object.assign(this.numbers.get(body.cell) ?? {}, {entry, status: body.status, state: body.state});
        } else if (kind === "undo") {
            const taken = this.cells.filter((one) => one.entry && one.state === "kept" && !one.undone).slice(-body.cells);
            for (const one of taken) one.undone = true;
            if (taken.length < body.cells) this.undos.unshift({left: body.cells - taken.length, session: this.session});
        }
    }
}
