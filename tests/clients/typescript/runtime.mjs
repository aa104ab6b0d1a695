// A little of everything, for runtimes that have no node:test; nobody closes the engine.
import { Session } from "retort-client";

const s = await Session.create();
const said = [(await s.run("x = 42\nx")).value];
for await (const event of s.stream("print('printed')"))
    if (event.type === "output")
        said.push(event.text.trim());
const aborted = new AbortController();
setTimeout(() => aborted.abort(), 300);
said.push(await s.run("while True: pass", { signal: aborted.signal }).catch((error) => error.name));
said.push((await s.run("x")).value);
await s.write("large", new Blob(["x".repeat(5_000_000)]));
let bytes = 0;
for await (const piece of s.readStream("large"))
    bytes += piece.length;
said.push(bytes);
const parameters = { type: "object", properties: { n: { type: "integer" } } };
await s.tool("twice", { parameters }, async ({ n }) => 2 * n);
said.push((await s.run("import tools\ntools.twice(21)")).value);
console.log(said.join(" "));
await s.close();
