/* Types of memory objects, each known to the process by an index from its first use on. */
#ifndef SVS_MEMOBJ_TYPE_H
#define SVS_MEMOBJ_TYPE_H

#include <svs/object.h>

#include "base/log.h"

/* A type as the library knows it after its first use. */
typedef struct svs__type {
    const svs_type *type;
    /* where the header is in the struct that a link points to */
    uint32_t link_header[SVS_LINKS_MAX];
} svs__type;

/* The record of a described type; NULL when `index` was never given out. */
const svs__type *svs__type_get(uint32_t index);

/* Describes `type` on first use: checks it and gives it an index. @return SVS_OK, SVS_E_TYPE,
 * SVS_E_LIMIT, SVS_E_NO_MEMORY. */
svs_status svs__type_register(svs_type *type, const svs__log *log);

/* The header offset that a link's probe finds. */
uint32_t svs__link_header(const svs_link_type *link);

#endif
