# A worker sleeps without looking whether it is to leave (worksteal.W2).
set(FILE src/worksteal/search.c)
set(SCENARIO runtime)
set(OLD [==[
if (look(worker, worker->runtime->options.threads) || leaving(worker, until)) {]==])
set(NEW [==[
(void)until;
    if (look(worker, worker->runtime->options.threads)) {]==])
