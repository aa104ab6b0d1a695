"""Verdicts on programs, for a host that puts files into the session and takes the verdict out of it."""
import gc
import json


def check():
    from . import dataflow

    return judged(lambda: dataflow.analyse(content("program"), loaded("tools.json")), dataflow.BadPolicy)


def follow():
    from . import dataflow

    return judged(lambda: dataflow.analyse_cells(json.loads(content("cells.json")), loaded("tools.json")), dataflow.BadPolicy)


def review():
    import os

    from . import review as reviewer

    def judge():
        own = content("rules.json") if os.path.exists("rules.json") else None
        try:
            return reviewer.analyse(content("program"), json.loads(content("options.json")), own)
        except (ValueError, RecursionError) as e:
            raise reviewer.BadRule("no JSON: %s" % e) from None

    return judged(judge, reviewer.BadRule)


def judged(judge, mistake):
    """Writes the verdict, or what is wrong with the question."""
    gc.disable()  # a syntax tree has many objects, none of them in a cycle
    try:
        verdict = judge()
    except mistake as e:
        verdict = {"error": str(e)}
    finally:
        gc.enable()
    with open("verdict.json", "w", encoding="utf-8") as f:
        json.dump(verdict, f)


def content(name):
    with open(name, "rb") as f:
        return f.read()


def loaded(name):
    from .dataflow import BadPolicy

    try:
        return json.loads(content(name))
    except (ValueError, RecursionError) as e:
        raise BadPolicy("no JSON: %s" % e) from None
