const DESCRIPTION = "Runs Python code in a sealed session. Variables, imports and files stay between calls. What is printed, the value of "
    + "the last expression, errors, changed files and figures come back.";

const PARAMETERS = {
    type: "object",
    properties: { code: { type: "string", description: "Python code" } },
    required: ["code"],
    additionalProperties: false,
};

const titled = (title, text) => (text ? `[${title}]\n${text.trimEnd()}` : "");

/** A result as a model reads it. */
function textOf(result) {
    const { stdout, stderr, value, error, status, files } = result;
    const told = error && !stderr.includes(error.traceback.trimEnd()) ? error.traceback : "";
    const parts = [stdout.trimEnd(), titled("stderr", stderr), titled("value", value), titled("error", told), titled("hint", error?.hint),
        result.ok || error ? "" : `[the code ended with status ${status}]`,
        titled("files", files.map((file) => `${file.path}: ${file.change}, ${file.size} bytes`).join("\n"))];
    return parts.filter((part) => part).join("\n") || "[no output]";
}

function codeOf(given) {
    try {
        const { code } = typeof given === "string" ? JSON.parse(given) : given;
        return typeof code === "string" ? code : undefined;
    } catch {
        return undefined;
    }
}

/** A session as a function that a model may call, in the forms that frameworks want. No framework is needed until one of the
 *  for…() methods is given what it imports from its own. */
export class CodeTool {
    constructor(session, { name = "run_code", description = DESCRIPTION } = {}) {
        this.session = session;
        this.name = name;
        this.description = description;
        this.parameters = PARAMETERS;
    }

    async call(given, options = {}) {
        const code = codeOf(given);
        if (code === undefined)
            return { text: "[error]\nthe arguments must be an object with the string `code`", images: [], failed: true, result: null };
        const result = await this.session.run(code, options);
        const images = result.displays.map((display) => display.mime["image/png"]).filter((image) => image);
        return { text: textOf(result), images, failed: !result.ok, result };
    }

    forOpenAI() {
        const { name, description, parameters } = this;
        return { type: "function", function: { name, description, parameters } };
    }

    forAnthropic() {
        return { name: this.name, description: this.description, input_schema: this.parameters };
    }

    forAI({ tool, jsonSchema }) {
        return tool({
            description: this.description,
            inputSchema: jsonSchema(this.parameters),
            execute: async (given, { abortSignal } = {}) => {
                const { text, images } = await this.call(given, { signal: abortSignal });
                return { text, images };
            },
            toModelOutput: ({ output: { text, images } }) => ({
                type: "content",
                value: [{ type: "text", text },
                    ...images.map((data) => ({ type: "file", mediaType: "image/png", data: { type: "data", data } }))],
            }),
        });
    }

    forLangChain(tool) {
        const { name, description, parameters: schema } = this;
        return tool(async (given, config) => {
            const { text, images, result } = await this.call(given, { signal: config?.signal });
            const pictures = images.map((data) => ({ type: "image_url", image_url: { url: `data:image/png;base64,${data}` } }));
            return [pictures.length > 0 ? [{ type: "text", text }, ...pictures] : text, result];
        }, { name, description, schema, responseFormat: "content_and_artifact" });
    }

    forAgents(tool) {
        const { name, description, parameters } = this;
        return tool({
            name,
            description,
            parameters,
            strict: false,
            execute: async (given, _context, details) => {
                const { text, images } = await this.call(given, { signal: details?.signal });
                return [{ type: "text", text }, ...images.map((data) => ({ type: "image", image: { data, mediaType: "image/png" } }))];
            },
        });
    }

    forMcp() {
        const { name, description, parameters: inputSchema } = this;
        return {
            definition: { name, description, inputSchema },
            call: async (given, { signal } = {}) => {
                const { text, images, failed } = await this.call(given, { signal });
                const pictures = images.map((data) => ({ type: "image", data, mimeType: "image/png" }));
                return { content: [{ type: "text", text }, ...pictures], isError: failed };
            },
        };
    }
}
