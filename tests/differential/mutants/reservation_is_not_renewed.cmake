# A reservation stays what the set was when the record reserved (sched.A8).
set(FILE src/sched/admission/admission.c)
set(DIFFERENTIAL starve)
set(OLD [==[
    if (first) {
        a->reserver = claim->claimant;]==])
set(NEW [==[
    if (first && a->reserver != claim->claimant) {
        a->reserver = claim->claimant;]==])
