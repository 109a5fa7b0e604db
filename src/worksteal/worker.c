#include "worksteal/worker.h"

_Thread_local svs__worker *svs__self SVS__TLS_NEAR;

void svs__worker_become(svs__worker *worker) {
    svs__self = worker;
    svs__thread_index_set(worker == NULL ? SVS_NO_WORKER : worker->index);
}
