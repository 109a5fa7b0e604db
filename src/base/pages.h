/* Sparse tables: address space from the system that reads as zero, and takes physical memory only
 * for the pages that were touched.
 *
 *     uint64_t *table = svs__pages_map((size_t)1 << 33);
 *     ...
 *     svs__pages_forget(table, (size_t)1 << 33);   // all zero again, at the cost of one call
 *     svs__pages_unmap(table, (size_t)1 << 33);
 *
 * Threads: any. Nothing here keeps state. */
#ifndef SVS_BASE_PAGES_H
#define SVS_BASE_PAGES_H

#include <stddef.h>
#include <svs/status.h>

/* @return NULL when the address space is exhausted. */
void *svs__pages_map(size_t bytes);
void svs__pages_unmap(void *pages, size_t bytes);

/* Pre-faults the mapping for writing, and zeroes it. A page that is first read maps the shared zero
 * page; replacing that on the first write needs a TLB shootdown, which stops all threads of the
 * process. */
void svs__pages_ready(void *pages, size_t bytes);

/* Zeroes the mapping, and releases the touched pages. `pages` is the address of the mapping, or a
 * multiple of svs__pages_bytes() above it. */
void svs__pages_forget(void *pages, size_t bytes);

/* @return its bytes of physical memory: the pages that were touched. */
size_t svs__pages_touched(void *pages, size_t bytes);

/* Asks the system for huge pages, where it has them. Any mapped memory, at a multiple of a page. */
void svs__pages_prefer_huge(void *pages, size_t bytes);

/* Pre-faults the whole pages of any memory, in one call: faults one by one take longer. Their
 * contents stay. Where the system cannot do this, each page is faulted when it is touched. */
void svs__pages_fault_in(void *memory, size_t bytes);

/* @return the size of one page. */
size_t svs__pages_bytes(void);

#endif
