/* Large tables that are used here and there: memory from the system that is zero until it is
 * touched, and takes none until then.
 *
 *     uint64_t *table = svs__pages_map((size_t)1 << 33);
 *     ...
 *     svs__pages_forget(table, (size_t)1 << 33);   // all zero again, for nothing
 *     svs__pages_unmap(table, (size_t)1 << 33);
 *
 * Threads: any. Nothing here keeps state. */
#ifndef SVS_BASE_PAGES_H
#define SVS_BASE_PAGES_H

#include <stddef.h>

/* @return NULL when there are no addresses left. */
void *svs__pages_map(size_t bytes);
void svs__pages_unmap(void *pages, size_t bytes);

/* Makes all of it be there, zero, before anybody uses it. What is mapped and then read before it is
 * written has two pages one after the other, and the second one's coming stops all threads of the
 * process. */
void svs__pages_ready(void *pages, size_t bytes);

/* Makes all of it zero, and gives back what was touched. `pages` is what was mapped, or a multiple
 * of svs__pages_bytes() above it. */
void svs__pages_forget(void *pages, size_t bytes);

/* How many bytes are there because they were touched. */
size_t svs__pages_touched(void *pages, size_t bytes);

/* Of one page. */
size_t svs__pages_bytes(void);

#endif
