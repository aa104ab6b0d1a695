import { RetortError } from "./errors.js";
import { HttpEngine } from "./http.js";
import { PrivateEngine, SocketEngine } from "./lines.js";

const variable = (name) => globalThis.process?.env?.[name] || undefined;

async function exists(path) {
    const { access, constants } = await import("node:fs/promises");
    return access(path, constants.X_OK).then(() => true, () => false);
}

/** The program that RETORT_PROGRAM names, else `retort` on the PATH, else that of the source tree this file lies in. */
async function findProgram() {
    if (variable("RETORT_PROGRAM"))
        return variable("RETORT_PROGRAM");
    for (const folder of (variable("PATH") ?? "").split(":"))
        if (folder && await exists(`${folder}/retort`))
            return `${folder}/retort`;
    const { fileURLToPath } = await import("node:url");
    const inTree = fileURLToPath(new URL("../../../build/retort", import.meta.url));
    if (await exists(inTree))
        return inTree;
    throw new RetortError("there is no program `retort` on the PATH; set RETORT_PROGRAM, RETORT_URL or RETORT_SOCKET");
}

/** An engine: at `url`, behind the Unix socket `socket`, or a private one started from `program`. */
export async function connect({ url, token, socket, program } = {}) {
    if (url)
        return new HttpEngine(url, token ?? variable("RETORT_TOKEN"));
    if (socket)
        return SocketEngine.connect(socket);
    if (!globalThis.process?.versions)
        throw new RetortError("an engine cannot be started here: connect({ url }) to `retort serve`");
    return PrivateEngine.start(program ?? await findProgram());
}

let shared;

/** The engine of this process: what the environment names, else a private one; made when first needed, and made anew when it
 *  has ended. */
export async function defaultEngine() {
    if (!shared || !(await shared.catch(() => null))?.alive)
        shared = connect({ url: variable("RETORT_URL"), socket: variable("RETORT_SOCKET") });
    return shared;
}
