"""A small evaluation of everything, run as a user does. ARGUMENTS: the programs' folder, a folder to work in, a browser."""
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import rows
from session import PARTS

PROGRAMS, WORK, BROWSER = Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else ""
SCRIPT = Path(__file__).resolve().parents[2] / "bench" / "evaluation" / "evaluate.py"


def evaluate(*words):
    return subprocess.run([sys.executable, "-B", SCRIPT, "--tiny", "--programs", PROGRAMS, *words],
                          capture_output=True, text=True, check=False)


class Tiny(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        cls.done = evaluate("--out", WORK, "--json", WORK / "all.json")

    def test_1_all_is_measured(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""))
        self.assertRegex(self.done.stdout, r"(?s)on a quiet machine.*\n  fluidanimate +\d+ s\n.*\n  retain +\d+ s\n")
        self.assertIn("[ 0:00] fluidanimate: each engine once", self.done.stdout)
        of = rows.read_json(WORK / "all.json").rows
        for figure, program in (("7.5", "fluidanimate"), ("7.6", "canneal"), ("7.7", "quakesquad")):
            for engine in ("svs", "mutex"):
                row = rows.find(of, figure=figure, program=program, engine=engine, threads=2)
                self.assertGreater(min(row.number("seconds"), row.number("ratio_best_other"), row.number("peak_mb")), 0)
            self.assertGreater(rows.find(of, figure="headline", program=program).number("ratio_cpu"), 0)
            self.assertTrue(rows.find(of, figure=figure, part="spent"), program)
            if shutil.which("valgrind"):
                self.assertTrue(rows.find(of, program=program, part="prediction", threads=64), program)
        for wanted in ({"figure": "7.1", "bits": 4096}, {"figure": "table-7.1", "tree": "40k", "K": 8, "examine": 0},
                       {"figure": "loses", "contention": "high", "objects": 2}, {"bench": "stealtree", "figure": 5},
                       {"figure": "cost", "program": "quakesquad", "engine": "svs"}, {"bench": "handover"},
                       {"figure": "7.7", "program": "quakesquad", "case": "moving", "part": "spent"}):
            self.assertTrue(rows.find(of, **wanted), wanted)

    def test_2_the_page_shows_it(self):
        text = (WORK / "evaluation.html").read_text(encoding="utf-8")
        for part in ("ratios", *PARTS, "machine"):
            self.assertTrue(f'<section id="{part}">' in text, part)
        self.assertTrue("Input here: a generated netlist of 500" in text)
        self.assertGreaterEqual(text.count("<svg"), 20)
        if (PROGRAMS / "bench_racecheck").exists():
            self.assertRegex(text[text.index('id="lca"'):], "heat</td><td class=\"t\">work-first")

    def test_3_another_machine_stands_beside(self):
        done = evaluate("--only", "canneal", "--out", WORK / "in" / "again", "--beside", WORK / "all.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (WORK / "in" / "again" / "evaluation.html").read_text(encoding="utf-8")
        self.assertTrue('<section id="beside">' in text and '<td class="t">fluidanimate</td>' in text)
        self.assertFalse('<section id="quakesquad">' in text or "That one is a" in text)

    def refused(self, complaint, *words):
        done = evaluate("--only", "cost", *words)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, complaint)

    def test_4_what_cannot_be_is_refused(self):
        other, to = WORK / "other.json", ("--out", WORK / "refused")
        other.write_text('{"a":1}\n', encoding="utf-8")
        self.refused("none.json cannot be read", *to, "--beside", WORK / "none.json")
        self.refused("other.json:1: .* has no rows", *to, "--beside", other)
        self.refused("--json: .*: No such file", *to, "--json", WORK / "none" / "x.json")
        self.refused("--out: .*other.json: File exists", "--out", other)
        self.refused("problem: files of 12 ports are not in the source tree", *to, "--source", WORK)
        self.refused("invalid choice: 'x'", *to, "--only", "x")
        self.refused("problem: canneal is not among the programs", *to, "--only", "canneal", "--programs", WORK)
        self.refused("problem: fluidanimate needs PARSEC's", *to, "--only", "fluidanimate", "--data", WORK)

    @unittest.skipUnless(BROWSER and not BROWSER.endswith("-NOTFOUND"), "there is no browser (Debian: chromium)")
    def test_5_a_browser_opens_it(self):
        done = subprocess.run(
            [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
             f"--user-data-dir={WORK / 'browser'}", "--enable-logging=stderr",
             "--virtual-time-budget=5000", "--dump-dom", f"file://{WORK / 'evaluation.html'}"],
            capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertTrue('<section id="machine">' in done.stdout)
        self.assertNotRegex(done.stderr, "CONSOLE|Uncaught")
