/* Who is here, and which view is shown. */
import {rpc, setToken} from "/page/api.js";
import {h, problem, say} from "/page/dom.js";

const VIEWS = {
    sessions: {name: "Sessions", load: () => import("/page/sessions.js")},
    branches: {name: "Branches", load: () => import("/page/branches.js")},
    agent: {name: "Agent", load: () => import("/page/agent.js")},
    record: {name: "Record", load: () => import("/page/record.js")},
    operations: {name: "Operations", load: () => import("/page/operations.js")},
    session: {load: () => import("/page/notebook.js")},
};

const view = document.getElementById("view");
let leave = () => {};
let showing = 0;

function connection(state, text = "") {
    const place = document.getElementById("connection");
    place.dataset.state = state;
    place.textContent = text;
}

function navigate(current) {
    document.getElementById("nav").replaceChildren(...Object.entries(VIEWS).filter(([, known]) => known.name).map(([key, known]) =>
        h("a", {href: `#/${key}`, "aria-current": key === current ? "page" : undefined}, known.name)));
}

/* #/session/ID: the name of the view, and what it is about. */
async function show() {
    const [, name = "sessions", ...rest] = location.hash.split("/");
    const known = VIEWS[name] ? name : "sessions";
    const turn = ++showing;
    leave();
    leave = () => {};
    connection("", "");
    navigate(known);
    try {
        const module = await VIEWS[known].load();
        if (turn !== showing) return;
        const place = h("div", {class: known});
        view.replaceChildren(place);
        document.title = `${VIEWS[known].name ?? "Session"} – Retort`;
        leave = (await module.show(place, rest.map(decodeURIComponent), connection)) ?? (() => {});
        if (turn !== showing) leave();
    } catch (error) {
        if (error.status === 401) return login("This token is not valid any more.");
        view.replaceChildren(problem(error));
    }
}

function login(why) {
    const field = h("input", {id: "token", type: "password", autocomplete: "off", required: true});
    const told = h("p", {class: "problem", role: "alert"}, why);
    async function enter(event) {
        event.preventDefault();
        setToken(field.value.trim());
        if (await mayEnter()) return begin();
        told.textContent = "The server does not know this token.";
        field.select();
    }
    setToken(null);
    leave();
    leave = () => {};
    navigate("");
    view.replaceChildren(h("form", {class: "login", onsubmit: enter}, h("h1", {}, "Retort"),
        h("p", {}, "This server wants a token: a line of its token file. ", h("code", {}, "retort ui"), " prints an address that has one."),
        h("label", {htmlFor: "token"}, "Token"), field, h("button", {type: "submit", class: "main"}, "Enter"), told));
    field.focus();
}

async function mayEnter() {
    try {
        await rpc("server.info");
        return true;
    } catch (error) {
        if (error.status === 401) return false;
        throw error;
    }
}

function begin() {
    window.addEventListener("hashchange", show);
    show();
}

/* --- light and dark --- */

function theme(chosen) {
    const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.getElementById("theme").textContent = dark ? "Light" : "Dark";
    document.getElementById("theme").setAttribute("aria-label", dark ? "Light colours" : "Dark colours");
}

document.getElementById("theme").addEventListener("click", () => {
    const other = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("theme", other);
    theme(other);
    say(`${other} colours`);
});
theme(localStorage.getItem("theme"));

/* The token in the address is taken out of it at once: addresses are shown, kept and shared. */
const given = location.hash.match(/^#token=([^/&]+)/);
if (given) {
    setToken(decodeURIComponent(given[1]));
    history.replaceState(null, "", "/#/sessions");
}
try {
    if (await mayEnter()) begin();
    else login(given ? "The token of this address is not valid any more." : "");
} catch (error) {
    view.replaceChildren(problem(error));
}
