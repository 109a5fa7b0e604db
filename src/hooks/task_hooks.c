#include "hooks/task_hooks.h"

void (*svs__runtime_started)(svs_runtime *runtime);
void (*svs__runtime_ended)(svs_runtime *runtime);
