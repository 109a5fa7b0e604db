#include "hooks/graph_hooks.h"

const svs__graph_hooks *svs__the_graph_hooks;

_Atomic(bool) svs__graph_used;
