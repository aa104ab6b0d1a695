def flatten(items):
    out = []
    for item in items:
        if isinstance(item, list):
            out.append(flatten(item))
        else:
            out.append(item)
    return out
