/* The types of memory objects. The process gives each type an index on its first use. */
#ifndef SVS_MEMOBJ_CORE_TYPE_H
#define SVS_MEMOBJ_CORE_TYPE_H

#include <svs/object.h>

#include "base/atomic.h"
#include "base/log.h"

/* The record of a type. */
typedef struct svs__type {
    const svs_type *type;
    uint32_t link_count, member_count;
    uint32_t slot_bytes; /* size of a slot (pool.h) for its struct; 0: it has none */
    /* offset of the header in the struct that each link points to */
    uint32_t link_header[SVS_LINKS_MAX];
    /* a link's offset from the header of its own struct; SVS__NO_FIELD after the last link */
    ptrdiff_t link_field[SVS_LINKS_MAX];
} svs__type;

#define SVS__NO_FIELD PTRDIFF_MIN

#define SVS__SLOT_UNIT 8u       /* sizes of slots are multiples of it */
#define SVS__POOL_SIZES 17u     /* number of sizes of slots */
#define SVS__SLOT_ALIGNMENT 16u /* of the first struct of a slab */
#define SVS__SLOT_MAX                                                                              \
    (SVS__POOL_SIZES * SVS__SLOT_UNIT - SVS__SLOT_ALIGNMENT) /* bytes of a struct */

/* table of types, by index; type.c adds the entries */
extern _Atomic(svs__type *) svs__types[UINT16_MAX + 1];

/* The record of a registered type; NULL: no type has the index. */
static inline const svs__type *svs__type_get(uint16_t index) {
    /* acquire: pairs with the release in svs__type_register(). */
    return svs__load_acquire(&svs__types[index]);
}

/* The number of the link at this offset from the header, or SVS_LINKS_MAX. */
static inline uint32_t svs__type_link(const svs__type *type, ptrdiff_t field) {
    uint32_t i = 0;
    if (SVS__LIKELY(type->link_field[0] == field)) return 0;
    while (++i < SVS_LINKS_MAX && type->link_field[i] != field) {}
    return i;
}

static inline bool svs__type_is_registered(const svs_type *type) {
    /* acquire: pairs with the release in svs__type_register(). */
    return svs__load_acquire((_Atomic(uint32_t) *)(uintptr_t)&type->index) != 0;
}

/* Registers `type` on its first use: checks it and gives it an index. @return SVS_OK, SVS_E_TYPE,
 * SVS_E_LIMIT, SVS_E_NO_MEMORY. */
svs_status svs__type_register(svs_type *type, const svs__log *log);

/* The offset of the header in the struct that the link points to, by the link's probe. */
uint32_t svs__link_header(const svs_link_type *link);

#endif
