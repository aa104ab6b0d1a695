"""What a session does for a door beside its cells: processes that are started, fed and watched, and its files.

Runs in the session, in a process of its own, behind the same walls as the session's code; so it decides nothing, and a
door believes nothing of what it says beyond the session. It is asked by frames ASK and answers by frames SAID, each with
the number of its call: events while a call goes on, then its result or why it failed."""
import json
import os
import selectors
import signal

import channel
import processes
import tree

EVENT, RESULT, FAILED = range(3)  # enum said_kind


class Failure(Exception):
    """Sent to the caller: a code of the Connect protocol, and a sentence."""


class Call:
    """A call that goes on: it may send only so many bytes before the broker has taken them."""

    CREDIT = 1 << 20

    def __init__(self, number):
        self.number, self.credit, self.on_credit, self.on_end = number, self.CREDIT, None, None

    def say(self, kind, value):
        text = json.dumps(value, separators=(",", ":"))
        self.credit -= len(text)
        channel.reply(channel.SAID, [(channel.F_CALL, self.number), (channel.F_KIND, kind), (channel.F_JSON, text)])

    def event(self, value):
        self.say(EVENT, value)

    def done(self, value=None):
        calls.pop(self.number, None)
        self.say(RESULT, value or {})

    def fail(self, code, message):
        calls.pop(self.number, None)
        self.say(FAILED, {"code": code, "message": message})

    def end(self):
        """Nobody listens any more."""
        calls.pop(self.number, None)
        if self.on_end:
            self.on_end()


calls = {}
loop = selectors.DefaultSelector()


def code_of(error):
    for kinds, code in ((FileNotFoundError, "not_found"), (FileExistsError, "already_exists"),
                        (PermissionError, "permission_denied"), (BlockingIOError, "resource_exhausted")):
        if isinstance(error, kinds):
            return code
    return "resource_exhausted" if error.errno in (12, 24, 28, 122) else "invalid_argument"


def ask(number, question):
    operation = question.get("op")
    if operation == "credit" or operation == "leave":
        call = calls.get(number)
        if call and operation == "leave":
            call.end()
        elif call:
            call.credit += question["bytes"]
            if call.on_credit and call.credit > 0:
                call.on_credit()
        return
    call = calls[number] = Call(number)
    handler = processes.OPERATIONS.get(operation) or tree.OPERATIONS.get(operation)
    try:
        if not handler:
            raise Failure("unimplemented", f"{operation} is not supported here")
        handler(call, question, loop)
    except Failure as error:
        call.fail(*error.args)
    except OSError as error:
        call.fail(code_of(error), f"{error.strerror}: {error.filename}" if error.filename else str(error.strerror))
    except Exception as error:  # a wrong question must not end other processes
        call.fail("invalid_argument", f"{type(error).__name__}: {error}")


def hear():
    kind, fields = channel.receive()
    if kind == channel.ASK:
        fields = dict(fields)
        ask(channel.number(fields[channel.F_CALL]), json.loads(fields[channel.F_JSON]))


def main():
    channel.born()
    signal.signal(signal.SIGINT, lambda *_: None)  # unlike SIG_IGN, a handler is reset when another program is executed
    loop.register(channel.FD, selectors.EVENT_READ, hear)
    processes.begin(loop, Failure)
    tree.begin(loop, Failure)
    while True:
        soonest = min((wait for wait in (processes.patience(), tree.patience()) if wait is not None), default=None)
        for key, _ in loop.select(soonest):
            key.data()
        processes.overdue()
        tree.overdue()


if __name__ == "__main__":
    main()
