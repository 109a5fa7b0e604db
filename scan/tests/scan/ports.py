"""The ports with hand-written touch functions, as the tests of COMPARE build and run them."""

import random
import struct
from dataclasses import dataclass


@dataclass
class Port:
    name: str
    tasks: list  # the sources that its tasks call into; the first one has the touch functions
    runs: list  # arguments of a run each; the file {input} is made by write_inputs()


SMALL = "--citizens 300 --techs 40 --bombs 30 --walls 30 --size 320 --settle 40 --seed 7 --frames 60 --check"
PORTS = [
    Port("quakesquad", ["engine_svs.c", "blast.c", "plan.c", "sight.c", "step.c", "world.c"],
         [f"--engine svs --quest {quest} {SMALL}" for quest in ("none", "centre", "quadrants", "moving")]),
    Port("canneal", ["engine_svs.c", "annealing.c", "placement.c"],
         [f"--engine svs {exact}--steps 4 --swaps 2000 {{input}}" for exact in ("", "--exact --check ")]),
    # The particles are sorted anew in each frame: an index of a block stands for places of them in one frame only.
    Port("fluidanimate", ["engine_svs.c", "advance.c", "fluid.c", "pairs.c", "rebuild.c"],
         [f"--engine svs --frames 1 --blocks-x {blocks} {{input}}" for blocks in (1, 2)]),
]


def write_fluid(path, side=6, rest=204.0):
    """A cube of particles that swirls."""
    chance, step = random.Random(1), 1 / rest
    bytes_ = struct.pack("<fi", rest, side**3)
    for i in range(side**3):
        place = [step * (at - side / 2 + chance.uniform(-0.3, 0.3)) for at in (i % side, i // side % side, i // side // side)]
        speed = [-20 * place[2], -1.0, 20 * place[0]]
        bytes_ += struct.pack("<9f", *place, *speed, *speed)
    path.write_bytes(bytes_)


def write_netlist(path, elements=1000, side=40):
    chance = random.Random(1)
    lines = [f"{elements} {side} {side}"]
    for i in range(elements):
        ends = " ".join(f"e{chance.randrange(elements)}" for _ in range(4))
        lines.append(f"e{i} 1 {ends} END")
    path.write_text("\n".join(lines) + "\n")


def write_inputs(work):
    """The input of each port that takes one."""
    inputs = {"canneal": work / "small.nets", "fluidanimate": work / "small.fluid"}
    write_netlist(inputs["canneal"])
    write_fluid(inputs["fluidanimate"])
    return inputs
