// Frameworks with a session as their tool: each lets a model work until it says a last word, which is printed.
//
//   node frameworks.mjs HOST MODEL_URL CSV [abort]       HOST: ai · langchain · agents · mcp
//
// With `abort` the call is aborted once its cell prints; then a variable of the session is printed, which shows that the session
// lives and that the cell does not run any more. MCP has no model: a client performs STEPS, and prints the content it gets.
import { readFileSync } from "node:fs";
import { CodeTool, Session, connect } from "../../clients/typescript/index.js";

const [host, url, csv, abort] = process.argv.slice(2);
const PROMPT = "Answer all the questions.";
const engine = await connect();
const session = await Session.create({ engine, files: { "orders.csv": readFileSync(csv) }, limits: { timeout: 100 } });
const code = new CodeTool(session);
const aborted = new AbortController();
const signal = abort ? aborted.signal : undefined;
if (abort) {
    await session.run("x = 42");
    await engine.listen(session.id, (method) => method === "session.output" && aborted.abort());
}

async function ai() {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const { generateText, jsonSchema, stepCountIs, tool } = await import("ai");
    const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: "none" })("scripted");
    const tools = { run_code: code.forAI({ tool, jsonSchema }) };
    return (await generateText({ model, tools, stopWhen: stepCountIs(30), prompt: PROMPT, abortSignal: signal })).text;
}

async function langchain() {
    const { tool } = await import("@langchain/core/tools");
    const { ChatOpenAI } = await import("@langchain/openai");
    const { createAgent } = await import("langchain");
    const model = new ChatOpenAI({ model: "scripted", apiKey: "none", configuration: { baseURL: `${url}/v1` } });
    const agent = createAgent({ model, tools: [code.forLangChain(tool)] });
    const state = await agent.invoke({ messages: [{ role: "user", content: PROMPT }] }, { recursionLimit: 60, signal });
    return state.messages.at(-1).content;
}

async function agents() {
    const { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } = await import("@openai/agents");
    setTracingDisabled(true);
    const agent = new Agent({ name: "tester", model: "scripted", tools: [code.forAgents(tool)] });
    const runner = new Runner({ modelProvider: new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: "none" }) });
    return (await runner.run(agent, PROMPT, { maxTurns: 30, signal })).finalOutput;
}

async function mcp() {
    const { Server } = await import("@modelcontextprotocol/sdk/server/index.js");
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { InMemoryTransport } = await import("@modelcontextprotocol/sdk/inMemory.js");
    const { CallToolRequestSchema, ListToolsRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
    const { definition, call } = code.forMcp();
    const server = new Server({ name: "tester", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [definition] }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => call(params.arguments, extra));
    const client = new Client({ name: "tests", version: "1" });
    const [one, other] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(one), client.connect(other)]);
    const [{ name }] = (await client.listTools()).tools;
    const shown = [];
    for (const [, given] of JSON.parse(process.env.STEPS))
        shown.push((await client.callTool({ name, arguments: given }, undefined, { signal })).content);
    return JSON.stringify(shown);
}

const said = await { ai, langchain, agents, mcp }[host]().catch((error) => {
    if (!abort)
        throw error;
    return `aborted: ${aborted.signal.aborted}`;
});
console.log(said);
if (abort)
    console.log((await session.run("x")).value, (await session.run("ended")).value);
await session.close();
process.exit(0);
