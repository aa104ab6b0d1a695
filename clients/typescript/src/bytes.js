// Bytes, in base64 and in pieces; nothing here needs Node.
const STEP = 0x8000; // arguments of one call

export function toBase64(bytes) {
    if (globalThis.Buffer)
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    let text = "";
    for (let i = 0; i < bytes.length; i += STEP)
        text += String.fromCharCode(...bytes.subarray(i, i + STEP));
    return btoa(text);
}

export function fromBase64(text) {
    if (globalThis.Buffer)
        return new Uint8Array(Buffer.from(text, "base64"));
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

export function joined(pieces) {
    const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.length;
    }
    return whole;
}

const encoder = new TextEncoder();
const asBytes = (data) => {
    if (typeof data === "string")
        return encoder.encode(data);
    return data instanceof Uint8Array ? data : new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
};

async function* readable(stream) {
    const reader = stream.getReader(); // not every browser iterates over streams
    let done, value;
    try {
        while (({ done, value } = await reader.read()), !done)
            yield value;
    } finally {
        await reader.cancel(); // of one that has ended: nothing
    }
}

function pieces(data) {
    if (data instanceof Blob)
        return readable(data.stream());
    if (data?.getReader)
        return readable(data);
    return data?.[Symbol.asyncIterator] ? data : [data];
}

/** Whatever content is given as, in pieces of exactly `size` bytes but for the last; one at least. */
export async function* inPieces(data, size) {
    let held = [], length = 0, first = true;
    for await (const piece of pieces(data)) {
        let bytes = asBytes(piece);
        while (length + bytes.length >= size) {
            yield joined([...held, bytes.subarray(0, size - length)]);
            bytes = bytes.subarray(size - length);
            held = [], length = 0, first = false;
        }
        held.push(bytes.slice()); // who gave it may use its memory again
        length += bytes.length;
    }
    if (length > 0 || first)
        yield joined(held);
}
