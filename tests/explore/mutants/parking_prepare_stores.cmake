# Sleepers are counted by load and store (worksteal.P1).
set(FILE src/worksteal/parking.c)
set(SCENARIO parking)
set(OLD [==[
(void)svs__fetch_add_seq(&parking->sleepers, 1);]==])
set(NEW [==[
svs__store_seq(&parking->sleepers, svs__load_relaxed(&parking->sleepers) + 1);]==])
