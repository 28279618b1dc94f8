"""The tool that runs a command: for live runs alone, and each call needs a person's approval.

What a command may do is what the person who started the server may do: nothing fences it in. So a
server offers it only where it was started to, and its environment holds no secret; `closed` keeps
that of the server from it.
"""

import os
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from typing import IO, Annotated

from pydantic import Field

from app.harness.results import Report, ToolError, count, visible
from app.harness.schemas import Tool
from app.harness.tools import TOOLS
from app.harness.workspace import Workspace

SECONDS = 30.0  # until a command is ended
OUTPUT = 100_000  # bytes of output until it is ended
LOOK = 0.02  # seconds between two looks at it
KEPT = ("PATH", "LANG", "LC_ALL", "TZ")  # of the server's environment


def bash(
    workspace: Workspace,
    command: Annotated[str, Field(min_length=1, description="The command, as bash reads it.")],
) -> Report:
    """Run a command in the workspace with bash. A person approves each one. It is ended after 30
    seconds, and it can read nothing from a keyboard."""
    if "\0" in command:
        raise ToolError("a command holds no null character")
    with tempfile.TemporaryFile() as output:
        ended = _run(command, workspace, output)
        output.seek(0)
        said = output.read(OUTPUT).decode("utf-8", "replace").rstrip("\n")
    text = "\n".join(visible(line) for line in said.split("\n")) if said else ""
    size = count(text.count("\n") + 1, "line", "lines") if text else "no output"
    return Report(f"{ended[1]}, {size}", text, failed=not ended[0])


def _run(command: str, workspace: Workspace, output: IO[bytes]) -> tuple[bool, str]:
    """Whether the command succeeded, and how it ended. What it started ends with it, but for what
    made a session of its own. Raises OSError where it cannot be started: the model cannot mend
    that."""
    environment = {key: os.environ[key] for key in KEPT if key in os.environ}
    process = subprocess.Popen(
        ["bash", "--noprofile", "--norc", "-c", command],
        cwd=workspace.root,
        env={**environment, "HOME": str(workspace.root)},
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    until = time.monotonic() + SECONDS
    try:
        while process.poll() is None:
            if time.monotonic() > until:
                return False, f"the command was ended after {SECONDS:.0f} seconds"
            if os.fstat(output.fileno()).st_size > OUTPUT:
                return False, f"the command was ended after {OUTPUT:,} bytes of output"
            time.sleep(LOOK)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    code = process.returncode
    return code == 0, f"exit code {code}"


BASH = Tool.of(bash, writes=True, approval=True)
LIVE_TOOLS = {**TOOLS, BASH.name: BASH}  # no lesson may name what runs commands
