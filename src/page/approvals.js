/* Calls of host tools that somebody has to allow, and two buttons. What is asked is gone when it is decided, here or elsewhere. */
import {rpc} from "/page/api.js";
import {button, clean, h, problem, say} from "/page/dom.js";

const MOST = 20_000; /* characters of arguments: nobody allows what he cannot see */

export class Approvals {
    constructor(place) {
        this.place = place;
        this.open = new Map();
    }

    heard(method, params) {
        if (method === "tools.approval") this.ask(params);
        else if (method === "tools.decided") this.end(params.call, params.verdict);
        else if (method === "cell.end") [...this.open].forEach(([call, one]) => one.session === params.session && one.cell === params.cell && this.end(call, "over"));
    }

    ask({call, session, cell, name, arguments: given}) {
        if (this.open.has(call)) return;
        const text = clean(JSON.stringify(given, null, 2)), told = h("div");
        const buttons = [button("Allow", () => decide(true), {class: "main", disabled: text.length > MOST}), button("Deny", () => decide(false))];
        async function decide(allow) {
            buttons.forEach((one) => { one.disabled = true; });
            await rpc("tools.approve", {call, allow}).catch((error) => told.replaceChildren(problem(error)));
        }
        const element = h("section", {class: "panel approval", "aria-label": `May ${clean(name)} be called?`}, h("h2", {}, `May ${clean(name)} be called?`),
            h("p", {}, "Cell ", String(cell), " of ", h("a", {href: `#/session/${encodeURIComponent(session)}`}, session), " waits for an answer, for a minute at most."),
            h("pre", {class: "code", tabindex: 0, "aria-label": "Arguments"}, text.length > MOST ? `${text.length} characters: too long to be allowed here.` : text),
            told, h("p", {class: "buttons"}, buttons));
        this.open.set(call, {session, cell, element});
        this.place.append(element);
        say(`May ${clean(name)} be called?`);
    }

    end(call, verdict) {
        if (!this.open.has(call)) return;
        this.open.get(call).element.remove();
        this.open.delete(call);
        say(`The call: ${clean(verdict)}`);
    }
}
