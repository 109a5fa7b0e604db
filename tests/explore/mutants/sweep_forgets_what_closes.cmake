# A node that was closed since the epoch began counts as closed before (racecheck.X5).
set(FILE src/racecheck/task/gc.c)
set(SCENARIO sweep_closing)
set(OLD [==[
        if (state == SVS__NODE_OPEN || state == svs__node_closed(epoch) ||
            state == svs__node_over(epoch))
            mark(tree, node);]==])
set(NEW [==[
        (void)epoch;
        if (state == SVS__NODE_OPEN) mark(tree, node);]==])
