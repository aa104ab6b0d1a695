"""Installs packages, in sessions that are made for it; nothing of the host is in reach.

    gather(specs, …)        what was asked for becomes wheels in /work/wheels; code of packages may run
    install(npm, …)         wheels and archives become files in /work/out; no code of a package runs
    pack()                  /work/out becomes the one file /work/tree

The host takes wheels and the tree out and trusts neither. src/environments/tree.h has the form of the tree.
"""
import glob
import json
import os
import re
import struct
import subprocess
import sys
import urllib.parse

WHEELS, INDEX, OUT, TREE = "/work/wheels", "/work/index", "/work/out", "/work/tree"
LOCKED = "/work/npm.json"
SITE = OUT + "/python"
QUIET = ["--no-cache-dir", "--disable-pip-version-check", "--no-input"]


class Failure(Exception):
    """Its text is one line for the user."""


def pip():
    """The interpreter's own pip, or the one that Debian has for virtual environments."""
    import importlib.util

    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    bundled = sorted(glob.glob("/usr/share/python-wheels/pip-*.whl"))
    if not bundled:
        raise Failure("pip is not installed: apt install python3-pip, or name a Python that has it with --python")
    return [sys.executable, bundled[-1] + "/pip"]


def public(text):
    """Removes passwords from addresses: pip prints a line of the requirements that it does not understand, and npm
    prints everything."""
    return re.sub(r"(\w://)[^\s/'\"]*@", r"\1****@", text)


def last_words(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    pip = [line for line in lines if line.lower().startswith("error")]
    npm = [line for line in lines if line.lower().startswith("npm err") and len(line.split()) > 4]
    return ((pip[-1:] or npm[:1] or lines[-1:] or ["it said nothing"])[0])[:300]


def trusted():
    """pip and npm trust the authorities that the host trusts, not a list of their own."""
    known = "/etc/ssl/certs/ca-certificates.crt"
    return {"PIP_CERT": known, "NODE_EXTRA_CA_CERTS": known} if os.path.exists(known) else {}


def call(what, command):
    """Passes the program's output on, and reports how it ended if it failed."""
    sys.stdout.flush()
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **trusted()})
    said = bytearray()
    for line in program.stdout:
        line = public(line.decode(errors="replace"))
        sys.stdout.write(line)
        sys.stdout.flush()
        said += line.encode()
        del said[:-65536]
    status = program.wait()
    if status:
        raise Failure("%s failed: %s" % (what, last_words(said.decode(errors="replace"))))


def gather(specs, requirements=None, index=None):
    """`index`: its address; or None: only what is in /work/index."""
    command = pip() + ["wheel", "--wheel-dir", WHEELS, "--progress-bar", "off", *QUIET]
    if index:
        command += ["--index-url", index]
        if index.startswith("http:"):  # the user chose http; the lock file has hashes of what comes
            command += ["--trusted-host", urllib.parse.urlsplit(index).hostname]
    else:
        # Packages are built with the tools of the host, because /work/index has none to build with.
        command += ["--no-index", "--no-build-isolation"]
    if os.path.isdir(INDEX):
        command += ["--find-links", INDEX]
    if requirements:
        with open("/work/requirements.txt", "w") as file:
            file.write(requirements)
        specs = [*specs, "-r", "/work/requirements.txt"]
    call("pip", command + list(specs))


def install(npm=(), registry=None):
    os.makedirs(OUT, exist_ok=True)
    wheels = sorted(os.path.basename(path) for path in glob.glob(WHEELS + "/*.whl"))
    if wheels:
        # By name and version: pip would write a path into the installed files.
        names = ["==".join(name.split("-")[:2]) for name in wheels]
        call("pip", pip() + ["install", "--no-index", "--no-deps", "--no-compile", "--find-links", WHEELS,
                             "--target", SITE, "--no-warn-script-location", *QUIET, *names])
        compile_all()
    if npm:
        install_npm(list(npm), registry)


def compile_all():
    """Compiles once, here, because sessions could not write it. Always gives the same result: in order, with sets in
    one order, without times."""
    where = ["-s", OUT, "-p", "/opt/packages"] if sys.version_info >= (3, 9) else []
    subprocess.run([sys.executable, "-m", "compileall", "-q", "-j", "1", "--invalidation-mode", "unchecked-hash",
                    *where, SITE], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env={**os.environ, "PYTHONHASHSEED": "0"})  # a file that is no Python stays as it is


def install_npm(specs, registry):
    import shutil

    if not shutil.which("npm"):
        raise Failure("npm is not installed: apt install npm")
    command = ["npm", "install", "--prefix", OUT, "--ignore-scripts", "--no-audit", "--no-fund", "--omit=dev",
               "--loglevel=http", "--cache=/tmp/npm", "--update-notifier=false"]
    command += ["--registry", registry] if registry else ["--offline"]
    with open(OUT + "/package.json", "w") as file:
        file.write("{}")
    call("npm", command + specs)
    with open(OUT + "/package-lock.json") as file:
        packages = json.load(file)["packages"]
    with open(LOCKED, "w") as file:
        json.dump([{"name": path.rpartition("node_modules/")[2], "version": one.get("version", ""),
                    "integrity": one.get("integrity", "")}
                   for path, one in sorted(packages.items()) if path.startswith("node_modules/") and not one.get("link")],
                  file)
    for name in ("package.json", "package-lock.json", "node_modules/.package-lock.json"):
        if os.path.exists(os.path.join(OUT, name)):
            os.remove(os.path.join(OUT, name))


def entries(root):
    """Relative paths of everything below, sorted by their bytes."""
    found = []
    for folder, folders, files in os.walk(os.fsencode(root)):
        found += [os.path.join(folder, name)[len(root) + 1:] for name in folders + files]
    return sorted(found)


def pack(root=OUT):
    """Removes each file as soon as it is in the tree: there is no room for both."""
    with open(TREE, "wb") as tree:
        tree.write(b"retort-tree/1\n")
        for path in entries(root):
            pack_entry(tree, os.path.join(os.fsencode(root), path), path)


def pack_entry(tree, full, path):
    if os.path.islink(full):
        target = os.readlink(full)
        tree.write(struct.pack("<BIQ", ord("l"), len(path), len(target)) + path + target)
    elif os.path.isdir(full):
        tree.write(struct.pack("<BIQ", ord("d"), len(path), 0) + path)
    elif os.path.isfile(full):
        with open(full, "rb") as file:
            status = os.fstat(file.fileno())
            kind = ord("x") if status.st_mode & 0o100 else ord("f")
            tree.write(struct.pack("<BIQ", kind, len(path), status.st_size) + path)
            while True:
                chunk = file.read(1 << 20)
                if not chunk:
                    break
                tree.write(chunk)
        os.unlink(full)
