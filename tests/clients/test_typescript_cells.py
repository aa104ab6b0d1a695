"""Cells in TypeScript, with a Node that strips types, and without one."""
import dataclasses
import pathlib
import sys

import rpc

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))
from surroundings import OTHER_USR, as_root  # noqa: E402


def cell(session, code, language="typescript"):
    return session.server.call("session.execute", session=session.id, code=code, language=language)


@as_root
def test_types_are_stripped(light_caller, node, tmp_path):
    """Of Node 22 in the place of the system's: state, values, lines of errors, what has no meaning without types, and a second interpreter."""
    script = OTHER_USR + f"rm -f /usr/bin/node; cp {node} /usr/bin/node; chmod 755 /usr/bin/node\nshift\nexec \"$@\""
    prefix = ("unshare", "--mount", "--propagation", "private", "sh", "-ec", script, "sh", str(tmp_path))
    server = rpc.Server(dataclasses.replace(light_caller, prefix=prefix))
    try:
        session = server.session()
        made = cell(session, "interface Point { x: number; y?: string }\nconst p: Point = { x: 20 };\n"
                             "function twice<T extends number>(n: T): number { return 2 * (n as number) }\ntwice(p.x) + 2")
        assert (made["status"], made["value"]["text/plain"]) == ("ok", "42"), made["error"] or made["stderr"]
        assert cell(session, "p.x", "javascript")["value"]["text/plain"] == "20"
        wrong = cell(session, "type Name = string;\nlet n: Name = 'a';\nnull!.size")
        assert (wrong["error"]["name"], wrong["error"]["line"]) == ("TypeError", 3)
        refused = cell(session, "enum Colour { Red }")
        assert refused["status"] == "error" and "enum" in refused["error"]["message"]
        assert cell(session, "typeof p", "typescript-2")["value"]["text/plain"] == "'undefined'"
        assert cell(session, "const p: number = 1; p", "typescript-2")["value"]["text/plain"] == "1"
    finally:
        assert server.close() == 0


def test_a_node_that_does_not_is_told_by_name(light):
    server = rpc.Server(light)
    try:
        session = server.session()
        major, minor = map(int, cell(session, "process.versions.node", "javascript")["value"]["text/plain"].strip("'").split(".")[:2])
        error = cell(session, "let x: number = 1")["error"]
        if (major, minor) >= (22, 13):  # it strips types
            assert error is None
        else:
            assert "TypeScript needs a node that strips types, 22.13 or later" in error["message"]
    finally:
        assert server.close() == 0
