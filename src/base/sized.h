/* Structs of the public API that grow from version to version: options, which begin with their
 * size, and outputs of a size that the caller passes. A program and the library may be of different
 * versions.
 *
 *   base.Y1  Options that are shorter than the library's keep the library's defaults for the rest.
 *            (not asserted: holds by construction, as only the shorter length is copied)
 *   base.Y2  Options that are longer are accepted if their additional bytes are 0. (not asserted:
 *            input of the program, refused with SVS_E_VERSION)
 *   base.Y3  An output is never written beyond the caller's size, and bytes beyond the library's
 *            size are 0.
 *
 * A member is added at the end, after the last byte of the version before: padding is named and
 * kept 0.
 *
 * Threads: any. Nothing here keeps state. */
#ifndef SVS_BASE_SIZED_H
#define SVS_BASE_SIZED_H

#include "base/check.h"
#include <stddef.h>
#include <string.h>
#include <svs/status.h>

/* Largest size of options. A larger one is taken for that of a struct that was never
 * initialized. */
#define SVS__OPTIONS_MAX 4096u

/* Fills the caller's `size` bytes of options from the library's defaults; their first member
 * becomes `size`. If `size` is less than the size of that member, nothing is written. */
void svs__options_init(void *options, size_t size, const void *defaults, size_t known);

/* Copies the caller's options over the defaults in `*chosen` (base.Y1, base.Y2). @return SVS_OK,
 * SVS_E_VERSION (a size that no version has, or an unknown option that is set). */
svs_status svs__options_take(void *chosen, size_t known, const void *options);

/* Copies an output of `known` bytes to the caller's `size` bytes (base.Y3). */
static inline void svs__output_put(void *to, size_t size, const void *from, size_t known) {
    size_t both = size < known ? size : known;
    SVS__ASSERT(both <= size); /* base.Y3 */
    memcpy(to, from, both);
    memset((char *)to + both, 0, size - both);
}

#endif
