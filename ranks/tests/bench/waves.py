"""The waveforms of Circuit and CSWEC: text, VCD and SVG of one small circuit.

    waves.py circuit|cswec PROGRAM FOLDER

A program runs over two ranks, and as its serial one, whose text is the same byte by byte. The VCD has the lines of the text in their order,
and the SVG a curve for each input and output, with a point for each of its lines. Prints how many changes there were."""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

INPUTS, OUTPUTS = ["a", "b", "c"], ["y", "z"]
GATES = {"v": "nand(a, b)", "w": "not(c)", "y": "nand(v, c)", "x": "nand(w, v)", "z": "nand(x, y, a)"}
Change = tuple[float, str, str]  # time in ns or ps, signal, value


def write_netlist(path: Path) -> None:
    lines = [*(f"INPUT({name})" for name in INPUTS), *(f"OUTPUT({name})" for name in OUTPUTS),
             *(f"{name} = {gate}" for name, gate in GATES.items())]
    path.write_text("\n".join(lines) + "\n")


def run(program: str, folder: Path, *words: str) -> str:
    command = [program, "--netlist", str(folder / "waves.bench"), "--vectors", "6", *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=60).stdout


def read_text(text: str) -> list[Change]:
    words = [line.split(" ") for line in text.splitlines()]
    assert words and all(len(line) == 3 for line in words), "a line of text is TIME NAME VALUE"
    return [(float(time), name, value) for time, name, value in words]


def read_vcd(text: str, unit: str, kind: str, ticks: float) -> list[Change]:
    head, body = text.split("$enddefinitions $end\n")
    declared = re.fullmatch(rf"\$timescale {unit} \$end\n\$scope module circuit \$end\n"
                            rf"((?:\$var {kind} \S+ \S+ \$end\n)+)\$upscope \$end\n", head)
    assert declared, f"the head of the VCD: {head}"
    names = {line.split()[3]: line.split()[4] for line in declared[1].splitlines()}
    assert len(set(names.values())) == len(declared[1].splitlines()), "a signal is declared once"
    found, time = [], -1
    for line in body.splitlines():
        if line.startswith("#"):
            assert int(line[1:]) > time, f"time {line} is after {time}"
            time = int(line[1:])
            continue
        value = re.fullmatch(r"r(\d\.\d{6}) (s\d+)" if kind == "real 64" else r"([01x])(s\d+)", line)
        assert value and time >= 0, f"a value after a time: {line}"
        found.append((time / ticks, names[value[2]], value[1]))
    return found


def check_svg(path: Path, changes: list[Change]) -> None:
    space = "{http://www.w3.org/2000/svg}"
    root = ElementTree.parse(path).getroot()
    assert root.tag == f"{space}svg", root.tag
    labels = [text.text for text in root.iter(f"{space}text") if text.get("text-anchor") == "end"]
    assert labels == INPUTS + OUTPUTS, labels
    curves = [path.get("d") or "" for path in root.iter(f"{space}path") if path.get("class") is None]
    assert len(curves) == len(labels), f"{len(curves)} curves"
    for name, curve in zip(labels, curves):
        assert re.fullmatch(r"M[\d.]+,[\d.]+ (L[\d.]+,[\d.]+ )*H\d+", curve), curve
        assert curve.count(",") == sum(one[1] == name for one in changes), f"the points of {name}"


def check(program: str, binary: str, folder: Path) -> int:
    write_netlist(folder / "waves.bench")
    drawn = ["--svg", str(folder / "waves.svg")] if program == "cswec" else []
    row = run(binary, folder, "--transport", "local:2", "--waves", str(folder / "waves.txt"), "--vcd", str(folder / "waves.vcd"), *drawn)
    run(binary, folder, "--serial", "--waves", str(folder / "serial.txt"))
    text = (folder / "waves.txt").read_text()
    assert text == (folder / "serial.txt").read_text(), "the changes over ranks are the serial ones"
    changes = read_text(text)
    how = ("1fs", "real 64", 1000.0) if program == "cswec" else ("1ns", "wire 1", 1.0)
    in_vcd = read_vcd((folder / "waves.vcd").read_text(), *how)
    assert changes == in_vcd, "the VCD has the changes of the text"
    assert {*INPUTS, *GATES} <= {one[1] for one in changes}, "each signal has a first value"
    if program == "cswec":
        check_svg(folder / "waves.svg", changes)
    else:  # a gate's first value is no change
        counted = sum(one[1] in GATES for one in changes) - len(GATES)
        assert f" changes={counted} " in row, f"{counted} changes: {row}"
    print(f"{program}: {len(changes)} changes are well formed")
    return 0


if __name__ == "__main__":
    Path(sys.argv[3]).mkdir(parents=True, exist_ok=True)
    sys.exit(check(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
