"""Closes what the system tells other processes of this one: on Linux its first environment can be
read in `/proc`, and a key may stand there."""

import ctypes
import sys
from contextlib import suppress

PR_SET_DUMPABLE = 4  # prctl(2)


def close_environment() -> None:
    """Keep the environment and the memory of this process from processes of the same user, as far
    as the system can: on Linux, and not from root. What started this process stays as open as it
    was."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # a system without it
            ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
