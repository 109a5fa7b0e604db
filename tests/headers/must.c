/* SVS_MUST goes on after SVS_OK, and ends the program with a line of its own otherwise. */
#include <stdio.h>
#include <svs/must.h>

static int calls;

static svs_status call(svs_status status) {
    calls++;
    return status;
}

int main(void) {
    SVS_MUST(call(SVS_OK));
    printf("%d call\n", calls);
    fflush(stdout);
    SVS_MUST(call(calls == 1 ? SVS_E_LIMIT : SVS_OK));
    puts("went on");
    return 0;
}
