/* All rows of a table that the session holds, sorted and cut by the session. It is asked in a branch, which is ended again: the
 * session itself stays as it is. */
import {rpc} from "/page/api.js";
import {button, clean, h, problem} from "/page/dom.js";
import {readCsv} from "/page/files.js";
import {isNumber} from "/page/output.js";

const PAGE = 100; /* rows at a time */

/* Whether a variable, as session.variables tells it, is such a table. */
export function isTable({name, type}) {
    return /(^|\.)DataFrame$/.test(type) && /^[A-Za-z_]\w*$/.test(name);
}

/* Prints how many rows there are, then those wanted as CSV. */
function question(name, {column, down, at}) {
    const sorted = column < 0 ? name : `${name}.sort_values(${name}.columns[${column}], ascending=${down ? "False" : "True"}, kind="stable")`;
    return `print(len(${name}))\nprint(${sorted}.iloc[${at}:${at + PAGE}].to_csv(), end="")`;
}

async function inBranch(session, name, code) {
    const {sessions: [branch]} = await rpc("session.branch", {session});
    try {
        await rpc("session.rename", {session: branch, name: `Rows of ${name}`}).catch(() => {}); /* what it is in the list of sessions */
        return await rpc("session.execute", {session: branch, code, language: "python"});
    } finally {
        rpc("session.close", {session: branch}).catch(() => {});
    }
}

async function ask(session, name, wanted) {
    const result = await inBranch(session, name, question(name, wanted));
    if (result.status !== "ok") throw new Error(result.error ? `${result.error.name}: ${result.error.message}` : result.status);
    if (result.truncated?.stdout) throw new Error("These rows are too long to be shown.");
    const end = result.stdout.indexOf("\n");
    const [head, ...rows] = readCsv(result.stdout.slice(end + 1), PAGE);
    return {total: Number(result.stdout.slice(0, end)), head: head ?? [], rows};
}

export class Rows {
    constructor(session, name) {
        Object.assign(this, {session, name, wanted: {column: -1, down: false, at: 0}, total: 0});
        this.where = h("span", {role: "status"});
        this.buttons = [["First", () => 0], ["Before", () => this.wanted.at - PAGE], ["After", () => this.wanted.at + PAGE],
            ["Last", () => Math.floor((this.total - 1) / PAGE) * PAGE]].map(([text, to]) => button(text, () => this.go({...this.wanted, at: Math.max(0, to())})));
        this.table = h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": `All rows of ${name}`});
        this.element = h("div", {class: "pager rows"}, h("h3", {tabindex: -1}, `All rows of ${name}`),
            h("p", {class: "buttons"}, this.buttons, this.where, button("Close table", () => this.element.remove())), this.table);
        this.go(this.wanted);
    }

    head(text, at) {
        const {column, down} = this.wanted, own = at - 1; /* the first is the index */
        if (own < 0) return h("th", {scope: "col"}, clean(text) || "#");
        return h("th", {scope: "col", class: this.numeric(at), "aria-sort": own === column ? (down ? "descending" : "ascending") : undefined},
            button(clean(text), () => this.go({column: own, down: own === column && !down, at: 0})));
    }

    numeric(at) {
        return this.rows.every((row) => row[at] === "" || isNumber(row[at] ?? "")) ? "number" : undefined;
    }

    async go(wanted) {
        if (this.asking) return;
        this.asking = true;
        this.where.textContent = "asking …";
        try {
            const {total, head, rows} = await ask(this.session, this.name, wanted);
            Object.assign(this, {wanted, total, rows});
            this.table.replaceChildren(h("table", {class: "data"}, h("thead", {}, h("tr", {}, head.map((text, at) => this.head(text, at)))),
                h("tbody", {}, rows.map((row) => h("tr", {}, row.map((text, at) => h("td", {class: this.numeric(at)}, clean(text))))))));
            this.where.textContent = total ? `rows ${wanted.at + 1} to ${Math.min(wanted.at + PAGE, total)} of ${total}` : "no rows";
        } catch (error) {
            this.where.textContent = "";
            this.table.replaceChildren(problem(error));
        }
        this.asking = false;
        const [first, before, after, last] = this.buttons;
        first.disabled = before.disabled = this.wanted.at === 0;
        after.disabled = last.disabled = this.wanted.at + PAGE >= this.total;
    }
}
