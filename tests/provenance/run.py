#!/usr/bin/python3
"""run.py [--set NAME] [--report FILE]: how well the check of numbers tells true answers from wrong ones.

A scenario is a Python literal, one file each: `domain`, `question`, `cells` (code that really runs, in one session) and
`answers`: (category, text, variants). The text is true. A variant makes it wrong: (category, this, that) puts `that` in the
place of `this`, and `that` is the wrong number; (category, this, that, wrong) names the wrong number, or a list of which
one is enough, where `that` is more than it. So a true answer and a wrong one that belong together differ only there.

A true answer is accepted if no number of it is flagged; a wrong one is caught if the wrong number is. The folders fresh,
held_out, natural, chat, reports and field were written later, in other styles, and their misses are looked at, too: chat has short
answers, reports has whole paragraphs, lists and tables, field has both. The folders blind, exam and panel are for measuring: nothing is tuned on them, so that their
misses are counted here and not shown."""
import argparse
import ast
import collections
import dataclasses
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))

UNSEEN = ["blind", "exam", "panel"]
FOLDERS = ["tuning", "fresh", "held_out", "natural", "chat", "reports", "field", *UNSEEN]
FLAGS = {"contradicted", "mismatch", "stale", "asserted", "unverified"}
TRUE = ["plain", "summary of an analysis", "small integers", "constants of a method", "derived", "fractions in words",
        "scale words", "inequalities", "percent", "units or currency", "counted", "German", "French", "list or table",
        "dates, versions, ordinals"]
WRONG = ["digit", "scale", "invented", "swapped entity", "wrong statistic", "wrong column", "sign or direction",
         "miscomputed derivation", "rounding", "stale value", "typed literal", "question number given as result",
         "number of something else"]


@dataclasses.dataclass
class Answer:
    scenario: str
    category: str
    text: str
    wrong: list  # of numbers as they are written; none if it is true
    origin: "Answer | None" = None  # the true one that this was made from
    claims: list = dataclasses.field(default_factory=list)

    def flagged(self):
        return [claim for claim in self.claims if claim["verdict"] in FLAGS]

    def good(self):
        """Whether the check judged it rightly."""
        flagged = self.flagged()
        if not self.wrong:
            return not flagged
        return any(claim["start"] < end and start < claim["end"] for claim in flagged for start, end in self.places())

    def places(self):
        """Where the wrong numbers are, in bytes."""
        text = self.text.encode()
        return [(text.index(word), text.index(word) + len(word)) for word in (wrong.encode() for wrong in self.wrong)]


def scenarios(folder):
    return {path.stem: ast.literal_eval(path.read_text()) for path in sorted((HERE / folder).glob("*.py"))}


def answers(name, scenario):
    for category, text, variants in scenario["answers"]:
        true = Answer(name, category, text, [])
        yield true
        for kind, this, that, *wrong in variants:
            wrong = wrong[0] if wrong else that
            yield Answer(name, kind, text.replace(this, that), wrong if isinstance(wrong, list) else [wrong], true)


def faults(name, scenario):
    """What can be seen to be wrong with a scenario without running it."""
    for category, text, variants in scenario["answers"]:
        if category not in TRUE:
            yield f"{name}: {category} is no category of true answers"
        for kind, this, *_ in variants:
            if kind not in WRONG:
                yield f"{name}: {kind} is no category of wrong answers"
            if text.count(this) != 1:
                yield f"{name}: {this!r} is {text.count(this)} times in {text!r}"
    for answer in answers(name, scenario):
        for wrong in answer.wrong:
            if answer.text.count(wrong) != 1 or not any(letter.isdigit() for letter in wrong):
                yield f"{name}: {wrong!r} is no number that stands once in {answer.text!r}"
    texts = collections.Counter(answer.text for answer in answers(name, scenario))
    yield from (f"{name}: twice: {text!r}" for text, times in texts.items() if times > 1)


def claims(call, scenario, texts):
    """The numbers of each answer with their verdicts; call(method, **parameters) asks an engine."""
    session = call("session.create")["session"]
    for code in scenario["cells"]:
        assert call("session.execute", session=session, code=code.strip())["status"] == "ok", scenario["domain"]
    for text in texts:
        yield call("session.check", session=session, question=scenario["question"], answer=text)["numbers"]
    call("session.close", session=session)


def judged(call, name, scenario):
    found = list(answers(name, scenario))
    for answer, numbers in zip(found, claims(call, scenario, [answer.text for answer in found])):
        answer.claims = numbers
    return found


def share(found):
    return f"{sum(found)} of {len(found)}" + (f" ({100 * sum(found) / len(found):.1f} %)" if found else "")


def by_category(judgements):
    found = collections.defaultdict(list)
    for answer in judgements:
        found[bool(answer.wrong), answer.category].append(answer.good())
    return found


def pairs(judgements):
    return [answer.good() and answer.origin.good() for answer in judgements if answer.wrong]


def totals(judgements):
    found = by_category(judgements)
    yield f"true answers accepted: {share([answer.good() for answer in judgements if not answer.wrong])}  "
    yield f"wrong answers caught: {share([answer.good() for answer in judgements if answer.wrong])}  "
    yield f"pairs told apart: {share(pairs(judgements))}"
    for wrong, title in ((False, "true answers | accepted"), (True, "wrong answers | caught")):
        yield f"\n| {title} |\n|---|---|"
        yield from (f"| {name} | {share(found[wrong, name])} |" for name in (WRONG if wrong else TRUE) if found[wrong, name])


def misses(judgements):
    for answer in judgements:
        if not answer.good():
            what = f"{answer.category}, should flag {' or '.join(answer.wrong)}" if answer.wrong else answer.category
            flagged = ", ".join(f"{claim['text']} {claim['verdict']}" for claim in answer.flagged()) or "nothing flagged"
            yield f"- {answer.scenario} ({what}): {' / '.join(answer.text.splitlines())} → {flagged}"


def page(sets):
    yield "# How well the check of numbers does\n"
    yield ("Made by `tests/provenance/run.py --report` from answers to code that really ran (`tests/provenance`). A true answer is "
           "accepted if\nno number of it is flagged; a wrong one is caught if the wrong number is. Nothing was tuned on the sets blind, "
           "exam and panel.")
    for name, judgements in sets.items():
        yield f"\n## {name.replace('_', '-')} set\n"
        yield from totals(judgements)
        if name in ("reports", "field") and len(sets) > 1:
            yield f"\nMisses: `tests/provenance/run.py --set {name}` lists them."
        elif name not in UNSEEN:
            yield "\nMisses:\n"
            yield from list(misses(judgements)) or ["none"]


def measure(call, folder):
    return [answer for name, scenario in scenarios(folder).items() for answer in judged(call, name, scenario)]


def main():
    import conftest
    import rpc
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=FOLDERS, help="only this one")
    parser.add_argument("--report", type=pathlib.Path, metavar="FILE", help="write the page there")
    options = parser.parse_args()
    folders = [options.set] if options.set else FOLDERS
    found = [fault for folder in folders for name, scenario in scenarios(folder).items() for fault in faults(name, scenario)]
    if found:
        sys.exit("\n".join(found))
    server = rpc.Server(conftest.make_caller("root" if os.geteuid() == 0 else "user", conftest.BUILD))
    lines = list(page({folder: measure(server.call, folder) for folder in folders}))
    server.close()
    text = "\n".join(lines) + "\n"
    if options.report:
        options.report.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
