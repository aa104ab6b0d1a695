"""Frameworks, unmodified from npm, that have a session as their tool: with a scripted model they answer the three questions of the
demonstration, and the model is shown the chart."""
import json
import subprocess

import pytest

from npm import HERE
from programs import blocks
from scripted_model import ANSWER, ScriptedModel

CSV = HERE.parents[1] / "examples/agent/orders.csv"
FRAMEWORKS = ["ai", "langchain", "agents", "mcp"]
STEPS = [("run_code", {"code": code}) for code in (
    "primes = [p for p in range(2, 50) if all(p % d for d in range(2, p))]\nprint('sum of squares', sum(p * p for p in primes))",
    "import numpy as np\nslope, intercept = np.polyfit([1, 2, 3, 4, 5], [2, 4, 5, 4, 5], 1)\nround(intercept, 6)",
    "import pandas as pd\ndf = pd.read_csv('orders.csv')\ndf['margin'] = 1 - df['unit_costs'] / df['unit_price']",
    "df['margin'] = 1 - df['unit_cost'] / df['unit_price']\nprint('mean margin', df['margin'].mean())",
    "import matplotlib.pyplot as plt\ndf.groupby('region')['margin'].mean().plot.bar()\nplt.savefig('margin.png')\nplt.show()",
)]
ENDLESS = [("run_code", {"code": "import time\nended = False\ntry:\n    print('on', flush=True)\n    while True: time.sleep(0.05)\n"
                                 "finally: ended = True"})]


def drive(node, retort, framework, steps, *words):
    """What the program printed, and what the model was shown of each step."""
    with ScriptedModel(steps) as model:
        done = subprocess.run([node, HERE / "frameworks.mjs", framework, model.url, CSV, *words], cwd=HERE, capture_output=True, text=True,
                              timeout=170, check=False,
                              env=retort.environment(RETORT_PROGRAM=str(retort.retort), STEPS=json.dumps(steps)))
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout, model.shown


@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.few(1)
def test_three_questions_and_a_chart(node, retort, framework):
    said, shown = drive(node, retort, framework, STEPS)
    if framework == "mcp":
        shown = [blocks(content) for content in json.loads(said)]
    else:
        assert said.strip() == ANSWER
    told = ["\n".join(block.get("text", "") for block in step) for step in shown]
    assert "10466" in told[0] and "2.2" in told[1] and "KeyError" in told[2] and "unit_cost" in told[2] and "0.39" in told[3]
    assert "margin.png" in told[4]
    assert [block["mime"] for block in shown[4] if block["type"] == "image"] == ["image/png"]


@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.few(1)
def test_an_aborted_call_interrupts_the_cell(node, light, framework):
    said, _ = drive(node, light, framework, ENDLESS, "abort")
    assert said.splitlines() == ["aborted: true", "42 True"]
