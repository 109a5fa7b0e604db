# A transform starts without admission (sched.A1).
set(FILE src/sched/domain/instance.c)
set(STRESS transforms)
set(OLD [==[
    if (!svs__admission_try(admission, hold, &context->set, claimant, epoch, conflict, &unchanged))
        return SVS__BLOCKED;]==])
set(NEW [==[
    if (!task->itemizer) return SVS__ADMITTED;
    if (!svs__admission_try(admission, hold, &context->set, claimant, epoch, conflict, &unchanged))
        return SVS__BLOCKED;]==])
