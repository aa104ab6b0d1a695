"""retort mcp install: what it shows and writes for each client, and what it leaves alone."""
import json
import os
import tomllib

import pytest

FILES = {"claude": ".claude.json", "codex": ".codex/config.toml", "vscode": ".config/Code/User/mcp.json", "cursor": ".cursor/mcp.json",
         "gemini": ".gemini/settings.json"}
MEMBERS = {"claude": "mcpServers", "codex": "mcp_servers", "vscode": "servers", "cursor": "mcpServers", "gemini": "mcpServers"}
OTHERS = {"json": '{"theme": "dark", "%s": {"other": {"command": "x"}}, "last": 1.5}\n',
          "toml": 'model = "m" # mine\n\n[mcp_servers.other]\ncommand = "x"\n\n[tui]\ntheme = "dark"\n'}

every_client = pytest.mark.parametrize("client", FILES)


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def install(light, home, *words, status=0, **environment):
    done = light.run("mcp", "install", *words, env={"HOME": str(home), "XDG_CONFIG_HOME": "", **environment})
    assert done.returncode == status, done.stderr
    return (done.stdout if status == 0 else done.stderr).decode()


def parsed(path):
    return (tomllib.loads if path.suffix == ".toml" else json.loads)(path.read_text())


def others(client):
    return OTHERS["toml"] if client == "codex" else OTHERS["json"] % MEMBERS[client]


@every_client
def test_what_is_shown_is_what_is_written(light, home, client):
    path = home / FILES[client]
    shown = install(light, home, client, "--dry-run", "--timeout", "60", "--env", "A=b \"c\"")
    assert shown.startswith(f"{path}:\n") and not path.exists()
    assert install(light, home, client, "--timeout", "60", "--env", "A=b \"c\"") == shown
    server = parsed(path)[MEMBERS[client]]["retort"]
    assert server["command"] == str(light.retort) and server["args"] == ["mcp", "--timeout", "60", "--env", "A=b \"c\""]
    body = shown.partition("\n")[2]
    assert (tomllib.loads if client == "codex" else json.loads)(body) == parsed(path)
    assert path.stat().st_mode & 0o777 == 0o600


@every_client
def test_what_else_is_there_stays(light, home, client):
    path = home / FILES[client]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(others(client))
    path.chmod(0o640)
    before = parsed(path)
    install(light, home, client, "--memory", "100")
    install(light, home, client)  # again: the later one counts
    now = parsed(path)
    assert now[MEMBERS[client]].pop("retort")["args"] == ["mcp"] and now == before
    assert path.stat().st_mode & 0o777 == 0o640 and [*path.parent.glob(path.name + "*")] == [path]
    assert "without retort" in install(light, home, client, "--remove")
    assert parsed(path) == before
    if client == "codex":
        assert path.read_text() == others(client)
    text = path.read_text()
    install(light, home, client, "--remove")  # there is nothing to remove any more
    assert path.read_text() == text


@every_client
def test_nothing_to_remove(light, home, client):
    install(light, home, client, "--remove")
    assert not (home / FILES[client]).exists()


def test_sections_below_that_of_the_server_go_with_it(light, home):
    path = home / FILES["codex"]
    path.parent.mkdir()
    path.write_text('[mcp_servers.retort]\ncommand = "old"\n[mcp_servers.retort.env]\nA = "b"\n[mcp_servers.retorted]\ncommand = "x"\n')
    install(light, home, "codex")
    assert parsed(path)["mcp_servers"]["retorted"] == {"command": "x"}
    assert set(parsed(path)["mcp_servers"]["retort"]) == {"command", "args"}


@pytest.mark.parametrize("text", ["// mine\n{}", "[]", '{"mcpServers": []}', '{"a": 1'])
def test_what_is_not_understood_is_left_alone(light, home, text):
    path = home / FILES["gemini"]
    path.parent.mkdir()
    path.write_text(text)
    assert "cannot be changed" in install(light, home, "gemini", status=125)
    assert path.read_text() == text


def test_a_link_stays_a_link(light, home):
    (home / "dotfiles").mkdir()
    (home / "dotfiles/claude.json").write_text("{}")
    (home / ".claude.json").symlink_to("dotfiles/claude.json")
    install(light, home, "claude")
    assert (home / ".claude.json").is_symlink() and "retort" in (home / "dotfiles/claude.json").read_text()


@pytest.mark.parametrize("client, variable, name", [("claude", "CLAUDE_CONFIG_DIR", ".claude.json"), ("codex", "CODEX_HOME", "config.toml"),
                                                    ("vscode", "XDG_CONFIG_HOME", "Code/User/mcp.json")])
def test_folders_that_the_environment_names(light, home, client, variable, name):
    install(light, home, client, **{variable: str(home / "there")})
    assert (home / "there" / name).exists() and not (home / FILES[client]).exists()


@pytest.mark.parametrize("words, complaint", [((), "which client?"), (("emacs",), "which client?"), (("claude", "--nonsense"), "--nonsense"),
                                              (("claude", "--file", "/none/such"), "/none/such")])
def test_mistakes_are_told(light, home, words, complaint):
    assert complaint in install(light, home, *words, status=125)
    assert os.listdir(home) == []


def test_help(light, home):
    told = install(light, home, "--help")
    assert "claude|codex|vscode|cursor|gemini" in told and "--dry-run" in told and "--timeout" in told
