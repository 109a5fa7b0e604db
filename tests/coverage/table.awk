# Sums a tracefile of lcov up, a line each room: lines and branches that were run. Fails when a room is below its bar.
/^SF:/ {
    room = $0
    sub(/^.*\/src\//, "", room)
    sub(/\/.*$/, "", room)
}
/^LF:/ { lines[room] += substr($0, 4) }
/^LH:/ { lines_run[room] += substr($0, 4) }
/^BRF:/ { branches[room] += substr($0, 5) }
/^BRH:/ { branches_run[room] += substr($0, 5) }
END {
    bar["worksteal"] = bar["memobj"] = bar["sched"] = 90
    bar["transport"] = 86 # what the distributed half reaches, less a margin for the schedules
    bar["ranks"] = 79
    bar["structures"] = 71
    printf "%-12s %16s %20s %6s\n", "room", "lines", "branches", "bar"
    count = split("base hooks worksteal memobj sched stealtree dpst transport ranks structures", order, " ")
    for (i = 1; i <= count; i++) {
        room = order[i]
        judged[room] = 1
        if (!branches[room]) continue
        least = room in bar ? bar[room] : 80
        share = 100 * branches_run[room] / branches[room]
        printf "%-12s %6d of %5d %3.0f%% %7d of %5d %5.1f%% %5d%%%s\n", room, lines_run[room], lines[room],
            100 * lines_run[room] / lines[room], branches_run[room], branches[room], share, least,
            share < least ? "  below" : ""
        if (share < least) below = 1
    }
    for (room in branches)
        if (!(room in judged)) {
            printf "%-12s has no place in the table: add it to the order\n", room
            below = 1
        }
    exit below
}
