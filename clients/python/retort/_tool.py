"""Sessions in the forms that frameworks for agents want. None of those is imported."""
from __future__ import annotations

import ast
import asyncio
import dataclasses
import json
from typing import Any, Callable, Dict, List, Mapping, Optional, Union

from ._engine import Engine, Error, Json
from ._result import Result
from ._session import Offer, Session, offer_of

PARAMETERS: Json = {"type": "object", "properties": {"code": {"type": "string", "description": "Python code"}},
                    "required": ["code"], "additionalProperties": False}


def _reason(result: Result) -> Optional[str]:
    """Why a cell failed; None if it did not."""
    if result.ok or result.raw.get("exit_code") == 0:
        return None
    if result.error:
        return str(result.error.get("traceback") or result.error.get("message") or result.status)
    return f"the code ended with status {result.status}"


# ---- a function that a model may call ----

class CodeTool:
    """A session as a function that a model may call, for APIs in the style of OpenAI and of Anthropic.

    >>> import retort
    >>> with retort.Session() as s:
    ...     tool = retort.CodeTool(s)
    ...     tool.openai()["function"]["name"], tool.anthropic()["name"]
    ...     tool.call('{"code": "x = 6; print(x * 7)"}')
    ...     tool.call({"code": "x"})
    ('run_code', 'run_code')
    '42'
    '[value]\\n6'
    """

    def __init__(self, session: Session, name: str = "run_code", description: Optional[str] = None) -> None:
        self.session = session
        self.name = name
        self.description = description or (
            "Runs Python code in a sealed session. Variables, imports and files stay between calls. What is printed, the value of "
            "the last expression, errors, changed files and figures come back.")
        self.result: Optional[Result] = None  # of the last call: pictures, files and tables are there

    def openai(self) -> Json:
        """For `tools` of chat completions; its member `function` with a `type` is what the Responses API takes."""
        return {"type": "function", "function": {"name": self.name, "description": self.description, "parameters": PARAMETERS}}

    def anthropic(self) -> Json:
        """For `tools` of messages."""
        return {"name": self.name, "description": self.description, "input_schema": PARAMETERS}

    def call(self, arguments: Union[str, Mapping[str, Any]]) -> str:
        """Runs what the model asks for: its arguments, as JSON or parsed. Text for the model; wrong arguments are told to it."""
        try:
            given = json.loads(arguments) if isinstance(arguments, str) else arguments
            code = given["code"]
        except (ValueError, TypeError, KeyError):
            code = None
        if not isinstance(code, str):
            return "[error]\nthe arguments must be an object with the string `code`"
        self.result = self.session.run(code)
        return _text(self.result)


def _text(result: Result) -> str:
    """A result as a model reads it."""
    reason, hint = _reason(result), (result.error or {}).get("hint")
    parts = [("", result.stdout), ("stderr", result.stderr), ("value", result.value),
             ("error", None if reason and reason.strip() in result.stderr else reason), ("hint", hint),
             ("files", "\n".join(f"{file.path}: {file.change}, {file.size} bytes" for file in result.files))]
    told = [(f"[{title}]\n" if title else "") + text.rstrip() for title, text in parts if text]
    return "\n".join(told) or "[no output]"


# ---- the tool of tutorials ----

@dataclasses.dataclass(frozen=True)
class ToolResult:
    """`output` is a JSON string with stdout, stderr, files, plots and dataframes; `error` is None unless is_error."""

    output: str
    error: Optional[str]
    is_error: bool


_SHOWN = {"files": ("path", "size"), "plots": ("path", "size"), "dataframes": ("name", "repr")}


class CodeInterpreterTool:
    """Runs Python for a model; variables and files stay between calls until close() or reset(). Code written for such tools of
    other libraries moves over by changing the import.

    >>> import asyncio, json, retort
    >>> with retort.CodeInterpreterTool(timeout=30, memory_limit_mb=512) as tool:
    ...     result = asyncio.run(tool.run(code="print(6 * 7)"))
    ...     json.loads(result.output)["stdout"], result.error, result.is_error
    ('42\\n', None, False)
    """

    name = "code_interpreter"
    description = ("Runs Python code in a sealed session. Variables, imports and files stay between calls. "
                   "Returns JSON with stdout, stderr, files, plots and dataframes.")

    def __init__(self, timeout: float = 30, memory_limit_mb: int = 512, *, engine: Optional[Engine] = None) -> None:
        self.timeout = timeout
        self.memory_limit_mb = memory_limit_mb
        self._engine = engine
        self._session: Optional[Session] = None

    @property
    def parameters(self) -> Json:
        """JSON schema of what run() takes."""
        return PARAMETERS

    @property
    def session(self) -> Session:
        """The session behind the tool; made when first needed."""
        if self._session is None:
            self._session = Session(engine=self._engine,
                                    limits={"timeout": self.timeout, "memory": self.memory_limit_mb})
        return self._session

    async def run(self, code: str) -> ToolResult:
        """Runs one piece of code. Never raises for what the code does; time-outs and memory limits are `error`. A task that is
        cancelled interrupts the code."""
        try:
            return await asyncio.to_thread(self.run_sync, code)
        except asyncio.CancelledError:
            await asyncio.shield(asyncio.to_thread(self.session._stop_cell))
            raise

    def run_sync(self, code: str) -> ToolResult:
        """The same for programs without an event loop."""
        try:
            result = self.session.run(code)
        except Error as error:
            return ToolResult(json.dumps({"stdout": "", "stderr": "", **{name: [] for name in _SHOWN}}), str(error), True)
        return self._tool_result(result)

    def _tool_result(self, result: Result) -> ToolResult:
        output: Json = {"stdout": result.stdout, "stderr": result.stderr}
        for name, members in _SHOWN.items():
            output[name] = [{member: one.get(member) for member in members} for one in result.raw.get(name, [])]
        if result.value is not None:
            output["value"] = result.value
        reason = _reason(result)
        return ToolResult(json.dumps(output), reason, reason is not None)

    def reset(self) -> None:
        """Forgets all variables and files."""
        self.close()

    def close(self) -> None:
        """Ends the session."""
        if self._session is not None:
            session, self._session = self._session, None
            session.__exit__()

    def __enter__(self) -> CodeInterpreterTool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# ---- an executor for smolagents ----

class CodeFailed(Exception):
    """A piece of code of a PythonExecutor failed; `result` has the rest."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result


@dataclasses.dataclass
class CodeOutput:
    """What a piece of code gave: the value of its last expression or the final answer, and what it printed."""

    output: Any
    logs: str
    is_final_answer: bool


# The answer leaves by the host tool; nothing after it is run.
_FINAL_ANSWER = """
def final_answer(answer=None):
    import json, tools
    try:
        json.dumps(answer, allow_nan=False)
    except (TypeError, ValueError):
        answer = str(answer)
    tools.final_answer(answer)
    raise type("FinalAnswer", (BaseException,), {})()
"""


class PythonExecutor:
    """An executor with the interface of smolagents, for `CodeAgent(…, executor=retort.PythonExecutor())`: the code runs in a
    session, its tools run here. Takes the options of Session.

    >>> import retort
    >>> with retort.PythonExecutor() as execute:
    ...     execute.send_variables({"numbers": [1, 2, 3]})
    ...     execute.send_tools({"final_answer": lambda answer: answer})
    ...     execute("print('adding'); sum(numbers)")
    ...     execute("final_answer({'sum': sum(numbers)})")
    CodeOutput(output=6, logs='adding\\n', is_final_answer=False)
    CodeOutput(output={'sum': 6}, logs='', is_final_answer=True)
    """

    def __init__(self, **options: Any) -> None:
        self.session = Session(**options)
        self.state: Dict[str, Any] = {"_print_outputs": ""}
        self._answers: List[Any] = []

    def send_tools(self, tools: Mapping[str, Callable[..., Any]]) -> None:
        """Functions that the code calls by their names: tools of smolagents, or plain functions."""
        offers = {name: _offer(one) for name, one in tools.items()}
        if "final_answer" in tools:
            offers["final_answer"] = offer_of(self._take_answer(tools["final_answer"]))
        self.session.offer(offers)
        names = ", ".join(name for name in offers if name != "final_answer")
        self._must((f"from tools import {names}\n" if names else "") + (_FINAL_ANSWER if "final_answer" in tools else ""))

    def _take_answer(self, tool: Callable[..., Any]) -> Callable[[Any], None]:
        def final_answer(answer: Any) -> None:
            self._answers.append(tool(answer))

        return final_answer

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Gives variables to the code. They have to be JSON."""
        text = json.dumps(dict(variables), allow_nan=False)
        self._must(f"import json as _json\nglobals().update(_json.loads({text!r}))\ndel _json")

    def _must(self, code: str) -> Result:
        result = self.session.run(code)
        self.state["_print_outputs"] = result.stdout
        reason = _reason(result)
        if reason is not None and not self._answers:
            raise CodeFailed(reason, result)
        return result

    def __call__(self, code_action: str) -> CodeOutput:
        """Runs one piece of code; one that fails raises CodeFailed."""
        self._answers.clear()
        result = self._must(code_action)
        if self._answers:
            return CodeOutput(self._answers.pop(), result.stdout, True)
        return CodeOutput(_value(result.value), result.stdout, False)

    def cleanup(self) -> None:
        """Ends the session."""
        self.session.__exit__()

    def __enter__(self) -> PythonExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.cleanup()


def _value(text: Optional[str]) -> Any:
    """The value itself where it has a literal form, else its text."""
    try:
        return None if text is None else ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _offer(tool: Callable[..., Any]) -> Offer:
    """A tool of smolagents says by `inputs` what it takes."""
    inputs: Optional[Mapping[str, Json]] = getattr(tool, "inputs", None)
    if inputs is None:
        return offer_of(tool)
    known = {"string", "boolean", "integer", "number", "array", "object"}
    properties = {name: {"type": one["type"]} if one.get("type") in known else {} for name, one in inputs.items()}
    required = [name for name, one in inputs.items() if not one.get("nullable")]
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return offer_of(tool, str(getattr(tool, "description", "")), schema)
