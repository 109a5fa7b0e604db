/* The present blocks of the heap: their sizes, and the places where they were allocated. Reports
 * name the block that a racy byte is in, and a free tells the checker how many bytes go.
 *
 * A block of more than 2^(n-1) and at most 2^n usable bytes is of order n, and is found by the
 * 2^n aligned bytes that it begins in. Two blocks of one order begin there at most, as blocks do
 * not overlap; and a block that has a byte begins in the same aligned bytes, or in those before. So
 * to look a byte up takes two looks for each order that there is, however many blocks there are.
 *
 * Threads: any. A table in 64 parts, each with a lock; its memory is the C library's own, none that
 * the program's malloc gives. */
#ifndef SVS_DPST_REPORT_BLOCKS_H
#define SVS_DPST_REPORT_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct svs__heap_block {
    uintptr_t address;
    size_t bytes;
    uintptr_t pc;   /* place of the call that allocated the block */
    uint32_t frame; /* call stack of that call */
    /* Both are set by svs__block_add(). `serial` tells apart the blocks that had one address in
     * turn; `order` is the binary logarithm of the size by which the table finds the block. */
    uint32_t serial : 26, order : 6;
} svs__heap_block;

/* Called once, before there are threads. After it, a child of fork() finds no part locked. */
void svs__blocks_init(void);

/* Adds a block. Without memory for the table, the block stays unknown. @param room the number of
 * usable bytes. */
void svs__block_add(const svs__heap_block *block, size_t room);

/* @return whether there is a block that begins there, and has this room. */
bool svs__block_find(const void *address, size_t room, svs__heap_block *block);

/* Is `block` still the block that begins at its address? */
bool svs__block_is(const svs__heap_block *block);

void svs__block_remove(const svs__heap_block *block);

/* The block that `address` is in. @return whether there is one. */
bool svs__block_around(uintptr_t address, svs__heap_block *block);

/* The C library's functions, which those of heap.c replace in the program. */
void *svs__real_calloc(size_t count, size_t bytes);
void svs__real_free(void *block);

#endif
