/* For programs whose relaxed fields are to be looked at as other memory is: what touches them has
 * declared them. */
#ifndef SVS_TESTS_CHECK_PLAIN_FIELDS_H
#define SVS_TESTS_CHECK_PLAIN_FIELDS_H

#include <svs/object.h>

#define svs_relaxed_load_u32(field) (*(field))
#define svs_relaxed_load_u64(field) (*(field))
#define svs_relaxed_store_u32(field, value) ((void)(*(field) = (value)))
#define svs_relaxed_store_u64(field, value) ((void)(*(field) = (value)))

#endif
