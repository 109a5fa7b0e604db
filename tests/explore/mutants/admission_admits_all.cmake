# Conflicts are not looked for (A1).
set(FILE src/sched/admission.c)
set(SCENARIO progressive)
set(OLD [==[
#include "sched/admission.h"
]==])
set(NEW [==[
#define SVS_MUTANT_NO_CONFLICT_CHECK
#include "sched/admission.h"
]==])
