/* Results that are known, of other people's programs. */
#ifndef TRIPUZZLE_KNOWN_H
#define TRIPUZZLE_KNOWN_H

#include "serial.h"

/* @return "yes", "no", or "unknown". */
const char *tri_verify(uint32_t rows, uint32_t hole, bool symmetry, const tri_result *result);

/* The known results for boards with this number of rows: the hole of the n-th result, or 0 after
 * the last. */
uint32_t tri_known_hole(uint32_t rows, uint32_t n);

#endif
