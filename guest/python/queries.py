"""What an agent's code has to work on inputs larger than any prompt: the input as a lazy object, and functions that ask
a model about pieces of it. The host asks (tools.py); here are only the names."""
import json
import os
import re

from . import tools

WINDOW = 1 << 20
BATCH, COUNT = 900000, 100  # bytes of prompts, and number of prompts, in one call of the host


class Context:
    """A file of any size, read in pieces. Positions are bytes; pieces are text, cut at whole characters."""

    def __init__(self, path, name):
        self.path, self.name = path, name
        self.size = os.stat(path).st_size

    def __len__(self):
        return self.size

    def __repr__(self):
        return "<context %r: %d bytes>" % (self.name, self.size)

    def read(self, start, end):
        with open(self.path, "rb") as file:
            file.seek(start)
            return file.read(max(0, end - start))

    def text(self, start, end):
        """A character belongs to the piece in which it begins."""
        bytes_, first, last = self.read(start, end + 3), 0, max(0, end - start)
        while first < min(last, 3) and bytes_[first] & 0xc0 == 0x80:
            first += 1
        while first < last < len(bytes_) and bytes_[last] & 0xc0 == 0x80:
            last += 1
        return bytes_[first:last].decode("utf-8", "replace")

    def __getitem__(self, at):
        if not isinstance(at, slice):
            at = at.__index__()
            if not -self.size <= at < self.size:
                raise IndexError("the context has %d bytes" % self.size)
            at = slice(at, at + 1 or None)
        start, end, step = at.indices(self.size)
        if step != 1:
            raise ValueError("a context has no steps: context[start:end]")
        return self.text(start, end)

    def __contains__(self, text):
        return self.find(text) >= 0

    def __iter__(self):
        """Iterates over lines, like an open file."""
        return self.lines()

    def find(self, text, start=0):
        """The place of the first occurrence at or after `start`; -1 if there is none."""
        wanted, start = text.encode(), max(start + self.size if start < 0 else start, 0)
        while start < self.size:
            piece = self.read(start, start + WINDOW + len(wanted))
            found = piece.find(wanted)
            if found >= 0:
                return start + found
            start += WINDOW
        return -1

    def lines(self):
        """Every line, without its end."""
        with open(self.path, encoding="utf-8", errors="replace") as file:
            for line in file:
                yield line.rstrip("\n")

    def grep(self, pattern):
        """(place, line) of every line in which the regular expression is found."""
        wanted, place = re.compile(pattern.encode()), 0
        with open(self.path, "rb") as file:
            for line in file:
                if wanted.search(line):
                    yield place, line.decode("utf-8", "replace").rstrip("\n")
                place += len(line)

    def chunks(self, size=12000, overlap=0):
        """Pieces of `size` bytes, each of which begins `overlap` bytes before the last one's end."""
        if size <= overlap:
            raise ValueError("the overlap has to be less than the size")
        for start in range(0, self.size, size - overlap):
            yield self[start:start + size]
            if start + size >= self.size:
                return


def context_of(names):
    """The input: one object, or a list of them if there are several files."""
    found = [Context("/work/.context/%d" % i, name) for i, name in enumerate(names)]
    return found[0] if len(found) == 1 else found


def llm_query(prompt):
    """The model's answer to the prompt, as text. It knows nothing but the prompt."""
    return tools.call("llm_query", {"prompt": str(prompt)})


def llm_query_batched(prompts):
    """The answers to many prompts, in their order, asked several at a time. One that failed is a ToolError in its place."""
    answers, batch, size = [], [], 0
    for prompt in [*map(str, prompts), None]:
        length = 0 if prompt is None else len(json.dumps(prompt))
        if batch and (prompt is None or len(batch) == COUNT or size + length > BATCH):
            answers += batch_of(batch)
            batch, size = [], 0
        if prompt is not None:
            batch.append(prompt)
            size += length
    return answers


def batch_of(prompts):
    """The answers of one call; if it fails, its own prompts get the error, not those of other calls."""
    try:
        answers = tools.call("llm_queries", {"prompts": prompts})
    except tools.ToolError as e:
        return [e] * len(prompts)
    return [answer["text"] if "text" in answer else tools.ToolError(answer["error"]) for answer in answers]


def rlm_query(prompt, context=""):
    """The answer of another agent, with a session of its own, to whom `context` is what context is here."""
    return tools.call("rlm_query", {"prompt": str(prompt), "context": str(context)})


def ask(text, schema):
    """What the model reads in a text that is not trusted, as a value that fits the JSON schema; None if there is none."""
    return tools.call("ask", {"text": str(text), "schema": schema})


def partial_answer(value):
    """The best answer so far: what is given if a limit ends the run."""
    tools.call("partial_answer", {"value": value})
