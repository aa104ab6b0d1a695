"""Completion in bash, zsh and fish: what is offered is what the program says of itself."""
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "contrib/completions"
LANGUAGES = set(re.findall(r'^(?:INTERPRETER\(\w+, |MODULE\()"(\w+)"', (ROOT / "src/wire/languages.def").read_text(), re.MULTILINE)) - {"perl"}

BASH = r"""
source "$FOLDER/retort.bash"
compopt() { :; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_retort
printf '%s\n' "${COMPREPLY[@]}"
"""
# What zsh would show is shown by its helpers; these print it instead.
ZSH = r"""
_describe() { print -rl -- "${(@P)2%%:*}" }
_files() { print -rl -- *(N) }
_message() { : }
fpath=($FOLDER $fpath)
autoload -Uz _retort
words=("$@") CURRENT=$#
_retort
"""
FISH = r"""
source $FOLDER/retort.fish
complete -C (string join ' ' -- $argv)
"""


@pytest.fixture(scope="module")
def retort(light):
    return light


def offers(retort, shell, *words):
    """What `words`, the last of them unfinished, can become."""
    command = {"bash": ["bash", "--norc", "-c", BASH, "bash"], "zsh": ["zsh", "-f", "-c", ZSH, "zsh"],
               "fish": ["fish", "--no-config", "-c", FISH]}[shell]
    env = retort.environment(PATH=f"{retort.programs}:/usr/bin:/bin", FOLDER=str(FOLDER))
    done = subprocess.run([*command, "retort", *words], env=env, cwd=retort.home, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    found = {line.split("\t")[0] for line in done.stdout.splitlines() if line}
    return {word for word in found if word.startswith(words[-1])}


def said(retort, *words):
    return retort.run(*words).stdout.decode()


def commands(retort):
    return set(re.findall(r"^  ([a-z-]+) +\S", said(retort, "help"), re.MULTILINE))


def options(retort, command):
    heads = re.findall(r"^  (-.*?)(?:  .*)?$", said(retort, command, "--help"), re.MULTILINE)
    return {word for head in heads for word in re.findall(r"(?<!\S)--?[a-z][a-z0-9-]*", head)}


SHELLS = pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])


@SHELLS
def test_commands(retort, shell):
    assert offers(retort, shell, "") == commands(retort)
    assert offers(retort, shell, "ver") == {"verify"}
    assert offers(retort, shell, "help", "") == commands(retort)


@SHELLS
@pytest.mark.few(1)
def test_options_are_those_of_the_help(retort, shell):
    for command in sorted(commands(retort) - {"help"}):
        offered = options(retort, command)
        assert offered
        assert offers(retort, shell, command, "--") == {option for option in offered if option.startswith("--")}


@SHELLS
def test_letters(retort, shell):
    assert offers(retort, shell, "run", "-") == options(retort, "run")


@SHELLS
@pytest.mark.parametrize("option", ["-l", "--language"])
def test_languages(retort, shell, option):
    assert offers(retort, shell, "run", option, "") == LANGUAGES
    assert offers(retort, shell, "review", option, "") == {"python", "sql", "bash"}


@pytest.mark.parametrize("command", ["run", "rpc", "mcp"])
def test_help_and_manual_name_all_languages(retort, command):
    told = re.search(r"--language LANGUAGE +(.*(?:\n {10}.*)*)", said(retort, command, "--help"))[1]
    paragraph = (ROOT / f"man/retort-{command}.1").read_text().partition("\\-\\-language")[2].partition(".TP")[0]
    for text in told, paragraph.partition("\n")[2]:
        assert set(re.findall(r"\w+", text)) & LANGUAGES == LANGUAGES


@SHELLS
def test_files(retort, shell):
    (retort.home / "data.csv").write_text("a\n")
    assert "data.csv" in offers(retort, shell, "run", "da")
    assert "data.csv" in offers(retort, shell, "run", "--file", "da")


@SHELLS
def test_sessions(retort, shell):
    session = re.search(r"s_[0-9a-z]+", retort.run("run", "--record", "-c", "1").stderr.decode())[0]
    for command in ("log", "verify", "replay", "export", "forget"):
        assert session in offers(retort, shell, command, "s_")
    assert session in offers(retort, shell, "agent", "--continue", "s_")


@SHELLS
def test_a_value_that_cannot_be_known(retort, shell):
    assert offers(retort, shell, "run", "--timeout", "") == set()
    assert offers(retort, shell, "nothing", "-") == set()
