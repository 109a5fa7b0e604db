"""Predicts the time of a program on more CPUs than this machine has, from its run on one thread.

    T(P) = A + E + max(M + H, B, (W - E + H) / P) + (S + K) (1 - 1/P)

The prediction of the steal tree (svs trace predict: W/P and a span), extended to domains:

    A  outside of the graph               W  all work of the graph on one thread
    E  of W, bodies that run alone: no other body runs in parallel with them, for any P
    M  of W, what one worker at a time does: making stages, or under a progressive domain's lock
    B  of W, bodies that send while others run, one such body at a time
    S  the span: a stage takes an instance and a handover at least, however wide it is; without
       stages, a run of the graph does
    K  barriers: workers that sleep while a body runs alone are woken after it
    H  a progressive domain's lock changes hands once in TOGETHER instances, (1 - 1/P) of the time

The model knows nothing of memory that all CPUs share, nor of several sockets."""
from __future__ import annotations

import re
from dataclasses import dataclass

from rows import Row

# A line of callgrind_annotate: "  65,171,095 (12.63%)  file:function [object]".
LINE = re.compile(r" *(?P<count>[\d,]+) .*:(?P<function>[^: '\[]+)[^:\[]*\[(?P<object>[^]]*)\]")
# Under the lock of a progressive domain; staged domains do these inside of making a stage.
LOCKED = ["svs__domain_take_items", "svs__domain_defer", "svs__domain_settle"]
TOGETHER = 16  # instances that a worker of a progressive domain takes at once, if that many wait


@dataclass(frozen=True)
class Profiled:
    """Which functions of a program do what; names are parted by spaces."""

    words: str = ""    # options of a small run
    serial: str = ""   # what a frame does outside of a graph
    alone: str = ""    # bodies that run alone ..
    asyncs: str = ""   # .. but these functions, which are asyncs of theirs
    senders: str = ""  # bodies that send while others run what they have sent
    runs: str = ""     # the key of the end line with the number of the graph's runs
    barriers: float = 0  # of a run: where workers sleep while a body runs alone


@dataclass(frozen=True)
class Profile:
    """Shares of the instructions of the graph's run; `serial` is outside of the run."""

    staged: bool
    serial: float
    maker: float
    alone: float
    sender: float
    bodies: float
    sends: float


def read_profile(text: str, of: Profiled) -> Profile | None:
    """From what callgrind_annotate --inclusive=yes printed; None: the graph never ran."""
    most: dict[str, float] = {}
    bodies = alone = sender = 0.0
    for line in filter(None, map(LINE.match, text.splitlines())):
        name, count = line["function"], float(line["count"].replace(",", ""))
        most[name] = max(most.get(name, 0), count)
        if name in of.asyncs.split():
            alone -= count
        elif name.endswith("_run_") and ".so" not in line["object"]:  # a task's body
            bodies += count
            alone += count if name in of.alone.split() else 0
            sender += count if name in of.senders.split() else 0
    graph = most.get("svs_graph_run_sized", 0)
    if not graph:
        return None
    stages = most.get("svs__stage_make", 0)
    maker = stages or sum(most.get(name, 0) for name in LOCKED)
    serial = max((most.get(name, 0) for name in of.serial.split()), default=0)
    return Profile(stages > 0, serial / graph, maker / graph, max(0, alone) / graph,
                   sender / graph, bodies / graph, most.get("svs_send", 0) / graph)


@dataclass(frozen=True)
class GraphRun:
    """Runs of a graph on one thread, in seconds."""

    serial: float = 0      # A
    work: float = 0        # W
    alone: float = 0       # E
    sender: float = 0      # B
    maker: float = 0       # M
    stages: float = 0      # a run without stages counts as one
    instances: float = 0
    handover: float = 0    # of this machine, each
    wakeup: float = 0
    lock_handovers: float = 0
    barriers: float = 0

    @property
    def span(self) -> float:  # S
        return self.stages * (self.work / self.instances + self.handover) if self.instances else 0

    def on(self, threads: int) -> float:
        """T(P)"""
        others = 1 - 1 / threads  # the share of the workers that is not this one
        lock = self.lock_handovers * self.handover * others
        parallel = (self.work - self.alone + lock) / threads
        if threads > 1:
            parallel = max(parallel, self.maker + lock, self.sender)
        waiting = others * (self.span + self.barriers * self.wakeup)
        return self.serial + self.alone + parallel + waiting


def graph_run(seconds: float, profile: Profile, of: Profiled, last: Row, machine: Row) -> GraphRun:
    """From the median run on one thread, the shares of the profile and the run's statistics."""
    work = seconds / (1 + profile.serial)
    runs, instances = last.number(of.runs, 0), last.number("instances", 0)
    return GraphRun(
        seconds - work, work, profile.alone * work, profile.sender * work, profile.maker * work,
        max(runs, last.number("stages", 0)), instances, 1e-9 * machine.number("handover_ns"),
        1e-9 * machine.number("wakeup_ns"), 0 if profile.staged else instances / TOGETHER, runs * of.barriers)
