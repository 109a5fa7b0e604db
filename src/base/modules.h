/* The program and the libraries that were loaded with it, as the dynamic loader knows them. */
#ifndef SVS_BASE_MODULES_H
#define SVS_BASE_MODULES_H

#include <stddef.h>
#include <stdint.h>

/* A module that has thread-local variables. */
typedef struct svs__module {
    uintptr_t variables; /* address of the calling thread's copy of the variables */
    size_t bytes;
    uintptr_t low, high; /* the range of its code and data */
} svs__module;

/* Lists the modules that have thread-local variables. Acquires the loader's lock, which may be held
 * for ever in a child of fork(). @return the number of modules in the list, at most `most`. */
uint32_t svs__modules_list(svs__module *modules, uint32_t most);

#endif
