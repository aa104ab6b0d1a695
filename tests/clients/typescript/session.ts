// The client as a TypeScript program sees it. WAY names the engine: private, socket or http, the last two at WHERE.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AgentRunResult, BusyError, Display, type Engine, type Event, GoneError, InvalidError, NotFoundError, Output, Result,
    RetortError, Session, connect } from "retort-client";

const { WAY, WHERE } = process.env;
let engine: Engine;

before(async () => {
    engine = await connect(WAY === "private" ? {} : { [WAY === "socket" ? "socket" : "url"]: WHERE });
});
after(() => engine.close());

const ENDLESS = "print('on', flush=True)\nimport time\nwhile True: time.sleep(0.05)";

test("state stays", async () => {
    await using s = await Session.create({ engine });
    await s.run("x = 20");
    const result: Result = await s.run("x + 22");
    assert.deepEqual([result.ok, result.value, result.cell, result.toString()], [true, "42", 2, "42"]);
});

test("a failing cell is a result", async () => {
    await using s = await Session.create({ engine });
    const result = await s.run("1/0");
    assert.deepEqual([result.ok, result.status, result.error?.name], [false, "error", "ZeroDivisionError"]);
    assert.equal((await s.run("import time; time.sleep(60)", { timeout: 0.3 })).status, "timeout");
    await assert.rejects(s.run("DISPLAY 42.", { language: "cobol" }), InvalidError);
});

test("output comes as it happens, the result last", async () => {
    await using s = await Session.create({ engine });
    const events: Event[] = [];
    for await (const event of s.stream("import sys\nprint('a', flush=True)\nprint('b', file=sys.stderr, flush=True)\n7"))
        events.push(event);
    const text = (stream: string) => events.map((event) => (event instanceof Output && event.stream === stream ? event.text : "")).join("");
    assert.deepEqual([text("stdout"), text("stderr")], ["a\n", "b\n"]);
    const last = events.at(-1);
    assert.ok(last?.type === "result" && last.value === "7");
});

test("a picture is shown", async () => {
    await using s = await Session.create({ engine });
    let shown: Display | undefined;
    let result: Result | undefined;
    for await (const event of s.stream("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")) {
        if (event.type === "display")
            shown = event;
        if (event.type === "result")
            result = event;
    }
    assert.deepEqual([...shown!.data("image/png")!.slice(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    assert.equal(shown!.data("text/html"), undefined);
    assert.equal(result!.images.length, 1);
    assert.equal(result!.plots[0]?.chart["type"], "line");
});

test("leaving a stream interrupts the cell", async () => {
    await using s = await Session.create({ engine, limits: { timeout: 100 } });
    await s.run("y = 5");
    for await (const event of s.stream(ENDLESS)) {
        assert.equal(event.type, "output");
        break;
    }
    assert.equal((await s.run("y")).value, "5");
});

test("a signal interrupts the cell, and spares the one before", async () => {
    await using s = await Session.create({ engine, limits: { timeout: 100 } });
    await s.run("x = 1");
    const running = new AbortController(), waiting = new AbortController();
    const begun = new Promise<void>((resolve) => void engine.listen(s.id, () => resolve()));
    const first = s.run(ENDLESS, { signal: running.signal });
    const second = s.run("x = 2", { signal: waiting.signal });
    await begun;
    waiting.abort();
    await assert.rejects(second, { name: "AbortError" });
    assert.equal((await s.info()).running, true);
    running.abort(new Error("enough"));
    await assert.rejects(first, /enough/);
    assert.equal((await s.run("x")).value, "1");
    await assert.rejects(s.run("x = 3", { signal: AbortSignal.abort() }), { name: "AbortError" });
    await assert.rejects(s.files({ signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.equal((await s.run("x")).value, "1");
});

test("a session that nobody waits for is closed", async () => {
    const controller = new AbortController();
    const before = (await engine.call("session.list")).sessions.length;
    const made = Session.create({ engine, signal: controller.signal });
    controller.abort();
    await assert.rejects(made, { name: "AbortError" });
    while ((await engine.call("session.list")).sessions.length !== before)
        await new Promise((resolve) => setTimeout(resolve, 20));
});

test("files, whole and as streams", async () => {
    await using s = await Session.create({ engine, files: { "in.txt": "grün", "raw": new Uint8Array([255]) }, env: { COLOUR: "red" } });
    assert.equal((await s.run("import os; open('in.txt').read(), os.environ['COLOUR']")).value, "('grün', 'red')");
    assert.deepEqual([...(await s.read("raw"))], [255]);
    const whole = new Uint8Array(9_000_000).map((_, i) => i * 7);
    async function* pieces() {
        for (let i = 0; i < whole.length; i += 1_000_001)
            yield whole.subarray(i, i + 1_000_001);
    }
    assert.equal(await s.write("deep/big.bin", pieces()), whole.length);
    let at = 0;
    for await (const piece of s.readStream("deep/big.bin") as unknown as AsyncIterable<Uint8Array>) {
        assert.ok(Buffer.from(piece).equals(whole.subarray(at, at + piece.length)));
        at += piece.length;
    }
    assert.equal(at, whole.length);
    assert.equal(await s.write("copy.bin", s.readStream("deep/big.bin")), whole.length);
    assert.equal(await s.write("blob.txt", new Blob(["hello"])), 5);
    assert.equal(await s.write("empty", ""), 0);
    assert.deepEqual([await s.readText("blob.txt"), await s.readText("empty")], ["hello", ""]);
    assert.equal((await s.run("open('deep/big.bin','rb').read() == open('copy.bin','rb').read()")).value, "True");
    const result = await s.run("open('made.csv', 'w').write('a,b')");
    assert.deepEqual(result.files.map(({ path, size, change }) => [path, size, change]), [["made.csv", 3, "created"]]);
    await s.delete("raw");
    await assert.rejects(s.read("raw"), NotFoundError);
    assert.deepEqual((await s.files()).map(({ path }) => path).sort(), ["blob.txt", "copy.bin", "deep/big.bin", "empty", "in.txt", "made.csv"]);
});

test("all that was printed", async () => {
    await using s = await Session.create({ engine, limits: { output: 4 } });
    const result = await s.run("print('x' * 100_000)");
    assert.ok(result.stdout.length < 100_000);
    assert.equal(await s.output(result.cell), "x".repeat(100_000) + "\n");
});

test("variables and completion, by language", async () => {
    await using s = await Session.create({ engine });
    await s.run("x = [1]");
    assert.deepEqual(await s.variables(), [{ name: "x", type: "list", repr: "[1]" }]);
    assert.deepEqual(await s.variables({ language: "sql" }), []);
    assert.deepEqual(await s.complete("x.app"), { start: 2, names: ["append"] });
    assert.deepEqual(await s.complete("Math.flo(1)", { cursor: 8, language: "javascript" }), { start: 5, names: ["floor"] });
});

test("check", async () => {
    await using s = await Session.create({ engine, record: false });
    await s.run("total = 6 * 7\nprint('total:', total)");
    const good = await s.check("The total is {{total}}, half of it {{total / 2:.1f}}.", { question: "What is the total?" });
    assert.equal(good.answer, "The total is 42, half of it 21.0.");
    assert.ok(good.accepted);
    assert.equal((await s.check("The total is 43.")).flags, 1);
});

test("undo", async () => {
    await using s = await Session.create({ engine });
    await s.run("x = 1");
    await s.run("x = 2");
    assert.equal(await s.undo(), 1);
    assert.equal((await s.run("x")).value, "1");
});

test("branches are compared, and one is kept", async () => {
    await using s = await Session.create({ engine });
    await s.run("x = [1]");
    const [left, right] = await s.branch(2);
    assert.ok(left && right);
    await left.run("x.append(2); x");
    const seen = await s.compare(left, right);
    assert.deepEqual(seen.variables.map(({ name }) => name), ["x"]);
    const ended = right.id;
    assert.deepEqual(await left.keep(), [ended]);
    assert.deepEqual([(await left.run("x")).value, (await s.run("x")).value], ["[1, 2]", "[1]"]);
    await assert.rejects(right.run("1"), NotFoundError);
    await left.close();
    await left.close();
    await assert.rejects(left.run("1"), /the session is closed/);
});

test("tools are async functions", async () => {
    await using s = await Session.create({ engine });
    const parameters = { type: "object", properties: { article: { type: "string" } }, required: ["article"] };
    await s.tool("price", { description: "Price of an article.", parameters }, async ({ article }: { article: string }) => {
        if (article === "coal")
            throw new RangeError("sold out");
        return { tea: 9.5 }[article];
    });
    await s.tool("nothing", {}, () => undefined);
    assert.equal((await s.run("import tools\ntools.price('tea') * 2")).value, "19.0");
    assert.equal((await s.run("tools.nothing() is None")).value, "True");
    assert.equal((await s.run("try:\n    tools.price('coal')\nexcept Exception as error:\n    print(error)")).stdout, "RangeError: sold out\n");
});

test("the agent works in the session", async () => {
    await using s = await Session.create({ engine });
    const events: string[] = [];
    const answer: AgentRunResult = await s.agent("What is the total price?", {
        files: { "a.csv": "price\n10\n2.5\n" },
        replies: [{ text: "```python\nimport csv\nrows = list(csv.DictReader(open('a.csv')))\nprint('total price', sum(float(row['price']) for row in rows))\n```" },
            { text: "The total price is 12.5." }],
        onEvent: (event) => events.push(event.event),
    });
    assert.deepEqual([answer.answer, answer.verified, answer.steps], ["The total price is 12.5.", true, 2]);
    assert.ok(events.includes("action") && events.includes("observation"));
    assert.equal((await s.run("len(rows)")).value, "2");
});

test("a signal ends the run of an agent", async () => {
    await using s = await Session.create({ engine, limits: { timeout: 100 } });
    await s.run("x = 1");
    const enough = new AbortController();
    const cell = { text: "```python\nimport time\nx += 1\nprint('on', flush=True)\ntime.sleep(90)\n```" };
    const onEvent = ({ event }: { event: string }) => void (event === "output" && enough.abort());
    await assert.rejects(s.agent("Wait.", { replies: Array(9).fill(cell), signal: enough.signal, onEvent }), { name: "AbortError" });
    assert.equal((await s.run("x")).value, "2"); // of nine cells one ran, and was interrupted
});

test("errors are classes", async () => {
    await assert.rejects(engine.call("session.create", { colour: "red" } as object), (error) =>
        error instanceof InvalidError && error instanceof RetortError && error.name === "InvalidError" && error.code === -32602 && error.fault === "caller");
    await assert.rejects(Session.attach("s_0000000000", { engine }), NotFoundError);
    assert.ok(BusyError.prototype instanceof RetortError);
});

test("sessions run at the same time", async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => Session.create({ engine })));
    const values = await Promise.all(sessions.map((s, i) => s.run(`${i} * 10`)));
    assert.deepEqual(values.map(({ value }) => value), ["0", "10", "20", "30", "40", "50", "60", "70"]);
    await Promise.all(sessions.map((s) => s.close()));
});

test("a session comes back after its end", async () => {
    const first = await Session.create({ engine });
    const { id } = first;
    await first.run("x = 20");
    await first.close();
    await using again = await Session.attach(id, { engine });
    assert.equal((await again.run("x + 22")).value, "42");
});

if (WAY === "private")
    test("a session resumes after its engine has died", async () => {
        const mine = await connect();
        const s = await Session.create({ engine: mine });
        await s.run("x = 20");
        await s.tool("twice", { parameters: { type: "object", properties: { n: { type: "integer" } } } }, ({ n }: { n: number }) => 2 * n);
        process.kill((mine as unknown as { child: { pid: number } }).child.pid, "SIGKILL");
        await assert.rejects(s.run("x").then(() => s.run("x")), (error) => error instanceof GoneError && /resume/.test(error.message));
        assert.equal(mine.alive, false);
        await using other = await connect();
        await s.resume({ engine: other });
        assert.equal((await s.run("x + 22")).value, "42");
        assert.equal((await s.run("import tools\ntools.twice(n=21)")).value, "42");
        await s.close();
        await mine.close();
        await assert.rejects(connect({ program: "/does/not/exist" }).then((none) => none.call("server.info")), GoneError);
    });

if (WAY !== "private")
    test("an engine that is not there", async () => {
        const nowhere = WAY === "http" ? { url: "http://127.0.0.1:9" } : { socket: "/does/not/exist" };
        await assert.rejects(connect(nowhere).then((none) => none.call("server.info")), GoneError);
    });

test("the library of skills", async () => {
    const manifest = { functions: ["double"], tests: [{ in: { x: 3 }, out: 6 }, { in: { x: 1 }, out: 2 }] };
    const files = [{ path: "SKILL.md", text: "---\nname: double\ndescription: Doubles a number.\n---\n" },
        { path: "skill.py", text: "def double(x):\n    return 2 * x\n" }, { path: "skill.json", text: JSON.stringify(manifest) }];
    if (WAY === "http") { /* where nobody has shown an administrator's token */
        await assert.rejects(engine.skills.add(files), /only administrators/);
        return;
    }
    const added = await engine.skills.add(files);
    assert.deepEqual([added.name, added.tests], ["double", 2]);
    assert.ok((await engine.skills.search("double a number")).some((one) => one.name === "double"));
    assert.equal((await engine.skills.test("double")).tests, 2);
    assert.equal((await engine.skills.export("double")).length, 3);
    await engine.skills.remove("double");
    await assert.rejects(engine.skills.show("double"), NotFoundError);
});
