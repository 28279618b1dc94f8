"""What a command can read of the process that runs it."""

import subprocess
import sys
from inspect import getsource

import pytest

from app.harness import closed

# A process of a common user, in the state that a start gives it, which runs a command.
HOLDER = """
import os, subprocess
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
{close}
command = ["bash", "-c", "cat /proc/$PPID/environ"]
told = subprocess.run(command, env={{"PATH": os.environ["PATH"]}}, capture_output=True, text=True)
print(told.stdout, told.stderr)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc/PID/environ")
@pytest.mark.parametrize(("close", "read"), [("", True), ("close_environment()", False)])
def test_a_command_does_not_read_the_environment_of_the_process_that_runs_it(
    close: str, read: bool
) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", getsource(closed) + HOLDER.format(close=close)],
        env={"SECRET": "sk-planted", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ("sk-planted" in done.stdout) is read, done.stdout
    assert ("environ: Permission denied" in done.stdout) is not read
