# The admission skips the search for conflicts (sched.A1).
set(FILE src/sched/admission/admission.c)
set(SCENARIO progressive)
set(STRESS conflicts)
set(OLD [==[
    return svs__held_allows(]==])
set(NEW [==[
    return true || svs__held_allows(]==])
set(OLD_2 [==[
    a->cells_decide = ]==])
set(NEW_2 [==[
    a->cells_decide = false && ]==])
set(OLD_3 [==[
    if (!svs__held_allows_elements(]==])
set(NEW_3 [==[
    if (false && !svs__held_allows_elements(]==])
