import { Engine } from "./engine.js";
import { GoneError, NotFoundError, RetortError } from "./errors.js";

/** `retort serve` over HTTP or HTTPS, from anywhere that has fetch(); notifications come over /events, one connection a session
 *  that somebody listens to. */
export class HttpEngine extends Engine {
    eventsApart = true;
    #streams = new Map(); // by session: users, and how to end it

    constructor(url, token) {
        super();
        this.url = String(url).replace(/\/+$/, "");
        this.headers = token ? { Authorization: `Bearer ${token}` } : {};
    }

    async exchange(request) {
        const body = JSON.stringify(request);
        const headers = { ...this.headers, "Content-Type": "application/json" };
        const response = await this.#fetch("/rpc", { method: "POST", headers, body });
        const reply = await response.json().catch(() => ({ error: `not an answer of retort serve (HTTP status ${response.status})` }));
        if (!reply.jsonrpc)
            throw new RetortError(`${this.url}: ${reply.error ?? "the server refused the request"}`);
        return reply;
    }

    async #fetch(path, options) {
        try {
            return await fetch(this.url + path, options);
        } catch (error) {
            const why = error.cause?.message ?? error.message;
            throw new GoneError(`${this.url}: the server has gone: ${why}`, 0, {}, { cause: error });
        }
    }

    async listen(session, listener) {
        const stop = await super.listen(session, listener);
        const stream = this.#streams.get(session) ?? this.#start(session);
        stream.users++;
        const leave = () => {
            stop();
            if (--stream.users === 0) {
                this.#streams.delete(session);
                stream.controller.abort();
            }
        };
        try {
            await stream.opened;
        } catch (error) {
            leave();
            throw error;
        }
        return leave;
    }

    #start(session) {
        const stream = { users: 0, controller: new AbortController(), last: "" };
        stream.opened = this.#open(session, stream);
        stream.opened.then((body) => this.#follow(session, stream, body)).catch(() => {});
        this.#streams.set(session, stream);
        return stream;
    }

    async #open(session, { controller, last }) {
        const headers = last ? { ...this.headers, "Last-Event-ID": last } : this.headers;
        const response = await this.#fetch(`/events?session=${encodeURIComponent(session)}`, { headers, signal: controller.signal });
        if (!response.ok)
            throw new NotFoundError("no such session", -32001);
        return response.body;
    }

    /** Reads events until nobody listens any more; a connection that ends is made again, and nothing is missed. */
    async #follow(session, stream, body) {
        while (!stream.controller.signal.aborted) {
            await this.#readEvents(stream, body).catch(() => {});
            if (!stream.controller.signal.aborted)
                body = await this.#open(session, stream);
        }
        await body.cancel().catch(() => {}); // nobody has read it, perhaps
    }

    async #readEvents(stream, body) {
        const reader = body.pipeThrough(new TextDecoderStream()).getReader();
        // Debian 12's Node leaves the connection open when a fetch is aborted whose answer is being read.
        stream.controller.signal.addEventListener("abort", () => reader.cancel().catch(() => {}));
        let rest = "", id = "", data = "", done, value;
        while (({ done, value } = await reader.read()), !done) {
            const lines = (rest + value).split("\n");
            rest = lines.pop();
            for (const line of lines) {
                if (line.startsWith("id: "))
                    id = line.slice(4);
                else if (line.startsWith("data: "))
                    data = line.slice(6);
                else if (line === "" && data) {
                    stream.last = id;
                    this.notify(JSON.parse(data));
                    data = "";
                }
            }
        }
    }

    async close() {
        for (const { controller } of this.#streams.values())
            controller.abort();
        this.#streams.clear();
    }
}
