"""Archives of container images, as the tests make them: small ones by hand, and those of Debian's base systems."""
import gzip
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import tarfile
import time

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "retort-images"
CACHE_DAYS = 30
SYSTEMS = {"bookworm": "3.11", "trixie": "3.13"}  # with the version of its Python
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


# ---- layers -----------------------------------------------------------------------------------------------------


def entry(name, data=b"", kind=tarfile.REGTYPE, mode=0o644, target=""):
    found = tarfile.TarInfo(name)
    found.type, found.mode, found.linkname, found.size = kind, mode, target, len(data)
    return found, data


def layer(*entries):
    """The bytes of one; each entry is (TarInfo, bytes), as entry() makes it."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for info, data in entries:
            tar.addfile(info, io.BytesIO(data))
    return whole.getvalue()


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout


# ---- archives ---------------------------------------------------------------------------------------------------


def config(env=(), architecture=None):
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(os.uname().machine, os.uname().machine)
    return {"os": "linux", "architecture": architecture or machine, "config": {"Env": list(env)}}


def write_tar(path, files):
    with tarfile.open(path, "w") as tar:
        for name, data in files.items():
            if isinstance(data, pathlib.Path):
                tar.add(data, name)
            else:
                tar.addfile(*(lambda info, data: (info, io.BytesIO(data)))(*entry(name, data)))
    return path


def docker_save(path, layers, settings=None):
    """`layers`: bytes, or files of them."""
    names = [f"layer{i}/layer.tar" for i in range(len(layers))]
    manifest = [{"Config": "config.json", "RepoTags": ["made:latest"], "Layers": names}]
    return write_tar(path, {**dict(zip(names, layers)), "config.json": json.dumps(settings or config()).encode(),
                            "manifest.json": json.dumps(manifest).encode()})


def oci_files(layers, settings=None):
    files = {"oci-layout": b'{"imageLayoutVersion": "1.0.0"}'}

    def add(data, kind):
        digest = hashlib.sha256(data).hexdigest()
        files["blobs/sha256/" + digest] = data
        return {"mediaType": kind, "digest": "sha256:" + digest, "size": len(data)}

    manifest = {"schemaVersion": 2, "config": add(json.dumps(settings or config()).encode(), "application/vnd.oci.image.config.v1+json"),
                "layers": [add(one.read_bytes() if isinstance(one, pathlib.Path) else one, "application/vnd.oci.image.layer.v1.tar+gzip")
                           for one in layers]}
    described = add(json.dumps(manifest).encode(), "application/vnd.oci.image.manifest.v1+json")
    files["index.json"] = json.dumps({"schemaVersion": 2, "manifests": [described]}).encode()
    return files


def oci_archive(path, layers, settings=None):
    return write_tar(path, oci_files(layers, settings))


def oci_layout(path, layers, settings=None):
    for name, data in oci_files(layers, settings).items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return path


# ---- Debian -----------------------------------------------------------------------------------------------------


def apt_settings():
    """The host's settings of how apt gets at its archives; not what it runs then, whose programs the new system lacks."""
    folder = pathlib.Path("/etc/apt/apt.conf.d")
    files = {path: path.read_text(errors="replace") for path in sorted(folder.iterdir()) if path.is_file()} if folder.is_dir() else {}
    return [f"--aptopt={path}" for path, text in files.items() if "Acquire::" in text and "Invoke" not in text]


def fetch(system):
    """The base system with Python as a layer, made once a month."""
    path, part = CACHE / f"{system}.tar.gz", CACHE / f"{system}.{os.getpid()}.tar"
    if path.exists() and time.time() - path.stat().st_mtime < CACHE_DAYS * 86400:
        return path
    if not shutil.which("mmdebstrap"):
        raise OSError("mmdebstrap is not installed")
    try:
        done = subprocess.run(["mmdebstrap", "--variant=essential", "--include=python3", *apt_settings(),
                               "--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
                               "--dpkgopt=path-exclude=/usr/share/man/*", system, part],
                              capture_output=True, text=True, timeout=1800, check=False)
        if done.returncode:
            raise OSError("mmdebstrap: " + done.stderr.strip().splitlines()[-1][:200])
        with open(part, "rb") as plain, gzip.open(f"{part}.gz", "wb", compresslevel=1) as packed:
            shutil.copyfileobj(plain, packed)
        os.replace(f"{part}.gz", path)
        return path
    finally:
        part.unlink(missing_ok=True)

