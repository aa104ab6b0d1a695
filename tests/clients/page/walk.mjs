/* Drives Chromium through the page. Steps come as lines of JSON, {"step", …}, and each is answered with a line: {"ok"} or {"error"}.
 * One browser for all; a step waits for what it wants to see, for as long as PATIENCE. */
import {existsSync, readFileSync} from "node:fs";
import {createServer} from "node:http";
import {connect, createServer as createWire} from "node:net";
import {createInterface} from "node:readline";
import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";

const {URL_OF_SERVER: base, TOKEN: token, SCRATCH: scratch, CHROMIUM: chromium, PICTURES: pictures} = process.env;
const PATIENCE = Number(process.env.PATIENCE ?? 120_000); /* milliseconds */
const POLLED = {polling: 100}; /* in tabs that are not in front nothing is drawn, and nothing seen by drawing */
const AXE = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

const browser = await puppeteer.launch({
    executablePath: chromium, userDataDir: `${scratch}/profile`, protocolTimeout: PATIENCE,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking", "--no-first-run",
        "--process-per-site", "--renderer-process-limit=2", /* or every tab starts a process */
        "--host-resolver-rules=MAP rebound.test 127.0.0.1"],
});

/* --- what steps share --- */

const left = []; /* requests that were not for the server */

async function tab() {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.setViewport({width: 1100, height: 760});
    page.problems = [];
    page.on("pageerror", (error) => page.problems.push(String(error)));
    page.on("console", (message) => {
        if (message.type() === "error" && /Content Security Policy|Uncaught/.test(message.text())) page.problems.push(message.text());
    });
    page.on("request", (request) => {
        if (!/^(data|blob|about):/.test(request.url()) && !request.url().startsWith(base)) left.push(request.url());
    });
    return page;
}

async function enter(url = base) {
    const page = await tab();
    await page.goto(`${url}/#token=${token}`);
    await page.waitForSelector("h1");
    return page;
}

function see(page, text, where = "main") {
    return page.waitForFunction((wanted, place) => [...document.querySelectorAll(place)].some((one) => one.innerText.includes(wanted)), POLLED, text, where);
}

async function press(page, text, where = "") {
    const handle = await page.waitForFunction((wanted, place) => [...document.querySelectorAll(`${place} button`)].find(
        (one) => one.textContent === wanted && !one.disabled && one.checkVisibility()), POLLED, text, where);
    await handle.evaluate((one) => one.click());
}

async function create(page) {
    await press(page, "New session");
    await press(page, "Create", "dialog[open]");
    await page.waitForSelector(".CodeMirror textarea");
    await see(page, "isolation:", ".facts");
    return page.evaluate(() => location.hash.split("/")[2]);
}

async function write(page, code) {
    await page.evaluate((text) => document.querySelector(".CodeMirror").CodeMirror.setValue(text), code);
    await page.focus(".CodeMirror textarea");
}

/* Runs the code, and waits for its end; the number of cells before it is known by their elements. */
async function run(page, code, status = "ok") {
    const before = await page.$$eval(".cell", (all) => all.length);
    await write(page, code);
    await page.keyboard.down("Shift");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Shift");
    const ended = `.cell:nth-child(${before + 1})`;
    await page.waitForFunction((place) => {
        const cell = document.querySelector(place);
        return cell && cell.dataset.status && !cell.classList.contains("running");
    }, POLLED, ended);
    const seen = await page.$eval(ended, (cell) => ({status: cell.dataset.status, text: cell.innerText}));
    assert.equal(seen.status, status, seen.text);
    return ended;
}

/* A session with so many cells, in which cell N prints its number. Some hundred at a time: no step of the browser's may take too long. */
async function manyCells(page, cells) {
    const made = await page.evaluate(async () => (await (await import("/page/api.js")).rpc("session.create")).session);
    for (let first = 1; first <= cells; first += 400) {
        await page.evaluate(async (session, from, to) => {
            const {rpc} = await import("/page/api.js");
            for (let i = from; i <= to; i++) await rpc("session.execute", {session, code: `x = ${i}\nprint('value', x)`, language: "python"});
        }, made, first, Math.min(cells, first + 399));
    }
    return made;
}

async function theme(page, wanted) {
    if (await page.evaluate(() => document.documentElement.dataset.theme) !== wanted) await page.$eval("#theme", (one) => one.click());
}

/* When the page shows what it has: the editor lays out a new text one frame later. */
async function drawn(page) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/* Higher than the others work in, without the mark of what has the focus, and with the end of what scrolls. */
async function picture(page, path, height) {
    await page.setViewport({width: 1100, height});
    await page.evaluate(() => document.activeElement.blur());
    await drawn(page);
    await page.screenshot({path});
    await page.setViewport({width: 1100, height: 760});
}

/* No barrier in light and dark, where colours alone differ; a picture of both, if they are wanted. */
async function look(page, name, height = 940) {
    await page.evaluate(AXE);
    for (const [colours, rules] of [["light", {}], ["dark", {runOnly: ["color-contrast", "link-in-text-block"]}]]) {
        await theme(page, colours);
        await drawn(page);
        const found = await page.evaluate(async (only) => (await window.axe.run(document, {resultTypes: ["violations"], ...only})).violations.map(
            (one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html} ${node.failureSummary}`).join(" | ")}`), rules);
        assert.deepEqual(found, [], `${name}, ${colours}`);
        if (name && pictures) await picture(page, `${pictures}/${name}-${colours}.png`, height);
    }
    await theme(page, "light");
    assert.deepEqual(page.problems, []);
}

/* A wire to the server that is slow, and can be cut. */
async function wire(delay) {
    const {hostname, port} = new URL(base), ends = new Set();
    let whole = true;
    const pass = (from, to) => {
        ends.add(from);
        from.on("data", (bytes) => setTimeout(() => to.write(bytes), delay));
        from.on("close", () => setTimeout(() => to.destroy(), delay));
        from.on("error", () => {});
    };
    const made = createWire((near) => {
        if (!whole) return near.destroy();
        const far = connect(Number(port), hostname);
        pass(near, far);
        pass(far, near);
    });
    await new Promise((resolve) => made.listen(0, "127.0.0.1", resolve));
    return {
        url: `http://127.0.0.1:${made.address().port}`,
        cut() {
            whole = false;
            ends.forEach((one) => one.destroy());
            ends.clear();
        },
        mend() { whole = true; },
        close() {
            this.cut();
            made.close();
        },
    };
}

/* What a page of somebody else's may do here: nothing. The last is a name of theirs that leads to this machine. */
async function elsewhere(url) {
    const page = await browser.newPage();
    await page.goto(url);
    const tried = await page.evaluate(async (server, secret) => {
        const body = JSON.stringify({jsonrpc: "2.0", id: 1, method: "server.info"});
        const asked = await fetch(`${server}/rpc`, {method: "POST", headers: {Authorization: `Bearer ${secret}`, "Content-Type": "application/json"}, body}).then(() => "answered", () => "refused");
        const heard = (made) => new Promise((resolve) => {
            made.onopen = () => resolve("open");
            made.onerror = () => resolve("refused");
        });
        const stream = new EventSource(`${server}/events`), listened = await heard(stream);
        stream.close();
        const socket = await heard(new WebSocket(`${server.replace("http", "ws")}/events`));
        const frame = document.createElement("iframe");
        const loaded = new Promise((resolve) => { frame.onload = resolve; });
        frame.src = `${server}/`;
        document.body.append(frame);
        await loaded;
        return [asked, listened, socket];
    }, base, token);
    assert.deepEqual(tried, ["refused", "refused", "refused"]);
    assert.deepEqual(page.frames().map((one) => one.url()).filter((one) => one.startsWith(base)), []);
    assert.equal((await page.goto(`${base.replace("127.0.0.1", "rebound.test")}/`)).status(), 403);
    await page.close();
}

/* --- steps --- */

const steps = {
    async token() {
        const page = await tab();
        await page.goto(`${base}/`);
        await page.waitForSelector("#token");
        await look(page, "");
        await page.type("#token", "a token that nobody has");
        await page.keyboard.press("Enter");
        await see(page, "does not know this token");
        await page.goto(`${base}/#token=${token}`); /* the same document, as when the address is pasted */
        await see(page, "Sessions", "h1");
        assert.equal(await page.evaluate(() => location.href), `${base}/#/sessions`);
        await page.reload();
        await see(page, "Sessions", "h1");
        await page.evaluate(() => dispatchEvent(new Event("refused"))); /* as when a request is answered with 401 */
        await see(page, "not valid any more");
        await page.close();
        const other = await tab(); /* the token is of one tab */
        await other.goto(`${base}/`);
        await other.waitForSelector("#token");
        await other.close();
    },

    async analysis({file}) {
        const page = await enter();
        await create(page);
        const field = await page.waitForSelector("input[type=file]");
        await field.uploadFile(file);
        await see(page, "orders.csv", ".tree");
        await press(page, "orders.csv", ".tree");
        await see(page, "region", ".preview");
        await press(page, "Close preview");
        await page.evaluate(() => { /* dropped, and how far it is is shown */
            window.bars = 0;
            const place = document.querySelector(".drop"), data = new DataTransfer();
            new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach((node) => { window.bars += node.querySelectorAll?.("progress").length ?? 0; })))
                .observe(place, {subtree: true, childList: true});
            data.items.add(new File(["a,b\n1,2\n"], "dropped.csv"));
            for (const kind of ["dragover", "drop"]) place.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
        });
        await see(page, "dropped.csv", ".tree");
        assert.equal(await page.evaluate(() => window.bars), 1);
        await run(page, "import pandas as pd\norders = pd.read_csv('orders.csv')\nprint('rows', len(orders))");
        const values = await run(page, "orders.groupby('region', as_index=False).units.sum()");
        await page.waitForSelector(`${values} table.data tbody tr:nth-child(3)`);
        await press(page, "units", values);
        await press(page, "units", values);
        assert.equal(await page.$eval(`${values} tbody tr td:nth-child(3)`, (cell) => cell.textContent), "30");
        await run(page, "large = pd.DataFrame({'n': [i * 7919 % 1000 for i in range(1000)]})");
        await press(page, "All rows", ".variables tr:has([aria-label=\"All rows of large\"])");
        await see(page, "rows 1 to 100 of 1000", ".rows");
        await press(page, "n", ".rows");
        await page.waitForSelector(".rows th[aria-sort=ascending]");
        await press(page, "n", ".rows");
        await page.waitForSelector(".rows th[aria-sort=descending]");
        assert.equal(await page.$eval(".rows tbody td:nth-child(2)", (one) => one.textContent), "999");
        await press(page, "Last", ".rows");
        await see(page, "rows 901 to 1000 of 1000", ".rows");
        await press(page, "Close table", ".rows");
        const plot = await run(page, "import matplotlib.pyplot as plt\norders.plot.scatter('units', 'price')\nplt.title('Orders')\nplt.show()");
        await page.waitForFunction((place) => document.querySelector(`${place} img.plot`)?.naturalWidth > 100, POLLED, plot);
        await page.waitForSelector(`${plot} .code .cm-keyword`);
        await page.$eval(`${plot} .numbers summary`, (one) => one.click());
        await page.waitForSelector(`${plot} .numbers table.data tbody tr:nth-child(6)`); /* a point each */
        await page.$eval(`${plot} .numbers summary`, (one) => one.click());
        await page.select(".dock select", "sql");
        const counted = await run(page, "SELECT region, count(*) AS n FROM orders GROUP BY region ORDER BY region");
        await see(page, "North", `${counted} table.data`);
        await see(page, "orders", ".variables");
        await page.select(".dock select", "python");
        await look(page, "notebook");
        await page.$eval(".brand", (one) => one.click());
        await see(page, "import pandas as pd", "table");
        await look(page, "sessions");
        await page.close();
    },

    async correction() {
        const page = await enter();
        await create(page);
        const wrong = await run(page, "total = 6\ntotal / 0", "error");
        const told = await page.$eval(wrong, (cell) => cell.innerText);
        assert.match(told, /ZeroDivisionError: division by zero/);
        assert.match(told, />\s+2 \| total \/ 0/);
        assert.match(told, /\^/);
        await look(page, "");
        await press(page, "Edit again", wrong);
        assert.equal(await page.evaluate(() => document.querySelector(".CodeMirror").CodeMirror.getValue()), "total = 6\ntotal / 0");
        const right = await run(page, "total = 6\ntotal / 2");
        await see(page, "3.0", `${right} .value`);
        await page.close();
    },

    async interrupt() {
        const page = await enter();
        await create(page);
        await write(page, "import time\nprint('it began', flush=True)\ntime.sleep(600)");
        await press(page, "Run", ".dock");
        await see(page, "it began", ".cell .stdout");
        await see(page, "running", ".cell .status");
        await press(page, "Interrupt", ".dock");
        await page.waitForSelector(".cell[data-status=interrupted]");
        await run(page, "print('goes on')");
        await page.close();
    },

    /* A cell that dies is taken back with its files; a person takes back others. */
    async undo() {
        const page = await enter();
        await create(page);
        await run(page, "x = 1\nopen('first.txt', 'w').write('1')");
        const dead = await run(page, "import os\nopen('second.txt', 'w').write('2')\nos._exit(3)", "exit");
        await see(page, "as they were before this cell", dead);
        await see(page, "first.txt", ".tree");
        assert.doesNotMatch(await page.$eval(".tree", (tree) => tree.innerText), /second/);
        const changed = await run(page, "x = 2\nopen('third.txt', 'w').write('3')");
        await run(page, "x = 3");
        await see(page, "third.txt", ".tree");
        await press(page, "Take back to here", changed);
        await page.waitForSelector("dialog[open]");
        await see(page, "2 cells are taken back", "dialog");
        await look(page, "");
        await press(page, "Take back", "dialog[open]");
        await see(page, "2 cells were taken back");
        await page.waitForFunction(() => !document.querySelector(".tree").innerText.includes("third"), POLLED);
        assert.equal((await page.$$(".cell.undone")).length, 2);
        const after = await run(page, "print('x is', x)");
        await see(page, "x is 1", after);
        await page.close();
    },

    /* What ran is there again after a reload, and so is what was only written; another tab sees what this one runs. */
    async reload() {
        const page = await enter();
        const session = await create(page);
        await run(page, "print('printed before')");
        await write(page, "an unfinished thought");
        await page.reload();
        await see(page, "printed before", ".cell .stdout");
        await page.waitForFunction(() => document.querySelector(".CodeMirror")?.CodeMirror.getValue() === "an unfinished thought", POLLED);
        const other = await enter();
        await other.goto(`${base}/#/session/${session}`);
        await other.waitForSelector(".CodeMirror textarea");
        await page.bringToFront();
        await run(page, "print('seen by both')");
        await other.bringToFront();
        await see(other, "seen by both", ".cell .stdout");
        await see(other, "print('seen by both')", ".cell .code");
        await other.close();
        await page.bringToFront();
        await press(page, "Close session");
        await press(page, "Close", "dialog[open]");
        await see(page, "Sessions", "h1");
        await page.goto(`${base}/#/session/${session}`);
        await see(page, "This session is not live.", ".dock");
        await see(page, "printed before", ".cell .stdout");
        await press(page, "Resume");
        await page.waitForSelector(".CodeMirror textarea");
        await page.close();
    },

    /* Markup of guests: no script runs, nothing is asked of anybody, and the page goes on. */
    async hostile() {
        let called = 0;
        const canary = createServer((_, reply) => { called++; reply.end(); });
        canary.on("connection", () => called++);
        await new Promise((resolve) => canary.listen(0, "127.0.0.1", resolve));
        const evil = `http://127.0.0.1:${canary.address().port}`;
        const page = await enter();
        await page.evaluate(() => { window.caught = 0; });
        await create(page);
        left.length = 0;
        const html = [
            `<script>parent.caught = 1; fetch("${evil}/a")</script>`, `<img src="${evil}/b" onerror="top.caught=1">`,
            `<svg onload="top.caught=1"><script>top.caught=1</script><image href="${evil}/c"/></svg>`,
            `<link rel="stylesheet" href="${evil}/d"><link rel="preconnect" href="${evil}"><link rel="dns-prefetch" href="//x.invalid">`,
            `<style>@import url(${evil}/e); body { background: url(${evil}/f) }</style><div style="background:url(${evil}/g)">styled</div>`,
            `<iframe src="${evil}/h"></iframe><object data="${evil}/i"></object><embed src="${evil}/j">`,
            `<form action="${evil}/k"><button>send</button></form><meta http-equiv="refresh" content="0;url=${evil}/l">`,
            `<a href="${evil}/m" ping="${evil}/n">a link</a><base href="${evil}/"><video src="${evil}/o" poster="${evil}/p"></video>`,
            `<math><mtext><table><mglyph><style><img src=x onerror="top.caught=1"></style></mglyph></table></mtext></math>`,
            `<template><img src="${evil}/q"></template><b>some text</b>`,
        ].join("");
        const shown = await run(page, `class H:\n    def _repr_html_(self): return ${JSON.stringify(html)}\nH()`);
        const frame = await (await page.waitForSelector(`${shown} iframe`)).contentFrame();
        await frame.waitForFunction(() => document.body?.innerText.includes("some text"), POLLED);
        assert.equal(await frame.evaluate(() => self.origin), "null");
        assert.equal(await frame.evaluate(() => document.querySelectorAll("style, [style], script, form, base, iframe, object, [onerror], [onload], [href]:not([href$='/page/frame.css'])").length), 0);
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="top.caught=1"><script>top.caught=1</script><image href="${evil}/r"/></svg>`;
        await run(page, `class S:\n    def _repr_svg_(self): return ${JSON.stringify(svg)}\nS()`);
        await run(page, `print("<img src=x onerror='caught=1'>", "\\x1b[31mred\\x1b[0m", "\\u202egnp.exe")`);
        await see(page, "<img src=x onerror='caught=1'> red \ufffdgnp.exe", ".cell .stdout");
        assert.match(await page.$eval(".cell img.plot", (one) => one.src), /^data:image\/svg/);
        const bar = await run(page, "import sys\nfor part in range(101): sys.stdout.write(f'\\r{part} %')\nprint(' done')");
        assert.equal(await page.$eval(`${bar} .stdout`, (one) => one.textContent), "100 % done\n");
        for (const [count, told] of [[100_000, "shown as text"], [1_000_000, "Large"]]) { /* of so much the result keeps the plain text alone */
            const large = await run(page, `class Large:\n    def __repr__(self): return "Large"\n    def _repr_html_(self): return "<i></i>" * ${count}\nLarge()`);
            await see(page, told, `${large} .after`);
            assert.equal((await page.$$(`${large} iframe`)).length, 0);
        }
        await run(page, `import pandas as pd\npd.DataFrame({"<script>caught=1</script>": ["<img src=x onerror='caught=1'>"]})`);
        await see(page, "<img src=x onerror='caught=1'>", ".cell table.data");
        await run(page, `open("<img src=x onerror='caught=1'>.csv", "w").write("<b onclick='caught=1'>,2\\n3,4\\n")`);
        await see(page, "<img src=x onerror='caught=1'>.csv", ".tree");
        await press(page, "<img src=x onerror='caught=1'>.csv", ".tree");
        await see(page, "<b onclick='caught=1'>", ".preview");
        await run(page, `raise ValueError("<script>caught=1</script>")`, "error");
        await run(page, `class Many:\n    def _repr_html_(self): return "<i></i>" * 20000 + "<b>the end</b>"\nMany()`);
        await run(page, "print('still here')");
        assert.equal(await page.evaluate(() => window.caught), 0);
        assert.deepEqual(left, []);
        assert.equal(called, 0);
        await elsewhere(evil);
        canary.close();
        await page.close();
    },

    /* Cells wait in the page: however many there are, what runs can be interrupted. */
    async queue() {
        const page = await enter();
        await create(page);
        await page.evaluate(async () => {
            const field = document.querySelector(".CodeMirror").CodeMirror;
            for (const code of ["import time\ntime.sleep(600)", ...Array(8).fill("x = 1")]) {
                field.setValue(code);
                document.querySelector(".run").click();
            }
        });
        await page.waitForFunction(() => document.querySelector(".cell")?.dataset.cell === "1", POLLED);
        await press(page, "Interrupt", ".dock");
        await page.waitForSelector(".cell[data-status=interrupted]");
        await page.waitForFunction(() => document.querySelectorAll('.cell[data-status="not run"]').length === 8, POLLED);
        await run(page, "print('goes on')");
        await page.close();
    },

    /* A slow network, which goes while a cell runs, and comes back: the cell's result does, too. */
    async lost() {
        const line = await wire(50);
        const page = await enter(line.url);
        await create(page);
        await write(page, "import time\nprint('it began', flush=True)\ntime.sleep(1)\nprint('it ended')");
        await press(page, "Run", ".dock");
        await see(page, "it began", ".cell .stdout");
        line.cut();
        await see(page, "The connection is lost", "#connection");
        await write(page, "print('said into the dark')");
        await press(page, "Run", ".dock");
        line.mend();
        await page.waitForSelector(".cell[data-status=ok]");
        await see(page, "it ended", ".cell .stdout");
        await page.waitForFunction(() => document.querySelectorAll(".cell:not(.running)").length === 2, POLLED);
        await page.waitForFunction(() => !document.getElementById("connection").textContent, POLLED);
        await run(page, "print('goes on')");
        await page.close();
        line.close();
    },

    /* What others do: a branch of a branch has the cells before it; a cell of a session without a record ends here, too. */
    async others() {
        const page = await enter();
        const [branch, unrecorded] = await page.evaluate(async () => {
            const {rpc} = await import("/page/api.js");
            const {session} = await rpc("session.create");
            await rpc("session.execute", {session, code: "first = 1"});
            const {sessions: [child]} = await rpc("session.branch", {session});
            await rpc("session.execute", {session: child, code: "second = 2"});
            const {sessions: [grandchild]} = await rpc("session.branch", {session: child});
            return [grandchild, (await rpc("session.create", {record: false})).session];
        });
        await page.goto(`${base}/#/session/${branch}`);
        await see(page, "first = 1", ".cell .code");
        await see(page, "second = 2", ".cell .code");
        await page.goto(`${base}/#/session/${unrecorded}`);
        await see(page, "isolation:", ".facts");
        await page.waitForSelector(".CodeMirror-focused");
        await page.evaluate(async (session) => (await import("/page/api.js")).rpc("session.execute", {session, code: "print('of another')\n6 * 7"}), unrecorded);
        await page.waitForSelector(".cell[data-status=ok]");
        await see(page, "of another", ".cell .stdout");
        await see(page, "42", ".cell .value");
        await page.close();
    },

    /* A view that comes when another is shown already leaves nothing behind; rows that change leave their frame where it is. */
    async views() {
        const page = await enter();
        const session = await create(page);
        let held = null;
        await page.evaluate(() => { /* streams that are listened to: their signal was not given */
            const plain = window.fetch;
            window.streams = new Map();
            window.fetch = (path, options) => {
                if (path.startsWith("/events")) {
                    window.streams.set(options.signal, path);
                    options.signal.addEventListener("abort", () => window.streams.delete(options.signal));
                }
                return plain(path, options);
            };
        });
        await page.setRequestInterception(true);
        page.on("request", (request) => {
            if (!held && request.postData()?.includes('"session.list"')) held = request;
            else request.continue();
        });
        await page.evaluate(() => { location.hash = "#/branches"; });
        const end = Date.now() + PATIENCE;
        while (!held && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
        await page.evaluate((id) => { location.hash = `#/session/${id}`; }, session);
        await page.waitForSelector(".CodeMirror-focused");
        await held.continue();
        await page.waitForResponse((reply) => reply.request().postData()?.includes('"session.compare"'));
        await page.evaluate(() => { location.hash = "#/record"; });
        await see(page, "Record", "h1");
        await page.waitForFunction(() => !window.streams.size, POLLED);
        await page.evaluate(() => { location.hash = "#/sessions"; });
        const frame = await page.waitForSelector('[aria-label="Live"]');
        const made = await page.evaluate(async () => (await (await import("/page/api.js")).rpc("session.create")).session);
        await page.waitForSelector(`tr[data-session="${made}"]`);
        assert.ok(await frame.evaluate((one) => one.isConnected));
        await page.close();
    },

    /* Of many cells all can be seen, and those near the sight are in the page. */
    async many({cells}) {
        const page = await enter();
        const session = await manyCells(page, cells);
        await page.goto(`${base}/#/session/${session}`);
        await see(page, `value ${cells}`, `[data-cell="${cells}"] .stdout`);
        await page.waitForFunction((count) => document.querySelector(".cell").ariaSetSize === String(count), POLLED, cells);
        const seen = new Set(), most = await page.evaluate(() => document.documentElement.scrollHeight);
        assert.ok(most > cells * 60, String(most));
        for (let first = Infinity; first > 1;) { /* up, half a sight at a time: what comes into it grows, and pushes what is below out of it */
            const [numbers, count] = await page.evaluate(async () => {
                scrollBy(0, -innerHeight / 2);
                await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
                const all = [...document.querySelectorAll(".cell")];
                const inSight = all.filter((one) => one.getBoundingClientRect().bottom > 0 && one.getBoundingClientRect().top < innerHeight);
                return [inSight.map((one) => Number(one.dataset.cell)), all.length];
            });
            assert.ok(count < 150, String(count));
            assert.ok(numbers.length && numbers[0] <= first, `${numbers} after ${first}`);
            numbers.forEach((one) => seen.add(one));
            first = numbers[0];
        }
        assert.deepEqual([...seen].sort((a, b) => a - b), Array.from({length: Math.max(...seen)}, (_, at) => at + 1));
        assert.ok(Math.max(...seen) > cells - 20);
        await see(page, "value 1", '[data-cell="1"] .stdout');
        await page.$eval('[data-cell="1"] .code', (one) => one.focus());
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        await page.waitForSelector(`[data-cell="${cells}"]`);
        assert.equal(await page.evaluate(() => document.activeElement.closest(".cell").dataset.cell), "1"); /* the focus is not lost */
        await write(page, "print('x is', x)");
        await page.keyboard.down("Shift");
        await page.keyboard.press("Enter");
        await page.keyboard.up("Shift");
        await see(page, `x is ${cells}`, `[data-cell="${cells + 1}"] .stdout`);
        await page.evaluate((id) => { location.hash = `#/record/${id}`; }, session);
        const last = `tr[aria-rowindex="${2 * cells + 4}"]`; /* the head and one entry, then two of each cell */
        await page.waitForFunction((count) => document.querySelector("table")?.ariaRowCount === String(count), POLLED, 2 * cells + 4);
        await page.$eval('[aria-label="Entries"]', (one) => { one.scrollTop = one.scrollHeight; });
        await see(page, `cell ${cells + 1}: ok`, last);
        assert.ok((await page.$$("tr")).length < 150);
        await page.close();
    },

    /* Much output: its end while it runs, all of it piece by piece, and no more of it in the page. */
    async output() {
        const page = await enter();
        await create(page);
        const cell = await run(page, "for i in range(60000): print(f'line {i:06} of a long output')");
        await press(page, "Look through all of stdout", cell);
        await see(page, "line 000000", `${cell} .pager`);
        await press(page, "Last", `${cell} .pager`);
        await see(page, "line 059999", `${cell} .pager`);
        const kept = await page.evaluate(async () => {
            const {Stream} = await import("/page/output.js");
            const stream = new Stream("stdout");
            for (let i = 0; i < 200; i++) stream.put(`${"x".repeat(99_999)}\n`);
            const waiting = stream.waiting.length;
            stream.flush(stream.waiting.length);
            return [waiting, stream.element.textContent.length];
        });
        assert.ok(kept[0] < 200_000 && kept[1] > 50_000 && kept[1] < 200_000, String(kept));
        await page.close();
    },

    /* A session is called what a person calls it, and by its first line again when the name is taken away. */
    async rename() {
        const page = await enter();
        const session = await create(page);
        await run(page, "first = 'line'");
        const row = `tr[data-session="${session}"]`;
        await page.$eval(".brand", (one) => one.click());
        await see(page, "first = 'line'", `${row} th`);
        for (const [name, shown] of [["Orders of <b>May</b>", "Orders of <b>May</b>"], ["", "first = 'line'"]]) {
            await press(page, "Rename", row);
            await page.waitForSelector("dialog[open] input");
            await page.$eval("dialog[open] input", (field, text) => field.value = text, name);
            await press(page, "Rename", "dialog[open]");
            await see(page, shown, `${row} th`);
        }
        await page.close();
    },

    /* Put to sleep, a session is looked at without being woken, also if a look was on its way; the next cell wakes it. */
    async sleep() {
        const page = await enter();
        const session = await create(page);
        await page.setRequestInterception(true);
        page.on("request", (request) => setTimeout(() => request.continue(), request.postData()?.includes("session.variables") ? 1500 : 0));
        const looked = page.waitForResponse((reply) => reply.request().postData()?.includes("session.variables"));
        await run(page, "kept = 6 * 7");
        await press(page, "Sleep");
        await see(page, "The session sleeps");
        await looked;
        await page.$eval('nav a[href="#/branches"]', (one) => one.click());
        await page.waitForSelector(`.node[data-session="${session}"][data-status=asleep]`);
        await page.$eval(".brand", (one) => one.click());
        await see(page, "asleep", `tr[data-session="${session}"] .state`);
        await page.goto(`${base}/#/session/${session}`);
        await see(page, "The session sleeps");
        const cell = await run(page, "print('kept is', kept)");
        await see(page, "kept is 42", cell);
        await see(page, "live", ".facts");
        await page.close();
    },

    /* Verify, replay with a difference, and export, of a session that is found by what it ran. */
    async record() {
        const page = await enter();
        const session = await create(page);
        await run(page, "print('the same every time')");
        await run(page, "import os, time\ntime.sleep(1)\nprint(os.urandom(8).hex())");
        await page.$eval('nav a[href="#/record"]', (one) => one.click());
        await see(page, "Record", "h1");
        await page.type("#search", "every time");
        await see(page, "One session");
        await page.$eval("#search", (one) => { one.value = ""; });
        await page.type("#search", "OS.URANDOM(8)"); /* not in the title: in the code of the second cell */
        await see(page, "One session");
        await look(page, "record");
        await page.goto(`${base}/#/record/${session}`);
        await see(page, "cell 2: ok, kept", "table");
        await press(page, "Verify");
        await see(page, "Sound", ".verdict");
        await page.evaluate(() => { /* what is told while it runs */
            window.progress = [];
            new MutationObserver(() => {
                const words = document.querySelector("progress")?.nextElementSibling.textContent;
                if (words) window.progress.push([words, ...[...document.querySelectorAll("tr.cell_outcome .verdict")].map((one) => one.textContent)].join("|"));
            }).observe(document.querySelector("main"), {subtree: true, childList: true, characterData: true});
        });
        await press(page, "Replay");
        await see(page, "Different", ".verdict");
        assert.ok((await page.evaluate(() => window.progress)).includes("1 of 2|equal|"));
        await see(page, "equal", "tr.cell_outcome .verdict");
        await see(page, "differs: stdout", "tr.cell_outcome .verdict");
        await page.$eval("tr.cell_outcome .verdict summary", (one) => one.click());
        const sides = await page.$$eval("tr.cell_outcome .verdict dd", (all) => all.map((one) => one.textContent));
        assert.ok(sides.length === 2 && sides.every((one) => /^[0-9a-f]{16}\n$/.test(one)) && sides[0] !== sides[1], String(sides));
        await look(page, "session-record");
        await page._client().send("Browser.setDownloadBehavior", {behavior: "allow", downloadPath: scratch});
        for (const [name, file] of [["Notebook", "ipynb"], ["HTML page", "html"], ["JSON", "json"]]) {
            await press(page, name);
            const end = Date.now() + PATIENCE;
            while (!existsSync(`${scratch}/${session}.${file}`) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 100));
            assert.match(readFileSync(`${scratch}/${session}.${file}`, "utf8"), /every time/);
        }
        await page.close();
    },

    /* What a cell asked of tools and of the network, with what was decided. */
    async verdicts({url}) {
        const page = await enter(url);
        const session = await page.evaluate(async () => {
            const {listen, rpc} = await import("/page/api.js");
            const {session: made} = await rpc("session.create");
            const parameters = {type: "object", properties: {article: {type: "string"}}, required: ["article"]};
            await rpc("tools.register", {session: made, tools: [{name: "price", parameters}, {name: "order", parameters}]});
            await new Promise((resolve) => {
                listen(made, (method, {call, name}) => method === "tools.call"
                    && rpc("tools.result", name === "price" ? {call, result: 9.5} : {call, error: "nobody may <b>order</b>"}), resolve);
            });
            const code = ["import tools, urllib.request", "print(tools.price(article='milk'))", "try: tools.order(article='milk')", "except Exception as e: print(e)",
                "try: urllib.request.urlopen('http://elsewhere.test/secret')", "except Exception as e: print(e)"].join("\n");
            await rpc("session.execute", {session: made, code});
            return made;
        });
        await page.evaluate((id) => { location.hash = `#/record/${id}`; }, session);
        await see(page, "cell 1: price", "tr.tool_call");
        await see(page, "answered", "tr.tool_call .verdict.good");
        await see(page, "failed, nobody may <b>order</b>", "tr.tool_call .verdict.bad");
        await see(page, "cell 1: GET http://elsewhere.test:80/secret", "tr.network");
        await see(page, "refused", "tr.network .verdict.bad");
        await page.$eval("tr.tool_call summary", (one) => one.click());
        await see(page, '"article": "milk"', "tr.tool_call details");
        await look(page, "");
        await page.close();
    },

    /* Branch into three, run in all, side by side, keep one: with keys in the tree. */
    async branches() {
        const page = await enter();
        const session = await create(page);
        await run(page, "import os\nx = 1");
        await page.$eval('nav a[href="#/branches"]', (one) => one.click());
        await page.waitForSelector(`.node[data-session="${session}"]`);
        await page.$eval(`.node[data-session="${session}"]`, (one) => one.focus());
        await page.keyboard.press("Space");
        const edges = (await page.$$(".edge")).length; /* sessions of other steps */
        await press(page, "Branch");
        await see(page, "3 branches were made");
        await page.waitForFunction(() => document.querySelectorAll(".node.chosen").length === 3, POLLED);
        assert.equal((await page.$$(".edge")).length, edges + 3);
        await page.type("#all-code", "import matplotlib.pyplot as plt\ny = os.urandom(4).hex()\nplt.figure(figsize=(3, 2)); plt.plot([int(c, 16) for c in y]); plt.show()\ny");
        await press(page, "Run in all chosen");
        await see(page, "Run in 3: ok, ok, ok.");
        await page.waitForFunction(() => [...document.querySelectorAll(".beside .value")].filter((one) => /^'[0-9a-f]{8}'$/.test(one.textContent)).length === 3, POLLED);
        await page.waitForFunction(() => /^ok: '[0-9a-f]{8}'$/.test(document.querySelector(".node.chosen .last").textContent), POLLED);
        await see(page, "y", '[aria-label="Variables that differ"]');
        await page.waitForFunction(() => [...document.querySelectorAll(".beside img.plot")].filter((one) => one.naturalWidth > 100).length === 3, POLLED);
        await page.$eval(".tree-picture", (one) => { one.scrollTop += one.querySelector(".node.chosen").getBoundingClientRect().top - one.getBoundingClientRect().top - 12; });
        await look(page, "branches", 1120);
        const [kept, ...others] = await page.$$eval(".node.chosen", (all) => all.map((one) => one.dataset.session));
        for (const other of others) {
            await page.$eval(`.node[data-session="${other}"]`, (one) => one.focus());
            await page.keyboard.press("Enter");
            await page.waitForSelector(`.node[data-session="${other}"]:not(.chosen)`);
        }
        await press(page, "Keep this one");
        await see(page, `${kept} is kept; 2 others were ended.`);
        await page.waitForFunction((id) => !document.querySelector(`.node[data-session="${id}"]`), POLLED, others[0]);
        await page.close();
    },

    /* The server ends while a session is open, and comes back: the page says so, and goes on. */
    async before_restart({url}) {
        const page = await enter(url);
        await create(page);
        await run(page, "kept = 42");
        await write(page, "import time\nprint('it began', flush=True)\ntime.sleep(600)");
        await press(page, "Run", ".dock");
        await see(page, "it began", ".cell .stdout"); /* the server ends in the middle of it */
        steps.waiting = page;
    },

    async while_down() {
        await see(steps.waiting, "The connection is lost", "#connection");
    },

    async after_restart() {
        const page = steps.waiting;
        await see(page, "This session is not live.", ".dock");
        await page.waitForSelector('[data-cell="2"]:not(.running)');
        await press(page, "Resume");
        await page.waitForSelector(".CodeMirror textarea");
        await see(page, "isolation:", ".facts");
        const broken = await page.$eval('[data-cell="2"] .status', (one) => one.textContent);
        assert.ok(broken && !/running|ok/.test(broken), broken);
        const cell = await run(page, "print('kept is', kept)");
        await see(page, "kept is 42", cell);
        await page.close();
    },

    /* What the first view costs on the wire, from nothing. */
    async wire({most}) {
        const context = await browser.createBrowserContext(), page = await context.newPage();
        const client = await page.createCDPSession();
        let bytes = 0, requests = 0;
        client.on("Network.loadingFinished", ({encodedDataLength}) => { bytes += encodedDataLength; });
        client.on("Network.requestWillBeSent", () => requests++);
        await client.send("Network.enable");
        await page.goto(`${base}/#token=${token}`);
        await see(page, "Live");
        await page.waitForNetworkIdle({concurrency: 1}); /* the events stay open */
        assert.ok(requests > 5 && bytes > 5000 && bytes <= most, `${bytes} bytes in ${requests} requests`);
        await context.close();
        return {bytes, requests};
    },

    /* What everybody does is for administrators: others are not offered it, and are told why they do not see it. */
    async plain({other}) {
        const page = await tab(), told = page.waitForResponse((reply) => reply.request().postData()?.includes("server.info"));
        await page.goto(`${base}/#token=${other}`);
        await see(page, "Sessions", "h1");
        await told;
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        assert.deepEqual(await page.$$eval("nav a", (all) => all.map((one) => one.textContent)), ["Sessions", "Branches", "Agent", "Record"]);
        await page.evaluate(() => { location.hash = "#/operations"; });
        await see(page, "Only tokens of administrators may see this.", '[role="alert"]');
        assert.equal((await page.$$(".chart")).length, 0);
        await look(page, "");
        await page.evaluate(() => dispatchEvent(new Event("refused")));
        await page.type("#token", token); /* the same tab, by another token */
        await page.keyboard.press("Enter");
        await see(page, "Live sessions", ".chart");
        await page.waitForSelector('nav a[href="#/operations"][aria-current]');
        await page.close();
    },

    async operations() {
        const page = await enter();
        const before = await tab();
        await (await page.waitForSelector('nav a[href="#/operations"]')).evaluate((one) => one.click());
        await see(page, "Live sessions", ".chart");
        const sessions = () => page.$eval('.chart[aria-label="Live sessions"] strong', (one) => Number(one.textContent));
        const known = await sessions();
        await before.goto(`${base}/#token=${token}`);
        await create(before);
        await page.bringToFront();
        await page.waitForFunction((count) => Number(document.querySelector('.chart[aria-label="Live sessions"] strong').textContent) > count, POLLED, known);
        await page.waitForFunction(() => document.querySelector(".chart polyline").points.length > 1, POLLED);
        await look(page, "operations");
        for (const width of [360, 2560]) {
            await page.setViewport({width, height: 760});
            for (const name of ["Agent", "Record", "Branches", "Sessions"]) {
                await page.evaluate((one) => [...document.querySelectorAll("nav a")].find((link) => link.textContent === one).click(), name);
                await see(page, name, "h1");
                assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${name}, ${width}`);
            }
        }
        await before.close();
        await page.close();
    },

    /* A number that ran leads to its line; one that did not says so, and what comes nearest. */
    async agent() {
        const page = await enter();
        await page.$eval('nav a[href="#/agent"]', (one) => one.click());
        await page.waitForSelector("#task");
        await page.type("#task", "What is six times seven?");
        await page.reload(); /* what was written and not used is there again */
        await page.waitForFunction(() => document.getElementById("task")?.value === "What is six times seven?", POLLED);
        await page.setRequestInterception(true); /* the agent must not begin before it is listened to */
        page.on("request", (request) => setTimeout(() => request.continue(), request.url().includes("/events") ? 1500 : 0));
        await press(page, "Start");
        await see(page, "Not verified", ".verdict");
        await see(page, "product 42", ".cell .stdout");
        const proved = await page.waitForSelector("button.number.proved");
        await proved.focus();
        await see(page, "42: grounded, by meaning. ran: 42 in cell 1", ".proof");
        await see(page, "99: unverified. was not computed", ".flags");
        await look(page, "agent");
        await proved.evaluate((one) => one.click());
        await see(page, "product 42", ".cell.pointed mark");
        assert.equal(await page.evaluate(() => document.activeElement.className), "stream stdout");
        await page.close();
    },

    /* A task with a file; stopped, it goes on with another one in the same session. */
    async stop({file}) {
        const page = await enter();
        await page.$eval('nav a[href="#/agent"]', (one) => one.click());
        await (await page.waitForSelector("#task-files")).uploadFile(file);
        await page.type("#task", "Wait for me.");
        await press(page, "Start");
        await see(page, "it waits", ".cell .stdout");
        await press(page, "Stop");
        await see(page, "It ended: ", ".note");
        const session = await page.$eval(".facts a", (one) => one.textContent);
        assert.ok(await page.evaluate(async (id) => (await (await import("/page/api.js")).rpc("files.list", {session: id})).files.some((one) => one.path === "orders.csv"), session));
        await page.$eval("#task", (one) => { one.value = "What is six times seven?"; });
        await press(page, "Start");
        await see(page, "product 42", ".cell .stdout");
        await see(page, "Not verified", ".verdict");
        assert.equal(await page.$eval(".facts a", (one) => one.textContent), session);
        await page.close();
    },

    /* What is lower than was reckoned leaves no room in sight, and what grows above the sight at once does not push it down. */
    async window() {
        const page = await enter();
        const found = await page.evaluate(async () => {
            const {Window} = await import("/page/window.js"), {h} = await import("/page/dom.js");
            const frame = h("div"), scroller = h("div", {tabindex: 0}, frame), view = document.getElementById("view");
            Object.assign(scroller.style, {height: "400px", overflow: "auto", overflowAnchor: "none"});
            view.replaceChildren(scroller);
            const made = (key) => Object.assign(h("div", {"data-key": key}, `row ${key}`), {style: "height: 40px; box-sizing: border-box"});
            const list = new Window(frame, {element: made, spacer: () => h("div", {"data-room": true}), tell() {}, scroller, usual: 140});
            list.set(Array.from({length: 2000}, (_, at) => at));
            scroller.scrollTop = 60_000;
            list.update();
            const box = scroller.getBoundingClientRect(), at = (y) => document.elementFromPoint(box.left + 20, box.top + y);
            const empty = [5, 200, 395].filter((y) => at(y)?.dataset.key === undefined);
            const above = () => [...frame.children].findLast((one) => one.dataset.key && one.getBoundingClientRect().bottom <= box.top);
            const seen = at(200), top = () => seen.getBoundingClientRect().top, before = top();
            const one = above(), moved = [];
            list.still(Number(one.dataset.key), () => { one.style.height = "300px"; });
            moved.push(top() - before); /* at once: nothing was painted */
            scroller.scrollTop -= 3000;
            list.update();
            const other = at(200), was = other.getBoundingClientRect().top;
            above().style.height = "300px"; /* before anybody has seen it */
            await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve))));
            moved.push(other.getBoundingClientRect().top - was);
            list.close();
            return {empty, moved};
        });
        assert.deepEqual(found.empty, []);
        assert.ok(found.moved.every((by) => Math.abs(by) < 2), String(found.moved));
        await page.close();
    },

    /* The whole way without a mouse: every view and every action by keys, and the focus is always somewhere, and seen. */
    async keyboard({file, url}) {
        const page = await enter(url);
        await page.evaluate(() => {
            for (const kind of ["mousedown", "pointerdown", "touchstart"]) addEventListener(kind, () => { window.pointed = true; }, true);
            window.name_of = (one) => one.getAttribute("aria-label") ?? (one.labels?.[0]?.innerText || one.textContent);
        });
        const {keyboard} = page;
        const settle = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))));
        const keys = async (...names) => {
            for (const name of names) {
                const parts = name.split("+");
                for (const one of parts.slice(0, -1)) await keyboard.down(one);
                await keyboard.press(parts.at(-1));
                for (const one of parts.slice(0, -1)) await keyboard.up(one);
            }
        };
        const focused = async (what) => { /* something has it, is in sight, and looks so */
            await settle();
            const found = await page.evaluate(() => {
                const one = document.activeElement, style = getComputedStyle(one), box = one.getBoundingClientRect();
                const shown = one.closest(".CodeMirror-focused") || (one.matches(":focus-visible") && (style.outlineStyle !== "none" || one.matches(".node")));
                return {name: one === document.body ? "nothing" : `${one.tagName} ${window.name_of(one).slice(0, 60)}`, shown: Boolean(shown),
                    seen: Boolean(one.closest(".CodeMirror")) || (box.bottom > 0 && box.top < innerHeight && box.width > 0)};
            });
            assert.ok(found.name !== "nothing" && found.shown && found.seen, `${what}: ${JSON.stringify(found)}`);
        };
        const at = (wanted, where) => page.evaluate((text, place) => {
            const one = document.activeElement;
            return (window.name_of(one) === text || one.textContent === text) && (!place || one.closest(place) !== null) && !one.disabled;
        }, wanted, where);
        const reach = async (wanted, where = "", back = false) => {
            for (let i = 0; i < 600; i++) {
                if (await at(wanted, where)) return focused(wanted);
                if (await page.evaluate(() => document.activeElement.closest(".CodeMirror") !== null)) await keys("Escape");
                await keys(back ? "Shift+Tab" : "Tab");
            }
            return assert.fail(`no way to "${wanted}"`);
        };
        const use = async (wanted, where = "", back = false) => {
            await reach(wanted, where, back);
            await keys("Enter");
        };
        const inField = () => page.waitForFunction(() => document.activeElement.closest(".CodeMirror"), POLLED);
        const runIt = async (code) => {
            await keyboard.type(code);
            await keys("Shift+Enter");
        };
        const view = async (name) => {
            await use(name, "nav", true);
            await see(page, name, "h1");
            await focused(name);
        };

        /* a session */
        await use("New session");
        await page.waitForSelector("dialog[open]");
        await focused("the question");
        await use("Create", "dialog");
        await inField();
        const session = await page.evaluate(() => location.hash.split("/")[2]);
        await runIt("print(6 * 7)");
        await see(page, "42", ".cell .stdout");
        await inField();
        await runIt("import time; time.sleep(600)");
        await page.waitForSelector('.cell.running[data-cell="2"]');
        await keys("Control+.");
        await page.waitForSelector('[data-cell="2"][data-status=interrupted]');
        await runIt("import pandas as pd; table = pd.DataFrame({'n': [2, 3, 1]}); table");
        await page.waitForSelector('[data-cell="3"][data-status=ok]');
        await keyboard.type("tabl");
        await keys("Control+Space");
        await page.waitForSelector(".CodeMirror-hints");
        await keys("Enter");
        await page.waitForFunction(() => document.querySelector(".CodeMirror").CodeMirror.getValue() === "table", POLLED);
        await keys("Control+ArrowUp");
        await page.waitForFunction(() => document.querySelector(".CodeMirror").CodeMirror.getValue().endsWith("; table"), POLLED);
        await keys("Control+a", "Delete");
        await keys("Escape", "Tab");
        await focused("after the field");
        assert.equal(await page.evaluate(() => document.activeElement.closest(".CodeMirror")), null);

        /* tables, variables, files */
        await use("n", '[data-cell="3"]', true);
        await page.waitForSelector('[data-cell="3"] [aria-sort=ascending]');
        await focused("a sorted column");
        await use("All rows of table", ".variables");
        await see(page, "rows 1 to 3 of 3", ".rows");
        await focused("all rows");
        await use("n", ".rows");
        await page.waitForSelector(".rows [aria-sort=ascending]");
        await focused("sorted rows");
        await use("Close table", ".rows", true);
        await focused("after the table");
        await reach("Upload files");
        const asked = page.waitForFileChooser();
        await settle();
        await keys("Enter");
        await (await asked).accept([file]);
        await see(page, "orders.csv", ".tree");
        await use("orders.csv", ".tree");
        await see(page, "region", ".preview");
        await focused("a preview");
        await use("Close preview");
        await focused("after the preview");
        await page._client().send("Browser.setDownloadBehavior", {behavior: "allow", downloadPath: scratch});
        await use("Download orders.csv", "", true);
        await use("Delete orders.csv");
        await page.waitForFunction(() => !document.querySelector(".tree").innerText.includes("orders.csv"), POLLED);
        await focused("after a file is gone");

        /* undo, light and dark */
        await use("Take back to before cell 3", "", true);
        await page.waitForSelector("dialog[open]");
        await focused("a question");
        await use("Take back", "dialog");
        await see(page, "One cell was taken back");
        await focused("after the undo");
        await use("Dark colours", "", true);
        await use("Light colours");
        await focused("colours");

        /* branches */
        await view("Branches");
        for (let i = 0; i < 200 && (await page.evaluate(() => document.activeElement.dataset?.session)) !== session; i++) await keys("Tab");
        await keys("Space");
        await page.waitForSelector(`.node.chosen[data-session="${session}"]`);
        await focused("a chosen session");
        await use("Branch");
        await see(page, "3 branches were made");
        await focused("after branching");
        await reach("A cell for all that are chosen");
        await keyboard.type("import os; y = os.urandom(4).hex(); y");
        await use("Run in all chosen");
        await see(page, "Run in 3: ok, ok, ok.");
        await use("Compare", "", true);
        await see(page, "y", '[aria-label="Variables that differ"]');
        const [, ...others] = await page.$$eval(".node.chosen", (all) => all.map((one) => one.dataset.session));
        for (const other of others) {
            for (let i = 0; i < 400 && (await page.evaluate(() => document.activeElement.dataset?.session)) !== other; i++) await keys("Shift+Tab");
            await keys("Space");
            await page.waitForSelector(`.node[data-session="${other}"]:not(.chosen)`);
        }
        await use("Keep this one");
        await see(page, "2 others were ended.");
        await focused("after keeping");

        /* the agent */
        await view("Agent");
        await reach("Task");
        await keyboard.type("What is six times seven?");
        await use("Start");
        await see(page, "Not verified", ".verdict");
        await focused("after the run");
        await reach("42", ".answer");
        await see(page, "42: grounded", ".proof");
        await keys("Enter");
        await see(page, "product 42", ".cell.pointed mark");
        await focused("the proof");

        /* the record */
        await view("Record");
        await reach("Search titles, ids, states, code");
        await keyboard.type(session);
        await see(page, "One session");
        await keys("Tab", "Tab", "Enter");
        await see(page, "cell 1: ok, kept", "table");
        await focused("a record");
        await use("Verify");
        await see(page, "Sound", ".verdict");
        await use("Replay");
        await see(page, "Equal", ".verdict");
        await use("Notebook");
        await see(page, `${session}.ipynb is downloaded.`);
        await use("JSON");
        await see(page, `${session}.json is downloaded.`);
        await focused("after an export");

        /* operations, and what a session's row offers */
        await view("Operations");
        await see(page, "Live sessions", ".chart");
        await view("Sessions");
        const row = `tr[data-session="${session}"]`;
        await use("Rename", row);
        await page.waitForSelector("dialog[open]");
        await keyboard.type("Named by keys");
        await keys("Enter");
        await see(page, "Named by keys", `${row} th`);
        await focused("after the name");
        await use("Sleep", row);
        await see(page, "asleep", `${row} .state`);
        await focused("after sleep");
        await use("Close", row);
        await page.waitForFunction((place) => document.querySelector(place)?.innerText.includes("Resume"), POLLED, row);
        await focused("after the end");
        await use("Resume", row);
        await inField();
        await focused("the field");
        assert.equal(await page.evaluate(() => window.pointed), undefined);
        await page.close();
    },

    /* A call that somebody has to allow, in a session whose tool another client has; asked in every view that listens. */
    async approval({session}) {
        const page = await enter();
        const open = (one) => one.evaluate((id) => { location.hash = `#/session/${id}`; }, session);
        const ends = async (one) => {
            await one.bringToFront(); /* a tab that nobody sees does not listen for long */
            await one.waitForFunction(() => !document.querySelector(".approval"), POLLED);
        };
        const pay = "import tools\ntry:\n    print(tools.pay(to='<b>ann</b>\\u202e'))\nexcept tools.ToolError as e:\n    print('refused:', e)";
        const question = async () => {
            await page.bringToFront();
            await write(page, pay);
            await press(page, "Run");
            await see(page, "May pay be called?", ".approval");
        };
        await open(page);
        await page.waitForSelector(".CodeMirror textarea");
        await see(page, "isolation:", ".facts");

        await question();
        assert.ok((await page.$eval(".approval pre", (one) => one.innerText)).includes('"to": "<b>ann</b>\ufffd"'));
        await look(page);
        await press(page, "Allow", ".approval");
        await see(page, "paid", ".cell:nth-child(1)");
        await ends(page);

        await question();
        await press(page, "Deny", ".approval");
        await see(page, "refused: the call was not allowed", ".cell:nth-child(2)");
        await ends(page);

        /* who comes later is asked as well; it is decided once, for both */
        await question();
        const late = await enter();
        await open(late);
        await see(late, "May pay be called?", ".approval");
        await press(late, "Deny", ".approval");
        await ends(late);
        await ends(page);
        await see(page, "refused", ".cell:nth-child(3)");

        /* in the list of sessions, too */
        await late.bringToFront();
        const listening = late.waitForResponse((reply) => new URL(reply.url()).pathname === "/events" && !reply.url().includes("session="));
        await late.evaluate(() => { location.hash = "#/sessions"; });
        await see(late, "Sessions", "h1");
        await listening;
        await question();
        await late.bringToFront();
        await see(late, "May pay be called?", ".approval");
        await press(late, "Allow", ".approval");
        await ends(late);
        await ends(page);
        await see(page, "paid", ".cell:nth-child(4)");
        await late.close();

        /* interrupted, and left alone until the cell's time is over: neither is consent */
        await question();
        await press(page, "Interrupt");
        await ends(page);
        await page.evaluate(async (one, code) => {
            const {rpc} = await import("/page/api.js");
            rpc("session.execute", {session: one, code, limits: {timeout: 1.5}});
        }, session, pay);
        await see(page, "May pay be called?", ".approval");
        await ends(page);

        /* the record says it; a page that goes has allowed nothing */
        const record = await enter();
        await record.evaluate((id) => { location.hash = `#/record/${id}`; }, session);
        await see(record, "approval");
        await record.close();
        await question();
        assert.deepEqual(page.problems, []);
        await page.close({runBeforeUnload: false});
    },
};

for await (const line of createInterface({input: process.stdin})) {
    const {step, ...rest} = JSON.parse(line);
    let answer;
    try {
        answer = {ok: (await steps[step](rest)) ?? true};
    } catch (error) {
        const pages = await browser.pages();
        const texts = await Promise.all(pages.map((page) => page.evaluate(() => document.body?.innerText.slice(0, 3000)).catch(() => "")));
        answer = {error: `${error.stack}\n${texts.join("\n----\n")}`};
        await pages.at(-1).screenshot({path: `${scratch}/failed-${step}.png`}).catch(() => {});
        await Promise.all(pages.slice(1).map((page) => page.close().catch(() => {})));
    }
    console.log(JSON.stringify(answer));
}
browser.process().kill("SIGKILL"); /* asked to end, it would wait for streams that have none */
process.exit();
