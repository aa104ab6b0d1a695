/* The files of a session: a tree, what is in one, up and down. */
import {base64Bytes, fetchFile, rpc, upload} from "/page/api.js";
import {button, clean, download, h, problem, say, size} from "/page/dom.js";
import {json, table} from "/page/output.js";

const MOST_FILES = 1000;
const PREVIEW = 64 * 1024;
const PICTURES = /^image\/(png|jpeg|gif|webp)$/;

/* {directories: Map, files: []} of paths. */
function grow(list) {
    const root = {directories: new Map(), files: []};
    for (const file of list) {
        const parts = file.path.split("/");
        let at = root;
        for (const part of parts.slice(0, -1)) {
            if (!at.directories.has(part)) at.directories.set(part, {directories: new Map(), files: []});
            at = at.directories.get(part);
        }
        at.files.push({...file, name: parts.at(-1)});
    }
    return root;
}

/* Lines of text with commas; quotes as RFC 4180 has them. */
export function readCsv(text, most = 200) {
    const rows = [[]];
    let field = "", quoted = false;
    for (let i = 0; i < text.length && rows.length <= most + 1; i++) {
        const c = text[i];
        if (quoted) {
            if (c !== '"') field += c;
            else if (text[i + 1] === '"') field += text[++i];
            else quoted = false;
        } else if (c === '"') quoted = true;
        else if (c === "," || c === "\n") {
            rows.at(-1).push(field.replace(/\r$/, ""));
            field = "";
            if (c === "\n") rows.push([]);
        } else field += c;
    }
    if (field || rows.at(-1).length) rows.at(-1).push(field);
    return rows.filter((row) => row.length > 1 || row[0]).slice(0, most + 1);
}

function preview(path, mime, bytes, whole) {
    if (PICTURES.test(mime)) {
        const shown = h("img", {class: "plot", alt: clean(path), src: URL.createObjectURL(new Blob([bytes], {type: mime})),
            onload: () => URL.revokeObjectURL(shown.src), onerror: () => URL.revokeObjectURL(shown.src)});
        return shown;
    }
    const text = new TextDecoder().decode(bytes);
    if (/\.csv$/i.test(path)) {
        const rows = readCsv(text);
        return rows.length ? table(rows[0], rows.slice(1), `Content of ${clean(path)}`) : h("p", {}, "The file is empty.");
    }
    if (/\.json$/i.test(path) && whole) {
        try {
            return h("pre", {tabindex: 0}, json(JSON.parse(text), 2));
        } catch {
            /* shown as the text that it is */
        }
    }
    return h("pre", {tabindex: 0}, clean(text));
}

export class Files {
    constructor(session, told) {
        Object.assign(this, {session, told});
        this.list = h("div", {class: "tree"});
        this.shown = h("div", {class: "preview"});
        const chosen = h("input", {type: "file", multiple: true, id: "upload", hidden: true, onchange: () => {
            this.send([...chosen.files]);
            chosen.value = "";
        }});
        this.progress = h("div", {role: "status"});
        this.element = h("section", {class: "panel drop", "aria-labelledby": "files-title"}, h("h2", {id: "files-title"}, "Files"),
            h("p", {}, chosen, button("Upload files", () => chosen.click()), h("small", {}, " or drop them here")),
            this.progress, this.list, this.shown);
        this.element.addEventListener("dragover", (event) => {
            event.preventDefault();
            this.element.classList.add("over");
        });
        this.element.addEventListener("dragleave", () => this.element.classList.remove("over"));
        this.element.addEventListener("drop", (event) => {
            event.preventDefault();
            this.element.classList.remove("over");
            this.send([...event.dataTransfer.files]);
        });
    }

    async send(files) {
        for (const file of files) {
            const bar = h("progress", {max: 1, value: 0, "aria-label": `Upload of ${clean(file.name)}`});
            const line = h("p", {}, clean(file.name), " ", bar);
            this.progress.append(line);
            try {
                await upload(this.session, file.name, file, (part) => { bar.value = part; });
                line.remove();
                say(`${clean(file.name)} is uploaded`);
            } catch (error) {
                bar.replaceWith(problem(error));
            }
        }
        await this.refresh();
    }

    branch(tree, depth = 0) {
        return h("ul", {}, [...tree.directories].map(([name, inner]) =>
            h("li", {}, h("details", {open: depth < 1}, h("summary", {}, clean(name)), this.branch(inner, depth + 1)))),
        tree.files.map((file) => h("li", {}, button(clean(file.name), () => this.open(file.path), {class: "link"}),
            h("small", {}, ` ${size(file.size)} `),
            button("Download", () => this.fetch(file.path), {class: "small", "aria-label": `Download ${clean(file.path)}`}),
            button("Delete", () => this.remove(file.path), {class: "small", "aria-label": `Delete ${clean(file.path)}`}))));
    }

    async refresh() {
        try {
            const {files, incomplete} = await rpc("files.list", {session: this.session});
            this.known = new Map(files.map((file) => [file.path, file]));
            this.list.replaceChildren(files.length ? this.branch(grow(files.slice(0, MOST_FILES))) : h("p", {class: "none"}, "There are none."),
                incomplete || files.length > MOST_FILES ? h("p", {class: "note"}, "There are more than are shown.") : "");
        } catch (error) {
            this.list.replaceChildren(problem(error));
        }
    }

    async open(path) {
        try {
            const mime = this.known?.get(path)?.mime ?? "";
            const piece = await rpc("files.read", {session: this.session, path, length: PICTURES.test(mime) ? 8 << 20 : PREVIEW});
            const bytes = base64Bytes(piece.base64);
            this.shown.replaceChildren(h("h3", {tabindex: -1}, clean(path)), preview(path, mime, bytes, bytes.length === piece.size),
                bytes.length < piece.size ? h("p", {class: "note"}, `${size(bytes.length)} of ${size(piece.size)}`) : "",
                button("Close preview", () => this.shown.replaceChildren()));
            this.shown.querySelector("h3").focus();
        } catch (error) {
            this.shown.replaceChildren(problem(error));
        }
    }

    async fetch(path) {
        try {
            download(await fetchFile(this.session, path), path.split("/").at(-1));
        } catch (error) {
            this.shown.replaceChildren(problem(error));
        }
    }

    async remove(path) {
        try {
            await rpc("files.delete", {session: this.session, path});
        } catch (error) {
            this.shown.replaceChildren(problem(error));
        }
        await this.refresh();
    }
}
