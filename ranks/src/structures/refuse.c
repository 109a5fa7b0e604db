#include "structures/refuse.h"
#include "base/sized.h"
#include <stdio.h>

SVS__COLD svs_status svs__refuse_call(const svs_ranks *ranks, svs_status status, const char *call,
                                      const char *why) {
    char text[320];
    (void)snprintf(text, sizeof text, "%s: %s", call, why);
    return svs_ranks_refuse(ranks, status, text);
}

svs_status svs__structure_options_take(const svs_ranks *ranks, const char *name, void *options,
                                       size_t bytes, const void *given) {
    char why[200];
    if (given != NULL && svs__options_take(options, bytes, given) == SVS_OK) return SVS_OK;
    (void)snprintf(why, sizeof why,
                   "%s_new: options are NULL or of another version: fill them by "
                   "%s_options_init()",
                   name, name);
    return svs_ranks_refuse(ranks, given == NULL ? SVS_E_NULL : SVS_E_VERSION, why);
}
