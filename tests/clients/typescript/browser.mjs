// The client where there is neither a process nor a Buffer, as in a browser; Deno runs it.
const [url] = Deno.args; // Node's own fetch() needs a Buffer
delete globalThis.Buffer;
delete globalThis.process;
const { RetortError, Session, connect } = await import("retort-client");

const engine = await connect({ url });
const s = await Session.create({ engine, files: { "a.txt": "grün", "raw": new Uint8Array(300_000).fill(255) } });
const value = (await s.run("6 * 7")).value;
const refused = await connect().catch((error) => error);
console.log(value, await s.readText("a.txt"), (await s.read("raw")).filter((byte) => byte === 255).length, refused instanceof RetortError && refused.name);
await s.close();
await engine.close();
