// client.mjs PROGRAM [bare|e2b|fetch]: cells through the TypeScript client, or through the same pipes without it; through E2B's SDK,
// or through fetch and our own HTTP door. One request a line, as bench/server.h says: cells N US.
import { createRequire } from "node:module";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Session, connect } from "../clients/typescript/index.js";

const [program, how] = process.argv.slice(2);

async function client() {
    const engine = await connect({ program });
    const session = await Session.create({ engine });
    return [async () => (await session.run("1+1")).value, () => engine.close()];
}

async function bare() {
    const engine = spawn(program, ["rpc"], { stdio: ["pipe", "pipe", "inherit"] });
    let text = "", answer;
    engine.stdout.setEncoding("utf8").on("data", (piece) => {
        text += piece;
        if (text.endsWith("\n")) {
            answer(JSON.parse(text).result);
            text = "";
        }
    });
    const call = (method, params) => new Promise((resolve) => {
        answer = resolve;
        engine.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) + "\n");
    });
    const { session } = await call("session.create", {});
    return [async () => (await call("session.execute", { session, code: "1+1" })).value["text/plain"], () => engine.stdin.end()];
}

// A server with both doors: their ports, and how it ends.
async function serve() {
    const server = spawn(program, ["serve", "--no-auth", "--listen", "127.0.0.1:0", "--e2b", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"] });
    const ports = {};
    for await (const line of createInterface({ input: server.stderr })) {
        const { port, door = "http" } = JSON.parse(line);
        if (port)
            ports[door] = `http://127.0.0.1:${port}`;
        if (ports.e2b)
            break;
    }
    server.stderr.resume();
    return [ports, () => server.kill()];
}

async function e2b() {
    const { Sandbox } = createRequire(new URL("../tests/clients/e2b.mjs", import.meta.url))("@e2b/code-interpreter");
    const [ports, end] = await serve();
    const sandbox = await Sandbox.create({ apiKey: "e2b_0000", apiUrl: ports.e2b, sandboxUrl: ports.e2b });
    return [async () => (await sandbox.runCode("1+1")).text, end];
}

async function http() {
    const [ports, end] = await serve();
    const call = async (method, params) => (await (await fetch(`${ports.http}/rpc`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    })).json()).result;
    const { session } = await call("session.create", {});
    return [async () => (await call("session.execute", { session, code: "1+1" })).value["text/plain"], end];
}

const [cell, end] = await ({ bare, e2b, fetch: http }[how] ?? client)();
for (let i = 0; i < 20; i++)
    await cell();
for await (const request of createInterface({ input: process.stdin })) {
    const [, count, pause] = request.split(" ").map(Number);
    const samples = [];
    for (let i = 0; i < count; i++) {
        if (pause)
            await new Promise((resolve) => setTimeout(resolve, pause / 1000));
        const start = performance.now();
        if (await cell() !== "2")
            throw new Error("the cell failed");
        samples.push(performance.now() - start);
    }
    console.log(samples.map((sample) => sample.toFixed(4)).join(" "));
}
await end();
