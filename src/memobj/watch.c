#include "memobj/watch.h"

_Atomic(const svs__object_watcher *) svs__object_watch;
