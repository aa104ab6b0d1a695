// Drives an MCP server with one of the official TypeScript clients: a session of three steps with a plot, progress and a
// cancellation. Prints what it saw as JSON; the tests look at that.
//
//   node drive.mjs CLIENT TRANSPORT TARGET…     CLIENT: v1 · v2-legacy · v2-modern     TRANSPORT: stdio · http
const [client, transport, ...target] = process.argv.slice(2);

async function connect() {
  const info = [{ name: "retort-tests", version: "1" }];
  if (client === "v1") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    return start(new Client(...info), StdioClientTransport, StreamableHTTPClientTransport);
  }
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const mode = client === "v2-modern" ? { pin: "2026-07-28" } : "legacy";
  return start(new Client(...info, { versionNegotiation: { mode } }), StdioClientTransport, StreamableHTTPClientTransport);
}

async function start(mcp, Stdio, Http) {
  const requestInit = process.env.TOKEN ? { headers: { Authorization: `Bearer ${process.env.TOKEN}` } } : {};
  const channel =
    transport === "stdio"
      ? new Stdio({ command: target[0], args: target.slice(1), env: process.env, stderr: "inherit" })
      : new Http(new URL(target[0]), { requestInit });
  await mcp.connect(channel);
  return mcp;
}

const mcp = await connect();
const seen = { tools: (await mcp.listTools()).tools.map((t) => t.name), steps: [], progress: [] };

async function run(code, options = []) {
  const result = await mcp.callTool({ name: "run_code", arguments: { code, details: true } }, ...options);
  const session = result.structuredContent.session;
  seen.steps.push({
    isError: result.isError ?? false,
    status: result.structuredContent.status,
    value: result.structuredContent.value,
    session,
    content: result.content.map((c) => (c.type === "text" ? c.text : `${c.type} ${c.mimeType ?? ""} ${c.uri ?? ""}`)),
  });
  return result;
}

// The call's options stand behind the result schema in 1.x, behind the request in 2.x.
const with_options = (options) => (client === "v1" ? [undefined, options] : [options]);

await run("x = 20");
await run("x + 22");
// A client that reads a note and the answer at once drops the note: what is printed comes well before the end.
await run(
  "import matplotlib.pyplot as plt, time\nprint('one'); print('two')\ntime.sleep(0.5)\nplt.plot([1, 3, 2])\nplt.savefig('curve.png')",
  with_options({ onprogress: (p) => seen.progress.push(p.message ?? "") }),
);

const stop = new AbortController();
const began = Date.now();
setTimeout(() => stop.abort("enough"), 700);
try {
  await run("import time\nwhile True: time.sleep(0.1)", with_options({ signal: stop.signal }));
  seen.cancelled = false;
} catch (error) {
  seen.cancelled = true;
}
// Had the cell gone on, the next one would wait for its time limit.
await run("x");
seen.waited_ms = Date.now() - began;

const link = seen.steps[2].content.find((c) => c.startsWith("resource_link"));
if (link) {
  const read = await mcp.readResource({ uri: link.split(" ")[2] });
  seen.resource_bytes = Buffer.from(read.contents[0].blob, "base64").length;
}
console.log(JSON.stringify(seen));
await mcp.close();
process.exit(0);
