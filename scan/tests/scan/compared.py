#!/usr/bin/env python3
"""The ports, built with their hand-written touch functions compared with the slices, and with the accesses of the compiled
bodies (svs_add_tasks(... COMPARE)): nothing is reported.

usage: compared.py --programs FOLDER --work FOLDER
"""

import argparse
import subprocess
import sys
from pathlib import Path

from ports import PORTS, write_inputs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("programs", "work"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    inputs, failed = write_inputs(options.work), []
    for port in PORTS:
        for run in port.runs:
            for threads in (1, 8):
                words = run.format(input=inputs.get(port.name)).split()
                command = [options.programs / f"scan_compare_{port.name}", "--threads", str(threads), *words]
                result = subprocess.run(command, capture_output=True, text=True, timeout=120)
                lines = result.stderr.splitlines()
                said = [line for line in lines if not line.startswith("svs check: ")]
                if result.returncode or said or (lines and not lines[-1].endswith(" 0 races")):
                    failed.append(" ".join(map(str, command)))
                    print(failed[-1], result.stdout, result.stderr, sep="\n")
    if failed:
        sys.exit("compared: failed: " + "; ".join(failed))
    print("compared: nothing is reported")


if __name__ == "__main__":
    main()
