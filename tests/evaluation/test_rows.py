"""Rows, their JSON, and the statistics of samples."""
import math
import tempfile
import unittest
from pathlib import Path

import rows
import samples
from rows import BadRow, Recording, Row
from samples import Entrant, ratio, summary


class Rows(unittest.TestCase):
    def test_lines_that_begin_with_a_pair_are_rows(self):
        of = rows.parse("a table for people: x=1\n\nbench=links K=2 width=166.7 other=a,b\nbench=links K=4 lock=\n", "x")
        self.assertEqual([row.where for row in of], ["x:3", "x:4"])
        self.assertEqual(rows.find(of, bench="links", K=2).number("width"), 166.7)
        self.assertEqual(of[0]["other"], "a,b")
        self.assertIsNone(rows.find(of, bench="width"))
        self.assertEqual(of[1].number("none", 3.0), 3.0)

    def refuses(self, pattern, call, *arguments):
        with self.assertRaisesRegex(BadRow, pattern):
            call(*arguments)

    def test_bad_rows_are_refused_with_file_and_line(self):
        self.refuses("^out:2: 'word' is not key=value", rows.parse, "people\na=1 word b=2\n", "out")
        self.refuses("^out:1: 'a' stands there twice", rows.parse, "a=1 a=2\n", "out")
        row = rows.parse("\na=x b=1\n", "out")[0]
        self.refuses("^out:2: a=x is no number", row.number, "a")
        self.refuses("^out:2: the row has no 'c'", row.number, "c")

    def test_json_has_numbers_where_readers_keep_them(self):
        of = rows.parse('a=1 b=-2.5e3 c=0123 d=x"\\ e=1,2.5 f=nan g=1. h=12345678901234567890 i=- j=1e9999\n', "x")
        self.assertEqual(rows.json_text(Recording({"n": 1}, of)),
                         '{"n":1,\n"rows":[\n{"a":1,"b":-2.5e3,"c":"0123","d":"x\\"\\\\","e":[1,2.5],"f":null,'
                         '"g":"1.","h":"12345678901234567890","i":"-","j":"1e9999"}\n]}\n')

    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "e.json"
            path.write_text(text, encoding="utf-8")
            return rows.read_json(path)

    def test_json_is_read_back_as_it_was(self):
        of = rows.parse('figure=7.50 seconds=0.250 samples=1,2.5 name=x"y last=nan\n a=no\nb=2\n', "x")
        of.append(rows.make(bench="problem", text="a text, of words", part=1.5))
        back = self.read(rows.json_text(Recording({"scale": "tiny", "machine": {"cpus": "16"}}, of)))
        self.assertEqual(back.head, {"scale": "tiny", "machine": {"cpus": "16"}})
        self.assertEqual([row.pairs for row in back.rows], [row.pairs for row in of])
        self.assertRegex(back.rows[1].where, r"e\.json:4$")

    def test_bad_json_is_refused_with_file_and_line(self):
        self.refuses(r"e\.json:2: not JSON", self.read, '{"a":1,\nx}')
        self.refuses(r"e\.json:1: .* it has no rows", self.read, '{"a":1}')
        self.refuses(r"e\.json:3: the row is no object", self.read, '{"a":1,\n"rows":[\n7\n]}')
        self.refuses(r"e\.json:4: 'b' is neither text nor numbers", self.read,
                     '{"a":1,\n"rows":[\n{"a":1},\n{"b":{}}\n]}')
        self.refuses("none.json cannot be read", rows.read_json, Path("/nowhere/none.json"))


def entrant(engine, *times, first=0, **more):
    return Entrant(engine, 2, [Row({"seconds": str(time), "round": str(number), **more})
                               for number, time in enumerate(times, first)])


class Samples(unittest.TestCase):
    def test_medians_and_quartiles(self):
        self.assertEqual(summary([4, 1, 3, 2]), samples.Summary(2.5, 1.75, 3.25, 4))
        self.assertEqual(summary([5, math.nan, 1, math.inf, 3]), samples.Summary(3, 2, 4, 3))
        self.assertEqual(summary([7]), samples.Summary(7, 7, 7, 1))
        self.assertEqual(summary([]).count, 0)

    def test_ratios_are_those_of_one_round(self):
        svs, mutex = entrant("svs", 1, 9, 10, 4), entrant("mutex", 3, 5, 8, 100, first=1)
        self.assertEqual(ratio(svs, mutex), samples.Summary(2, 1.25, 2.5, 3))  # 9/3, 10/5, 4/8
        self.assertEqual(ratio(svs, None).count, 0)
        mutex.why = "it failed"
        self.assertEqual(ratio(svs, mutex).count, 0)
        self.assertEqual(mutex.of(samples.seconds).count, 0)

    def test_the_interval_of_a_median_is_between_two_of_the_values(self):
        for count, low, high in ((1, 0, 0), (5, 0, 4), (6, 0, 5), (9, 1, 7), (31, 9, 21)):  # a table of sign tests
            self.assertEqual(samples.interval([(i * 7) % count for i in range(count)]), (low, high))

    def test_what_a_run_measured(self):
        run = Row({"seconds": "3", "prepare_seconds": "1", "wall_seconds": "5", "process_cpu_seconds": "7"})
        self.assertEqual([of(run) for of in (samples.prepared, samples.outside, samples.cpu)], [4, 2, 7])
        run.pairs["cpu_seconds"] = "6"
        self.assertEqual(samples.cpu(run), 6)
        self.assertTrue(math.isnan(samples.frame_p99_ms(run)))
        run.pairs |= {"frames": "100", "frame_ms_max": "9"}  # of a hundred frames it is the longest
        self.assertEqual(samples.frame_p99_ms(run), 9)
        run.pairs["frame_p99_us"] = "1500"
        self.assertEqual(samples.frame_p99_ms(run), 1.5)
        run.pairs["frame_p99_ms"] = "2"
        self.assertEqual(samples.frame_p99_ms(run), 2)
        self.assertTrue(math.isnan(samples.prepared(Row({"seconds": "3"}))))
