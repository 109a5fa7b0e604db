/* Files of particles (.fluid), as PARSEC has them: little-endian; a float, particles in a metre; an
 * int, their number; then for each particle nine floats: its place, its velocity half a step ago,
 * its velocity. A path that ends in .xz is read through `xz -dc`. */
#ifndef FLUIDANIMATE_FILE_H
#define FLUIDANIMATE_FILE_H

#include "fluid.h"

#define FLUID_FILE_ERROR 512

/* Reads a fluid; it is the caller's to clean up, also after an error. Whatever is not a number, cut
 * off or left over is an error.
 * @return true; or false and `error`, of FLUID_FILE_ERROR bytes: the file, the offset, and the
 * expected and the actual content. */
bool fluid_read(fluid *f, const char *path, char *error);

/* Writes a fluid's particles in their order in memory. @return as above. */
bool fluid_write(const fluid *f, const char *path, char *error);

#endif
