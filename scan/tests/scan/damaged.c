/* `svs scan` for many damaged inputs: `damaged ARGUMENTS`. For each line of the input it runs the
 * scan in a forked process, and writes how that ended: the exit status, or minus a signal. */
#include "scan/front/clang.h"
#include "scan/scan.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 20, BYTES = 1 << 28 }; /* of the processor, and of a file */

/* The tree is damaged, not the self-test's. */
const char *clang_find(const clang_options *options) { return options->program; }

/* An endless run ends, and what it prints is not among the statuses. */
static void prepare(void) {
    const struct rlimit seconds = {SECONDS, SECONDS}, bytes = {BYTES, BYTES};
    if (setrlimit(RLIMIT_CPU, &seconds) || setrlimit(RLIMIT_FSIZE, &bytes) ||
        !freopen("/dev/null", "w", stdout))
        abort();
}

static int run(int count, char **arguments) {
    int status;
    const pid_t process = fork();
    if (process == 0) {
        prepare();
        exit(scan_main(count, arguments));
    }
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR) abort();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int main(int count, char **arguments) {
    for (int byte; (byte = getchar()) != EOF;) {
        if (byte != '\n') continue;
        printf("%d\n", run(count - 1, arguments + 1));
        fflush(stdout);
    }
    return 0;
}
