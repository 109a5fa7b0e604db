"""run.py MODULE [ARGUMENTS]: the tests of a module here; 77, which CTest calls skipped, where a package is absent or a test is skipped."""
import importlib.util
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "bench" / "evaluation")]

missing = [name for name in ("matplotlib", "jinja2") if not importlib.util.find_spec(name)]
if missing:
    print(f"skipped: {sys.executable} has no {' and no '.join(missing)} (Debian: python3-matplotlib, python3-jinja2)")
    sys.exit(77)
result = unittest.main(module=sys.argv[1], argv=sys.argv[:1], verbosity=2, exit=False).result
sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
