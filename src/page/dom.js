/* Elements, made from text. Nothing in the page is made from markup, so that no text of a guest can become any. */

const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "open", "multiple", "srcdoc", "className", "htmlFor"]);

/* h("button", {type: "button", onclick: f}, "text", child…): an element. */
export function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (PROPERTIES.has(name)) element[name] = value;
        else if (value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
}

export function button(text, action, attributes = {}) {
    return h("button", {type: "button", onclick: action, ...attributes}, text);
}

/* Said to those who listen to the page. */
export function say(text) {
    document.getElementById("said").textContent = text;
}

const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const COLOURS = /\u001b\[[0-9;:?]*[@-~]/g;

/* Of each line what a terminal would show: what stands behind its last return. */
function returned(text) {
    if (!text.includes("\r")) return text;
    return text.split("\n").map((line) => {
        let end = line.length;
        while (line[end - 1] === "\r") end--;
        return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
    }).join("\n");
}

/* Text of a guest without what would colour, turn or hide it. */
export function clean(text) {
    return returned(String(text).replace(COLOURS, "")).replace(TURNS, "\ufffd").replace(CONTROLS, "\ufffd");
}

/* The same of text that may be long, and how much of it is left out. */
export function cleanPart(text, most) {
    return text.length > most ? `${clean(text.slice(0, most))}\n… ${text.length - most} more characters` : clean(text);
}

export function size(bytes) {
    const units = ["B", "KiB", "MiB", "GiB"];
    let at = 0;
    while (bytes >= 1024 && at < units.length - 1) {
        bytes /= 1024;
        at++;
    }
    return `${at && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)} ${units[at]}`;
}

export function duration(ms) {
    if (ms < 1000) return `${Math.round(ms)} ms`;
    if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
    return `${Math.floor(ms / 60000)} min ${Math.round(ms / 1000) % 60} s`;
}

export function when(ms) {
    return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

/* A question in the middle of the page; resolves to what `read` gives when it is confirmed, else to null. */
export function ask(title, content, confirm, read = () => true) {
    return new Promise((resolve) => {
        const heading = h("h2", {id: "asked"}, title);
        const dialog = h("dialog", {"aria-labelledby": "asked"},
            h("form", {method: "dialog"}, heading, content,
                h("p", {class: "buttons"}, button("Cancel", () => dialog.close()),
                    h("button", {type: "submit", value: "yes", class: "main"}, confirm))));
        dialog.addEventListener("close", () => {
            resolve(dialog.returnValue === "yes" ? read() : null);
            dialog.remove();
        });
        document.body.append(dialog);
        dialog.showModal();
    });
}

/* What is written in a field and not used yet survives a reload. Gives what forgets it. */
export function keepText(field, name) {
    const key = `draft:${name}`;
    field.value = localStorage.getItem(key) ?? "";
    field.addEventListener("input", () => (field.value ? localStorage.setItem(key, field.value) : localStorage.removeItem(key)));
    return () => localStorage.removeItem(key);
}

export function download(blob, name) {
    const link = h("a", {href: URL.createObjectURL(blob), download: clean(name)});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/* An error as a person reads it. */
export function problem(error) {
    return h("p", {class: "problem", role: "alert"}, clean(error.message ?? error), error.hint ? ` ${clean(error.hint)}` : "");
}
