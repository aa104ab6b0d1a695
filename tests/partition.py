"""Networks of a test's own: a hub, and nodes that reach it over one link each, which can be cut without a word to either side."""
import ctypes
import os
import subprocess

CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


class Network:
    """Sockets that a thread makes after it entered are in it, and so is what it starts."""

    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY)

    def enter(self):
        if LIBC.setns(self.fd, CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")

    def close(self):
        os.close(self.fd)


def own_network():
    """A new one, which this thread has entered. It goes with the last who is in it."""
    if LIBC.unshare(CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    ip("link", "set", "lo", "up")
    return Network("/proc/thread-self/ns/net")


def ip(*words):
    subprocess.run(["/usr/sbin/ip", *[str(word) for word in words]], check=True)


class Spoke(Network):
    """The network of one node, linked to the one that this is made in."""

    def __init__(self, number):
        self.name, self.hub, self.own = f"node{number}", f"10.71.{number}.1", f"10.71.{number}.2"
        # Holds the network; ends with us, for its input ends then.
        self.holder = subprocess.Popen(["unshare", "-n", "sh", "-c", "ip link set lo up && echo up && read x"],  # pylint: disable=consider-using-with
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
        assert self.holder.stdout.read(3) == b"up\n"
        self.prefix = ("/usr/bin/nsenter", f"--net=/proc/{self.holder.pid}/ns/net", "--")
        super().__init__(f"/proc/{self.holder.pid}/ns/net")
        ip("link", "add", self.name, "type", "veth", "peer", "name", "hub", "netns", self.holder.pid)
        ip("addr", "add", f"{self.hub}/30", "dev", self.name)
        subprocess.run([*self.prefix, "/usr/sbin/ip", "addr", "add", f"{self.own}/30", "dev", "hub"], check=True)
        subprocess.run([*self.prefix, "/usr/sbin/ip", "link", "set", "hub", "up"], check=True)
        self.join()

    def cut(self):
        ip("link", "set", self.name, "down")

    def join(self):
        ip("link", "set", self.name, "up")

    def close(self):
        self.holder.stdin.close()
        self.holder.wait()
        super().close()
