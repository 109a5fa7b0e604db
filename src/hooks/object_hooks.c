#include "hooks/object_hooks.h"

_Atomic(const svs__object_watcher *) svs__object_watch;
