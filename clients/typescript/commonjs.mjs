// Makes dist/ out of the modules, for those who say require(): npm runs it before it packs or links the package.
//
// The modules are few and import nothing but each other by name, so that one file of them all is made by leaving out the
// words import and export.
import { mkdir, readFile, writeFile } from "node:fs/promises";

const ORDER = ["errors", "bytes", "result", "skills", "engine", "lines", "http", "connect", "session", "tools"];
const here = new URL(".", import.meta.url);
const read = (path) => readFile(new URL(path, here), "utf8");

const names = [...(await read("index.js")).matchAll(/^export \{ (.*) \} from/gm)].flatMap(([, list]) => list.split(", "));
const modules = await Promise.all(ORDER.map((name) => read(`src/${name}.js`)));
const body = modules.map((text) => text.replace(/^import .*\n/gm, "").replace(/^export /gm, "")).join("\n");
const types = async (name) => (await read(`${name}.d.ts`)).replaceAll('"./methods.js"', '"./methods.cjs"');

await mkdir(new URL("dist", here), { recursive: true });
// The place of the package is asked for in one way by modules, and in another by scripts.
await writeFile(new URL("dist/index.cjs", here),
    `"use strict";\n${body.replaceAll("import.meta.url", 'require("node:url").pathToFileURL(__filename)')}\nmodule.exports = { ${names.join(", ")} };\n`);
await writeFile(new URL("dist/index.d.cts", here), await types("index"));
await writeFile(new URL("dist/methods.d.cts", here), await types("methods"));
