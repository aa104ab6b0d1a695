"""retort check-answer and session.check: the numbers of any answer, held against what ran in a recorded session."""
import json

import pytest
import rpc

CODE = """
import pandas as pd
df = pd.DataFrame({"region": ["North", "South", "West"], "sales": [64661.15, 58893.41, 51002.30]}).set_index("region")
print(df)
print("mean sales:", round(df.sales.mean(), 2))
print("median sales:", df.sales.median())
"""
TRUE = "North earned 64,661.15, 5,767.74 more than South. The mean is 58,185.62."
WRONG = "South earned 64,661.15. The mean is 58,893.41, and nobody knows of 7,123.9."


@pytest.fixture
def session(caller):
    done = caller.run("run", "--record", "-c", CODE)
    assert done.returncode == 0, done.stderr
    identifier = next(word for word in done.stderr.decode().split() if word.startswith("s_"))

    def check(answer, *arguments):
        return caller.run("check-answer", "--session", identifier, "--answer", "-", *arguments, input=answer.encode())
    return check


def test_true_numbers_are_accepted_with_their_proof(session):
    done = session(TRUE)
    assert done.returncode == 0, done.stdout
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("64,661.15: grounded, by meaning: ran: 64661.15 in cell 1")
    assert lines[1] == "5,767.74: derived: follows: 64661.15 - 58893.41 = 5767.74"


def test_wrong_numbers_are_flagged_by_what_is_wrong(session):
    done = session(WRONG, "--json")
    assert done.returncode == 3
    report = json.loads(done.stdout)
    assert (report["accepted"], report["flags"]) == (False, 3)
    assert [number["verdict"] for number in report["numbers"]] == ["mismatch", "mismatch", "unverified"]


def test_the_same_over_rpc(new_caller):
    server = rpc.Server(new_caller("user"))
    made = server.session()
    made.run(CODE)
    assert server.call("session.check", session=made.id, answer=TRUE)["accepted"]
    assert server.call("session.check", session=made.id, answer=WRONG)["flags"] == 3
    made.close()
    assert server.close() == 0


def test_what_cannot_be_checked_is_said(caller):
    done = caller.run("check-answer", "--session", "s_none", "--answer", "-", input=b"")
    assert done.returncode == 125
