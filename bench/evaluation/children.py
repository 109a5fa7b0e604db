"""Another program, run to its end: what it printed, how long it took, what CPU and memory it used.

The kernel counts the peak memory of a process from its fork on, when it is a copy of its parent: of
Python, that would be 20 MB. So a shell, which is small, starts the program and ends; the program
becomes a child of this process, which has declared itself the reaper of orphans."""
from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
# The program begins when the shell has ended: else the shell might reap it, and not Python.
START = """out=$1; err=$2; shift 2; exec 3<&0
{ read -r _ <&3; exec "$@" 3<&- </dev/null >"$out" 2>"$err"; } & echo $!"""


@dataclass(frozen=True)
class Child:
    output: str
    error: str
    status: int  # its exit status; negative: the signal that ended it
    timed_out: bool = False
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_mb: float = 0.0

    @property
    def complaint(self) -> str:
        """In one line, why it failed."""
        lines = self.error.strip().splitlines()
        if self.timed_out:
            return f"took too long and was ended after {self.wall_seconds:.0f} s"
        if lines:
            return lines[-1]
        return f"was ended by signal {-self.status}" if self.status < 0 else f"exit status {self.status}"


def start(command: list[str], output: Path, error: Path) -> int:
    """@return the process id, which os.wait4() takes"""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with subprocess.Popen(["/bin/sh", "-c", START, "sh", output, error, *command], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as shell:
        process = int(shell.stdout.readline())
        shell.wait()
        return process  # the end of the pipe lets the program begin


def wait(process: int, limit_seconds: float) -> tuple[int, bool, os.struct_rusage]:
    """@return the status, whether it was late and was killed, and what it used"""
    late = threading.Event()
    timer = threading.Timer(limit_seconds, lambda: (late.set(), os.kill(process, signal.SIGKILL)))
    timer.start()
    try:
        _, status, usage = os.wait4(process, 0)
    except KeyboardInterrupt:  # which the shell has made the program ignore
        os.kill(process, signal.SIGKILL)
        raise
    finally:
        timer.cancel()
    return os.waitstatus_to_exitcode(status), late.is_set(), usage


def run(command: list[str], limit_seconds: float) -> Child:
    """Runs a command; after `limit_seconds` it is killed."""
    with tempfile.TemporaryDirectory() as folder:
        output, error = Path(folder) / "output", Path(folder) / "error"
        process = start(command, output, error)
        begin = time.monotonic()
        status, late, usage = wait(process, limit_seconds)
        seconds = time.monotonic() - begin
        return Child(output.read_text(errors="replace"), error.read_text(errors="replace"), status, late,
                     seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
