"""How a tool of the host is called from Python: its name and its parameters, from its JSON schema."""
import keyword


class Missing:
    def __repr__(self):
        return "<not given>"


MISSING = Missing()
TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list",
         "object": "dict"}


def identifier(name):
    name = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    return name + "_" if keyword.iskeyword(name) else name if name.isidentifier() else "_" + name


def parameters_of(schema):
    """(name, annotation, has a default, default), those without a default first."""
    required = schema.get("required") or []
    found = []
    for name, about in (schema.get("properties") or {}).items():
        if name.isidentifier() and not keyword.iskeyword(name):
            kind = TYPES.get(about.get("type") if type(about.get("type")) is str else "", "object")
            found.append((name, kind, name not in required, about.get("default", MISSING)))
    return sorted(found, key=lambda parameter: parameter[2])
