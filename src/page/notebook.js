/* A session: the cells that ran, a field for the next one, files and variables.
 *
 * What ran comes from the record, what runs from the events; a cell that this page asked for is finished by the answer. Cells of
 * others, who have the same session open, appear as they run. */
import {approving, listen, rpc} from "/page/api.js";
import {ask, button, clean, duration, h, problem, say, size} from "/page/dom.js";
import {editor, paint} from "/page/editor.js";
import {Files} from "/page/files.js";
import {Past} from "/page/history.js";
import {Stream, rest, truncated} from "/page/output.js";
import {Rows, isTable} from "/page/rows.js";
import {Window} from "/page/window.js";

const MOST_MADE = 400; /* cells that are kept although they are not in the page */
const SETTLED = 120; /* milliseconds in the page after which a past cell is read: who scrolls past it does not want it */
const LANGUAGES = ["python", "sql", "bash", "javascript", "typescript"];

/* --- one cell --- */

class Cell {
    constructor(notebook, {number, code, language}) {
        Object.assign(this, {notebook, number, code, language, done: false, undone: false, state: "kept"});
        this.mark = h("span", {class: "mark"});
        this.tongue = h("span", {class: "tongue"});
        this.status = h("span", {class: "status"});
        this.source = h("pre", {class: "code", tabindex: 0});
        this.streams = {stdout: new Stream("stdout"), stderr: new Stream("stderr")};
        this.after = h("div", {class: "after"});
        this.back = button("Take back to here", () => notebook.undo(this), {class: "small back"});
        this.element = h("article", {class: "cell"},
            h("header", {}, this.mark, this.tongue, this.status, h("span", {class: "actions"},
                button("Edit again", () => notebook.edit(this), {class: "small again"}), this.back)),
            this.source, this.streams.stdout.element, this.streams.stderr.element, this.after);
        this.describe();
    }

    describe() {
        const name = this.number ? `Cell ${this.number}` : "Next cell";
        this.mark.textContent = name;
        this.tongue.textContent = this.language ?? "";
        this.tongue.hidden = !this.language;
        this.painted(clean(this.code ?? ""));
        this.source.hidden = !this.code;
        this.source.setAttribute("aria-label", `Code of ${name.toLowerCase()}`);
        this.element.setAttribute("aria-label", name);
        this.element.dataset.cell = this.number ?? "";
        this.back.setAttribute("aria-label", `Take back to before ${name.toLowerCase()}`);
        this.back.hidden = this.undone || this.state !== "kept" || !this.done || !this.number;
        this.element.classList.toggle("undone", this.undone);
    }

    /* A cell is described more than once, and its code is the same. */
    painted(code) {
        const language = this.code?.match(/^%%(\w+)/)?.[1] ?? this.language;
        if (this.shown === `${language} ${code}`) return;
        this.shown = `${language} ${code}`;
        paint(this.source, code, language).catch(() => {}); /* then it has no colours */
    }

    wait() {
        this.element.classList.add("running");
        this.status.textContent = "waiting";
    }

    start() {
        const began = performance.now();
        clearInterval(this.timer);
        this.element.classList.add("running");
        const tick = () => { this.status.textContent = `running, ${duration(performance.now() - began)}`; };
        tick();
        this.timer = setInterval(tick, 200);
    }

    stop(status) {
        clearInterval(this.timer);
        this.element.classList.remove("running");
        this.element.dataset.status = status;
        this.status.textContent = this.undone ? `${status}, taken back` : status;
    }

    takeBack(undone) {
        this.undone = undone;
        this.stop(this.element.dataset.status);
        this.describe();
    }

    finish(result) {
        this.done = true;
        this.state = result.state ?? "kept";
        this.number = result.cell ?? this.number;
        this.stop(result.status);
        for (const name of ["stdout", "stderr"]) if (result[name] !== undefined) this.streams[name].set(result[name]);
        this.after.replaceChildren(...truncated(this.notebook.session, this.number, result), ...rest(result, (path) => this.notebook.files.open(path)));
        this.describe();
    }

    fail(error, status = "failed") {
        this.done = true;
        this.state = "none";
        this.stop(status);
        this.after.replaceChildren(problem(error));
        this.describe();
    }

    /* Whether it ran, and how, is what the record or the events will tell. */
    lose() {
        this.stop("connection lost");
        this.element.classList.add("running");
    }

    /* From the record: its result is read when it has been in the page for a moment. */
    remember(known) {
        Object.assign(this, {code: known.code, language: known.language ?? (this.notebook.usual || this.notebook.past.language), done: Boolean(known.entry), state: known.state,
            undone: Boolean(known.undone), known});
        this.stop(known.status ?? (this.notebook.live ? "running" : "did not end"));
        this.describe();
        return this;
    }

    seen() {
        if (this.known?.entry) setTimeout(() => this.element.isConnected && this.recall(), SETTLED);
    }

    async recall() {
        const {known} = this;
        this.known = null;
        try {
            if (!known?.entry) return;
            const result = await rpc("ledger.result", {session: known.session, entry: known.entry});
            this.notebook.window.still(this.number, () => this.finish(result));
        } catch (error) {
            this.after.replaceChildren(problem(error));
        }
    }
}

/* --- all of them --- */

class Notebook {
    constructor(place, session, connection) {
        Object.assign(this, {place, session, connection, cells: new Map(), added: [], own: [], queue: [], lost: [], ended: false, live: true});
        this.past = new Past(session);
        this.told = h("div");
        this.asked = h("div");
        this.approve = approving(this.asked);
        this.list = h("div", {class: "cells", role: "feed", "aria-label": "Cells"});
        this.window = new Window(this.list, {element: (key) => this.elementOf(key), released: (key) => this.release(key),
            spacer: () => h("div", {class: "room", "data-room": true}), tell: (one, at, count) => Object.assign(one, {ariaPosInSet: at, ariaSetSize: count})});
        this.files = new Files(session);
        this.variables = h("div", {class: "variables"});
        this.tables = h("div");
        this.facts = h("p", {class: "facts"});
    }

    add(cell) {
        if (cell.number) this.cells.set(cell.number, cell);
        this.added.push(cell);
        this.order();
        return cell;
    }

    get latest() {
        return Math.max(this.past.cells.at(-1)?.number ?? 0, ...this.added.map((one) => one.number ?? 0));
    }

    /* What is listed: numbers of cells, on record or not, and cells that have none yet. A cell that was refused stays where it was,
     * one that waits is behind all. One of ours that is on its way may be on record already. */
    order() {
        this.added = this.added.filter((one) => !this.past.numbers.has(one.number));
        const ours = new Set(this.own.filter((one) => !one.number).map((one) => this.past.cells.findLast((known) => known.number > one.behind
            && known.code === one.code && !this.cells.has(known.number))?.number));
        const rows = [...this.past.cells.filter((one) => !ours.has(one.number)).map(({number}) => ({key: number, at: number})),
            ...this.added.map((one) => ({key: one.number ?? one, at: one.number ?? (one.behind === undefined ? Infinity : one.behind + 0.5)}))];
        this.window.set(rows.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map((one) => one.key));
    }

    elementOf(key) {
        if (key instanceof Cell) return key.element;
        if (!this.cells.has(key)) this.cells.set(key, new Cell(this, {number: key}).remember(this.past.numbers.get(key)));
        this.cells.get(key).seen();
        return this.cells.get(key).element;
    }

    /* Of many cells that are not in the page, those on record are made again when they are wanted. */
    release() {
        if (this.cells.size <= MOST_MADE) return;
        for (const [number, cell] of this.cells) if (cell.done && this.past.numbers.get(number)?.entry && !cell.element.isConnected) this.cells.delete(number);
    }

    /* Brings the page to what the record says: cells of others, and what was taken back. */
    async sync() {
        const heard = await this.past.refresh().then(() => true, (error) => Boolean(error.status));
        if (this.ended || !heard) return;
        this.lost.filter((one) => !one.number).forEach((one) => this.find(one));
        for (const [number, cell] of this.cells) {
            const known = this.past.numbers.get(number);
            if (known && (!cell.done || !cell.code)) cell.remember(known).seen();
            else if (known && cell.undone !== Boolean(known.undone)) cell.takeBack(Boolean(known.undone));
        }
        this.lost.filter((one) => !one.number).forEach((one) => one.fail(this.past.cells.length ? "The connection was lost, and the record has no such cell."
            : "The connection was lost; whether it ran is not known.", "not known"));
        this.lost = [];
        this.order();
        this.running();
    }

    /* Earlier cells, until all are there. */
    async fill() {
        while (!this.ended && !this.past.whole) {
            await this.past.more();
            if (!this.ended) this.order();
            await new Promise((resolve) => setTimeout(resolve));
        }
    }

    /* The cell of this page that was on its way when the connection was lost, and is on record. */
    find(cell) {
        const known = this.past.cells.find((one) => one.code === cell.code && one.number > cell.behind && !this.cells.has(one.number));
        if (!known) return;
        cell.number = known.number;
        this.cells.set(known.number, cell);
    }

    running() {
        const busy = [...this.cells.values(), ...this.added].some((cell) => cell.element.classList.contains("running"));
        if (this.stop) this.stop.disabled = !busy;
    }

    heard(method, params) {
        this.approve(method, params);
        const cell = this.cells.get(params.cell);
        if (method === "cell.begin" && !cell) this.began(params);
        else if (method === "session.output" && cell && !cell.done) cell.streams[params.stream]?.put(params.text);
        else if (method === "cell.end" && cell && !cell.done && !this.own.includes(cell)) this.ran(cell, params);
        else if (method === "events.dropped") this.sync();
    }

    began({cell: number, code, language}) {
        const cell = this.own.find((one) => !one.number) ?? this.add(new Cell(this, {number, code, language: language ?? (this.usual || this.past.language)}));
        cell.number = number;
        this.cells.set(number, cell);
        cell.describe();
        this.order();
        if (!cell.element.classList.contains("running")) cell.start();
        this.running();
    }

    /* A cell of others has ended. The record has all of it; if there is none, the event has the most important. */
    async ran(cell, told) {
        await this.sync();
        if (!cell.done) cell.finish(told);
        await this.look();
    }

    /* One after the other, with one request at a time: browsers have six connections, and one of them must be left to interrupt. */
    async run(code, language) {
        if (!code.trim()) return;
        const cell = this.add(new Cell(this, {code, language: /^%%\w/.test(code) ? "" : language}));
        cell.wait();
        this.queue.push(cell);
        this.running();
        this.window.reach(cell);
        if (this.busy) return;
        this.busy = true;
        while (this.queue.length) await this.execute(this.queue.shift());
        this.busy = false;
    }

    /* What runs, and what waits behind it. */
    async interrupt() {
        this.queue.splice(0).forEach((cell) => {
            cell.behind = this.latest;
            cell.fail("It waited for a cell that was interrupted.", "not run");
        });
        try {
            await rpc("session.interrupt", {session: this.session});
        } catch (error) {
            this.told.replaceChildren(problem(error));
        }
    }

    async execute(cell) {
        this.own.push(cell);
        cell.behind = this.latest;
        cell.start();
        this.told.replaceChildren();
        try {
            this.settle(cell, await rpc("session.execute", {session: this.session, code: cell.code, ...(cell.language ? {language: cell.language} : {})}));
        } catch (error) {
            this.failed(cell, error);
        }
        this.own = this.own.filter((one) => one !== cell);
        say(`Cell ${cell.number ?? ""}: ${cell.element.dataset.status}`);
        this.running();
        cell.element.scrollIntoView({block: "nearest"});
        await this.look();
    }

    failed(cell, error) {
        if (error.status) return cell.fail(error);
        cell.lose();
        this.lost.push(cell);
        if (this.connectedNow) setTimeout(() => this.sync(), 1000);
    }

    /* Another client's cell may have begun first, and was taken for this one. */
    settle(cell, result) {
        this.approve("cell.end", {session: this.session, cell: result.cell});
        const taken = this.cells.get(result.cell);
        if (cell.number !== result.cell) {
            if (this.cells.get(cell.number) === cell) this.cells.delete(cell.number);
            this.window.forget(cell.number ?? cell);
            if (taken) this.added = this.added.filter((one) => one !== taken);
            this.cells.set(result.cell, cell);
            cell.number = result.cell;
            cell.finish(result);
            this.window.forget(result.cell);
            this.order();
            this.sync();
        } else {
            cell.finish(result);
        }
    }

    async undo(cell) {
        await this.sync(); /* others may have taken back some of them */
        if (cell.undone) return;
        const kept = [...this.past.cells, ...this.added].filter((one) => one.state === "kept" && !one.undone && one.number >= cell.number && (one.entry || one.done));
        const count = kept.length;
        const words = h("p", {}, `Memory and files go back to the moment before cell ${cell.number}. `,
            `${count === 1 ? "One cell is" : `${count} cells are`} taken back; the record keeps them.`);
        if (!(await ask("Take back?", words, "Take back"))) return;
        this.told.replaceChildren();
        try {
            const result = await rpc("session.undo", {session: this.session, cells: count});
            await this.sync();
            this.added.filter((one) => kept.includes(one) && !one.undone).forEach((one) => one.takeBack(true)); /* of a session without a record */
            const how = {checkpoint: "from a checkpoint", replay: "by running the earlier cells again"}[result.state_via];
            this.told.replaceChildren(h("p", {class: "note", role: "status"}, `${result.cells === 1 ? "One cell was" : `${result.cells} cells were`} taken back`,
                how ? `, ${how}.` : ".", " Memory and files are as before.", (result.state_notes ?? []).map((text) => ` ${clean(text)}`)));
        } catch (error) {
            this.told.replaceChildren(problem(error));
        }
        await this.look();
    }

    edit(cell) {
        this.field.text = cell.code ?? "";
        if (cell.language) this.choose(cell.language);
        this.field.focus();
    }

    choose(language) {
        this.language.value = language;
        this.field?.language(language);
    }

    /* One after the other: a look that found the session awake must not reach it when it has just been put to sleep. */
    inTurn(step) {
        this.turn = (this.turn ?? Promise.resolve()).then(step);
        return this.turn;
    }

    look() {
        return this.inTurn(() => this.lookNow());
    }

    /* Files and variables after a cell, and what the session is. To look at them would wake one that sleeps. */
    async lookNow() {
        if (this.ended || !this.live) return;
        const asleep = (await this.lookAtFacts()) === "asleep";
        this.told.replaceChildren(...(asleep ? [h("p", {class: "note", role: "status"}, "The session sleeps: the next cell wakes it.")] : this.told.childNodes));
        if (!asleep) await Promise.all([this.files.refresh(), this.lookAtVariables()]);
    }

    async sleep() {
        await this.inTurn(() => rpc("session.sleep", {session: this.session}).catch((error) => this.told.replaceChildren(problem(error))));
        await this.look();
    }

    async lookAtVariables() {
        try {
            const {variables} = await rpc("session.variables", {session: this.session});
            this.variables.replaceChildren(variables.length
                ? h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "List of variables"}, h("table", {}, h("thead", {}, h("tr", {}, ["Name", "Type", "Value"].map((text) => h("th", {scope: "col"}, text)))),
                    h("tbody", {}, variables.slice(0, 500).map((one) => h("tr", {}, h("th", {scope: "row"}, clean(one.name)),
                        h("td", {}, clean(one.type), isTable(one) ? button("All rows", () => this.rowsOf(one.name), {class: "small", "aria-label": `All rows of ${one.name}`}) : ""), h("td", {}, clean(one.repr)))))))
                : h("p", {class: "none"}, "There are none."));
        } catch (error) {
            this.variables.replaceChildren(problem(error));
        }
    }

    rowsOf(name) {
        const shown = new Rows(this.session, name);
        this.tables.replaceChildren(shown.element);
        shown.element.querySelector("h3").focus();
    }

    async lookAtFacts() {
        const info = await rpc("session.info", {session: this.session}).catch(() => null);
        if (!info) return undefined;
        const {tier, missing = []} = info.isolation ?? {};
        this.facts.textContent = [this.session, info.state, info.language, `${info.limits.timeout} s a cell`, size(info.limits.memory),
            tier ? `isolation: ${tier}${missing.length ? `, without ${missing.join(", ")}` : ""}` : ""].filter(Boolean).join(" · ");
        return info.state;
    }

    async complete(cm) {
        const code = cm.getValue(), at = cm.indexFromPos(cm.getCursor());
        const points = (end) => [...code.slice(0, end)].length;
        const told = await rpc("session.complete", {session: this.session, code, cursor: points(at), language: this.language.value});
        const start = [...code].slice(0, told.start).join("").length;
        return {list: told.names, from: cm.posFromIndex(start), to: cm.posFromIndex(at)};
    }

    /* --- the field for the next cell --- */

    async draft(language) {
        const key = `draft:${this.session}`;
        const kept = JSON.parse(localStorage.getItem(key) ?? "{}");
        const keep = () => (this.field.text || this.language.value !== language
            ? localStorage.setItem(key, JSON.stringify({text: this.field.text, language: this.language.value})) : localStorage.removeItem(key));
        const go = (empty) => {
            const code = this.field.text;
            this.run(code, this.language.value);
            if (empty) this.field.text = "";
            keep();
        };
        const steps = {at: null};
        const past = (by) => () => {
            const codes = this.window.keys.map((key) => (key instanceof Cell ? key : this.past.numbers.get(key) ?? this.cells.get(key)).code).filter(Boolean);
            steps.at = Math.max(0, Math.min((steps.at ?? codes.length) + by, codes.length));
            this.field.text = codes[steps.at] ?? "";
        };
        this.language = h("select", {"aria-label": "Language of the next cell", onchange: () => {
            this.field.language(this.language.value);
            keep();
        }}, LANGUAGES.map((name) => h("option", {}, name)));
        this.stop = button("Interrupt", () => this.interrupt(), {class: "stop", disabled: true, title: "Ctrl-."});
        const place = h("div", {class: "code-field"});
        this.dock.replaceChildren(place, h("p", {class: "buttons"}, this.language, button("Run", () => go(true), {class: "main run"}), this.stop,
            h("small", {}, "Shift-Enter runs, Ctrl-Enter runs and keeps the text, Ctrl-. interrupts, Ctrl-Up brings back earlier code, Escape Tab leaves")));
        this.field = await editor(place, {label: "Code of the next cell", complete: (cm) => this.complete(cm),
            keys: {"Shift-Enter": () => go(true), "Ctrl-Enter": () => go(false), "Cmd-Enter": () => go(false), "Ctrl-.": () => this.stop.click(),
                "Ctrl-Up": past(-1), "Ctrl-Down": past(1)}});
        this.choose(kept.language ?? language);
        if (kept.text) this.field.text = kept.text;
        this.field.changed(keep);
    }

    async close() {
        if (!(await ask("Close the session?", h("p", {}, "Its processes end. The record stays, and brings it back."), "Close"))) return;
        try {
            await rpc("session.close", {session: this.session});
            location.hash = "#/sessions";
        } catch (error) {
            this.told.replaceChildren(problem(error));
        }
    }

    asleep() {
        this.live = false;
        this.dock.replaceChildren(h("p", {class: "buttons"}, "This session is not live. ", button("Resume", async () => {
            try {
                await rpc("session.resume", {session: this.session});
                dispatchEvent(new HashChangeEvent("hashchange"));
            } catch (error) {
                this.told.replaceChildren(problem(error));
            }
        }, {class: "main"})));
    }

    connected(state, again) {
        this.connectedNow = state === "on";
        this.connection(state, state === "lost" ? "The connection is lost; trying again." : "");
        if (state === "gone") {
            this.asleep();
            this.sync();
        }
        if (state === "on" && again) this.sync().then(() => Promise.all([this.fill(), this.look()])).catch(() => {});
    }

    async show() {
        const info = await rpc("session.info", {session: this.session}).catch((error) => {
            if (error.status === 404) return null;
            throw error;
        });
        this.dock = h("section", {class: "dock", "aria-label": "Next cell"});
        this.place.append(h("div", {class: "title"}, h("h1", {}, "Session"), info ? [button("Sleep", () => this.sleep()), button("Close session", () => this.close())] : null,
            h("a", {href: `#/record/${encodeURIComponent(this.session)}`}, "Record")), this.facts, this.told,
            h("div", {class: "columns"}, h("div", {class: "main-column"}, this.list, this.tables, this.asked, this.dock),
                info ? h("aside", {"aria-label": "Files and variables"}, this.files.element,
                    h("section", {class: "panel", "aria-labelledby": "variables-title"}, h("h2", {id: "variables-title"}, "Variables"), this.variables)) : null));
        this.usual = info?.language ?? "";
        await this.sync();
        this.window.end(); /* what ran last */
        this.fill().catch(() => {}); /* what is lost now comes with the next connection */
        if (!info) return this.asleep();
        await this.draft(info.language);
        this.look().catch(() => {}); /* which waits for the cell that runs, and that may wait for an answer */
        this.hush = listen(this.session, (method, params) => this.heard(method, params), (state, again) => this.connected(state, again));
        this.back = () => document.visibilityState === "visible" && this.sync();
        document.addEventListener("visibilitychange", this.back);
        this.warn = (event) => this.queue.length && event.preventDefault();
        addEventListener("beforeunload", this.warn);
        this.field.focus();
    }

    leave() {
        this.ended = true;
        this.hush?.();
        this.window.close();
        document.removeEventListener("visibilitychange", this.back);
        removeEventListener("beforeunload", this.warn);
    }
}

export async function show(place, [session], connection) {
    const notebook = new Notebook(place, session ?? "", connection);
    await notebook.show();
    return () => notebook.leave();
}
