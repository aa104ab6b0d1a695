"""The archive of bench/kit: it runs with nothing of the machine that it was unpacked on."""
import json
import pathlib
import subprocess
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def folder():
    """On a disk: a root file system has no place in /tmp."""
    with tempfile.TemporaryDirectory(prefix="retort-kit-test-", dir="/var/tmp") as made:
        yield pathlib.Path(made)


@pytest.mark.as_root
@pytest.mark.few
def test_the_kit_runs_on_a_bare_machine(folder, count):
    """Without a path to any program, and below a root that has nothing but the kit, /dev, /proc and /sys; with pandas where
    counts are full."""
    libraries, kinds, threads = count(([], "bare,cells", "1,2"), (["--libraries", "python3-pandas,python3-matplotlib"], "bare,pandas,cells", "1,2,4"))
    subprocess.run([ROOT / "bench/kit", *(libraries or ["--libraries", ""]), folder / "kit.tar.gz"], check=True)
    bare = folder / "bare"
    for name in ("dev", "proc", "sys", "tmp"):
        (bare / name).mkdir(parents=True)
    subprocess.run(["tar", "-C", bare, "-xzf", folder / "kit.tar.gz"], check=True)
    kit = bare / "retort-bench"
    enter = ["unshare", "-m", "-p", "-f", "--kill-child", "sh", "-c", """set -e
        mount --rbind "$1" "$1"; cd "$1"; mount --rbind /dev dev; mount -t proc proc proc; mount --rbind /sys sys
        mkdir old; pivot_root . old; exec retort-bench/busybox env -i PATH=/nowhere /retort-bench/busybox sh -c '
        cd / && umount -l /old && exec /retort-bench/busybox sh /retort-bench/run "$@"' "$@" """, "sh", bare]
    done = subprocess.run([*enter, "--threads", threads, "--kinds", kinds, "--ms", "100", "--rounds", "1"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads((kit / "results/scale.json").read_text())
    wanted = {(kind, int(number)) for kind in kinds.split(",") for number in threads.split(",")}
    assert {(row["kind"], row["threads"]) for row in rows if "floor" not in row} == wanted
    assert {row["floor"] for row in rows if "floor" in row} == {"floor", "floor without network"}
    assert all(row["per_second"] > 0 for row in rows)
    page = (kit / "results/index.html").read_text()
    assert page.count("<svg") == 2 * len(kinds.split(",")) and "floor without network" in page
