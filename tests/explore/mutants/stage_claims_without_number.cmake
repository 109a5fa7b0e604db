# A worker that comes late claims in a stage that has ended (sched.P2).
set(FILE src/sched/domain/stage.c)
set(SCENARIO staged)
set(OLD [==[
    if (offered >> 32 != claim >> 32 || (uint32_t)claim >= (uint32_t)offered) return 0;]==])
set(NEW [==[
    if ((uint32_t)claim >= (uint32_t)offered) return 0;]==])
