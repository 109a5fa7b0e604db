"""The three programs of figures 7.5 to 7.7: how they are run, and what the thesis tells of them."""
from __future__ import annotations

from dataclasses import dataclass, field

from predict import Profiled

LOCKS = ["spin", "pthread", "striped", "rw", "native"]
LOCK_ENGINES = ["mutex", "tbb", "openmp"]  # those with --lock
OWN_ENGINES = ["svs", "scanned"]  # with footprints by hand, and by svs scan


@dataclass(frozen=True)
class Program:
    name: str
    figure: str
    title: str
    engines: list[str]       # svs first, serial second
    words: dict[str, str]    # options by scale
    chunks: list[str]        # options; each engine gets the best one
    same: str                # the chunk of the comparison at one chunk
    cases: dict[str, str]    # inputs or worlds: a name, and options
    ours: dict[str, str]     # the input by scale, in words
    intro: str               # HTML
    thesis: str
    thesis_input: str
    thesis_times: dict[tuple[str, int], str]  # by engine and threads
    profiled: Profiled
    loops: bool = False      # chunks are of loops: svs has none
    input: str = ""          # the name of the input file
    packed: str = ""         # where it is among PARSEC's inputs
    packed_tiny: str = ""
    generated: str = ""      # the input in words, where PARSEC's is absent and one is generated; ours ends it
    checks: list[str] = field(default_factory=list)  # options of the run that gives the result to compare
    frames: bool = False     # frames have a 99th percentile
    per_frame: bool = False  # times are shown as microseconds of a frame, as in the thesis

    @property
    def unit(self) -> str:
        return "us a frame" if self.per_frame else "ms"


FLUIDANIMATE = Program(
    name="fluidanimate", figure="7.5", title="Figure 7.5: Fluidanimate",
    engines=["svs", "serial", "mutex", "tbb", "openmp", "stm"],
    words={"tiny": "--frames 1", "quick": "--frames 5", "whole": "--frames 20", "long": "--frames 60"},
    chunks=["--blocks-z 4", "--blocks-z 8", "--blocks-z 16", "--blocks-z 32"],
    same="--blocks-x 1 --blocks-z 16", cases={"in_100K": ""},
    input="in_100K.fluid", packed="fluidanimate/in_100K.fluid.xz",
    packed_tiny="fluidanimate/in_5K.fluid.xz",
    ours={"tiny": "PARSEC's in_5K.fluid, 1 frame",
          "quick": "PARSEC's in_100K.fluid (simmedium), 5 frames",
          "whole": "PARSEC's in_100K.fluid (simmedium), 20 frames",
          "long": "PARSEC's in_100K.fluid (simmedium), 60 frames; 20 in trials and at one chunk"},
    intro="A fluid in a box, cut into cells: a pass over a block of cells also writes cells of the "
          "adjacent blocks. The lock engines lock those; SvS has more blocks than threads "
          "and never runs adjacent blocks in parallel. Times are of all frames of a run.",
    thesis="The thesis (8 cores) reports no seconds in its text: at 8 threads SvS was 81 ms "
           "faster than TBB and 51 ms faster than pthreads, all three close together.",
    thesis_input="simlarge",
    thesis_times={("svs", 8): "fastest", ("mutex", 8): "svs + 51 ms", ("tbb", 8): "svs + 81 ms"},
    profiled=Profiled(words="--frames 1", serial="fluid_number", runs="frames", barriers=1),
    # Sums of floats in another order differ by a part in ten million, and a fluid makes more of
    # it with each frame: after twenty frames each engine is far from the serial one.
    checks=["--frames", "5"], frames=True)

CANNEAL = Program(
    name="canneal", figure="7.6", title="Figure 7.6: Canneal",
    engines=["svs", "serial", "scanned", "mutex", "tbb", "openmp", "stm", "atomic"],
    words={"tiny": "--swaps 200 --temperature 2000 --steps 2",
           "quick": "--swaps 15000 --temperature 2000 --steps 64",
           "whole": "--swaps 15000 --temperature 2000 --steps 64",
           "long": "--swaps 150000 --temperature 2000 --steps 64"},
    chunks=["--chunk 16", "--chunk 64", "--chunk 256", "--chunk 1024"],
    same="--chunk 64", cases={"100000.nets": ""},
    loops=True, input="100000.nets", packed="canneal/100000.nets.xz",
    generated="a generated netlist of 100000 elements (PARSEC's was not there)",
    ours={"tiny": "a generated netlist of 500 elements, 2 steps of 200 swaps",
          "quick": "PARSEC's 100000.nets (simsmall), 64 steps of 15000 swaps",
          "whole": "PARSEC's 100000.nets (simsmall), 64 steps of 15000 swaps",
          "long": "PARSEC's 100000.nets (simsmall), 64 steps of 150000 swaps; 15000 in trials and at one chunk"},
    intro="A netlist is placed by simulated annealing: a swap judges and moves two elements, some "
          "100 ns of work. The lock engines lock the two, <i>atomic</i> is PARSEC's "
          "compare-and-swap, SvS runs no two swaps of one element together. Times are of the "
          "temperature steps, which is what the thesis calls the parallel section.",
    thesis="The thesis (8 cores) reports no seconds in its text: at 8 threads SvS was 230 ms "
           "faster than PARSEC's pthreads version, which swaps by compare-and-swap.",
    thesis_input="simlarge",
    thesis_times={("svs", 8): "fastest", ("atomic", 8): "svs + 230 ms"},
    profiled=Profiled(words="--swaps 15000 --temperature 2000 --steps 4", serial="annealing_pair",
                      runs="steps", barriers=1))

QUAKESQUAD = Program(
    name="quakesquad", figure="7.7", title="Figure 7.7: QuakeSquad, frame times",
    engines=["svs", "serial", "scanned", "mutex", "tbb", "openmp", "stm"],
    words={"tiny": "--frames 5 --settle 10", "quick": "--frames 60 --settle 100",
           "whole": "--frames 200 --settle 400", "long": "--frames 1200 --settle 400"},
    chunks=["--chunk-bombs 2 --chunk-steps 16", "--chunk-bombs 4 --chunk-steps 32",
            "--chunk-bombs 8 --chunk-steps 64"],
    same="--chunk-bombs 4 --chunk-steps 32", loops=True,
    cases={"none": "--quest none", "centre": "--quest centre", "quadrants": "--quest quadrants",
           "moving": "--quest moving"},
    ours={"tiny": "a world made by seed, 5 frames after 10",
          "quick": "a world made by seed, 60 frames after 100",
          "whole": "a world made by seed, 200 frames after 400",
          "long": "a world made by seed, 1200 frames after 400; 200 in trials and at one chunk"},
    intro="A game's world: 2000 citizens, 200 techs and 100 bombs in cells that keep linked lists. "
          "A quest draws the crowd together, so that more of what runs side by side meets: "
          "<i>none</i> leaves it where it is, <i>centre</i> and <i>quadrants</i> draw it to one or "
          "four places, <i>moving</i> to one that wanders. Times are of a frame, in microseconds; "
          "refreshing signatures is inside them.",
    thesis="The thesis (its own world, 8 cores): SvS went from 1,226 us at 1 thread to 436 us at "
           "8; TBB with fine-grained locks was about 137 us slower at 8 threads; STM scaled to 4 "
           "threads only.",
    thesis_input="its own world",
    thesis_times={("svs", 1): "1,226", ("svs", 8): "436", ("tbb", 8): "about 573",
                  ("stm", 8): "more than at 4"},
    profiled=Profiled(words="--frames 5 --settle 0 --quest none", serial="world_tick",
                      alone="make_room_run_", runs="frames", barriers=4),
    frames=True, per_frame=True)

PROGRAMS = [FLUIDANIMATE, CANNEAL, QUAKESQUAD]


def short(words: str) -> str:
    """Options as one word of a row: "--chunk 64" becomes "chunk:64"."""
    return words.replace(" --", ",").replace("--", "").replace(" ", ":")
