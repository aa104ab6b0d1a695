#!/usr/bin/python3
"""ipykernel through jupyter_client, as notebooks and code-interpreter tools use it.

One request a line, answered by one line of milliseconds, as bench/server.h says:
    fresh N        a kernel is started, runs print(1), and is ended (which is not counted)
    cells N US     `1+1` in one kernel, US microseconds apart
    stream MB      one cell that prints MB megabytes
    interrupt N    from the interrupt to the result"""
import sys
import threading
import time

from jupyter_client.manager import start_new_kernel


def clock():
    return time.perf_counter() * 1000


class Kernel:
    def __init__(self):
        self.manager, self.client = start_new_kernel()

    def run(self, code):
        """Until the reply is there and the kernel says that it is idle: all output has come by then."""
        self.client.execute_interactive(code, output_hook=lambda _: None, timeout=120)

    def end(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


class Bench:
    kernel = None

    def warm(self):
        if self.kernel is None:
            self.kernel = Kernel()
            for _ in range(20):
                self.kernel.run("1+1")
        return self.kernel

    def fresh(self, count):
        times = []
        for _ in range(int(count)):
            start = clock()
            kernel = Kernel()
            kernel.run("print(1)")
            times.append(clock() - start)
            kernel.end()
        return times

    def cells(self, count, pause):
        kernel, times = self.warm(), []
        for _ in range(int(count)):
            if int(pause):
                time.sleep(int(pause) / 1e6)
            start = clock()
            kernel.run("1+1")
            times.append(clock() - start)
        return times

    def stream(self, mb):
        start = clock()
        self.warm().run("for _ in range(%d): print('x' * 999)" % (int(mb) * 1000))
        return [clock() - start]

    def interrupt(self, count):
        kernel, times = self.warm(), []
        for _ in range(int(count)):
            began = []

            def strike():
                began.append(clock())
                kernel.manager.interrupt_kernel()

            timer = threading.Timer(0.1, strike)
            timer.start()
            kernel.run("while True: pass")
            times.append(clock() - began[0])
            timer.join()
        return times


def main():
    bench = Bench()
    for line in sys.stdin:
        words = line.split()
        print(*("%.5f" % t for t in getattr(bench, words[0])(*words[1:])), flush=True)
    if bench.kernel:
        bench.kernel.end()


if __name__ == "__main__":
    main()
