"""Commands on a pseudo terminal, as somebody sits in front of them."""
import re

import pexpect

PATIENCE = 60
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Terminal:
    """`retort COMMAND …` on a terminal of 50 lines and 150 columns. `raw` has all that came so far, as it came."""

    def __init__(self, caller, *words, **env):
        command = caller.command(caller.retort, *map(str, words))
        self.child = pexpect.spawn(command[0], command[1:], env=caller.environment(TERM="xterm", **env), cwd=str(caller.home),
                                   encoding="utf-8", timeout=PATIENCE, dimensions=(50, 150))
        self.raw = ""

    def until(self, pattern):
        """What was printed before it, without escape sequences."""
        self.child.expect(pattern)
        self.raw += self.child.before + self.child.after
        return ESCAPE.sub("", self.child.before)

    def end(self):
        """Ctrl-D, and the exit status."""
        self.child.sendcontrol("d")
        self.child.expect(pexpect.EOF)
        self.raw += self.child.before
        self.child.close()
        return self.child.exitstatus
