import { fromBase64 } from "./bytes.js";

/** A piece of text that a cell printed. */
export class Output {
    type = "output";

    constructor(stream, text) {
        this.stream = stream;
        this.text = text;
    }
}

/** Something shown: representations by MIME type; binary ones in base64. */
export class Display {
    type = "display";

    constructor(mime) {
        this.mime = mime;
    }

    /** One representation as bytes; undefined if there is no such one. */
    data(mime) {
        const text = this.mime[mime];
        if (text === undefined)
            return undefined;
        return mime.startsWith("text/") || mime === "image/svg+xml" ? new TextEncoder().encode(text) : fromBase64(text);
    }
}

/** The result of a cell (schema retort.result/1). `raw` has every field; the rest is for convenience. */
export class Result {
    type = "result";

    constructor(raw) {
        this.raw = raw;
        this.session = raw.session;
        this.cell = raw.cell;
        this.status = raw.status;
        this.stdout = raw.stdout ?? "";
        this.stderr = raw.stderr ?? "";
        this.error = raw.error ?? null;
        this.state = raw.state ?? "kept";
        this.flags = raw.flags ?? [];
        this.files = raw.files ?? [];
        this.plots = raw.plots ?? [];
        this.dataframes = raw.dataframes ?? [];
        this.resources = raw.resources ?? {};
        this.displays = (raw.displays ?? []).map((display) => new Display(display.mime));
    }

    get ok() {
        return this.status === "ok";
    }

    get value() {
        return this.raw.value?.["text/plain"] ?? null;
    }

    get images() {
        return this.displays.map((display) => display.data("image/png")).filter((image) => image);
    }

    toString() {
        const parts = [this.stdout, this.stderr, this.value, this.error?.traceback];
        return parts.filter((part) => part).map((part) => part.replace(/\n+$/, "")).join("\n");
    }
}
