/* The whole life of an object that a body makes, with one link: rows of bench_links. */
#ifndef BENCH_LINKS_LIFE_H
#define BENCH_LINKS_LIFE_H

#include <stdint.h>

/* Adds the case for a number of threads. */
void links_life_add(uint32_t threads);
void links_life_report(void);

#endif
