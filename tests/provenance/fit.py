#!/usr/bin/python3
"""fit.py [--record] [--only-trees]: fits the weights of src/agent/ground/weights.c to the answers of tests/provenance.

Needs numpy, scipy and sklearn (python3-sklearn), which nothing else here needs. The scenarios of the sets that may be
looked at run once, and what their cells showed is kept in build/provenance (--record runs them again). `replay` (replay.c)
then judges all answers without running anything and writes down what it weighed:

1. what each claim of a true answer may have been taken from, with the terms of its weight (weigh.h). Fitted is the
   probability that it is one that reads like the claim, in a softmax over all: item_weights.
2. what follows by one step from other numbers (combine.h), for claims that nothing shown reads like. Fitted likewise, with
   a sample of what does not give the claim: combine_weights.
3. with these, the features of each claim (decide.h) of true answers, and of the wrong numbers of wrong ones. Fitted are
   trees that tell the ones from the others: decide_trees.

Scenarios are left out by turns (five folds), so that the figures which are printed are of answers that the weights have not
seen. The weights that are written are fitted to all."""
import argparse
import json
import os
import re
import subprocess
import sys

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, vstack
from sklearn.ensemble import GradientBoostingClassifier

import run

ROOT = run.ROOT
PLACE = ROOT / "build" / "provenance"
WEIGHTS = ROOT / "src" / "agent" / "ground" / "weights.c"
SETS = [folder for folder in run.FOLDERS if folder not in run.UNSEEN]
FOLDS = 5
MATCHES = 5  # FEATURE_MATCHES of decide.h
DEPTH = 4    # TREE_NODES of decide.h has room for it
TREES = dict(n_estimators=400, max_depth=DEPTH, learning_rate=0.025, subsample=0.5, max_features=0.2, min_samples_leaf=30,
             random_state=0)


# --- what ran ---

def record():
    import conftest
    import rpc
    server = rpc.Server(conftest.make_caller("root" if os.geteuid() == 0 else "user", conftest.BUILD))
    PLACE.mkdir(parents=True, exist_ok=True)
    for folder in SETS:
        lines = []
        for name, scenario in run.scenarios(folder).items():
            session = server.call("session.create")["session"]
            cells = [{"code": code.strip(), "result": server.call("session.execute", session=session, code=code.strip())}
                     for code in scenario["cells"]]
            server.call("session.close", session=session)
            answers = list(run.answers(name, scenario))
            lines.append(json.dumps({"question": scenario["question"], "cells": cells, "answers": [a.text for a in answers],
                                     "true": [not a.wrong for a in answers]}))
        (PLACE / f"{folder}.jsonl").write_text("\n".join(lines) + "\n")
    server.close()


def replay(program):
    """Judges all answers; their numbers are in SET.out, what was weighed in SET.items and SET.steps."""
    subprocess.run(["make", "-s", "-C", ROOT, f"build/provenance/{program}"], check=True)
    for folder in SETS:
        with open(PLACE / f"{folder}.out", "w") as out:
            subprocess.run([PLACE / program, PLACE / f"{folder}.jsonl", PLACE / f"{folder}.items", PLACE / f"{folder}.steps"],
                           stdout=out, check=True)


def sizes():
    return json.loads(subprocess.run([PLACE / "replay"], stdout=subprocess.PIPE, text=True).stdout)


def read_items(folder, size, terms):
    """{(scenario, answer, start): (features, terms of each item, whether it reads like the claim)}"""
    data = np.fromfile(PLACE / f"{folder}.items", dtype=np.float32)
    ints, at, found = data.view(np.int32), 0, {}
    while at < len(data):
        scenario, answer, start, _, count, _ = ints[at:at + 6]
        at += 6
        features = data[at:at + size["features"]]
        at += size["features"]
        items = np.zeros((0, size["items"] + 1))
        if terms:
            items = data[at:at + count * (size["items"] + 1)].reshape(count, size["items"] + 1)
            at += items.size
        found[int(scenario), int(answer), int(start)] = features, items[:, :-1], items[:, -1] > 0
    return found


def read_steps(folder, size):
    data = np.fromfile(PLACE / f"{folder}.steps", dtype=np.float32)
    ints, at, found = data.view(np.int32), 0, {}
    while at < len(data):
        scenario, answer, start, hits, misses, all_misses = ints[at:at + 6]
        at += 6
        rows = data[at:at + (hits + misses) * size["steps"]].reshape(hits + misses, size["steps"])
        at += rows.size
        found[int(scenario), int(answer), int(start)] = rows, hits, all_misses / misses
    return found


def judged():
    """The answers of each set with what the rules say to their numbers."""
    found = {}
    for folder in SETS:
        lines = (PLACE / f"{folder}.out").read_text().splitlines()
        found[folder] = []
        for n, ((name, scenario), line) in enumerate(zip(run.scenarios(folder).items(), lines)):
            for k, (answer, claims) in enumerate(zip(run.answers(name, scenario), json.loads(line))):
                answer.claims = claims
                answer.key = folder, n, k
                found[folder].append(answer)
    return found


def folds(answers):
    scenarios = sorted({answer.key[:2] for folder in SETS for answer in answers[folder]})
    order = np.random.default_rng(0).permutation(len(scenarios))
    return {scenarios[p]: i % FOLDS for i, p in enumerate(order)}


# --- weights of a softmax ---

class Choices:
    """Of each claim, rows of terms, which of them are right, and how many rows each stands for."""

    def __init__(self, choices):
        self.terms = vstack([csr_matrix(terms, dtype=float) for terms, _, _ in choices]).tocsr()
        self.right = np.concatenate([right for _, right, _ in choices]).astype(float)
        self.log = np.log(np.concatenate([times for _, _, times in choices]))
        self.count = np.array([len(terms) for terms, _, _ in choices])
        self.start = np.r_[0, np.cumsum(self.count)[:-1]]

    def loss(self, weights, penalty):
        score = self.terms @ weights + self.log
        e = np.exp(score - np.repeat(np.maximum.reduceat(score, self.start), self.count))
        total, right = np.add.reduceat(e, self.start), np.add.reduceat(e * self.right, self.start)
        slope = self.terms.T @ (e / np.repeat(total, self.count) - e * self.right / np.repeat(right, self.count))
        return -np.log(right / total).sum() + penalty * weights @ weights, slope + 2 * penalty * weights


def fit_choices(choices, penalty):
    data = Choices(choices)
    return minimize(data.loss, np.zeros(data.terms.shape[1]), args=(penalty,), jac=True, method="L-BFGS-B",
                    options={"maxiter": 300}).x


def cross_validate(name, choices, fold, penalty):
    losses = []
    for k in range(FOLDS):
        weights = fit_choices([c for c, f in zip(choices, fold) if f != k], penalty)
        held_out = [c for c, f in zip(choices, fold) if f == k]
        losses.append(Choices(held_out).loss(weights, 0)[0] / len(held_out))
    print(f"{name}: {len(choices)} claims, loss of those left out {np.mean(losses):.3f}", flush=True)


def fit_linear(answers, fold_of):
    size = sizes()
    items, item_fold, steps, step_fold = [], [], [], []
    for folder in SETS:
        shown, combined = read_items(folder, size, True), read_steps(folder, size)
        for answer in answers[folder]:
            for claim in answer.claims if not answer.wrong else []:
                key = (*answer.key[1:], claim["start"])
                if key not in shown:
                    continue
                _, terms, right = shown[key]
                if right.any() and not right.all():
                    items.append((terms, right, np.ones(len(terms))))
                    item_fold.append(fold_of[answer.key[:2]])
                if key in combined and not right.any():
                    rows, hits, times = combined[key]
                    steps.append((rows, np.arange(len(rows)) < hits, np.where(np.arange(len(rows)) < hits, 1, times)))
                    step_fold.append(fold_of[answer.key[:2]])
    cross_validate("shown", items, item_fold, 2.0)
    cross_validate("combined", steps, step_fold, 0.4)
    return fit_choices(items, 2.0), fit_choices(steps, 0.4)


# --- trees ---

def flat(tree, scale):
    """A tree of sklearn as a full one: features, bounds, leaves."""
    nodes = 2 ** DEPTH - 1
    t, features, bounds, leaves = tree.tree_, [0] * nodes, [0.0] * nodes, [0.0] * (nodes + 1)

    def walk(node, at):
        if at >= nodes:
            leaves[at - nodes] = scale * float(t.value[node][0][0])
        elif t.children_left[node] < 0:
            walk(node, 2 * at + 1)
            walk(node, 2 * at + 2)
        else:
            features[at], bounds[at] = int(t.feature[node]), float(t.threshold[node])
            walk(t.children_left[node], 2 * at + 1)
            walk(t.children_right[node], 2 * at + 2)

    walk(0, 0)
    return features, bounds, leaves


class Claims:
    """The features of all claims, which are wrong, and which of them say something: those of true answers and the wrong ones."""

    def __init__(self, answers, fold_of):
        size = sizes()
        rows, self.refs = [], []
        for folder in SETS:
            shown = read_items(folder, size, False)
            for answer in answers[folder]:
                places = answer.places() if answer.wrong else []
                for claim in answer.claims:
                    key = (*answer.key[1:], claim["start"])
                    wrong = any(claim["start"] < end and start < claim["end"] for start, end in places)
                    if key in shown:
                        rows.append(shown[key][0])
                        self.refs.append((answer, claim, wrong))
        self.features = np.array(rows)
        self.right = np.array([not wrong for _, _, wrong in self.refs])
        self.says = np.array([wrong or not answer.wrong for answer, _, wrong in self.refs])
        self.fold = np.array([fold_of[answer.key[:2]] for answer, _, _ in self.refs])

    def fit(self, chosen):
        return GradientBoostingClassifier(**TREES).fit(self.features[chosen & self.says], self.right[chosen & self.says])

    def cross_validate(self):
        trust = np.zeros(len(self.right))
        for k in range(FOLDS):
            trust[self.fold == k] = self.fit(self.fold != k).predict_proba(self.features[self.fold == k])[:, 1]
        return trust


def totals(answers, folders):
    chosen = [answer for folder in folders for answer in answers[folder]]
    parts = ([a.good() for a in chosen if not a.wrong], [a.good() for a in chosen if a.wrong], run.pairs(chosen))
    return "true {:5.1f}  wrong {:5.1f}  pairs {:5.1f}".format(*(100 * np.mean(part) for part in parts))


def table(answers):
    for folders in [[folder] for folder in SETS] + [["chat", "reports"], ["natural", "chat", "reports"]]:
        print(f"    {' + '.join(folders):24} {totals(answers, folders)}")


def bounds():
    """The bounds of decide.c: of trust in what was shown, in what follows, and of doubt."""
    text = (WEIGHTS.parent / "decide.c").read_text()
    return [float(re.search(rf"#define {name} ([\d.]+)", text)[1]) for name in ("TRUSTED", "FOLLOWS", "DOUBTED")]


def show(answers, claims, trust, trusted, follows, doubted):
    before = [claim["verdict"] for _, claim, _ in claims.refs]
    for (_, claim, _), sure, verdict, features in zip(claims.refs, trust, before, claims.features):
        shown = features[MATCHES] > 0
        accepted = sure >= (trusted if shown else follows) if verdict in run.FLAGS else sure >= doubted
        claim["verdict"] = "grounded" if accepted else "unverified"
    print(f"scenarios that were left out, with bounds {trusted}, {follows} and {doubted}:")
    table(answers)
    for (_, claim, _), verdict in zip(claims.refs, before):
        claim["verdict"] = verdict


# --- writing ---

def literal(value, digits=6):
    word = f"{value:.{digits}g}"
    return word + ("f" if any(mark in word for mark in ".e") else ".0f")


def numbers(values):
    lines = []
    for value in values:
        if lines and len(lines[-1]) < 88:
            lines[-1] += f" {literal(value)},"
        else:
            lines.append(f"    {literal(value)},")
    return "\n".join(lines)


def write(item_weights, combine_weights, model):
    trees, base = [], 0.0
    if model is not None:
        base = float(np.log(model.init_.class_prior_[1] / model.init_.class_prior_[0]))
        trees = [flat(tree[0], model.learning_rate) for tree in model.estimators_]
    rows = ["    {{{%s},\n     {%s},\n     {%s}}}," % tuple(", ".join(words) for words in (
        [str(f) for f in features], [literal(b, 8) for b in bounds], [literal(x, 5) for x in leaves]))
            for features, bounds, leaves in trees] or ["    {{0}, {0}, {0}},"]
    rows = [row.replace("{{{", "{{").replace("}}},", "}},") for row in rows]
    WEIGHTS.write_text(f"""/* Made by tests/provenance/fit.py: what speaks how much for a number of an answer. */
#include "agent/ground/decide.h"

/* clang-format off */
const float item_weights[ITEM_TERMS] = {{
{numbers(item_weights)}
}};

const float combine_weights[COMBINE_TERMS] = {{
{numbers(combine_weights)}
}};

const float decide_base = {base:.6f}f;
const struct tree decide_trees[] = {{
{chr(10).join(rows)}
}};
const size_t decide_tree_count = {len(trees)};
""")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="run the scenarios again")
    parser.add_argument("--only-trees", action="store_true", help="keep the other weights")
    options = parser.parse_args()
    if options.record or not (PLACE / f"{SETS[-1]}.jsonl").exists():
        record()
    if not options.only_trees:
        write([0], [0], None)  # there may be other terms now
        replay("replay-terms")
        subprocess.run(["make", "-s", "-C", ROOT, "build/provenance/replay"], check=True)
        answers = judged()
        item_weights, combine_weights = fit_linear(answers, folds(answers))
        np.savez(PLACE / "linear.npz", item=item_weights, combine=combine_weights)
    linear = np.load(PLACE / "linear.npz")
    write(linear["item"], linear["combine"], None)
    replay("replay")
    answers = judged()
    claims = Claims(answers, folds(answers))
    print("the rules alone:")
    table(answers)
    trust = claims.cross_validate()
    show(answers, claims, trust, *bounds())
    write(linear["item"], linear["combine"], claims.fit(np.ones(len(claims.right), bool)))


if __name__ == "__main__":
    sys.exit(main())
