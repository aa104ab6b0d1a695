// Small hosts on top of unmodified client libraries: each gives a model the tools of an MCP server, and lets it work until it
// says a last word, which is printed.
//
//   node hosts.mjs HOST MODEL_URL STEPS.json COMMAND|URL      HOST: ai-sdk · openai-agents · langchain · sdk-1 · sdk-2
//
// For an address TOKEN holds the token. The last two have no model: they perform the steps themselves, and print the content
// that a host has to show as JSON. They give up a call after PATIENCE ms, but for progress; the first, with which an engine
// starts, gets longer.
import { readFileSync } from "node:fs";

const [host, url, steps, command] = process.argv.slice(2);
const PATIENCE = 8000;
const PROMPT = "Do all the steps.";
const env = process.env;
const remote = command.startsWith("http:");
const headers = { Authorization: `Bearer ${env.TOKEN}` };

async function aiSdk() {
  const { createMCPClient } = await import("@ai-sdk/mcp");
  const { StdioMCPTransport } = await import("@ai-sdk/mcp/mcp-stdio");
  const { createOpenAI } = await import("@ai-sdk/openai");
  const { generateText, stepCountIs } = await import("ai");
  const transport = remote ? { type: "http", url: command, headers } : new StdioMCPTransport({ command, env });
  const client = await createMCPClient({ transport });
  const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: "none" })("scripted");
  const { text } = await generateText({ model, tools: await client.tools(), stopWhen: stepCountIs(30), prompt: PROMPT });
  await client.close();
  return text;
}

async function openaiAgents() {
  const { Agent, MCPServerStdio, MCPServerStreamableHttp, OpenAIProvider, Runner, setTracingDisabled } = await import("@openai/agents");
  setTracingDisabled(true);
  const server = remote
    ? new MCPServerStreamableHttp({ name: "retort", url: command, requestInit: { headers } })
    : new MCPServerStdio({ name: "retort", command, env });
  await server.connect();
  const agent = new Agent({ name: "tester", model: "scripted", mcpServers: [server] });
  const runner = new Runner({ modelProvider: new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: "none" }) });
  const result = await runner.run(agent, PROMPT, { maxTurns: 30 });
  await server.close();
  return result.finalOutput;
}

async function langchain() {
  const { MultiServerMCPClient } = await import("@langchain/mcp-adapters");
  const { ChatOpenAI } = await import("@langchain/openai");
  const { createAgent } = await import("langchain");
  const retort = remote ? { transport: "http", url: command, headers } : { transport: "stdio", command, args: [], env };
  const client = new MultiServerMCPClient({ mcpServers: { retort } });
  const model = new ChatOpenAI({ model: "scripted", apiKey: "none", configuration: { baseURL: `${url}/v1` } });
  const agent = createAgent({ model, tools: await client.getTools() });
  const state = await agent.invoke({ messages: [{ role: "user", content: PROMPT }] }, { recursionLimit: 60 });
  await client.close();
  return state.messages.at(-1).content;
}

async function perform(client, call) {
  const shown = [];
  try {
    for (const [name, given] of JSON.parse(readFileSync(steps))) {
      const timeout = shown.length ? PATIENCE : 10 * PATIENCE;
      const options = { timeout, resetTimeoutOnProgress: true, onprogress() {} };
      shown.push((await call({ name, arguments: given }, options)).content);
    }
  } finally {
    console.log(JSON.stringify(shown));
  }
  await client.close();
  return "";
}

async function sdk1() {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const client = new Client({ name: "tests", version: "1" });
  await client.connect(new StdioClientTransport({ command, env }));
  return perform(client, (request, options) => client.callTool(request, undefined, options));
}

async function sdk2() {
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = new Client({ name: "tests", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StdioClientTransport({ command, env }));
  return perform(client, (request, options) => client.callTool(request, options));
}

const hosts = { "ai-sdk": aiSdk, "openai-agents": openaiAgents, langchain, "sdk-1": sdk1, "sdk-2": sdk2 };
console.log(await hosts[host]());
process.exit(0);
