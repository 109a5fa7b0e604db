"""chrome.py FILE PHASES ARROWS [INSTANCES]: is it Chrome's trace format, do events of a track nest, does each arrow have
two ends on events of its tracks? Each event has the members that the format's description asks for, with their types; each
of INSTANCES has a name and a number of its own; a conflict names two instances."""
import collections
import json
import sys

path, phases, arrows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
instances = int(sys.argv[4]) if len(sys.argv) > 4 else 0
with open(path, encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]
kinds = collections.defaultdict(list)
for event in events:
    kinds[event["ph"]].append(event)
assert set(kinds) <= set("MXsfCi"), f"unknown events: {sorted(kinds)}"

# https://chromium.googlesource.com/catapult, "Trace Event Format": which members, of which types.
number = (int, float)
always = {"ph": str, "pid": int, "name": str}
members = {
    "M": {"args": dict},
    "X": {"tid": int, "ts": number, "dur": number, "cat": str, "args": dict},
    "s": {"tid": int, "ts": number, "id": int, "cat": str},
    "f": {"tid": int, "ts": number, "id": int, "cat": str, "bp": str},
    "C": {"ts": number, "args": dict},
    "i": {"tid": int, "ts": number, "s": str, "args": dict},
}
for event in events:
    for member, types in {**always, **members[event["ph"]]}.items():
        assert isinstance(event.get(member), types), f"{member} of {event}"
    assert event.get("ts", 0) >= 0 and event.get("dur", 0) >= 0, f"negative time: {event}"

ran = [event for event in kinds["X"] if event["cat"] == "instance"]
assert len(ran) == instances, f"{len(ran)} instances"
numbers = {event["args"]["instance"] for event in ran}
assert len(numbers) == instances, "instances share a number"
assert all(event["name"] and event["args"]["graph"] for event in ran), "an instance without a name"
for event in kinds["i"]:
    assert event["s"] == "t" and event["args"]["task"], event
    if "other instance" in event["args"]:
        assert event["args"]["instance"] != event["args"]["other instance"] and event["args"]["place"], event
assert len(kinds["X"]) == phases + instances, f"{len(kinds['X'])} phases and instances"
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
        assert not around or end <= around[-1], "events of a track overlap"
        around.append(end)

ends = {event["id"]: event for event in kinds["f"]}
assert len(ends) == arrows, "arrows share a number"
for start in kinds["s"]:
    end = ends[start["id"]]
    assert start["ts"] <= end["ts"], "an arrow leads back in time"
    for event in (start, end):
        at = nanoseconds(event["ts"])
        assert any(b <= at <= e for b, e in tracks[event["tid"]]), "an arrow ends beside the phases"

busy = [event["args"]["workers"] for event in kinds["C"]] or [0]
assert busy[-1] == 0 and min(busy) >= 0 and max(busy) <= len(tracks), "the counter of workers"
print(f"{phases} phases on {len(tracks)} tracks, {arrows} arrows, at most {max(busy)} workers in phases")
