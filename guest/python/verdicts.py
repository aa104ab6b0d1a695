"""Verdicts on programs, for a host that puts files into the session and takes the verdict out of it."""
import json


def check():
    from . import dataflow

    return judged(lambda: dataflow.analyse(content("program"), loaded("tools.json")), dataflow.BadPolicy)


def judged(judge, mistake):
    """Writes the verdict, or what was wrong with the question."""
    try:
        verdict = judge()
    except mistake as e:
        verdict = {"error": str(e)}
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
