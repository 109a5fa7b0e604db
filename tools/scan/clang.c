#include "clang.h"
#include "boil.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PIPE_BYTES = 1 << 20 };

static clang_text read_all(int from) {
    clang_text read_so_far = {malloc(1 << 16), 0};
    size_t room = 1 << 16;
    ssize_t got;
    if (!read_so_far.text) scan_fail("out of memory");
    while ((got = read(from, read_so_far.text + read_so_far.length, room - read_so_far.length)) >
           0) {
        read_so_far.length += (size_t)got;
        if (read_so_far.length < room) continue;
        char *grown = realloc(read_so_far.text, room *= 2);
        if (!grown) scan_fail("out of memory");
        read_so_far.text = grown;
    }
    return read_so_far;
}

int clang_run(const char **arguments, const char *folder, bool quiet, clang_text *read_to) {
    posix_spawn_file_actions_t actions;
    int ends[2], status, failed;
    pid_t child;
    if (pipe(ends)) scan_fail("no pipe to clang");
    (void)fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES); /* a tree has megabytes; if not, it has 64 KB */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    if (quiet) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (folder) posix_spawn_file_actions_addchdir_np(&actions, folder);
    failed = posix_spawnp(&child, arguments[0], &actions, NULL, (char **)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *read_to = failed ? (clang_text){NULL, 0} : read_all(ends[0]);
    close(ends[0]);
    if (failed) return -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int clang_tree(const char *program, const clang_options *options, const char *file, bool quiet,
               clang_text *text) {
    SCAN_LIST(const char) arguments = {0};
    static const char *const fixed[] = {
        "-Xclang", "-ast-dump=json", "-fsyntax-only", "-w", "-Qunused-arguments", "-x", "c"};
    SCAN_ADD(&arguments, program);
    for (size_t i = 0; i < options->flag_count; i++) SCAN_ADD(&arguments, options->flags[i]);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) SCAN_ADD(&arguments, fixed[i]);
    SCAN_ADD(&arguments, "-DSVS_SCAN");
    SCAN_ADD(&arguments, "-DSVS_SERIAL_ELISION");
    SCAN_ADD(&arguments, "-USVS_SCANNED");
    SCAN_ADD(&arguments, "-DSVS_SCANNED=<svs/detail/not_scanned.h>");
    if (options->depfile) {
        SCAN_ADD(&arguments, "-MD");
        SCAN_ADD(&arguments, "-MF");
        SCAN_ADD(&arguments, options->depfile);
        SCAN_ADD(&arguments, "-MT");
        SCAN_ADD(&arguments, options->deptarget);
    }
    SCAN_ADD(&arguments, file);
    SCAN_ADD(&arguments, NULL);
    return clang_run(arguments.at, options->folder, quiet, text);
}

json *clang_read(scan_arena *arena, const clang_text *text, const char *file) {
    size_t at;
    json *tree = json_read(arena, text->text, text->length, &at);
    if (!tree || !json_is(tree, "kind", "TranslationUnitDecl"))
        scan_fail("clang's syntax tree of %s breaks off at byte %zu of %zu: is the disk or the "
                  "memory full?",
                  file, at, text->length);
    return tree;
}

json *clang_facts(const clang_options *options, const char *file) {
    static scan_arena arena;
    clang_text text;
    if (clang_tree(clang_find(options), options, file, false, &text) != 0)
        scan_fail("clang could not read %s (its messages are above): give the flags of its "
                  "compilation behind --, or -p FOLDER; a file that gcc alone can read needs "
                  "hand-written touch functions",
                  file);
    return boil_facts(&arena, clang_read(&arena, &text, file), file);
}
