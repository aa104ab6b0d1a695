/* The focus is never lost. When what has it leaves the page, is hidden or can be used no more, the nearest takes it: what says the same
 * in the same place (a list was made anew), else what stands where it stood, else the heading of the view. */

const ABLE = "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]:not([tabindex=\"-1\"])";

let last = null; /* what had the focus: its ancestors, what it says, and where it stood among those of each */

function name(one) {
    return one.getAttribute("aria-label") ?? one.textContent;
}

function able(place) {
    return [...place.querySelectorAll(ABLE)].filter((one) => one.checkVisibility());
}

function remember(one) {
    const around = [];
    for (let at = one.parentElement; at && at !== document.documentElement; at = at.parentElement) around.push({place: at, index: -1});
    last = {one, around, says: name(one), session: one.closest("[data-session]")?.dataset.session};
    for (const each of around.slice(0, 6)) each.index = able(each.place).indexOf(one);
}

/* In a list of sessions the same word stands in every row. */
function same(all) {
    const alike = all.filter((one) => name(one) === last.says);
    return last.session ? alike.find((one) => one.closest("[data-session]")?.dataset.session === last.session) : alike.length === 1 ? alike[0] : undefined;
}

export function heading() {
    const found = document.querySelector("main h1");
    found?.setAttribute("tabindex", "-1");
    (found ?? document.querySelector("main")).focus();
}

function restore() {
    for (const {place, index} of last.around) {
        if (!place.isConnected || place.id === "view" || place === document.body) continue;
        const all = able(place);
        const next = same(all) ?? (index >= 0 ? all[Math.min(index, all.length - 1)] : undefined);
        if (next) return next.focus();
    }
    heading();
}

/* What is disabled or hidden loses it with the next picture only. Asked often, so that it must not lay out the page. */
function lost() {
    if (document.activeElement === last.one) return last.one.disabled || last.one.closest("[hidden]") !== null;
    return document.activeElement === document.body && (!last.one.isConnected || last.one.disabled || !last.one.checkVisibility());
}

export function keepFocus() {
    let planned = false;
    document.addEventListener("focusin", (event) => {
        if (event.target !== document.body) remember(event.target);
    });
    new MutationObserver(() => {
        if (planned || !last) return;
        planned = true;
        requestAnimationFrame(() => { /* what is made anew in steps is whole by then */
            planned = false;
            if (lost()) restore();
        });
    }).observe(document.body, {subtree: true, childList: true, attributes: true, attributeFilter: ["disabled", "hidden", "open"]});
}
