#include "worksteal/worker.h"

static _Thread_local svs__worker *self SVS__TLS_NEAR;

svs__worker *svs__worker_self(void) { return self; }

void svs__worker_become(svs__worker *worker) {
    self = worker;
    svs__thread_index_set(worker == NULL ? SVS_NO_WORKER : worker->index);
}
