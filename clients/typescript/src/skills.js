/** The library of skills of an engine: code that was reviewed, tested and kept, in versions. */
export class Skills {
    #engine;

    constructor(engine) {
        this.#engine = engine;
    }

    /** All skills, one version of each. */
    async list() {
        return (await this.#engine.call("skills.list")).skills;
    }

    /** Those that fit some words, the best first. */
    async search(words) {
        return (await this.#engine.call("skills.search", { words })).skills;
    }

    /** NAME, which is the newest healthy version, or NAME@VERSION. */
    show(name) {
        return this.#engine.call("skills.show", { name });
    }

    /** Reviews and tests a skill: its files, each with a path and text or base64. */
    add(files) {
        return this.#engine.call("skills.add", { files });
    }

    /** Makes one of a function that ran in a recorded session. */
    learn(session, options = {}) {
        return this.#engine.call("skills.learn", { session, ...options });
    }

    test(name) {
        return this.#engine.call("skills.test", { name });
    }

    /** Its files, as add() takes them. */
    async export(name) {
        return (await this.#engine.call("skills.export", { name })).files;
    }

    async remove(name) {
        await this.#engine.call("skills.remove", { name });
    }
}
