/* The documented interface of the server: JSON-RPC, files and events. The page has no other. */

let token = sessionStorage.getItem("token");

export function setToken(text) {
    token = text;
    if (text) sessionStorage.setItem("token", text);
    else sessionStorage.removeItem("token");
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

export async function rpc(method, params = {}, options = {}) {
    const reply = await fetch("/rpc", {
        method: "POST",
        headers: headers({"Content-Type": "application/json"}),
        body: JSON.stringify({jsonrpc: "2.0", id: ++requests, method, params}),
        credentials: "omit",
        ...options,
    });
    const answer = await reply.json().catch(() => ({error: `status ${reply.status}`}));
    if (answer.result !== undefined) return answer.result;
    const error = answer.error ?? {};
    throw new ApiError(reply.status, error.message ?? String(answer.error), error.code, error.data?.hint);
}

export async function text(path) {
    const reply = await fetch(path, {headers: headers(), credentials: "omit"});
    if (!reply.ok) throw new ApiError(reply.status, `${path}: status ${reply.status}`);
    return reply.text();
}

/* --- files --- */

function place(session, path) {
    return `/files/${encodeURIComponent(session)}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

export async function fetchFile(session, path) {
    const reply = await fetch(place(session, path), {headers: headers(), credentials: "omit"});
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

/* Calls on(method, params) for every event, and state("on" | "lost") when the connection comes and goes. After a loss it goes on
 * behind the last event that came. An EventSource would do the same, but cannot send a token. */
export function listen(session, on, state) {
    const ender = new AbortController();
    let last = null, wait = 500, failed = 0;

    function take(block) {
        let data = "";
        for (const line of block.split("\n")) {
            if (line.startsWith("id:")) last = line.slice(3).trim();
            else if (line.startsWith("data:")) data += line.slice(5).trim();
        }
        if (!data) return;
        const message = JSON.parse(data);
        on(message.method, message.params ?? {});
    }

    async function read(reply) {
        const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        for (;;) {
            const {done, value} = await reader.read();
            if (done) return;
            const blocks = (rest + value).split("\n\n");
            rest = blocks.pop();
            blocks.forEach(take);
        }
    }

    async function connect() {
        const path = session ? `/events?session=${encodeURIComponent(session)}` : "/events";
        const reply = await fetch(path, {headers: headers(last ? {"Last-Event-ID": last} : {}), signal: ender.signal, credentials: "omit"});
        if (reply.status === 404 || reply.status === 401) return false;
        if (!reply.ok) throw new Error(`status ${reply.status}`);
        state("on", failed > 0);
        wait = 500;
        failed = 0;
        await read(reply);
        return true;
    }

    (async () => {
        while (!ender.signal.aborted) {
            try {
                if (!(await connect())) return state("gone");
            } catch {
                if (ender.signal.aborted) return;
            }
            failed++;
            state("lost");
            await new Promise((resolve) => setTimeout(resolve, wait));
            wait = Math.min(wait * 2, 8000);
        }
    })();
    return () => ender.abort();
}
