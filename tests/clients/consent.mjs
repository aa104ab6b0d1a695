// Runs code that calls a tool which somebody has to allow, through one of the official TypeScript clients; its user answers ANSWER.
// Prints what was asked and what came of it as JSON.
//
//   node consent.mjs CLIENT ANSWER CODE COMMAND…     CLIENT: v1 · v2-legacy · v2-modern     ANSWER: JSON of the elicitation's result
const [client, answer, code, command, ...args] = process.argv.slice(2);
const info = { name: "retort-tests", version: "1" };
const asked = [];

function answering(request) {
  asked.push(request.params.message);
  return JSON.parse(answer);
}

async function connect() {
  const capabilities = { elicitation: { form: {} } };
  if (client === "v1") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
    const mcp = new Client(info, { capabilities });
    mcp.setRequestHandler(ElicitRequestSchema, answering);
    return [mcp, StdioClientTransport];
  }
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const mcp = new Client(info, { capabilities, versionNegotiation: { mode: client === "v2-modern" ? { pin: "2026-07-28" } : "legacy" } });
  mcp.setRequestHandler("elicitation/create", answering);
  return [mcp, StdioClientTransport];
}

const [mcp, Stdio] = await connect();
await mcp.connect(new Stdio({ command, args, env: process.env, stderr: "inherit" }));
const result = await mcp.callTool({ name: "run_code", arguments: { code } });
console.log(JSON.stringify({ asked, text: result.content.filter((c) => c.type === "text").map((c) => c.text).join("\n") }));
await mcp.close();
process.exit(0);
