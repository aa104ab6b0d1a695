def count(text):
    """How often each word occurs, in lower case."""
    found = {}
    for word in text.split():
        found[word] += 1
    return found
