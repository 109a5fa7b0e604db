# A thief wakes a spawner that is about to sleep without changing the word that it sleeps on (worksteal.F3).
set(FILE src/worksteal/finish.c)
set(SCENARIO finish)
set(OLD [==[
    (void)svs__fetch_add_release(&victim->wake, 1);
]==])
set(NEW [==[
]==])
