"""A build backend (PEP 517, PEP 660) of the standard library alone, so that `pip install` works offline."""
import base64
import hashlib
import pathlib
import zipfile
from typing import Any, Dict, Iterable, Optional, Tuple

HERE = pathlib.Path(__file__).resolve().parent
NAME, VERSION = "retort_client", "0.1.0"
TAG = "py3-none-any"
INFO = f"{NAME}-{VERSION}.dist-info"
METADATA = f"""Metadata-Version: 2.1
Name: retort-client
Version: {VERSION}
Summary: Client for Retort: run code in sealed, stateful interpreters
Requires-Python: >=3.9
"""
WHEEL = f"Wheel-Version: 1.0\nGenerator: retort\nRoot-Is-Purelib: true\nTag: {TAG}\n"

Settings = Optional[Dict[str, Any]]


def _digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _write(folder: str, files: Iterable[Tuple[str, bytes]]) -> str:
    name = f"{NAME}-{VERSION}-{TAG}.whl"
    record = ""
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        info = [(f"{INFO}/METADATA", METADATA.encode()), (f"{INFO}/WHEEL", WHEEL.encode())]
        for path, data in [*files, *info]:
            wheel.writestr(path, data)
            record += f"{path},{_digest(data)},{len(data)}\n"
        wheel.writestr(f"{INFO}/RECORD", record + f"{INFO}/RECORD,,\n")
    return name


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None) -> str:
    package = HERE / "retort"
    sources = sorted(p for p in package.iterdir() if p.suffix == ".py" or p.name == "py.typed")
    return _write(wheel_directory, [(f"retort/{p.name}", p.read_bytes()) for p in sources])


def build_editable(wheel_directory: str, config_settings: Settings = None,
                   metadata_directory: Optional[str] = None) -> str:
    return _write(wheel_directory, [("retort_client.pth", str(HERE).encode() + b"\n")])


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    raise NotImplementedError("install from the tree: pip install clients/python")
