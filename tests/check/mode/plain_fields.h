/* For programs with relaxed fields that the race check must treat as plain memory: each task that
 * accesses such a field has declared it. */
#ifndef SVS_TESTS_CHECK_PLAIN_FIELDS_H
#define SVS_TESTS_CHECK_PLAIN_FIELDS_H

#include <svs/object.h>

#define svs_relaxed_load_u32(field) (*(field))
#define svs_relaxed_load_u64(field) (*(field))
#define svs_relaxed_store_u32(field, value) ((void)(*(field) = (value)))
#define svs_relaxed_store_u64(field, value) ((void)(*(field) = (value)))

#endif
