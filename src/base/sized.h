/* Structs of the face that grow from version to version: options, which begin with their size, and
 * outputs of a size that the caller passes. A program and the library may be of different versions.
 *
 *   base.Y1  options that are shorter than the library's keep the library's defaults for the rest;
 *   base.Y2  options that are longer are accepted while what the library does not know is 0;
 *   base.Y3  an output is never written beyond the caller's size, and what the library does not
 *       know of it is 0.
 *
 * A member is added at the end, behind the last byte of the version before: padding is named and
 * kept 0.
 *
 * Threads: any. Nothing here keeps state. */
#ifndef SVS_BASE_SIZED_H
#define SVS_BASE_SIZED_H

#include <stddef.h>
#include <string.h>
#include <svs/status.h>

/* Options longer than this are taken for a struct that was never filled. */
#define SVS__OPTIONS_MAX 4096u

/* Fills the caller's `size` bytes of options from the library's defaults; their first member
 * becomes `size`. Less than that member: nothing is written. */
void svs__options_init(void *options, size_t size, const void *defaults, size_t known);

/* Puts the caller's options over `*chosen`, which has the defaults (base.Y1, base.Y2). @return
 * SVS_OK, SVS_E_VERSION (a size that no version has, or an option that is set and not known). */
svs_status svs__options_take(void *chosen, size_t known, const void *options);

/* Copies an output of `known` bytes to the caller's `size` bytes (base.Y3). */
static inline void svs__output_put(void *to, size_t size, const void *from, size_t known) {
    size_t both = size < known ? size : known;
    memcpy(to, from, both);
    memset((char *)to + both, 0, size - both);
}

#endif
