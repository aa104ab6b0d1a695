"""WebAssembly skills: modules that are held against skill.json, compiled in a sealed session, and called in a fresh instance
each time, in a session of their own."""
import base64
import concurrent.futures
import json
import multiprocessing
import os
import random
import re
import struct
import subprocess

import pytest
import rpc
import skillsets
from test_check import guest

by_turns = pytest.mark.by_turns
HEAD = "---\nname: %s\ndescription: About %s.\n---\n"
ADD = '(module (func (export "f") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))'
SUMS = [{"in": {"a": 1, "b": 2}, "out": 3}, {"in": {"a": -1, "b": 0}, "out": -1}]
TWO = {"f": {"parameters": ["a", "b"]}}
ONE = {"f": {"parameters": ["x"]}}
SAME = [{"in": {"x": 1}, "out": 1}, {"in": {"x": 2}, "out": 2}]
WASI = "wasi_snapshot_preview1."


@pytest.fixture(scope="module")
def server(light_caller):
    running = rpc.Server(light_caller)
    yield running
    assert running.close() == 0


def files(name, code, code_name="skill.wat", **manifest):
    whole = {"functions": TWO, "tests": SUMS, **manifest}
    sent = {"base64": base64.b64encode(code).decode()} if isinstance(code, bytes) else {"text": code}
    return [{"path": "SKILL.md", "text": HEAD % (name, name)}, {"path": code_name, **sent}, {"path": "skill.json", "text": json.dumps(whole)}]


@pytest.fixture
def calls(server):
    """calls(code, …): a session with this skill, as m.f."""
    made = []

    def make(code, name="m", **given):
        server.call("skills.add", files=files(name, code, **given))
        made.append((name, server.session(skills=[name])))
        assert made[-1][1].run(f"from skills import {name}")["status"] == "ok"
        return made[-1][1]

    yield make
    for name, session in made:
        session.close()
        server.call("skills.remove", name=name)


def ends(session, code, **limits):
    result = session.run(code, **limits)
    return result["status"], (result["error"] or {}).get("message", "")


# ---- the format, as bytes -----------------------------------------------------------------------------------------------

def module(*sections):
    return b"\0asm\1\0\0\0" + b"".join(bytes([kind]) + guest("wasm").number(len(body)) + body for kind, body in sections)


def nested(depth):
    """f of a module with so many blocks in one another."""
    body = b"\0" + b"\x02\x40" * depth + b"\x0b" * depth + b"\x20\0\x0b"
    code = guest("wasm").number(len(body)) + body
    return module((1, b"\1\x60\1\x7f\1\x7f"), (3, b"\1\0"), (7, b"\1\1f\0\0"), (10, b"\1" + code))


# ---- what is refused ----------------------------------------------------------------------------------------------------

MANY = "(module " + '(func (export "f") (param i32 i32) (result i32) i32.const 0)' + "(func)" * 100000 + ")"
IMPORTS = '(module (import "wasi_snapshot_preview1" "%s" (func %s)) (memory 1 1) (func (export "f") (param i32 i32) (result i32) i32.const 0))'
CASES = {  # what is added, what is said
    "undeclared import": ({"code": IMPORTS % ("fd_write", "(param i32 i32 i32 i32) (result i32)")},
                          "the module imports wasi_snapshot_preview1.fd_write, and skill.json does not declare it"),
    "declared only": ({"imports": [WASI + "fd_write"]}, "which the module does not have"),
    "no such function": ({"code": IMPORTS.replace("wasi_snapshot_preview1", "env") % ("system", "(param i32) (result i32)"),
                          "imports": ["env.system"]}, "imports env.system, which no host function is"),
    "another type": ({"code": IMPORTS % ("fd_write", "(param i64)"), "imports": [WASI + "fd_write"]}, "with another type"),
    "undeclared clock": ({"code": IMPORTS % ("clock_time_get", "(param i32 i64 i32) (result i32)"), "imports": [WASI + "clock_time_get"]},
                         "needs the capability clock"),
    "imported memory": ({"code": '(module (import "env" "memory" (memory 1 1)))'}, "only functions can be imported"),
    "memory without maximum": ({"code": ADD.replace("(func", "(memory 1) (func", 1)}, "memory has no maximum"),
    "more memory than declared": ({"code": ADD.replace("(func", "(memory 1 9) (func", 1), "limits": {"pages": 8}}, "may have 9 pages, and skill.json allows 8"),
    "huge table": ({"code": ADD.replace("(func", "(table 4000000000 funcref) (func", 1)}, "more than 100000 table elements"),
    "many functions": ({"code": MANY}, "more than 10000 functions"),
    "deep text": ({"code": "(module (func " + "(block " * 100000 + ")" * 100000 + "))"}, "wat2wasm refuses it"),
    "deep blocks": ({"code": nested(200000), "code_name": "skill.wasm", "functions": ONE, "tests": SAME}, "refuses it"),
    "no module": ({"code": b"\x7fELF" + bytes(100), "code_name": "skill.wasm"}, "this is no WebAssembly module"),
    "half a module": ({"code": nested(1)[:-4], "code_name": "skill.wasm"}, "the module ends too early"),
    "endless number": ({"code": module((1, b"\xff" * 9)), "code_name": "skill.wasm"}, "a number that is too long"),
    "types of nothing": ({"code": module((3, b"\1\7")), "code_name": "skill.wasm"}, "a function of no type"),
    "invalid code": ({"code": module((1, b"\1\x60\1\x7f\1\x7f"), (3, b"\1\0"), (7, b"\1\1f\0\0"), (10, b"\1\2\0\x0b")), "code_name": "skill.wasm",
                      "functions": ONE, "tests": SAME}, "wasm-validate refuses it"),
    "vectors": ({"code": '(module (func (export "f") (param i32 i32) (result i32) (drop (v128.const i32x4 0 0 0 0)) i32.const 0))'}, "refuses it"),
    "a missing export": ({"functions": {"g": {"parameters": ["a", "b"]}}}, "does not export the function g"),
    "a parameter too few": ({"functions": ONE}, "takes 2 numbers"),
    "a parameter that is none": ({"functions": {"f": {"parameters": ["a", "b-c"]}}}, "must be identifiers"),
    "a name for the linker": ({"functions": {"f,-o,/work/x": {"parameters": []}}, "code": "int f(void){return 1;}", "code_name": "skill.c"},
                              "names must be identifiers"),
    "references": ({"code": '(module (func (export "f") (param externref) (result i32) i32.const 0))', "functions": ONE}, "only numbers"),
    "inline": ({"inline": True}, "only what is Python"),
    "no program": ({"program": True}, "does not export the function _start"),
    "pages": ({"limits": {"pages": 1 << 20}}, "pages must be 0 to 65536"),
    "written down": ({"code": ADD.replace("i32.add", "i32.add i32.const 31415 i32.add"), "tests": [{"in": {"a": 0, "b": 0}, "out": 31415}]},
                     "stands in the code: 31415"),
    "wrong C": ({"code": "int f(int a, int b) { return a +; }", "code_name": "skill.c"}, "clang refuses it"),
    "C that calls what is not there": ({"code": "int puts(const char *);\nint f(int a, int b) { return puts(\"\") + a + b; }", "code_name": "skill.c"},
                                       "undefined symbol: puts"),
    "C that takes the host's files": ({"code": '#include "/etc/shadow"\n', "code_name": "skill.c"}, "clang refuses it"),
    "failing test": ({"tests": [*SUMS, {"in": {"a": 1, "b": 1}, "out": 3}]}, "expected 3, got 2"),
    "a trap": ({"code": ADD.replace("i32.add", "unreachable")}, "Trap: Unreachable instruction executed"),
    "a start that loops": ({"code": ADD.replace("(func", "(func $s (loop (br 0))) (start $s) (func", 1), "limits": {"timeout": 1}}, "timeout"),
}


@pytest.mark.by_turns
@pytest.mark.few
def test_what_is_refused(server):
    for what, (given, reason) in CASES.items():
        with pytest.raises(rpc.Failure) as told:
            server.call("skills.add", files=files("m", **{"code": ADD, **given}))
        assert reason in str(told.value), (what, str(told.value))
    assert [one for one in server.call("skills.list")["skills"] if one["name"] == "m"] == []


# ---- the library --------------------------------------------------------------------------------------------------------

@by_turns
@pytest.mark.few
def test_the_life_of_a_module(light_caller):
    someone = light_caller
    given = {"functions": TWO, "tests": SUMS}
    path = skillsets.folder(someone, "m", code=None, files={"skill.wat": ADD.encode(), "skill.json": json.dumps(given).encode()})
    first = skillsets.told(someone, "add", path)
    shown = skillsets.told(someone, "show", "m")
    assert shown["language"] == "wasm" and sorted(shown["files"]) == ["SKILL.md", "skill.wat"] and shown["built"].startswith("sha256:")
    assert shown["functions"]["f"]["input"]["required"] == ["a", "b"]
    assert skillsets.told(someone, "test", "m")["tests"] == 2
    out = someone.home / "out" / os.urandom(4).hex()
    out.parent.mkdir(exist_ok=True)
    skillsets.owned(someone, out.parent)
    assert someone.run("skill", "export", "m", out).returncode == 0
    assert sorted(one.name for one in (out / "m").iterdir()) == ["SKILL.md", "skill.json", "skill.wat"]
    (out / "m/.built.so").write_bytes(b"of somebody else")
    skillsets.owned(someone, out)
    assert skillsets.told(someone, "add", out / "m")["hash"] == first["hash"]
    built = someone.home / skillsets.STATE / ("skills/m/%d/.built.so" % skillsets.told(someone, "show", "m")["version"])
    assert built.read_bytes()[:4] == b"\x7fELF"
    built.chmod(0o644)
    built.write_bytes(built.read_bytes() + b"more")
    assert "what was built of the skill was changed" in skillsets.refused(someone, "test", "m")
    assert someone.run("skill", "remove", "m").returncode == 0


# ---- calls --------------------------------------------------------------------------------------------------------------

@pytest.mark.by_turns
def test_every_call_has_a_fresh_instance(calls):
    counter = '(module (global $n (mut i32) (i32.const 0)) (memory 1 1) (func (export "f") (param i32) (result i32) ' \
              "(global.set $n (i32.add (global.get $n) (i32.const 1))) " \
              "(i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (local.get 0))) (i32.add (global.get $n) (i32.load (i32.const 8)))))"
    session = calls(counter, functions=ONE, tests=[{"in": {"x": 1}, "out": 2}, {"in": {"x": 5}, "out": 6}])
    assert session.value("[m.f(1) for i in range(5)]") == "[2, 2, 2, 2, 2]"


@pytest.mark.by_turns
@pytest.mark.few
def test_numbers_of_every_type(calls):
    code = ('(module (func (export "f") (param i32 i64 f32 f64) (result i32 i64 f32 f64) local.get 0 local.get 1 local.get 2 local.get 3) '
            '(func (export "nothing")))')
    names = ["a", "b", "c", "d"]
    session = calls(code, functions={"f": {"parameters": names}, "nothing": {"parameters": []}}, tests=[
        {"function": "f", "in": dict(zip(names, values)), "out": out} for values, out in (
            ((1, 2, 0.5, 0.1), [1, 2, 0.5, 0.1]), ((4294967295, -1, 1e10, 3), [-1, -1, 1e10, 3.0]))] + [{"function": "nothing", "in": {}, "out": None}])
    assert session.value("m.f(-2**31, -2**63, 1.5, -0.0)") == "[-2147483648, -9223372036854775808, 1.5, -0.0]"
    assert session.value("[m.nothing()]") == "[None]"
    for wrong in ("2**32, 0, 0, 0", "1.5, 0, 0, 0", "'1', 0, 0, 0", "0, 0, 0", "0, 0, 0, float('nan')"):
        assert ends(session, f"m.f({wrong})")[0] == "error"
    session = calls('(module (func (export "f") (param f64) (result f64) (f64.div (f64.const 1) (local.get 0))))', name="n", functions=ONE,
                    tests=[{"in": {"x": 1}, "out": 1}, {"in": {"x": 2}, "out": 0.5}])
    assert "Out of range float" in ends(session, "n.f(0)")[1]  # no number of JSON


TRAPS = [  # what f(-1), f(-2), … do, and what is said of it
    ("(return (i32.load (i32.const 65536)))", "Out-of-bounds access"),
    ("(i32.store offset=4294967295 (i32.const -1) (i32.const 1))", "Out-of-bounds access"),
    ("(return (i32.add (i32.const 1) (call $f (local.get 0))))", "Call stack exhausted"),
    ("(return (i32.div_s (i32.const 1) (i32.add (local.get 0) (i32.const 4))))", "Integer divide by zero"),
    ("(return (call_indirect (result i32) (i32.const 3)))", "call_indirect"),
]


@pytest.mark.few
def test_a_trap_ends_the_call_and_no_more(calls, server):
    ways = " ".join(f"(if (i32.eq (local.get 0) (i32.const {-i})) (then {how}))" for i, how in enumerate([*(how for how, _ in TRAPS), "(loop (br 0))"], 1))
    code = f'(module (memory 1 1) (table 4 funcref) (func $f (export "f") (param i32) (result i32) {ways} local.get 0))'
    session = calls(code, functions=ONE, tests=SAME)
    for i, (how, reason) in enumerate(TRAPS, 1):
        for _ in range(2 if i == 1 else 1):
            status, message = ends(session, f"m.f({-i})")
            assert status == "error" and reason in message, (how, message)
        assert session.value("m.f(7)") == "7", how  # caller and skill go on
    assert ends(session, f"m.f({-len(TRAPS) - 1})", timeout=1)[0] == "timeout"
    assert session.value("m.f(7)") == "7"
    (shown,) = server.call("skills.show", name="m")["versions"]
    assert (shown["failures"], shown["quarantined"]) == (len(TRAPS) + 1, False)


def test_memory_grows_as_far_as_declared(calls):
    code = ('(module (memory 1 3) (func (export "f") (param i32) (result i32) (drop (memory.grow (local.get 0))) '
            "(i32.add (i32.mul (i32.const 100) (memory.size)) (memory.grow (i32.const 1)))))")
    session = calls(code, functions=ONE, limits={"pages": 3}, tests=[{"in": {"x": 0}, "out": 101}, {"in": {"x": 2}, "out": 299}])
    assert session.value("m.f(1), m.f(3), m.f(65535), m.f(-1)") == "(202, 101, 101, 101)"


@pytest.mark.by_turns
def test_names_of_a_module_are_nothing_in_c(calls):
    name = r'f(){}\n#include \"/etc/passwd\"\n*/'
    code = ADD.replace("(module", '(module $main (func $system (export "%s")) (func (export "main")) (func (export "wasm_rt_trap"))' % name, 1)
    assert calls(code).value("m.f(20, 22)") == "42"


# ---- WASI ---------------------------------------------------------------------------------------------------------------

PROGRAM = r'''
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
extern int32_t get_random(void *, size_t) __attribute__((import_module("wasi_snapshot_preview1"), import_name("random_get")));
static char call[1 << 16];
int main(int argc, char **argv) {
    static char block[1 << 16];
    size_t len = fread(call, 1, sizeof call - 1, stdin);
    int x = atoi(strstr(call, "\"x\": ") + 5);
    if (x == 0) {
        fprintf(stderr, "first\nnot with zero\n");
        exit(3);
    }
    if (x == 9) {
        long long total = 0;
        for (int i = 0; i < 64; i++)
            total += write(1, block, sizeof block) > 0 ? (long long)sizeof block : 0;
        return 0;
    }
    FILE *file = fopen("/etc/passwd", "r");
    uint64_t noise[2] = {0};
    printf("{\"argc\": %d, \"name\": \"%s\", \"home\": %d, \"file\": %d, \"time\": %d, \"noise\": %d, \"x\": %d, \"all\": %d}", argc, argv[0],
           getenv("HOME") != NULL, file != NULL, time(NULL) > 1700000000, get_random(noise, sizeof noise) == 0 && noise[0] != noise[1], x,
           call[len - 1] == '}');
    if (x == 8)
        exit(0);
    return 0;
}
'''


def imports_of(tmp_path, code):
    """What clang and its library make this program import, which differs between releases."""
    (tmp_path / "program.c").write_text(code)
    subprocess.run(["clang", "--target=wasm32-wasi", "-O2", "-Wl,--max-memory=1048576", "program.c", "-o", "program.wasm"], cwd=tmp_path, check=True)
    return ["%s.%s" % (place, name) for place, name, _ in guest("wasm").Module((tmp_path / "program.wasm").read_bytes()).imports]


@by_turns
def test_a_program(server, tmp_path):
    expected = {"argc": 1, "name": "skill", "home": 0, "file": 0, "time": 1, "noise": 1, "all": 1}
    schema = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    given = {"code": PROGRAM, "code_name": "skill.c", "program": True, "functions": {"f": {"input": schema}},
             "imports": imports_of(tmp_path, PROGRAM), "tests": [{"in": {"x": x}, "out": {**expected, "x": x}} for x in (7, 8)]}
    with pytest.raises(rpc.Failure, match="needs the capability"):
        server.call("skills.add", files=files("m", **given))
    server.call("skills.add", files=files("m", capabilities={"clock": True, "random": True}, **given))
    session = server.session(skills=["m"])
    assert session.value("from skills import m; [m.f(x=8)['x'] for i in range(3)]") == "[8, 8, 8]"
    assert "exit status 3: not with zero" in ends(session, "m.f(x=0)")[1]
    assert ends(session, "m.f(x=9)")[0] == "error"  # a megabyte of zeros is no answer
    assert session.value("m.f(x=4)['x']") == "4"
    session.close()
    server.call("skills.remove", name="m")


DIRECTORIES = r'''
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
static char call[1 << 16];
static int reads(const char *path) {
    FILE *f = fopen(path, "r");
    int c = f ? fgetc(f) : 0;
    if (f)
        fclose(f);
    return c;
}
static int writes(const char *path) {
    FILE *f = fopen(path, "w");
    return f && fputs("kept", f) >= 0 && fclose(f) == 0;
}
static int last(const char *path) {
    FILE *f = fopen(path, "r");
    return f && fseek(f, -2, SEEK_END) == 0 ? fgetc(f) : 0;
}
static int entries(const char *path) {
    DIR *dir = opendir(path);
    int n = 0;
    for (struct dirent *e; dir && (e = readdir(dir));)
        n += e->d_name[0] != '.';
    return n;
}
int main(void) {
    struct stat about = {0};
    call[fread(call, 1, sizeof call - 1, stdin)] = 0;
    int before = reads("/kept/a/file") || entries("/kept"), spoils = writes("/data/words.txt") || writes("/data/new") || mkdir("/data/b", 0700) == 0;
    int outside = reads("/data/../SKILL.md") || reads("/data/../../../etc/passwd") || reads("/etc/passwd") || reads("/work/skill/SKILL.md") ||
                  reads("SKILL.md") || writes("/data/../new") || mkdir("/kept/..", 0700) == 0 || mkdir("/kept/../b", 0700) == 0;
    int made = mkdir("/kept/a", 0700) == 0 && writes("/kept/a/file") && reads("/kept/a/file") == 'k';
    int size = stat("/data/words.txt", &about) == 0 ? (int)about.st_size : -1;
    printf("{\"words\": %d, \"deep\": %d, \"last\": %d, \"size\": %d, \"entries\": %d, \"before\": %d, \"spoils\": %d, \"outside\": %d, "
           "\"made\": %d, \"x\": %d}", reads("/data/words.txt"), reads("/data/more/deep.txt"), last("/data/words.txt"), size, entries("/data"),
           before, spoils, outside, made, atoi(strstr(call, "\"x\": ") + 5));
    return 0;
}
'''


@by_turns
@pytest.mark.few
def test_directories_that_are_declared(server, tmp_path):
    """What is the skill's own is read, what is empty when a call begins is written, and nothing else is there."""
    expected = {"words": ord("a"), "deep": ord("d"), "last": ord("c"), "size": 4, "entries": 2, "before": 0, "spoils": 0, "outside": 0, "made": 1}
    schema = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    given = {"code": DIRECTORIES, "code_name": "skill.c", "program": True, "functions": {"f": {"input": schema}},
             "imports": imports_of(tmp_path, DIRECTORIES), "tests": [{"in": {"x": x}, "out": {**expected, "x": x}} for x in (7, 8)]}
    own = [{"path": "data/words.txt", "text": "abc\n"}, {"path": "data/more/deep.txt", "text": "deep"}]
    for wrong, reason in (({"data": "write"}, "data is a folder of the skill"), ({"none": "read"}, "none is not a folder of the skill"),
                          ({"..": "read"}, "must be the name of a folder"), ({"data": "all"}, "with read or write"),
                          ({"files": "write"}, "must be the name of a folder"), (["data"], "must be an object")):
        with pytest.raises(rpc.Failure, match=reason):
            server.call("skills.add", files=files("m", directories=wrong, **given) + own)
    server.call("skills.add", files=files("m", directories={"data": "read", "kept": "write"}, **given) + own)
    session = server.session(skills=["m"])
    for _ in range(2):  # the second call finds nothing that the first one left
        assert json.loads(session.value("import json; from skills import m; json.dumps(m.f(x=5))")[1:-1]) == {**expected, "x": 5}
    session.close()
    server.call("skills.remove", name="m")


UPPER = r'''
#include <ctype.h>
#include <stdio.h>
#include <string.h>
static char call[1 << 16];
int main(void) {
    call[fread(call, 1, sizeof call - 1, stdin)] = 0;
    char *path = strstr(call, "\"path\": ") + 8;
    if (path[0] != '"') {
        printf("%d", path[0] - '0');
        return 0;
    }
    *strchr(++path, '"') = 0;
    FILE *from = fopen(path, "r"), *to = fopen("/files/made.txt", "w");
    for (int c; from && to && (c = fgetc(from)) >= 0;)
        fputc(toupper(c), to);
    printf("[%d, {\"$file\": \"made.txt\"}]", !!from);
    return 0;
}
'''


@by_turns
@pytest.mark.few
def test_files_that_a_program_takes_and_gives(server, tmp_path):
    schema = {"type": "object", "properties": {"path": {}}, "required": ["path"]}
    given = {"code": UPPER, "code_name": "skill.c", "program": True, "functions": {"f": {"input": schema}},
             "imports": imports_of(tmp_path, UPPER), "tests": [{"in": {"path": n}, "out": n} for n in (1, 2)]}
    server.call("skills.add", files=files("m", capabilities={"files": True}, **given))
    server.call("skills.add", files=files("without", **given))
    session = server.session(skills=["m", "without"])
    session.write("a b.txt", b"abc" * 300000)
    assert session.value("import pathlib\nfrom skills import m, without\nthere, made = m.f(path=pathlib.Path('a b.txt'))\n"
                         "there, str(made), made.read_text() == 'ABC' * 300000") == "(1, 'skills/m/made.txt', True)"
    assert "does not declare the capability files" in ends(session, "without.f(path='/files/x')")[1]
    session.close()
    for name in ("m", "without"):
        server.call("skills.remove", name=name)


def wasi(name, takes, how):
    """f(x) is what this function of the host gives."""
    return (f'(module (import "wasi_snapshot_preview1" "{name}" (func $h (param {takes}) (result i32))) (memory 1 1) '
            f'(func (export "f") (param i32) (result i32) {how}))')


@by_turns
@pytest.mark.few
def test_host_functions_hold_against_wrong_addresses(calls):
    """What f(x) gives is an errno of WASI: 8 no descriptor, 21 an address that is none, 28 too many parts, 51 no room, 76 not allowed."""
    session = calls(wasi("fd_write", "i32 i32 i32 i32", "(call $h (i32.const 1) (local.get 0) (i32.const 1) (i32.const 0))"), functions=ONE,
                    imports=[WASI + "fd_write"], tests=[{"in": {"x": 16}, "out": 0}, {"in": {"x": 65530}, "out": 21}])
    assert session.value("m.f(65528), m.f(65529), m.f(-1), m.f(-8), m.f(2**31)") == "(0, 21, 21, 21, 21)"
    session = calls(wasi("fd_read", "i32 i32 i32 i32", "(call $h (local.get 0) (i32.const 0) (i32.const 1025) (i32.const 0))"), name="reads", functions=ONE,
                    imports=[WASI + "fd_read"], tests=[{"in": {"x": 0}, "out": 28}, {"in": {"x": 3}, "out": 8}])
    assert session.value("from skills import reads; reads.f(1), reads.f(-1)") == "(8, 8)"
    session = calls(wasi("path_unlink_file", "i32 i32 i32", "(call $h (local.get 0) (i32.const 0) (i32.const 0))").replace(
        "(result i32) (call", "(result i32) (i32.add (local.get 0) (call").replace("(i32.const 0))))", "(i32.const 0)))))"), name="unlinks", functions=ONE,
                    imports=[WASI + "path_unlink_file"], tests=[{"in": {"x": 0}, "out": 76}, {"in": {"x": 3}, "out": 79}])
    assert session.value("from skills import unlinks; unlinks.f(1)") == "77"


# ---- the same as others give --------------------------------------------------------------------------------------------

PYTHON = '''def gcd(a, b):
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return a

def power(base, exponent, modulus):
    return pow(base, exponent, modulus)

def is_prime(n):
    return int(n > 1 and all(n % d for d in range(2, int(n ** 0.5) + 1)))
'''
COMPARE = '''import random
from skills import number_theory as wasm, number_theory_in_python as python
r = random.Random(%d)
wrong = []
for i in range(200):
    name, given = r.choice([("gcd", {"a": r.randint(-2**62, 2**62), "b": r.randint(-2**r.randint(1, 62), 2**62)}),
        ("power", {"base": r.randint(0, 2**31 - 1), "exponent": r.randint(0, 2**r.randint(0, 62)), "modulus": r.randint(1, 2**31 - 1)}),
        ("is_prime", {"n": r.randint(-10, 10**r.randint(1, 8))})])
    a, b = getattr(wasm, name)(**given), getattr(python, name)(**given)
    if a != b:
        wrong.append((name, given, a, b))
wrong'''


@by_turns
@pytest.mark.few
def test_the_same_skill_in_python_answers_the_same(server, count):
    top = skillsets.ROOT / "examples/skills/number-theory"
    sent = [{"path": one.name, "text": one.read_text()} for one in top.iterdir()]
    server.call("skills.add", files=sent)
    given = json.loads((top / "skill.json").read_text())
    server.call("skills.add", files=[{"path": "SKILL.md", "text": HEAD % (("number-theory-in-python",) * 2)}, {"path": "skill.py", "text": PYTHON},
                                     {"path": "skill.json", "text": json.dumps({"functions": list(given["functions"]), "tests": given["tests"]})}])
    session = server.session(skills=["number-theory", "number-theory-in-python"])
    for _ in range(count(2, 50)):  # a cell has no more than a thousand calls
        seed = random.randrange(1 << 30)
        result = session.run(COMPARE % seed, timeout=300, cpu=300)
        assert result["value"] == {"text/plain": "[]"}, (seed, result)
    session.close()
    for name in ("number-theory", "number-theory-in-python"):
        server.call("skills.remove", name=name)


# ---- the verdicts of wasm-interp ----

UNARY = {"i32": "clz ctz popcnt eqz extend8_s extend16_s", "i64": "clz ctz popcnt eqz extend8_s extend16_s extend32_s",
         "f32": "abs neg ceil floor trunc nearest sqrt", "f64": "abs neg ceil floor trunc nearest sqrt"}
BINARY = {"i": "add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u",
          "f": "add sub mul div min max copysign eq ne lt gt le ge"}
BETWEEN = ["i32.wrap_i64", "i64.extend_i32_s", "i64.extend_i32_u", "f32.demote_f64", "f64.promote_f32", "i32.reinterpret_f32", "i64.reinterpret_f64",
           "f32.reinterpret_i32", "f64.reinterpret_i64"] + [
    f"{a}.{op}_{b}_{sign}" for a, b in (("i32", "f32"), ("i32", "f64"), ("i64", "f32"), ("i64", "f64")) for op in ("trunc", "trunc_sat") for sign in "su"] + [
    f"{a}.convert_{b}_{sign}" for a in ("f32", "f64") for b in ("i32", "i64") for sign in "su"]
NAN, INF = float("nan"), float("inf")
EDGES = {"i32": [0, 1, -1, 2**31 - 1, -2**31, 31, 32, 255, 0x8000], "i64": [0, 1, -1, 2**63 - 1, -2**63, 63, 64, 2**31, 2**53 + 1],
         "f32": [0.0, -0.0, 1.0, -1.5, 0.5, 2.5, 2147483648.0, -2147483649.0, 9.3e18, 1e-40, 3.4e38, INF, -INF, NAN],
         "f64": [0.0, -0.0, 1.0, -1.5, 0.5, 2.5, 2147483648.0, -2147483649.0, 4294967296.5, 9.3e18, 1e-310, 1e308, INF, -INF, NAN]}
COMPARES = {"eqz", "eq", "ne", "lt", "gt", "le", "ge"}


def operations():
    """[(instruction, what it takes, type of what it gives)]"""
    for kind in ("i32", "i64", "f32", "f64"):
        for op in UNARY[kind].split():
            yield f"{kind}.{op}", [kind], "i32" if op in COMPARES else kind
        for op in BINARY[kind[0]].split():
            yield f"{kind}.{op}", [kind, kind], "i32" if op.split("_")[0] in COMPARES else kind
    for name in BETWEEN:
        yield name, [re.search("_([if](?:32|64))", name)[1]], name[:3]


def value(r, kind):
    if kind[0] == "i":
        return r.choice(EDGES[kind]) if r.random() < 0.6 else r.randrange(-1 << int(kind[1:]) - 1, 1 << int(kind[1:]) - 1)
    number = r.choice(EDGES[kind]) if r.random() < 0.6 else r.uniform(-1, 1) * 10 ** r.randint(-5, 20)
    return struct.unpack("f", struct.pack("f", number))[0] if kind == "f32" else number


def as_bits(kind, text):
    """A float as the whole number that its bits are."""
    return f"(i{kind[1:]}.reinterpret_{kind} {text})" if kind[0] == "f" else text


def constant(kind, number):
    return f"({kind}.const {number.hex() if kind[0] == 'f' else number})"


def by_interpreter(path):
    """[number, or the word trap], by wabt's interpreter."""
    said = subprocess.run(["wasm-interp", "--run-all-exports", path], capture_output=True, text=True, check=False).stdout
    return [int(number) if number else "trap" for number in re.findall(r"^e\d+\(\) => (?:i\d+:(\d+)|error: .*)$", said, re.M)]


def by_skill(functions, calls):
    """The same by what was built here."""
    wasm, answers = guest("wasm"), []
    os.rename("built.so", "skill/.built.so")
    for i, given in calls:
        try:
            answers.append(wasm.call({"wasm": functions[f"f{i}"]["wasm"], "arguments": dict(zip("ab", given))}))
        except wasm.Trap:
            answers.append("trap")
    return answers


def same(kind, ours, theirs):
    if "trap" in (ours, theirs):
        return ours == theirs
    size = int(kind[1:])
    ours %= 1 << size
    nan = {"f32": 0x7f800000, "f64": 0x7ff0000000000000}.get(kind, 1 << 64)  # all of them are one answer
    return ours == theirs or (ours & (1 << size - 1) - 1 > nan and theirs & (1 << size - 1) - 1 > nan)


@pytest.mark.few
def test_the_verdicts_of_an_interpreter(tmp_path, monkeypatch, count):
    """Two thousand assertions, or many more, on all operations with numbers."""
    monkeypatch.chdir(tmp_path)
    wasm, seed, known = guest("wasm"), random.randrange(1 << 30), list(operations())
    monkeypatch.setattr(wasm, "HOST", str(skillsets.ROOT / "guest/wasm"))
    r = random.Random(seed)
    os.mkdir("skill")
    text = "".join(f'(func (export "f{i}") {" ".join(f"(param {kind})" for kind in takes)} (result i{gives[1:]}) '
                   + as_bits(gives, f"({name} {' '.join(f'(local.get {at})' for at in range(len(takes)))})") + ")"
                   for i, (name, takes, gives) in enumerate(known))
    (tmp_path / "skill/skill.wat").write_text(f"(module {text})")
    module = wasm.Module(wasm.binary("skill.wat", {}))
    functions = {f"f{i}": wasm.described(module, f"f{i}", {"parameters": list("ab")[:len(takes)]}, False) for i, (_, takes, _) in enumerate(known)}
    wasm.link(module, functions)
    calls = [(i, [value(r, kind) for kind in known[i][1]]) for i in (r.randrange(len(known)) for _ in range(count(2000, 20000)))]
    asked = "".join(f'(func (export "e{at}") (result i{known[i][2][1:]}) '
                    + as_bits(known[i][2], f"({known[i][0]} {' '.join(map(constant, known[i][1], given))})") + ")" for at, (i, given) in enumerate(calls))
    (tmp_path / "asked.wat").write_text(f"(module {asked})")
    subprocess.run(["wat2wasm", "asked.wat"], check=True)
    theirs = by_interpreter("asked.wasm")
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as other:  # it handles signals
        ours = other.submit(by_skill, functions, calls).result()
    assert len(ours) == len(theirs) == len(calls) and ours.count("trap") > 20
    for (i, given), a, b in zip(calls, ours, theirs):
        assert same(known[i][2], a, b), (seed, known[i][0], given, a, b)
