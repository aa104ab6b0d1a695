import { fromBase64, inPieces, joined, toBase64 } from "./bytes.js";
import { defaultEngine } from "./connect.js";
import { until } from "./engine.js";
import { GoneError, RetortError } from "./errors.js";
import { Display, Output, Result } from "./result.js";

const PIECE = 4 << 20; // bytes of a file in one request
const AGAIN = 100; // ms between two interrupts
const LATE = 5000; // ms that the last event may come later than the result

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function uploads(files) {
    const list = [];
    for (const [path, data] of Object.entries(files ?? {})) {
        const pieces = [];
        for await (const piece of inPieces(data, PIECE))
            pieces.push(piece);
        list.push({ path, base64: toBase64(joined(pieces)) });
    }
    return list.length > 0 ? list : undefined;
}

const withTimeout = (timeout, limits) => (timeout === undefined ? limits : { ...limits, timeout });

/** A sealed interpreter whose variables and files stay between cells. */
export class Session {
    #engine;
    #given; // whether the engine was given by the caller
    #turn = Promise.resolve(); // cells of this object run one after the other: an interrupt meets its own
    #tools = new Map();
    #stopTools;

    constructor(engine, given, id, isolation) {
        this.#engine = engine;
        this.#given = given;
        this.id = id;
        this.isolation = isolation;
    }

    static async create({ engine, files, signal, ...options } = {}) {
        signal?.throwIfAborted();
        const used = engine ?? await defaultEngine();
        const made = used.call("session.create", { ...options, files: await uploads(files) });
        try {
            const { session, isolation } = await until(made, signal);
            return new Session(used, Boolean(engine), session, isolation);
        } catch (error) {
            made.then(({ session }) => used.call("session.close", { session })).catch(() => {}); // one that nobody waits for
            throw error;
        }
    }

    static async attach(id, { engine, signal } = {}) {
        const used = engine ?? await defaultEngine();
        const { isolation } = await used.call("session.resume", { session: id }, { signal });
        return new Session(used, Boolean(engine), id, isolation);
    }

    // ---- running code ----

    async run(code, { language, timeout, limits, signal } = {}) {
        return this.#inTurn(signal, () => this.#execute({ code, language, limits: withTimeout(timeout, limits) }, signal));
    }

    async #execute(params, signal) {
        return new Result(await this.#interruptible(this.#call("session.execute", params), signal));
    }

    /** Cells of this object run one after the other. One whose signal comes first is not begun. */
    #inTurn(signal, work) {
        const mine = this.#turn.then(() => {
            signal?.throwIfAborted();
            return work();
        });
        this.#turn = mine.catch(() => {});
        return until(mine, signal);
    }

    /** Interrupts what was begun when the signal comes: again, because its request may still be on the way. */
    async #interruptible(promise, signal) {
        const engine = this.#engine, session = this.id; // also when it is closed meanwhile
        let ended = false;
        const stop = async () => {
            while (!ended) {
                await engine.call("session.interrupt", { session }).catch(() => {});
                await pause(AGAIN);
            }
        };
        signal?.addEventListener("abort", stop, { once: true });
        try {
            return await promise;
        } finally {
            ended = true;
            signal?.removeEventListener("abort", stop);
        }
    }

    async *stream(code, { language, timeout, limits, signal } = {}) {
        const left = new AbortController();
        const abort = () => left.abort(signal.reason);
        signal?.addEventListener("abort", abort, { once: true });
        if (signal?.aborted)
            abort();
        const events = [];
        let wake = () => {};
        const put = (event) => {
            events.push(event);
            wake();
        };
        const params = { code, language, limits: withTimeout(timeout, limits) };
        this.#inTurn(left.signal, () => this.#executeInto(put, params, left.signal)).then(put, (error) => put({ type: "failed", error }));
        try {
            while (true) {
                while (events.length === 0)
                    await new Promise((resolve) => { wake = resolve; });
                const event = events.shift();
                if (event.type === "failed")
                    throw event.error;
                yield event;
                if (event.type === "result")
                    return;
            }
        } finally {
            signal?.removeEventListener("abort", abort);
            left.abort();
        }
    }

    async #executeInto(put, params, signal) {
        let ended = () => {};
        const end = new Promise((resolve) => { ended = resolve; });
        const stop = await this.#engine.listen(this.id, (method, told) => {
            if (method === "session.output")
                put(new Output(told.stream, told.text));
            else if (method === "session.display")
                put(new Display(told.display.mime));
            else if (method === "cell.end")
                ended();
        });
        try {
            const result = await this.#execute(params, signal);
            if (this.#engine.eventsApart)
                await Promise.race([end, pause(LATE)]);
            return result;
        } finally {
            stop();
        }
    }

    async interrupt() {
        return (await this.#call("session.interrupt")).interrupted;
    }

    async variables({ language, signal } = {}) {
        return (await this.#call("session.variables", { language }, signal)).variables;
    }

    async complete(code, { cursor, language, signal } = {}) {
        return this.#call("session.complete", { code, cursor, language }, signal);
    }

    async undo(cells = 1, { signal } = {}) {
        return (await this.#call("session.undo", { cells }, signal)).cells;
    }

    async check(answer, { question, signal } = {}) {
        return this.#call("session.check", { answer, question }, signal);
    }

    // ---- branches ----

    async branch(count = 1, { signal } = {}) {
        const { sessions } = await this.#call("session.branch", { count }, signal);
        return sessions.map((id) => new Session(this.#engine, this.#given, id, this.isolation));
    }

    async compare(...others) {
        return this.#engine.call("session.compare", { sessions: [this, ...others].map(({ id }) => id) });
    }

    async keep({ signal } = {}) {
        return (await this.#call("session.keep", {}, signal)).closed;
    }

    // ---- the agent ----

    async agent(task, { files, onEvent, signal, ...options } = {}) {
        const params = { task, files: await uploads(files), ...options };
        return this.#inTurn(signal, async () => {
            let ended = () => {};
            const end = new Promise((resolve) => { ended = resolve; });
            const stop = onEvent && await this.#engine.listen(this.id, (method, told) => {
                if (method !== "agent.event")
                    return;
                onEvent(told.event);
                if (told.event.event === "stop")
                    ended();
            });
            try {
                const answer = await this.#interruptible(this.#call("agent.run", params), signal);
                if (onEvent && this.#engine.eventsApart)
                    await Promise.race([end, pause(LATE)]);
                return answer;
            } finally {
                stop?.();
            }
        });
    }

    async info({ signal } = {}) {
        return this.#call("session.info", {}, signal);
    }

    // ---- files ----

    async files({ signal } = {}) {
        return (await this.#call("files.list", {}, signal)).files;
    }

    async read(path, { signal } = {}) {
        return this.#readAll("files.read", { path }, signal);
    }

    async readText(path, options) {
        return new TextDecoder().decode(await this.read(path, options));
    }

    readStream(path, { signal } = {}) {
        const pieces = this.#readPieces("files.read", { path }, signal);
        return new ReadableStream({
            async pull(controller) {
                const { done, value } = await pieces.next();
                done ? controller.close() : controller.enqueue(value);
            },
            cancel: () => pieces.return(),
        });
    }

    async write(path, data, { signal } = {}) {
        let offset = 0;
        for await (const piece of inPieces(data, PIECE)) {
            await this.#call("files.write", { path, base64: toBase64(piece), offset: offset || undefined }, signal);
            offset += piece.length;
        }
        return offset;
    }

    async delete(path, { signal } = {}) {
        await this.#call("files.delete", { path }, signal);
    }

    async output(cell, stream = "stdout", { signal } = {}) {
        return new TextDecoder().decode(await this.#readAll("output.read", { cell, stream }, signal));
    }

    async *#readPieces(method, params, signal) {
        let offset = 0, size = 1;
        while (offset < size) {
            const piece = await this.#call(method, { ...params, offset, length: PIECE }, signal);
            const bytes = fromBase64(piece.base64);
            if (bytes.length === 0)
                return;
            size = piece.size;
            offset += bytes.length;
            yield bytes;
        }
    }

    async #readAll(method, params, signal) {
        const pieces = [];
        for await (const piece of this.#readPieces(method, params, signal))
            pieces.push(piece);
        return joined(pieces);
    }

    // ---- tools ----

    async tool(name, { description, parameters } = {}, call) {
        this.#tools.set(name, { description, parameters, call });
        this.#stopTools ??= await this.#engine.listen(this.id, (method, told) => {
            if (method === "tools.call")
                this.#answer(told);
        });
        await this.#register();
    }

    async #register() {
        const tools = [...this.#tools].map(([name, { description, parameters }]) => ({ name, description, parameters }));
        await this.#call("tools.register", { tools });
    }

    async #answer({ call, name, arguments: given }) {
        const answer = { call };
        try {
            answer.result = (await this.#tools.get(name).call(given)) ?? null;
            JSON.stringify(answer);
        } catch (error) { // whatever it is, it is raised in the code that called
            delete answer.result;
            answer.error = String(error);
        }
        await this.#engine.call("tools.result", answer).catch(() => {}); // the cell may have ended meanwhile
    }

    // ---- ending, and coming back ----

    async resume({ engine, signal } = {}) {
        const used = engine ?? (this.#given ? this.#engine : await defaultEngine());
        const { isolation } = await used.call("session.resume", { session: this.id }, { signal });
        this.#engine = used;
        this.isolation = isolation;
        this.#stopTools?.();
        this.#stopTools = undefined;
        for (const [name, { call, ...described }] of this.#tools)
            await this.tool(name, described, call);
        return this;
    }

    async close() {
        const id = this.id;
        this.#stopTools?.();
        this.#stopTools = undefined;
        if (!id)
            return;
        this.id = "";
        await this.#engine.call("session.close", { session: id });
    }

    async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
        await this.close().catch((error) => {
            if (!(error instanceof RetortError)) // else it ended before
                throw error;
        });
    }

    async #call(method, params = {}, signal = undefined) {
        if (!this.id)
            throw new RetortError("the session is closed");
        try {
            return await this.#engine.call(method, { session: this.id, ...params }, { signal });
        } catch (error) {
            if (error instanceof GoneError)
                throw new GoneError(`${error.message}; resume() brings the session back, if it was recorded`, 0, {}, { cause: error });
            throw error;
        }
    }
}
