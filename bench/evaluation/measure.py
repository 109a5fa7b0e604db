"""Runs everything that an evaluation measures; the rows of the session are what remains of it."""
from __future__ import annotations

import math
import shutil
from dataclasses import dataclass, field, replace

import children
import contest
import predict
import rows
import source
from contest import Competitor, Limits
from programs import LOCK_ENGINES, LOCKS, OWN_ENGINES, PROGRAMS, Program, short
from samples import seconds
from session import Session, cpus

# By contest and scale. All of them together keep to the plan (session.SECONDS). In a long evaluation stm's runs take
# some 10 s, and more on a busy machine.
LONG = Limits(31, math.inf, 90, 31)
LIMITS = {
    "lock": {"quick": Limits(2, 6, 3), "whole": Limits(5, 20, 10)},
    "chunk": {"quick": Limits(2, 8, 1.5), "whole": Limits(5, 30, 10)},
    "case": {"quick": Limits(9, 24, 5, 3), "whole": Limits(25, 100, 30, 5), "long": LONG},
    "one of several cases": {"quick": Limits(9, 16, 5, 3), "whole": Limits(25, 50, 30, 5), "long": LONG},
    "same-chunk": {"quick": Limits(5, 5, 5), "whole": Limits(9, 20, 30)}}
TINY = Limits(1, 10, 60)
COST_WRONG_PCT = 0.5


@dataclass
class Engine:
    """The properties of an engine before it competes."""

    name: str
    lock: str = ""
    chunk: str = ""   # options; empty: its own choice
    why: str = ""     # it is left out
    result: str = ""  # compared with the serial engine's

    @property
    def serial(self) -> bool:
        return self.name == "serial"


@dataclass
class Field:
    """A program with its engines."""

    session: Session
    of: Program
    path: str
    input: list[str]
    engines: list[Engine] = field(default_factory=list)

    def has_chunks(self, engine: Engine) -> bool:
        """Serial has none. The instances of svs are what they are, unless all engines cut alike."""
        return not engine.serial and (engine.name not in OWN_ENGINES or not self.of.loops)

    def scale(self, kind: str) -> str:
        """Of the inputs and limits of a contest. A long evaluation finds the locks and chunks with those of a whole
        one: longer runs would find the same ones."""
        return "whole" if self.session.scale == "long" and kind != "case" else self.session.scale

    def command(self, engine: Engine, threads: int, chunk: str, case: str, kind: str = "case") -> list[str]:
        lock = ["--lock", engine.lock] if engine.lock else []
        words = [*self.of.words[self.scale(kind)].split(), *self.of.cases[case].split(), *lock]
        words += chunk.split() if self.has_chunks(engine) else []
        return [self.path, "--engine", engine.name, "--threads", str(threads), *words, *self.input]

    def competitor(self, engine: Engine, threads: int, kind: str, case: str, chunk: str,
                   trial: str = "") -> Competitor:
        keys = {"contest": kind, "program": self.of.name, "case": case}
        if trial or kind in ("lock", "chunk"):
            keys["trial"] = short(trial) or "own"
        return Competitor(engine.name, threads, [], engine.why,
                          self.command(engine, threads, chunk, case, kind), keys)

    def limits(self, kind: str) -> Limits:
        session, rounds = self.session, self.session.options.rounds
        several = kind == "case" and len(self.of.cases) > 1
        limits = TINY if session.scale == "tiny" else \
            LIMITS["one of several cases" if several else kind][self.scale(kind)]
        if kind == "case" and rounds:
            return replace(limits, rounds=rounds, budget=math.inf, least=rounds)
        share = session.share(self.of.name)
        least = min(limits.least, 2 if share < 0.2 else 3 if share < 0.5 else limits.least)
        return replace(limits, budget=limits.budget * share, least=least)

    def compete(self, what: str, kind: str, competitors: list[Competitor]) -> None:
        contest.run(self.session, what, competitors, self.limits(kind))
        known = {engine.name for engine in self.engines if engine.why}
        for one in competitors:
            if one.why and one.engine not in known:
                self.session.record(bench="left-out", **one.keys, engine=one.engine,
                                    threads=one.threads, why=one.why)


# ---- programs and inputs ----

def find_program(session: Session, of: Program) -> str | None:
    """The program with the engines of all peers, or else the example, which has fewer."""
    found = session.program(f"bench_{of.name}") or session.program(of.name)
    if not found:
        session.problem(of.name, f"{of.name} is not among the programs in "
                                 f"{session.options.programs} (./dev build makes them)")
    return found


def find_input(session: Session, of: Program) -> list[str] | None:
    """The input, unpacked once, so that no run spends its time on that. Without PARSEC's netlist
    one of the same shape is generated."""
    if not of.input:
        session.record(bench="input", program=of.name, text=of.ours[session.scale])
        return []
    tiny, path = session.scale == "tiny", session.options.out / of.input
    packed = session.options.data / (of.packed_tiny or of.packed if tiny else of.packed)
    text = of.ours[session.scale]
    if of.generated and (tiny or not packed.is_file()):
        text = text if tiny else f"{of.generated}, {text.split(', ', 1)[1]}"  # as much work on it
        command = [str(session.options.programs / "netgen"), "--elements", "500" if tiny else "100000"]
    else:
        command = ["xz", "-dc", "--", str(packed)]
    child = children.run(["sh", "-c", 'to=$1; shift; exec "$@" > "$to"', "sh", str(path), *command], 60)
    if child.status:
        session.problem(of.name, f"{of.name} needs PARSEC's {of.packed}, which is not in "
                                 f"{session.options.data} (--data names the folder): {child.complaint}")
        return None
    session.record(bench="input", program=of.name, text=text)
    return [str(path)]


# ---- each engine once ----

def compare_rows(mine: rows.Row, serial: rows.Row, tiny: bool) -> tuple[bool, str]:
    """Whether an end line tells a right result, and what it tells."""
    if "cost" in mine.pairs:
        apart = 100 * (mine.number("cost") / serial.number("cost") - 1)
        return abs(apart) <= COST_WRONG_PCT or tiny, f"cost {mine.number('cost'):.0f}, {apart:+.3f}%"
    if "checksum" in mine.pairs:
        good = mine["checksum"] == serial["checksum"] and mine["invariants"] == "ok"
        return good, "the same world" if good else "another world than the serial engine's"
    return True, ""


def compare_particles(run: Field, engine: Engine) -> tuple[bool, str]:
    files = [str(run.session.options.out / f"{name}.out.fluid") for name in ("serial", engine.name)]
    child = children.run([run.path, "--compare", "--tolerance", "1e-5", *files], 60)
    if child.status:
        return False, "other particles than the serial engine's after a few frames"
    return True, "particles within 1e-5 after a few frames"


def try_engine(run: Field, engine: Engine, serial: rows.Row | None) -> rows.Row | None:
    """Runs an engine once and compares its result with the serial engine's. @return its end line"""
    session, of = run.session, run.of
    threads = 1 if engine.serial else session.options.contested
    command = run.command(engine, threads, "", next(iter(of.cases)))
    if of.checks:
        command.append(f"--out={session.options.out / engine.name}.out.fluid")
        command += of.checks if session.scale != "tiny" else []
    child = children.run(command, 120)
    if child.status:
        engine.why = child.complaint
        return None
    try:
        line = rows.parse(child.output, f"the output of {' '.join(command)}")[-1]
        good, engine.result = (compare_particles(run, engine) if of.checks else
                               compare_rows(line, serial or line, session.scale == "tiny"))
    except (rows.BadRow, IndexError) as error:
        good, engine.result, line = False, f"its end line cannot be read: {error}", None
    if not good:
        session.problem(of.name, f"{of.name}, engine {engine.name}: {engine.result}")
    return line


def try_engines(run: Field) -> None:
    run.session.progress(f"{run.of.name}: each engine once, results compared")
    run.engines = [Engine(name) for name in run.of.engines]
    serial = try_engine(run, run.engines[1], None)
    for engine in run.engines:
        if not engine.serial:
            try_engine(run, engine, serial)


# ---- the best lock and chunk ----

def best_of(trials: list[tuple[Engine, str, Competitor]], engine: Engine, before: str) -> str:
    known = [(one.of(seconds).median, choice) for owner, choice, one in trials
             if owner is engine and one]
    return min(known)[1] if known else before


def tune(run: Field) -> None:
    """Finds the lock and then the chunk with which each engine is fastest."""
    case, threads = next(iter(run.of.cases)), run.session.options.contested
    if run.session.scale == "tiny":
        return
    trials = [(engine, lock, run.competitor(replace(engine, lock=lock), threads, "lock", case, "", lock))
              for engine in run.engines if engine.name in LOCK_ENGINES for lock in LOCKS]
    run.compete("the best lock", "lock", [one for _, _, one in trials])
    for engine in run.engines:
        engine.lock = best_of(trials, engine, "")
    trials = [(engine, chunk, run.competitor(engine, threads, "chunk", case, chunk, chunk))
              for engine in run.engines if run.has_chunks(engine) for chunk in ["", *run.of.chunks]]
    run.compete("the best chunk", "chunk", [one for _, _, one in trials])
    for engine in run.engines:
        engine.chunk = best_of(trials, engine, "")


# ---- contests ----

def run_case(run: Field, case: str) -> None:
    run.compete(f"{run.of.name}, {case}", "case", [
        run.competitor(engine, threads, "case", case, engine.chunk)
        for engine in run.engines
        for threads in ([1] if engine.serial else run.session.options.threads)])


def run_same_chunk(run: Field) -> None:
    run.compete("all engines at one chunk", "same-chunk", [
        run.competitor(engine, run.session.options.contested, "same-chunk", next(iter(run.of.cases)),
                       run.of.same, run.of.same)
        for engine in run.engines if not engine.serial])


# callgrind counts each byte that `rep movsb` copies as an instruction, which a CPU does not. So the C library of the
# counted program copies in loops.
COPIES_IN_LOOPS = "GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=1000000000"


def count_instructions(run: Field) -> predict.Profile | str:
    """Where the instructions of a small run go: callgrind counts them, which no load of the machine
    changes. @return a text: why this is not known"""
    session, of = run.session, run.of
    valgrind, annotate = shutil.which("valgrind"), shutil.which("callgrind_annotate")
    if not valgrind or not annotate:
        return "valgrind is not installed"
    session.progress(f"{of.name}: counting instructions")
    counts = str(session.options.out / f"{of.name}.callgrind")
    words = of.words["tiny"] if session.scale == "tiny" else of.profiled.words
    # Set beforehand: else the program executes itself again to set it, which valgrind does not follow.
    child = children.run(["env", "OMP_WAIT_POLICY=passive", COPIES_IN_LOOPS, valgrind, "--tool=callgrind",
                          f"--callgrind-out-file={counts}", run.path, "--engine", "svs", "--threads",
                          "1", *words.split(), *run.input], 120)
    if child.status:
        return child.complaint
    child = children.run([annotate, "--inclusive=yes", "--threshold=100", "--auto=no", counts], 60)
    return predict.read_profile(child.output, of.profiled) or "the profile has no svs_graph_run_sized"


def profile(run: Field) -> None:
    found = count_instructions(run)
    known = {"why": found} if isinstance(found, str) else {**vars(found), "staged": int(found.staged)}
    run.session.record(bench="profile", program=run.of.name, **known)


def measure_program(session: Session, of: Program) -> None:
    path = find_program(session, of)
    words = find_input(session, of) if path else None
    if path is None or words is None:
        return
    run = Field(session, of, path, words)
    try_engines(run)
    tune(run)
    for engine in run.engines:
        session.record(bench="engine", program=of.name, engine=engine.name, lock=engine.lock,
                       chunk=short(engine.chunk), result=engine.result, why=engine.why)
        if engine.why:
            session.progress(f"{of.name}: engine {engine.name} left out: {engine.why}")
    for case in of.cases:
        run_case(run, case)
    if 1 in session.options.threads:
        profile(run)  # it is of a run on one thread, as are the predictions, which need it
    run_same_chunk(run)


# ---- the other parts ----

def measure_cost(session: Session) -> None:
    missing = 0
    for program, engine, files in source.PORTS:
        try:
            session.rows.append(source.cost_of(session.options.source, program, engine, files))
        except OSError:
            missing += 1
    if missing:
        session.problem("cost", f"files of {missing} ports are not in the source tree "
                                f"{session.options.source} (--source)")


# The options of each part's benchmark by scale; those of the steal tree have the problems of
# --quick, which a whole evaluation repeats more often.
BENCHES: dict[str, tuple[str, str, dict[str, str]]] = {
    "loses": ("breakeven", "--threads {cpus}", {
        "tiny": "--repeat 2 --run 200 --work 0,1000 --objects 1,2", "quick": "--quick"}),
    "width": ("width", "--threads {cpus}", {"tiny": "--objects 2000"}),
    "links": ("links", "--threads {cpus}", {
        "tiny": "--benchmark_repetitions=1", "quick": "--benchmark_repetitions=5"}),
    "tracing": ("stealtree", "--quick --figure 4 --threads {cpus}", {
        "tiny": "--runs 2 --program fib", "whole": "--runs 15"}),
    "storage": ("stealtree", "--quick --figure 5", {
        "tiny": "--workers 1,4 --program fib --storage-runs 1", "quick": "--workers 1,2,8,32,120",
        "whole": "--workers 1,2,4,8,16,32,64,120 --storage-runs 3"}),
    "retain": ("stealtree", "--quick --figure 10", {
        "tiny": "--keepers 3 --iterations 3 --leaves 512 --leaf 500", "whole": "--storage-runs 3"}),
    "lca": ("racecheck", "--figure 9", {
        "tiny": "--quick --program heat", "quick": "--quick", "whole": "--workers 1,2,8,32"})}


def measure(session: Session) -> None:
    for of in PROGRAMS:
        if of.name in session.parts:
            measure_program(session, of)
    if {of.name for of in PROGRAMS} & set(session.parts):
        session.bench("machine", "handover", "")
    for part in session.parts:
        if part == "cost":
            measure_cost(session)
        elif part == "lca" and not session.program("bench_racecheck"):
            continue  # this build has no race checker, which the page says
        elif part in BENCHES:
            name, words, more = BENCHES[part]
            session.bench(part, name, f"{words.format(cpus=cpus())} {more.get(session.scale, '')}".strip())
