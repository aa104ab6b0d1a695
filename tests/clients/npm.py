"""Where the packages of package-lock.json are."""
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
MODULES = HERE / "node_modules"
