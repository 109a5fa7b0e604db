/* Functions that are compiled for each usual shape of items, which is then a constant, and once for
 * any shape.
 *
 *     #define DEFINE(name, shape) static void work_##name(svs__bins *bins) { work(bins, shape); }
 *     SVS__FOR_SHAPES(DEFINE)
 *     SVS__SHAPED(work, bins)(bins); */
#ifndef SVS_STRUCTURES_HASH_SHAPES_H
#define SVS_STRUCTURES_HASH_SHAPES_H

#include "structures/hash/bins.h"

#define SVS__FOR_SHAPES(define)                                                                    \
    define(keys, ((svs__shape){8, 8, false, false}))                                               \
        define(pairs, ((svs__shape){16, 8, false, false}))                                         \
            define(sums, ((svs__shape){16, 8, false, true})) define(any, svs__bins_shape(bins))

/* The function for the table's shape. */
#define SVS__SHAPED(function, bins)                                                                \
    ((bins)->key_bytes != 8 || (bins)->hash != NULL ? function##_any                               \
     : (bins)->duplicate == svs_hash_add            ? function##_sums                              \
     : (bins)->item_bytes == 16                     ? function##_pairs                             \
     : (bins)->item_bytes == 8                      ? function##_keys                              \
                                                    : function##_any)

#endif
