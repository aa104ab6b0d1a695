"""Official MCP clients, unmodified: the TypeScript SDKs of both lines, and the Inspector's command line."""
import json
import subprocess

import pytest

from npm import HERE, MODULES

INSPECTOR = MODULES / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"


@pytest.fixture(scope="session")
def retort(drawing):
    return drawing


def target_of(transport, retort, server):
    return [str(retort.retort), "mcp"] if transport == "stdio" else [server.url + "/mcp"]


THE_OTHER_WAY = pytest.mark.soak("the same client by the other way, and another client by this one")


@pytest.mark.parametrize("client, transport", [("v1", "stdio"), ("v2-legacy", "http"), ("v2-modern", "stdio"), ("v2-modern", "http"), *(
    pytest.param(*one, marks=THE_OTHER_WAY) for one in (("v1", "http"), ("v2-legacy", "stdio")))])
@pytest.mark.few(1)
def test_three_steps_a_plot_progress_and_a_cancellation(node, retort, server, client, transport):
    done = subprocess.run([node, HERE / "drive.mjs", client, transport, *target_of(transport, retort, server)], cwd=HERE,
                          capture_output=True, text=True, timeout=120, check=False, env=retort.environment())
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert {"run_code", "reset", "files"} <= set(seen["tools"])
    first, second, plot, after = seen["steps"]
    assert {step["session"] for step in seen["steps"]} == {first["session"]}
    assert second["value"] == "42" and after["value"] == "20"
    assert any(block.startswith("image image/png") for block in plot["content"])
    assert any("curve.png" in block for block in plot["content"] if block.startswith("resource_link"))
    assert seen["resource_bytes"] > 1000
    assert "running" in seen["progress"] and len(seen["progress"]) >= 2
    assert seen["cancelled"]
    # The endless cell had thirty seconds: it was interrupted, not timed out.
    assert seen["waited_ms"] < 25000


PAYS = "import tools\nfor who in ('ann', 'bob'):\n    try:\n        print(tools.pay(to=who))\n    except tools.ToolError as e:\n        print('refused:', e)"


# What users may answer, with the client that asks them in make check: of each line of the protocol one, and all about what allows a call.
ANSWERS = [({"action": "accept", "content": {"allow": True}}, 2, ("v1", "v2-legacy", "v2-modern")), ({"action": "accept", "content": {"allow": False}}, 0, ("v1",)),
           ({"action": "decline"}, 0, ("v2-legacy",)), ({"action": "cancel"}, 0, ("v2-modern",))]


@pytest.mark.parametrize("client, answer, called", [
    pytest.param(client, answer, called, marks=[] if client in asked else pytest.mark.soak("the same answer by another client"))
    for client in ("v1", "v2-legacy", "v2-modern") for answer, called, asked in ANSWERS])
@pytest.mark.few(1)
def test_users_of_official_clients_allow_calls(node, light, client, answer, called):
    log, tools = light.home / "paid", light.home / "tools.json"
    log.unlink(missing_ok=True)
    tools.write_text(json.dumps({"tools": [{"name": "pay", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}}, "approval": "ask",
                                            "command": ["/bin/sh", "-c", f"cat >> {log}; echo >> {log}; echo paid"]}]}))
    done = subprocess.run([node, HERE / "consent.mjs", client, json.dumps(answer), PAYS, str(light.retort), "mcp", "--tools", tools], cwd=HERE,
                          capture_output=True, text=True, timeout=120, check=False, env=light.environment())
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert len(seen["asked"]) == 2 and '{"to":"bob"}' in seen["asked"][1]
    assert seen["text"].count("refused: ") == 2 - called and len(log.read_text().splitlines() if log.exists() else []) == called, seen


def inspect(node, retort, *arguments):
    """In the caller's surroundings: his server records where he does, and not where whoever runs the tests does."""
    done = subprocess.run([node, INSPECTOR, "--cli", *map(str, arguments)], cwd=HERE, capture_output=True, text=True,
                          timeout=120, check=False, env=retort.environment())
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("era, transport", [("legacy", "http"), ("modern", "stdio"), *(
    pytest.param(*one, marks=THE_OTHER_WAY) for one in (("legacy", "stdio"), ("modern", "http")))])
@pytest.mark.few(1)
def test_inspector_calls_the_tool(node, retort, server, era, transport):
    out = inspect(node, retort, "--protocol-era", era, *target_of(transport, retort, server), "--method", "tools/call", "--tool-name",
                  "run_code", "--tool-arg", "code=6*7")
    answer = json.loads(out)
    assert [block["text"] for block in answer["content"]][:2] == ["[result]", "42"]
    assert "structuredContent" not in answer


def test_inspector_finds_no_fault_in_the_schemas(node, retort):
    inspect(node, retort, retort.retort, "mcp", "--method", "tools/list", "--strict")


# ---- after retort mcp install ----

def installed(retort, home, client, *words):
    done = subprocess.run([retort.retort, "mcp", "install", client, "--timeout", "60", *words], capture_output=True, text=True, check=False,
                          env=retort.environment(HOME=str(home)))
    assert done.returncode == 0, done.stderr


def listed(node, home, program, *words):
    environment = {"HOME": str(home), "PATH": f"{node.parent}:/usr/bin:/bin", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                   "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    done = subprocess.run([node, MODULES / program, "mcp", *words], cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=120, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


CLAUDE, CODEX, GEMINI = "@anthropic-ai/claude-code/cli-wrapper.cjs", "@openai/codex/bin/codex.js", "@google/gemini-cli/bundle/gemini.js"


@pytest.mark.parametrize("client, program, connected", [("claude", CLAUDE, True), ("codex", CODEX, False), ("gemini", GEMINI, True)])
@pytest.mark.few(1)
def test_clients_list_what_was_installed_and_connect_to_it(node, retort, tmp_path, client, program, connected):
    """Codex does not try the servers that it lists."""
    installed(retort, tmp_path, client)
    told = listed(node, tmp_path, program, "list")
    line = next(line for line in told.splitlines() if str(retort.retort) in line)
    assert "retort" in line and "mcp --timeout 60" in line
    assert "onnected" in line or not connected, told
    installed(retort, tmp_path, client, "--remove")
    assert str(retort.retort) not in listed(node, tmp_path, program, "list")


def test_the_client_removes_what_was_installed(node, retort, tmp_path):
    installed(retort, tmp_path, "codex")
    listed(node, tmp_path, CODEX, "remove", "retort")
    assert "retort" not in (tmp_path / ".codex/config.toml").read_text()
