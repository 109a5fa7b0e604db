"""A small recorded evaluation of everything, with times that make its ratios known: SvS takes 1.5 times
mutex's time with two threads, and 0.9 of it with one. The engine scanned is the fastest, and is SvS itself."""
from programs import PROGRAMS
from report_figures import CONTENTIONS, POLICIES
from rows import Recording, Row, make, parse
from session import PARTS

SECONDS = {("svs", 1): 1.8, ("svs", 2): 1.5, ("serial", 1): 1.9, ("mutex", 1): 2.0, ("mutex", 2): 1.0,
           ("scanned", 2): 0.75, ("stm", 1): 6.0, ("stm", 2): 4.0}
STATISTICS = {"instances": 400, "deferrals": 8, "deferrals_true": 1, "deferrals_hash": 3, "stages": 100, "width": 4.0,
              "refreshes": 5}


def runs(of, case: str, contest: str, rounds: int) -> list[Row]:
    return [make(bench="run", contest=contest, program=of.name, case=case, engine=engine, threads=threads, round=number,
                 seconds=time * (1 + number / 10), wall_seconds=time + 1, process_cpu_seconds=time * threads,
                 peak_mb=20.0, frames=200, steps=10, frame_p99_ms=time / 100, prepare_seconds=0.5,
                 **({"trial": of.same.replace("--", "").replace(" ", ":")} if contest != "case" else {}),
                 **(STATISTICS if engine == "svs" else {}))
            for (engine, threads), time in SECONDS.items() if engine in of.engines
            for number in range(rounds)]


def program(of) -> list[Row]:
    rows = [make(bench="input", program=of.name, text="a small <input>"),
            make(bench="profile", program=of.name, staged=1, serial=0.25, maker=0.1, alone=0.05, sender=0.0, bodies=0.6,
                 sends=0.02)]
    for engine in of.engines:
        why = "" if any(name == engine for name, _ in SECONDS) else "not built"
        rows.append(make(bench="engine", program=of.name, engine=engine, lock="spin", chunk="", result="the same", why=why))
    for case in of.cases:
        rows += runs(of, case, "case", 3)
    rows.append(make(bench="left-out", contest="case", program=of.name, case=case, engine="stm", threads=8, why="too slow"))
    return rows + runs(of, next(iter(of.cases)), "same-chunk", 2)


def benches() -> list[Row]:
    text = "bench=handover handover_ns=200.0 wakeup_ns=5000.0\n"
    for contention in CONTENTIONS:  # breaks even at sqrt(10 x 1000) ns with one object, and never with two
        for objects, work, ratio in ((1, 0, 1.05 ** 2), (1, 1000, 1), (2, 0, 20), (2, 1000, 4)):
            text += (f"bench=breakeven contention={contention} objects={objects} work_ns={work} svs_ns=900 ratio={ratio} "
                     "best_lock=spin deferrals_instance=0.5 width=3.0\n")
    for bits in (64, 128):
        text += f"bench=width bits={bits} threads=2 stages=10 best=9 width={bits - 4} best_width={bits - 2}\n"
    for tree in ("20k", "40k"):
        for size in (2, 4, 8):
            for examine in (0, 64):
                text += (f"bench=links tree={tree} K={size} set=leaf examine={examine} threads=2 assign_ns=300 "
                         "zerosig_ns=1000 false_positives_ns=200 overhead_ns=1200 width=9.5 assign_spread_pct=10 "
                         "overhead_spread_pct=20 thesis_assign_ns=400 thesis_scheduling_ns=500 "
                         "thesis_false_positives_ns=600 thesis_overhead_ns=1500 thesis_width=18\n")
    for policy in POLICIES:
        text += (f"bench=stealtree figure=4 program=fib policy={policy} ratio=1.01 ci99=0.02 wall_ratio=1.0 wall_ci99=0.1 "
                 "cpu_ms=9 steals=3\n")
        for workers in (1, 4):
            text += f"bench=stealtree figure=5 program=fib policy={policy} workers={workers} kb_worker=0.5\n"
            text += (f"bench=racecheck figure=9 program=heat policy={policy} workers={workers} walk_edges=9 "
                     "stealtree_edges=3 reduction_pct=66.7 label_reduction_pct=90\n")
        for iteration in (1, 2):
            text += (f"bench=stealtree figure=10 program=heat policy={policy} iteration={iteration} steals=3 "
                     "plain_steals=4 cpu_ms=2 plain_cpu_ms=2.5 kb_worker=0.1 kb_worker_enumerated=7\n")
    return parse(text, "benches")


def recording() -> Recording:
    rows = [row for of in PROGRAMS for row in program(of)] + benches()
    rows += [make(bench="cost", program="canneal", engine=engine, lines=50, with_common=90, added=40, removed=10, locks_taken=taken,
                  footprints=3, declarations=7, in_simulation=1) for engine, taken in (("mutex", 3), ("svs", 0))]
    head = {"evaluation": 1, "svs": "0.1.0", "scale": "quick", "seconds": 99, "contested": 2, "parts": list(PARTS),
            "machine": {"processor": "A <processor>", "cpus": "2", "system": "Linux", "compiler": "gcc", "date": "today",
                        "load": "3.00 2.00 1.00"}}
    return Recording(head, rows)
