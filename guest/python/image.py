"""Unpacks the archive of a container image, in a session that is made for it.

    unpack()                /work/archive (or the files of an OCI layout in /work/image) becomes /work/tree and /work/image.json

The program beside (guest/unpack) reads archives; here it is found out which layers make the image, and in which order. Names of
files that come out of an archive are flat: blobs/sha256/… is blobs%sha256%…
"""
import hashlib
import json
import os
import platform
import subprocess

from .install import Failure

ARCHIVE, FILES, TREE, FACTS = "/work/archive", "/work/image", "/work/tree", "/work/image.json"
UNPACK = "/opt/retort/unpack"
LISTS = ("application/vnd.oci.image.index.v1+json", "application/vnd.docker.distribution.manifest.list.v2+json")
MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
MAX_JSON = 4 << 20
MAX_LAYERS = 500


def run(*words):
    done = subprocess.run([UNPACK, *words], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise Failure(said[-1] if said else "the image is refused: reading it ended by signal %d" % -done.returncode)


def place(name):
    """The path of a file of the image. If the image came as a directory, its files are where they were."""
    name = os.path.normpath(str(name))
    whole = os.path.join(FILES, name)
    return whole if os.path.exists(whole) else os.path.join(FILES, name.replace("/", "%"))


def load(name):
    try:
        with open(place(name), "rb") as file:
            return json.loads(file.read(MAX_JSON))
    except (OSError, ValueError) as error:
        raise Failure("the image is refused: %.100s is missing, or no JSON" % name) from error


def blob(described, check=True):
    """The name of the file that a descriptor describes; checks that it has the hash that it names."""
    kind, _, digest = str(described.get("digest", "")).partition(":")
    if kind != "sha256" or len(digest) != 64 or not digest.isalnum():
        raise Failure("the image is refused: it names a part by something else than its SHA-256")
    name = "blobs/sha256/" + digest
    if check:
        compare(name, digest)
    return name


def compare(name, digest):
    whole = hashlib.sha256()
    try:
        with open(place(name), "rb") as file:
            for chunk in iter(lambda: file.read(1 << 20), b""):
                whole.update(chunk)
    except OSError as error:
        raise Failure("the image is refused: its part %.20s… is missing" % digest) from error
    if whole.hexdigest() != digest:
        raise Failure("the image is refused: its part %.20s… has another hash" % digest)


# ---- which image --------------------------------------------------------------------------------------------------


def named(described):
    return str((described.get("annotations") or {}).get("org.opencontainers.image.ref.name", ""))


def fits(described):
    wanted = described.get("platform") or {}
    return wanted.get("os", "linux") == "linux" and wanted.get("architecture", machine()) == machine()


def machine():
    return MACHINES.get(platform.machine(), platform.machine())


def choose(descriptors):
    """Chooses the image for this machine."""
    fitting = [one for one in descriptors if fits(one)]
    if not fitting:
        found = sorted({"%s/%s" % (p.get("os"), p.get("architecture")) for p in (d.get("platform") or {} for d in descriptors)})
        raise Failure("the archive has no image for linux/%s, only for %s" % (machine(), ", ".join(found)[:100] or "nothing"))
    if len(fitting) > 1:
        raise Failure("the archive has %d images (%s): save one" % (len(fitting), ", ".join(map(named, fitting))[:100]))
    return fitting[0]


def oci(index, depth=3):
    """Config and layers, the lowest first."""
    chosen = choose(index.get("manifests") or [])
    manifest = load(blob(chosen))
    if depth and (chosen.get("mediaType") in LISTS or "manifests" in manifest):
        return oci(manifest, depth - 1)
    return load(blob(manifest.get("config") or {})), [blob(layer) for layer in manifest.get("layers") or []]


def docker(images):
    if len(images) != 1:
        raise Failure("the archive has %d images (%s): save one" % (
            len(images), ", ".join(str((image.get("RepoTags") or ["?"])[0]) for image in images)[:100]))
    return load(images[0].get("Config")), list(images[0].get("Layers") or [])


def parts():
    """An archive of newer Docker versions has both forms; the OCI layout says more."""
    if os.path.exists(place("index.json")):
        return oci(load("index.json"))
    if os.path.exists(place("manifest.json")):
        return docker(load("manifest.json"))
    raise Failure("this is no image: it has neither an index.json (OCI) nor a manifest.json (docker save)")


# ---- what is in it ------------------------------------------------------------------------------------------------


def variables(config):
    """The variables that the image sets, those that can be passed on."""
    pairs = [str(one).partition("=") for one in (config.get("config") or {}).get("Env") or []]
    return {name: value for name, equals, value in pairs if name and equals and "\0" not in name + value}


def unpack():
    if os.path.exists(ARCHIVE):
        os.mkdir(FILES)
        run("files", ARCHIVE, FILES)
        os.unlink(ARCHIVE)
    try:
        config, layers = parts()
        facts = {"env": variables(config), "layers": len(layers), "platform": "%s/%s" % (config.get("os"), config.get("architecture"))}
    except (AttributeError, TypeError, KeyError) as error:
        raise Failure("the image is refused: its description has another form than it should have") from error
    if not 0 < len(layers) <= MAX_LAYERS:
        raise Failure("the image is refused: it has %d layers" % len(layers))
    if config.get("os", "linux") != "linux" or config.get("architecture", machine()) != machine():
        raise Failure("the image is for %s, not for linux/%s" % (facts["platform"][:60], machine()))
    print("%d layers" % len(layers), flush=True)
    run("layers", TREE, *map(place, layers))
    with open(FACTS, "w") as file:
        json.dump(facts, file)
