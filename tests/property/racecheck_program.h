/* Random async-finish programs that access a few bytes, and which of these race (two touch it, one
 * writes, not both are atomic): found from the orders that the program states, without a tree and
 * without running it. */
#ifndef SVS_TESTS_DPST_PROGRAM_H
#define SVS_TESTS_DPST_PROGRAM_H

#include "base/random.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY 2048u /* bytes */
#define BLOCKS 48u   /* of one program */
#define STEPS 8u     /* of one block */
#define MOMENTS 640u /* in a run of it, at most */

typedef enum kind {
    ACCESS, /* size bytes from at on, and so on, `times` times */
    ASYNC,  /* block */
    FINISH, /* block */
    SYNC    /* in a typed block: waits for its asyncs so far; elsewhere nothing */
} kind;

typedef struct block block;
typedef struct action {
    kind what;
    uint32_t number; /* of an access, below MOMENTS */
    uint32_t at, size, times;
    bool write;
    bool atomic;
    bool renews; /* frees the bytes, and gets them again: a write before, and a write after */
    const block *of;
} action;

struct block {
    bool typed; /* a typed function: a finish of its own */
    uint32_t count;
    action actions[STEPS];
};

typedef struct program {
    block blocks[BLOCKS]; /* the first is the root */
    uint32_t count, accesses;
    bool racy[MEMORY]; /* what must be found */
} program;

void program_make(program *p, uint64_t seed);

/* The races that must be found when a run ends early: those among the accesses that are `done`. `p`
 * is the program that was made last. */
void program_judge(const program *p, const bool done[MOMENTS], bool racy[MEMORY]);

#endif
