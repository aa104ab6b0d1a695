"""Entry of a zygote: `python3 warm.py numpy,pandas`, descriptor 3 is the supervisor's socket.

serve() returns only in a child that has been forked into a session and has locked itself in,
with bytes from the kernel to seed its generators from, and whether somebody waits for it.
"""
import sys

import boot  # makes the folder a package and cleans sys.path

from retort_guest import _retort, zygote

_retort.gather()
zygote.preload([name for name in sys.argv[1].split(",") if name])
zygote.live(*_retort.serve(3))
