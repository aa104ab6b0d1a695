/* A long list, of which only what is near the sight is in the page. What is not takes its room: as high as it was when it was last
 * seen, or as high as the others are. */

const FEW = 60; /* all of so many are in the page */
const NEAR = 900; /* pixels above and below what is seen */

export class Window {
    /* element(key) makes or finds what is shown of a key; released(key) is told that it has left the page; spacer() makes what
     * takes the room of others, tell(element, number, count) says to those who do not see which one it is. `scroller` is what scrolls: an element, or the document. */
    constructor(frame, {element, released = () => {}, spacer, tell, scroller = null, usual = 140}) {
        Object.assign(this, {frame, element, released, spacer, tell, scroller, usual, keys: [], heights: new Map(), shown: new Map(), planned: false, atEnd: 0});
        this.set([]);
        this.sizes = new ResizeObserver((seen) => this.measured(seen));
        this.moved = () => {
            if ((this.scroller ?? document.documentElement).scrollTop < this.atEnd - 2) this.atEnd = 0;
            this.soon();
        };
        (scroller ?? window).addEventListener("scroll", this.moved, {passive: true});
        addEventListener("resize", this.moved);
    }

    close() {
        this.sizes.disconnect();
        (this.scroller ?? window).removeEventListener("scroll", this.moved);
        removeEventListener("resize", this.moved);
    }

    set(keys) {
        this.keys = keys;
        this.places = new Map(keys.map((key, at) => [key, at]));
        this.tops = new Float64Array(keys.length + 1); /* where each begins, and where the last ends */
        this.sum(0);
        this.update();
    }

    sum(from) {
        for (let at = from; at < this.keys.length; at++) this.tops[at + 1] = this.tops[at] + (this.heights.get(this.keys[at]) ?? this.usual);
    }

    /* The first that ends below this line. */
    at(line) {
        let low = 0, high = this.keys.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.tops[middle + 1] > line) high = middle;
            else low = middle + 1;
        }
        return low;
    }

    soon() {
        if (this.planned) return;
        this.planned = true;
        requestAnimationFrame(() => {
            this.planned = false;
            this.update();
        });
    }

    /* Where the sight begins in the list, and how high it is. */
    sight() {
        const box = this.scroller?.getBoundingClientRect() ?? {top: 0, height: innerHeight};
        return {from: box.top - this.frame.getBoundingClientRect().top, height: box.height, top: box.top};
    }

    /* The indices that belong into the page: those near the sight, and the one that has the focus. */
    wanted() {
        if (this.keys.length <= FEW) return this.keys.map((_, at) => at);
        const {from, height} = this.sight(), found = new Set();
        for (let at = this.at(from - NEAR); at < this.keys.length && this.tops[at] < from + height + NEAR; at++) found.add(at);
        const held = [...this.shown].find(([key, one]) => this.places.has(key) && one.contains(document.activeElement));
        if (held) found.add(this.places.get(held[0]));
        return [...found].sort((a, b) => a - b);
    }

    /* Elements and, between them, the room of those that are not there. */
    laidOut(indices) {
        const all = [];
        let next = 0;
        const room = (end) => {
            if (end === next) return;
            const made = this.spacer();
            made.style.height = `${this.tops[end] - this.tops[next]}px`;
            all.push(made);
        };
        for (const at of indices) {
            const key = this.keys[at], one = this.shown.get(key) ?? this.element(key);
            room(at);
            next = at + 1;
            this.tell(one, at + 1, this.keys.length);
            this.shown.set(key, one);
            all.push(one);
        }
        room(this.keys.length);
        return all;
    }

    /* What came may be lower than was reckoned with, and leave room in sight: then there is more to come. */
    update(again = 4) {
        const indices = this.wanted(), stay = new Set(indices.map((at) => this.keys[at]));
        const edge = this.sight().top;
        const held = [...this.shown].find(([key, one]) => stay.has(key) && one.isConnected && one.getBoundingClientRect().bottom > edge)?.[1];
        const before = held?.getBoundingClientRect().top;
        const gone = [...this.shown.keys()].filter((key) => !stay.has(key));
        gone.forEach((key) => this.forget(key));
        const fresh = [...stay].filter((key) => !this.shown.has(key));
        this.place(this.laidOut(indices));
        this.measure(fresh);
        gone.forEach((key) => this.released(key));
        if (held?.isConnected) this.move(held.getBoundingClientRect().top - before);
        if (again && fresh.length && this.wanted().some((at) => !this.shown.has(this.keys[at]))) this.update(again - 1);
    }

    /* What stays is not moved: it may have the focus. */
    place(nodes) {
        const wanted = new Set(nodes);
        for (const one of [...this.frame.children]) if (!wanted.has(one)) one.remove();
        let at = this.frame.firstChild;
        for (const one of nodes) {
            if (one === at) at = at.nextSibling;
            else this.frame.insertBefore(one, at);
            if (!one.dataset.room) this.sizes.observe(one);
        }
    }

    /* What comes into the page has its height at once: what it gets to show may come before the observer has seen it, and would then
     * be taken for its first height, not for growth that pushes others down. */
    measure(fresh) {
        for (const key of fresh) this.heights.set(key, this.heightOf(this.shown.get(key)));
        this.sum(Math.min(this.keys.length, ...fresh.map((key) => this.places.get(key))));
    }

    heightOf(one) {
        return one.getBoundingClientRect().height + (parseFloat(getComputedStyle(one).marginBottom) || 0);
    }

    move(by) {
        if (Math.abs(by) >= 1) (this.scroller ?? window).scrollBy(0, by);
    }

    /* To the end of the list, and there it stays, whatever it still gets to show, until somebody goes elsewhere. */
    end() {
        const whole = this.scroller ?? document.documentElement;
        whole.scrollTop = whole.scrollHeight;
        this.atEnd = whole.scrollTop;
    }

    /* What grows above the sight does not push it down. */
    measured(seen) {
        const known = new Map([...this.shown].map(([key, one]) => [one, key])), edge = this.sight().top;
        let above = 0, first = this.keys.length;
        for (const {target} of seen) {
            if (!known.has(target)) continue;
            const key = known.get(target), height = this.heightOf(target), was = this.heights.get(key) ?? height;
            if (target.getBoundingClientRect().bottom - (height - was) <= edge) above += height - was;
            if (was === height) continue;
            this.heights.set(key, height);
            first = Math.min(first, this.places.get(key) ?? first);
        }
        this.sum(first);
        if (this.atEnd) this.end();
        else this.move(above);
        if (first < this.keys.length) this.soon();
    }

    /* Something above the sight changes: what is seen stays where it is, at once. Who scrolls before it is measured would miss what
     * is pushed past them. */
    still(key, change) {
        const one = this.shown.get(key), box = one?.getBoundingClientRect();
        const above = box && !this.atEnd && this.places.has(key) && box.bottom <= this.sight().top;
        change();
        const by = above ? one.getBoundingClientRect().height - box.height : 0;
        if (!by) return;
        this.heights.set(key, this.heights.get(key) + by);
        this.sum(this.places.get(key));
        this.move(by);
    }

    /* What is shown of a key is another element now. */
    forget(key) {
        if (this.shown.has(key)) this.sizes.unobserve(this.shown.get(key));
        this.shown.delete(key);
    }

    /* Brings one into sight, wherever it is, and gives its element. */
    reach(key) {
        const at = this.places.get(key);
        if (at === undefined) return null;
        if (!this.shown.has(key)) {
            const {from, height} = this.sight();
            this.move(this.tops[at] - from - height / 3);
            this.update();
        }
        this.shown.get(key)?.scrollIntoView({block: "nearest"});
        return this.shown.get(key) ?? null;
    }
}
