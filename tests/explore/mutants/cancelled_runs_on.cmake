# A run that has failed begins its next iteration.
set(FILE src/sched/run.c)
set(SCENARIO cancel)
set(OLD [==[
        if (svs__run_cancelled(run) || ++run->iteration == run->iterations) {]==])
set(NEW [==[
        if (++run->iteration == run->iterations) {]==])
