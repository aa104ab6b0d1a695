#!/usr/bin/python3
"""floors.py LIBRARY [MODULE…]: the kernel's part, measured in an interpreter that has loaded MODULE….

One request a line, answered by one line of milliseconds, as bench/server.h says:
    fork MB N · namespaces MB N · round-trip N · fsync PATH N · pipe MB"""
import ctypes
import importlib
import sys

LOADED_MB = 90  # resident with numpy, pandas and matplotlib


class Floors:
    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        for name in ("fork", "namespaces", "round_trip", "fsync", "pipe"):
            getattr(self.library, "floor_" + name).restype = ctypes.c_double
        self.ballast = b""

    def grow(self, mb):
        size = max(0, int(mb) - LOADED_MB) << 20
        if len(self.ballast) != size:
            self.ballast = b"x" * size

    def repeat(self, function, count, *arguments):
        return [function(*arguments) for _ in range(int(count))]

    def fork(self, mb, count):
        self.grow(mb)
        return self.repeat(self.library.floor_fork, count)

    def namespaces(self, mb, count):
        self.grow(mb)
        return self.repeat(self.library.floor_namespaces, count)

    def round_trip(self, count):
        return self.repeat(self.library.floor_round_trip, count)

    def fsync(self, path, count):
        return self.repeat(self.library.floor_fsync, count, path.encode())

    def pipe(self, mb):
        return self.repeat(self.library.floor_pipe, 1, int(mb))


def main():
    floors = Floors(sys.argv[1])
    for name in sys.argv[2:]:
        importlib.import_module(name)
    for line in sys.stdin:
        words = line.split()
        times = getattr(floors, words[0].replace("-", "_"))(*words[1:])
        if min(times) < 0:
            print("error: %s: errno %d" % (words[0], -min(times)), flush=True)
        else:
            print(*("%.5f" % t for t in times), flush=True)


if __name__ == "__main__":
    main()
