"""Programs that use the library, built as a user of it would build them."""
import pathlib
import subprocess

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"


def sanitizers(build):
    """What a program is compiled with that uses the library of a build."""
    return {"asan": ["-fsanitize=address,undefined"], "tsan": ["-fsanitize=thread"]}.get(build.name, [])


def compiled(source, build, tmp_path, how):
    """The program made of `source`, linked with the "static" or the "shared" library."""
    program = tmp_path / source.stem
    link = [str(build / "libretort.a")] if how == "static" else [f"-L{build}", "-lretort", f"-Wl,-rpath,{build}"]
    libraries = ["-ljansson", "-lsqlite3", "-lcrypto", "-lm"] if how == "static" else []
    flags = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pthread", f"-I{INCLUDE}"]
    flags += sanitizers(build)
    subprocess.run(["cc", *flags, source, "-o", program, *link, *libraries], check=True)
    return program
