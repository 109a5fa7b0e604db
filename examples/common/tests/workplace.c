#include "common/tests/workplace.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGUMENTS_MAX 32

extern char **environ;

static char folder[PATH_MAX - 300];

int workplace_open(void **state) {
    const char *base = getenv("TMPDIR");
    (void)state;
    snprintf(folder, sizeof folder, "%s/canneal-XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

int workplace_close(void **state) {
    DIR *all = opendir(folder);
    (void)state;
    if (!all) return -1;
    for (struct dirent *entry; (entry = readdir(all));)
        if (entry->d_name[0] != '.') unlink(workplace_path(entry->d_name));
    closedir(all);
    return rmdir(folder);
}

static const char *path_in(char path[PATH_MAX], const char *name) {
    snprintf(path, PATH_MAX, "%s/%.255s", folder, name);
    return path;
}

const char *workplace_path(const char *name) {
    static char path[PATH_MAX];
    return path_in(path, name);
}

const char *workplace_write(const char *name, const void *bytes, size_t count) {
    const char *path = workplace_path(name);
    FILE *file = fopen(path, "w");
    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file)) abort();
    return path;
}

static void read_back(const char *name, char *text) {
    char path[PATH_MAX];
    FILE *file = fopen(path_in(path, name), "r");
    if (!file) abort();
    text[fread(text, 1, OUTPUT_MAX - 1, file)] = 0;
    fclose(file);
}

static bool spawn(const char *program, char **arguments, pid_t *child) {
    char out[PATH_MAX], err[PATH_MAX];
    posix_spawn_file_actions_t actions;
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path_in(out, "stdout"), flags, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, path_in(err, "stderr"), flags, 0600);
    int status = posix_spawnp(child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return status == 0;
}

const outcome *workplace_run(const char *program, ...) {
    static outcome result;
    char *arguments[ARGUMENTS_MAX + 1] = {(char *)program};
    va_list list;
    pid_t child;
    int status;
    va_start(list, program);
    for (int i = 1; i < ARGUMENTS_MAX && (arguments[i] = va_arg(list, char *)); i++) continue;
    va_end(list);
    if (!spawn(program, arguments, &child) || waitpid(child, &status, 0) != child) return NULL;
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    read_back("stdout", result.out);
    read_back("stderr", result.err);
    return &result;
}
