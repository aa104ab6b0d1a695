/* The field that code is written in: CodeMirror, which comes when it is first needed. */
import {h} from "/page/dom.js";

const HERE = "/page/codemirror/";
const MODES = {python: "python", sql: "text/x-sqlite", bash: "shell", javascript: "javascript", typescript: "text/typescript"};
let loaded = null;

function script(name) {
    return new Promise((resolve, reject) => document.head.append(h("script", {src: HERE + name, onload: resolve, onerror: () => reject(new Error(`${name} does not load`))})));
}

export function load() {
    loaded ??= (async () => {
        document.head.append(h("link", {rel: "stylesheet", href: `${HERE}codemirror.css`}), h("link", {rel: "stylesheet", href: `${HERE}show-hint.css`}));
        await script("codemirror.js");
        await Promise.all(["python.js", "sql.js", "shell.js", "javascript.js", "matchbrackets.js", "show-hint.js", "placeholder.js", "runmode.js"].map(script));
        return window.CodeMirror;
    })();
    return loaded;
}

const MOST_PAINTED = 20_000; /* characters; more is shown as it is */

/* Code that is only shown, in the colours of the field. Its text is there at once, and stays the same. */
export async function paint(element, code, language) {
    element.textContent = code;
    if (!MODES[language] || code.length > MOST_PAINTED) return;
    const CodeMirror = await load();
    if (element.textContent !== code) return; /* another one meanwhile */
    const parts = [];
    CodeMirror.runMode(code, MODES[language], (text, style) => parts.push(style ? h("span", {class: style.replace(/(^|\s+)/g, "$1cm-")}, text) : text));
    element.replaceChildren(...parts);
}

/* `keys` are the page's own. Tab indents; after Escape it leaves the field, for those who have no mouse. */
export async function editor(place, {label, keys, complete}) {
    const CodeMirror = await load();
    const own = {...keys, "Ctrl-Space": "autocomplete", "Cmd-Space": "autocomplete", "Shift-Tab": "indentLess",
        Tab: (cm) => (cm.somethingSelected() ? cm.indentSelection("add") : cm.replaceSelection("    ", "end")),
        Esc: (cm) => cm.setOption("extraKeys", {...own, Tab: false, "Shift-Tab": false})};
    const made = CodeMirror(place, {
        lineNumbers: true, indentUnit: 4, matchBrackets: true, screenReaderLabel: label, extraKeys: own,
        placeholder: "Code: Shift-Enter runs it, Ctrl-Space completes",
        hintOptions: {hint: complete, completeSingle: false},
    });
    made.on("blur", () => made.setOption("extraKeys", own));
    return {
        get text() { return made.getValue(); },
        set text(code) {
            made.setValue(code);
            made.setCursor(made.lineCount(), 0);
        },
        language(name) { made.setOption("mode", MODES[name] ?? null); },
        changed(action) { made.on("changes", () => action(made.getValue())); },
        focus() { made.focus(); },
    };
}
