/* A picture of the world. */
#ifndef QUAKESQUAD_SVG_H
#define QUAKESQUAD_SVG_H

#include "world.h"

/* @return false when the file could not be written; errno says why. */
bool svg_write(const world *w, const char *file);

#endif
