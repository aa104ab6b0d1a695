"""Run code in sealed, stateful interpreters.

    import retort

    with retort.Session() as s:
        s.run("x = 20")
        r = s.run("x + 22")
        print(r.value)                      # 42
        for event in s.stream("for i in range(3): print(i)"):
            print(event)                    # output as it happens, the Result last
        s.write("data.csv", b"a,b\\n1,2\\n")
        print(s.files())
        s.undo()                            # back to before the last cell
        left, right = s.branch(2)           # two sessions from the same live state
        s.agent("What is the sum of x?")    # a model writes code here; its numbers are checked

        @s.tool
        def price(article: str) -> float:   # code in the session may call tools.price("tea")
            return 9.5

A Session talks to the engine that is given to it, to the server that RETORT_URL (with RETORT_TOKEN) or RETORT_SOCKET names, or
to a private engine (the program `retort`, found by RETORT_PROGRAM or on the PATH). All sessions of a process share that engine,
which is started with the first of them and ends with the process; one that has died is replaced, and its recorded sessions come
back with their next call. Only the call that was under way raises retort.Gone, and those to sessions that cannot come back.

Ctrl-C while a cell runs interrupts that cell and raises KeyboardInterrupt; the session goes on. AsyncSession is the same for
asyncio.

Every failure of a request is a retort.Error; a cell that fails is not: look at Result.status, Result.ok, Result.error.
"""
from ._async import AsyncBranches, AsyncSession
from ._engine import Engine, Error, Gone, NotFound, connect
from ._result import Answer, CodeError, Comparison, Dataframe, Display, File, Info, Output, Plot, Result
from ._session import Branches, Session
from ._session import Event as Event
from ._skills import Skills
from ._tool import CodeFailed, CodeInterpreterTool, CodeOutput, CodeTool, PythonExecutor, ToolResult

__all__ = [
    "Answer",
    "AsyncBranches",
    "AsyncSession",
    "Branches",
    "CodeError",
    "CodeFailed",
    "CodeInterpreterTool",
    "CodeOutput",
    "CodeTool",
    "Comparison",
    "Dataframe",
    "Display",
    "Engine",
    "Error",
    "File",
    "Gone",
    "Info",
    "NotFound",
    "Output",
    "Plot",
    "PythonExecutor",
    "Result",
    "Session",
    "Skills",
    "ToolResult",
    "connect",
]
__version__ = "0.1.0"
