# Instances that are dropped after a failure are never counted as ended (sched.T2).
set(FILE src/sched/domain/stage_admit.c)
set(SCENARIO cancel)
set(OLD [==[
    svs__domain_settle(domain, record);
    svs__records_retire_of(context, record->batch, 1);
    return true;]==])
set(NEW [==[
    (void)context;
    svs__domain_settle(domain, record);
    return true;]==])
