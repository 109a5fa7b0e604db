# Leaving the seat does not wake the threads that wait for it (worksteal.R2).
set(FILE src/worksteal/participate.c)
set(SCENARIO seat)
set(OLD [==[
    svs__parking_wake(&runtime->waiting, UINT32_MAX); /* worksteal.R2 */
]==])
set(NEW [==[
]==])
