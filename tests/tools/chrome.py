"""chrome.py FILE PHASES ARROWS: is it Chrome's trace format, do events of a track nest, does each arrow have two ends on
events of its tracks?"""
import collections
import json
import sys

path, phases, arrows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(path, encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]
kinds = collections.defaultdict(list)
for event in events:
    kinds[event["ph"]].append(event)
assert set(kinds) <= set("MXsfC"), f"unknown events: {sorted(kinds)}"
assert len(kinds["X"]) == phases, f"{len(kinds['X'])} phases"
assert len(kinds["s"]) == len(kinds["f"]) == arrows, f"{len(kinds['s'])} and {len(kinds['f'])} ends of arrows"


def nanoseconds(microseconds):
    return round(microseconds * 1000)


def extent(event):
    begin = nanoseconds(event["ts"])
    return begin, begin + nanoseconds(event["dur"])


tracks = collections.defaultdict(list)
for event in kinds["X"]:
    tracks[event["tid"]].append(extent(event))
for extents in tracks.values():
    around = []
    for begin, end in sorted(extents, key=lambda e: (e[0], -e[1])):
        while around and around[-1] <= begin:
            around.pop()
        assert not around or end <= around[-1], "phases of a track overlap"
        around.append(end)

ends = {event["id"]: event for event in kinds["f"]}
assert len(ends) == arrows, "arrows share a number"
for start in kinds["s"]:
    end = ends[start["id"]]
    assert start["ts"] <= end["ts"], "an arrow leads back in time"
    for event in (start, end):
        at = nanoseconds(event["ts"])
        assert any(b <= at <= e for b, e in tracks[event["tid"]]), "an arrow ends beside the phases"

busy = [event["args"]["workers"] for event in kinds["C"]]
assert busy[-1] == 0 and min(busy) >= 0 and max(busy) <= len(tracks), "the counter of workers"
print(f"{phases} phases on {len(tracks)} tracks, {arrows} arrows, at most {max(busy)} workers in phases")
