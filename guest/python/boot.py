"""Entry of the Python guest: descriptor 3 is the channel, 0 is /dev/null, 1 and 2 are pipes.

A script is compiled anew at every start, so it only makes the folder a package (whose modules
come from .pyc files and whose names cannot meet those of the user's modules) and serves.
Imported instead, it prepares the package and returns.
"""
import sys

OLDEST = (3, 7)


def refusal():
    """Why this interpreter cannot be used, in words that every Python version can print; or None."""
    name = getattr(getattr(sys, "implementation", None), "name", "Python")
    if name == "cpython" and sys.version_info >= OLDEST:
        return None
    return "Retort needs CPython %d.%d or later, this is %s %d.%d" % (
        OLDEST + ({"cpython": "CPython", "pypy": "PyPy"}.get(name, name),) + sys.version_info[:2])


if refusal():
    sys.exit(refusal())

package = type(sys)("retort_guest")
package.__path__ = [__file__.rpartition("/")[0] or "."]
sys.modules["retort_guest"] = package
sys.path[0] = ""  # as `python3 -c` has it: the working directory

if __name__ == "__main__":
    from retort_guest.cell import serve

    serve()
