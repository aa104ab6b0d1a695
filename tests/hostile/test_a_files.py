"""A: the file system, from inside."""
import stat
import subprocess

from ring import refused

DENIED = ("ENOENT", "EACCES", "EPERM", "EROFS")


def test_A1_read_host_files(box):
    paths = ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/machine-id", "/etc/ssh", "/root", "/root/.ssh", "/home",
             "/var", "/var/log", "/run", "/sys", "/boot", "/mnt", "/srv", "/proc/1/root/etc", "/proc/self/root/root",
             "/etc/../root/.bashrc", box.caller.home, box.caller.home / ".netrc", box.caller.programs / "retort",
             box.canary.tree / "flag", box.canary.tree / "project/main.py", __file__]
    code = f"""
for path in {[str(path) for path in paths]!r}:
    attempt('open ' + path, os.open, path, os.O_RDONLY)
    attempt('stat ' + path, os.stat, path)
"""
    refused(box.attempts(code), "ENOENT", "EACCES")


def test_A2_walk_everything(box):
    """What is there beside /usr is a short list, and nothing in it is the host's but what /etc publishes."""
    code = """
import os
for place, folders, files in os.walk('/'):
    folders[:] = [f for f in folders if os.path.join(place, f) not in ('/usr', '/proc', '/lib', '/lib64', '/bin', '/sbin',
                                                                      '/etc/ssl/certs', '/etc/fonts', '/etc/alternatives')]
    for name in folders + files:
        print(os.path.join(place, name))
"""
    seen = set(box.run(code)["stdout"].splitlines())
    top = {path for path in seen if path.count("/") == 1} - {"/lib32", "/libx32"}
    assert top <= {"/dev", "/etc", "/opt", "/tmp", "/work"} and {"/dev", "/etc", "/opt", "/tmp", "/work"} <= top
    outside = {path for path in seen - top if not path.startswith(("/etc/", "/opt/retort", "/dev/"))}
    assert outside <= {"/lib32", "/libx32"}
    published = {"passwd", "group", "hosts", "hostname", "ssl", "ld.so.cache", "ld.so.conf", "localtime", "timezone",
                 "mime.types", "matplotlibrc", "protocols", "services", "nsswitch.conf", "magic", "bash.bashrc",
                 "inputrc", "ssl/openssl.cnf"}
    assert {path[5:] for path in seen if path.startswith("/etc/")} <= published


def test_A2_usr_is_the_host_s(box):
    """The same names, not one more or less, as whoever started the session would see."""
    code = """
import hashlib, os
for place in ('/usr', '/usr/bin', '/usr/lib', '/usr/share', '/usr/local'):
    names = sorted(os.listdir(place))
    print(place, len(names), hashlib.sha256(repr(names).encode()).hexdigest())
"""
    host = subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True, check=True)
    assert box.run(code)["stdout"] == host.stdout


def test_A3_write_outside(box):
    code = """
for place in ('/', '/usr', '/usr/bin', '/etc', '/etc/ssl/certs', '/proc', '/proc/self', '/dev', '/opt', '/opt/retort', '/sys',
              '/usr/lib/python3/dist-packages', '/opt/retort/python'):
    attempt('create ' + place, open, place + '/made', 'w')
    attempt('mkdir ' + place, os.mkdir, place + '/made')
    attempt('symlink ' + place, os.symlink, 'x', place + '/made')
for path in ('/etc/passwd', '/usr/bin/python3', '/opt/retort/init', '/opt/retort/python/cell.py', '/bin/bash'):
    attempt('append ' + path, open, path, 'ab')
    attempt('remove ' + path, os.remove, path)
    attempt('chmod ' + path, os.chmod, path, 0o777)
    attempt('truncate ' + path, os.truncate, path, 0)
    attempt('rename ' + path, os.rename, path, path + '.old')
    attempt('utime ' + path, os.utime, path)
    attempt('setxattr ' + path, os.setxattr, path, 'user.x', b'y')
"""
    refused(box.attempts(code), *DENIED, "EOPNOTSUPP")


def test_A3_remove_everything(box):
    """rm -rf / and the removal of a project by its path harm nothing but the session's own files."""
    targets = ["/"] if box.mode == "user" else ["/etc", "/opt", "/tmp", "/work", "/usr/bin"]  # /usr may be large
    code = f"""
import os, shutil
for path in ('{box.canary.tree}/project/main.py', '{box.canary.tree}/flag', '{box.caller.home}/.netrc'):
    try: os.remove(path)
    except OSError: pass
shutil.rmtree('{box.canary.tree}', ignore_errors=True)
open('/work/mine', 'w').write('x')
for path in {targets}: shutil.rmtree(path, ignore_errors=True)
print(os.path.exists('/work/mine'), os.path.exists('/usr/bin/python3'))
"""
    outcome = box.run(code, "--timeout", "600", timeout=700)  # there are many files below /usr
    assert outcome["stdout"] == "False True\n" and outcome["files"] == []
    assert (box.caller.home / ".netrc").exists()


def test_A5_chroot(box):
    code = """
old = os.open('/', os.O_RDONLY)
os.mkdir('/work/jail')
attempt('chroot', os.chroot, '/work/jail')
os.fchdir(old)
for _ in range(100): os.chdir('..')
attempt('chroot out', os.chroot, '.')
syscall('pivot_root', 155, b'.', b'.')
tell('where', os.getcwd() + ' ' + ' '.join(sorted(os.listdir('.'))[:1]))
"""
    attempts = box.attempts(code)
    assert attempts.pop("where").startswith("/ bin")
    refused(attempts, "EPERM")


def test_A7_devices(box):
    code = f"""
import stat
devices = {{'mem': (1, 1), 'kmem': (1, 2), 'kmsg': (1, 11), 'kvm': (10, 232), 'fuse': (10, 229), 'tun': (10, 200), 'tty': (5, 0)}}
for name, (major, minor) in devices.items():
    attempt('char ' + name, os.mknod, '/work/' + name, 0o666 | {stat.S_IFCHR}, os.makedev(major, minor))
for name, (major, minor) in {{'sda': (8, 0), 'vda': (254, 0), 'loop0': (7, 0)}}.items():
    attempt('block ' + name, os.mknod, '/tmp/' + name, 0o666 | {stat.S_IFBLK}, os.makedev(major, minor))
"""
    refused(box.attempts(code), "EPERM")
    listing = box.run("import os; print(*sorted(os.listdir('/dev')))")["stdout"].split()
    assert listing == ["fd", "full", "null", "ptmx", "pts", "random", "shm", "stderr", "stdin", "stdout", "urandom", "zero"]


def test_A8_setuid_file(box):
    code = """
import shutil, subprocess
shutil.copy('/usr/bin/id', '/work/id')
attempt('chown', os.chown, '/work/id', 0, 0)
attempt('setcap', os.setxattr, '/work/id', 'security.capability', bytes.fromhex('0100000200ffffff00000000ffffff0000000000'))
os.chmod('/work/id', 0o6755)
"""
    refused(box.attempts(code), "EPERM", "EINVAL")
    after = box.run("import os, shutil, subprocess\nshutil.copy('/usr/bin/id', '/work/id')\nos.chmod('/work/id', 0o6755)\n"
                    "print(subprocess.run(['/work/id', '-u'], capture_output=True, text=True).stdout, end='')\n"
                    "print([l for l in open('/proc/self/status') if l.startswith(('CapEff', 'CapPrm', 'CapBnd', 'NoNew'))])")
    assert after["stdout"].startswith("1000\n") and after["stdout"].count("0000000000000000") == 3
    assert "NoNewPrivs:\\t1" in after["stdout"]


def test_A9_mounts(box):
    code = """
MS_REMOUNT, MS_BIND = 32, 4096
syscall('remount', 165, b'none', b'/', b'none', MS_REMOUNT, None)
syscall('remount bind', 165, b'none', b'/usr', b'none', MS_REMOUNT | MS_BIND, None)
syscall('bind', 165, b'/usr', b'/work', b'none', MS_BIND, None)
syscall('tmpfs', 165, b'x', b'/work', b'tmpfs', 0, None)
syscall('proc', 165, b'x', b'/work', b'proc', 0, None)
syscall('overlay', 165, b'x', b'/work', b'overlay', 0, b'lowerdir=/usr:/etc')
syscall('umount', 166, b'/proc', 2)
syscall('umount work', 166, b'/work', 2)
syscall('open_tree', 428, -100, b'/', 1)
syscall('move_mount', 429, 3, b'', -100, b'/work', 4)
syscall('fsopen', 430, b'tmpfs', 0)
syscall('fsconfig', 431, 3, 6, None, None, 0)
syscall('fsmount', 432, 3, 0, 0)
syscall('fspick', 433, -100, b'/', 0)
syscall('mount_setattr', 442, -100, b'/', 0, None, 0)
"""
    refused(box.attempts(code), "EPERM")


def test_A10_links_over_the_system(box):
    code = """
attempt('hard link', os.link, '/usr/bin/id', '/work/id')
attempt('rename over', os.rename, '/work/new', '/usr/bin/id')
open('/work/new', 'w').close()
attempt('replace', os.replace, '/work/new', '/usr/bin/id')
attempt('exchange', os.rename, '/usr/bin', '/work/bin')
attempt('whiteout', os.mknod, '/work/id', 0o20000, 0)
attempt('opaque', os.setxattr, '/work', 'trusted.overlay.opaque', b'y')
"""
    refused(box.attempts(code), "EROFS", "EXDEV", "EPERM", "ENOENT")


def test_A12_poisoned_for_the_next(box):
    poison = """
import os, site
for place in ('/work', '/tmp', '/dev/shm', site.getusersitepackages(), '/work/.config'):
    os.makedirs(place, exist_ok=True)
    for name in ('sitecustomize.py', 'usercustomize.py', 'x.pth', '.bashrc', 'evil.so', '.profile', 'json.py'):
        with open(os.path.join(place, name), 'w') as f: f.write('print("poisoned")\\n')
os.environ['PYTHONSTARTUP'] = '/work/sitecustomize.py'
"""
    box.run(poison)
    look = "import json, os; print([os.listdir(p) for p in ('/work', '/tmp', '/dev/shm')], 'PYTHONSTARTUP' in os.environ)"
    assert box.run(look)["stdout"] == "[[], [], []] False\n"
    assert box.run("ls -A /work /tmp", language="bash")["stdout"] == "/tmp:\n\n/work:\n"


def test_A14_unix_sockets(box):
    code = f"""
import os, socket, stat
for place, folders, files in os.walk('/'):
    folders[:] = [f for f in folders if os.path.join(place, f) not in ('/usr', '/proc')]
    for name in files:
        path = os.path.join(place, name)
        if stat.S_ISSOCK(os.lstat(path).st_mode): tell('found', path)
def connect(address):
    with socket.socket(socket.AF_UNIX) as s: s.connect(address)
for path in ('/run/dbus/system_bus_socket', '/var/run/docker.sock', '/run/systemd/private', '/run/systemd/journal/socket',
             '/var/run/nscd/socket', '/dev/log', '/tmp/.X11-unix/X0', {box.tripwire.name!r}, '\\0/tmp/.X11-unix/X0'):
    attempt('connect ' + ascii(path), connect, path)
"""
    refused(box.attempts(code), "ENOENT", "ECONNREFUSED", "EPERM")
