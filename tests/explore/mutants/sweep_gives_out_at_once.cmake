# The numbers of dead nodes are reused without waiting for any worker (racecheck.X6).
set(FILE src/racecheck/task/gc.c)
set(SCENARIO sweep_learning)
set(OLD [==[
    } else if (!all_have_seen(sweep)) return]==])
set(NEW [==[
    } else if (sweep->part == SVS__SWEEP_BEGINS && !all_have_seen(sweep)) return]==])
