# A reservation stays what the set was when the record reserved (A8).
set(FILE src/sched/admission.c)
set(DIFFERENTIAL starve)
set(OLD [==[
    if (first) {
        a->reserver = claim->who;]==])
set(NEW [==[
    if (first && a->reserver != claim->who) {
        a->reserver = claim->who;]==])
