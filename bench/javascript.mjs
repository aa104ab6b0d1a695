// javascript.mjs pyodide|monty MODULES: Python in JavaScript, from the node_modules directory MODULES.
//
// One request a line, answered by one line of milliseconds, as bench/server.h says:
//     cells N US     `1+1` in one interpreter, US microseconds apart
// With the third argument `once` it runs print(1) and ends: a cold start.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [which, modules, once] = process.argv.slice(2);
const require = createRequire(modules + "/");

async function pyodide() {
    const { loadPyodide } = require("pyodide");
    const python = await loadPyodide();
    return (code) => python.runPython(code);
}

async function monty() {
    const { Monty } = await import(require.resolve("@pydantic/monty"));
    return (code) => new Monty(code).run({ printCallback: (_, text) => void process.stdout.write(text) });
}

async function cells(run, count, pause) {
    const times = [];
    for (let i = 0; i < count; i++) {
        if (pause) await new Promise((done) => setTimeout(done, pause / 1000));
        const start = performance.now();
        run("1+1");
        times.push((performance.now() - start).toFixed(5));
    }
    return times;
}

const run = await (which === "pyodide" ? pyodide() : monty());
if (once) {
    run("print(1)");
} else {
    for await (const line of createInterface({ input: process.stdin })) {
        const [, count, pause] = line.split(" ").map(Number);
        console.log((await cells(run, count, pause)).join(" "));
    }
}
