#define SVS_SERIAL_ELISION
#include "programs_body.h"

void program_run_serially(program *p) {
    call root = {p, 0};
    run_generic(NULL, &root);
}
