"""Where the packages of package-lock.json are."""
import json
import pathlib

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
