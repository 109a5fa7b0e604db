"""test.py WORK: suite.py on a folder of small tests, of which each ends in another way."""

import os
import subprocess
import sys
from pathlib import Path

SUITE = Path(__file__).with_name("suite.py")
TESTS = {
    "good": ("true", ""),
    "bad": ("false", ""),
    "absent": ("no_such_program", ""),
    "skipped": ("echo|skipped: there is no browser", 'SKIP_REGULAR_EXPRESSION "skipped: "'),
}


def run(work: Path, *arguments: str, **environment: str) -> tuple[int, list[str]]:
    done = subprocess.run([sys.executable, "-B", SUITE, "run", work, "2", *arguments], stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "SVS_SKIPS_ARE_ERRORS": "OFF", **environment})
    print(done.stdout)
    return done.returncode, done.stdout.splitlines()


def main(work: Path) -> None:
    work.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, (command, properties) in TESTS.items():
        words = " ".join(f'"{word}"' for word in command.split("|"))
        lines += [f"add_test({name} {words})", f'set_tests_properties({name} PROPERTIES LABELS "{name}" {properties})']
    (work / "CTestTestfile.cmake").write_text("\n".join(lines))

    status, said = run(work)
    assert status != 0 and said[-1] == "1 passed, 2 failed, 1 skipped", said
    assert sum("(Failed)" in line or "(Not Run)" in line for line in said) == 2, said
    status, said = run(work, "-R", "good")
    assert status == 0 and said[-1] == "1 passed, 0 failed, 0 skipped", said
    # A skipped test is told with its reason, and is a failure where that is asked for.
    status, said = run(work, "-R", "good|skipped")
    assert status == 0 and "skipped: skipped: skipped: there is no browser" in said, said
    status, said = run(work, "-R", "good|skipped", SVS_SKIPS_ARE_ERRORS="ON")
    assert status == 1 and said[-1] == "1 passed, 0 failed, 1 skipped", said
    status, said = run(work, "-R", "no_such_test")
    assert status != 0, said


main(Path(sys.argv[1]))
