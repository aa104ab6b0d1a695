"""What a neighbour does to a quiet session: code for bench_peers, by what it wears out.

Each says something when it is under way, and goes on until its cell is ended; cells are begun again."""

FORK = """import os
def crowd(n, work):
    for i in range(n):
        if os.fork() == 0:
            os.setsid()
            try:
                work(i)
            finally:
                os._exit(0)
    print('go', flush=True)
    while True: os.wait()
"""
LIBC = """import ctypes, threading, os
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
def threads(n, work):
    for _ in range(n): threading.Thread(target=work, daemon=True).start()
    print('go', flush=True)
    threading.Event().wait()
"""
FRAMES = """import os, struct
def raw(kind, tag, data):
    payload = struct.pack('<II', tag, len(data)) + data
    view = memoryview(struct.pack('<IBBH', len(payload), kind, 0, 0) + payload)
    while view: view = view[os.write(3, view):]
print('go', flush=True)
"""


class Attack:
    def __init__(self, name, title, code, kind="cells", clients=1):
        self.name, self.title, self.code, self.kind, self.clients = name, title, code, kind, clients
        self.recorded = kind == "recorded"  # the quiet session is, too


ATTACKS = [
    Attack("cpu", "30 processes that compute, each setsid", FORK + """
def spin(_):
    while True: pass
crowd(30, spin)"""),
    Attack("memory", "memory taken and given back, up to the limit", """import mmap
print('go', flush=True)
while True:
    with mmap.mmap(-1, 400 << 20) as m:
        for i in range(0, len(m), 4096): m[i] = 1"""),
    Attack("oom", "memory past the limit, again and again", """print('go', flush=True)
hoard = []
while True: hoard.append(b'x' * (64 << 20))"""),
    Attack("cache", "4 processes that read /usr and write what the disk holds", FORK + """
def churn(_):
    name = '/work/%d' % os.getpid()
    while True:
        for top, _, names in os.walk('/usr/lib'):
            for one in names:
                try:
                    with open(os.path.join(top, one), 'rb') as f: data = f.read(1 << 20)
                except OSError: continue
                try:
                    with open(name, 'ab') as f: f.write(data)
                except OSError: os.truncate(name, 0)
crowd(4, churn)"""),
    Attack("disk", "recorded: 64 MiB of new files in each cell, with fsync", """import os
print('go', flush=True)
for i in range(8):
    with open('/work/%d' % i, 'wb') as f:
        f.write(os.urandom(8 << 20)); f.flush(); os.fsync(f.fileno())""", "recorded"),
    Attack("descriptors", "8 processes that open all they may", FORK + """
def hoard(_):
    while True:
        held = []
        try:
            while True: held += os.pipe()
        except OSError:
            for fd in held: os.close(fd)
crowd(8, hoard)"""),
    Attack("network", "8 processes that connect and close", FORK + """
import socket
def talk(_):
    with socket.socket() as server:
        server.bind(('127.0.0.1', 0)); server.listen(64)
        while True:
            with socket.socket() as one:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\\1\\0\\0\\0\\0\\0\\0\\0')
                one.connect(server.getsockname())
                server.accept()[0].close()
crowd(8, talk)"""),
    Attack("maps", "16 threads that map and unmap", LIBC + """
def remap():
    while True:
        at = libc.mmap(None, 4 << 20, 3, 0x8022, -1, 0)
        libc.munmap(at, 4 << 20)
threads(16, remap)"""),
    Attack("wakeups", "16 processes that wake each other", FORK + """
pipes = [os.pipe() for _ in range(16)]
for _, end in pipes: os.write(end, b'x')
def pass_on(i):
    while True: os.write(pipes[(i + 1) % 16][1], os.read(pipes[i][0], 64))
crowd(16, pass_on)"""),
    Attack("names", "8 processes that rename in one directory, watched", FORK + LIBC + """
watch = libc.inotify_init(); libc.inotify_add_watch(watch, b'/work', 0xfff)
def rename(_):
    a, b = '/work/a%d' % os.getpid(), '/work/b%d' % os.getpid()
    open(a, 'w').close()
    while True: os.rename(a, b); os.rename(b, a)
crowd(8, rename)"""),
    Attack("output", "output without end", """import os
while True: os.write(1, b'x' * 65536)"""),
    Attack("displays", "plots without end", FRAMES + "while True: raw(3, 5, bytes(1 << 20))"),
    Attack("calls", "calls of a host tool without end", "while True: tools.one()"),
    Attack("files", "a list of 20,000 files for each cell", """import os
if not os.path.exists('/work/d'):
    os.mkdir('/work/d')
    for i in range(20000): open('/work/d/%d' % i, 'w').close()
open('/work/d/1', 'a').write('x')
print('go', flush=True)"""),
    Attack("dying", "cells that die", "import os\nprint('go', flush=True)\nos._exit(1)"),
    Attack("sessions", "4 clients whose sessions begin, die and end", "import os\nos._exit(1)", "sessions", 4),
    Attack("branches", "branches that begin and end", "print('go', flush=True)", "branches"),
    Attack("requests", "4 clients that ask without pause", """import os
for i in range(1000): open('/work/%d' % i, 'w').close()""", "requests", 4),
]
