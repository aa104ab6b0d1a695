"""What has one list (src/base/limits.def, src/wire/frames.def) is the same wherever it is said again."""
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FRAMES = re.findall(r"^(FRAME|TAG)\((\w+), (\d+), ", (ROOT / "src/wire/frames.def").read_text(), re.MULTILINE)
LIMITS = re.findall(r"^LIMIT_(\w+) *\((\w+), \w+, (?:([KM])IB, )?(\d+)", (ROOT / "src/base/limits.def").read_text(), re.MULTILINE)


def test_there_are_frames_and_limits():
    assert len(FRAMES) >= 49 and len(LIMITS) >= 10


def numbers_of_python():
    scope = {}
    text = (ROOT / "guest/python/channel.py").read_text()
    exec("\n".join(re.findall(r"^[A-Z][A-Z_, ]*= range\(.*\)$", text, re.MULTILINE)), scope)
    return {name: number for name, number in scope.items() if isinstance(number, int)}


def test_python_has_every_number():
    assert numbers_of_python() == {("F_" if kind == "TAG" else "") + name: int(number) for kind, name, number in FRAMES}


def test_javascript_has_no_other_number():
    text = (ROOT / "guest/node/channel.js").read_text()
    lists = dict(re.findall(r"^const (TYPE|F) = \{(.*?)\};$", text, re.MULTILINE | re.DOTALL))
    frames, tags = (re.findall(r"([A-Z_]+): (\d+)", lists[name]) for name in ("TYPE", "F"))
    assert len(frames) >= 4 and len(tags) >= 13
    assert {("FRAME", *each) for each in frames} | {("TAG", *each) for each in tags} <= set(FRAMES)


def told(kind, unit, usual):
    """The default as the manual writes it."""
    if kind == "TIME":
        return "30 min" if usual == "1800" else f"{usual} s"
    return f"{usual} {unit}iB" if unit else f"{int(usual):,}"


@pytest.mark.parametrize(("kind", "name", "unit", "usual"), LIMITS)
def test_the_manual_tells_the_default(kind, name, unit, usual):
    assert re.search(rf"^{name}\|[^|]*\|{re.escape(told(kind, unit, usual))}$", (ROOT / "man/retort.h.3").read_text(), re.MULTILINE)


def test_help_tells_the_default(retort):
    text = retort.run("run", "--help").stdout.decode()
    shown = [(name, usual) for _, name, _, usual in LIMITS if f"--{name} " in text]
    assert len(shown) == 6
    for name, usual in shown:
        assert re.search(rf"--{name} .*\({usual}[);]", text), name
