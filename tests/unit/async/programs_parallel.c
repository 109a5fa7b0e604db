#include "programs_body.h"

void program_run(svs_async_context *async, void *argument) {
    call root = {argument, 0};
    run_generic(async, &root);
}
