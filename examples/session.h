/* What the learning examples after the first begin and end with (01_hello.c spells it out): a
 * runtime on all processors, one world in it, and one graph in that. */
#ifndef SVS_EXAMPLES_SESSION_H
#define SVS_EXAMPLES_SESSION_H

#include <stdio.h>
#include <stdlib.h>
#include <svs/svs.h>

typedef struct session {
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
} session;

/* After a failure the session is to be closed all the same. */
static inline svs_status session_open(session *s) {
    svs_status status = svs_runtime_new(NULL, &s->runtime);
    if (!status) status = svs_runtime_start(s->runtime);
    if (!status) status = svs_world_new(s->runtime, NULL, &s->world);
    if (!status) status = svs_graph_new(s->world, NULL, &s->graph);
    return status;
}

/* Says what went wrong, if anything did. @return the program's exit status. */
static inline int session_close(session *s, svs_status status) {
    svs_status closing = svs_graph_free(s->graph);
    if (!closing) closing = svs_world_free(s->world);
    if (!closing) closing = svs_runtime_free(s->runtime);
    if (!status) status = closing;
    if (status) fprintf(stderr, "%s: %s\n", svs_status_name(status), svs_status_text(status));
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
