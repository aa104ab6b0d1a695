"""Sessions as tools of models, in Python: functions in the style of OpenAI and Anthropic, the tool of tutorials, smolagents'
executor."""
import asyncio
import json
import urllib.request

import pytest

import retort as client
from scripted_model import ANSWER, ScriptedModel
from test_frameworks import CSV, STEPS


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


def ask_openai(url, tool):
    messages = [{"role": "user", "content": "Answer all the questions."}]
    while True:
        said = post(f"{url}/v1/chat/completions", {"model": "m", "messages": messages, "tools": [tool.openai()]})["choices"][0]["message"]
        messages.append(said)
        if not said.get("tool_calls"):
            return said["content"]
        for call in said["tool_calls"]:
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": tool.call(call["function"]["arguments"])})


def ask_anthropic(url, tool):
    messages = [{"role": "user", "content": "Answer all the questions."}]
    while True:
        said = post(f"{url}/v1/messages", {"model": "m", "max_tokens": 100, "messages": messages, "tools": [tool.anthropic()]})["content"]
        messages.append({"role": "assistant", "content": said})
        calls = [block for block in said if block["type"] == "tool_use"]
        if not calls:
            return said[0]["text"]
        messages.append({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call["id"], "content": tool.call(call["input"])} for call in calls]})


@pytest.mark.parametrize("ask", [ask_openai, ask_anthropic])
@pytest.mark.few(1)
def test_three_questions_and_a_chart(engine, ask):
    with client.Session(engine=engine, files={"orders.csv": CSV.read_bytes()}) as session, ScriptedModel(STEPS) as model:
        tool = client.CodeTool(session)
        assert ask(model.url, tool) == ANSWER
        told = ["\n".join(block["text"] for block in step) for step in model.shown]
        assert "10466" in told[0] and "2.2" in told[1] and "KeyError" in told[2] and "unit_cost" in told[2] and "0.39" in told[3]
        assert "margin.png" in told[4] and tool.result.images[0].startswith(b"\x89PNG")


@pytest.mark.parametrize("wrong", ["not JSON", "[]", '{"code": 1}', {}, {"cod": "1"}])
@pytest.mark.few(5)
def test_wrong_arguments_are_told_to_the_model(engine, wrong):
    with client.Session(engine=engine) as session:
        assert "the string `code`" in client.CodeTool(session).call(wrong)


def test_code_interpreter_tool(engine):
    async def main(tool):
        assert not (await tool.run(code="x = 6")).is_error
        good = await tool.run(code="print(x * 7)")
        assert (good.is_error, good.error, json.loads(good.output)) == \
            (False, None, {"stdout": "42\n", "stderr": "", "files": [], "plots": [], "dataframes": []})
        assert json.loads((await tool.run(code="x")).output)["value"] == "6"
        bad = await tool.run(code="1/0")
        assert bad.is_error and "ZeroDivisionError" in bad.error

    with client.CodeInterpreterTool(timeout=20, memory_limit_mb=300, engine=engine) as tool:
        asyncio.run(main(tool))
        made = json.loads(tool.run_sync("import pandas as pd, matplotlib.pyplot as plt\nopen('a.txt', 'w').write('abc')\n"
                                        "df = pd.DataFrame({'a': [1]})\nplt.plot([1, 2])\nplt.show()").output)
        assert made["files"] == [{"path": "a.txt", "size": 3}] and made["dataframes"] == [{"name": "df", "repr": "   a\n0  1"}]
        assert [set(plot) for plot in made["plots"]] == [{"path", "size"}] and made["plots"][0]["size"] > 1000
        tool.reset()
        assert "NameError" in tool.run_sync("x").error


def test_limits_of_the_tool_come_back_as_errors(engine):
    async def main():
        with client.CodeInterpreterTool(timeout=0.3, memory_limit_mb=100, engine=engine) as tool:
            slow = await tool.run(code="while True: pass")
            assert slow.is_error and "Timeout: stopped after 0.3 s" in slow.error
        with client.CodeInterpreterTool(timeout=30, memory_limit_mb=100, engine=engine) as tool:
            large = await tool.run(code="x = bytearray(500_000_000)\nx[::4096] = bytes(len(x[::4096]))")
            assert large.is_error and "memory" in large.error.lower(), large.error

    asyncio.run(main())


def test_a_cancelled_call_of_the_tool_interrupts_the_code(engine):
    async def main():
        with client.CodeInterpreterTool(timeout=100, engine=engine) as tool:
            await tool.run(code="x = 42")
            started, loop = asyncio.Event(), asyncio.get_running_loop()
            stop = engine.listen(tool.session.id, lambda *_: loop.call_soon_threadsafe(started.set))
            task = asyncio.create_task(tool.run(code="print('on', flush=True)\nimport time\nwhile True: time.sleep(0.05)"))
            await started.wait()
            stop()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert json.loads((await tool.run(code="x")).output)["value"] == "42"

    asyncio.run(main())


class Price:
    """A tool as smolagents has them."""

    name = "price"
    description = "Price of an article."
    inputs = {"article": {"type": "string", "description": "its name"}, "amount": {"type": "any", "description": "", "nullable": True}}
    output_type = "number"

    def __call__(self, article, amount=1):
        return {"tea": 9.5}[article] * amount


def test_executor_of_smolagents(engine):
    """What its CodeAgent does with an executor: variables, tools, one call for each step, and a final answer."""
    with client.PythonExecutor(engine=engine) as execute:
        execute.send_variables(variables={"numbers": [1, 2], "text": "it's \\ grün"})
        execute.send_tools({"price": Price(), "final_answer": lambda answer: answer})
        first = execute("print(text)\nnumbers + [price('tea', amount=2)]")
        assert (first.output, first.logs, first.is_final_answer) == ([1, 2, 19.0], "it's \\ grün\n", False)
        with pytest.raises(client.CodeFailed, match="KeyError"):
            execute("print('before')\nprice('coal')")
        assert execute.state["_print_outputs"] == "before\n"
        last = execute("print('done')\nfinal_answer({'sum': sum(numbers)})\nnumbers = None")
        assert (last.output, last.logs, last.is_final_answer) == ({"sum": 3}, "done\n", True)
        assert execute("numbers").output == [1, 2]  # nothing ran after the answer
        assert execute("final_answer(range(3))").output == "range(0, 3)"
        with pytest.raises(TypeError):
            execute.send_variables({"what": object()})
