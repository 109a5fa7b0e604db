/* A picture of a frame: the box from its front, each particle coloured by its speed. */
#ifndef FLUIDANIMATE_SVG_H
#define FLUIDANIMATE_SVG_H

#include "fluid.h"

/* @return whether it could be written. */
bool svg_write(const fluid *f, const char *file);

#endif
