"""Machines that are not like this one, made around retort: other programs in /usr, mounts that are missing. Only root can."""
import subprocess

import pytest

as_root = pytest.mark.as_root

# An overlay of /usr, because a mount below /usr would be locked in a user namespace, which no overlay takes.
OTHER_USR = """
mkdir -p $1/over && mount -t tmpfs over $1/over && mkdir $1/over/upper $1/over/work && chmod 755 $1/over $1/over/upper
mount -t overlay over -o lowerdir=/usr,upperdir=$1/over/upper,workdir=$1/over/work /usr
"""


def among(caller, tmp_path, script, *arguments, **options):
    """Runs retort in a mount namespace that the script has changed; its $1 is a directory of its own."""
    words = ["unshare", "--mount", "--propagation", "private", "sh", "-ec", script + '\nshift\nexec "$@"', "sh",
             str(tmp_path), *caller.command(caller.retort, *arguments)]
    return subprocess.run(words, env=caller.environment(), cwd=caller.home, capture_output=True, check=False, timeout=120,
                          **options)
