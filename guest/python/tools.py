"""Functions of the host, as the module `tools`: a call is a frame up, its result a frame down.

Only the code that called waits. Calls of several threads follow one another; tools.parallel
sends many at once.
"""
import _thread
import json
import os
import select
import sys

from . import cell, channel, rich
from .cell import state
from .signature import MISSING, identifier, parameters_of

module = type(sys)("tools", "Functions that the host offers to this session.")
numbers = iter(range(1, 1 << 62))


class ToolError(Exception):
    """The host refused a call, or the tool failed."""


def call_many(calls):
    """[(name, arguments)] to [(value, error message or None)], in the same order."""
    texts = [json.dumps(arguments, default=rich.simplified, allow_nan=False)
             for _, arguments in calls]
    with channel.caller:
        current = state.cell
        if not state.running or os.getpid() != channel.owner:
            raise ToolError("tools can be called by the process of a running cell only")
        waiting, answers = {}, {}
        for (name, _), text in zip(calls, texts):
            number = next(numbers)
            waiting[number] = len(waiting)
            cell.flush()
            channel.send(channel.TOOL_CALL,
                         [(channel.F_CALL, number), (channel.F_NAME, name), (channel.F_JSON, text)])
        while len(answers) < len(waiting):
            kind, fields = next_frame(current)
            fields = dict(fields)
            number = channel.number(fields.get(channel.F_CALL, b""))
            # Other numbers are answers to calls that were interrupted.
            if kind == channel.TOOL_RESULT and number in waiting:
                answers[waiting[number]] = answer_of(fields)
    return [answers[i] for i in range(len(calls))]


def next_frame(current):
    """Takes a frame for this call; never one for the next cell, in case the thread's own cell has ended."""
    patience = None if _thread.get_ident() == channel.main_thread else 0.05
    while True:
        select.select([channel.FD], [], [], patience)  # an interrupt loses nothing here
        frame = channel.shielded(frame_of, current)
        if frame:
            return frame


def frame_of(current):
    with channel.reader:
        if not state.running or state.cell != current:
            raise ToolError("the cell that made this call has ended")
        return channel.read_frame() if select.select([channel.FD], [], [], 0)[0] else None


def answer_of(fields):
    if channel.F_ERROR_MESSAGE in fields:
        return None, channel.text(fields[channel.F_ERROR_MESSAGE])
    return json.loads(channel.text(fields.get(channel.F_JSON, b"null"))), None


def call(name, arguments):
    given = {key: value for key, value in arguments.items() if value is not MISSING}
    ((value, problem),) = call_many([(name, given)])
    if problem is not None:
        raise ToolError(problem)
    return value


def parallel(calls):
    """Calls many tools at once: [(name, {argument: value}), …]. Returns the values in order; a
    failure is a ToolError in its place, not raised."""
    plain = [(getattr(tool, "tool", tool), dict(arguments)) for tool, arguments in calls]
    return [value if problem is None else ToolError(problem) for value, problem in call_many(plain)]


def call_skill(name, arguments):
    """The same for a skill, with bytes and tables."""
    from . import skill

    version = name.rpartition(".")[0]
    send = skill.sender(lambda place, offset, data: call(version + ".$put", {"place": place, "offset": offset, "base64": data}))
    fetch = skill.fetcher(lambda place, offset: call(version + ".$get", {"place": place, "offset": offset}))
    given = {key: value if value is MISSING else skill.packed(value, send) for key, value in arguments.items()}
    return skill.unpacked(call(name, given), fetch, "skills/" + version.partition(".")[2].partition("@")[0])


def stub(about, call=call):
    """A function with the signature and the documentation that the schema describes."""
    schema = about.get("parameters") or {}
    parameters = parameters_of(schema)
    defaults = {"_default_" + name: value for name, _, _, value in parameters}
    signature = ", ".join(
        name + ": " + kind + (" = _default_" + name if optional else "")
        for name, kind, optional, _ in parameters
    )
    names = ", ".join("%r: %s" % (name, name) for name, _, _, _ in parameters)
    scope = {"_call": call, "_tool": about["name"], **defaults}
    python_name = identifier(about.get("skill", about).get("function") or about["name"])
    text = "def %s(%s):\n    return _call(_tool, {%s})" % (python_name, signature, names)
    exec(compile(text, __file__, "exec"), scope)  # in this file, so that it is no frame of the user's
    function = scope[python_name]
    function.__doc__ = documentation(about, schema)
    function.__module__ = "tools"
    function.tool = about["name"]
    return function


def documentation(about, schema):
    lines = [about.get("description") or ""]
    for name, field in (schema.get("properties") or {}).items():
        if field.get("description"):
            lines.append("    %s: %s" % (name, field["description"]))
    return "\n".join(lines)


def source_of(known, about):
    """The module of an inline skill, made once."""
    name = about["skill"]["name"]
    if name not in known:
        known[name] = type(sys)("skills." + identifier(name))
        exec(compile(about["skill"]["source"], "<skill %s>" % name, "exec"), vars(known[name]))
    return known[name]


def unusable(name, problem):
    def function(*_, **__):
        raise ToolError("the skill %s cannot be used: %s" % (name, problem))

    return function


def define_skills(listed):
    """The module `skills`: each skill is the function of its name, with its other functions as attributes."""
    skills, known = type(sys)("skills", "Skills that this session may use."), {}
    found = {}
    listed = [about for about in listed if not about["skill"]["function"].startswith("$")]  # those carry large values
    for about in listed:
        name = about["skill"]["function"]
        try:
            function = getattr(source_of(known, about), name) if "source" in about["skill"] else stub(about, call_skill)
        except BaseException as e:  # also exit(): other people's code must not end this session
            function = unusable(about["skill"]["name"], "%s: %s" % (type(e).__name__, e))
        found.setdefault(identifier(about["skill"]["name"]), {})[name] = function
    texts = {identifier(about["skill"]["name"]): about["skill"].get("text", "") for about in listed}
    for name, functions in found.items():
        first = functions.pop(name, None) or type(sys)("skills." + name)
        vars(first).update(functions, text=texts[name])
        setattr(skills, name, first)
    sys.modules["skills"] = skills


def define(fields):
    """Makes the modules anew from a TOOLS frame."""
    listed = json.loads(channel.text(dict(fields).get(channel.F_JSON, b"[]")))
    for name in [n for n in vars(module) if not n.startswith("__")]:
        delattr(module, name)
    module.ToolError, module.parallel = ToolError, parallel
    sys.modules.pop("skills", None)
    skills = [about for about in listed if "skill" in about]
    if skills:
        define_skills(skills)
    for about in listed:
        if "skill" not in about:
            setattr(module, identifier(about["name"]), stub(about))
    sys.modules["tools"] = module
    cell.injected.add("tools")
    cell.namespace.setdefault("tools", module)
