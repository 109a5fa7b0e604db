"""The sections of the page about the parts other than the three programs."""
from __future__ import annotations

import math
from collections.abc import Callable

from figures import Figure, Series, Tiles
from rows import NAN, Recording, Row, find, select
from tables import Context, Table, World

POLICIES = ["help-first", "work-first"]
SUITE = ["allqueens", "cholesky", "fft", "fib", "heat", "lu", "matmul", "nbody", "strassen"]


# ---- where SvS loses ----

EVEN = 1.05  # SvS loses where it takes more than this times the time of the best lock: less is noise
CONTENTIONS = {"none": "no two instances meet", "low": "any of 4096 objects",
               "middle": "any of 256 objects", "high": "any of 32 objects"}


def break_even(ratios: list[float], work: list[float]) -> float:
    """The body, ns, from which on SvS does not lose, between two measured ones by the logarithm of
    both; infinity: no measured body is long enough."""
    for at in range(len(work) - 1, -1, -1):
        if ratios[at] <= EVEN:
            continue
        if at + 1 == len(work):
            return math.inf
        share = math.log(ratios[at] / EVEN) / math.log(ratios[at] / ratios[at + 1])
        low = math.log(max(work[at], 10))
        return math.exp(low + share * (math.log(work[at + 1]) - low))
    return 0


def edge_of(ratios: list[float]) -> float:
    """The left edge of the first tile from which on no body loses."""
    return next((at for at in range(len(ratios), 0, -1) if ratios[at - 1] > EVEN), 0) - 0.5


def values_of(of: list[Row], key: str) -> list[float]:
    return list(dict.fromkeys(row.number(key) for row in of))


def worst_words(world: World, of: list[Row]) -> list[str]:
    """The three worst of the map."""
    words = []
    for place, row in enumerate(sorted(of, key=lambda row: -row.number("ratio"))[:3], 1):
        words.append(
            f"{row.number('ratio'):.0f} times the best lock ({row['best_lock']}): {row['objects']} objects an "
            f"instance, contention {row['contention']}, body {row['work_ns']} ns. An instance takes "
            f"{row['svs_ns']} ns, is put back {row.number('deferrals_instance'):.1f} times and has "
            f"{max(0.0, row.number('width') - 1):.1f} others in its stage.")
        world.derive(figure="loses", worst=place, contention=row["contention"], objects=row["objects"],
                     work_ns=row["work_ns"], ratio=row.number("ratio"))
    return words


def loses(world: World) -> Context:
    of = select(world.rows, bench="breakeven")
    if not of:
        return {}
    work, objects = values_of(of, "work_ns"), values_of(of, "objects")
    at = {(row["contention"], row.number("objects"), row.number("work_ns")): row for row in of}
    first, last = f"{work[0]:.0f}", f"{work[-1]:.0f}"
    table = Table(f"<contention|objects|breaks even at a body of|ratio, body of {first} ns|ratio, body of "
                  f"{last} ns|times put back, body of {first} ns", strong=2)
    figures = []
    for name, meaning in CONTENTIONS.items():
        ratios = [[at[name, o, w].number("ratio") for w in work] for o in objects]
        figures.append(Figure(
            f"loses_{name}", f"Contention: {name} ({meaning})", "time of a body, ns",
            "objects that an instance writes",
            tiles=Tiles([f"{w:.0f}" for w in work], [f"{o:.0f}" for o in objects], ratios,
                        [edge_of(row) for row in ratios], "time of svs / time of the best lock")))
        for o, row in zip(objects, ratios):
            ns = break_even(row, work)
            table.add(name, f"{o:.0f}", f"beyond {last} ns" if math.isinf(ns) else
                      f"{ns:.0f} ns" if ns > 0 else "any body", f"{row[0]:.2f}", f"{row[-1]:.2f}",
                      f"{at[name, o, work[0]].number('deferrals_instance'):.2f}")
            world.derive(figure="loses", contention=name, objects=f"{o:.0f}",
                         break_even_ns="-1" if math.isinf(ns) else f"{ns:.0f}")
    return {"figures": figures, "table": table, "worst": worst_words(world, of)}


# ---- what a port costs ----

def cost(world: World) -> Context:
    table = Table("<program|<engine|lines of code|with what programs share|added to serial|removed|places that lock|locks removed|"
                  "footprints|declarations|in the simulation itself", strong=6)
    locks = 0
    for row in select(world.rows, bench="cost"):
        if row["engine"] == "mutex":
            locks = int(row.number("locks_taken") + row.number("in_simulation"))
        gone = str(locks) if row["engine"] == "svs" else "-"
        counts = {key: row[key] for key in ("lines", "with_common", "added", "removed", "locks_taken")} | {
            "locks_removed": gone} | {key: row[key] for key in ("footprints", "declarations", "in_simulation")}
        table.add(row["program"], row["engine"], *counts.values())
        world.derive(figure="cost", program=row["program"], engine=row["engine"], **counts)
    return {"table": table} if table.rows else {}


# ---- the thesis' figures 7.1 to 7.4 and table 7.1 ----

def width(world: World) -> Context:
    of = select(world.rows, bench="width")
    table = Table("bits|threads|stages|best possible|width|best width|thesis", strong=4)
    for row in of:
        table.add(*(row[key] for key in ("bits", "threads", "stages", "best", "width", "best_width")),
                  f"about {row['bits']}")
        world.derive(figure="7.1", **{key: row[key] for key in ("bits", "threads", "width", "best_width")})
    figure = Figure("width", "Parallel width, 128,000 instances, one object each", "bits of a signature",
                    "instances a stage (more is better)", [
                        Series("svs", [(row.number("bits"), row.number("width")) for row in of], 1),
                        Series("best possible", [(row.number("bits"), row.number("best_width"))
                                                 for row in of], 0, "dashed"),
                        Series("thesis: about one instance a bit",
                               [(2 ** bits, 2 ** bits) for bits in range(6, 13)], 2, "dashed")],
                    x_log=2, y_log=2, x_range=(50, 5200))
    return {"table": table, "figure": figure} if of else {}


TREES, SIZES = ["20k", "40k"], [2, 4, 8]


def links_series(of: list[Row], key: str, spread: str, thesis: str, scale: float,
                 examined: bool) -> list[Series]:
    def at(tree: str, size: int, examine: int) -> Row:
        found = find(of, bench="links", tree=tree, K=size, set="leaf", examine=examine)
        return found or Row({}, f"bench_links, tree={tree} K={size} examine={examine}")
    def point(row: Row, size: int) -> tuple[float, ...]:
        value = scale * row.number(key)
        apart = row.number(spread) / 200 if spread else 0  # the quartiles' distance, in hundredths
        return size, value, value * max(0.1, 1 - apart), value * (1 + apart)
    series = [Series(f"{tree} {'svs, examined' if examine else 'svs'}",
                     [point(at(tree, size, examine), size) for size in SIZES],
                     [1, 2, 5, 4][place + (2 if examine else 0)])
              for examine in ([0, 64] if examined else [0]) for place, tree in enumerate(TREES)]
    for place, tree in enumerate(TREES if thesis else []):
        told = [(size, scale * at(tree, size, 0).number(thesis, NAN)) for size in SIZES]
        series.append(Series(f"{tree} thesis", [point for point in told if point[1] > 0], 1 + place, "dashed"))
    return series


def breakdown(world: World, of: list[Row], examine: int) -> Table:
    """Link assignment, scheduling and false positives come apart: scheduling is ZeroSig less the
    assignment, false positives are SvSEnabled less ZeroSig."""
    table = Table("K|tree|link assign, us|spread|thesis|scheduling, us|thesis|false positives, us|thesis|"
                  "total, us|spread|thesis|width|thesis", strong=9)
    for size in SIZES:
        for row in (find(of, tree=tree, K=size, set="leaf", examine=examine) for tree in TREES):
            if row is None:
                continue
            def us(key: str, of_row: Row = row) -> float:
                return of_row.number(key) / 1e3
            scheduling, told = us("zerosig_ns") - us("assign_ns"), row.number("thesis_width", 0)
            table.add(str(size), row["tree"], f"{us('assign_ns'):.3f}", f"{row.number('assign_spread_pct'):.0f}%",
                      f"{us('thesis_assign_ns'):.2f}", f"{scheduling:.3f}", f"{us('thesis_scheduling_ns'):.2f}",
                      f"{us('false_positives_ns'):.3f}", f"{us('thesis_false_positives_ns'):.2f}",
                      f"{us('overhead_ns'):.3f}", f"{row.number('overhead_spread_pct'):.0f}%",
                      f"{us('thesis_overhead_ns'):.2f}", f"{row.number('width'):.1f}",
                      f"{told:.0f}" if told > 0 else "-")
            world.derive(figure="table-7.1", tree=row["tree"], K=size, examine=examine, threads=row["threads"],
                         assign_us=us("assign_ns"), scheduling_us=scheduling,
                         false_positives_us=us("false_positives_ns"), total_us=us("overhead_ns"),
                         width=row.number("width"))
    return table


def links(world: World) -> Context:
    of = select(world.rows, bench="links")
    if not of:
        return {}
    def figure(name: str, text: str, unit: str, series: list[Series]) -> Figure:
        return Figure(name, text, "neighbourhood size K", unit, series, x_log=2, y_log=10,
                      x_range=(1.8, 9), x_ticks={size: str(size) for size in SIZES})
    width_series = links_series(of, "width", "", "", 1, True)
    width_series += [Series("20k thesis (K = 2)", [(2, 140)], 3, "points"),
                     Series("40k thesis (K = 2)", [(2, 18)], 6, "points")]
    return {
        "assign": figure("links_assign", "Figure 7.2: cost of a link assignment", "us (less is better)",
                         links_series(of, "assign_ns", "assign_spread_pct", "thesis_assign_ns", 1e-3, False)),
        "width": figure("links_width", "Figure 7.3: parallel width", "instances a stage (more is better)",
                        width_series),
        "overhead": figure("links_overhead", "Figure 7.4: overhead of an instance", "us (less is better)",
                           links_series(of, "overhead_ns", "overhead_spread_pct", "thesis_overhead_ns", 1e-3,
                                        True)),
        "table": breakdown(world, of, 0), "examined": breakdown(world, of, 64)}


# ---- the Steal Tree paper's figures 4, 5 and 10 ----

def tracing(world: World) -> Context:
    of = select(world.rows, bench="stealtree", figure="4")
    table = Table("<program|<policy|ratio of CPU|+-99%|ratio of wall|+-99%|CPU ms|steals|<paper, 32 cores",
                  strong=2)
    series = []
    for place, policy in enumerate(POLICIES):
        points = [(SUITE.index(row["program"]) + 0.9 + 0.2 * place, row.number("ratio"),
                   row.number("ratio") - row.number("ci99"), row.number("ratio") + row.number("ci99"))
                  for row in select(of, policy=policy) if row["program"] in SUITE]
        series.append(Series(policy, points, place + 1, "points"))
    for row in of:
        table.add(*(row[key] for key in ("program", "policy", "ratio", "ci99", "wall_ratio", "wall_ci99",
                                         "cpu_ms", "steals")), "within variation")
    figure = Figure("tracing", "CPU time with tracing over time without", "",
                    "ratio (1: tracing is free)", series, x_range=(0.4, len(SUITE) + 0.6),
                    x_ticks={i: name for i, name in enumerate(SUITE, 1)}, level=(1, "without tracing"))
    return {"figure": figure, "table": table} if of else {}


def storage(world: World) -> Context:
    of = select(world.rows, bench="stealtree", figure="5")
    def point(row: Row) -> tuple[float, ...]:
        kb, apart = row.number("kb_worker"), row.number("kb_worker_deviation", 0)
        return row.number("workers"), kb, max(kb - apart, kb / 10), kb + apart
    figures = [Figure(f"storage_{place}", f"KB of trace for each worker, {policy}", "workers", "KB a worker", [
        Series(name, [point(row) for row in select(of, program=name, policy=policy)], i + (i >= 1))
        for i, name in enumerate(SUITE)], x_log=2, y_log=10, x_range=(0.9, 150))
        for place, policy in enumerate(POLICIES)]
    return {"figures": figures} if of else {}


def retain_figure(of: list[Row], name: str, title: str, unit: str, keys: tuple[str, str],
                  names: tuple[str, str]) -> Figure:
    """Solid: what is kept; dashed: its alternative, which is one for both policies."""
    def points(rows: list[Row], key: str) -> list[tuple[float, ...]]:
        return [(row.number("iteration"), max(row.number(key), 0.01)) for row in rows]
    series = []
    for colour, (program, policy) in enumerate(((p, q) for p in ("heat", "skew") for q in POLICIES), 1):
        mine = select(of, program=program, policy=policy)
        series.append(Series(f"{program} {policy} {names[0]}", points(mine, keys[0]), colour))
        if policy == POLICIES[0]:
            series.append(Series(f"{program} {names[1]}", points(mine, keys[1]), colour, "dashed"))
    return Figure(name, title, "iteration", unit, series, y_log=10)


def retain(world: World) -> Context:
    of = [row for row in select(world.rows, bench="stealtree", figure="10") if "iteration" in row.pairs]
    table = Table("<program|<policy|iteration|steals|without keeping|CPU ms|without keeping|KB kept a worker|"
                  "each task by name|<paper, 2K cores", strong=3)
    for row, after in zip(of, [*of[1:], None]):  # the first iteration, before which nothing is kept, and the last
        last = after is None or after.number("iteration") < row.number("iteration")
        if row["iteration"] == "1" or last:
            table.add(*(row[key] for key in ("program", "policy", "iteration", "steals", "plain_steals", "cpu_ms",
                                             "plain_cpu_ms", "kb_worker", "kb_worker_enumerated")),
                      "20.7 KB by name, 0.34 KB kept (SCF)")
    kept = ("kept", "plain (help-first)")
    figures = [
        retain_figure(of, "retain_steals", "Steals of an iteration", "steals", ("steals", "plain_steals"), kept),
        retain_figure(of, "retain_storage", "KB that is kept for each worker", "KB a worker",
                      ("kb_worker", "kb_worker_enumerated"), ("steal tree", "each task by name")),
        retain_figure(of, "retain_time", "CPU time of an iteration", "ms", ("cpu_ms", "plain_cpu_ms"), kept)]
    return {"figures": figures, "table": table} if of else {}


# ---- its figure 9 ----

PAPER_SAVES = {"heat": "over 70%", "matmul": "50 to 60%", "lu": "40 to 50%", "nbody": "over 30%",
               "allqueens": "20 to 30%"}


def lca(world: World) -> Context:
    of = [row for row in select(world.rows, bench="racecheck", figure="9")
          if math.isfinite(row.number("reduction_pct", NAN))]
    figures = [Figure(f"lca_{policy[:4]}", f"Edges that the steal tree saves, {policy}", "workers",
                      "% fewer edges walked (more is better)", [
                          Series(name, [(row.number("workers"), row.number("reduction_pct"))
                                        for row in select(of, program=name, policy=policy)], i)
                          for i, name in enumerate(PAPER_SAVES, 1)],
                      x_log=2, x_range=(0.9, 40), level=(0, "walks edge by edge")) for policy in POLICIES]
    table = Table("<program|<policy|workers|edges of a walk|with the steal tree|fewer|fewer with labels|"
                  "<paper, to 32 cores", strong=5)
    for name, saves in PAPER_SAVES.items():
        for row in select(of, program=name):
            if row.number("workers") >= 2:  # on one worker nothing is stolen
                table.add(name, *(row[key] for key in ("policy", "workers", "walk_edges", "stealtree_edges")),
                          f"{row.number('reduction_pct'):.1f}%", f"{row.number('label_reduction_pct'):.1f}%", saves)
    paper = ", ".join(f"{saves} for {name}" for name, saves in PAPER_SAVES.items())
    return {"figures": figures if of else [], "table": table, "paper": paper}


# The order of the page.
FIGURES: dict[str, tuple[str, Callable[[World], Context]]] = {
    "loses": ("Where SvS loses", loses),
    "cost": ("The cost of a port to a programmer", cost),
    "width": ("Figure 7.1: parallel width against signature size", width),
    "links": ("Figures 7.2 to 7.4 and table 7.1: dynamic reachability", links),
    "tracing": ("Steal Tree, figure 4: what tracing costs", tracing),
    "storage": ("Steal Tree, figure 5: storage", storage),
    "lca": ("Steal Tree, figure 9: shorter walks for race detection", lca),
    "retain": ("Steal Tree, figure 10: retentive stealing", retain)}


# ---- another machine ----

RUN_KEYS = ("program", "case", "engine", "threads")


def runs_of(of: list[Row]) -> list[Row]:
    """Rows of what an engine took, with its samples."""
    return [row for row in of if "samples" in row.pairs and all(key in row.pairs for key in RUN_KEYS)]


def beside(world: World, there: Recording, path: str) -> Context:
    """Another machine's evaluation next to this one: its JSON has the same rows."""
    mine = {tuple(row[key] for key in RUN_KEYS): row for row in runs_of(world.derived)}
    table = Table("<program|<case|<engine|threads|ms here|ms there|/ best other here|/ best other there",
                  strong=5)
    for row in runs_of(there.rows):
        here = mine.get(tuple(row[key] for key in RUN_KEYS))
        texts = [f"{unit * one.number(key):.2f}" if one and math.isfinite(one.number(key)) else "-"
                 for key, unit in (("seconds", 1e3), ("ratio_best_other", 1)) for one in (here, row)]
        table.add(*(row[key] for key in RUN_KEYS), *texts)
    machine = there.head.get("machine")
    machine = machine if isinstance(machine, dict) else {}
    return {
        "table": table, "figures": beside_figures(list(mine.values()), runs_of(there.rows)), "path": path,
        "processor": machine.get("processor", "unknown"), "cpus": machine.get("cpus", "unknown"),
        "scale": there.head.get("scale", "unknown")}


def beside_figures(here: list[Row], there: list[Row]) -> list[Figure]:
    figures = []
    for program in dict.fromkeys(row["program"] for row in there):
        case = next(row["case"] for row in there if row["program"] == program)
        series = []
        for rows, name, style in ((here, "here", "line"), (there, "there", "dashed")):
            svs = select(rows, program=program, case=case, engine="svs")
            times = [(row.number("threads"), 1e3 * row.number("seconds")) for row in svs]
            other = [(threads, ms / row.number("ratio_best_other")) for row, (threads, ms) in zip(svs, times)]
            series += [Series(f"svs {name}", list(times), 1, style),
                       Series(f"best other {name}", list(other), 2, style)]
        figures.append(Figure(f"beside_{program}", f"{program}, {case}", "threads", "ms (less is better)", series,
                              x_log=2, y_log=10))
    return figures
