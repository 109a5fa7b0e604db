# A run that has failed begins its next iteration.
set(FILE src/sched/graph/run.c)
set(SCENARIO cancel)
set(OLD [==[
        if (svs__env_cancelled(&run->env) || ++run->env.iteration == run->iterations) {]==])
set(NEW [==[
        if (++run->env.iteration == run->iterations) {]==])
