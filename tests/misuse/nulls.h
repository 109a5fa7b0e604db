/* What the cases of nulls.py pass besides NULL. */
#ifndef SVS_TESTS_MISUSE_NULLS_H
#define SVS_TESTS_MISUSE_NULLS_H

#include "misuse.h"

#define ROOM 1024 /* bytes of a result, or of a message */

static const job nulls_item = {1};

static void nulls_async(svs_async_context *async, void *argument) {}
static void nulls_generate(void *items, uint32_t first, uint32_t count, void *argument) {}

static svs_trace *trace_of_case;
static svs_retained *retained_of_case;
static svs_source *source_of_case;

static svs_trace *nulls_trace(setting *s) {
    if (svs_trace_start(s->runtime, NULL) == SVS_OK)
        svs_ignore(svs_trace_stop(s->runtime, &trace_of_case));
    return trace_of_case;
}
static svs_retained *nulls_retained(setting *s) {
    svs_ignore(svs_retained_new(s->runtime, &retained_of_case));
    return retained_of_case;
}
static svs_source *nulls_source(setting *s) {
    svs_ignore(svs_source_new(s->sink, 1, &source_of_case));
    return source_of_case;
}

/* Ends a case. A message counts as a line of the log. A refused call has made nothing. */
static svs_status nulls_answer(setting *s, const char *room, const void *made, svs_status status) {
    if (room[0]) stage_hear(s, room);
    svs_trace_free(trace_of_case);
    svs_ignore(svs_retained_free(retained_of_case));
    svs_ignore(svs_source_free(source_of_case));
    trace_of_case = NULL;
    retained_of_case = NULL;
    source_of_case = NULL;
    return made ? STAGE_WRONG : status;
}

#endif
