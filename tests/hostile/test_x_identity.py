"""X4: a process is who the kernel says it is, for as long as it lives: nobody takes the place of a checkpoint that died."""
import pytest
import rpc
from arena import MODES, arena, lab  # noqa: F401 (fixtures)

# A checkpoint of the guest's own making: the library's place is taken by this.
FORGE = r"""
import os, select, socket
from retort_guest import checkpoint
ours, theirs = socket.socketpair()
x = 7
def say(wake):
    bell = socket.socket(fileno=wake); bell.send(b'd'); bell.detach()
def reports_and_dies(wake):
    child = os.fork()
    if child == 0:
        say(wake); os._exit(0)
    os.waitpid(child, 0)
    socket.send_fds(ours, [b'w'], [wake])
def reports_itself(wake):
    say(wake)
    socket.send_fds(ours, [b'w'], [wake])
def lets_the_branch_report(wake):
    socket.send_fds(ours, [b'w'], [wake])
    select.select([ours], [], [], 2)
def stolen():
    bell = socket.socket(fileno=wakes[-1])
    try:
        return bell.recv(1, socket.MSG_DONTWAIT)
    except BlockingIOError:
        return b''
    finally:
        bell.detach()
"""
TAKE = "_, wakes, _, _ = socket.recv_fds(theirs, 1, 1)\n"


def heir(arena, one):
    """A branch, which has inherited the other end of the session's socket."""
    (made,) = one.server.call("session.branch", session=one.id, count=1)["sessions"]
    arena.sessions.append(rpc.Session(one.server, {"session": made, "isolation": one.isolation}))
    return arena.sessions[-1]


@pytest.mark.parametrize("how", ["reports_and_dies", "reports_itself", "lets_the_branch_report"])
def test_X4_nobody_wakes_in_the_place_of_a_checkpoint(arena, how):
    """Where branches are live, one holds the socket on which the checkpoint would be woken, and hears nothing there."""
    one = arena.session(checkpoint="always")
    arena.run(one, FORGE)
    branch = heir(arena, one)
    live = "cgroup" in one.isolation["layers"]
    assert (arena.run(branch, "x")["state_via"] != "replay") == live
    arena.run(one, f"checkpoint.fork_twice = {how}")
    waits = branch.start(TAKE + ("say(wakes[0]); theirs.send(b'd')" if how == "lets_the_branch_report" else "")) if live else None
    assert arena.run(one, "os._exit(1)", "exit")["state_via"] == "replay"
    if live:
        assert waits.answer()["status"] == "ok"
        assert branch.value("stolen()") == "b''"
    assert arena.run(one, "x")["value"]["text/plain"] == "7"
