/* A page in HTML: which transfer ran when, on which worker, and what it could not overlap. */
#ifndef DEMO_TIMELINE_H
#define DEMO_TIMELINE_H

#include "bank.h"

/* Draws the first `most` transfers of b->spans. @return whether the file was written. */
bool timeline_write(const bank *b, int most, const char *path);

#endif
