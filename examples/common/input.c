#include "common/input.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int spawn_xz(const char *path, int output, pid_t *child) {
    char *arguments[] = {(char[]){"xz"}, (char[]){"-dc"}, (char[]){"--"}, (char *)path, NULL};
    posix_spawn_file_actions_t actions;
    int status = posix_spawn_file_actions_init(&actions);
    if (status) return status;
    status = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!status) status = posix_spawnp(child, "xz", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

static int open_xz(input *in, const char *path) {
    int ends[2];
    if (access(path, R_OK) || pipe2(ends, O_CLOEXEC)) return errno;
    int status = spawn_xz(path, ends[1], &in->child);
    close(ends[1]);
    if (!status && (in->file = fdopen(ends[0], "r"))) return 0;
    if (!status) status = errno;
    close(ends[0]);
    if (in->child) waitpid(in->child, NULL, 0);
    return status;
}

int input_open(input *in, const char *path) {
    size_t length = strlen(path);
    *in = (input){0};
    if (length > 3 && !strcmp(path + length - 3, ".xz")) return open_xz(in, path);
    in->file = fopen(path, "re");
    return in->file ? 0 : errno;
}

bool input_close(input *in) {
    int status = 0;
    fclose(in->file);
    if (in->child)
        while (waitpid(in->child, &status, 0) < 0 && errno == EINTR) continue;
    *in = (input){0};
    return status == 0;
}
