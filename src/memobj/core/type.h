/* The types of memory objects. The process gives each type an index on its first use. */
#ifndef SVS_MEMOBJ_CORE_TYPE_H
#define SVS_MEMOBJ_CORE_TYPE_H

#include <svs/object.h>

#include "base/log.h"

/* The record of a type. */
typedef struct svs__type {
    const svs_type *type;
    /* the offset of the header in the struct that a link points to */
    uint32_t link_header[SVS_LINKS_MAX];
} svs__type;

/* The record of a registered type; NULL: no type has the index. */
const svs__type *svs__type_get(uint32_t index);

/* Registers `type` on its first use: checks it and gives it an index. @return SVS_OK, SVS_E_TYPE,
 * SVS_E_LIMIT, SVS_E_NO_MEMORY. */
svs_status svs__type_register(svs_type *type, const svs__log *log);

/* The offset of the header in the struct that the link points to, by the link's probe. */
uint32_t svs__link_header(const svs_link_type *link);

#endif
