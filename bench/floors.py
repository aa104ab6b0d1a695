#!/usr/bin/python3
"""floors.py LIBRARY [MODULE…]: the kernel's part, measured in an interpreter that has loaded MODULE….

One request a line, answered by one line of milliseconds, as bench/server.h says:
    fork MB N · namespaces MB N · sustained MB MS WORKERS [network: without one] · round-trip N · fsync PATH N · pipe MB"""
import ctypes
import importlib
import sys


def resident_mb():
    """Of this process, as the zygote's would be counted."""
    lines = open("/proc/self/status").read().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


class Floors:
    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        for name in ("fork", "namespaces", "sustained", "round_trip", "fsync", "pipe"):
            getattr(self.library, "floor_" + name).restype = ctypes.c_double
        self.ballast, self.mb = b"", 0

    def grow(self, mb):
        """To so many resident megabytes: a fork costs what the forking process has."""
        if int(mb) != self.mb:
            self.ballast = b""
            self.ballast = b"x" * max(0, int((int(mb) - resident_mb()) * 1048576))
            self.mb = int(mb)

    def repeat(self, function, count, *arguments):
        return [function(*arguments) for _ in range(int(count))]

    def fork(self, mb, count):
        self.grow(mb)
        return self.repeat(self.library.floor_fork, count)

    def namespaces(self, mb, count):
        self.grow(mb)
        return self.repeat(self.library.floor_namespaces, count)

    def sustained(self, mb, ms, workers, without=""):
        self.grow(mb)
        return [self.library.floor_sustained(int(ms), int(workers), int(without != "network"))]

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
