"""retort check-answer and session.check: the numbers of any answer, held against what ran in a recorded session."""
import json
import pathlib
import shutil

import pytest
import rpc

ROOT = pathlib.Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.by_turns

CODE = """
import pandas as pd
df = pd.DataFrame({"region": ["North", "South", "West"], "sales": [64661.15, 58893.41, 51002.30]}).set_index("region")
print(df)
print("mean sales:", round(df.sales.mean(), 2))
print("median sales:", df.sales.median())
"""
TRUE = "North earned 64,661.15, 5,767.74 more than South. The mean is 58,185.62."
WRONG = "South earned 64,661.15. The mean is 58,893.41, and nobody knows of 7,123.9."


@pytest.fixture(scope="module")
def session(caller):
    """Checks answers against one recorded session, which stays as it is."""
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


@pytest.fixture(scope="module")
def served(new_caller):
    server = rpc.Server(new_caller("user"))
    yield server
    assert server.close() == 0


@pytest.mark.few
def test_the_same_over_rpc(served):
    made = served.session()
    made.run(CODE)
    assert served.call("session.check", session=made.id, answer=TRUE)["accepted"]
    assert served.call("session.check", session=made.id, answer=WRONG)["flags"] == 3
    made.close()


def test_what_cannot_be_checked_is_said(caller):
    done = caller.run("check-answer", "--session", "s_none", "--answer", "-", input=b"")
    assert done.returncode == 125


# ---- {{expr}} ----

FILLED = "North earned {{df.loc['North', 'sales']:,.0f}}, all of them {{df.sales.sum():,.2f}}."


@pytest.fixture(params=[True, False], ids=["recorded", "not recorded"])
def live(served, request):
    made = served.session(record=request.param)
    assert made.run(CODE)["status"] == "ok"
    made.check = lambda answer, **more: served.call("session.check", session=made.id, answer=answer, **more)
    yield made
    made.close()


def test_expressions_are_filled_in_and_grounded(live):
    report = live.check(FILLED)
    assert report["answer"] == "North earned 64,661, all of them 174,556.86."
    assert report["accepted"]
    assert [(n["text"], n["verdict"], n["expression"]) for n in report["numbers"]] == [
        ("64,661", "grounded", "df.loc['North', 'sales']"), ("174,556.86", "grounded", "df.sales.sum()")]
    assert report["numbers"][0]["reason"] == "filled in by the session: df.loc['North', 'sales'] is 64661"


def test_an_expression_that_is_only_the_number_proves_nothing(live):
    assert [n["verdict"] for n in live.check("They earned {{7123.9}}.")["numbers"]] == ["asserted"]


def test_the_session_with_expressions_stays_as_it_is(live):
    before = live.run("x = [1]; len(x)")["cell"]
    for expression in ("x.append(2) or len(x)", "(x := 5)", "open('/work/left', 'w').write('abc')",
                       "print('shown 4711') or 3", "__import__('os').chdir('/') or 7"):
        live.check("It is {{%s}}." % expression)
    assert not live.check("4711 was shown.")["accepted"]  # nor does what they print prove anything
    after = live.run("import os; print(x, os.path.exists('/work/left'), os.getcwd())")
    assert (after["cell"], after["stdout"]) == (before + 1, "[1] False /work\n")
    sessions = live.server.call("session.list")["sessions"]
    assert [one["session"] for one in sessions] == [live.id]
    assert live.server.call("session.info", session=live.id)["cells"] == before + 1


@pytest.mark.parametrize("expression, said", [
    ("__import__('time').sleep(60)", "took more than 5 seconds"),
    ("__import__('os')._exit(3)", "gave no value"),
    ("nobody", "NameError"),
    ("1 / 0", "ZeroDivisionError"),
    ("final_answer([1, 2, 3])", "gave no value"),
])
def test_what_cannot_be_filled_in_is_refused(live, expression, said):
    with pytest.raises(rpc.Failure) as refused:
        live.check("It is {{%s}}." % expression)
    assert said in str(refused.value)
    assert live.run("df.shape")["value"]["text/plain"] == "(3, 1)"


def test_two_halves_of_expressions_are_none(live):
    report = live.check("It is {{1)]) or final_answer([format((7}}.")
    assert "answer" not in report and not report["accepted"]


@pytest.mark.few
def test_an_answer_with_expressions_on_the_command_line(session):
    done = session(FILLED)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().splitlines()[0] == (
        "64,661: grounded, by meaning: filled in by the session: df.loc['North', 'sales'] is 64661")
    assert done.stdout.decode().splitlines()[-1] == "North earned 64,661, all of them 174,556.86."


# ---- what is held of a session ----

def test_a_check_follows_the_session(live):
    assert not live.check("The maximum is 612.5.")["accepted"]
    live.run("print('maximum:', 2450 / 4)")
    assert live.check("The maximum is 612.5.")["accepted"]
    live.server.call("session.undo", session=live.id, cells=1)
    assert not live.check("The maximum is 612.5.")["accepted"]
    assert live.check(TRUE)["accepted"]


def test_questions_do_not_stay(live):
    told = dict(question="The budget is 8,800 euros. Is it enough?")
    assert live.check("The budget is 8,800 euros.", **told)["accepted"]
    assert not live.check("The budget is 8,800 euros.")["accepted"]


def test_a_branch_has_what_its_parent_showed(live):
    branch = live.server.call("session.branch", session=live.id, count=1)["sessions"][0]
    assert live.server.call("session.check", session=branch, answer=TRUE)["accepted"]
    live.server.call("session.close", session=branch)


def test_flags_come_with_advice(live):
    advice = live.check(WRONG)["advice"].splitlines()
    assert len(advice) == 3 and all(line.startswith("- ") for line in advice)
    assert "advice" not in live.check(TRUE)


# ---- accepted at first try ----

ANALYSES = {
    "primes": (
        "What is the sum of the squares of the primes below 50?",
        "primes = [p for p in range(2, 50) if all(p % d for d in range(2, p))]\nprint('sum of squares', sum(p * p for p in primes))",
        "The sum of the squares of the primes below 50 is 10466."),
    "regression": (
        "Fit the regression of [2, 4, 5, 4, 5] on [1, 2, 3, 4, 5].",
        "import numpy as np\nslope, intercept = np.polyfit([1, 2, 3, 4, 5], [2, 4, 5, 4, 5], 1)\n"
        "print('slope', round(slope, 4), 'intercept', round(intercept, 4))",
        "The slope is 0.6 and the intercept is 2.2."),
    "orders": (
        "Which region has the highest margin?",
        "import pandas as pd\ndf = pd.read_csv('orders.csv')\nprint('orders', len(df))\n"
        "df['margin'] = 1 - df.unit_cost / df.unit_price\nprint(df.groupby('region').margin.mean().round(4))",
        "Of the 47 orders those of the West have the highest average margin, {{df[df.region == 'West'].margin.mean():.1%}}."),
    "summary": (
        None,
        """import pandas as pd
df = pd.read_csv('orders.csv')
df['revenue'] = df.units * df.unit_price
df['margin'] = (df.unit_price - df.unit_cost) / df.unit_price
print('orders:', len(df))
print('total revenue:', round(df.revenue.sum(), 2))
print(df.groupby('region').revenue.agg(['sum', 'mean', 'count']).round(2))
print('median units:', df.units.median())
print('mean margin:', round(df.margin.mean(), 4))
print('largest order:', round(df.revenue.max(), 2))""",
        """There are 47 orders with a total revenue of 30,455.47.
West brought in most, 10,578.54 from 15 orders, followed by East with 7,995.01 from 14 orders.
South has only 7 orders, but the highest mean, 747.58 per order.
The median order has 6 units, the mean margin is 39.9 %, and the largest order was worth 2,262.06."""),
}


@pytest.mark.parametrize("name", ANALYSES)
@pytest.mark.few(1)
def test_a_true_analysis_is_accepted_at_first_try(caller, name):
    question, code, answer = ANALYSES[name]
    orders = shutil.copy(ROOT / "examples/agent/orders.csv", caller.home)  # who may not look into the project has it too
    done = caller.run("run", "--record", "--file", orders, "-c", code)
    assert done.returncode == 0, done.stderr
    session = next(word for word in done.stderr.decode().split() if word.startswith("s_"))
    asked = ("--question", question) if question else ()
    checked = caller.run("check-answer", "--session", session, "--answer", "-", *asked, input=answer.encode())
    assert checked.returncode == 0, checked.stdout
    page = (ROOT / "docs/provenance.md").read_text()
    assert answer in page and checked.stdout.decode() in page  # what the page shows is what came out
