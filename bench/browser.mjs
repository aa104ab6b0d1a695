// browser.mjs URL MODULES: the page in Chromium, with puppeteer-core of MODULES. One request a line, answered with milliseconds:
// open N: from nothing in the browser's cache until the sessions are shown and can be used
// output N: from the moment in which a client of the API has a line of output until it is on the page's screen
// cells N: until a session of N cells shows the last ones and can be used
// scroll N: the longest task of the page while somebody scrolls through N cells; what takes less than 50 is told as 50
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [base, modules] = process.argv.slice(2);
const puppeteer = (await import(createRequire(`${modules}/x`).resolve("puppeteer-core"))).default;
const browser = await puppeteer.launch({
    executablePath: "/usr/bin/chromium", protocolTimeout: 600_000,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
});

async function rpc(method, params = {}) {
    const reply = await fetch(`${base}/rpc`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) });
    const { result, error } = await reply.json();
    if (error) throw new Error(error.message);
    return result;
}

/* Told by the page itself, so that the way to this program does not count: when `ready` holds for the first time, and is painted. */
async function opened(page, path, ready) {
    await page.evaluateOnNewDocument(`(() => {
        const look = () => {
            if (!(${ready})()) return requestAnimationFrame(look);
            requestAnimationFrame(() => setTimeout(() => { window.there = performance.now(); }));
        };
        requestAnimationFrame(look);
    })()`);
    await page.goto(`${base}/${path}`);
    await page.waitForFunction(() => window.there, { polling: 20 });
    return page.evaluate(() => window.there);
}

async function open(count) {
    const found = [];
    for (let i = 0; i < count; i++) {
        const context = await browser.createBrowserContext(), page = await context.newPage();
        found.push(await opened(page, "", () => [...document.querySelectorAll("main button")].some((one) => one.textContent === "New session")
            && document.querySelectorAll("h2").length === 2));
        await context.close();
    }
    return found;
}

/* When this program has a line, of a session's events. */
async function heard(session, wanted, times) {
    const reply = await fetch(`${base}/events?session=${session}`), decoder = new TextDecoder();
    for await (const piece of reply.body) {
        const now = performance.timeOrigin + performance.now(), text = decoder.decode(piece, { stream: true });
        for (const [, number] of text.matchAll(/line (\d+) of/g)) times[number] ??= now;
        if (times[wanted - 1]) return;
    }
}

async function output(count) {
    const { session } = await rpc("session.create"), page = await browser.newPage(), times = [];
    await opened(page, `#/session/${session}`, () => document.querySelector(".CodeMirror-focused"));
    await page.evaluate(() => {
        window.lines = [];
        const look = () => {
            const found = document.querySelector(".cell .stdout")?.textContent.match(/line \d+ of/g)?.length ?? 0;
            if (found > window.lines.length) { /* painted with this picture, and seen when it is over */
                const first = window.lines.length;
                window.lines.length = found;
                requestAnimationFrame(() => window.lines.fill(performance.timeOrigin + performance.now(), first, found));
            }
            requestAnimationFrame(look);
        };
        look();
    });
    const listening = heard(session, count, times);
    const code = `import time\nfor i in range(${count}):\n    print(f'line {i} of many', flush=True)\n    time.sleep(0.1)`;
    await Promise.all([rpc("session.execute", { session, code }), listening]);
    await page.waitForFunction((wanted) => window.lines.length === wanted && window.lines.at(-1), { polling: 20 }, count);
    const shown = await page.evaluate(() => window.lines);
    await page.close();
    await rpc("session.close", { session });
    return shown.map((at, i) => Math.max(0, at - times[i]));
}

const made = new Map();

async function sessionOf(count) {
    if (!made.has(count)) {
        const { session } = await rpc("session.create");
        for (let i = 1; i <= count; i++) await rpc("session.execute", { session, code: `x = ${i}\nprint('value', x)` });
        made.set(count, session);
    }
    return made.get(count);
}

async function openCells(count) {
    const page = await browser.newPage();
    const ms = await opened(page, `#/session/${await sessionOf(count)}`, () => document.querySelector(".CodeMirror-focused") && document.querySelector(".cell .stdout:not([hidden])"));
    return { page, ms };
}

async function cells(count) {
    const { page, ms } = await openCells(count);
    await page.close();
    return [ms];
}

async function scroll(count) {
    const { page } = await openCells(count);
    await page.waitForFunction((all) => document.querySelector(".cell").ariaSetSize === String(all), { polling: 50 }, count);
    const longest = await page.evaluate(async () => {
        let found = 50;
        new PerformanceObserver((list) => { found = Math.max(found, ...list.getEntries().map((one) => one.duration)); }).observe({ type: "longtask" });
        for (const by of [-400, 3000, -3000])
            for (let i = 0; i < 150; i++) {
                scrollBy(0, by);
                await new Promise(requestAnimationFrame);
            }
        for (let part = 0; part <= 100; part++) { /* as by the bar, from end to end */
            scrollTo(0, document.documentElement.scrollHeight * part / 100);
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return found;
    });
    await page.close();
    return [longest];
}

const requests = { open, output, cells, scroll };
for await (const line of createInterface({ input: process.stdin })) {
    const [word, count] = line.split(" ");
    try {
        console.log((await requests[word](Number(count))).map((ms) => ms.toFixed(3)).join(" "));
    } catch (error) {
        console.error(error);
        console.log("");
    }
}
browser.process().kill("SIGKILL"); // asked to end, it would wait for streams that have none
process.exit();
