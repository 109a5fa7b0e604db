#include "scan/front/files.h"
#include "command.h"
#include "scan/front/commands.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AT_ONCE_MAX = 64 };

/* A process that writes one file's facts. */
typedef struct scan_job {
    pid_t process;
    FILE *facts;
} scan_job;

static void add_text(scan_program *program, char *text, size_t length, const char *name) {
    scan_arena arena = {NULL};
    size_t at;
    const json *facts = json_read(&arena, text, length, &at);
    if (!facts || !json_get(facts, "svs_facts_of"))
        scan_fail("%s has no facts (byte %zu): make it again with svs scan --facts", name, at);
    ast_add(program, facts);
    scan_arena_clear(&arena);
    free(text);
}

void files_link(scan_program *program, const scan_files *facts) {
    for (size_t i = 0; i < facts->count; i++) {
        size_t length;
        char *text = scan_read(facts->at[i], &length);
        add_text(program, text, length, facts->at[i]);
    }
}

static json *facts_of(const char *source, const clang_options *options, const char *commands) {
    clang_options clang = *options;
    if (commands) source = commands_flags(commands, source, &clang);
    return clang_facts(&clang, source);
}

static scan_job begin(const char *source, const clang_options *options, const char *commands) {
    scan_job job = {.facts = tmpfile()};
    if (!job.facts) scan_fail("cannot make a temporary file for the facts of %s", source);
    /* the buffers contain output of the parent, which the child must not write again */
    fflush(NULL);
    job.process = fork();
    if (job.process < 0) scan_fail("cannot start a process for the facts of %s", source);
    if (job.process > 0) return job;
    json_write(job.facts, facts_of(source, options, commands));
    if (fclose(job.facts) != 0)
        scan_fail("cannot write the facts of %s: is the disk full?", source);
    exit(TOOL_OK); /* NOLINT(concurrency-mt-unsafe): there is one thread */
}

/* Waits for the end of a process. @return the exit status, or minus the signal that ended the
 * process. */
static int wait_for(pid_t process) {
    int status;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Ends all other processes after the process of one file has failed, which has printed the reason
 * itself, or was ended by a signal. */
static void give_up(const scan_job *others, size_t count, const char *source, int status) {
    for (size_t i = 0; i < count; i++) {
        kill(others[i].process, SIGTERM);
        (void)wait_for(others[i].process);
    }
    if (status < 0)
        scan_fail("the process that reads %s was ended by signal %d: look whether memory or a "
                  "limit was exceeded",
                  source, -status);
    exit(status); /* NOLINT(concurrency-mt-unsafe): there is one thread */
}

static void end(scan_program *program, const scan_job *job, const char *source) {
    size_t length;
    rewind(job->facts);
    char *text = scan_read_all(job->facts, &length);
    fclose(job->facts);
    add_text(program, text, length, source);
}

static size_t at_once(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1) return 1;
    return processors < AT_ONCE_MAX ? (size_t)processors : AT_ONCE_MAX;
}

void files_scan(scan_program *program, const scan_files *sources, const clang_options *options,
                const char *commands) {
    const size_t most = at_once();
    scan_job *jobs = scan_take(scan_memory(), sources->count * sizeof *jobs);
    size_t begun = 0;
    (void)clang_find(options); /* once, for all processes */
    for (size_t i = 0; i < sources->count; i++) {
        for (; begun < sources->count && begun < i + most; begun++)
            jobs[begun] = begin(sources->at[begun], options, commands);
        int status = wait_for(jobs[i].process);
        if (status != TOOL_OK) give_up(jobs + i + 1, begun - i - 1, sources->at[i], status);
        end(program, &jobs[i], sources->at[i]);
    }
}
