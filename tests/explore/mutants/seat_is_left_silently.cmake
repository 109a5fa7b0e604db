# Who waits for the seat is not told that it is free (R2).
set(FILE src/worksteal/participate.c)
set(SCENARIO seat)
set(OLD [==[
    svs__parking_wake(&runtime->waiting, UINT32_MAX); /* R2 */
]==])
set(NEW [==[
]==])
