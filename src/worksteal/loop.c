#include "base/program.h"
#include "worksteal/finish.h"
#include "worksteal/phase.h"
#include <svs/async.h>

typedef struct loop {
    void (*body)(size_t begin, size_t end, void *argument);
    void *argument;
    size_t grain;
} loop;

typedef struct piece {
    const loop *of;
    size_t begin, end;
} piece;

/* Spawns the upper half until one grain is left. */
static void run_piece(svs_async_context *async, void *argument) {
    piece rest = *(const piece *)argument;
    while (rest.end - rest.begin > rest.of->grain) {
        size_t middle = rest.begin + (rest.end - rest.begin) / 2;
        piece upper = {rest.of, middle, rest.end};
        svs_async(async, run_piece, &upper, sizeof upper);
        rest.end = middle;
    }
    svs__program_ignore(true); /* accesses that follow are those of the library */
    rest.of->body(rest.begin, rest.end, rest.of->argument);
    svs__program_ignore(false);
}

static void run_alone(const loop *all, size_t count) {
    size_t begin = 0;
    while (begin != count) {
        size_t end = count - begin > all->grain ? begin + all->grain : count;
        all->body(begin, end, all->argument);
        begin = end;
    }
}

void svs__parallel_for(svs__worker *worker, size_t count, size_t grain,
                       void (*body)(size_t begin, size_t end, void *argument), void *argument) {
    loop all = {body, argument, grain == 0 ? 1 : grain};
    piece whole = {&all, 0, count};
    if (worker == NULL) run_alone(&all, count);
    else if (count != 0) {
        bool root = worker->phase == SVS__NO_PHASE;
        const svs__job_slot *inside = worker->inside;
        /* worksteal.C3: all pieces are run, also if the caller's run is cancelled */
        worker->inside = NULL;
        if (root) (void)svs__phase_begin_root(worker);
        svs_finish(&worker->deque.async, run_piece, &whole);
        worker->inside = inside;
        if (root) svs__phase_end(worker, SVS__NO_PHASE, false);
    }
}
