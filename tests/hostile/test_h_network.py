"""H: the network. Tests aim at this host's loopback and at namespaces that they made themselves, and at nothing else."""
import ctypes
import dataclasses
import os
import socket
import subprocess
import threading

import pytest
from ring import refused

METADATA, LAN, GATEWAY = "169.254.169.254", "10.77.0.9", "10.77.0.2"
UNREACHABLE = ("ENETUNREACH", "EHOSTUNREACH", "ECONNREFUSED", "EADDRNOTAVAIL", "EPERM", "EACCES", "EINVAL")
CONNECT = """
import socket
def tcp(address, family=socket.AF_INET):
    with socket.socket(family) as s:
        s.settimeout(1); s.connect(address)
def udp(address, family=socket.AF_INET):
    with socket.socket(family, socket.SOCK_DGRAM) as s:
        s.connect(address); s.send(b'x'); s.settimeout(0.2); s.recv(1)
"""


@pytest.fixture(scope="module")
def lan(tripwire):
    """Two network namespaces joined by a veth: in one a LAN, a gateway and a metadata service listen; the other is where
    retort is started, with a route to them. Gives the command that enters the other."""
    if os.geteuid() != 0:
        yield None
        return
    here, there = (subprocess.Popen(["/usr/bin/unshare", "--net", "/bin/sh", "-c", "echo up; exec sleep 3600"], stdout=-1)
                   for _ in range(2))
    for holder in (here, there):
        assert holder.stdout.readline() == b"up\n"
    enter = {holder: ("/usr/bin/nsenter", f"--net=/proc/{holder.pid}/ns/net") for holder in (here, there)}

    def ip(holder, *words):
        subprocess.run([*enter[holder], "ip", *words], check=True)

    subprocess.run(["ip", "link", "add", "veth0", "netns", str(here.pid), "type", "veth", "peer", "name", "veth0", "netns",
                    str(there.pid)], check=True)
    ip(here, "addr", "add", "10.77.0.1/24", "dev", "veth0")
    for address in (f"{GATEWAY}/24", f"{LAN}/24", f"{METADATA}/32"):
        ip(there, "addr", "add", address, "dev", "veth0")
    for holder in (here, there):
        ip(holder, "link", "set", "lo", "up")
        ip(holder, "link", "set", "veth0", "up")
    ip(here, "route", "add", "default", "via", GATEWAY)
    for s in sockets_in(there.pid):
        tripwire.add(s)
    check_that_it_trips(enter[here], tripwire)
    yield enter[here]
    for holder in (here, there):
        holder.kill()
        holder.communicate()


def sockets_in(pid):
    """Listeners that belong to another network namespace: a thread enters it, opens them, and ends."""
    made = []

    def work():
        with open(f"/proc/{pid}/ns/net") as namespace:
            if ctypes.CDLL(None).setns(namespace.fileno(), 0x40000000) != 0:
                return
        for kind, port in ((socket.SOCK_STREAM, 80), (socket.SOCK_STREAM, 53), (socket.SOCK_DGRAM, 53),
                           (socket.SOCK_DGRAM, 5353)):
            s = socket.socket(socket.AF_INET, kind)
            s.bind(("0.0.0.0", port))
            if kind == socket.SOCK_STREAM:
                s.listen()
            made.append(s)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(made) == 4
    return made


def check_that_it_trips(enter, tripwire):
    """From where retort is started everything can be reached: it is the session that cannot."""
    knock = f"""
import socket
socket.create_connection(("{METADATA}", 80), 5)
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("{LAN}", 53))
"""
    subprocess.run([*enter, "/usr/bin/python3", "-c", knock], check=True)
    assert len(tripwire.seen()) == 2


@pytest.fixture
def net_box(box, lan):
    if lan:
        box.caller = dataclasses.replace(box.caller, prefix=(*lan, *box.caller.prefix))
    return box


def test_H1_connect_out(net_box, lan):
    trip = net_box.tripwire
    targets = [("tcp", trip.tcp), ("udp", trip.udp), ("tcp", ("127.0.0.1", 22)), ("tcp", ("0.0.0.0", trip.tcp[1])),
               ("tcp", ("127.1.2.3", trip.tcp[1]))]
    if lan:
        targets += [(kind, (address, port)) for address in (METADATA, LAN, GATEWAY, "10.77.0.1") for kind, port in
                    (("tcp", 80), ("tcp", 53), ("udp", 53), ("udp", 5353))]
        targets += [("udp", ("10.77.0.255", 53)), ("udp", ("255.255.255.255", 53)), ("udp", ("224.0.0.251", 5353))]
    code = CONNECT + f"""
for kind, address in {targets!r}:
    attempt(f'{{kind}} {{address[0]}}:{{address[1]}}', globals()[kind], tuple(address))
attempt('tcp6', tcp, {trip.tcp6!r}, socket.AF_INET6)
attempt('mapped', tcp, ('::ffff:127.0.0.1', {trip.tcp[1]}, 0, 0), socket.AF_INET6)
"""
    refused(net_box.attempts(code), *UNREACHABLE)


def test_H2_names(net_box, lan):
    resolver = f"""
with open('/work/resolv.conf', 'w') as f: f.write('nameserver {GATEWAY}\\n')
os.environ['LOCALDOMAIN'] = 'example'
""" if lan else ""
    code = resolver + CONNECT + """
for name in ('example.com', 'metadata.google.internal', 'host.docker.internal', 'printer.local'):
    attempt('lookup ' + name, socket.getaddrinfo, name, 80)
attempt('resolv.conf', open, '/etc/resolv.conf')
attempt('nscd', lambda: socket.socket(socket.AF_UNIX).connect('/var/run/nscd/socket'))
attempt('resolved', lambda: socket.socket(socket.AF_UNIX).connect('/run/systemd/resolve/io.systemd.Resolve'))
tell('localhost', sorted({a[4][0] for a in socket.getaddrinfo('localhost', 80)})[0])
"""
    attempts = net_box.attempts(code)
    assert attempts.pop("localhost") in ("127.0.0.1", "::1")
    refused(attempts, "OSError", "ENOENT")


def test_H3_sockets_of_other_kinds(box):
    code = """
import socket
AF = dict(PACKET=17, ALG=38, VSOCK=40, XDP=44, KEY=15, TIPC=30, CAN=29, BLUETOOTH=31, RDS=21, SMC=43, APPLETALK=5, X25=9, IRDA=23,
          PPPOX=24, LLC=26, PHONET=35, IEEE802154=36, CAIF=37, NFC=39, KCM=41, QIPCRTR=42, MCTP=45)
for name, number in AF.items():
    for kind in (1, 2, 3, 5):
        attempt(f'{name} {kind}', socket.socket, number, kind)
for protocol in range(1, 23): attempt(f'netlink {protocol}', socket.socket, 16, 3, protocol)
for family in (2, 10):
    attempt(f'raw {family}', socket.socket, family, socket.SOCK_RAW, 1)
    attempt(f'icmp {family}', socket.socket, family, socket.SOCK_DGRAM, 1 if family == 2 else 58)
    attempt(f'sctp {family}', socket.socket, family, socket.SOCK_SEQPACKET, 132)
    attempt(f'dccp {family}', socket.socket, family, 6, 33)
attempt('pair', socket.socketpair, socket.AF_INET)
"""
    refused(box.attempts(code), "EAFNOSUPPORT", "EPERM", "EACCES", "EPROTONOSUPPORT", "EOPNOTSUPP")


def test_H6_interfaces(box):
    code = """
import socket, struct
def netlink(kind, flags, payload):
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as s:
        s.bind((0, 0)); s.settimeout(2)
        s.send(struct.pack('IHHII', 16 + len(payload), kind, flags | 1 | 4, 1, 0) + payload)
        error = -struct.unpack('i', s.recv(65536)[16:20])[0]
        if error: raise OSError(error, 'netlink')
def attribute(kind, data): return struct.pack('HH', 4 + len(data), kind) + data + bytes(-len(data) % 4)
info = struct.pack('BxHiII', 0, 0, 0, 0, 0)
for kind in ('veth', 'dummy', 'tun', 'wireguard', 'bridge', 'vlan'):
    attempt('create ' + kind, netlink, 16, 0x600, info + attribute(18, attribute(1, kind.encode())))
attempt('address', netlink, 20, 0x600, struct.pack('BBBBI', 2, 8, 0, 0, 1) + attribute(2, bytes([10, 0, 0, 1])))
attempt('route', netlink, 24, 0x600, struct.pack('8BI', 2, 0, 0, 0, 254, 3, 0, 1, 0) + attribute(5, bytes([127, 0, 0, 1])))
attempt('lo down', netlink, 16, 0, struct.pack('BxHiII', 0, 0, 1, 0, 1))
import fcntl
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
attempt('ioctl flags', fcntl.ioctl, s, 0x8914, struct.pack('16sh', b'lo', 0) + bytes(22))
attempt('ioctl address', fcntl.ioctl, s, 0x8916, struct.pack('16sHH4s', b'lo', 2, 0, bytes([10, 0, 0, 1])) + bytes(16))
attempt('tun', os.open, '/dev/net/tun', os.O_RDWR)
attempt('bind to device', s.setsockopt, socket.SOL_SOCKET, 25, b'eth0')
syscall('iptables', 54, s.fileno(), 0, 64, ctypes.create_string_buffer(96), 96)
"""
    refused(box.attempts(code), "EPERM", "ENOENT", "ENOTTY", "EACCES", "ENODEV", "EOPNOTSUPP")


def test_H9_nothing_asked_for_is_nothing_given(box):
    code = """
import socket
print([name for _, name in socket.if_nameindex()])
print(open('/proc/net/route').read() if os.path.exists('/proc/net/route') else '')
""".replace("print(open", "import os\nprint(open", 1)
    assert box.run(code)["stdout"] == "['lo']\n\n"
    node = box.run("console.log(Object.keys(require('os').networkInterfaces()))", language="javascript")
    assert node["stdout"] == "[ 'lo' ]\n"
