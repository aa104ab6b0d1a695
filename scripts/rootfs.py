"""Root file systems that are made of the installed Debian packages, and the way into one.

A tree has what some packages and all that they depend on have put on this machine; nothing is downloaded, and no script of a
package runs. It is entered by pivot_root in a mount namespace: in a chroot the kernel refuses user namespaces."""
import os
import pathlib
import re
import subprocess

UNWANTED = ("/usr/share/doc/", "/usr/share/man/", "/usr/share/locale/", "/usr/include/", "/usr/share/lintian/")
FOLDERS = ("dev", "proc", "sys", "run", "tmp", "root", "etc", "var/tmp", "home", "old", "usr/bin", "usr/lib")

# enter TREE FOLDER COMMAND…: for a shell in new mount, pid and uts namespaces. The tree has the folders named above.
ENTER = """
set -e
mount --bind "$1" "$1"
cd "$1"
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs run
mkdir -m 1777 run/lock
mount -t proc proc proc
mount --rbind /sys sys
hostname fresh
pivot_root . old
umount -l /old
cd "$2"
shift 2
exec "$@"
"""


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def as_root(*command):
    """For what only root may do with files that are copied; others do it in a user namespace."""
    return command if os.geteuid() == 0 else ("unshare", "-r", *command)


def installed_packages():
    fields = "${Package}\t${Version}\t${db:Status-Status}\t${Provides}\t${Pre-Depends}, ${Depends}\n"
    packages, provided = {}, {}
    for line in output("dpkg-query", "-W", "-f", fields).splitlines():
        name, version, status, provides, depends = line.split("\t")
        if status == "installed":
            packages[name] = (version, depends)
            for virtual in provides.split(","):
                provided.setdefault(virtual.split("(")[0].strip(), name)
    return packages, provided


def with_dependencies(wanted):
    """The wanted packages that are installed and all that they depend on, with versions."""
    packages, provided = installed_packages()
    closure, todo = {}, list(wanted)
    while todo:
        name = todo.pop()
        name = name if name in packages else provided.get(name)
        if name is None or name in closure:
            continue
        closure[name], depends = packages[name]
        todo += [re.sub(r"[(:].*", "", one).strip() for one in re.split("[,|]", depends)]
    return closure


def files_of(packages):
    listed = output("dpkg-query", "-L", *packages).splitlines()
    paths = {line for line in listed if line.startswith("/") and not line.startswith(UNWANTED)}
    # What postinst scripts made and no package lists: byte code, alternatives, the names that ldconfig gave.
    paths |= {str(cache) for path in paths if path.endswith(".py") for cache in compiled(path)}
    for folder in ("/usr/bin", "/usr/lib/x86_64-linux-gnu", "/etc/alternatives"):
        paths |= {entry.path for entry in os.scandir(folder) if entry.is_symlink()}
    paths |= {"/etc/ld.so.cache", "/etc/ld.so.conf"}
    real = {os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)) for path in paths}
    return sorted(path for path in real if os.path.lexists(path) and (os.path.islink(path) or not os.path.isdir(path)))


def compiled(path):
    path = pathlib.Path(path)
    return (path.parent / "__pycache__").glob(f"{path.stem}.cpython-*.pyc")


def make_tree(tree, packages, users=()):
    """A new tree with the files of these packages, for root and these users: (name, uid)."""
    for name in FOLDERS:
        (tree / name).mkdir(parents=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        (tree / name).symlink_to(f"usr/{name}")
    listing = tree.with_name(f"{tree.name}.list")
    listing.write_text("".join(path[1:] + "\n" for path in files_of(packages)))
    copy = "tar -C / --owner=0 --group=0 --ignore-failed-read -cf - -T {0} | tar -C {1} -xpf -".format(listing, tree)
    subprocess.run(as_root("sh", "-c", copy), check=True, stderr=subprocess.DEVNULL)
    listing.unlink()
    accounts = [("root", 0, "/root", "/bin/bash"), *((name, uid, f"/home/{name}", "/bin/bash") for name, uid in users),
                ("nobody", 65534, "/", "/bin/false")]
    (tree / "etc/passwd").write_text("".join(f"{name}:x:{uid}:{uid}::{home}:{shell}\n" for name, uid, home, shell in accounts))
    (tree / "etc/group").write_text("".join(f"{'nogroup' if name == 'nobody' else name}:x:{uid}:\n" for name, uid, _, _ in accounts))


def copy_programs(build, target):
    """What `make all` has built, without what is for compilers."""
    target.mkdir(parents=True, exist_ok=True)
    for path in [*build.glob("retort*"), *build.glob("libretort.so*")]:
        subprocess.run(["cp", "-a", path, target], check=True)
    if (build / "guest").exists():
        subprocess.run(["cp", "-a", build / "guest", target], check=True)
