#include "scan/front/clang.h"
#include "scan/front/boil.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PIPE_BYTES = 1 << 20 };

clang_process clang_begin(const char **arguments, const char *folder, bool quiet) {
    posix_spawn_file_actions_t actions;
    clang_process clang;
    int ends[2];
    if (pipe(ends)) scan_fail("cannot make a pipe to clang");
    /* a tree has megabytes; if the call fails, the pipe has 64 KB */
    (void)fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    if (quiet) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (folder) posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (posix_spawnp(&clang.process, arguments[0], &actions, NULL, (char **)arguments, environ))
        clang.process = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    clang.output = ends[0];
    return clang;
}

int clang_end(clang_process clang) {
    int status;
    close(clang.output);
    if (clang.process < 0) return -1;
    while (waitpid(clang.process, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool clang_tree(scan_arena *arena, const char *program, const clang_options *options,
                const char *file, bool quiet, tree *found) {
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
    const clang_process clang = clang_begin(arguments.at, options->folder, quiet);
    *found = tree_read(arena, clang.output, options->folder);
    return clang_end(clang) == 0;
}

json *clang_boil(scan_arena *arena, const tree *found, const char *file) {
    if (found->length && !json_is(found->root, "kind", "TranslationUnitDecl"))
        scan_fail("clang's syntax tree of %s breaks off at byte %zu of %zu: is the disk or the "
                  "memory full?",
                  file, found->at, found->length);
    return found->length ? boil_facts(arena, found->root, file) : NULL;
}

json *clang_facts(const clang_options *options, const char *file) {
    static scan_arena arena;
    tree read_to;
    if (!clang_tree(&arena, clang_find(options), options, file, false, &read_to))
        scan_fail("clang could not read %s (its messages are above): give the flags of its "
                  "compilation after --, or -p FOLDER; a file that gcc alone can read needs "
                  "hand-written touch functions",
                  file);
    json *facts = clang_boil(&arena, &read_to, file);
    if (!facts) scan_fail("clang's syntax tree of %s is empty", file);
    return facts;
}
