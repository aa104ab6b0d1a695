"""What is measured: Retort's doors and the alternatives. Each subject starts when it is first needed; one that cannot
run on this machine raises Missing with the reason."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"
ORDINARY = 61234  # in no range that Debian gives to users, services or subordinate ids
PRINT = "print(1)"
DESCRIBE = """import pandas as pd
df = pd.DataFrame({'a': range(100), 'b': [x * 0.5 for x in range(100)]})
print(df.describe())"""
PANDAS = "import pandas; print(1)"
PRELOAD = ["numpy", "pandas", "matplotlib.pyplot"]
BWRAP = """bwrap --unshare-all --die-with-parent --new-session --ro-bind /usr /usr --symlink usr/lib /lib
    --symlink usr/lib64 /lib64 --symlink usr/bin /bin --ro-bind /etc/alternatives /etc/alternatives --proc /proc
    --dev /dev --tmpfs /tmp --tmpfs /work --chdir /work""".split()

# Around the user's code where each call is a process of its own: figures are saved when the code has ended.
CAPTURE = """import sys
exec(compile(open('code.py').read(), 'code.py', 'exec'))
if 'matplotlib.pyplot' in sys.modules:
    plt = sys.modules['matplotlib.pyplot']
    for number in plt.get_fignums():
        plt.figure(number).savefig('figure-%d.png' % number)
"""


class Missing(Exception):
    pass


def clock():
    return time.perf_counter() * 1000


class Lines:
    """A program that answers a line of request with a line of milliseconds."""

    def __init__(self, command, **options):
        self.complaints = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        stderr=self.complaints, **options)

    def ask(self, request):
        try:
            self.process.stdin.write(request + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer.strip() or answer.startswith("error"):
            raise Missing("%s: %s" % (request, answer.strip() or self.last_words()))
        return [float(word) for word in answer.split()]

    def last_words(self):
        self.complaints.seek(0)
        return " ".join(["the program ended"] + self.complaints.read().split("\n")[-3:])

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Subjects:
    def __init__(self, build):
        self.build = pathlib.Path(build).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="retort-bench-"))
        # Certificates that node would read at its start, which sessions never do.
        given = {name: value for name, value in os.environ.items() if not name.startswith("NODE_")}
        self.environment = dict(given, MPLBACKEND="agg", OPENBLAS_NUM_THREADS="1",
                                PYDEVD_DISABLE_FILE_VALIDATION="1")
        self.running = {}
        self.folders = [self.folder]
        self.servers = []

    def end(self):
        for lines in self.running.values():
            lines.end()
        for server in self.servers:
            server.terminate()
            server.wait(60)
        for folder in self.folders:
            shutil.rmtree(folder, ignore_errors=True)

    # ---- programs that stay ----

    def lines(self, name, command, **options):
        if name not in self.running:
            self.running[name] = Lines(command, env=self.stateful(name), **options)
        return self.running[name]

    def stateful(self, name):
        """A state directory for each: `retort serve` gives its own to the user that it becomes."""
        return dict(self.environment, RETORT_STATE=str(self.folder / ("state of " + name)))

    def engine(self, cpus=None):
        command = [str(self.build / "bench/bench_engine")]
        if cpus is None:
            return self.lines("engine", command)
        return self.lines("engine on " + cpus, ["taskset", "-c", cpus] + command)

    def python_only(self):
        """The same engine, made without the other languages."""
        program = self.build / "python/bench/bench_engine"
        if not program.exists():
            raise Missing("%s is not there: make VARIANT=python all %s" % (program.name, program))
        return self.lines("engine without other languages", [str(program)])

    def peers(self, ordinary):
        """bench_peers; as an ordinary user, who has no cgroup, if root is to become one. Its code lies where that user reads."""
        name, prefix = "peers", []
        if ordinary and os.geteuid() == 0:
            name, prefix = "peers without a cgroup", ["setpriv", f"--reuid={ORDINARY}", f"--regid={ORDINARY}", "--clear-groups"]
        if name not in self.running:
            folder = pathlib.Path(tempfile.mkdtemp(prefix="retort-peers-"))
            self.folders.append(folder)
            if prefix:
                os.chown(folder, ORDINARY, ORDINARY)
            command = [*prefix, str(self.build / "bench/bench_peers")]
            self.running[name] = Lines(command, env=dict(self.environment, RETORT_STATE=str(folder / "state"), HOME=str(folder)))
            self.running[name].folder = folder
        return self.running[name]

    def stop(self, name):
        lines = self.running.pop(name, None)
        if lines:
            lines.end()

    def floors(self, modules=(), cpus=None):
        command = [PYTHON, str(HERE / "floors.py"), str(self.build / "bench/floors.so"), *modules]
        if cpus is not None:
            command = ["taskset", "-c", cpus] + command
        return self.lines("floors %s %s" % (cpus, " ".join(modules)), command)

    def kernel(self):
        found = subprocess.run([PYTHON, "-c", "import ipykernel, jupyter_client"], capture_output=True, check=False)
        if found.returncode:
            raise Missing("python3-ipykernel or python3-jupyter-client is not installed")
        return self.lines("ipykernel", [PYTHON, str(HERE / "kernel.py")])

    def packages(self):
        """A directory as `retort env` makes it."""
        folder = self.folder / "packages"
        if not folder.exists():
            (folder / "python").mkdir(parents=True)
            (folder / "python/own.py").write_text("value = 1\n")
        return folder

    def network(self):
        if not (shutil.which("nginx") or os.path.exists("/usr/sbin/nginx")):
            raise Missing("nginx is not installed")
        return self.lines("network", [PYTHON, str(HERE / "network.py"), str(self.build)])

    def sqlite(self):
        return self.lines("sqlite3", [PYTHON, str(HERE / "sqlite.py")])

    def javascript(self, which):
        package = {"pyodide": "pyodide", "monty": "@pydantic/monty"}[which]
        modules = node_modules(package)
        return self.lines(which, ["node", str(HERE / "javascript.mjs"), which, modules])

    def serve(self, options, env):
        """What the log of a server says of where it listens."""
        server = subprocess.Popen([str(self.build / "retort"), "serve", *options], env=env, stdin=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True)
        self.servers.append(server)
        entry = {}
        while entry.get("event") != "listening":
            line = server.stderr.readline()
            if not line:
                raise Missing("retort serve did not start")
            entry = json.loads(line)
        subprocess.Popen(["cat"], stdin=server.stderr, stdout=subprocess.DEVNULL)  # its log must not fill the pipe
        return entry

    def http(self):
        if "http" not in self.running:
            port = self.serve(["--no-auth", "--listen", "127.0.0.1:0"], self.stateful("serve"))["port"]
            self.lines("http", [str(self.build / "bench/bench_doors"), "http", str(port)])
        return self.running["http"]

    def browser(self):
        """The page of a server, in Chromium, driven as in the tests."""
        modules = HERE.parent / "tests/clients/page/node_modules"
        if not os.path.exists("/usr/bin/chromium") or not (modules / "puppeteer-core").exists():
            raise Missing("chromium or puppeteer-core is not installed: make check T=test_page installs both")
        if "browser" not in self.running:
            port = self.serve(["--no-auth", "--listen", "127.0.0.1:0"], self.stateful("serve for the page"))["port"]
            self.lines("browser", ["node", str(HERE / "browser.mjs"), "http://127.0.0.1:%d" % port, str(modules)])
        return self.running["browser"]

    def mcp(self):
        return self.lines("mcp", [str(self.build / "bench/bench_doors"), "mcp", str(self.build / "retort")])

    def rpc(self):
        return self.lines("rpc", [str(self.build / "bench/bench_doors"), "rpc", str(self.build / "retort")])

    def client(self, language, *words):
        """Cells from that language: through the client, or with the word `bare` through the same pipes without it."""
        program = {"Python": [PYTHON, str(HERE / "client.py")], "TypeScript": ["node", str(HERE / "client.mjs")]}[language]
        if not shutil.which(program[0]):
            raise Missing("%s is not installed" % program[0])
        return self.lines(" ".join([language, "client", *words]), [*program, str(self.build / "retort"), *words])

    def judging(self):
        return self.lines("judging", [PYTHON, str(HERE / "judging.py")])

    def tries(self):
        return self.lines("tries", [PYTHON, str(HERE / "tries.py"), str(self.build / "retort")])

    def skills(self):
        return self.lines("skills", [PYTHON, str(HERE / "skills.py"), str(self.build / "retort")])

    # ---- programs that run once ----

    def once(self, command, cwd=None, env=None):
        start = clock()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, cwd=cwd,
                              env=env or self.environment)
        elapsed = clock() - start
        if done.returncode or not done.stdout.strip():
            raise Missing("%s: %s" % (command[0], done.stderr.decode(errors="replace").strip()[-200:]))
        return elapsed

    def resident(self):
        """An engine that `retort run` finds by XDG_RUNTIME_DIR."""
        place = self.folder / "runtime"
        env = dict(self.environment, XDG_RUNTIME_DIR=str(place))
        if not place.exists():
            place.mkdir(mode=0o700)
            self.serve(["--resident", "--idle", "3600"], env)
        return env

    def retort_run_resident(self, code):
        return self.once([str(self.build / "retort"), "run", "-c", code], env=self.resident())

    def retort_run(self, code):
        return self.once([str(self.build / "retort"), "run", "--alone", "-c", code])

    def python(self, code):
        return self.once([PYTHON, "-c", code])

    def node(self, code):
        if not shutil.which("node"):
            raise Missing("node is not installed")
        return self.once(["node", "-e", code])

    def bash(self, code):
        start = clock()
        subprocess.run(["bash", "-c", code], stdin=subprocess.DEVNULL, check=True, env=self.environment)
        return clock() - start

    def bubblewrap(self, code):
        if not shutil.which("bwrap"):
            raise Missing("bubblewrap is not installed")
        return self.once(BWRAP + [PYTHON, "-c", code])

    def captured(self, code):
        """A folder and a process for each call, output and figures captured."""
        start = clock()
        folder = tempfile.mkdtemp(dir=self.folder)
        pathlib.Path(folder, "code.py").write_text(code)
        pathlib.Path(folder, "main.py").write_text(CAPTURE)
        self.once([PYTHON, "main.py"], cwd=folder)
        [path.read_bytes() for path in pathlib.Path(folder).glob("*.png")]
        shutil.rmtree(folder)
        return clock() - start

    def javascript_once(self, which):
        package = {"pyodide": "pyodide", "monty": "@pydantic/monty"}[which]
        return self.once(["node", str(HERE / "javascript.mjs"), which, node_modules(package), "once"])

    # ---- memory ----

    def python_memory(self):
        """MiB that one more plain Python process with pandas adds: the second of two, by proportional memory."""
        code = "import numpy, pandas, matplotlib.pyplot; print(1, flush=True); input()"
        pair = [subprocess.Popen([PYTHON, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 env=self.environment) for _ in range(2)]
        total = []
        for process in pair:
            process.stdout.readline()
        for process in pair:
            text = pathlib.Path("/proc/%d/smaps_rollup" % process.pid).read_text()
            total += [int(line.split()[1]) / 1024 for line in text.splitlines() if line.startswith("Pss:")]
        for process in pair:
            process.communicate(b"\n")
        return sum(total) / len(total)


def supervisors(pid, depth=2):
    """The keeper and the supervisor of the engine in process `pid`; what is below them comes and goes."""
    found = []
    for thread in pathlib.Path("/proc/%d/task" % pid).iterdir():
        for child in map(int, (thread / "children").read_text().split()):
            found += [child] + (supervisors(child, depth - 1) if depth > 1 else [])
    return found


def resident_mb(pid):
    lines = pathlib.Path("/proc/%d/status" % pid).read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("RssAnon:")) / 1024


def open_descriptors(pid):
    return len(os.listdir("/proc/%d/fd" % pid))


def node_modules(package):
    """The node_modules directory that has `package`: of the working directory, of NODE_PATH, or npm's global one."""
    if not shutil.which("node"):
        raise Missing("node is not installed")
    places = [str(pathlib.Path.cwd() / "node_modules")] + os.environ.get("NODE_PATH", "").split(":")
    places += ["/usr/lib/node_modules", "/usr/local/lib/node_modules"]
    for place in places:
        if place and pathlib.Path(place, package, "package.json").exists():
            return place
    raise Missing("npm package %s is not installed (here, in NODE_PATH, or globally)" % package)
