"""A code-interpreter tool as other libraries have it: code written for such tools moves over by changing the import."""
from __future__ import annotations

import dataclasses
import json
from typing import Any, Dict, Optional

from ._engine import Engine, Error
from ._result import Result
from ._session import Session


@dataclasses.dataclass(frozen=True)
class ToolResult:
    """`output` is a JSON string with stdout, stderr, files, plots and dataframes; `error` is None unless is_error."""

    output: str
    error: Optional[str]
    is_error: bool


class CodeInterpreterTool:
    """Runs Python for a model; variables and files stay between calls until close() or reset()."""

    name = "code_interpreter"
    description = ("Runs Python code in a sealed session. Variables, imports and files stay between calls. "
                   "Returns JSON with stdout, stderr, files, plots and dataframes.")

    def __init__(self, timeout: float = 30, memory_limit_mb: int = 512, *, engine: Optional[Engine] = None) -> None:
        self.timeout = timeout
        self.memory_limit_mb = memory_limit_mb
        self._engine = engine
        self._session: Optional[Session] = None

    @property
    def parameters(self) -> Dict[str, Any]:
        """JSON schema of what run() takes."""
        return {"type": "object", "properties": {"code": {"type": "string", "description": "Python code"}},
                "required": ["code"]}

    @property
    def session(self) -> Session:
        """The session behind the tool; made when first needed."""
        if self._session is None:
            self._session = Session(engine=self._engine,
                                    limits={"timeout": self.timeout, "memory": self.memory_limit_mb})
        return self._session

    def run(self, code: str) -> ToolResult:
        """Runs one piece of code. Never raises for what the code does."""
        try:
            return _tool_result(self.session.run(code))
        except Error as error:
            return ToolResult(json.dumps(_EMPTY), str(error), True)

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


_EMPTY: Dict[str, Any] = {"stdout": "", "stderr": "", "files": [], "plots": [], "dataframes": []}


def _tool_result(result: Result) -> ToolResult:
    output = {name: result.raw.get(name, empty) for name, empty in _EMPTY.items()}
    output["value"] = result.value
    failed = not result.ok and result.raw.get("exit_code") != 0
    return ToolResult(json.dumps(output), _reason(result) if failed else None, failed)


def _reason(result: Result) -> str:
    if result.error:
        return str(result.error.get("traceback") or result.error.get("message") or result.status)
    return f"the code ended with status {result.status}"
