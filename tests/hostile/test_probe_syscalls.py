"""J2 without a session: the guest's filter, loaded by the probe itself, refuses every call as the table says."""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROBE = pathlib.Path(os.environ.get("RETORT_BUILD", ROOT / "build")) / "tests/probe_syscalls"


def ask(*arguments):
    return subprocess.run([PROBE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def table(text):
    return {(abi, int(number)): what for abi, number, what in map(str.split, text.splitlines())}


def differences(expected, seen):
    """Lines where the kernel did something else than the table says; both are what the probe prints."""
    want, got = table(expected), table(seen)
    assert len(want) == 3 * 1024 and want.keys() == got.keys()
    for call, verdict in want.items():
        if verdict == "allowed":
            right = got[call] not in ("EPERM", "ENOSYS", "SIGSYS")
        elif call[0] == "i386":
            right = got[call] in ("SIGSYS", "signal")  # a kernel without this ABI does not know the instruction
        else:
            right = verdict in (got[call], "unfiltered")
        if not right:
            yield f"{call[0]} {call[1]}: {got[call]}, not {verdict}"


def test_j2_every_number_and_abi():
    seen = ask("--filter")
    assert seen.returncode == 0, seen.stderr
    assert list(differences(ask("--expect").stdout, seen.stdout)) == []


def test_probe_refuses_to_run_unfiltered():
    seen = ask()
    assert seen.returncode == 2 and "not safe" in seen.stderr and seen.stdout == ""
