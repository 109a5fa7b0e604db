"""The page and the JSON of a recorded evaluation (recorded.py)."""
import contextlib
import io
import math
import re
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import evaluate
import figures
import page
import rows
from programs import CANNEAL
from recorded import recording, runs
from report_figures import break_even, edge_of
from rows import BadRow, select
from session import PARTS, PROGRAM_PARTS


class Tags(HTMLParser):
    """Checks that elements nest, and collects ids."""

    def __init__(self):
        super().__init__()
        self.open, self.ids = [], []

    def handle_starttag(self, tag, attributes):
        self.ids += [value for key, value in attributes if key == "id"]
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.ids += [value for key, value in attributes if key == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # Drawing takes most of the time, and one test draws all.
        stub = mock.patch("page.svg_of", lambda figure: "<svg/>" if figure.has_points() else "")
        stub.start()
        self.addCleanup(stub.stop)

    def has(self, wanted, text):
        self.assertTrue(wanted in text, f"'{wanted}' is not on the page")

    def write(self, of, there=None):
        files = self.folder / "evaluation.html", self.folder / "evaluation.json"
        with contextlib.redirect_stderr(io.StringIO()):
            self.problems = page.write(of, *files, there, "there.json")
        return files[0].read_text(encoding="utf-8"), rows.read_json(files[1])

    def test_the_page_has_every_section(self):
        text, _ = self.write(recording())
        self.assertEqual(self.problems, [])
        for part in ["ratios", *PARTS, "machine"]:
            body = re.search(f'<section id="{part}">(.*?)</section>', text, re.DOTALL)
            self.assertTrue(body, part)
            self.assertNotIn("Nothing was measured", body[1])
            self.has("<table>" if part != "storage" else "<svg", body[1])
        self.assertNotIn('class="problem"', text)
        for wanted in ("thesis: simlarge, 8 cores", "thesis, us a frame: its own world", "p99 frame, ms", "peak MB",
                       "Input here: a small &lt;input&gt;.", "A &lt;processor&gt;", "not built", "too slow",
                       "50% more time than mutex", "waiting", "8 times one was put back",
                       "of the 4 that were looked into: 25% true conflicts, 75% bits", "A stage has 4.0 instances",
                       "locks removed", "Where it loses most", "20 times the best lock", "fewer with labels",
                       "on 2 CPUs", "The machine was not quiet", "Predicted for more CPUs", "0.34 KB kept (SCF)"):
            self.has(wanted, text)

    def test_the_page_is_one_good_file_of_many_figures(self):
        with mock.patch("page.svg_of", figures.svg_of):
            text, _ = self.write(recording())
        count = text.count("<svg")
        self.assertEqual(count, 26)
        self.has(f"; {count} plots;", text)
        self.assertFalse(re.findall(r"(?:src|href)=['\"](?:https?:)?//[^'\"]*", text))  # nothing is fetched
        tags = Tags()
        tags.feed(text)
        self.assertEqual(tags.open, [])
        self.assertEqual(len(tags.ids), len(set(tags.ids)))
        for name in ("svs", "mutex", "stm", "serial, 1 thread", "more threads than CPUs", "svs, prediction"):
            self.has(f">{name}</text>", text)

    def test_json_has_the_ratios(self):
        _, back = self.write(recording())
        def number(key, **wanted):
            return rows.find(back.rows, bench="evaluation", **wanted).number(key)
        head = {"figure": "headline", "program": "canneal"}
        self.assertEqual(number("ratio_best_other", **head), 1.5)
        self.assertEqual(number("ratio_cpu", **head), 1.5)
        self.assertAlmostEqual(number("ratio_prepared", **head), (1.65 + 0.5) / (1.1 + 0.5), 5)
        self.assertEqual(number("ratio_stm", **head), 0.38)  # 1.5 / 4, as the page has it
        self.assertEqual(number("ratio_scanned", **head), 2)
        case = {"figure": "7.6", "engine": "svs", "threads": 1}
        self.assertEqual(number("ratio_best_other", **case), 0.9)
        self.assertEqual((number("seconds_q1", **case), number("seconds_q3", **case)), (1.89, 2.07))
        self.assertEqual(rows.find(back.rows, bench="evaluation", **case)["samples"], "1.800000,1.980000,2.160000")
        self.assertEqual(number("measured_seconds", program="canneal", part="prediction", threads=2), 1.65)
        self.assertTrue(math.isnan(number("measured_seconds", program="canneal", part="prediction", threads=4)))
        self.assertEqual(number("break_even_ns", contention="low", objects=1), 100)
        self.assertEqual(number("break_even_ns", contention="low", objects=2), -1)
        self.assertEqual(number("scheduling_us", figure="table-7.1", tree="20k", K=2, examine=0), 0.7)
        self.assertEqual(number("locks_removed", figure="cost", engine="svs"), 4)
        self.assertEqual(number("ratio_waiting", part="spent", program="canneal"), 1)

    def test_json_has_an_interval_of_the_ratio_to_each_engine(self):
        of = recording()
        of.rows = [row for row in of.rows if not row.matches({"program": "canneal", "contest": "case"})]
        for row in runs(CANNEAL, "100000.nets", "case", 31):
            number = int(row["round"])  # svs takes 1 to 1.3 times mutex's time, not in the order of rounds
            if row.matches({"engine": "svs", "threads": 2}):
                row.pairs["seconds"] = str((1 + number / 10) * (1 + number * 7 % 31 / 100))
            if row["engine"] != "stm" or number % 3 == 0:
                of.rows.append(row)
        _, back = self.write(of)
        found = {row["engine"]: row for row in select(back.rows, bench="evaluation", program="canneal", part="ratio")}
        self.assertEqual([*found], ["serial", "scanned", "mutex", "stm"])
        for engine, threads, ratio, low, high, rounds in (
                ("mutex", "2", 1.15, 1.09, 1.21, 31), ("serial", "1", 1.15 / 1.9, 1.09 / 1.9, 1.21 / 1.9, 31),
                ("stm", "2", 1.12 / 4, 1.01 / 4, 1.23 / 4, 11)):
            row = found[engine]
            self.assertEqual((row["case"], row["threads"], row.number("rounds")), ("100000.nets", threads, rounds))
            for key, value in (("ratio", ratio), ("low", low), ("high", high)):
                self.assertAlmostEqual(row.number(key), value, 5, (engine, key))

    def test_a_long_evaluation_has_one_number_of_threads(self):
        of = recording()
        of.head |= {"scale": "long", "parts": PROGRAM_PARTS}
        of.rows = [row for row in of.rows if row["bench"] in ("input", "engine", "handover") or
                   row["bench"] == "run" and (row["engine"] == "serial" or row["threads"] == "2")]
        for row in select(of.rows, program="quakesquad", contest="same-chunk"):
            row.pairs["frames"] = "100"  # of 200: its input is another one
        text, back = self.write(of)
        self.assertEqual(self.problems, [])
        self.assertEqual(re.findall('<section id="([a-z]+)">', text), ["ratios", *PROGRAM_PARTS, "machine"])
        for wanted in ("a long evaluation, made in", "50% more time than mutex", "svs did not run on one thread",
                       '<td class="t s">svs</td><td class=" s">15750.0</td>'):
            self.has(wanted, text)
        self.assertEqual(text.count("<svg"), 7)  # the ratios, and a figure of each case
        self.assertNotIn("There 60", text)
        self.assertEqual(len(select(back.rows, part="ratio", engine="mutex", ratio="1.500000")), 6)

    def test_a_page_is_made_anew_of_its_json(self):
        text, back = self.write(recording())
        once = [row.pairs for row in back.rows]
        again, twice = self.write(back)
        self.assertTrue(text == again)
        self.assertEqual(once, [row.pairs for row in twice.rows])
        path = self.folder / "evaluation.json"
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(evaluate.main(["--from", str(path), "--out", str(self.folder / "new")]), 0)
        self.assertIn("\nbench=evaluation figure=headline program=canneal case=100000.nets threads=2", said.getvalue())
        self.assertTrue((self.folder / "new" / "evaluation.html").read_text(encoding="utf-8") == text)

    def test_wrong_rows_are_problems_and_the_exit_status(self):
        of = recording()
        row = rows.find(of.rows, bench="width", bits=64)
        row.pairs["width"] = "wide"
        del rows.find(of.rows, bench="run", program="canneal", engine="svs").pairs["seconds"]
        text, _ = self.write(of)
        self.assertEqual(len(self.problems), 2)
        self.has('<p class="problem">benches:18: width=wide is no number</p>', text)
        self.has("the row has no &#39;seconds&#39;</p>", text)
        path = self.folder / "evaluation.json"
        line = 1 + next(i for i, words in enumerate(path.read_text(encoding="utf-8").splitlines()) if '"wide"' in words)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as complained:
            self.assertEqual(evaluate.main(["--from", str(path), "--out", str(self.folder)]), 1)
        self.assertIn(f"evaluation.json:{line}: width=wide is no number", complained.getvalue())

    def test_a_part_without_rows_says_so(self):
        of = recording()
        of.rows = [row for row in of.rows if row["bench"] not in ("racecheck", "width")]
        of.rows.append(rows.make(bench="problem", part="width", text="bench_width: exit status 3"))
        text, _ = self.write(of)
        self.assertEqual(self.problems, ["bench_width: exit status 3"])
        self.assertTrue(re.search('(?s)<section id="width">.{,200}exit status 3</p>\n<p class="wait">Nothing was', text))
        self.has("traversals fall by over 70% for heat", text)
        of.head["parts"] = ["cost"]
        text, _ = self.write(of)
        self.assertEqual(re.findall('<section id="([a-z]+)">', text), ["ratios", "cost", "machine"])
        self.has("None of the three programs was run", text)

    def test_another_machine_stands_beside(self):
        _, there = self.write(recording())
        there.head |= {"scale": "whole", "machine": {"processor": "Another", "cpus": "16"}}
        for row in select(there.rows, figure="7.6", engine="svs", threads=2):
            row.pairs["seconds"] = "0.5"
        text, _ = self.write(recording(), there)
        body = re.search('<section id="beside">(.*?)</section>', text, re.DOTALL)[1]
        for wanted in ("Another, <b>16 CPUs</b> (there.json)", "That one is a whole evaluation, this one a quick one",
                       '<td class="t">canneal</td><td class="t">100000.nets</td><td class="t">svs</td><td class="">2</td>'
                       '<td class="">1650.00</td><td class=" s">500.00</td>'):
            self.has(wanted, body)
        self.assertEqual(body.count("<svg"), 3)

    def test_a_recording_without_its_head_is_refused(self):
        with self.assertRaisesRegex(BadRow, "has no contested, machine, parts, scale"):
            self.write(rows.Recording({}, []))

    def test_where_svs_breaks_even(self):
        self.assertEqual(break_even([0.9, 1.0], [0, 1000]), 0)
        self.assertAlmostEqual(break_even([1.05 ** 2, 1, 0.9], [0, 1000, 9]), 100)
        self.assertEqual(break_even([2, 1.06], [0, 1000]), math.inf)
        self.assertEqual([edge_of(ratios) for ratios in ([1, 1], [2, 1], [1, 2])], [-0.5, 0.5, 1.5])
