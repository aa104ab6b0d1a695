// What the package has. Parameters and results of requests come from the engine's own description of its methods.
import type { AgentRunParams, AgentRunResult, FilesListResult, Methods, SessionCheckResult, SessionCompareResult, SessionCompleteResult, SessionCreateParams, SessionExecuteParams,
    SessionInfoResult, SessionVariablesResult } from "./methods.js";

export type * from "./methods.js";

/** Every call that waits takes a signal. */
export interface Signalled {
    signal?: AbortSignal;
}

// ---- errors ----

/** A request failed. A cell that fails is no such error: look at `Result.ok`. */
export class RetortError extends Error {
    /** as in docs/rpc.md; 0 if no engine answered */
    readonly code: number;
    /** caller, guest, limit, host or bug */
    readonly fault: string;
    /** an isolation layer that could not be set up */
    readonly layer?: string;
    /** what would help */
    readonly hint?: string;
}
/** No such session, file, cell or call, or it is not yours. */
export class NotFoundError extends RetortError {}
/** Too many requests or sessions at once, or the server is stopping. */
export class BusyError extends RetortError {}
/** Code in the session did something it may not. */
export class GuestError extends RetortError {}
/** A configured limit was reached. */
export class LimitError extends RetortError {}
/** This machine cannot do what was asked; `layer` says which isolation layer is missing. */
export class HostError extends RetortError {}
/** The request is wrong. */
export class InvalidError extends RetortError {}
/** The engine has ended or cannot be reached. Recorded sessions come back: `session.resume()`, `Session.attach(id)`. */
export class GoneError extends RetortError {}

// ---- results ----

/** A piece of text that a cell printed. */
export class Output {
    readonly type: "output";
    readonly stream: "stdout" | "stderr";
    readonly text: string;
}

/** Something shown: representations by MIME type; binary ones in base64. */
export class Display {
    readonly type: "display";
    readonly mime: Record<string, string>;
    /** One representation as bytes; undefined if there is no such one. */
    data(mime: string): Uint8Array | undefined;
}

/** A file under /work; `change` is there where it belongs to a result. */
export interface File {
    path: string;
    size: number;
    mime?: string;
    sha256?: string;
    change?: "created" | "modified" | "deleted";
}

/** A figure, with the numbers it shows. */
export interface Plot {
    path?: string;
    size: number;
    title: string;
    chart: Record<string, unknown>;
}

export interface Dataframe {
    name: string;
    repr: string;
    shape: number[];
    columns: Array<{ name: string; dtype: string }>;
    change: string;
}

/** An exception of the code. */
export interface CodeError {
    name: string;
    message: string;
    traceback: string;
    line: number | null;
    hint: string | null;
}

export type Status = "ok" | "error" | "exit" | "signal" | "timeout" | "cpu_limit" | "oom" | "interrupted" | "lost" | "setup_failed";

/** The result of a cell (schema retort.result/1, README.md). */
export class Result {
    readonly type: "result";
    /** every field, as it came */
    readonly raw: Record<string, unknown>;
    readonly session: string;
    readonly cell: number;
    readonly status: Status;
    /** whether the cell ended as it should */
    readonly ok: boolean;
    readonly stdout: string;
    readonly stderr: string;
    /** the value of the last expression, as text */
    readonly value: string | null;
    readonly error: CodeError | null;
    readonly state: "kept" | "rolled_back" | "lost" | "ended";
    readonly flags: string[];
    readonly displays: Display[];
    /** all figures and pictures shown, as PNG */
    readonly images: Uint8Array[];
    readonly files: File[];
    readonly plots: Plot[];
    readonly dataframes: Dataframe[];
    readonly resources: Record<string, number>;
    /** what was printed, the value and the traceback */
    toString(): string;
}

export type Event = Output | Display | Result;

// ---- engines ----

/** An engine that runs sessions. */
/** The library of skills: NAME means the newest healthy version, NAME@VERSION that one. */
export interface Skills {
    list(): Promise<Methods["skills.list"]["result"]["skills"]>;
    search(words: string): Promise<Methods["skills.search"]["result"]["skills"]>;
    show(name: string): Promise<Methods["skills.show"]["result"]>;
    /** Reviews and tests a skill: its files, each with a path and text or base64. */
    add(files: Methods["skills.add"]["params"]["files"]): Promise<Methods["skills.add"]["result"]>;
    /** Makes one of a function that ran in a recorded session. */
    learn(session: string, options?: { function?: string; name?: string; description?: string }): Promise<Methods["skills.learn"]["result"]>;
    test(name: string): Promise<Methods["skills.test"]["result"]>;
    /** Its files, as add() takes them. */
    export(name: string): Promise<Methods["skills.export"]["result"]["files"]>;
    remove(name: string): Promise<void>;
}

export abstract class Engine {
    readonly alive: boolean;
    /** The library of skills. */
    readonly skills: Skills;
    /** One request of docs/rpc.md. */
    call<M extends keyof Methods>(method: M, params?: Methods[M]["params"], options?: Signalled): Promise<Methods[M]["result"]>;
    /** Hears every notification of a session, until the function that comes back is called. */
    listen(session: string, listener: (method: string, params: Record<string, unknown>) => void): Promise<() => void>;
    /** Ends the connection; a private engine ends with all its sessions. */
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface Where {
    /** of `retort serve`; a path is that of a proxy in front */
    url?: string | URL;
    /** for `url`; RETORT_TOKEN if not given */
    token?: string;
    /** path of `retort serve --socket PATH` */
    socket?: string;
    /** started as a private engine; found by RETORT_PROGRAM or on the PATH if not given */
    program?: string;
}

/** An engine: at `url`, behind a Unix socket, or a private one. */
export function connect(where?: Where): Promise<Engine>;

// ---- sessions ----

export type Bytes = string | ArrayBuffer | ArrayBufferView;
/** What a file may be written from. */
export type Content = Bytes | Blob | ReadableStream<Uint8Array> | AsyncIterable<Bytes>;
export type Files = Record<string, Content>;

export interface CreateOptions extends Omit<SessionCreateParams, "files" | "env">, Signalled {
    engine?: Engine;
    /** paths under /work to contents */
    files?: Files;
    env?: Record<string, string>;
}

export interface RunOptions extends Signalled {
    /** of this cell, if it is not the session's */
    language?: string;
    /** seconds; the same as `limits.timeout` */
    timeout?: number;
    limits?: SessionExecuteParams["limits"];
}

export interface AgentOptions extends Omit<AgentRunParams, "task" | "session" | "files">, Signalled {
    files?: Files;
    /** each event of the run, as it happens */
    onEvent?: (event: Record<string, unknown> & { event: string }) => void;
}

export interface ToolDescription {
    description?: string;
    /** JSON schema of the arguments */
    parameters?: Record<string, unknown>;
}

/** A sealed interpreter whose variables and files stay between cells. `await using` closes it. */
export class Session {
    private constructor();
    /** A new session, of the given engine or of that of this process. */
    static create(options?: CreateOptions): Promise<Session>;
    /** A session that exists already: a live one, or a recorded one, which comes back as it was when it ended. */
    static attach(id: string, options?: Signalled & { engine?: Engine }): Promise<Session>;

    readonly id: string;
    readonly isolation: Record<string, unknown>;

    /** Runs one cell. One that fails gives a Result too. The signal interrupts it; variables and files stay. */
    run(code: string, options?: RunOptions): Promise<Result>;
    /** Runs one cell: Output and Display as they happen, the Result last. Leaving the loop interrupts it. */
    stream(code: string, options?: RunOptions): AsyncGenerator<Event, void, undefined>;
    /** Interrupts the running cell. Whether one was running. */
    interrupt(): Promise<boolean>;
    /** What a language of the session holds; of "sql" its tables. */
    variables(options?: { language?: string } & Signalled): Promise<SessionVariablesResult["variables"]>;
    /** Where the name at the cursor begins, and what it may become. */
    complete(code: string, options?: { cursor?: number; language?: string } & Signalled): Promise<SessionCompleteResult>;
    /** Takes memory and files back to before the last cells. How many were taken back. */
    undo(cells?: number, options?: Signalled): Promise<number>;
    /** Holds the numbers of an answer against what ran in this session; {{expr}} in it is filled in. */
    check(answer: string, options?: { question?: string } & Signalled): Promise<SessionCheckResult>;

    /** New sessions with the present state of this one, each on its own from then on. */
    branch(count?: number, options?: Signalled): Promise<Session[]>;
    /** This session and others side by side. */
    compare(...others: Session[]): Promise<SessionCompareResult>;
    /** Ends the branches that were made together with this one. Their ids. */
    keep(options?: Signalled): Promise<string[]>;

    /** Lets the server's model solve a task by writing code in this session. */
    agent(task: string, options?: AgentOptions): Promise<AgentRunResult>;
    info(options?: Signalled): Promise<SessionInfoResult>;

    files(options?: Signalled): Promise<FilesListResult["files"]>;
    /** A whole file under /work, or a captured figure under .plots/. */
    read(path: string, options?: Signalled): Promise<Uint8Array>;
    readText(path: string, options?: Signalled): Promise<string>;
    /** The same in pieces, in constant memory. */
    readStream(path: string, options?: Signalled): ReadableStream<Uint8Array>;
    /** Writes a file; directories are made, streams are read in pieces. How many bytes. */
    write(path: string, data: Content, options?: Signalled): Promise<number>;
    delete(path: string, options?: Signalled): Promise<void>;
    /** Everything that is stored of what a cell printed, beyond what its result keeps. */
    output(cell: number, stream?: "stdout" | "stderr", options?: Signalled): Promise<string>;

    /** Offers a function to the code, as tools.NAME: it gets one object with the arguments, and what it throws is raised there. */
    tool<A = any>(name: string, description: ToolDescription, call: (given: A) => unknown): Promise<void>;

    /** Brings the session back after its engine has died, by replay, in a new engine; tools are offered again. */
    resume(options?: Signalled & { engine?: Engine }): Promise<this>;
    /** Ends the session. Closing twice does nothing. */
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

// ---- tools for models ----

export interface CodeToolAnswer {
    /** the result as a model reads it */
    text: string;
    /** figures, as PNG in base64 */
    images: string[];
    /** whether the code failed */
    failed: boolean;
    /** null if the arguments were wrong, and nothing ran */
    result: Result | null;
}

/** A session as a function that a model may call. Frameworks are not imported: what is needed of them is given. An aborted call
 *  interrupts its cell. */
export class CodeTool {
    constructor(session: Session, options?: { name?: string; description?: string });
    readonly session: Session;
    readonly name: string;
    readonly description: string;
    /** JSON schema of the arguments */
    readonly parameters: Record<string, unknown>;
    /** Runs what the model asks for: its arguments as an object, or as JSON. Wrong arguments are told to the model. */
    call(given: unknown, options?: RunOptions): Promise<CodeToolAnswer>;
    /** For `tools` of OpenAI's chat completions. */
    forOpenAI(): { type: "function"; function: { name: string; description: string; parameters: Record<string, unknown> } };
    /** For `tools` of Anthropic's messages. */
    forAnthropic(): { name: string; description: string; input_schema: Record<string, unknown> };
    /** `tool` and `jsonSchema` of the package `ai`. */
    forAI(ai: { tool: (options: any) => any; jsonSchema: (schema: any) => any }): any;
    /** `tool` of `@langchain/core/tools`. The artifact of its messages is the Result. */
    forLangChain(tool: (...options: any[]) => any): any;
    /** `tool` of `@openai/agents`. */
    forAgents(tool: (options: any) => any): any;
    /** For a server made with `@modelcontextprotocol/sdk`: what tools/list tells, and what tools/call does. */
    forMcp(): {
        definition: { name: string; description: string; inputSchema: Record<string, unknown> };
        call(given: unknown, options?: Signalled): Promise<{
            content: Array<{ type: "text"; text: string } | { type: "image"; data: string; mimeType: string }>;
            isError: boolean;
        }>;
    };
}
