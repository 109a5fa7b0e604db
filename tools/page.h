/* The page of svs trace html, made from the files in page/ when it is built: what stands before its
 * data, and what behind. */
#ifndef TOOL_PAGE_H
#define TOOL_PAGE_H

#include <stddef.h>

extern const unsigned char tool_page_head[], tool_page_tail[];
extern const size_t tool_page_head_size, tool_page_tail_size;

#endif
