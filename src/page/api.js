/* The documented interface of the server: JSON-RPC, files and events. The page has no other. */

let token = sessionStorage.getItem("token");

export function setToken(text) {
    token = text;
    if (text) sessionStorage.setItem("token", text);
    else sessionStorage.removeItem("token");
}

export function hasToken() {
    return Boolean(token);
}

function headers(more = {}) {
    return token ? {Authorization: `Bearer ${token}`, ...more} : more;
}

export class ApiError extends Error {
    constructor(status, message, code, hint) {
        super(message);
        Object.assign(this, {status, code, hint});
    }
}

let requests = 0;

/* Status 0: nobody knows whether the request arrived. */
async function ask(path, options = {}) {
    const reply = await fetch(path, {...options, headers: headers(options.headers), credentials: "omit"}).catch((error) => {
        throw error.name === "AbortError" ? error : new ApiError(0, "The server cannot be reached.");
    });
    if (reply.status === 401) dispatchEvent(new Event("refused"));
    return reply;
}

export async function rpc(method, params = {}) {
    const reply = await ask("/rpc", {
        method: "POST",
        headers: {"Content-Type": "application/json"},
        body: JSON.stringify({jsonrpc: "2.0", id: ++requests, method, params}),
    });
    const answer = await reply.json().catch(() => ({error: `status ${reply.status}`}));
    if (answer.result !== undefined) return answer.result;
    const error = answer.error ?? {};
    throw new ApiError(reply.status, error.message ?? String(answer.error), error.code, error.data?.hint);
}

export async function text(path) {
    const reply = await ask(path);
    if (!reply.ok) throw new ApiError(reply.status, reply.status === 403 ? "Only tokens of administrators may see this." : `${path}: status ${reply.status}`);
    return reply.text();
}

/* --- files --- */

function place(session, path) {
    return `/files/${encodeURIComponent(session)}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

export async function fetchFile(session, path) {
    const reply = await ask(place(session, path));
    if (!reply.ok) throw new ApiError(reply.status, `the file cannot be had: status ${reply.status}`);
    return reply.blob();
}

/* fetch does not tell how far an upload has come. */
export function upload(session, path, file, progress) {
    return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open("PUT", place(session, path));
        for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
        request.upload.addEventListener("progress", (event) => event.lengthComputable && progress(event.loaded / event.total));
        request.addEventListener("load", () => {
            if (request.status < 300) return resolve();
            let message = `status ${request.status}`;
            try {
                const said = JSON.parse(request.responseText);
                message = said.error?.message ?? said.error ?? message;
            } catch {
                /* no JSON: the status says it */
            }
            reject(new ApiError(request.status, message));
        });
        request.addEventListener("error", () => reject(new ApiError(0, "the connection was lost")));
        request.send(file);
    });
}

export function base64Bytes(encoded) {
    return Uint8Array.from(atob(encoded), (c) => c.charCodeAt(0));
}

/* --- events --- */

const QUIET = 40_000; /* a stream that is alive says something every 15 s */
const UNSEEN = 10_000;
const FIRST_WAIT = 500, LONGEST_WAIT = 8000;

/* One connection: true when it ended, false when there is nothing to listen to. `last` is the id of the last event. */
async function listenOnce(path, last, ender, {began, block}) {
    let timer;
    const alive = () => {
        clearTimeout(timer);
        timer = setTimeout(() => ender.abort(), QUIET);
    };
    try {
        alive();
        const reply = await ask(path, {headers: last ? {"Last-Event-ID": last} : {}, signal: ender.signal});
        if (reply.status === 404 || reply.status === 401) return false;
        if (!reply.ok) throw new ApiError(reply.status, `status ${reply.status}`);
        began();
        const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let rest = "";;) {
            const {done, value} = await reader.read();
            if (done) return true;
            alive();
            const blocks = (rest + value).split("\n\n");
            rest = blocks.pop();
            blocks.forEach(block);
        }
    } finally {
        clearTimeout(timer);
    }
}

/* What on() of listen passes on about calls that somebody has to allow. They are seldom: what shows them is loaded when one comes. */
export function approving(place) {
    let shown = null;
    return (method, params) => {
        if (method === "tools.approval") shown ??= import("/page/approvals.js").then(({Approvals}) => new Approvals(place));
        shown?.then((one) => one.heard(method, params));
    };
}

/* Calls on(method, params) for every event, and state("on" | "lost" | "gone") when the connection comes and goes. After a loss it
 * goes on behind the last event that came. An EventSource would do the same, but cannot send a token. A tab that nobody sees does
 * not listen: browsers have six connections to a server for all of its tabs. */
export function listen(session, on, state) {
    const path = session ? `/events?session=${encodeURIComponent(session)}` : "/events";
    let ended = false, hidden = false, last = null, again = false, wait = FIRST_WAIT;
    let ender = new AbortController(), hiding, wake = () => {};

    function block(lines) {
        let data = "";
        for (const line of lines.split("\n")) {
            if (line.startsWith("id:")) last = line.slice(3).trim();
            else if (line.startsWith("data:")) data += line.slice(5).trim();
        }
        if (!data || ended) return;
        const message = JSON.parse(data);
        on(message.method, message.params ?? {});
    }

    function began() {
        state("on", again);
        again = true;
        wait = FIRST_WAIT;
    }

    function seen() {
        clearTimeout(hiding);
        if (!document.hidden) return go();
        hiding = setTimeout(() => {
            hidden = true;
            ender.abort();
        }, UNSEEN);
    }

    function go() {
        hidden = false;
        wake();
    }

    function pause() {
        return new Promise((resolve) => {
            wake = resolve;
            if (!hidden) setTimeout(resolve, wait);
        });
    }

    async function loop() {
        while (!ended) {
            ender = new AbortController();
            try {
                if (!(await listenOnce(path, last, ender, {began, block}))) return ended || state("gone");
            } catch {
                /* the next connection tells */
            }
            if (ended) return;
            if (!hidden) state("lost");
            await pause();
            wait = Math.min(wait * 2, LONGEST_WAIT);
        }
    }

    document.addEventListener("visibilitychange", seen);
    addEventListener("online", go);
    loop();
    return () => {
        ended = true;
        clearTimeout(hiding);
        document.removeEventListener("visibilitychange", seen);
        removeEventListener("online", go);
        ender.abort();
        wake();
    };
}
