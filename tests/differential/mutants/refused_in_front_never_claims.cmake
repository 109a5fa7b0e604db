# A record in front of its bucket is refused again and again, and never reserves (sched.S4).
set(FILE src/sched/domain/progressive.c)
set(DIFFERENTIAL starve)
set(OLD [==[
    svs__record_tire(record);
    return record->tries > SVS__TRIES_BEFORE_RESERVING && !svs__domain_reserver(domain);]==])
set(NEW [==[
    (void)domain, (void)record;
    return false;]==])
