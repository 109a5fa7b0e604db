/* The set-up and the clean-up that the following examples share: a runtime on all processors, a
 * world in it, and a graph in the world for the examples that need one. */
#ifndef SVS_EXAMPLES_SESSION_H
#define SVS_EXAMPLES_SESSION_H

#include <stdio.h>
#include <stdlib.h>
#include <svs/svs.h>

typedef struct session {
    svs_runtime *runtime; /* NULL if svs_start() created it, for then svs_stop() frees it */
    svs_world *world;
    svs_graph *graph; /* NULL: none */
} session;

/* Call session_close() also after a failure. */
static inline svs_status session_open(session *s) {
    svs_status status = svs_start(0, &s->world);
    return status ? status : svs_graph_new(s->world, NULL, &s->graph);
}

/* Frees everything, the last created first, and prints the first failure.
 * @return the program's exit status. */
static inline int session_close(session *s, svs_status status) {
    svs_status closed = svs_graph_free(s->graph);
    if (!closed && s->runtime) closed = svs_world_free(s->world);
    if (!closed) closed = s->runtime ? svs_runtime_free(s->runtime) : svs_stop(s->world);
    if (!status) status = closed;
    if (status) fprintf(stderr, "%s: %s\n", svs_status_name(status), svs_status_text(status));
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
