"""What a cell gave."""
from __future__ import annotations

import base64
import dataclasses
import html
from typing import Any, Dict, List, Optional, TypedDict

Json = Dict[str, Any]


class CodeError(TypedDict, total=False):
    """An exception of the code: its name, message and traceback, the line, and a hint if there is one."""

    name: str
    message: str
    traceback: str
    line: Optional[int]
    source: Optional[str]
    values: Json
    hint: Optional[str]


class Answer(TypedDict, total=False):
    """What came of an agent's run; agent.run of docs/rpc.md says more of each."""

    session: str
    stop: str
    answer: str
    verified: bool
    provenance: List[Json]
    unproved: List[Json]
    artifacts: List[Json]
    steps: int
    usage: Dict[str, int]
    message: str
    skill: Json


class Info(TypedDict, total=False):
    """What a session is and does: session.info of docs/rpc.md."""

    session: str
    language: str
    cells: int
    running: bool
    account: Json
    state: str
    limits: Json
    isolation: Json
    state_notes: List[str]


class Comparison(TypedDict):
    """Sessions side by side: session.compare of docs/rpc.md."""

    sessions: List[str]
    files: List[Json]
    variables: List[Json]
    same: Dict[str, int]
    last: List[Optional[Json]]
    notes: List[str]


@dataclasses.dataclass(frozen=True)
class Output:
    """A piece of text that a cell printed."""

    stream: str
    text: str


@dataclasses.dataclass(frozen=True)
class Display:
    """Something shown: representations by MIME type; binary ones in base64."""

    mime: Dict[str, str]

    def data(self, mime: str) -> bytes:
        """One representation as bytes."""
        text = self.mime[mime]
        return text.encode() if mime.startswith("text/") or mime == "image/svg+xml" else base64.b64decode(text)

    def _repr_html_(self) -> str:
        for kind in ("text/html", "image/svg+xml"):
            if kind in self.mime:
                return self.mime[kind]
        for kind in ("image/png", "image/jpeg"):
            if kind in self.mime:
                return f'<img src="data:{kind};base64,{self.mime[kind]}">'
        return f"<pre>{html.escape(self.mime.get('text/plain', ''))}</pre>"


@dataclasses.dataclass(frozen=True)
class File:
    """A file under /work; `change` is created, modified or deleted where it belongs to a result."""

    path: str
    size: int = 0
    mime: Optional[str] = None
    sha256: Optional[str] = None
    change: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Plot:
    """A figure, with the numbers it shows."""

    path: Optional[str] = None
    size: int = 0
    title: str = ""
    chart: Json = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Dataframe:
    """A dataframe in scope; `change` is new, changed or same."""

    name: str
    repr: str = ""
    shape: List[int] = dataclasses.field(default_factory=list)
    columns: List[Json] = dataclasses.field(default_factory=list)
    change: str = ""


def _known(kind: type, data: Json) -> Json:
    """The members that a class has: results may have more."""
    names = kind.__dataclass_fields__  # type: ignore[attr-defined]
    return {name: value for name, value in data.items() if name in names}


class Result:
    """The result of a cell (schema retort.result/1). `raw` has every field; the rest is for convenience."""

    def __init__(self, raw: Json) -> None:
        self.raw = raw
        self.session: str = raw["session"]
        self.cell: int = raw["cell"]
        self.status: str = raw["status"]
        self.stdout: str = raw.get("stdout", "")
        self.stderr: str = raw.get("stderr", "")
        self.error: Optional[CodeError] = raw.get("error")
        self.state: str = raw.get("state", "kept")
        self.flags: List[str] = raw.get("flags", [])
        self.resources: Json = raw.get("resources", {})
        self.isolation: Json = raw.get("isolation", {})
        self.displays = [Display(display["mime"]) for display in raw.get("displays", [])]
        self.files = [File(**_known(File, file)) for file in raw.get("files", [])]
        self.plots = [Plot(**_known(Plot, plot)) for plot in raw.get("plots", [])]
        self.dataframes = [Dataframe(**_known(Dataframe, frame)) for frame in raw.get("dataframes", [])]

    @property
    def ok(self) -> bool:
        """Whether the cell ended as it should."""
        return self.status == "ok"

    @property
    def value(self) -> Optional[str]:
        """The value of the last expression, as text; None if there was none."""
        value = self.raw.get("value")
        return value.get("text/plain") if value else None

    @property
    def images(self) -> List[bytes]:
        """All figures and pictures shown, as PNG."""
        return [display.data("image/png") for display in self.displays if "image/png" in display.mime]

    def __str__(self) -> str:
        parts = [self.stdout, self.stderr, self.value or "", self.error.get("traceback", "") if self.error else ""]
        return "\n".join(part.rstrip("\n") for part in parts if part)

    def __repr__(self) -> str:
        return f"<retort.Result cell={self.cell} status={self.status!r} value={self.value!r}>"

    def _repr_html_(self) -> str:
        value = self.raw.get("value")
        blocks = [f"<pre>{html.escape(text)}</pre>" for text in (self.stdout, self.stderr) if text]
        blocks += [display._repr_html_() for display in self.displays]
        if value:
            blocks.append(Display(value)._repr_html_())
        if self.error:
            text = str(self.error.get("traceback") or self.error.get("message", ""))
            blocks.append(f"<pre>{html.escape(text)}</pre>")
        return "\n".join(blocks)
