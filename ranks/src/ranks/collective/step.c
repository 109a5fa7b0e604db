#include "ranks/collective/step.h"
#include <string.h>

#define HEAD_BYTES ((uint32_t)offsetof(svs__end, verdict.text))

void svs__step_send(svs_ranks *ranks, uint32_t to, const svs__end *end, svs__buffers *buffers) {
    size_t text = strlen(end->verdict.text);
    uint32_t bytes = HEAD_BYTES + (text == 0 ? 0 : (uint32_t)text + 1);
    while (buffers->first == NULL) svs__channels_serve(ranks); /* ranks.X2 */
    (void)svs__control_send(ranks, to, SVS__PACKET_END, end, bytes, svs__buffers_take(buffers));
}

void svs__step_signal(svs_ranks *ranks, uint32_t to, svs__end_step step) {
    svs__end end = {.step = step, .verdict = {.kind = SVS__VERDICT_OK}};
    svs__step_send(ranks, to, &end, &ranks->reserve);
}

void svs__step_signal_children(svs_ranks *ranks, svs__end_step step) {
    for (uint32_t i = 0; i < ranks->topology.child_count; i++)
        svs__step_signal(ranks, ranks->topology.children[i], step);
}

bool svs__step_read(svs__end *end, const void *data, uint32_t bytes) {
    if (bytes < HEAD_BYTES || bytes > sizeof *end) return false;
    memset(end, 0, sizeof *end);
    memcpy(end, data, bytes);
    end->verdict.text[SVS__TEXT - 1] = 0;
    return end->step < SVS__END_STEPS && end->verdict.kind <= SVS__VERDICT_OK;
}
