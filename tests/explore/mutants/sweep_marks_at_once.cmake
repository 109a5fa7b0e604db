# Nobody is waited for before what is needed is marked (X5).
set(FILE src/dpst/sweep.c)
set(SCENARIO sweep_closing)
set(OLD [==[
    } else if (!all_have_seen(sweep)) return]==])
set(NEW [==[
    } else if (sweep->part == SVS__SWEEP_ENDS && !all_have_seen(sweep)) return]==])
