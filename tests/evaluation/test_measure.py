"""Children, contests, plans, the cost of ports, profiles and predictions."""
import argparse
import contextlib
import io
import math
import tempfile
import unittest
from pathlib import Path

import children
import contest
import evaluate
import measure
import predict
import rows
import source
from contest import Competitor, Limits
from predict import GraphRun, Profiled
from programs import CANNEAL, FLUIDANIMATE, PROGRAMS, QUAKESQUAD
from samples import ratio
from session import PARTS, PROGRAM_PARTS, Session, print_plan


def shell(script):
    return ["/bin/sh", "-c", script]


def quiet(call, *arguments):
    with contextlib.redirect_stdout(io.StringIO()):
        return call(*arguments)


def session(scale="tiny", **options):
    return Session(argparse.Namespace(**{"scale": scale, "only": None, "rounds": None, **options}))


class Children(unittest.TestCase):
    def test_a_child_tells_all(self):
        child = children.run(shell("echo out; echo first >&2; echo second >&2; exit 77"), 30)
        self.assertEqual((child.output, child.status, child.complaint), ("out\n", 77, "second"))
        self.assertTrue(0 < child.peak_mb < 9, child.peak_mb)  # of a shell, not of this Python
        self.assertEqual(len(children.run(shell("head -c 100000 /dev/zero | tr '\\0' x"), 30).output), 100000)

    def test_a_child_ends_in_time(self):
        child = children.run(shell("exec sleep 60"), 0.05)
        self.assertTrue(child.timed_out and child.status)
        self.assertRegex(child.complaint, "took too long and was ended")
        self.assertEqual(children.run(shell("kill -9 $$"), 30).complaint, "was ended by signal 9")

    def test_a_child_that_is_not_there(self):
        child = children.run(["/nowhere/at all"], 30)
        self.assertEqual(child.status, 127)
        self.assertRegex(child.complaint, "not found|No such file")


class Contests(unittest.TestCase):
    def compete(self, limits, **scripts):
        self.session = session()
        of = [Competitor(name, 2, [], "", shell(script), {"contest": "test"}) for name, script in scripts.items()]
        quiet(contest.run, self.session, "a test", of, limits)
        return of

    def test_contests_are_paired_by_round(self):
        svs, mutex, stm = self.compete(Limits(4, 60, 60), svs="echo seconds=3 lock=none", mutex="echo seconds=2",
                                       stm="echo it is not there >&2; exit 77")
        self.assertEqual((ratio(svs, mutex).median, ratio(svs, mutex).count), (1.5, 4))
        self.assertEqual((stm.why, bool(stm), len(self.session.rows)), ("it is not there", False, 8))
        row = svs.runs[0].pairs
        self.assertEqual((row["bench"], row["contest"], row["engine"], row["threads"], row["lock"]),
                         ("run", "test", "svs", "2", "none"))
        self.assertGreater(float(row["wall_seconds"]), 0)

    def test_a_slow_one_has_fewer_turns(self):
        svs, stm = self.compete(Limits(5, 60, 60), svs="echo seconds=1", stm="echo seconds=10")
        self.assertEqual((len(svs.runs), [run["round"] for run in stm.runs]), (5, ["0", "3"]))
        self.assertEqual(ratio(stm, svs).count, 2)

    def test_a_budget_leaves_the_least_of_rounds(self):
        self.assertEqual(len(self.compete(Limits(9, 0, 60, 3), svs="echo seconds=1")[0].runs), 3)

    def test_wrong_rows_leave_an_engine_out(self):
        bad, late, none = self.compete(Limits(1, 9, 0.5), bad="echo seconds=x", late="exec sleep 9", none="true")
        self.assertRegex(bad.why, "the output of /bin/sh .*:1: seconds=x is no number")
        self.assertRegex(late.why, "took too long")
        self.assertRegex(none.why, "the row has no 'seconds'")


class Plans(unittest.TestCase):
    def test_a_plan_keeps_to_its_time(self):
        for scale, least, most in (("quick", 60, 225), ("whole", 225, 860)):
            self.assertTrue(least < sum(map(session(scale).part_seconds, PARTS)) <= most)
        of = session("quick")
        self.assertEqual(of.share("fluidanimate"), 1)
        of.started -= 150  # as if that much were gone
        self.assertTrue(0 < of.share("fluidanimate") < 0.5)
        self.assertEqual(of.share("retain"), 1)
        of.started -= 150
        self.assertEqual(of.share("fluidanimate"), 0)
        self.assertEqual(session(only="canneal").parts, ["canneal"])

    def test_a_long_plan_has_all_of_its_rounds(self):
        of = session("long", out="out")
        self.assertEqual(of.parts, PROGRAM_PARTS)
        self.assertEqual(of.part_seconds("canneal"), 80 + 31 * 14)
        of.started -= 10000  # as if it had taken hours so far
        self.assertEqual(of.share("quakesquad"), 1)
        for program in PROGRAMS:
            limits = measure.Field(of, program, "", []).limits("case")
            self.assertEqual((limits.rounds, limits.least, limits.budget), (31, 31, math.inf))
        with contextlib.redirect_stdout(io.StringIO()) as said:
            print_plan(of)
        self.assertRegex(said.getvalue(), r"out: about 40:\d\d on a quiet machine\n  fluidanimate +328 s\n  canneal ")
        self.assertNotIn("fewer rounds", said.getvalue())

    def test_rounds_are_what_the_user_says_or_what_the_time_allows(self):
        for scale in ("tiny", "quick", "whole"):
            limits = measure.Field(session(scale, rounds=7), CANNEAL, "", []).limits("case")
            self.assertEqual((limits.rounds, limits.least, limits.budget), (7, 7, math.inf))
        late = session("quick")
        self.assertEqual(measure.Field(late, QUAKESQUAD, "", []).limits("case"), Limits(9, 16, 5, 3))
        late.started -= 160
        limits = measure.Field(late, QUAKESQUAD, "", []).limits("case")
        self.assertTrue(limits.rounds == 9 and limits.budget < 12 and limits.least == 3)
        late.started -= 60
        self.assertEqual(measure.Field(late, QUAKESQUAD, "", []).limits("case").least, 2)
        limits = measure.Field(session("long", rounds=7), CANNEAL, "", []).limits("case")
        self.assertEqual((limits.rounds, limits.least, limits.budget), (7, 7, math.inf))


class Options(unittest.TestCase):
    def read(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            return evaluate.read_options([*words, "--out", folder])

    def test_a_long_evaluation_has_its_threads_and_parts(self):
        of = self.read("--long")
        self.assertEqual((of.scale, of.threads, of.contested, of.rounds), ("long", [2], 2, None))
        self.assertEqual((self.read("--tiny").threads, self.read().threads[:4]), ([1, 2], [1, 2, 4, 8]))
        of = self.read("--long", "--only", "canneal")
        self.assertEqual((of.scale, Session(of).parts), ("long", ["canneal"]))
        of = self.read("--long", "--only", "links")  # has no longer inputs
        self.assertEqual((of.scale, of.threads[:4], Session(of).parts), ("whole", [1, 2, 4, 8], ["links"]))

    def test_a_long_evaluation_finds_locks_with_the_inputs_of_a_whole_one(self):
        for program, words, short in ((FLUIDANIMATE, "--frames 60", "--frames 20"),
                                      (CANNEAL, "--swaps 150000 --temperature 2000 --steps 64", "--swaps 15000 "),
                                      (QUAKESQUAD, "--frames 1200 --settle 400", "--frames 200 --settle 400")):
            of, whole = (measure.Field(session(scale), program, "p", []) for scale in ("long", "whole"))
            def command(kind, field=of):
                one = field.competitor(measure.Engine("mutex"), 2, kind, next(iter(field.of.cases)), "")
                return " ".join(one.command)
            self.assertIn(f"p --engine mutex --threads 2 {words}", command("case"))
            for kind in ("lock", "chunk", "same-chunk"):
                self.assertIn(f" {short}", command(kind))
                self.assertEqual((command(kind), of.limits(kind)), (command(kind, whole), whole.limits(kind)))


A = '/* a comment\n   svs_link(x) */\nint a; // b\n\n  char *s = "/* no */"; char c = \'"\'; // d\n'
B = ("int a;\nlock(x); svs_link(y, z, w);\n#define svs_link(a) a\n  int c;\n"
     "svs_writes_object(f, o); xlock(y);\nGUARD {\n")


class Source(unittest.TestCase):
    def test_lines_are_counted_without_comments(self):
        self.assertEqual(source.code_lines(A), ["int a;", 'char *s = "/* no */"; char c = \'"\';'])
        self.assertEqual(len(source.code_lines(B)), 6)
        self.assertEqual(source.code_lines("a; /* open\nb;\n"), ["a;"])
        self.assertEqual(source.code_lines('char *s = "\\"// no";\n'), ['char *s = "\\"// no";'])

    def test_lines_are_compared_in_order(self):
        self.assertEqual(source.common_lines(["a", "b", "c", "d"], ["b", "x", "d", "a"]), 2)
        self.assertEqual(source.common_lines([], ["a"]), 0)
        self.assertEqual(source.common_lines(["a", "a"], ["a"]), 1)

    def test_calls_are_counted(self):
        lines = source.code_lines(B)
        self.assertEqual(source.calls(source.code_lines(A), "svs_link"), 0)
        self.assertEqual(source.calls(lines, "svs_link"), 1)
        self.assertEqual(source.calls(lines, "lock svs_writes* GUARD"), 3)

    def test_a_port_has_its_row(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "examples" / "p"
            program.mkdir(parents=True)
            (program.parent / "common").mkdir()
            for name, text in (("engine_serial.c", "int a;\nint b;\n"), ("p.c", "SVS_TYPE(x)\n"),
                               ("../common/scheduled.c", "int a;\n"), ("../common/scheduled.h", "int b;\n"),
                               ("engine_svs.c", "int a;\nsvs_writes(f, a);\n\nSVS_TASK(t)\n")):
                (program / name).write_text(text, encoding="utf-8")
            row = source.cost_of(Path(folder), "p", "svs", ["engine_svs.c"])
            self.assertEqual(rows.text_of(row), "bench=cost program=p engine=svs lines=3 with_common=5 added=2 removed=1 "
                                                "locks_taken=0 footprints=1 declarations=1 in_simulation=1")
            with self.assertRaises(OSError):
                source.cost_of(Path(folder), "p", "svs", ["none.c"])


PROFILE = """--------
1,000 (100.0%)  PROGRAM TOTALS
500 (50.00%)  ???:svs_graph_run_sized [/x/libsvs.so.0.1.0]
250 (25.00%)  ???:svs__stage_make'2 [/x/libsvs.so.0.1.0]
1,0 ( 1.00%)  a:svs_send [/x/libsvs.so.0.1.0]
100 (10.00%)  a.c:swap_run_ [/x/canneal]
 50 ( 5.00%)  b.c:produce_run_ [/x/canneal]
 25 ( 5.00%)  b.c:exact_swap_run_ [/x/canneal]
 50 ( 5.00%)  b.c:part [/x/canneal]
100 (10.00%)  ???:world_tick [/x/canneal]
999 (10.00%)  ???:other_run_ [/x/libother.so]
"""


class Predictions(unittest.TestCase):
    def test_a_profile_is_read(self):
        of = Profiled(serial="world_tick", alone="plan_run_ swap_run_", asyncs="part", senders="produce_run_")
        p = predict.read_profile(PROFILE, of)
        self.assertEqual((p.staged, p.maker, p.sends, p.bodies, p.serial), (True, 0.5, 0.02, 0.35, 0.2))
        self.assertEqual((p.alone, p.sender), (0.1, 0.1))  # swap_run_ alone, less an async
        p = predict.read_profile("100 (1%)  a:svs_graph_run_sized [l.so]\n"
                                 "10 (1%)  a:svs__domain_take_items [l.so]\n"
                                 "15 (1%)  a:svs__domain_settle [l.so]\n", Profiled())
        self.assertEqual((p.staged, p.maker), (False, 0.25))
        self.assertIsNone(predict.read_profile("nothing\n", of))

    def predicted(self, on, **parts):
        return GraphRun(**{"serial": 1, "work": 16, "maker": 3, "sender": 2, **parts}).on(on)

    def test_predictions_follow_the_model(self):
        self.assertEqual([self.predicted(on) for on in (1, 2, 64)], [17, 9, 4])  # 64: the maker's time
        self.assertEqual(self.predicted(64, sender=5), 6)
        alone = {"sender": 5, "alone": 4}  # of the work: no other body runs beside it
        self.assertEqual([self.predicted(on, **alone) for on in (1, 2, 64)], [17, 11, 10])
        staged = {**alone, "stages": 2, "instances": 32, "handover": 0.5}  # a stage: 0.5 s of an instance, and 0.5 s
        self.assertEqual(GraphRun(work=16, stages=2, instances=32, handover=0.5).span, 2)
        self.assertEqual([self.predicted(on, **staged) for on in (1, 2)], [17, 12])
        woken = {**staged, "barriers": 4, "wakeup": 0.25}  # of two workers each waits half of the time
        self.assertEqual([self.predicted(on, **woken) for on in (1, 2)], [17, 12.5])
        self.assertEqual(self.predicted(2, **woken, lock_handovers=8), 13.5)  # half of them: 2 s that both share
