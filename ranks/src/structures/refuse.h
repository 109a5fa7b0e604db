/* Refused calls of structures: their messages and statuses. */
#ifndef SVS_STRUCTURES_REFUSE_H
#define SVS_STRUCTURES_REFUSE_H

#include <svs/ranks/structure.h>

/* Writes "CALL: WHY" to the rank's log. @return the status. */
svs_status svs__refuse_call(const svs_ranks *ranks, svs_status status, const char *call,
                            const char *why);

/* Copies the caller's options over the defaults in `*options`, a struct of `bytes` bytes. `name`
 * begins the names of the structure's functions: "svs_hash". @return SVS_OK; SVS_E_NULL,
 * SVS_E_VERSION, with a message. */
svs_status svs__structure_options_take(const svs_ranks *ranks, const char *name, void *options,
                                       size_t bytes, const void *given);

#endif
