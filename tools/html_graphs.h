/* What svs trace html shows of graphs: the part of the page's data (page/graphs.js). */
#ifndef TOOL_HTML_GRAPHS_H
#define TOOL_HTML_GRAPHS_H

#include "view.h"

#define TOOL_COLUMNS 1200u

/* Prints `,"graphs":{...}`, with the longest `most` instances and as many conflicts; or nothing, if
 * the trace has no graph. @return false: no memory. */
bool tool_html_graphs(FILE *output, const tool_view *view, uint32_t most);

#endif
