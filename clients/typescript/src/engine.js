import { errorFrom } from "./errors.js";
import { Skills } from "./skills.js";

/** What the promise gives, unless the signal comes first: then its reason is thrown, and the promise goes on unheard. */
export async function until(promise, signal) {
    if (!signal)
        return promise;
    let abort;
    const aborted = new Promise((_, reject) => {
        abort = () => reject(signal.reason);
        signal.addEventListener("abort", abort, { once: true });
        if (signal.aborted)
            abort();
    });
    try {
        return await Promise.race([promise, aborted]);
    } finally {
        signal.removeEventListener("abort", abort);
        promise.catch(() => {});
    }
}

/** An engine that runs sessions. connect() makes one; subclasses differ in how they reach it. */
export class Engine {
    /** Whether events have a connection of their own, where an answer may overtake them. */
    eventsApart = false;
    #ids = 0;
    #listeners = new Map();

    get alive() {
        return true;
    }

    /** The library of skills. */
    get skills() {
        return new Skills(this);
    }

    /** One JSON-RPC request; its result. Parameters that are undefined are left out. */
    async call(method, params = {}, { signal } = {}) {
        signal?.throwIfAborted();
        const reply = await until(this.exchange({ jsonrpc: "2.0", id: ++this.#ids, method, params }), signal);
        if (reply.error)
            throw errorFrom(reply.error);
        return reply.result;
    }

    /** Calls listener(method, params) for every notification of a session, until the function that comes back is called. */
    async listen(session, listener) {
        const listeners = this.#listeners.get(session) ?? new Set();
        this.#listeners.set(session, listeners.add(listener));
        return () => {
            listeners.delete(listener);
            if (listeners.size === 0)
                this.#listeners.delete(session);
        };
    }

    notify({ method, params }) {
        for (const listener of [...(this.#listeners.get(params?.session) ?? [])])
            listener(method, params);
    }

    async close() {}

    async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
        await this.close();
    }
}
