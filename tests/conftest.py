"""What system, hostile and client tests share: the programs under test, and who calls them.

RETORT_BUILD names the build directory (default: build). A test that asks for `caller` has a variant for each caller: root, an
ordinary user, and, in some files, a user with subordinate ids. Whoever is not root himself runs the variant of an ordinary user, and
not the tests of what root alone can do (`as_root`).

Three runs differ in how many variants they take:
- `make check` takes one caller for each test, by turns: the first test runs as root, the second as a user and so on. Only tests
  that are marked `every_caller` run as all of them. Of tests that are marked `few` it takes few variants, or none.
- `make check ALL=1`, which CI runs, takes all variants. Tests that are marked `by_turns` still have one caller each, because they
  are about something that does not depend on who calls, and of users one kind.
- `make soak` takes everything, with larger counts, and also the tests that are marked `soak`."""
import dataclasses
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("RETORT_BUILD", ROOT / "build")).resolve()
# A sanitizer keeps what was freed, 256 MiB of it, and tests of what a program holds would count that.
SANITIZER = {"ASAN_OPTIONS": "quarantine_size_mb=4"} if BUILD.name == "asan" else {}
SOAK = bool(os.environ.get("RETORT_SOAK"))
ALL = SOAK or bool(os.environ.get("RETORT_ALL"))
ORDINARY_UID = 61234  # in no range that Debian gives to users, services or subordinate ids

# A shell without job control makes what it runs in the background ignore SIGINT, and all that comes of it.
signal.signal(signal.SIGINT, signal.default_int_handler)


ROOTS_FIXTURES = {"live", "small_disk"}


def pytest_configure(config):
    config.addinivalue_line("markers", "as_root: of what root alone can do; for an ordinary user there is no such test")
    config.addinivalue_line("markers", "by_turns: of what does not depend on the caller; runs as one of them, and as all in make soak")
    config.addinivalue_line("markers", "every_caller: never by turns")
    config.addinivalue_line("markers", "few(n=0): needs much of a processor; make check runs n of its variants, make check ALL=1 all")
    config.addinivalue_line("markers", "soak(why): runs in make soak alone, because a test of make check fails for the same faults")
    config.addinivalue_line("markers", "alone: needs the machine for itself, because it compares what processes get of it")


def keep(config, items, kept):
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def turn(item):
    """What the variants of a test that take turns have in common; None if this one always runs."""
    params = item.callspec.params if hasattr(item, "callspec") else {}
    callers = [value for value in params.values() if value in ("root", "subordinate", "user")]
    if not callers or item.get_closest_marker("every_caller"):
        return None
    if ALL and callers == ["root"] and not item.get_closest_marker("by_turns"):
        return None
    return str(item.path), item.originalname, repr([pair for pair in sorted(params.items()) if pair[1] not in callers])


def whose_turn_it_is(items):
    """The tests without those whose turn it is not."""
    variants = {}
    for item in items:
        variants.setdefault(turn(item), []).append(item)
    passed_over = {item for number, key in enumerate(sorted(filter(None, variants)))
                   for item in variants[key] if item is not variants[key][number % len(variants[key])]}
    return [item for item in items if item not in passed_over]


def few_of(items):
    """The tests without the variants of which few run: those that stay are spread over all of them."""
    variants = {}
    for item in items:
        if item.get_closest_marker("few"):
            variants.setdefault((item.path, item.originalname), []).append(item)
    stay = set()
    for group in variants.values():
        number = min(len(group), *group[0].get_closest_marker("few").args or (0,))
        stay.update(group[len(group) * i // number] for i in range(number))
    return [item for item in items if item in stay or not item.get_closest_marker("few")]


@pytest.hookimpl(trylast=True)  # when they are in the order in which they share fixtures
def pytest_collection_modifyitems(config, items):
    """An ordinary user's tests are those of an ordinary user: what is root's alone is none of them, and not skipped.
    Of these RETORT_PART=2/3 keeps the second third."""
    if os.geteuid() != 0:
        keep(config, items, [item for item in items
                             if not item.get_closest_marker("as_root") and not ROOTS_FIXTURES & set(item.fixturenames)])
    if not SOAK:
        keep(config, items, whose_turn_it_is([item for item in items if not item.get_closest_marker("soak")]))
    if not ALL:
        keep(config, items, few_of(items))
    number, _, parts = os.environ.get("RETORT_PART", "").partition("/")
    if parts:
        keep(config, items, items[len(items) * (int(number) - 1) // int(parts):len(items) * int(number) // int(parts)])


@dataclasses.dataclass
class Caller:
    """Somebody who runs retort: `run` gives a CompletedProcess with bytes, `result` the object of --json."""

    name: str
    home: pathlib.Path
    programs: pathlib.Path
    prefix: tuple = ()  # words before every command
    configured: tuple = ()  # pairs for the environment of every command
    uid: int = ORDINARY_UID

    @property
    def root(self):
        return self.name == "root"

    @property
    def retort(self):
        return self.programs / "retort"

    def command(self, *words):
        """The words as a command that this caller runs."""
        words = [str(word) for word in words]
        if self.root or os.geteuid() != 0:
            return [*self.prefix, *words]
        identity = [f"--reuid={self.uid}", f"--regid={self.uid}", "--clear-groups"]
        return [*self.prefix, "/usr/bin/setpriv", *identity, *words]

    def environment(self, **extra):
        return {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "LANG": "C.UTF-8", **SANITIZER, **dict(self.configured), **extra}

    def popen(self, *arguments, env=None, **options):
        options.setdefault("cwd", self.home)
        return subprocess.Popen(self.command(self.retort, *arguments), env=self.environment(**(env or {})), **options)

    def run(self, *arguments, input=b"", env=None, timeout=120, **options):
        """Runs `retort ARGUMENTS`. The time-out only keeps a hanging test from hanging the suite."""
        options.setdefault("cwd", self.home)
        return subprocess.run(self.command(self.retort, *arguments), input=input, capture_output=True,
                              env=self.environment(**(env or {})), timeout=timeout, check=False, **options)

    def result(self, code, *arguments, language="python", **options):
        """The result object of `retort run --json`."""
        done = self.run("run", "--json", "-l", language, *arguments, "-", input=as_bytes(code), **options)
        assert done.stdout, f"no result; status {done.returncode}, stderr: {done.stderr.decode(errors='replace')}"
        return json.loads(done.stdout)


def as_bytes(text):
    return text.encode() if isinstance(text, str) else text


def world_readable_copy(build):
    """The programs where any user can reach them, as a checkout under /root is not. Shows too that they can be moved."""
    target = pathlib.Path(tempfile.mkdtemp(prefix="retort-programs-"))
    for name in ("retort", "retort-doors", "retort-supervisor", "retort-gate", "retort-init"):
        shutil.copy2(build / name, target / name)
    if (build / "retort-cluster.so").exists():
        shutil.copy2(build / "retort-cluster.so", target)
    shutil.copytree(build / "guest", target / "guest")
    target.chmod(0o755)
    subprocess.run(["chmod", "-R", "go=rX", str(target)], check=True)
    return target


@pytest.fixture(scope="session")
def build():
    if not (BUILD / "retort").exists():
        pytest.fail(f"{BUILD}/retort is not built")
    return BUILD


@pytest.fixture(scope="session")
def programs(build):
    if os.geteuid() != 0:
        yield build
        return
    target = world_readable_copy(build)
    yield target
    shutil.rmtree(target)


def make_caller(name, programs, uid=ORDINARY_UID):
    home = pathlib.Path(tempfile.mkdtemp(prefix=f"retort-{name}-"))
    if name == "user" and os.geteuid() == 0:
        os.chown(home, uid, uid)
    return Caller(name, home, programs, uid=uid)


@pytest.fixture(scope="session")
def new_caller(programs):
    """new_caller(name): another one, with a home of his own; uid, if nobody else is to count against his limits."""
    made = []

    def make(name, **options):
        made.append(make_caller(name, programs, **options))
        return made[-1]

    yield make
    for someone in made:
        shutil.rmtree(someone.home, ignore_errors=True)


@pytest.fixture(scope="session", params=["root", "user"] if os.geteuid() == 0 else ["user"])
def caller(request, programs):
    someone = make_caller(request.param, programs)
    yield someone
    shutil.rmtree(someone.home, ignore_errors=True)


@pytest.fixture(scope="session")
def checked_programs():
    """Those that look at a session whenever somebody takes or leaves it, and end where it is not what it must be."""
    build = BUILD if BUILD.name in ("asan", "ablation") else ROOT / "build/ablation"
    if not (build / "retort").exists():
        pytest.fail(f"{build} is not built: make VARIANT=ablation")
    target = world_readable_copy(build)
    yield target
    shutil.rmtree(target)


@pytest.fixture(scope="session")
def ablation_programs():
    """Those of build/ablation, which alone have short patience, a language for tests, and steps that can fail; every layer is on."""
    build = ROOT / "build/ablation"
    if not (build / "retort").exists():
        pytest.fail(f"{build} is not built: make VARIANT=ablation")
    target = world_readable_copy(build)
    yield target
    shutil.rmtree(target)


@pytest.fixture
def checked_caller(caller, checked_programs):
    return dataclasses.replace(caller, programs=checked_programs)


def without_preload(someone, *names):
    """The same one, for whom nothing but these is imported ahead: where libraries are not the matter, engines start a second sooner."""
    folder = someone.home / "light"
    (folder / "retort").mkdir(parents=True)
    (folder / "retort/config.json").write_text(json.dumps({"preload": names}))
    someone.home.chmod(0o711)  # root's service, which becomes nobody, must get there
    return dataclasses.replace(someone, configured=(("XDG_CONFIG_HOME", str(folder)),))


@pytest.fixture(scope="session")
def lightened():
    return without_preload


@pytest.fixture(scope="module", params=["root", "user"] if os.geteuid() == 0 else ["user"])
def light_caller(request, new_caller):
    return without_preload(new_caller(request.param))


@pytest.fixture(scope="module")
def light(new_caller):
    """The caller that the tests themselves run as, without_preload."""
    return without_preload(new_caller("root" if os.geteuid() == 0 else "user"))


@pytest.fixture(scope="module")
def light_user(new_caller):
    """An ordinary user, without_preload."""
    return without_preload(new_caller("user"))


@pytest.fixture
def lonely_user(new_caller):
    """One whose processes are counted alone, whatever other tests run at the same time."""
    return without_preload(new_caller("user", uid=random.randrange(61300, 64300)))


@pytest.fixture(scope="session")
def retort(programs):
    """The caller that the tests themselves run as, for tests where the mode makes no difference."""
    someone = make_caller("root" if os.geteuid() == 0 else "user", programs)
    yield someone
    shutil.rmtree(someone.home, ignore_errors=True)


@pytest.fixture(scope="session")
def count():
    """count(few, many): `few` in make check, `many` in make soak."""
    return lambda few, many: many if SOAK else few
