# The sweep marks the needed nodes without waiting for any worker (racecheck.X5).
set(FILE src/racecheck/task/gc.c)
set(SCENARIO sweep_closing)
set(OLD [==[
    } else if (!all_have_seen(sweep)) return]==])
set(NEW [==[
    } else if (sweep->part == SVS__SWEEP_ENDS && !all_have_seen(sweep)) return]==])
