"""H: a network namespace that was another session's. One session leaves in it what it can; the next one that gets it must see
exactly what the first session of a new engine sees. Where anything was done that lasts, none gets it."""
import pytest
from heirs import MODES, Engine

# All that the kernel tells of the namespace: its files, with what is the same for all namespaces, or an address, taken out;
# interfaces, addresses, routes and neighbours by netlink; and whether a guest gets what it asks for.
LOOK = r"""
import os, re, socket, struct
def text(path):
    try:
        with open(path) as f: return f.read()
    except OSError as error: return error.strerror
def masked(name, t):
    if name.startswith(('stat/', 'softnet_stat', 'psched', 'ptype', 'rpc/', 'vlan/')): return ''  # of the whole host
    if name.startswith('sockstat'): return re.sub(r'(orphan|alloc|mem|memory) \d+', '', t)
    if name == 'protocols': return [line.split()[:3] for line in t.splitlines()]
    if name in ('netlink', 'unix'): return [line.split()[1:-1] for line in t.splitlines()]
    return t
def ask(kind, payload, flags=0x301):
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as s:
        s.bind((0, 0)); s.settimeout(5)
        s.send(struct.pack('IHHII', 16 + len(payload), kind, flags, 1, 0) + payload)
        got = b''
        while True:
            part = s.recv(1 << 16); got += part
            if not flags & 0x300 or struct.unpack_from('H', part, len(part) - 16)[0] == 3 or b'\x03\x00' in part[4:6]: return got
def attributes(data):
    while len(data) >= 4:
        n, kind = struct.unpack_from('HH', data)
        if n < 4: return
        yield kind & 0x3fff, data[4:n]
        data = data[(n + 3) & ~3:]
def age(family, address):
    # of the route that is cached for this processor: ticks since it was last used; one that was just made has none
    reply = ask(26, struct.pack('8BI', family, 8 * len(address), 0, 0, 0, 0, 0, 0, 0) + struct.pack('HH', 4 + len(address), 1) + address, 1)
    info = dict(attributes(reply[28:])).get(12, bytes(32))
    return struct.unpack_from('II', info)[1] < 100
def port(family, kind, number):
    with socket.socket(family, kind) as s:
        try: s.bind(('127.0.0.1' if family == 2 else '::1', number))
        except OSError as error: return error.strerror
def knock(address, family, kind):
    with socket.socket(family, kind) as s:
        s.settimeout(1)
        try: s.connect(address)
        except OSError as error: return error.strerror
def look():
    seen = {'net': {}}
    for folder, _, names in os.walk('/proc/self/net'):
        for name in sorted(names):
            path = os.path.join(folder, name); name = os.path.relpath(path, '/proc/self/net')
            seen['net'][name] = masked(name, text(path))
    for cpu in sorted(os.sched_getaffinity(0)):
        os.sched_setaffinity(0, {cpu})
        seen[f'routes {cpu}'] = age(2, bytes([127, 0, 0, 1])), age(10, bytes(15) + b'\x01')
    seen['neighbours'] = ask(30, bytes(12)).hex()[32:]
    with socket.socket() as s: seen['fast open'] = s.getsockopt(6, 33, 32).hex()
    seen['ports'] = [port(f, k, n) for f in (2, 10) for k in (1, 2) for n in (1024, 3128, 5000, 5353, 40000)]
    seen['abstract'] = [knock('\0' + name, socket.AF_UNIX, kind) for name in ('left', '00001') for kind in (1, 2, 5)]
    seen['listening'] = [knock((a, 5000), f, 1) for f, a in ((2, '127.0.0.1'), (10, '::1'))]
    return seen
"""
# SO_NETNS_COOKIE (Linux 5.14): unlike the number in /proc/self/ns/net, that of one that is gone is never given to another.
WHERE = "import socket\nwith socket.socket(socket.AF_UNIX) as s: cookie = s.getsockopt(1, 71, 8).hex()\ncookie"
TRY = """
import os, socket, struct, ctypes, contextlib
quiet = contextlib.suppress(OSError)
def udp(family=2): return socket.socket(family, socket.SOCK_DGRAM)
"""

# Where the kernel counts the routes that were looked for, whoever looked for one keeps the namespace.
with open("/proc/self/net/fib_triestat") as stats:
    UNLESS_COUNTED = "Counters" not in stats.read()

# What a session does, and whether another gets its namespace; None: perhaps.
LEFT = {
    "nothing": ("", True),
    "files are read": ("for f in os.listdir('/proc/self/net'):\n with quiet: open('/proc/self/net/' + f).read()", True),
    "a bound port": ("kept = [socket.socket() for _ in range(9)]\nfor i, s in enumerate(kept): s.bind(('127.0.0.1', 5000 + i))", UNLESS_COUNTED),
    "a listener": ("s = socket.socket(); s.bind(('127.0.0.1', 5000)); s.listen()", UNLESS_COUNTED),
    "a port for many": ("""
kept = [udp() for _ in range(4)]
for s in kept: s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1); s.bind(('127.0.0.1', 5000))""", UNLESS_COUNTED),
    "a cached route": ("""
for cpu in os.sched_getaffinity(0):
    os.sched_setaffinity(0, {cpu})
    with udp() as s: s.connect(('127.0.0.1', 9))
import time; time.sleep(1.5)""", UNLESS_COUNTED),
    "abstract sockets with packets": ("""
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind('\\0left')
for _ in range(5): udp(socket.AF_UNIX).sendto(b'left', '\\0left')
t = socket.socket(socket.AF_UNIX); t.bind('')""", True),
    "netlink listeners": ("""
kept = [socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) for _ in range(32)]
for bit, s in enumerate(kept):
    with quiet: s.bind((0, 1 << bit))
    s.send(struct.pack('IHHIIB', 17, 18, 0x301, 1, 0, 0))""", None),  # the kernel frees them some moments later
    "raw and ping sockets": ("""
for f in (2, 10):
    for kind, protocol in ((3, 255), (3, 1), (2, 1), (2, 58), (3, 6)):
        with quiet: socket.socket(f, kind, protocol)""", True),
    "settings": ("""
for folder, _, names in os.walk('/proc/sys/net'):
    for name in names:
        with quiet: open(folder + '/' + name, 'w').write('1')
for f in ('igmp', 'rpc/auth.unix.ip/flush', 'nf_conntrack', 'ip_tables_names'):
    with quiet: open('/proc/self/net/' + f, 'w').write('1')""", True),
    "tables of connections": ("for p in (6, 9, 12):\n with quiet: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, p)", True),
    "addresses and devices": ("""
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
for kind, body in ((20, struct.pack('BBBBIHH4B', 2, 8, 0, 0, 1, 8, 2, 10, 0, 0, 1)), (16, struct.pack('BxHiII', 0, 0, 1, 0, 1)),
                   (24, struct.pack('8BIHH4B', 2, 0, 0, 0, 254, 3, 0, 1, 0, 8, 5, 127, 0, 0, 1))):
    s.send(struct.pack('IHHII', 16 + len(body), kind, 0x605, 1, 0) + body)
import fcntl
with quiet: fcntl.ioctl(udp(), 0x8914, struct.pack('16sh', b'lo', 0) + bytes(22))""", None),  # by netlink, too
    "connections": ("""
l = socket.socket(); l.bind(('127.0.0.1', 5000)); l.listen()
for _ in range(3):
    c = socket.create_connection(('127.0.0.1', 5000)); a, _ = l.accept(); c.close(); a.close()  # c: TIME_WAIT""", False),
    "connections of IPv6": ("""
l = socket.socket(10); l.bind(('::1', 5000)); l.listen(); c = socket.create_connection(('::1', 5000))""", False),
    "unread packets": ("s = udp(); s.bind(('127.0.0.1', 5000)); udp().sendto(b'left', ('127.0.0.1', 5000))", False),
    "refused packets": ("udp().sendto(b'left', ('127.0.0.1', 9))", False),
    "fragments": ("s = udp(); s.bind(('127.0.0.1', 5000)); s.setsockopt(0, 10, 0)\nudp().sendto(bytes(65000), ('127.0.0.1', 5000))", False),
    "a broadcast": ("s = udp(); s.setsockopt(1, 6, 1)\nwith quiet: s.sendto(b'left', ('127.255.255.255', 9))", False),
    "a call without a route": ("with quiet: socket.create_connection(('10.1.2.3', 80), 1)", False),
    "a call without a route of IPv6": ("with quiet: udp(10).connect(('fd00::1', 80))", False),
    "a cached route of IPv6": ("udp(10).connect(('::1', 9))", False),
    "a group": ("s = udp(); s.setsockopt(0, 35, socket.inet_aton('239.1.2.3') + socket.inet_aton('127.0.0.1'))", False),
    "a group, left again": ("""
for n in range(20):
    with udp() as s: s.setsockopt(0, 35, struct.pack('4B', 239, 1, 2, n) + socket.inet_aton('127.0.0.1'))""", False),
    "a group of IPv6": ("s = udp(10); s.setsockopt(41, 20, socket.inet_pton(10, 'ff02::1234') + struct.pack('i', 1))", False),
    "a group by its source": ("s = udp(); s.setsockopt(0, 39, b''.join(map(socket.inet_aton, ('232.1.2.3', '127.0.0.1', '127.0.0.1'))))", False),
    "a group by its protocol": ("""
s = udp(10)
s.setsockopt(41, 42, struct.pack('i4xHHI16sI100x', 1, 10, 0, 0, socket.inet_pton(10, 'ff02::77'), 0))""", False),
    "a flow label": ("""
s = udp(10)
s.setsockopt(41, 32, socket.inet_pton(10, '::1') + struct.pack('!I', 0x12345) + struct.pack('BBHHHI', 0, 1, 1, 60, 60, 0))""", False),
    "a key": ("s = socket.socket(); s.setsockopt(6, 23, 5)", False),
    "an option with a long number": ("""
s = udp(); group = socket.inet_aton('239.1.2.3') + socket.inet_aton('127.0.0.1'); high = 1 << 40
assert ctypes.CDLL(None).syscall(54, s.fileno(), ctypes.c_ulong(high), ctypes.c_ulong(high | 35), group, 8) == 0""", False),
    "an option by a thread": ("""
import threading
def join(): s.setsockopt(0, 35, socket.inet_aton('239.1.2.3') + socket.inet_aton('127.0.0.1'))
s = udp(); t = threading.Thread(target=join); t.start(); t.join()""", False),
    "an option by a child": ("""
if os.fork() == 0:
    s = udp(); s.setsockopt(0, 35, socket.inet_aton('239.1.2.3') + socket.inet_aton('127.0.0.1')); os._exit(0)
os.wait()""", False),
}


@pytest.fixture(scope="module", params=MODES)
def engine(request, new_caller, lightened):
    made = Engine(lightened(new_caller(request.param)), LOOK + "look()", WHERE, 30)
    yield made
    assert made.server.close() == 0


@pytest.mark.parametrize("what", LEFT)
@pytest.mark.few(7)
def test_H10_nothing_is_left_in_a_network_namespace(engine, what):
    code, again = LEFT[what]
    engine.leave(TRY + code, again)


def test_H10_who_looks_sees_what_is_there(engine):
    """Or the comparison would prove nothing."""
    one = engine.session()
    one.value(TRY + "udp().sendto(b'left', ('127.0.0.1', 9)); s = socket.socket(); s.bind(('127.0.0.1', 5000))\n1")
    assert engine.seen(one) != engine.reference
    one.close()


def test_H10_a_session_with_another_interpreter_keeps_its_namespace(engine):
    """What others do is told to nobody."""
    one = engine.session()
    namespace = one.value(WHERE)
    result = one.server.call("session.execute", session=one.id, code="console.log(1)", language="javascript")
    assert result["status"] == "ok"
    one.close()
    assert engine.next_in(namespace) is None


def test_H10_files_do_not_keep_it(engine):
    """A collector stands in it and ends with its session."""
    others = [engine.session() for _ in range(24)]  # so that there is room among those that are kept
    one = engine.session()
    namespace = one.value(WHERE)
    one.write("a", b"b")
    assert set(one.files()) == {"a"}
    one.close()
    heir = engine.next_in(namespace)
    for other in others:
        other.close()
    assert engine.seen(heir) == engine.reference
    heir.close()


def test_H10_two_live_sessions_never_share_one(engine):
    live = [engine.session() for _ in range(12)]
    assert len({one.value(WHERE) for one in live}) == len(live)
    for one in live:
        one.close()
    others = [engine.session() for _ in range(12)]
    assert len({one.value(WHERE) for one in others}) == 12
    for one in others:
        one.close()
