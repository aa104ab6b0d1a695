"""Makes a session's randomness its own: what was seeded before the fork is seeded again at birth.

Only modules that are loaded are touched. os.urandom, secrets, uuid4 and numpy's default_rng()
ask the kernel and need nothing; `random` seeds itself in the child of a fork, and libc's generators
are seeded where the zygote forks (_retort.c). `random` and numpy's global generator get the
session's recorded seed with HELLO, after this. The hash seed, the address layout and generators that a preloaded
module made for itself cannot be changed.
"""
import os
import sys


def born(entropy):
    """Mixes `entropy` (bytes from the kernel, different for every session) into every generator."""
    for name, reseed in SOURCES:
        module = sys.modules.get(name)
        if module is not None:
            try:
                reseed(module, entropy)
            except (AttributeError, OSError):
                pass  # this version of the module lacks these private parts


def seed_numpy(numpy_random, entropy):
    numpy_random.seed(int.from_bytes(os.urandom(4), "little"))


def seed_ssl(ssl, entropy):
    ssl.RAND_add(entropy + os.urandom(32), 32.0)


def seed_tempfile(tempfile, entropy):
    tempfile._name_sequence = None


def seed_processes(process, entropy):
    process.current_process().authkey = os.urandom(32)


def seed_uuid(uuid, entropy):
    """uuid1: sets a random node, with the multicast bit that marks it, and forgets the old clock."""
    uuid._node = int.from_bytes(os.urandom(6), "big") | 1 << 40
    uuid._last_timestamp = None
    uuid._generate_time_safe = None


def seed_sqlite(sqlite, entropy):
    """Makes SQLite draw new random bytes by sqlite3_randomness(0); only ctypes can call it."""
    ctypes = sys.modules.get("ctypes")
    if ctypes is not None:
        ctypes.CDLL("libsqlite3.so.0").sqlite3_randomness(0, None)


SOURCES = (
    ("numpy.random", seed_numpy),
    ("ssl", seed_ssl),
    ("tempfile", seed_tempfile),
    ("multiprocessing.process", seed_processes),
    ("uuid", seed_uuid),
    ("_sqlite3", seed_sqlite),
)
