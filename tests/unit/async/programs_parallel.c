#include "programs_body.h"

void program_run(svs_strand *strand, void *argument) {
    call root = {argument, 0};
    run_generic(strand, &root);
}
