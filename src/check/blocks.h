/* The blocks of the heap that there are: how long, and where they were allocated. Reports name the
 * block that a racy byte is in, and a free tells the checker how many bytes go.
 *
 * Threads: any. A table in 64 parts, each with a lock; its memory is the C library's own, none that
 * the program's malloc gives. */
#ifndef SVS_CHECK_BLOCKS_H
#define SVS_CHECK_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct svs__block {
    uintptr_t address;
    size_t bytes;
    uintptr_t pc;    /* where its allocation was called, */
    uint32_t frame;  /* and on what call stack */
    uint32_t serial; /* tells blocks apart that had one address in turn; given by add */
} svs__block;

/* Once, before threads: a child of fork() finds no part held. */
void svs__blocks_init(void);

/* Without memory for the table, the block is not known. */
void svs__block_add(const svs__block *block);

/* @return whether there is a block that begins there. */
bool svs__block_find(const void *address, svs__block *block);

/* Is `block` still the one that begins there? */
bool svs__block_is(const svs__block *block);

void svs__block_remove(const void *address);

/* The block that `address` is in: looks at all of them. @return whether there is one. */
bool svs__block_around(uintptr_t address, svs__block *block);

/* The C library's functions below the program's (heap.c). */
void *svs__real_calloc(size_t count, size_t bytes);
void svs__real_free(void *block);

#endif
