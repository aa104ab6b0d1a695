// The package from a CommonJS module, with the engine of the process, which nobody closes: it must not keep the process alive.
import retort = require("retort-client");

async function main(): Promise<void> {
    const s: retort.Session = await retort.Session.create();
    const result = await s.run("6 * 7");
    console.log(result.value, result instanceof retort.Result);
}
void main();
