"""The sections of the page about the three programs: headlines, tables, the costs of SvS, and predictions."""
from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby

import predict
from figures import Figure, Series, colour_of
from programs import OWN_ENGINES, Program, short
from rows import NAN, Row, find, select
from samples import (Entrant, Summary, cpu, frame_p99_ms, interval, outside, peak_mb, prepared, ratio, ratios,
                     seconds, summary)
from tables import Context, Table, World

OFF_SCALE = 3.0       # times the serial engine's time: what is beyond is left to the tables
SHOWN = (0.4, 2.5)    # of the ratios in the figure of the headlines
PREDICTED_CPUS = [1, 2, 4, 8, 16, 32, 64]
CAUSES = {"deferrals_true": "true conflicts",
          "deferrals_hash": "bits or cells that met by hash alone",
          "deferrals_master": "what a shared master reaches", "deferrals_stale": "stale bits"}


@dataclass
class Case:
    """The runs of one input or one world."""

    world: World
    of: Program
    name: str
    entrants: list[Entrant]

    def find(self, engine: str, threads: int) -> Entrant | None:
        return next((e for e in self.entrants if e and (e.engine, e.threads) == (engine, threads)), None)

    @property
    def first(self) -> bool:
        return self.name == next(iter(self.of.cases))

    @property
    def serial(self) -> Entrant | None:
        return self.find("serial", 1)

    def others(self, threads: int) -> dict[str, Entrant | None]:
        """What svs is compared with."""
        return {name: self.serial if name == "serial" else self.find(name, threads)
                for name in self.of.engines if name != "svs"}

    def best_peer(self, threads: int) -> Entrant | None:
        """The fastest engine but SvS and the serial one."""
        peers = [e for e in self.entrants if e and e.threads == threads and e.engine not in (*OWN_ENGINES, "serial")]
        return min(peers, key=lambda e: e.of(seconds).median, default=None)

    def prepared_seconds(self, e: Entrant) -> float:
        """Where a program does not tell what it prepares: what its process takes beyond its frames,
        less what the serial engine's takes beyond them, which is the reading of the input."""
        told = e.of(prepared)
        if told.count or not self.serial:
            return told.median
        return e.of(seconds).median + max(0.0, e.of(outside).median - self.serial.of(outside).median)

    @property
    def scale(self) -> float:
        """Seconds times this are in the unit of the program."""
        frames = [run.number("frames") for e in self.entrants for run in e.runs if "frames" in run.pairs]
        return (1e6 / frames[0] if frames else 1e6) if self.of.per_frame else 1e3

    def keys(self) -> dict[str, str]:
        return {"figure": self.of.figure, "program": self.of.name, "case": self.name}


def entrants_of(world: World, of: Program, case: str, contest: str) -> list[Entrant]:
    """In the order of the engines, then of threads; of trials, each is one."""
    keys = {"program": of.name, "case": case, "contest": contest}
    def key_of(row: Row) -> tuple[int, int, str]:
        return of.engines.index(row["engine"]), int(row["threads"]), row.get("trial")
    runs = sorted(select(world.rows, bench="run", **keys), key=key_of)
    left_out = {key_of(row): row["why"] for row in select(world.rows, bench="left-out", **keys)}
    found = {key: Entrant(of.engines[key[0]], key[1], list(group), left_out.pop(key, ""))
             for key, group in groupby(runs, key_of)}
    found |= {key: Entrant(of.engines[key[0]], key[1], [], why) for key, why in left_out.items()}
    return [found[key] for key in sorted(found)]


# ---- headlines ----

@dataclass
class Headline:
    case: Case
    other: str
    svs: Entrant
    ratio: Summary
    p99: Summary
    prepared: float
    cpu: float
    over: dict[str, float]         # svs' time over that of an engine
    relative: dict[str, Summary]   # an engine's time over that of svs

    @property
    def told(self) -> bool:
        """The quartiles lie on one side of 1; else the difference is noise."""
        return self.ratio.low > 1 or self.ratio.high < 1

    @property
    def waiting(self) -> float:
        return self.ratio.median / self.cpu

    @property
    def verdict(self) -> str:
        apart = 100 * (self.ratio.median - 1)
        if not self.told:
            return f"no other time than {self.other}"
        if self.ratio.median >= 2:
            return f"{self.ratio.median:.1f} times the time of {self.other}"
        return f"{abs(apart):.0f}% {'less' if apart < 0 else 'more'} time than {self.other}"


def headline_of(case: Case) -> Headline | None:
    threads = case.world.contested
    svs, peer = case.find("svs", threads), case.best_peer(threads)
    if not svs or not peer:
        return None
    others = case.others(threads)
    return Headline(
        case, peer.engine, svs, ratio(svs, peer), ratio(svs, peer, frame_p99_ms),
        case.prepared_seconds(svs) / case.prepared_seconds(peer),
        svs.of(cpu).median / peer.of(cpu).median,
        {name: ratio(svs, other).median for name, other in others.items()},
        {name: ratio(other, svs) for name, other in others.items()})


def dash(value: float, digits: int = 2, unit: str = "") -> str:
    return f"{value:.{digits}f}{unit}" if math.isfinite(value) else "-"


def ratios_figure(world: World, of: list[Headline]) -> Figure:
    engines = ["mutex", "tbb", "openmp", "stm", "atomic", "serial"]
    def point(place: int, number: int, relative: Summary) -> tuple[float, ...]:
        return (place + 0.75 + 0.1 * number, min(relative.median, SHOWN[1]), relative.low,
                min(relative.high, SHOWN[1]))
    series = [Series(engine, [point(i, e, one.relative[engine]) for i, one in enumerate(of)
                              if engine in one.relative], colour_of(engine), "points")
              for e, engine in enumerate(engines)]
    return Figure("ratios", f"Time over that of svs, {world.contested} threads on {world.cpus} CPUs",
                  "", "time / time of svs (1: as fast as svs)", series, y_log=10,
                  x_range=(0.4, len(of) + 0.6), y_range=(SHOWN[0], SHOWN[1] * 1.02), level=(1, "svs"),
                  x_ticks={i + 1: f"{one.case.of.name}\n{one.case.name}" for i, one in enumerate(of)})


def headline_section(world: World, of: list[Headline]) -> Context:
    table = Table("<program|<case|<svs takes|svs|svs / best other|quartiles|with preparation|CPU time|"
                  "waiting|p99 frame|svs / scanned|svs / mutex|svs / stm|svs / serial", strong=4)
    for one in of:
        case, over = one.case, {name: dash(one.over.get(name, NAN)) for name in ("scanned", "mutex", "stm", "serial")}
        table.add(case.of.name, case.name, one.verdict,
                  f"{case.scale * one.svs.of(seconds).median:.1f} {'us' if case.of.per_frame else 'ms'}",
                  f"{one.ratio.median:.2f}", f"{one.ratio.low:.2f} to {one.ratio.high:.2f}",
                  dash(one.prepared), dash(one.cpu), dash(one.waiting), dash(one.p99.median), *over.values())
        world.derive(figure="headline", program=case.of.name, case=case.name, threads=world.contested,
                     cpus=world.cpus, seconds=one.svs.of(seconds).median, ratio_best_other=one.ratio.median,
                     ratio_q1=one.ratio.low, ratio_q3=one.ratio.high, ratio_prepared=one.prepared,
                     ratio_cpu=one.cpu, ratio_p99=dash(one.p99.median), best_other=one.other,
                     **{f"ratio_{name}": text for name, text in over.items()})
    return {"table": table, "figure": ratios_figure(world, of) if of else None}


# ---- a case ----

def time_figure(case: Case) -> Figure:
    """Times over the serial engine's, which is 1; the scale on the right has their unit."""
    world, serial = case.world, case.serial
    one = serial.of(seconds).median if serial else 1.0
    known = {threads for e in case.entrants for threads in [e.threads]}
    series, most = [], 1.0
    for engine in case.of.engines:
        if engine == "serial":
            continue
        of = [(e.threads, e.of(seconds)) for e in case.entrants if e and e.engine == engine]
        points = [(threads, s.median / one, s.low / one, s.high / one) for threads, s in of]
        most = max([most, *(min(high, OFF_SCALE) for _, _, _, high in points)])
        series.append(Series(engine, points, colour_of(engine)))
    lows = [low for s in series for _, _, low, _ in s.points]
    name = f"{case.of.name}_{'time' if case.of.input else case.name}"
    figure = Figure(name, f"{case.of.name}, {case.name}: time against threads", "threads",
                    "time / serial engine's time (less is better)", series, x_log=2, y_log=10,
                    y_range=(0.9 * min([1.0, *lows]), 1.1 * most))
    if known:
        figure.x_range = (0.9, 1.15 * max(known))
        figure.beyond = 1.19 * world.cpus if max(known) > world.cpus else 0
    if serial:
        figure.level = (1, "serial, 1 thread")
        figure.second = (case.scale * one, case.of.unit)
    else:
        figure.y = "time, s (less is better)"
    return figure


def derive_times(case: Case) -> None:
    for e in filter(None, case.entrants):
        peer, time = case.best_peer(e.threads), e.of(seconds)
        case.world.derive(
            **case.keys(), engine=e.engine, threads=e.threads,
            oversubscribed=int(e.threads > case.world.cpus), lock=e.runs[-1].get("lock", "none"),
            seconds=time.median, seconds_q1=time.low, seconds_q3=time.high, runs=len(e.runs),
            ratio_best_other=1.0 if e is peer else ratio(e, peer).median,
            best_other=peer.engine if peer else "none", ratio_serial=ratio(e, case.serial).median,
            prepared_seconds=case.prepared_seconds(e), cpu_seconds=e.of(cpu).median,
            peak_mb=e.of(peak_mb).median, frame_p99_ms=e.of(frame_p99_ms).median,
            input=case.of.input or "seeded", samples=",".join(run["seconds"] for run in e.runs))


def derive_ratios(case: Case) -> None:
    """Of svs over each other engine: the median of all rounds that both ran in, and its interval."""
    svs = case.find("svs", case.world.contested)
    for name, other in case.others(case.world.contested).items():
        found = ratios(svs, other)
        if other and found:
            low, high = interval(found)
            case.world.derive(**case.keys(), part="ratio", engine=name, threads=other.threads,
                              ratio=summary(found).median, low=low, high=high, rounds=len(found))


def time_table(case: Case) -> Table:
    of = case.of
    frame = "|p99 frame, ms" if of.frames else ""
    unit = ", us a frame" if of.per_frame else ""
    table = Table(f"<engine|threads|runs|{of.unit}|quartiles|/ best other (quartiles)|/ serial|run with "
                  f"preparation, ms|CPU, ms|peak MB{frame}|<thesis{unit}: {of.thesis_input}, 8 cores",
                  strong_row="svs")
    for e in case.entrants:
        if not e:
            table.add(e.engine, str(e.threads), e.why)
            continue
        peer, time, to_peer = case.best_peer(e.threads), e.of(seconds), ratio(e, case.best_peer(e.threads))
        against = "the best other" if e is peer else "-" if not peer or e.threads == 1 else \
            f"{to_peer.median:.2f} ({to_peer.low:.2f} to {to_peer.high:.2f})"
        table.add(e.engine, f"{e.threads}{' †' if e.threads > case.world.cpus else ''}", str(len(e.runs)),
                  f"{case.scale * time.median:.1f}", f"{case.scale * time.low:.1f} to {case.scale * time.high:.1f}",
                  against, dash(ratio(e, case.serial).median), dash(1e3 * case.prepared_seconds(e), 1),
                  dash(1e3 * e.of(cpu).median, 1), dash(e.of(peak_mb).median, 1),
                  *([dash(e.of(frame_p99_ms).median)] if of.frames else []),
                  of.thesis_times.get((e.engine, e.threads), ""))
    return table


# ---- what svs spends ----

def alone_words(case: Case, profile: predict.Profile | None) -> list[str]:
    """On one thread, without contention: what scheduling costs."""
    words, alone = [], ratio(case.find("svs", 1), case.serial)
    if alone.count:
        words.append(f"On one thread it takes {alone.median:.2f} times the serial engine's time.")
    if profile:
        making = "choosing what runs together (the maker of stages)" if profile.staged else \
            "under the progressive domain's lock"
        words.append(
            f"There {100 * profile.bodies:.1f}% of the instructions of the graph's runs are bodies "
            f"({100 * profile.sends:.1f}% of all are sends in them), {100 * profile.maker:.1f}% {making}, "
            f"and {100 * max(0, 1 - profile.bodies - profile.maker):.1f}% the rest: footprints"
            f"{'' if profile.staged else ' and admission'}, release, retirement, the workers' loop.")
    return words


def statistics_words(line: Row) -> list[str]:
    """From the statistics of svs' last run."""
    words, instances = [], line.number("instances", 0)
    causes = {text: line.number(key, 0) for key, text in CAUSES.items()}
    looked = sum(causes.values())
    if instances and "deferrals" in line.pairs:
        told = ", ".join(f"{100 * count / looked:.0f}% {text}" for text, count in causes.items() if count)
        words.append(f"Of its {instances:.0f} instances, {line.number('deferrals'):.0f} times one was put back"
                     + (f", of the {looked:.0f} that were looked into: {told}." if looked else "."))
    stages = line.number("stages", 0)
    if stages:
        width = line.number("width", instances / stages)
        words.append(f"A stage has {width:.1f} instances ({stages:.0f} stages).")
    if line.number("refreshes", 0) > 0:
        words.append(f"Signatures were refreshed {line.number('refreshes'):.0f} times.")
    return words


def spent_words(case: Case, one: Headline, profile: predict.Profile | None) -> dict[str, str]:
    """The costs of svs beyond its best peer. A ratio of times is one of work and one of waiting: the
    CPU that all threads use, and how much of the time they use none."""
    noise = "" if one.told else " that could be told from noise"
    head = f"{case.of.name}, {case.name}, {case.world.contested} threads: svs takes {one.verdict}{noise}."
    compared = f"CPU time {100 * (one.cpu - 1):+.0f}%, waiting {100 * (one.waiting - 1):+.0f}%"
    if one.told and one.ratio.median > 1:
        compared += ": it loses by threads that have nothing to run" if one.waiting > one.cpu else \
            ": it loses by what it does besides the bodies"
    case.world.derive(**case.keys(), part="spent", threads=case.world.contested, other=one.other,
                      ratio=one.ratio.median, ratio_cpu=one.cpu, ratio_waiting=one.waiting)
    more = alone_words(case, profile) if case.first else []
    return {"head": head, "text": " ".join([compared + ".", *more, *statistics_words(one.svs.runs[-1])])}


# ---- predictions ----

def profile_of(world: World, of: Program) -> tuple[predict.Profile | None, str]:
    row = find(world.rows, bench="profile", program=of.name)
    if row is None or row.get("why"):
        return None, row["why"] if row else "no instructions were counted"
    shares = {key: row.number(key) for key in ("serial", "maker", "alone", "sender", "bodies", "sends")}
    world.derive(figure=of.figure, program=of.name, part="profile",
                 **{f"{key}_share": value for key, value in shares.items() if key != "serial"},
                 serial_share=shares["serial"] / (1 + shares["serial"]))
    return predict.Profile(staged=row["staged"] == "1", **shares), ""


def measured_on(case: Case, cpus: int) -> float:
    """Seconds of svs on CPUs that there are; NaN where the machine has fewer."""
    svs = case.find("svs", cpus)
    return svs.of(seconds).median if svs and cpus <= case.world.cpus else NAN


def prediction(case: Case, profile: predict.Profile | None, why: str) -> Context:
    one = case.find("svs", 1)
    handover = find(case.world.rows, bench="handover")
    if not one or not profile or not handover:
        return {"why": "svs did not run on one thread" if not one else why if not profile else
                "the handover between two threads was not measured"}
    run = predict.graph_run(one.of(seconds).median, profile, case.of.profiled, one.runs[-1], handover)
    compared = []
    for cpus in PREDICTED_CPUS:
        measured = measured_on(case, cpus)
        if case.first or (cpus > 1 and math.isfinite(measured)):
            case.world.derive(**case.keys(), engine="svs", part="prediction", threads=cpus,
                              predicted_seconds=run.on(cpus), measured_seconds=measured,
                              error_pct=100 * (run.on(cpus) / measured - 1))
            compared.append((cpus, run.on(cpus), measured, 100 * (run.on(cpus) / measured - 1)))
    scale = case.scale
    found: Context = {"why": "", "run": run, "staged": profile.staged, "case": case.name, "first": case.first,
                             "compared": [(c, scale * p, scale * m, e) for c, p, m, e in compared],
                             "unit": case.of.unit}
    if case.first:
        found |= {"figure": prediction_figure(case, run), "table": prediction_table(case, compared)}
    return found


def prediction_table(case: Case, compared: list[tuple[int, float, float, float]]) -> Table:
    table = Table(f"CPUs|predicted, {case.of.unit}|measured|<error of the prediction")
    for cpus, predicted, measured, error in compared:
        error_text = "the run that it is made from" if cpus == 1 else \
            f"{error:+.0f}%" if math.isfinite(measured) else "not so many CPUs here"
        table.add(str(cpus), f"{case.scale * predicted:.1f}", dash(case.scale * measured, 1), error_text)
    return table


def prediction_figure(case: Case, run: predict.GraphRun) -> Figure:
    scale = case.scale
    svs = [(e.threads, e.of(seconds)) for e in case.entrants
           if e and e.engine == "svs" and e.threads <= case.world.cpus]
    return Figure(f"predict_{case.of.name}", f"svs, {case.of.name}: measured, and predicted for more CPUs",
                  "CPUs", f"time, {case.of.unit} (less is better)", [
                      Series("svs, measured here", [(threads, scale * s.median, scale * s.low, scale * s.high)
                                                    for threads, s in svs], colour_of("svs")),
                      Series("svs, prediction", [(cpus, scale * run.on(cpus)) for cpus in PREDICTED_CPUS], 8,
                             "dashed")],
                  x_log=2, y_log=10, x_range=(0.9, PREDICTED_CPUS[-1] * 1.15))


# ---- a program's section ----

def tuned(world: World, of: Program) -> Table:
    case = next(iter(of.cases))
    for contest in ("lock", "chunk"):
        for trial in filter(None, entrants_of(world, of, case, contest)):
            world.derive(part="tune", program=of.name, engine=trial.engine, threads=trial.threads,
                         **{contest: trial.runs[0]["trial"]}, seconds=trial.of(seconds).median)
    table = Table("<engine|<best lock|<best chunk|<result")
    for row in select(world.rows, bench="engine", program=of.name):
        table.add(row["engine"], row["lock"] or "-", row["chunk"] or "its own choice",
                  row["why"] or row["result"])
    return table


def same_chunk(world: World, of: Program) -> Table:
    table = Table(f"<engine|{of.unit}|quartiles|/ best other", strong_row="svs")
    case = Case(world, of, next(iter(of.cases)), entrants_of(world, of, next(iter(of.cases)), "same-chunk"))
    scale = case.scale  # of its own number of frames
    for e in filter(None, case.entrants):
        time, to_peer = e.of(seconds), ratio(e, case.best_peer(e.threads)).median
        table.add(e.engine, f"{scale * time.median:.1f}", f"{scale * time.low:.1f} to {scale * time.high:.1f}",
                  dash(to_peer))
        world.derive(**case.keys(), part="same-chunk", engine=e.engine, threads=e.threads,
                     chunk=short(of.same), seconds=time.median, ratio_best_other=to_peer)
    return table


def program_section(world: World, of: Program, headlines: list[Headline]) -> Context:
    told = find(world.rows, bench="input", program=of.name)
    if not told:
        return {}
    cases: list[Context] = []
    profile, why = profile_of(world, of)
    for name in of.cases:
        case = Case(world, of, name, entrants_of(world, of, name, "case"))
        derive_times(case)
        derive_ratios(case)
        one = headline_of(case)
        if one:
            headlines.append(one)
        cases.append({
            "name": name, "figure": time_figure(case), "table": time_table(case), "first": case.first,
            "spent": spent_words(case, one, profile) if one else None,
            "prediction": prediction(case, profile, why)})
    return {"of": of, "cases": cases, "input": told["text"], "same": short(of.same),
            "same_table": same_chunk(world, of), "engines": tuned(world, of)}
