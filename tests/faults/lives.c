/* A whole program, lived over and over: in each life the next allocation fails, and then, from the
 * beginning, the next thread cannot be created.
 *
 * A life ends soon, with status 0 or a failure's; never by a signal. One that ends with 0 has
 * printed the output of a life without a failure. One that fails says why. It leaks no memory: the
 * address sanitizer checks that at each end, when it is there.
 *
 *     faults_NAME allocations|threads [--says TEXT] [ARGUMENTS OF THE PROGRAM]
 *
 * --says: the output of a life that ends with 0 varies from run to run, but has TEXT in it. */
#include "faults.h"
#include "scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The program's, renamed. */
int program_main(int argc, char **argv);

#define SECONDS 60u /* only a hang takes so long */
#define QUIET 3u    /* lives in a row in which nothing failed: that was the last call */
#define TEXT_MAX 65536

typedef struct life {
    int status; /* of the exit; -1: by a signal */
    int signal;
    unsigned long failed;
    char out[TEXT_MAX], error[TEXT_MAX];
} life;

static life first, now;
static const char *must_say; /* NULL: all that the first life has said */

static void text_of(FILE *file, char *text) {
    size_t length;
    rewind(file);
    length = fread(text, 1, TEXT_MAX - 1, file);
    text[length] = 0;
    (void)fclose(file);
}

static void live_in_child(fault_kind kind, unsigned long call, FILE *out, FILE *error, int argc,
                          char **argv) {
    if (dup2(fileno(out), STDOUT_FILENO) < 0 || dup2(fileno(error), STDERR_FILENO) < 0) _exit(99);
    alarm(SECONDS);
    fault_begin(kind, call);
    (void)atexit(fault_end); /* what a compiler's runtime does behind the program is not failed */
    exit(program_main(argc, argv));
}

static void live(life *l, fault_kind kind, unsigned long call, int argc, char **argv) {
    FILE *out = tmpfile(), *error = tmpfile();
    int status;
    pid_t child;
    if (!out || !error) abort();
    (void)fflush(NULL);
    fault_begin(kind, 0);
    child = fork();
    if (child < 0) abort();
    if (child == 0) live_in_child(kind, call, out, error, argc, argv);
    if (waitpid(child, &status, 0) != child) abort();
    l->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    l->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    l->failed = fault_failed();
    text_of(out, l->out);
    text_of(error, l->error);
}

static int says_why(fault_kind kind, const char *text) {
    return strstr(text, "emory") || strstr(text, "NO_MEMORY") ||
           (kind == FAULT_THREAD && strstr(text, "hread"));
}

static int is_right(const char *out) {
    return must_say ? strstr(out, must_say) != NULL : strcmp(out, first.out) == 0;
}

/* @return NULL, or what is wrong with the life. */
static const char *mistake(fault_kind kind, const life *l) {
    if (l->signal) return "was ended by a signal";
    if (l->status == 0) return is_right(l->out) ? NULL : "has printed something else";
    if (!l->failed) return "has failed though nothing did";
    if (strstr(l->error, "Sanitizer")) return "was stopped by a sanitizer";
    return says_why(kind, l->error) ? NULL : "has failed, and does not say why";
}

/* Counts of the lives and of their ends. */
typedef struct score {
    unsigned long lives, failures, endured;
} score;

/* Each call fails in turn; in sanitized builds, where a life takes long, and in short runs some of
 * them, all over. */
static unsigned long step_of(unsigned long calls) {
    unsigned long percent = (unsigned long)scaled(100, 1);
    unsigned long lives = percent >= 100 ? calls : percent >= 10 ? 100 : 40;
    return calls <= lives ? 1 : calls / lives;
}

/* Lives until nothing fails any more. @return whether all lives were right. */
static int live_on(fault_kind kind, score *s, int argc, char **argv) {
    unsigned long quiet = 0, step = step_of(fault_calls(kind));
    for (unsigned long call = 1; quiet < QUIET; call += step) {
        const char *wrong;
        live(&now, kind, call, argc, argv);
        wrong = mistake(kind, &now);
        if (wrong) {
            (void)fprintf(stderr, "call %lu: the life %s (status %d, signal %d)\n%s%s\n", call,
                          wrong, now.status, now.signal, now.out, now.error);
            return 0;
        }
        s->lives++;
        s->failures += now.failed;
        s->endured += now.failed && now.status == 0;
        quiet = now.failed ? 0 : quiet + 1;
    }
    return 1;
}

int main(int argc, char **argv) {
    score s = {0, 0, 0};
    fault_kind kind;
    int from = 1;
    if (argc < 2) return 2;
    kind = strcmp(argv[1], "threads") == 0 ? FAULT_THREAD : FAULT_ALLOCATION;
    if (argc > 3 && strcmp(argv[2], "--says") == 0) {
        must_say = argv[3];
        from = 3;
    }
    argv[from] = argv[0];
    fault_open();
    live(&first, kind, 0, argc - from, argv + from);
    if (first.status != 0 || !is_right(first.out)) {
        (void)fprintf(stderr, "without a failure: status %d, signal %d\n%s%s", first.status,
                      first.signal, first.out, first.error);
        return 1;
    }
    if (!live_on(kind, &s, argc - from, argv + from)) return 1;
    printf("%lu lives, %lu %s failed, %lu of them endured\n", s.lives, s.failures,
           kind == FAULT_THREAD ? "threads" : "allocations", s.endured);
    return s.failures == 0;
}
