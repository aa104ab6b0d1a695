/* An agent's run: the task, what it does as it does it, and the answer, in which every number shows where it came from. */
import {approving, listen, rpc, upload} from "/page/api.js";
import {button, clean, h, keepText, problem, say} from "/page/dom.js";
import {Stream, rest} from "/page/output.js";

const ACCEPTED = new Set(["grounded", "derived", "counted", "question", "method"]);
const STREAMS = {stdout: "standard output", stderr: "standard error"};

/* --- the answer --- */

/* Positions are in bytes of UTF-8. */
function pieces(answer, numbers) {
    const bytes = new TextEncoder().encode(answer), decoder = new TextDecoder();
    const found = [];
    let at = 0;
    for (const one of [...numbers].sort((a, b) => a.start - b.start)) {
        if (one.start < at) continue;
        found.push({text: decoder.decode(bytes.slice(at, one.start))}, {text: decoder.decode(bytes.slice(one.start, one.end)), proof: one});
        at = one.end;
    }
    return [...found, {text: decoder.decode(bytes.slice(at))}];
}

function proofText(proof) {
    const where = proof.cell ? ` (cell ${proof.cell}${STREAMS[proof.stream] ? `, ${STREAMS[proof.stream]}` : ""})` : "";
    return `${proof.text}: ${proof.verdict}${proof.strength ? `, by ${proof.strength}` : ""}. ${proof.reason ?? ""}${where}`;
}

class Answer {
    constructor(run, told) {
        Object.assign(this, {run, told});
        this.shown = h("p", {class: "proof", id: "proof", role: "status"}, "Point at a number, or go to it, and its proof is shown here; press it, and you are there.");
        const numbers = told.provenance ?? [];
        const text = h("p", {class: "answer"}, pieces(told.answer ?? "", numbers).map((piece) => (piece.proof ? this.number(piece) : clean(piece.text))));
        const flagged = numbers.filter((one) => !ACCEPTED.has(one.verdict));
        this.element = h("section", {class: "panel", "aria-labelledby": "answer-title"}, h("h2", {id: "answer-title"}, "Answer"),
            h("p", {class: told.verified ? "verdict good" : "verdict bad"}, h("strong", {}, told.verified ? "Verified" : "Not verified"),
                told.verified ? ": every check passed." : ": see what did not pass."),
            text, this.shown,
            flagged.length ? [h("h3", {}, "Numbers without proof"), h("ul", {class: "flags"}, flagged.map((one) => h("li", {}, h("strong", {}, clean(one.text)), `: ${clean(one.verdict)}. ${clean(one.reason ?? "")}`,
                one.nearest ? [" ", button(`Nearest: ${one.nearest.evidence} in cell ${one.nearest.cell}`, () => run.go(one.nearest), {class: "link"})] : "")))] : "",
            (told.unproved ?? []).filter((one) => one.check !== "numbers").map((one) => h("p", {class: "note"}, `${clean(one.check)}: ${clean(one.message)}`)));
    }

    number({text, proof}) {
        const tell = () => { this.shown.textContent = clean(proofText(proof)); };
        return button(clean(text), () => this.run.go(proof.cell ? proof : proof.nearest ?? {}), {
            class: `number ${ACCEPTED.has(proof.verdict) ? "proved" : "flagged"}`, onmouseenter: tell, onfocus: tell,
            "aria-describedby": "proof", "data-verdict": proof.verdict, title: clean(proofText(proof))});
    }
}

/* --- the run --- */

class Run {
    constructor(session, place) {
        Object.assign(this, {session, place, cells: new Map()});
        this.steps = h("div", {class: "steps"});
        this.end = h("div");
        place.replaceChildren(this.end, h("h2", {}, "What it did"), this.steps);
    }

    step(number, kind, ...content) {
        const element = h("article", {class: `step ${kind}`, "aria-label": `${kind}, step ${number}`}, ...content);
        this.steps.append(element);
        return element;
    }

    /* Each kind of event by its name; others are not shown. */
    heard({event, step, ...told}) {
        this[`on_${event}`]?.(step, told);
    }

    on_plan(step, {task, model}) {
        this.step(step, "task", h("p", {}, h("strong", {}, "Task: "), clean(task)), model ? h("p", {class: "facts"}, clean(model)) : "");
    }

    on_model(step, {delta, text}) {
        if (delta !== undefined) {
            this.words ??= new Stream("model");
            if (!this.words.element.isConnected) this.step(step, "thought", h("header", {}, h("span", {class: "mark"}, `Step ${step}: the model`)), this.words.element);
            this.words.put(delta);
        } else {
            this.words?.set(text);
            this.words = null;
        }
    }

    on_action(step, {language, code}) {
        this.output = {stdout: new Stream("stdout"), stderr: new Stream("stderr")};
        this.after = h("div", {class: "after"});
        this.mark = h("span", {class: "mark"}, `Step ${step}: ${clean(language)}`);
        this.cell = this.step(step, "cell", h("header", {}, this.mark), h("pre", {class: "code", tabindex: 0, "aria-label": `Code of step ${step}`}, clean(code)),
            this.output.stdout.element, this.output.stderr.element, this.after);
    }

    on_output(_, {stream, text}) {
        this.output?.[stream]?.put(text);
    }

    on_observation(step, {result}) {
        if (!this.cell || !result) return;
        this.mark.textContent = `Cell ${result.cell}: ${result.status}`;
        this.cell.dataset.status = result.status;
        for (const name of ["stdout", "stderr"]) this.output[name].set(result[name] ?? "");
        this.after.replaceChildren(...rest(result, () => { location.hash = `#/session/${this.session}`; }));
        this.cells.set(result.cell, {element: this.cell, stdout: result.stdout ?? "", output: this.output, result});
    }

    on_check(step, {name, verdict, message}) {
        if (verdict !== "pass") this.step(step, "check", h("p", {class: "note"}, `Check ${clean(name)}: ${clean(verdict)}. ${clean(message ?? "")}`));
    }

    on_final(_, told) {
        this.end.replaceChildren(new Answer(this, told).element);
    }

    on_stop(_, {reason, message}) {
        if (reason !== "answered") this.end.append(h("p", {class: "note", role: "status"}, `It ended: ${clean(reason)}. ${clean(message ?? "")}`));
        say(`The agent has ended: ${clean(reason)}`);
    }

    /* Shows the place that a number was taken from, and marks its line. */
    go({cell, stream, position}) {
        const known = this.cells.get(cell);
        if (!known) return;
        document.querySelectorAll(".pointed").forEach((one) => one.classList.remove("pointed"));
        document.querySelectorAll("mark").forEach((one) => one.replaceWith(one.textContent));
        known.element.classList.add("pointed");
        const place = known.output[stream]?.element;
        if (place && typeof position === "number" && known.result[stream] !== undefined) {
            const before = new TextDecoder().decode(new TextEncoder().encode(known.result[stream]).slice(0, position));
            const from = before.lastIndexOf("\n") + 1;
            const line = known.result[stream].slice(from).split("\n")[0];
            place.replaceChildren(clean(known.result[stream].slice(0, from)), h("mark", {}, clean(line)), clean(known.result[stream].slice(from + line.length)));
        }
        const target = place?.querySelector("mark") ?? known.element;
        target.scrollIntoView({block: "center"});
        (place ?? known.element.querySelector(".code")).focus({preventScroll: true});
    }
}

/* --- the view --- */

export async function show(place, [before], connection) {
    const task = h("textarea", {id: "task", rows: 3, required: true});
    const used = keepText(task, "task");
    const files = h("input", {type: "file", id: "task-files", multiple: true});
    const go = h("button", {type: "submit", class: "main"}, "Start");
    const stop = button("Stop", () => rpc("session.interrupt", {session}).catch(fail), {class: "stop", disabled: true});
    const told = h("div"), asked = h("div"), shown = h("div");
    const where = h("p", {class: "facts"});
    let session = before ?? null, hush = () => {}, ended = false;

    function fail(error) {
        told.replaceChildren(problem(error));
    }

    /* Ends when it is known whether events come: what the agent did before that would be lost. */
    function follow(run) {
        const approve = approving(asked);
        hush();
        return new Promise((known) => {
            hush = listen(session, (method, params) => (method === "agent.event" ? run.heard(params.event) : approve(method, params)), (state) => {
                connection(state, state === "lost" ? "The connection is lost; trying again." : "");
                known();
            });
        });
    }

    async function start(event) {
        event.preventDefault();
        told.replaceChildren();
        go.disabled = true;
        try {
            session ??= (await rpc("session.create")).session;
            where.replaceChildren("It works in ", h("a", {href: `#/session/${session}`}, session), ". Another task goes on there.");
            for (const file of files.files) await upload(session, file.name, file, () => {});
            if (ended) return;
            const run = new Run(session, shown);
            await follow(run);
            stop.disabled = false;
            used();
            const answer = await rpc("agent.run", {session, task: task.value});
            if (!run.end.childElementCount && answer.answer) run.on_final(0, answer);
        } catch (error) {
            fail(error);
        }
        go.disabled = false;
        stop.disabled = true;
    }

    place.append(h("h1", {}, "Agent"), h("form", {class: "task-form", onsubmit: start}, h("label", {htmlFor: "task"}, "Task"), task,
        h("label", {htmlFor: "task-files"}, "Files to work on"), files, h("p", {class: "buttons"}, go, stop)), where, told, asked, shown);
    return () => {
        ended = true;
        hush();
    };
}
