/* The programs of ../async, run on a runtime by bodies that let others in: each piece of work gives
 * the CPU away, so that much is stolen, also on few CPUs. */
#include "../async/programs.h"
#include "base/platform.h"

static uint64_t linger(uint64_t value, uint32_t amount) {
    if (amount % 4 == 0) svs__yield();
    return program_work(value, amount);
}

#define program_work linger
#include "../async/programs_body.h"

void program_run(svs_async_context *async, void *argument) {
    call root = {argument, 0};
    run_generic(async, &root);
}
