"""Packages that tests install: wheels, projects to build one from, archives of npm."""
import io
import json
import pathlib
import tarfile
import zipfile


def wheel(folder, name, version="1.0", files=None, needs=(), entry_points=""):
    """A wheel in `folder`; its bytes depend on nothing but the arguments."""
    info = f"{name}-{version}.dist-info"
    needed = "".join(f"Requires-Dist: {need}\n" for need in needs)
    parts = {**(files or {f"{name}.py": f"version = {version!r}\n"}),
             f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needed}",
             f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    if entry_points:
        parts[f"{info}/entry_points.txt"] = entry_points
    parts[f"{info}/RECORD"] = "".join(f"{part},,\n" for part in (*parts, f"{info}/RECORD"))
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for part, text in parts.items():
            archive.writestr(zipfile.ZipInfo(part), text)
    path.chmod(0o644)
    return path


def project(folder, name, setup, **files):
    """A directory with a setup.py, which runs `setup` first."""
    place = folder / name
    place.mkdir()
    (place / "setup.py").write_text(f"{setup}\nfrom setuptools import setup\n"
                                    f"setup(name={name!r}, version='1.0', py_modules=[{name!r}])\n")
    (place / f"{name}.py").write_text("")
    for file, text in files.items():
        (place / file.replace("_dot_", ".")).write_text(text)
    return place


BACKEND = """
import pathlib, sys
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import wheels
def build_wheel(folder, config_settings=None, metadata_directory=None):
    return wheels.wheel(pathlib.Path(folder), NAME).name
"""


def own_backend(folder, name, code):
    """A project that needs nothing to be built but itself, and runs `code` on the way."""
    place = folder / name
    place.mkdir()
    (place / "pyproject.toml").write_text("[build-system]\nrequires = []\nbuild-backend = 'backend'\nbackend-path = ['.']\n")
    (place / "backend.py").write_text(f"NAME = {name!r}\n{code}\n{BACKEND}")
    (place / "wheels.py").write_bytes(pathlib.Path(__file__).read_bytes())
    return place


EXTENSION = """
#include <Python.h>
static PyObject *answer(PyObject *self, PyObject *none) { (void)self; (void)none; return PyLong_FromLong(42); }
static PyMethodDef methods[] = {{"answer", answer, METH_NOARGS, ""}, {0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "native", 0, -1, methods, 0, 0, 0, 0};
PyMODINIT_FUNC PyInit_native(void) { return PyModule_Create(&module); }
"""


def native_project(folder):
    """A project with an extension in C, whose function `answer` returns 42."""
    place = folder / "native"
    place.mkdir()
    (place / "native.c").write_text(EXTENSION)
    (place / "setup.py").write_text("from setuptools import Extension, setup\n"
                                    "setup(name='native', version='1.0', ext_modules=[Extension('native', ['native.c'])])\n")
    return place


def npm_archive(folder, name, code, version="1.0.0", **members):
    """What `npm pack` makes."""
    path = folder / f"{name}-{version}.tgz"
    about = {"name": name, "version": version, "main": "index.js", **members}
    with tarfile.open(path, "w:gz") as archive:
        for part, text in (("package.json", json.dumps(about)), ("index.js", code)):
            entry = tarfile.TarInfo(f"package/{part}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    path.chmod(0o644)
    return path
