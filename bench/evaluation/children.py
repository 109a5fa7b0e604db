"""Another program, run to its end: what it printed, how long it took, what CPU and memory it used.

The kernel counts the peak memory of a child from its fork on: this process is small while it
measures (nothing here imports matplotlib), and what is smaller than it cannot be told."""
from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from typing import IO

NEVER_BEGAN = 127


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


def text_of(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")


def run(command: list[str], limit_seconds: float) -> Child:
    """Runs a command; after `limit_seconds` it is killed."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as error:
        begin = time.monotonic()
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=error)
        except OSError as failure:
            return Child("", f"{command[0]}: {failure.strerror}", NEVER_BEGAN)
        late = threading.Event()
        timer = threading.Timer(limit_seconds, lambda: (late.set(), process.kill()))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        return Child(text_of(output), text_of(error), process.returncode, late.is_set(),
                     time.monotonic() - begin, usage.ru_utime + usage.ru_stime,
                     usage.ru_maxrss / 1024)
