/* Who is here, and which view is shown. */
import {hasToken, rpc, setToken} from "/page/api.js";
import {h, problem, say} from "/page/dom.js";
import {heading, keepFocus} from "/page/focus.js";

const VIEWS = {
    sessions: {name: "Sessions", load: () => import("/page/sessions.js")},
    branches: {name: "Branches", load: () => import("/page/branches.js")},
    agent: {name: "Agent", load: () => import("/page/agent.js")},
    record: {name: "Record", load: () => import("/page/record.js")},
    operations: {name: "Operations", load: () => import("/page/operations.js"), overseers: true}, /* the last that has a name */
    session: {load: () => import("/page/notebook.js")},
};

const view = document.getElementById("view");
let leave = () => {};
let showing = 0; /* which show it is; views that come too late are left at once */
let inside = false;
let oversees = false; /* sees what everybody does here, as the server says */
let refusal = "";

function connection(state, text = "") {
    const place = document.getElementById("connection");
    place.dataset.state = state;
    place.textContent = text;
}

function navigate(current) {
    const nav = document.getElementById("nav");
    const offered = Object.entries(VIEWS).filter(([, known]) => known.name && (oversees || !known.overseers));
    while (nav.children.length > offered.length) nav.lastChild.remove();
    nav.append(...offered.slice(nav.children.length).map(([key, known]) => h("a", {href: `#/${key}`}, known.name)));
    for (const link of nav.children) {
        if (link.hash === `#/${current}`) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
}

function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/* #/session/ID: the name of the view, and what it is about. */
function wanted() {
    const [, name = "sessions", ...rest] = location.hash.split("/");
    const known = Object.hasOwn(VIEWS, name) ? name : "sessions";
    return {known, rest, link: known === "session" ? "sessions" : known};
}

async function show() {
    const {known, rest, link} = wanted();
    const turn = ++showing, was = document.activeElement !== document.body;
    leave();
    leave = () => {};
    connection("", "");
    navigate(link);
    try {
        const module = await VIEWS[known].load();
        if (turn !== showing) return;
        const place = h("div", {class: known});
        view.replaceChildren(place);
        document.title = `${VIEWS[known].name ?? "Session"} – Retort`;
        const left = (await module.show(place, rest.map(decoded), (...told) => turn === showing && connection(...told))) ?? (() => {});
        if (turn !== showing) return left();
        leave = left;
        if (was && [document.body, view].includes(document.activeElement)) heading(); /* what had the focus is gone with its view */
    } catch (error) {
        if (turn === showing) view.replaceChildren(h("h1", {}, VIEWS[known].name ?? "Session"), problem(error));
    }
}

function login(why) {
    const field = h("input", {id: "token", type: "password", autocomplete: "off", required: true});
    const told = h("p", {class: "problem", role: "alert"}, why);
    async function enter(event) {
        event.preventDefault();
        setToken(field.value.trim());
        try {
            if (await mayEnter()) return begin();
            told.textContent = "The server does not know this token.";
        } catch (error) {
            told.textContent = error.message;
        }
        field.select();
    }
    setToken(null);
    inside = oversees = false;
    showing++;
    leave();
    leave = () => {};
    connection("", "");
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

/* The token in the address is taken out of it at once: addresses are shown, kept and shared. */
function takeToken() {
    const given = location.hash.match(/^#token=([^/&]+)/);
    if (given) {
        setToken(decoded(given[1]));
        history.replaceState(null, "", "/#/sessions");
    }
    return Boolean(given);
}

/* What is for administrators alone is offered to them alone; the server refuses it to others in any case. */
async function begin() {
    inside = true;
    await show();
    const info = await rpc("server.info").catch(() => null);
    if (!inside || !info) return;
    oversees = info.administrator;
    navigate(wanted().link);
}

/* Everybody is taken at their word: the first answer tells whether a token is needed, and whether the one given is valid. */
function arrive() {
    const given = takeToken();
    refusal = given ? "The token of this address is not valid any more." : hasToken() ? "This token is not valid any more." : "";
    begin();
}

addEventListener("hashchange", () => (inside && !location.hash.startsWith("#token=") ? show() : arrive()));
addEventListener("refused", () => inside && login(refusal));

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
keepFocus();
arrive();
