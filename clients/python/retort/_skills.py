"""The library of skills of an engine."""
from __future__ import annotations

import base64
import pathlib
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

if TYPE_CHECKING:
    from ._engine import Engine

Json = Dict[str, Any]


class Skills:
    """Code that was reviewed, tested and kept, in versions: `engine.skills`. NAME means the newest healthy version, NAME@VERSION that one.

    >>> from retort import connect
    >>> engine = connect()
    >>> [skill["name"] for skill in engine.skills.list()]
    []
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def list(self) -> List[Json]:
        """All skills, one version of each."""
        found: List[Json] = self._engine.call("skills.list")["skills"]
        return found

    def search(self, words: str) -> List[Json]:
        """Those that fit some words, the best first."""
        found: List[Json] = self._engine.call("skills.search", words=words)["skills"]
        return found

    def show(self, name: str) -> Json:
        """Functions, capabilities, tests, versions and text of one."""
        return self._engine.call("skills.show", name=name)

    def add(self, folder: Union[str, pathlib.Path]) -> Json:
        """Reviews and tests the skill in a folder here, and adds it as the next version of its name."""
        top = pathlib.Path(folder)
        paths = [path for path in sorted(top.rglob("*")) if path.is_file() and not path.is_symlink()]
        files = [{"path": path.relative_to(top).as_posix(), "base64": base64.b64encode(path.read_bytes()).decode()} for path in paths
                 if not any(part.startswith(".") or part == "__pycache__" for part in path.relative_to(top).parts)]
        return self._engine.call("skills.add", files=files)

    def learn(self, session: str, function: Optional[str] = None, *, name: Optional[str] = None,
              description: Optional[str] = None) -> Json:
        """Makes one of a function that ran in a recorded session, with calls of it as its tests."""
        return self._engine.call("skills.learn", session=session, function=function, name=name, description=description)

    def test(self, name: str) -> Json:
        """Runs its tests again, in fresh sealed sessions."""
        return self._engine.call("skills.test", name=name)

    def export(self, name: str, folder: Union[str, pathlib.Path]) -> pathlib.Path:
        """Writes its files into the new folder `folder`/NAME."""
        top = pathlib.Path(folder) / name.partition("@")[0]
        top.mkdir(parents=True)
        for file in self._engine.call("skills.export", name=name)["files"]:
            path = top / file["path"]
            if top.resolve() not in path.resolve().parents:
                raise ValueError(f"{file['path']} does not lie in the skill")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(file["base64"]))
        return top

    def remove(self, name: str) -> None:
        """One version, or without @VERSION all of them."""
        self._engine.call("skills.remove", name=name)
