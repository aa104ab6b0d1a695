"""Skills, inside of sessions. `inspect` reads the folder of a skill and never runs what is in it; `serve` calls one of its
functions, in a session that is that skill's alone."""
import ast
import base64
import json
import os
import sys

PLACE = "skill"  # below /work
FRONT = 16384    # bytes of front matter
TYPES = {"int": "integer", "float": "number", "str": "string", "bool": "boolean", "list": "array", "tuple": "array", "dict": "object"}
MEMBERS = {"functions", "tests", "capabilities", "limits", "inline", "code", "imports", "program", "directories"}
CODE = ("skill.py", "skill.wasm", "skill.wat", "skill.c", "skill.ts")
MADE = {"schema", "name", "version", "description", "hash", "files", "built", "review", "provenance", "language", "license",
        "compatibility", "metadata", "allowed-tools"}  # of a folder that was exported
NETWORK = {"socket", "ssl", "http", "urllib", "ftplib", "smtplib", "imaplib", "poplib", "telnetlib", "xmlrpc", "socketserver",
           "requests", "httpx", "aiohttp", "urllib3", "websockets"}
LOCAL = {"urllib.parse", "http.HTTPStatus"}
RANDOM = {"random", "secrets", "uuid"}
CLOCK = {"time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.ctime", "time.strftime", "datetime.now",
         "datetime.utcnow", "datetime.today", "date.today", "datetime.datetime.now", "datetime.datetime.utcnow",
         "datetime.datetime.today", "datetime.date.today"}


class BadSkill(Exception):
    """Says in one line what is wrong with the folder."""


# ---- Front matter: the part of YAML that skills use ----

def front_matter(text):
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        raise BadSkill("SKILL.md does not begin with front matter (---)")
    ends = [i for i, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")]
    if not ends or sum(map(len, lines[:ends[0]])) > FRONT:
        raise BadSkill("the front matter of SKILL.md does not end, or is longer than %d bytes" % FRONT)
    return mapping(lines[1:ends[0]], 0)


def mapping(lines, depth):
    """{key: text, list of texts or mapping of texts} of lines that begin at one margin."""
    found, at = {}, 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, colon, rest = line.partition(":")
        key = key.strip().strip("\"'")
        if not colon or line[0] in " \t" or not key or (rest and rest[0] not in " \t\r"):
            raise BadSkill("front matter: cannot read the line %.60r" % line)
        if key in found:
            raise BadSkill("front matter: %.60s is given twice" % key)
        below = at
        while below < len(lines) and (not lines[below].strip() or lines[below][0] in " \t" or lines[below].startswith("- ")):
            below += 1
        found[key] = value_of(key, rest.strip(), lines[at:below], depth)
        at = below
    return found


def value_of(key, rest, below, depth):
    below = [line for line in below if line.strip()]
    if rest[:1] in ("&", "*", "!"):
        raise BadSkill("front matter: %.60s: anchors, aliases and tags are not read" % key)
    if rest in ("|", ">", "|-", ">-", "|+", ">+"):
        lines = [line.strip() for line in below]
        return ("\n" if rest[0] == "|" else " ").join(lines)
    if rest[:1] == "[" and rest[-1:] == "]" and not below:
        return [scalar(key, one.strip()) for one in rest[1:-1].split(",") if one.strip()]
    if rest[:1] in ("{", "["):
        raise BadSkill("front matter: %.60s: cannot be read" % key)
    if rest:
        return " ".join([scalar(key, rest), *(line.strip() for line in below)])
    if below and all(line.lstrip().startswith("- ") for line in below):
        return [scalar(key, line.strip()[2:].strip()) for line in below]
    if depth:
        raise BadSkill("front matter: %.60s is nested too deep" % key)
    margin = min((len(line) - len(line.lstrip()) for line in below), default=0)
    return mapping([line[margin:] for line in below], depth + 1) if below else ""


def scalar(key, text):
    if text[:1] in ("&", "*", "!"):
        raise BadSkill("front matter: %.60s: anchors, aliases and tags are not read" % key)
    if text[:1] == '"':
        try:
            return json.loads(text)
        except ValueError:
            raise BadSkill("front matter: %.60s: the quotes do not match" % key) from None
    if text[:1] == "'":
        if len(text) < 2 or text[-1] != "'":
            raise BadSkill("front matter: %.60s: the quotes do not match" % key)
        return text[1:-1].replace("''", "'")
    return text.partition(" #")[0].rstrip()


# ---- Functions ----

def described(node, given):
    """The parameters of a function, as a JSON schema, and its purpose."""
    arguments = node.args
    if arguments.vararg or arguments.kwarg or arguments.posonlyargs:
        raise BadSkill("%s: parameters must have names that a caller can give" % node.name)
    names = arguments.args + arguments.kwonlyargs
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults + arguments.kw_defaults
    properties, required = {}, []
    for name, default in zip(names, defaults):
        kind = TYPES.get(getattr(name.annotation, "id", ""))
        properties[name.arg] = {"type": kind} if kind else {}
        if default is None:
            required.append(name.arg)
    schema = given.get("input") or {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    if not isinstance(schema, dict) or set(schema.get("properties") or {}) - set(properties):
        raise BadSkill("%s: input describes parameters that the function does not have" % node.name)
    about = given.get("description") or (ast.get_docstring(node) or "").partition("\n\n")[0]
    return {"description": about, "input": schema, **({"output": given["output"]} if "output" in given else {})}


def functions_of(tree, asked):
    if isinstance(asked, list):
        asked = {name: {} for name in asked if isinstance(name, str)}
    if not isinstance(asked, dict) or not asked or len(asked) > 32:
        raise BadSkill("functions must be 1 to 32 names, each with what is said of it")
    nodes = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for name, given in asked.items():
        if name not in nodes or name.startswith("_"):
            raise BadSkill("there is no function %.60s in the code" % name)
        if not isinstance(given, dict):
            raise BadSkill("functions: %s must be an object" % name)
    return {name: described(nodes[name], given) for name, given in asked.items()}


def dotted(node):
    if isinstance(node, ast.Attribute):
        return dotted(node.value) + "." + node.attr
    return node.id if isinstance(node, ast.Name) else "?"


def needs(tree):
    """{capability: the code that needs it}."""
    found = {}
    for node in ast.walk(tree):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = ["%s.%s" % (node.module, a.name) for a in node.names]
        for name in names:
            first = name.partition(".")[0]
            if first in NETWORK and not any(name == one or name.startswith(one + ".") for one in LOCAL):
                found.setdefault("network", "import " + name)
            if first in RANDOM:
                found.setdefault("random", "import " + name)
            if name in CLOCK:
                found.setdefault("clock", name)
        if isinstance(node, ast.Call) and dotted(node.func) in CLOCK:
            found.setdefault("clock", dotted(node.func) + "()")
    return found


def telling(value):
    """Whether a literal is so special that it can hardly be in the code by chance."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, (int, float)):
        return len(str(value).strip("-0.").replace(".", "")) >= 4
    return len(value) >= (8 if isinstance(value, str) else 2)


def literals(tree):
    for node in ast.walk(tree):
        if isinstance(node, (ast.Constant, ast.List, ast.Tuple, ast.Dict)):
            try:
                yield json.loads(json.dumps(ast.literal_eval(node)))
            except (ValueError, TypeError, SyntaxError):
                continue


def written_down(tree, tests):
    """The literal in the code that is the answer of a test."""
    answers = [test.get("out") for test in tests if isinstance(test, dict)]
    answers = [answer for answer in answers if telling(answer)]
    for value in literals(tree) if answers else ():
        if any(value == answer and type(value) is type(answer) for answer in answers):
            return json.dumps(value)[:80]
    return None


# ---- The folder ----

def content(name, most=1 << 20):
    with open(os.path.join(PLACE, name), "rb") as f:
        data = f.read(most + 1)
    if len(data) > most:
        raise BadSkill("%s is longer than %d bytes" % (name, most))
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BadSkill("%s is not UTF-8" % name) from None


def declared():
    if not os.path.exists(os.path.join(PLACE, "skill.json")):
        return {}
    try:
        given = json.loads(content("skill.json"))
    except (ValueError, RecursionError):
        raise BadSkill("skill.json is no JSON") from None
    if not isinstance(given, dict):
        raise BadSkill("skill.json must be an object")
    unknown = sorted(set(given) - MEMBERS - MADE)
    if unknown:
        raise BadSkill("skill.json: there is no member %.60s" % unknown[0])
    return given


def about_code(given, about):
    if not isinstance(given.get("tests", []), list) or not isinstance(given.get("capabilities", {}), dict):
        raise BadSkill("skill.json: tests must be a list, capabilities an object")
    code = given.get("code") or next((name for name in CODE if os.path.exists(os.path.join(PLACE, name))), CODE[0])
    if not isinstance(code, str) or not os.path.exists(os.path.join(PLACE, code)):
        raise BadSkill("there is no file %.60s with the functions" % code)
    about["code"] = code
    if code.endswith((".wasm", ".wat", ".c", ".ts")):
        from . import wasm

        about["functions"] = wasm.built(given, code)
        about["built"] = True
        return
    if {"imports", "program", "directories"} & set(given):
        raise BadSkill("skill.json: imports, program and directories are for WebAssembly")
    try:
        tree = ast.parse(content(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        raise BadSkill("%s cannot be read: %s" % (code, e)) from None
    about["functions"] = functions_of(tree, given["functions"])
    for capability, what in needs(tree).items():
        if not (given.get("capabilities") or {}).get(capability):
            raise BadSkill("the code needs the capability %s (%s), and skill.json does not declare it" % (capability, what))
    answer = written_down(tree, given.get("tests", []))
    if answer:
        raise BadSkill("the answer of a test stands in the code: %s" % answer)


def examine():
    head = front_matter(content("SKILL.md"))
    given = declared()
    about = {key: head[key] for key in ("name", "description", "license", "compatibility", "metadata", "allowed-tools") if key in head}
    for key in ("tests", "capabilities", "limits", "inline", "files", "imports", "program", "directories"):
        if key in given:
            about[key] = given[key]
    if given.get("functions"):
        about_code(given, about)
    return about


def inspect():
    """Writes what the folder is, or what is wrong with it."""
    try:
        about = examine()
    except BadSkill as e:
        about = {"error": str(e)}
    except (OSError, RecursionError) as e:
        about = {"error": "SKILL.md or skill.json cannot be read: %s" % type(e).__name__}
    with open("about.json", "w", encoding="utf-8") as f:
        json.dump(about, f)


# ---- Values that are passed between sessions ----

PIECE = 512 << 10  # bytes that are sent as part of a value; larger ones are sent in pieces, as a file


def packed(value, send=None):
    """JSON has no bytes, tables and files. `send` stores a large value, with the name of a file, and returns its place.
    """
    if isinstance(value, (bytes, bytearray, memoryview)):
        data = bytes(value)
        return {"$large": send(data)} if send and len(data) > PIECE else {"$bytes": base64.b64encode(data).decode()}
    if isinstance(value, os.PathLike) and send:
        with open(value, "rb") as f:
            return {"$file": {"name": os.path.basename(os.fspath(value)), "at": send(f.read())}}
    pandas = sys.modules.get("pandas")
    if pandas and isinstance(value, pandas.DataFrame):
        rows = value.to_json(orient="values", date_format="iso")
        return {"$table": {"columns": [str(name) for name in value.columns],
                           "rows": {"$large": send(rows.encode())} if send and len(rows) > PIECE else json.loads(rows)}}
    if isinstance(value, dict):
        return {key: packed(one, send) for key, one in value.items()}
    return [packed(one, send) for one in value] if isinstance(value, (list, tuple)) else value


def unpacked(value, fetch=None, place=None):
    """`fetch` returns the bytes at a place; files are written into the folder `place`."""
    if isinstance(value, list):
        return [unpacked(one, fetch, place) for one in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"$bytes"}:
        return base64.b64decode(value["$bytes"])
    if set(value) == {"$large"} and fetch:
        return fetch(value["$large"])
    if set(value) == {"$file"} and fetch:
        return kept_file(place, value["$file"]["name"], fetch(value["$file"]["at"]))
    if set(value) == {"$table"}:
        import pandas

        rows = value["$table"]["rows"]
        rows = json.loads(fetch(rows["$large"])) if isinstance(rows, dict) and fetch else rows
        return pandas.DataFrame(rows, columns=value["$table"]["columns"])
    return {key: unpacked(one, fetch, place) for key, one in value.items()}


def kept_file(place, name, data):
    """Makes a file of that name in this folder only, whatever the name contains."""
    import pathlib

    os.makedirs(place, exist_ok=True)
    path = pathlib.Path(place, os.path.basename(name).lstrip(".") or "file")
    path.write_bytes(data)
    return path


# ---- What is large goes between two sessions by pieces: `sender` and `fetcher` for the caller, files for the skill ----

def sender(put):
    """put(place, offset, base64) copies a piece to the skill's session."""
    places = iter(range(1 << 30))

    def send(data):
        place = next(places)
        for offset in range(0, max(len(data), 1), PIECE):
            put(place, offset, base64.b64encode(data[offset:offset + PIECE]).decode())
        return place

    return send


def fetcher(get):
    def fetch(place):
        data, size = bytearray(), 1
        while len(data) < size:
            piece = get(place, len(data))
            size = piece["size"]
            part = base64.b64decode(piece["base64"])
            data += part
            if not part:
                break
        return bytes(data)

    return fetch


def arrived(place):
    path = "in/%d" % place
    with open(path, "rb") as f:
        data = f.read()
    os.unlink(path)
    return data


def leaving():
    """Removes the answers of the last call."""
    import shutil

    shutil.rmtree("out", ignore_errors=True)
    places = iter(range(1 << 30))

    def send(data):
        place = next(places)
        os.makedirs("out", exist_ok=True)
        with open("out/%d" % place, "wb") as f:
            f.write(data)
        return place

    return send


# ---- Calls ----

def lend(tools, names):
    """Tools of the caller that the skill declares; arguments are passed by name."""
    for name in names:
        setattr(tools.module, name, lambda _name=name, **arguments: tools.call(_name, arguments))
    sys.modules["tools"] = tools.module


module = None


def loaded(code):
    global module
    if module is None:
        import importlib.util

        sys.path.insert(0, os.path.abspath(PLACE))
        spec = importlib.util.spec_from_file_location("skill_code", os.path.join(PLACE, code))
        fresh = importlib.util.module_from_spec(spec)
        sys.modules["skill_code"] = fresh
        spec.loader.exec_module(fresh)
        module = fresh
    return module


def serve():
    """Takes one call from the host and returns its answer."""
    from . import tools

    asked = tools.call("take", {})
    if "wasm" in asked:
        from . import wasm

        tools.call("give", {"value": wasm.call(asked)})
        return
    lend(tools, asked.get("tools", ()))
    function = getattr(loaded(asked["code"]), asked["function"])
    given = unpacked(asked["arguments"], arrived, "files")
    tools.call("give", {"value": packed(function(**given), leaving())})
