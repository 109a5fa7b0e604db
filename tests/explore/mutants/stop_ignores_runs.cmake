# A runtime is stopped under a run.
set(FILE src/worksteal/lifetime.c)
set(SCENARIO stopped)
set(OLD [==[
before == SVS__STARTED && runs(runtime)) status]==])
set(NEW [==[
before == SVS__STARTED && !runs(runtime)) status]==])
