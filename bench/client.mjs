// client.mjs PROGRAM [bare]: cells through the TypeScript client, or through the same pipes without it. One request a line, as
// bench/server.h says: cells N US.
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

const [cell, end] = await (how === "bare" ? bare : client)();
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
