// Made from the table in src/serve/rpc/methods.c; the tests fail when the two differ.

/** `session.create`: Makes a session: a sealed interpreter with an empty /work. */
export interface SessionCreateParams {
    /** language of the cells; python if not given. A cell may name its own */
    language?: "python" | "sql" | "bash" | "javascript" | "typescript";
    /** name of an environment */
    environment?: string;
    /** limits of the session; 0 is the default, more than the server's cap is refused */
    limits?: {
        /** wall-clock seconds of a cell */
        timeout?: number;
        /** CPU seconds of a cell */
        cpu?: number;
        /** MiB of all processes; the peak may be 80 MiB more; a value of 1048576 or more is taken as bytes */
        memory?: number;
        /** MiB of /work, /tmp and /dev/shm together; a value of 1048576 or more is taken as bytes */
        disk?: number;
        /** files and directories */
        inodes?: number;
        /** processes and threads */
        pids?: number;
        /** open files of a process */
        open_files?: number;
        /** KiB of each stream kept in the result; a value of 65536 or more is taken as bytes */
        output?: number;
        /** MiB of each stream stored; a value of 1048576 or more is taken as bytes */
        output_stored?: number;
        /** seconds without a request until the session sleeps */
        idle?: number;
    };
    /** files to begin with */
    files?: Array<{
        /** path under /work */
        path: string;
        /** content */
        base64?: string;
        /** content, if it is text: instead of base64 */
        text?: string;
    }>;
    /** environment variables: name to string */
    env?: Record<string, unknown>;
    /** whom the code may connect to: rules as in docs/network.md. A server of several clients gives its own; a list of hosts, with or without ports, chooses among them, and [] is nobody */
    network?: unknown;
    /** names of skills that the code may call, NAME or NAME@VERSION (docs/skills.md) */
    skills?: unknown[];
    /** what happens with code that rules find something in, before it runs (docs/policy.md); not less than the server's */
    review?: "off" | "note" | "repair" | "block";
    /** more rules for the review: {"rules": […]} */
    rules?: Record<string, unknown>;
    /** the same code gives the same bytes */
    deterministic?: boolean;
    /** seed of random generators */
    seed?: number;
    /** what an exception does to the state */
    on_error?: "keep" | "rollback";
    /** when the state is saved */
    checkpoint?: "auto" | "always" | "off";
    /** processes may outlive their cell */
    background?: boolean;
    /** false: nothing goes to the ledger */
    record?: boolean;
}

/** `session.create`: Makes a session: a sealed interpreter with an empty /work. */
export interface SessionCreateResult {
    /** id of the new session */
    session: string;
    /** tier, layers in force, layers missing */
    isolation: Record<string, unknown>;
}

/** `session.execute`: Runs one cell and answers with its result. While it runs, session.output and session.display tell what happens. */
export interface SessionExecuteParams {
    /** id of a session */
    session: string;
    /** the cell */
    code: string;
    /** language of this cell; if not given, that of its first line, %%NAME, or the session's */
    language?: string;
    /** limits of this cell; 0 is the session's, more than the server's cap is refused */
    limits?: {
        /** wall-clock seconds of a cell */
        timeout?: number;
        /** CPU seconds of a cell */
        cpu?: number;
        /** KiB of each stream kept in the result; a value of 65536 or more is taken as bytes */
        output?: number;
    };
    /** the client's own name for this request, up to 64 characters: asked again with the same one, the recorded result is the answer, and nothing runs twice */
    request?: string;
}

/** `session.execute`: Runs one cell and answers with its result. While it runs, session.output and session.display tell what happens. */
export interface SessionExecuteResult {
    /** retort.result/1: see docs/result.md */
    schema: string;
    /** id of the session */
    session: string;
    /** number of the cell */
    cell: number;
    /** ok, error, exit, signal, timeout, … */
    status: string;
    /** what it printed */
    stdout: string;
    /** and the other members of the result object */
    [more: string]: unknown;
}

/** `session.interrupt`: Interrupts the running cell, as Ctrl-C would. Its state is kept if it obeys. An agent that works in the session ends its run. */
export interface SessionInterruptParams {
    /** id of a session */
    session: string;
}

/** `session.interrupt`: Interrupts the running cell, as Ctrl-C would. Its state is kept if it obeys. An agent that works in the session ends its run. */
export interface SessionInterruptResult {
    /** whether a cell or an agent was running */
    interrupted: boolean;
}

/** `session.complete`: Names that may stand at the cursor: variables and attributes, tables and columns, commands and files. */
export interface SessionCompleteParams {
    /** id of a session */
    session: string;
    /** what is written so far */
    code: string;
    /** where, in characters; at its end if not given */
    cursor?: number;
    /** language of the code; if not given, that of its first line, %%NAME, or the session's */
    language?: string;
}

/** `session.complete`: Names that may stand at the cursor: variables and attributes, tables and columns, commands and files. */
export interface SessionCompleteResult {
    /** the names stand for what is between here and the cursor */
    start: number;
    /** 200 at most */
    names: unknown[];
}

/** `session.variables`: Lists what a language of the session holds. */
export interface SessionVariablesParams {
    /** id of a session */
    session: string;
    /** whose; if not given, those of the session's language */
    language?: string;
}

/** `session.variables`: Lists what a language of the session holds. */
export interface SessionVariablesResult {
    /** in the order of their names */
    variables: Array<{
        /** name; of sql, that of a table */
        name: string;
        /** type, in the words of the language */
        type: string;
        /** value (short); of a table its rows and columns */
        repr: string;
    }>;
}

/** `session.undo`: Takes memory and files back to before the last cells. */
export interface SessionUndoParams {
    /** id of a session */
    session: string;
    /** how many cells; 1 if not given */
    cells?: number;
}

/** `session.undo`: Takes memory and files back to before the last cells. */
export interface SessionUndoResult {
    /** cells that were taken back; numbers go on */
    cells: number;
    /** state_via, state_notes: as in the result object; flags: ["files_incomplete"] if not all files are what they were */
    [more: string]: unknown;
}

/** `session.branch`: Makes sessions with the present state of this one, each on its own from then on. */
export interface SessionBranchParams {
    /** id of a session */
    session: string;
    /** how many; 1 if not given, 64 at most */
    count?: number;
}

/** `session.branch`: Makes sessions with the present state of this one, each on its own from then on. */
export interface SessionBranchResult {
    /** ids of the new sessions */
    sessions: unknown[];
}

/** `session.compare`: Puts sessions side by side: what differs in files, variables and last results. Waits for cells that run in them. */
export interface SessionCompareParams {
    /** ids of sessions, from 2 to 64 */
    sessions: unknown[];
}

/** `session.compare`: Puts sessions side by side: what differs in files, variables and last results. Waits for cells that run in them. */
export interface SessionCompareResult {
    /** the ids, in the order of what follows */
    sessions: unknown[];
    /** files that differ */
    files: Array<{
        /** path under /work */
        path: string;
        /** for each session: size and sha256, or link; null if it has none */
        in: unknown[];
    }>;
    /** variables that differ; a digest covers 64 KiB of a repr, four million items of a table */
    variables: Array<{
        /** name */
        name: string;
        /** for each session: type, repr (short), digest; null if it has none */
        in: unknown[];
    }>;
    /** how many do not differ */
    same: {
        /** files that all sessions have with the same bytes */
        files: number;
        /** variables that all have with the same digest */
        variables: number;
    };
    /** for each session, of its last result: cell, status, value, end of stdout, error; null if it ran none since it began or was undone */
    last: unknown[];
    /** what could not be looked at */
    notes: unknown[];
}

/** `session.keep`: Keeps one branch: ends all that were made by the same session.branch, interrupting what runs in them. The session they were made from stays. */
export interface SessionKeepParams {
    /** id of a session */
    session: string;
}

/** `session.keep`: Keeps one branch: ends all that were made by the same session.branch, interrupting what runs in them. The session they were made from stays. */
export interface SessionKeepResult {
    /** id of the session */
    kept: string;
    /** ids of those that were ended */
    closed: unknown[];
}

/** `session.resume`: Brings a recorded session of yours back by replay, also one of an earlier server: it slept, was closed, or its server ended. One that is live is found as it is. */
export interface SessionResumeParams {
    /** id of a session */
    session: string;
}

/** `session.resume`: Brings a recorded session of yours back by replay, also one of an earlier server: it slept, was closed, or its server ended. One that is live is found as it is. */
export interface SessionResumeResult {
    /** id */
    session: string;
    /** language of the cells */
    language: string;
    /** cells run so far */
    cells: number;
    /** state, limits, isolation, state_notes: among them each cell that came out differently than its record */
    [more: string]: unknown;
}

/** `session.info`: Tells what a session is and does. */
export interface SessionInfoParams {
    /** id of a session */
    session: string;
}

/** `session.info`: Tells what a session is and does. */
export interface SessionInfoResult {
    /** id */
    session: string;
    /** language of the cells */
    language: string;
    /** cells run so far */
    cells: number;
    /** whether a cell is running now */
    running: boolean;
    /** what the session makes the server hold, by kind: `used` and `limit` (docs/serve.md) */
    account: Record<string, unknown>;
    /** state, limits, isolation */
    [more: string]: unknown;
}

/** `session.list`: Lists your live sessions. */
export interface SessionListParams {
}

/** `session.list`: Lists your live sessions. */
export interface SessionListResult {
    /** your sessions */
    sessions: Array<{
        /** id */
        session: string;
        /** whether a cell is running now */
        running: boolean;
        /** cells run so far */
        cells: number;
        /** in a cluster: where it is */
        node?: string;
    }>;
}

/** `session.sleep`: Ends the processes of a session, after what was asked of it before; its next use brings it back by replay. */
export interface SessionSleepParams {
    /** id of a session */
    session: string;
}

/** `session.sleep`: Ends the processes of a session, after what was asked of it before; its next use brings it back by replay. */
export interface SessionSleepResult {
    /** true */
    asleep: boolean;
}

/** `session.rename`: Gives a recorded session a name, which ledger.list tells as its title. */
export interface SessionRenameParams {
    /** id of a session */
    session: string;
    /** at most 240 bytes; empty: its first line again */
    name: string;
}

/** `session.rename`: Gives a recorded session a name, which ledger.list tells as its title. */
export interface SessionRenameResult {
    /** as it was given */
    name: string;
}

/** `session.close`: Ends a session, after what was asked of it before. */
export interface SessionCloseParams {
    /** id of a session */
    session: string;
}

/** `session.close`: Ends a session, after what was asked of it before. */
export interface SessionCloseResult {
    /** true */
    closed: boolean;
}

/** `session.check`: Holds the numbers of an answer against what ran in the session. */
export interface SessionCheckParams {
    /** id of a session */
    session: string;
    /** the answer, as text; {{expr}} and {{expr:,.2f}} in it are filled in by a live session, in a branch that is thrown away, within 5 seconds */
    answer: string;
    /** what was asked; an agent's task if not given */
    question?: string;
}

/** `session.check`: Holds the numbers of an answer against what ran in the session. */
export interface SessionCheckResult {
    /** no number is flagged */
    accepted: boolean;
    /** how many are */
    flags: number;
    /** each number: text, value, start, end (in bytes), verdict, strength, reason, cell, formula, nearest, expression; docs/provenance.md tells the verdicts */
    numbers: unknown[];
    /** the answer with its {{…}} filled in, if it had any */
    answer?: string;
    /** what to tell a model about the flags, a line each */
    advice?: string;
    /** what could not be looked at */
    notes?: unknown[];
}

/** `files.list`: Lists the regular files under /work. */
export interface FilesListParams {
    /** id of a session */
    session: string;
}

/** `files.list`: Lists the regular files under /work. */
export interface FilesListResult {
    /** regular files */
    files: Array<{
        /** path under /work */
        path: string;
        /** bytes */
        size: number;
        /** type */
        mime?: string;
    }>;
    /** true: there are more files than a list holds */
    incomplete?: boolean;
}

/** `files.read`: Reads a piece of a file under /work, or of a captured figure under .plots/. */
export interface FilesReadParams {
    /** id of a session */
    session: string;
    /** path under /work */
    path: string;
    /** first byte; 0 if not given */
    offset?: number;
    /** bytes at most; 16 MiB if not given, and never more */
    length?: number;
}

/** `files.read`: Reads a piece of a file under /work, or of a captured figure under .plots/. */
export interface FilesReadResult {
    /** the bytes */
    base64: string;
    /** size of the whole */
    size: number;
}

/** `files.write`: Writes a file under /work, or a piece of one. */
export interface FilesWriteParams {
    /** id of a session */
    session: string;
    /** path under /work; directories are made */
    path: string;
    /** the bytes */
    base64: string;
    /** where they go; without it the file is replaced */
    offset?: number;
}

/** `files.write`: Writes a file under /work, or a piece of one. */
export interface FilesWriteResult {
    /** bytes */
    written: number;
}

/** `files.delete`: Deletes a file under /work. */
export interface FilesDeleteParams {
    /** id of a session */
    session: string;
    /** path under /work */
    path: string;
}

/** `files.delete`: Deletes a file under /work. */
export interface FilesDeleteResult {
    /** true */
    deleted: boolean;
}

/** `output.read`: Reads from the stored output of a cell, beyond what its result keeps. */
export interface OutputReadParams {
    /** id of a session */
    session: string;
    /** number of the cell */
    cell: number;
    /** which stream */
    stream: "stdout" | "stderr";
    /** first byte; 0 if not given */
    offset?: number;
    /** bytes at most; 16 MiB if not given, and never more */
    length?: number;
}

/** `output.read`: Reads from the stored output of a cell, beyond what its result keeps. */
export interface OutputReadResult {
    /** the bytes as text; invalid sequences are replaced */
    text: string;
    /** the bytes */
    base64: string;
    /** stored bytes of the whole stream */
    size: number;
}

/** `tools.register`: Offers functions of the client to the code, as functions of the module tools. Replaces those registered before. */
export interface ToolsRegisterParams {
    /** id of a session */
    session: string;
    /** all tools of the session */
    tools: Array<{
        /** an identifier */
        name: string;
        /** what it does: the docstring of the stub */
        description?: string;
        /** JSON schema of the arguments */
        parameters?: Record<string, unknown>;
        /** `ask`: before each call somebody has to allow it, see tools.approve; `none` if not given */
        approval?: "none" | "ask";
        /** what its result is: `untrusted` (the default), `trusted`, or an object with `trust` and `readers` (docs/policy.md) */
        source?: unknown;
        /** what its arguments must be (docs/policy.md): with data of untrusted origin in the session, it is called only by code of which it is proved that none of it gets there */
        sinks?: Record<string, unknown>;
    }>;
    /** what files below /work are, {PATTERN: {source, sink}} (docs/policy.md); what was said before holds if neither this nor policy is given */
    files?: Record<string, unknown>;
    /** what cells may do of which it is not proved that data goes only where it may: `calls` (if not given): they run, but call no tool that has sinks; `block`: nothing of them runs */
    policy?: "calls" | "block";
}

/** `tools.register`: Offers functions of the client to the code, as functions of the module tools. Replaces those registered before. */
export interface ToolsRegisterResult {
    /** how many there are now */
    tools: number;
}

/** `tools.result`: Answers a tools.call. */
export interface ToolsResultParams {
    /** id from tools.call */
    call: string;
    /** what the function returned */
    result?: unknown;
    /** instead of result: why it failed; raised in the code */
    error?: string;
}

/** `tools.result`: Answers a tools.call. */
export interface ToolsResultResult {
    /** true */
    accepted: boolean;
}

/** `tools.approve`: Decides about a call of a tool that was registered with approval `ask`. It is called only when it was allowed; who decided is on the record. */
export interface ToolsApproveParams {
    /** id from tools.approval */
    call: string;
    /** whether the tool may be called with these arguments */
    allow: boolean;
    /** who decided, for the record; at most 64 characters */
    by?: string;
    /** why not; raised in the code */
    reason?: string;
}

/** `tools.approve`: Decides about a call of a tool that was registered with approval `ask`. It is called only when it was allowed; who decided is on the record. */
export interface ToolsApproveResult {
    /** true */
    accepted: boolean;
}

/** `agent.run`: Lets a model solve a task by writing code, and checks its answer against what ran. agent.event tells what happens. */
export interface AgentRunParams {
    /** what is to be done */
    task: string;
    /** a session to work in, with the tools registered for it; a new one if not given */
    session?: string;
    /** files to work on */
    files?: Array<{
        /** path under /work */
        path: string;
        /** content */
        base64?: string;
        /** content, if it is text: instead of base64 */
        text?: string;
    }>;
    /** name of the model; RETORT_MODEL of the server if not given. RETORT_MODEL_URL and RETORT_MODEL_API name where it is */
    model?: string;
    /** replies, {text, calls: [{name, arguments}]}, used in their order instead of a model; with best_of each may have `try`, the number of the try that it is for */
    replies?: unknown[];
    /** how code arrives */
    mode?: "auto" | "calls" | "tags" | "fences";
    /** what numbers that were not computed lead to */
    policy?: "repair" | "block" | "annotate";
    /** what code leads to that the rules of `retort review` find something in; `off` if not given */
    review?: "off" | "note" | "repair" | "block";
    /** JSON schema that the answer has to fit; a keyword that is not supported is refused */
    schema?: Record<string, unknown>;
    /** so many tries side by side, each in a branch of the session; the best one's branch is kept, and the result names it. At most 16 */
    best_of?: number;
    /** which try is best: `vote` (if not given), `schema`, or Python that defines judge(answer), which gives a number, True or False */
    judge?: string;
    /** after a verified answer the model is asked for a function that is worth keeping, which becomes a skill if it passes (docs/skills.md); for administrators, one try and a record */
    learn?: boolean;
    /** 12 if not given */
    max_steps?: number;
    /** of the model, both ways */
    max_tokens?: number;
    /** what a million tokens of the model cost, {MODEL: {input, output}}: `usage` then has the cost, in events and in the result */
    prices?: Record<string, unknown>;
    /** limits of the session; 0 is the default, more than the server's cap is refused */
    limits?: {
        /** wall-clock seconds of a cell */
        timeout?: number;
        /** CPU seconds of a cell */
        cpu?: number;
        /** MiB of all processes; the peak may be 80 MiB more; a value of 1048576 or more is taken as bytes */
        memory?: number;
        /** MiB of /work, /tmp and /dev/shm together; a value of 1048576 or more is taken as bytes */
        disk?: number;
        /** files and directories */
        inodes?: number;
        /** processes and threads */
        pids?: number;
        /** open files of a process */
        open_files?: number;
        /** KiB of each stream kept in the result; a value of 65536 or more is taken as bytes */
        output?: number;
        /** MiB of each stream stored; a value of 1048576 or more is taken as bytes */
        output_stored?: number;
        /** seconds without a request until the session sleeps */
        idle?: number;
    };
    /** name of an environment */
    environment?: string;
    /** false: nothing goes to the ledger */
    record?: boolean;
}

/** `agent.run`: Lets a model solve a task by writing code, and checks its answer against what ran. agent.event tells what happens. */
export interface AgentRunResult {
    /** the session it worked in; it stays open */
    session: string;
    /** answered, or what ended the run: a budget, a circle, a fault */
    stop: string;
    /** the answer; the last one that was given, whatever ended the run */
    answer?: string;
    /** something ran, and every check passed */
    verified: boolean;
    /** each number of the answer with its verdict */
    provenance?: unknown[];
    /** what did not pass, with an answer that is not verified: check, message */
    unproved?: unknown[];
    /** files that were made: path, size, mime */
    artifacts?: unknown[];
    /** steps taken */
    steps: number;
    /** prompt_tokens, completion_tokens; with prices cost */
    usage: Record<string, unknown>;
    /** more about a stop */
    message?: string;
    /** with learn, of a verified answer: name, version, tests, function of what was learned, or the problem */
    skill?: Record<string, unknown>;
    /** with best_of: try, session, verdict, score, answer, verified, stop, steps, tokens, cost of each */
    tries?: unknown[];
}

/** `environments.list`: Lists the environments there are. */
export interface EnvironmentsListParams {
}

/** `environments.list`: Lists the environments there are. */
export interface EnvironmentsListResult {
    /** environments there are */
    environments: Array<{
        /** what session.create takes */
        name: string;
    }>;
}

/** `environments.create`: Installs packages in sealed sessions, and makes an environment of them (docs/environments.md). For administrators: who started `retort rpc`, tokens with `admin`, on the socket root and the server's own user. */
export interface EnvironmentsCreateParams {
    /** its name */
    name: string;
    /** Python packages: names, or paths of the server's */
    pip?: unknown[];
    /** text of a requirements file of pip's */
    requirements?: string;
    /** packages for JavaScript */
    npm?: unknown[];
    /** address or directory where names of Python packages are; pypi.org if not given */
    index?: string;
    /** address where names of npm's are; registry.npmjs.org if not given */
    registry?: string;
    /** HOST=ADDRESS: where hosts of these two are */
    addresses?: unknown[];
    /** whom its sessions may connect to (docs/network.md) */
    network?: unknown;
    /** instead of packages: path of a container image */
    image?: string;
    /** path of an interpreter */
    python?: string;
    /** modules that are imported ahead */
    preload?: unknown[];
    /** limits of its sessions */
    limits?: {
        /** wall-clock seconds of a cell */
        timeout?: number;
        /** CPU seconds of a cell */
        cpu?: number;
        /** MiB of all processes; the peak may be 80 MiB more; a value of 1048576 or more is taken as bytes */
        memory?: number;
        /** MiB of /work, /tmp and /dev/shm together; a value of 1048576 or more is taken as bytes */
        disk?: number;
        /** files and directories */
        inodes?: number;
        /** processes and threads */
        pids?: number;
        /** open files of a process */
        open_files?: number;
        /** KiB of each stream kept in the result; a value of 65536 or more is taken as bytes */
        output?: number;
        /** MiB of each stream stored; a value of 1048576 or more is taken as bytes */
        output_stored?: number;
        /** seconds without a request until the session sleeps */
        idle?: number;
    };
    /** a lock file: this bit for bit, or nothing */
    lock?: Record<string, unknown>;
    /** seconds of installing; 600 if not given */
    install_timeout?: number;
}

/** `environments.create`: Installs packages in sealed sessions, and makes an environment of them (docs/environments.md). For administrators: who started `retort rpc`, tokens with `admin`, on the socket root and the server's own user. */
export interface EnvironmentsCreateResult {
    /** what session.create takes */
    name: string;
    /** hash of what was installed */
    packages: string;
    /** Python packages */
    pip: Array<{
        /** name */
        name: string;
        /** version */
        version: string;
        /** hash of a wheel */
        sha256?: string;
        /** hash of a package of npm's */
        integrity?: string;
    }>;
    /** packages for JavaScript */
    npm: Array<{
        /** name */
        name: string;
        /** version */
        version: string;
        /** hash of a wheel */
        sha256?: string;
        /** hash of a package of npm's */
        integrity?: string;
    }>;
    /** of an image: its programs, the version of its Python, whether sessions of it are warm */
    image?: Record<string, unknown>;
}

/** `environments.update`: Installs again what an environment is made of; members that are given take the place of those it was made with. For administrators. */
export interface EnvironmentsUpdateParams {
    /** its name */
    name: string;
    /** Python packages: names, or paths of the server's */
    pip?: unknown[];
    /** text of a requirements file of pip's */
    requirements?: string;
    /** packages for JavaScript */
    npm?: unknown[];
    /** address or directory where names of Python packages are; pypi.org if not given */
    index?: string;
    /** address where names of npm's are; registry.npmjs.org if not given */
    registry?: string;
    /** HOST=ADDRESS: where hosts of these two are */
    addresses?: unknown[];
    /** whom its sessions may connect to (docs/network.md) */
    network?: unknown;
    /** instead of packages: path of a container image */
    image?: string;
    /** path of an interpreter */
    python?: string;
    /** modules that are imported ahead */
    preload?: unknown[];
    /** limits of its sessions */
    limits?: {
        /** wall-clock seconds of a cell */
        timeout?: number;
        /** CPU seconds of a cell */
        cpu?: number;
        /** MiB of all processes; the peak may be 80 MiB more; a value of 1048576 or more is taken as bytes */
        memory?: number;
        /** MiB of /work, /tmp and /dev/shm together; a value of 1048576 or more is taken as bytes */
        disk?: number;
        /** files and directories */
        inodes?: number;
        /** processes and threads */
        pids?: number;
        /** open files of a process */
        open_files?: number;
        /** KiB of each stream kept in the result; a value of 65536 or more is taken as bytes */
        output?: number;
        /** MiB of each stream stored; a value of 1048576 or more is taken as bytes */
        output_stored?: number;
        /** seconds without a request until the session sleeps */
        idle?: number;
    };
    /** a lock file: this bit for bit, or nothing */
    lock?: Record<string, unknown>;
    /** seconds of installing; 600 if not given */
    install_timeout?: number;
}

/** `environments.update`: Installs again what an environment is made of; members that are given take the place of those it was made with. For administrators. */
export interface EnvironmentsUpdateResult {
    /** what session.create takes */
    name: string;
    /** hash of what was installed */
    packages: string;
    /** Python packages */
    pip: Array<{
        /** name */
        name: string;
        /** version */
        version: string;
        /** hash of a wheel */
        sha256?: string;
        /** hash of a package of npm's */
        integrity?: string;
    }>;
    /** packages for JavaScript */
    npm: Array<{
        /** name */
        name: string;
        /** version */
        version: string;
        /** hash of a wheel */
        sha256?: string;
        /** hash of a package of npm's */
        integrity?: string;
    }>;
    /** of an image: its programs, the version of its Python, whether sessions of it are warm */
    image?: Record<string, unknown>;
}

/** `environments.show`: Shows an environment, with what is in it. For administrators. */
export interface EnvironmentsShowParams {
    /** its name */
    name: string;
}

/** `environments.show`: Shows an environment, with what is in it. For administrators. */
export interface EnvironmentsShowResult {
    /** its name */
    name: string;
    /** whether it was made, or else is configured */
    made: boolean;
    /** its file */
    file: Record<string, unknown>;
    /** its lock file; null if it has no packages */
    lock: unknown;
}

/** `environments.remove`: Removes an environment; sessions that run keep its packages. For administrators. */
export interface EnvironmentsRemoveParams {
    /** its name */
    name: string;
}

/** `environments.remove`: Removes an environment; sessions that run keep its packages. For administrators. */
export interface EnvironmentsRemoveResult {
    /** true */
    removed: boolean;
}

/** `skills.list`: Lists the skills there are. */
export interface SkillsListParams {
}

/** `skills.list`: Lists the skills there are. */
export interface SkillsListResult {
    /** one version of each */
    skills: Array<{
        /** name */
        name: string;
        /** the newest that is healthy */
        version: number;
        /** what names this version and no other */
        hash: string;
        /** what it is for, and when */
        description: string;
        /** whether it has functions */
        kind: "python" | "text";
        /** calls */
        uses: number;
        /** of these, calls that failed */
        failures: number;
        /** it failed three times in a row */
        quarantined: boolean;
    }>;
}

/** `skills.search`: Finds skills by words, the best matches first, 20 at most. */
export interface SkillsSearchParams {
    /** what to look for in names and descriptions */
    words: string;
}

/** `skills.search`: Finds skills by words, the best matches first, 20 at most. */
export interface SkillsSearchResult {
    /** one version of each */
    skills: Array<{
        /** name */
        name: string;
        /** the newest that is healthy */
        version: number;
        /** what names this version and no other */
        hash: string;
        /** what it is for, and when */
        description: string;
        /** whether it has functions */
        kind: "python" | "text";
        /** calls */
        uses: number;
        /** of these, calls that failed */
        failures: number;
        /** it failed three times in a row */
        quarantined: boolean;
    }>;
}

/** `skills.add`: Reviews and tests a skill in sealed sessions, and adds it as the next version of its name (docs/skills.md). For administrators. */
export interface SkillsAddParams {
    /** all files of the folder */
    files: Array<{
        /** path in the folder */
        path: string;
        /** content */
        base64?: string;
        /** content, if it is text: instead of base64 */
        text?: string;
    }>;
}

/** `skills.add`: Reviews and tests a skill in sealed sessions, and adds it as the next version of its name (docs/skills.md). For administrators. */
export interface SkillsAddResult {
    /** name */
    name: string;
    /** the new version */
    version: number;
    /** what names it */
    hash: string;
    /** how many tests it passed */
    tests: number;
    /** verdict, findings */
    review: Record<string, unknown>;
}

/** `skills.show`: Shows a skill: functions, capabilities, tests, versions, text. */
export interface SkillsShowParams {
    /** NAME or NAME@VERSION */
    name: string;
}

/** `skills.show`: Shows a skill: functions, capabilities, tests, versions, text. */
export interface SkillsShowResult {
    /** name */
    name: string;
    /** version */
    version: number;
    /** what names this version and no other */
    hash: string;
    /** what it is for, and when */
    description: string;
    /** its SKILL.md */
    text: string;
    /** all there are */
    versions: Array<{
        /** name */
        name: string;
        /** the newest that is healthy */
        version: number;
        /** what names this version and no other */
        hash: string;
        /** what it is for, and when */
        description: string;
        /** whether it has functions */
        kind: "python" | "text";
        /** calls */
        uses: number;
        /** of these, calls that failed */
        failures: number;
        /** it failed three times in a row */
        quarantined: boolean;
    }>;
    /** functions, capabilities, limits, tests, files, review, … */
    [more: string]: unknown;
}

/** `skills.export`: Gives the files of a skill, as skills.add takes them. */
export interface SkillsExportParams {
    /** NAME or NAME@VERSION */
    name: string;
}

/** `skills.export`: Gives the files of a skill, as skills.add takes them. */
export interface SkillsExportResult {
    /** all files of the folder */
    files: Array<{
        /** path in the folder */
        path: string;
        /** content */
        base64?: string;
        /** content, if it is text: instead of base64 */
        text?: string;
    }>;
}

/** `skills.test`: Runs the tests of a skill again, in fresh sealed sessions. For administrators. */
export interface SkillsTestParams {
    /** NAME or NAME@VERSION */
    name: string;
}

/** `skills.test`: Runs the tests of a skill again, in fresh sealed sessions. For administrators. */
export interface SkillsTestResult {
    /** name */
    name: string;
    /** version */
    version: number;
    /** how many tests it passed */
    tests: number;
}

/** `skills.use`: Gives skills to the code of a session, in place of those it has: `from skills import NAME`. Each call runs in a sealed session of the skill's own. */
export interface SkillsUseParams {
    /** id of a session */
    session: string;
    /** names, NAME or NAME@VERSION; [] for none */
    skills: unknown[];
}

/** `skills.use`: Gives skills to the code of a session, in place of those it has: `from skills import NAME`. Each call runs in a sealed session of the skill's own. */
export interface SkillsUseResult {
    /** what they are now */
    skills: Array<{
        /** name */
        name: string;
        /** the version that the session has from now on */
        version: number;
        /** what names it */
        hash: string;
    }>;
}

/** `skills.learn`: Makes a skill of a function that ran in a recorded session, with calls of it as its tests. For administrators. */
export interface SkillsLearnParams {
    /** a session on record */
    session: string;
    /** which one; else the last one that can be kept */
    function?: string;
    /** of the skill; else that of the function */
    name?: string;
    /** what it is for; else the function's docstring */
    description?: string;
}

/** `skills.learn`: Makes a skill of a function that ran in a recorded session, with calls of it as its tests. For administrators. */
export interface SkillsLearnResult {
    /** name */
    name: string;
    /** version */
    version: number;
    /** what names it */
    hash: string;
    /** how many tests it passed */
    tests: number;
    /** verdict and findings */
    review: Record<string, unknown>;
    /** where it is from */
    session: string;
    /** which function it is */
    function: string;
}

/** `skills.remove`: Removes a version of a skill, or all. For administrators. */
export interface SkillsRemoveParams {
    /** NAME or NAME@VERSION */
    name: string;
}

/** `skills.remove`: Removes a version of a skill, or all. For administrators. */
export interface SkillsRemoveResult {
    /** true */
    removed: boolean;
}

/** `ledger.list`: Lists the recorded sessions, or the entries of one. */
export interface LedgerListParams {
    /** id of a session: its entries; without it, all sessions */
    session?: string;
    /** only entries with larger numbers */
    after?: number;
    /** only entries with smaller numbers */
    before?: number;
    /** of these the last so many */
    limit?: number;
    /** of all sessions those in whose name, code or agent's task this text is, in any case */
    search?: string;
}

/** `ledger.list`: Lists the recorded sessions, or the entries of one. */
export interface LedgerListResult {
    /** recorded sessions */
    sessions?: unknown[];
    /** entries of the session */
    entries?: unknown[];
    /** how many entries it has in all */
    total?: number;
    /** the session that it is a branch of, or null */
    parent?: string;
    /** the entry of that session which made it */
    branched_at?: number;
}

/** `ledger.result`: Gives the result of a cell as it was recorded. */
export interface LedgerResultParams {
    /** id of a session */
    session: string;
    /** number of a cell_outcome among its entries */
    entry: number;
}

/** `ledger.result`: Gives the result of a cell as it was recorded. */
export interface LedgerResultResult {
    /** retort.result/1: see docs/result.md */
    schema: string;
    /** id of the session */
    session: string;
    /** number of the cell */
    cell: number;
    /** ok, error, exit, signal, timeout, … */
    status: string;
    /** what it printed */
    stdout: string;
    /** and the other members of the result object */
    [more: string]: unknown;
}

/** `ledger.export`: Gives a recorded session as a document. */
export interface LedgerExportParams {
    /** id of a session */
    session: string;
    /** a notebook, or a page that needs nothing else */
    format: "ipynb" | "html";
}

/** `ledger.export`: Gives a recorded session as a document. */
export interface LedgerExportResult {
    /** the document */
    text: string;
}

/** `ledger.verify`: Checks the chain of a session's entries and every stored byte. */
export interface LedgerVerifyParams {
    /** id of a session */
    session: string;
    /** a hash of the last entry that you kept */
    head?: string;
}

/** `ledger.verify`: Checks the chain of a session's entries and every stored byte. */
export interface LedgerVerifyResult {
    /** whether everything is as it was recorded */
    sound: boolean;
    /** verdict, entries, blobs, bytes, head, findings */
    report: Record<string, unknown>;
}

/** `ledger.replay`: Runs the cells of a recorded session again in a fresh one, host tools and requests answered from the ledger, and compares. */
export interface LedgerReplayParams {
    /** id of a session */
    session: string;
}

/** `ledger.replay`: Runs the cells of a recorded session again in a fresh one, host tools and requests answered from the ledger, and compares. */
export interface LedgerReplayResult {
    /** whether every cell did the same again */
    equal: boolean;
    /** session, cells, the first difference, and unanswered: requests to the network that are not on record */
    report: Record<string, unknown>;
}

/** `server.info`: Tells what this server is. */
export interface ServerInfoParams {
}

/** `server.info`: Tells what this server is. */
export interface ServerInfoResult {
    /** retort */
    name: string;
    /** version of the engine */
    version: string;
    /** names of all methods */
    methods: unknown[];
    /** your live sessions */
    sessions: number;
    /** the accounts of your sessions in one sum */
    account: Record<string, unknown>;
    /** whether you may see what everybody does here: `metrics`, and /metrics of HTTP */
    administrator: boolean;
}

/** `metrics`: Counters since the start, of everybody. For administrators, and for those who are alone with their server. */
export interface MetricsParams {
}

/** `metrics`: Counters since the start, of everybody. For administrators, and for those who are alone with their server. */
export interface MetricsResult {
    /** live sessions of everybody */
    sessions: number;
    /** by method: count and failed */
    requests: Record<string, unknown>;
    /** the accounts of all sessions in one sum */
    account: Record<string, unknown>;
    /** cells: at_once (0: no limit), served and waiting now; served_total, waited_s, refused_full, refused_late */
    cells: Record<string, unknown>;
    /** the same for sessions that begin or come back */
    births: Record<string, unknown>;
    /** and further counters */
    [more: string]: unknown;
}

/** Every method, with what it takes and gives. */
export interface Methods {
    "session.create": { params: SessionCreateParams; result: SessionCreateResult };
    "session.execute": { params: SessionExecuteParams; result: SessionExecuteResult };
    "session.interrupt": { params: SessionInterruptParams; result: SessionInterruptResult };
    "session.complete": { params: SessionCompleteParams; result: SessionCompleteResult };
    "session.variables": { params: SessionVariablesParams; result: SessionVariablesResult };
    "session.undo": { params: SessionUndoParams; result: SessionUndoResult };
    "session.branch": { params: SessionBranchParams; result: SessionBranchResult };
    "session.compare": { params: SessionCompareParams; result: SessionCompareResult };
    "session.keep": { params: SessionKeepParams; result: SessionKeepResult };
    "session.resume": { params: SessionResumeParams; result: SessionResumeResult };
    "session.info": { params: SessionInfoParams; result: SessionInfoResult };
    "session.list": { params: SessionListParams; result: SessionListResult };
    "session.sleep": { params: SessionSleepParams; result: SessionSleepResult };
    "session.rename": { params: SessionRenameParams; result: SessionRenameResult };
    "session.close": { params: SessionCloseParams; result: SessionCloseResult };
    "session.check": { params: SessionCheckParams; result: SessionCheckResult };
    "files.list": { params: FilesListParams; result: FilesListResult };
    "files.read": { params: FilesReadParams; result: FilesReadResult };
    "files.write": { params: FilesWriteParams; result: FilesWriteResult };
    "files.delete": { params: FilesDeleteParams; result: FilesDeleteResult };
    "output.read": { params: OutputReadParams; result: OutputReadResult };
    "tools.register": { params: ToolsRegisterParams; result: ToolsRegisterResult };
    "tools.result": { params: ToolsResultParams; result: ToolsResultResult };
    "tools.approve": { params: ToolsApproveParams; result: ToolsApproveResult };
    "agent.run": { params: AgentRunParams; result: AgentRunResult };
    "environments.list": { params: EnvironmentsListParams; result: EnvironmentsListResult };
    "environments.create": { params: EnvironmentsCreateParams; result: EnvironmentsCreateResult };
    "environments.update": { params: EnvironmentsUpdateParams; result: EnvironmentsUpdateResult };
    "environments.show": { params: EnvironmentsShowParams; result: EnvironmentsShowResult };
    "environments.remove": { params: EnvironmentsRemoveParams; result: EnvironmentsRemoveResult };
    "skills.list": { params: SkillsListParams; result: SkillsListResult };
    "skills.search": { params: SkillsSearchParams; result: SkillsSearchResult };
    "skills.add": { params: SkillsAddParams; result: SkillsAddResult };
    "skills.show": { params: SkillsShowParams; result: SkillsShowResult };
    "skills.export": { params: SkillsExportParams; result: SkillsExportResult };
    "skills.test": { params: SkillsTestParams; result: SkillsTestResult };
    "skills.use": { params: SkillsUseParams; result: SkillsUseResult };
    "skills.learn": { params: SkillsLearnParams; result: SkillsLearnResult };
    "skills.remove": { params: SkillsRemoveParams; result: SkillsRemoveResult };
    "ledger.list": { params: LedgerListParams; result: LedgerListResult };
    "ledger.result": { params: LedgerResultParams; result: LedgerResultResult };
    "ledger.export": { params: LedgerExportParams; result: LedgerExportResult };
    "ledger.verify": { params: LedgerVerifyParams; result: LedgerVerifyResult };
    "ledger.replay": { params: LedgerReplayParams; result: LedgerReplayResult };
    "server.info": { params: ServerInfoParams; result: ServerInfoResult };
    "metrics": { params: MetricsParams; result: MetricsResult };
}
