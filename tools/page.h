/* The page of svs trace html, generated from the files in page/ by the build: the parts before and
 * after the data. */
#ifndef TOOL_PAGE_H
#define TOOL_PAGE_H

#include <stddef.h>

extern const unsigned char tool_page_head[], tool_page_tail[];
extern const size_t tool_page_head_size, tool_page_tail_size;

#endif
