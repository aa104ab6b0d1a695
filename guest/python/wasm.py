"""WebAssembly skills, inside of sessions: `built` makes a library of a module without running it, `call` runs one of its
functions in a fresh instance. Before a tool reads a module, its imports and exports get names of ours: what stood there
is held against skill.json, and never becomes a name in C."""
import base64
import functools
import json
import os
import re
import shutil
import struct
import subprocess

from .skill import PLACE, BadSkill, arrived, content, kept_file, leaving

HOST = "/opt/retort/wasm"        # has host.h and the other files that a module is linked with
RUNTIME = "/usr/src/wasm2c"      # of Debian's wabt
LIBRARY = ".built.so"            # below the folder
WASI = "wasi_snapshot_preview1"
MODULE_BYTES = 4 << 20
MOST = {"types": 10000, "imports": 100, "functions": 10000, "exports": 1000, "table elements": 100000}
PAGES = 256                      # of 64 KiB, unless skill.json sets another number
OUTPUT = 1 << 20                 # bytes on standard output of a program
MESSAGES = 4096                  # and on standard error
DIRECTORIES = 8                  # that a module may have
FILES = "files"                  # holds what a caller passes, and what he gets
SCRATCH = "scratch"              # below /work: directories that are empty when a call begins
TYPES = {0x7f: "i", 0x7e: "j", 0x7d: "f", 0x7c: "d"}
NAMES = {"i": "u32", "j": "u64", "f": "f32", "d": "f64"}
# Preview 1 of WASI: the parameters of every function; results are an errno, except for proc_exit, which has none.
SIGNATURES = dict(one.split(":") for one in """args_get:ii args_sizes_get:ii environ_get:ii environ_sizes_get:ii clock_res_get:ii
    clock_time_get:iji fd_advise:ijji fd_allocate:ijj fd_close:i fd_datasync:i fd_fdstat_get:ii fd_fdstat_set_flags:ii
    fd_fdstat_set_rights:ijj fd_filestat_get:ii fd_filestat_set_size:ij fd_filestat_set_times:ijji fd_pread:iiiji
    fd_prestat_get:ii fd_prestat_dir_name:iii fd_pwrite:iiiji fd_read:iiii fd_readdir:iiiji fd_renumber:ii fd_seek:ijii
    fd_sync:i fd_tell:ii fd_write:iiii path_create_directory:iii path_filestat_get:iiiii path_filestat_set_times:iiiijji
    path_link:iiiiiii path_open:iiiiijjii path_readlink:iiiiii path_remove_directory:iii path_rename:iiiiii
    path_symlink:iiiii path_unlink_file:iii poll_oneoff:iiii proc_exit:i proc_raise:i sched_yield: random_get:ii
    sock_recv:iiiiii sock_send:iiiii sock_shutdown:ii sock_accept:iii""".split())
# The functions that host.h has; the others answer that the module may not call them.
THERE = {"args_get", "args_sizes_get", "environ_get", "environ_sizes_get", "clock_res_get", "clock_time_get", "fd_close",
         "fd_fdstat_get", "fd_filestat_get", "fd_pread", "fd_prestat_dir_name", "fd_prestat_get", "fd_pwrite", "fd_read", "fd_readdir",
         "fd_seek", "fd_tell", "fd_write", "path_create_directory", "path_filestat_get", "path_open", "proc_exit", "random_get",
         "sched_yield"}
NEEDS = {"clock_res_get": "clock", "clock_time_get": "clock", "poll_oneoff": "clock", "random_get": "random"}
NOT_CAPABLE = 76


class Trap(Exception):
    """A module did what WebAssembly does not allow, or aborted."""


# ---- The binary format: what a module takes and what it offers ----

class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if count > len(self.data) - self.at:
            raise BadSkill("the module ends too early")
        self.at += count
        return self.data[self.at - count:self.at]

    def byte(self):
        return self.take(1)[0]

    def number(self):
        value = 0
        for shift in range(0, 35, 7):
            byte = self.byte()
            value |= (byte & 0x7f) << shift
            if byte < 0x80:
                return value
        raise BadSkill("the module has a number that is too long")

    def count(self, what):
        number = self.number()
        if number > MOST[what]:
            raise BadSkill("the module has more than %d %s" % (MOST[what], what))
        return number

    def name(self):
        return self.take(self.number()).decode("utf-8", "replace")

    def types(self):
        return "".join(TYPES.get(byte, "?") for byte in self.take(self.number()))

    def limits(self, what):
        flags = self.byte()
        if flags > 1:
            raise BadSkill("%s that is shared or has 64 bits is not supported" % what)
        least = self.number()
        return least, self.number() if flags else None


def number(value):
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def named(text):
    return number(len(text)) + text.encode()


class Module:
    """imports: [(module, name, type)], functions: [type] with those imported, exports: [(name, kind, index)], memory: pages."""

    def __init__(self, data):
        if len(data) > MODULE_BYTES:
            raise BadSkill("the module is longer than %d bytes" % MODULE_BYTES)
        if data[:8] != b"\0asm\1\0\0\0":
            raise BadSkill("this is no WebAssembly module")
        self.sections, self.types, self.imports, self.functions, self.exports, self.memory = [], [], [], [], [], None
        whole = Bytes(data)
        whole.at = 8
        while whole.at < len(data):
            kind = whole.byte()
            body = whole.take(whole.number())
            if kind:  # custom sections are for people
                self.sections.append((kind, body))
                READ.get(kind, lambda *_: None)(self, Bytes(body))

    def type_at(self, index):
        if index >= len(self.types):
            raise BadSkill("the module has a function of no type")
        return self.types[index]

    def read_types(self, r):
        for _ in range(r.count("types")):
            if r.byte() != 0x60:
                raise BadSkill("the module has a type that is not of a function")
            self.types.append((r.types(), r.types()))

    def read_imports(self, r):
        for _ in range(r.count("imports")):
            module, name, kind = r.name(), r.name(), r.byte()
            if kind:
                raise BadSkill("the module imports %.60s.%.60s: only functions can be imported" % (module, name))
            self.imports.append((module, name, r.number()))
            self.functions.append(self.type_at(self.imports[-1][2]))

    def read_functions(self, r):
        for _ in range(r.count("functions")):
            self.functions.append(self.type_at(r.number()))

    def read_tables(self, r):
        elements = 0
        for _ in range(r.number()):
            r.byte()
            elements += r.limits("a table")[0]
            if elements > MOST["table elements"]:
                raise BadSkill("the module has more than %d table elements" % MOST["table elements"])

    def read_memory(self, r):
        if r.number() > 1 or self.memory is not None:
            raise BadSkill("the module has more than one memory")
        least, self.memory = r.limits("a memory")
        if self.memory is None:
            raise BadSkill("the module's memory has no maximum")
        if least > self.memory:
            raise BadSkill("the module's memory is larger than its maximum")

    def read_exports(self, r):
        for _ in range(r.count("exports")):
            self.exports.append((r.name(), r.byte(), r.number()))

    def exported(self, name):
        """The export of this name, with its parameters and results."""
        for i, (found, kind, index) in enumerate(self.exports):
            if found == name and kind == 0 and index < len(self.functions):
                return i, *self.functions[index]
        return None

    def renamed(self):
        """The module with names of ours, without custom sections."""
        imports = b"".join(named("h") + named("i%d" % i) + b"\0" + number(kind) for i, (_, _, kind) in enumerate(self.imports))
        exports = [named("e%d" % i) + bytes([kind]) + number(index) for i, (_, kind, index) in enumerate(self.exports)]
        if self.memory is not None:
            exports.append(named("memory") + b"\2\0")
        anew = {2: number(len(self.imports)) + imports, 7: number(len(exports)) + b"".join(exports)}
        bodies = ((kind, anew.get(kind, body)) for kind, body in self.sections)
        return b"\0asm\1\0\0\0" + b"".join(bytes([kind]) + number(len(body)) + body for kind, body in bodies)


READ = {1: Module.read_types, 2: Module.read_imports, 3: Module.read_functions, 4: Module.read_tables, 5: Module.read_memory,
        7: Module.read_exports}


# ---- Checks against skill.json ----

def texts(given, member):
    value = given.get(member, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise BadSkill("skill.json: %s must be a list of names" % member)
    return value


def check_imports(module, given):
    real = ["%s.%s" % (place, name) for place, name, _ in module.imports]
    told = texts(given, "imports")
    for one in sorted(set(real) - set(told)):
        raise BadSkill("the module imports %.100s, and skill.json does not declare it" % one)
    for one in sorted(set(told) - set(real)):
        raise BadSkill("skill.json declares the import %.100s, which the module does not have" % one)
    for place, name, kind in module.imports:
        takes = SIGNATURES.get(name) if place == WASI else None
        if takes is None:
            raise BadSkill("the module imports %.60s.%.60s, which no host function is" % (place, name))
        if module.type_at(kind) != (takes, "" if name == "proc_exit" else "i"):
            raise BadSkill("the module imports %s.%s with another type" % (place, name))
        capability = NEEDS.get(name)
        if capability and not (given.get("capabilities") or {}).get(capability):
            raise BadSkill("the module needs the capability %s (%s), and skill.json does not declare it" % (capability, name))


def check_directories(given):
    """{name: how}: `read` is a folder of the skill itself, `write` one that is empty when a call begins."""
    directories = given.get("directories", {})
    if not isinstance(directories, dict) or len(directories) > DIRECTORIES:
        raise BadSkill("skill.json: directories must be an object with at most %d names" % DIRECTORIES)
    for name, how in directories.items():
        if not re.fullmatch("[A-Za-z0-9_-]{1,64}", name) or name == FILES or how not in ("read", "write"):
            raise BadSkill("directories: %.60s must be the name of a folder, with read or write" % name)
        if os.path.isdir(os.path.join(PLACE, name)) is not (how == "read"):
            raise BadSkill("directories: %s is%s a folder of the skill" % (name, " not" if how == "read" else ""))


def pages_of(given):
    pages = (given.get("limits") or {}).get("pages", PAGES)
    if type(pages) is not int or not 0 <= pages <= 65536:
        raise BadSkill("limits: pages must be 0 to 65536")
    return pages


def schema_of(names, takes):
    kinds = {"i": {"type": "integer", "minimum": -1 << 31, "maximum": (1 << 32) - 1}, "j": {"type": "integer"},
             "f": {"type": "number"}, "d": {"type": "number"}}
    return {"type": "object", "properties": {name: kinds[kind] for name, kind in zip(names, takes)}, "required": list(names),
            "additionalProperties": False}


def described(module, name, given, program):
    """The function, in the form of the library's skill.json."""
    found = module.exported("_start" if program else name)
    if not found:
        raise BadSkill("the module does not export the function %.60s" % ("_start" if program else name))
    place, takes, gives = found
    names = texts(given, "parameters")
    if "?" in takes + gives or (program and takes + gives):
        raise BadSkill("%.60s: only numbers can be taken and given" % name)
    if not program and (len(names) != len(takes) or len(set(names)) != len(names)):
        raise BadSkill("%.60s takes %d numbers: parameters must name each" % (name, len(takes)))
    if not all(one.isidentifier() for one in names):
        raise BadSkill("%.60s: the names of parameters must be identifiers" % name)
    schema = given.get("input") or (None if program else schema_of(names, takes))
    if not isinstance(schema, dict) or (not program and set(schema.get("properties") or {}) - set(names)):
        raise BadSkill("%.60s: input must be a schema of what it takes" % name)
    how = {"program": True} if program else {"parameters": names, "takes": takes, "gives": gives}
    return {"description": given.get("description") or "", "input": schema, "wasm": {"export": place, **how},
            **{key: given[key] for key in ("output", "parameters") if key in given}}


def named_functions(given):
    """The function names in skill.json: they are used on command lines."""
    asked = given["functions"]
    if not isinstance(asked, dict) or not 0 < len(asked) <= 32 or not all(isinstance(one, dict) for one in asked.values()):
        raise BadSkill("functions must be 1 to 32 names, each with an object")
    if not all(name.isidentifier() and not name.startswith("_") for name in asked):
        raise BadSkill("functions: names must be identifiers")
    return asked


# ---- Making it ----

def run(*words):
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})
    except FileNotFoundError:
        raise BadSkill("%s is not installed; WebAssembly skills need the packages wabt and gcc, and those in C clang, "
                       "lld and wasi-libc" % words[0]) from None
    if done.returncode:
        said = done.stderr[:65536].decode("utf-8", "replace").split("\n")
        told = next((line for line in said if "error" in line.lower()), said[0])
        raise BadSkill("%s refuses it: %.150s" % (words[0], "".join(c for c in told if c.isprintable()) or "it crashed"))


ASC = """import asc from "assemblyscript/asc";
const {error, stderr} = await asc.main(process.argv.slice(2));
if (error) {
    console.error(String(stderr) || String(error));
    process.exit(1);
}
"""


def assemblyscript(path, given):
    """Compiles AssemblyScript: the session has the compiler if the machine has it."""
    if not os.path.isdir("asc/node_modules"):
        raise BadSkill("AssemblyScript's compiler is not installed: npm install -g assemblyscript, or RETORT_ASSEMBLYSCRIPT names the "
                       "folder node_modules that has it")
    if given.get("program") is True:
        raise BadSkill("skill.json: a program cannot be in AssemblyScript")
    with open("asc/run.mjs", "w", encoding="utf-8") as f:
        f.write(ASC)
    run("node", "asc/run.mjs", path, "-o", "module.wasm", "--runtime", "stub", "-O2", "--maximumMemory", str(pages_of(given)),
        "--use", "abort=")


def binary(code, given):
    """The module, compiled first if it is source code."""
    path = os.path.join(PLACE, code)
    if code.endswith(".wasm"):
        with open(path, "rb") as f:
            return f.read(MODULE_BYTES + 1)
    if code.endswith(".wat"):
        run("wat2wasm", path, "-o", "module.wasm")
    elif code.endswith(".ts"):
        assemblyscript(path, given)
    else:
        most = "-Wl,--max-memory=%d" % (pages_of(given) << 16)
        how = ["--target=wasm32-wasi"] if given.get("program") is True else [
            "--target=wasm32", "-nostdlib", "-Wl,--no-entry", *("-Wl,--export=" + name for name in given["functions"])]
        run("clang", "-O2", "-mbulk-memory", *how, most, path, "-o", "module.wasm")
    with open("module.wasm", "rb") as f:
        return f.read(MODULE_BYTES + 1)


def wrapper(host, name, i):
    """The code of an import, for the linker: calls a function of host.h, or refuses."""
    takes = SIGNATURES[name]
    parameters = "".join(", %s a%d" % (NAMES[kind], at) for at, kind in enumerate(takes))
    given = ", ".join("a%d" % at for at in range(len(takes)))
    body = "wasi_%s(%s)" % (name, given) if name in THERE else str(NOT_CAPABLE)
    return "%s %si%d(struct %s *h%s) { %s%s; }" % ("void" if name == "proc_exit" else "u32", host[1], i, host[0], parameters,
                                                   "" if name == "proc_exit" else "return ", body)


def case(prefix, function):
    """The code that calls one function with the numbers of `in`."""
    about = function["wasm"]
    takes, gives = about.get("takes", ""), about.get("gives", "")
    given = "".join(", in[%d].%s" % (i, NAMES[kind]) for i, kind in enumerate(takes))
    called = "%se%d(&instance%s)" % (prefix, about["export"], given)
    if len(gives) < 2:
        return "case %d: %s%s; break;" % (about["export"], "out[0].%s = " % NAMES[gives] if gives else "", called)
    parts = " ".join("out[%d].%s = r.%s%d;" % (i, NAMES[kind], kind, i) for i, kind in enumerate(gives))
    return "case %d: { struct wasm_multi_%s r = %s; %s break; }" % (about["export"], gives, called, parts)


def glue(header, module, functions):
    """The code between the library's caller and wasm2c's output, whose names differ between releases."""
    made = re.search(r"^void (\w+)_instantiate\((\w+)\*", header, re.M)
    prefix = re.search(r"^/\* export: 'e0' \*/\n[^\n]*?(\w+)e0\(", header, re.M)
    host = re.search(r"^/\* import: 'h' 'i0' \*/\n\w+ (\w+)i0\(struct (\w+)\*", header, re.M)
    if not made or not prefix or (module.imports and not host):
        raise BadSkill("this release of wasm2c is not known")
    lines = ['#include "module.h"', '#include "wasm-rt-impl.h"', "static %s instance;" % made[2]]
    lines.append("static wasm_rt_memory_t *memory(void) { return %s; }" % (
        "NULL" if module.memory is None else "%smemory(&instance)" % prefix[1]))
    lines.append('#include "host.h"')
    lines += [wrapper((host[2], host[1]), name, i) for i, (_, name, _) in enumerate(module.imports)]
    start = "%s_init_module();" % made[1] if made[1] + "_init_module" in header else ""
    lines.append("static void prepare(void) { %s }" % start)
    lines.append("static void begin(void) { %s_instantiate(&instance%s); }" % (made[1], ", NULL" if module.imports else ""))
    lines.append("static void finish(void) { %s_free(&instance); }" % made[1])
    lines.append("static void enter(unsigned which, const union number *in, union number *out) { switch (which) {")
    lines += sorted({case(prefix[1], one) for one in functions.values()})
    return "\n".join(lines) + "\n} }\n#include \"call.h\"\n"


def link(module, functions):
    with open("module.wasm", "wb") as f:
        f.write(module.renamed())
    run("wasm-validate", "--disable-simd", "module.wasm")
    run("wasm2c", "--no-debug-names", "-n", "skill", "module.wasm", "-o", "module.c")
    with open("module.h", encoding="utf-8") as f:
        text = glue(f.read(), module, functions)
    with open("glue.c", "w", encoding="utf-8") as f:
        f.write(text)
    parts = [os.path.join(RUNTIME, name) for name in ("wasm-rt-impl.c", "wasm-rt-mem-impl.c", "wasm-rt-exceptions-impl.c")]
    # So that numbers follow the WebAssembly standard: no contraction, no folding of NaN.
    run("gcc", "-O2", "-w", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-optimize-sibling-calls", "-frounding-math",
        "-fsignaling-nans", "-ffp-contract=off", "-I.", "-I" + HOST, "-I" + RUNTIME, "module.c", "glue.c",
        *(part for part in parts if os.path.exists(part)), "-lm", "-o", "built.so")


def written_down(text, tests):
    """The literal in the source that is the answer of a test."""
    words = set(re.findall(r"-?\d[\d.]*", text))
    for test in tests:
        answer = test.get("out") if isinstance(test, dict) else None
        if isinstance(answer, (int, float)) and len(str(answer).strip("-0.").replace(".", "")) >= 4 and str(answer) in words:
            raise BadSkill("the answer of a test stands in the code: %s" % answer)


def built(given, code):
    """{name: function} of the module; makes built.so, which calls them."""
    asked, program = named_functions(given), given.get("program") is True
    if not code.endswith(".wasm"):
        written_down(content(code), given.get("tests", []))
    module = Module(binary(code, given))
    check_imports(module, given)
    check_directories(given)
    if (module.memory or 0) > pages_of(given):
        raise BadSkill("the module's memory may have %d pages, and skill.json allows %d" % (module.memory, pages_of(given)))
    functions = {name: described(module, name, one, program) for name, one in asked.items()}
    link(module, functions)
    return functions


# ---- Calls ----

library = None


def loaded():
    global library
    if library is None:
        import ctypes

        library = ctypes.CDLL(os.path.abspath(os.path.join(PLACE, LIBRARY)))
        library.skill_trap.restype = ctypes.c_char_p
    return library


def slot(kind, value):
    if kind in "fd":
        return struct.pack("<" + kind, value).ljust(8, b"\0")
    bits = 32 if kind == "i" else 64
    if not -1 << bits - 1 <= value < 1 << bits:
        raise OverflowError("%d does not fit into %d bits" % (value, bits))
    return (value & (1 << 64) - 1).to_bytes(8, "little")


def unslotted(kind, data):
    return struct.unpack_from("<" + {"i": "i", "j": "q"}.get(kind, kind), data)[0]


def answer_of(about, out, streams):
    if about.get("program"):
        text = streams.text()
        if not text:
            raise Trap("the program wrote no answer")
        return json.loads(text)
    values = [unslotted(kind, out[8 * i:8 * i + 8]) for i, kind in enumerate(about["gives"])]
    return values if len(values) > 1 else values[0] if values else None


@functools.lru_cache
def passed_type():
    import ctypes

    sides = [(side + member, kind) for side in ("given", "out", "err") for member, kind in (
        ("", ctypes.c_void_p), ("_len", ctypes.c_uint64), ("_max", ctypes.c_uint64))]
    return type("Passed", (ctypes.Structure,), {"_fields_": [*sides, ("exited", ctypes.c_uint32), ("status", ctypes.c_uint32),
                                                             ("directory_count", ctypes.c_uint64), ("directories", ctypes.c_void_p)]})


def listed(directories):
    """[(name, path, writable)] as host.h takes them."""
    import ctypes

    kind = type("Directory", (ctypes.Structure,), {"_fields_": [("name", ctypes.c_char_p), ("path", ctypes.c_char_p),
                                                                ("writable", ctypes.c_uint64)]})
    return (kind * len(directories))(*((name.encode(), path.encode(), writable) for name, path, writable in directories))


class Streams:
    """Standard input, output and error of an instance; see host.h."""

    def __init__(self, given, room, directories):
        import ctypes

        sizes = [max(len(given), 1), room, MESSAGES]
        self.buffers = [ctypes.create_string_buffer(given, sizes[0]), *map(ctypes.create_string_buffer, sizes[1:])]
        at = [ctypes.addressof(one) for one in self.buffers]
        self.directories = listed(directories) if directories else None
        self.passed = passed_type()(at[0], 0, len(given), at[1], 0, room, at[2], 0, MESSAGES, 0, 0, len(directories),
                                    ctypes.addressof(self.directories) if directories else None)
        self.reference = ctypes.byref(self.passed)

    def text(self):
        return self.buffers[1].raw[:self.passed.out_len].decode()

    def failure(self, trap):
        """Why it ended, if it did not end normally."""
        said = self.buffers[2].raw[:self.passed.err_len].decode("utf-8", "replace").strip().split("\n")[-1]
        if self.passed.exited:
            return "exit status %d%s" % (self.passed.status, said and ": " + said) if self.passed.status else None
        return loaded().skill_trap(trap).decode() if trap else None


def emptied(path):
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return os.path.abspath(path)


def directories_of(asked):
    """[(name, path, writable)] of the directories that skill.json declares."""
    found = [("/" + name, os.path.abspath(os.path.join(PLACE, name)), 0) if how == "read" else
             ("/" + name, emptied(os.path.join(SCRATCH, name)), 1) for name, how in asked.get("directories", {}).items()]
    return found + ([("/" + FILES, emptied(FILES), 1)] if asked.get("files") else [])


def handed(value):
    """What a program reads of a value: files by their path, bytes as base64."""
    if isinstance(value, list):
        return [handed(one) for one in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"$table"} and isinstance(value["$table"]["rows"], dict):
        return {"$table": {**value["$table"], "rows": json.loads(arrived(value["$table"]["rows"]["$large"]))}}
    if set(value) == {"$large"}:
        return {"$bytes": base64.b64encode(arrived(value["$large"])).decode()}
    if set(value) == {"$file"}:
        return "/%s/%s" % (FILES, kept_file(FILES, value["$file"]["name"], arrived(value["$file"]["at"])).name)
    return {key: handed(one) for key, one in value.items()}


def returned(value, send):
    """The answer of a program: {"$file": NAME} is a file that it has written."""
    if isinstance(value, list):
        return [returned(one, send) for one in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"$file"}:
        name = os.path.basename(str(value["$file"]))
        with open(os.path.join(FILES, name), "rb") as f:
            return {"$file": {"name": name, "at": send(f.read())}}
    return {key: returned(one, send) for key, one in value.items()}


def call(asked):
    """The answer of one function, from a fresh instance."""
    import ctypes

    about, arguments = asked["wasm"], asked["arguments"]
    given, data, room, directories = b"", b"", MESSAGES, directories_of(asked)
    if about.get("program"):
        room = OUTPUT
        given = json.dumps({"function": asked["function"], "arguments": handed(arguments)}, ensure_ascii=False).encode()
    else:
        data = b"".join(slot(kind, arguments[name]) for name, kind in zip(about["parameters"], about["takes"]))
    streams, out = Streams(given, room, directories), ctypes.create_string_buffer(8 * max(len(about.get("gives", "")), 1))
    failure = streams.failure(loaded().skill_call(about["export"], data, out, streams.reference))
    if failure:
        raise Trap(failure)
    answer = answer_of(about, out.raw, streams)
    return returned(answer, leaving()) if asked.get("files") else answer
