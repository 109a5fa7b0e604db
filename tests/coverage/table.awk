# Sums a tracefile of lcov up, a line each room: lines and branches that were run.
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
    printf "%-12s %16s %20s\n", "room", "lines", "branches"
    count = split("base worksteal memobj sched stealtree dpst check", order, " ")
    for (i = 1; i <= count; i++) {
        room = order[i]
        if (!lines[room]) continue
        printf "%-12s %6d of %5d %3.0f%% %7d of %5d %5.1f%%\n", room, lines_run[room], lines[room],
            100 * lines_run[room] / lines[room], branches_run[room], branches[room],
            branches[room] ? 100 * branches_run[room] / branches[room] : 100
    }
}
