/** A request failed: `code` as in docs/rpc.md, `fault` says whose fault it was, `layer` which isolation layer. */
export class RetortError extends Error {
    constructor(message, code = 0, data = {}, options = undefined) {
        super(message, options);
        this.name = new.target.name;
        this.code = code;
        this.fault = data.fault ?? "";
        this.layer = data.layer;
        this.hint = data.hint;
    }
}

export class NotFoundError extends RetortError {}
export class BusyError extends RetortError {}
export class GuestError extends RetortError {}
export class LimitError extends RetortError {}
export class HostError extends RetortError {}
export class InvalidError extends RetortError {}
export class GoneError extends RetortError {}

const CLASSES = {
    [-32001]: NotFoundError,
    [-32002]: BusyError,
    [-32010]: GuestError,
    [-32011]: LimitError,
    [-32012]: HostError,
    [-32600]: InvalidError,
    [-32601]: InvalidError,
    [-32602]: InvalidError,
};

/** The `error` of a JSON-RPC reply as an exception. */
export function errorFrom({ code, message, data }) {
    return new (CLASSES[code] ?? RetortError)(message, code, data);
}
