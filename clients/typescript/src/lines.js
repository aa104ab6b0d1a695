import { Engine } from "./engine.js";
import { GoneError } from "./errors.js";

const PATIENCE = 30_000; // ms that an engine has to end

/** One JSON object a line, both ways. An open request keeps the process alive, an idle engine does not. */
class LineEngine extends Engine {
    #open = new Map();
    #rest = "";
    #ended = "";

    constructor(readable, writable, handles) {
        super();
        this.writable = writable;
        this.handles = handles;
        readable.setEncoding("utf8");
        readable.on("data", (text) => this.#take(text));
        readable.on("close", () => this.end("the engine has gone"));
        readable.on("error", () => {}); // it closes as well
        writable.on("error", () => {});
        this.#hold(false);
    }

    get alive() {
        return !this.#ended;
    }

    exchange(request) {
        if (this.#ended)
            return Promise.reject(new GoneError(this.#ended));
        return new Promise((resolve, reject) => {
            if (this.#open.size === 0)
                this.#hold(true);
            this.#open.set(request.id, { resolve, reject });
            this.writable.write(JSON.stringify(request) + "\n");
        });
    }

    #hold(held) {
        for (const handle of this.handles)
            held ? handle.ref?.() : handle.unref?.();
    }

    #take(text) {
        let begin = 0;
        for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", begin)) {
            const line = this.#rest + text.slice(begin, end);
            this.#rest = "";
            begin = end + 1;
            this.#message(JSON.parse(line));
        }
        this.#rest += text.slice(begin);
    }

    #message(message) {
        if (message.method)
            return this.notify(message);
        const waiting = this.#open.get(message.id);
        this.#open.delete(message.id);
        if (this.#open.size === 0)
            this.#hold(false);
        waiting?.resolve(message);
    }

    end(why) {
        this.#ended ||= why;
        for (const { reject } of this.#open.values())
            reject(new GoneError(this.#ended));
        this.#open.clear();
    }
}

/** `retort rpc` as a child of this process, in a session of its own, so that Ctrl-C in a terminal does not reach it. It ends
 *  when this process does, because its standard input ends then. */
export class PrivateEngine extends LineEngine {
    static async start(program) {
        const { spawn } = await import("node:child_process");
        return new PrivateEngine(program, spawn(program, ["rpc"], { stdio: ["pipe", "pipe", "inherit"], detached: true }));
    }

    constructor(program, child) {
        super(child.stdout, child.stdin, [child, child.stdin, child.stdout]);
        this.child = child;
        this.exited = new Promise((resolve) => child.once("exit", resolve));
        child.on("error", (error) => this.end(`${program} does not start: ${error.message}`));
    }

    async close() {
        this.child.ref();
        this.writable.end();
        const late = setTimeout(() => this.child.kill("SIGKILL"), PATIENCE);
        if (this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null)
            await this.exited;
        clearTimeout(late);
        this.end("the engine was closed");
    }
}

/** The Unix socket of `retort serve --socket PATH`. */
export class SocketEngine extends LineEngine {
    static async connect(path) {
        const { connect } = await import("node:net");
        const socket = connect(path);
        await new Promise((resolve, reject) => {
            socket.once("connect", resolve);
            socket.once("error", (error) => reject(new GoneError(`${path}: ${error.message}`)));
        });
        return new SocketEngine(socket, socket, [socket]);
    }

    async close() {
        this.writable.destroy();
        this.end("the engine was closed");
    }
}
