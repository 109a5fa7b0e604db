#!/usr/bin/env python3
"""Runs the tests of a build by ctest, with one line of progress; and says which programs they need.

usage: suite.py targets BUILD LABEL      what ninja must build for the tests with the label, one output a line
       suite.py run BUILD JOBS [CTEST ARGUMENTS]
       suite.py record BUILD    writes into costs.txt what each test of the last run took: in the column of short runs, if it was one

`run` writes one line, overwritten by each test, on a terminal, and otherwise a line for each test. What has failed is
printed at once with its output, what was skipped at the end with its reason. The last line is `N passed, N failed, N
skipped`. A skipped test is a failure if SVS_SKIPS_ARE_ERRORS is ON. The time left follows from costs.txt, and from how fast the
tests so far have used up their costs.
"""

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

TEST = re.compile(r"^(add_test|set_tests_properties)\((?:\[=*\[)?(.+?)(?:\]=*\])? (.*?)(?=^add_test|^set_tests|^subdirs|\Z)", re.M | re.S)
PROPERTY = r' %s "([^"]*)"'
RESULT = re.compile(r"^ *(\d+)/(\d+) Test +#\d+: (\S+) \.*[ *]*([A-Z].*?) +([\d.]+) sec")
SECONDS_BEFORE = 5  # by costs alone: for so long, the tests' own speed counts less
COSTS = Path(__file__).resolve().parent / "costs.txt"
LEAST = 0.3  # seconds; tests below are not listed


@dataclass
class Test:
    labels: set[str] = field(default_factory=set)
    sets_up: set[str] = field(default_factory=set)
    requires: set[str] = field(default_factory=set)
    words: str = ""  # its command and properties


def read_tests(build: Path) -> dict[str, Test]:
    """What CMake has written for ctest: ctest itself says nothing of programs that are not built yet."""
    tests: dict[str, Test] = {}
    for path in build.rglob("CTestTestfile.cmake"):
        for what, name, words in TEST.findall(path.read_text()):
            test = tests.setdefault(name, Test())
            test.words += words.split(" _BACKTRACE_TRIPLES ")[0] + " "
            if what == "add_test":
                continue
            listed = {key: set(filter(None, found.group(1).split(";"))) if (found := re.search(PROPERTY % key, words)) else set()
                      for key in ("LABELS", "FIXTURES_SETUP", "FIXTURES_REQUIRED")}
            test.labels |= listed["LABELS"]
            test.sets_up |= listed["FIXTURES_SETUP"]
            test.requires |= listed["FIXTURES_REQUIRED"]
    return tests


def with_fixtures(tests: dict[str, Test], names: set[str]) -> set[str]:
    """The tests, and those that ctest runs before them."""
    while True:
        required = set().union(*(tests[name].requires for name in names))
        more = {name for name, test in tests.items() if test.sets_up & required} - names
        if not more:
            return names
        names |= more


def targets(build: Path, label: str) -> int:
    tests = read_tests(build)
    names = with_fixtures(tests, {name for name, test in tests.items() if label in test.labels})
    made = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], capture_output=True, text=True, check=True).stdout
    made = {line.rpartition(": ")[0] for line in made.splitlines() if not line.endswith(": phony")}
    words = set(re.findall(re.escape(f"{build}/") + r"([^\s\";,\\]+)", " ".join(tests[name].words for name in names)))
    print("\n".join(sorted(words & made)))
    return 0


class Progress:
    def __init__(self, costs: dict[str, float], jobs: int) -> None:
        self.costs, self.jobs, self.begin, self.done = costs, jobs, time.monotonic(), 0.0
        self.is_terminal = sys.stdout.isatty()
        self.total = 0.0
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}
        self.skipped: list[str] = []

    def line(self, text: str) -> None:
        print(f"\r\033[K{text}" if self.is_terminal else text, flush=True)

    def left(self) -> str:
        """In minutes and seconds."""
        taken = time.monotonic() - self.begin
        speed = (self.done + SECONDS_BEFORE * self.jobs) / (taken + SECONDS_BEFORE)
        seconds = int(max(self.total - self.done, 0) / speed) + 1
        return f"{seconds // 60}:{seconds % 60:02d}"

    def result(self, text: str, name: str, status: str, at: str, of: str) -> None:
        kind = "passed" if status == "Passed" else "skipped" if status in ("Skipped", "Not Run (Disabled)") else "failed"
        self.counts[kind] += 1
        self.done += self.costs.get(name, 0)
        if kind == "skipped":
            self.skipped.append(name)
        if kind == "failed" or not self.is_terminal:
            self.line(text)
        if self.is_terminal:
            failed = f", {self.counts['failed']} FAILED" if self.counts["failed"] else ""
            print(f"\r\033[K[{at}/{of}{failed}, {self.left()} left] {name}"[:110], end="", flush=True)


def why_skipped(build: Path, name: str) -> str:
    """The lines of its output that say so."""
    log = build / "Testing/Temporary/LastTest.log"
    text = log.read_text(errors="replace") if log.exists() else ""
    part = text.partition(f" Testing: {name}\n")[2].partition("\nOutput:\n")[2].partition("<end of output>")[0]
    return "; ".join(re.findall(r".*(?:skipped|left out).*", part)) or "it does not say why"


def is_short() -> bool:
    return int(os.environ.get("SVS_TEST_SHARE", "100")) < 25


def read_costs() -> dict[str, list[float]]:
    """Of each test that is listed: seconds with all cases, and with those of the short run."""
    rows = (line.split() for line in COSTS.read_text().splitlines() if not line.startswith("#"))
    return {name: [float(each) for each in costs] for name, *costs in rows}


def record(build: Path) -> int:
    text = (build / "Testing/Temporary/LastTest.log").read_text(errors="replace")
    taken = re.findall(r"^\d+/\d+ Testing: (\S+)$.*?^Test time = +([\d.]+) sec", text, re.M | re.S)
    costs = read_costs()
    for name, seconds in taken:
        costs.setdefault(name, [0, 0])[is_short()] = float(seconds)
    comments = [line for line in COSTS.read_text().splitlines() if line.startswith("#")]
    rows = [f"{name} {all_:.1f} {short:.1f}" for name, (all_, short) in sorted(costs.items()) if max(all_, short) >= LEAST]
    COSTS.write_text("\n".join([*comments, *rows, ""]))
    return 0


def selected(build: Path, arguments: list[str]) -> list[str]:
    listed = subprocess.run(["ctest", "--test-dir", build, "-N", *arguments], capture_output=True, text=True).stdout
    return re.findall(r"^ *Test +#\d+: (\S+)", listed, re.M)


def run(build: Path, jobs: int, arguments: list[str]) -> int:
    names, costs = selected(build, arguments), read_costs()
    progress = Progress({name: costs[name][is_short()] if name in costs else LEAST / 3 for name in names}, jobs)
    progress.total = sum(progress.costs.get(name, 0) for name in names)
    command = ["ctest", "--test-dir", build, "--no-tests=error", "--output-on-failure", "-j", str(jobs), *arguments]
    print(f"{len(names)} tests, about {progress.left()} minutes", flush=True)
    is_output = False  # of a failed test: between its line and the next
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as ctest:
        assert ctest.stdout
        for text in map(str.rstrip, ctest.stdout):
            found = RESULT.match(text)
            if found:
                at, of, name, status, _ = found.groups()
                progress.result(text, name, status, at, of)
                is_output = status not in ("Passed", "Skipped")
            elif text.startswith("The following tests") or re.match(r"\d+% tests passed", text):
                is_output = text.startswith("The following tests FAILED")
                if is_output:
                    progress.line(text)
            elif is_output and text and not re.match(r" +Start +\d+: ", text):
                progress.line(text)
    status = ctest.returncode
    for name in progress.skipped:
        progress.line(f"skipped: {name}: {why_skipped(build, name)}")
    if progress.skipped and os.environ.get("SVS_SKIPS_ARE_ERRORS") == "ON":
        progress.line("a test that is skipped here is an error: install what it needs, or do not declare the test where it cannot run")
        status = status or 1
    progress.line(", ".join(f"{count} {kind}" for kind, count in progress.counts.items()))
    return status


def main() -> int:
    match sys.argv[1:]:
        case ["targets", build, label]:
            return targets(Path(build).resolve(), label)
        case ["record", build]:
            return record(Path(build).resolve())
        case ["run", build, jobs, *arguments]:
            return run(Path(build).resolve(), int(jobs), arguments)
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
