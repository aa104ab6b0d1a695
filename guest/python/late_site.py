"""Python's own `site`, for an interpreter that was started without it (-S).

It adds the directories of installed packages and runs their .pth files, which takes as long as the
rest of the start. It is run, by cell.py, before the first code that could notice it missing.
"""
import sys

NO_SITE = 6  # its index in sys.flags, in every Python 3
given = sys.flags


class flags(tuple):
    """Gives sys.flags the values that it has without -S: multiprocessing passes them on."""

    no_site = 0

    def __getattr__(self, name):
        return getattr(given, name)

    def __repr__(self):
        return repr(given).replace("no_site=1", "no_site=0")


def with_site():
    """From Python 3.14 on the interpreter writes into sys.flags, which must be the object that it made; from 3.13 on
    such an object can be copied."""
    if hasattr(given, "__replace__"):
        return given.__replace__(no_site=0)
    return flags(given[:NO_SITE] + (0,) + given[NO_SITE + 1 :])


def import_site():
    sys.flags = with_site()
    if "-S" in getattr(sys, "orig_argv", ()):
        sys.orig_argv.remove("-S")
    first = sys.path.pop(0)  # the working directory, which site must not see
    try:
        import site  # runs itself
    finally:
        sys.path.insert(0, first)
