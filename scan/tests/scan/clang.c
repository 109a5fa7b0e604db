/* clang, for the tests of svs scan. Each scan first has clang read a sample (clang_find.c), and
 * clang takes longer to start than to read a case. The syntax tree of the sample is kept, and
 * printed again as long as the sample and clang are the same. All else is for clang itself, and
 * the test scan.front has clang read each sample. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAMPLE "/tmp/svs-scan-" /* and six characters */

typedef struct text {
    char *at; /* NULL: there is no such file */
    size_t length;
} text;

static text read_text(const char *path) {
    struct stat about;
    text read_to = {NULL, 0};
    int file = open(path, O_RDONLY);
    if (file >= 0 && fstat(file, &about) == 0 && (read_to.at = malloc((size_t)about.st_size + 1))) {
        ssize_t got = read(file, read_to.at, (size_t)about.st_size);
        read_to.length = got < 0 ? 0 : (size_t)got;
        read_to.at[read_to.length] = 0;
    }
    if (file >= 0) close(file);
    return read_to;
}

static bool same(text a, text b) {
    return a.at && b.at && a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/* As a whole: another test may read it at the same time. */
static void write_text(const char *path, text what) {
    char own[4096];
    (void)snprintf(own, sizeof own, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(own, "w");
    if (!file || fwrite(what.at, 1, what.length, file) != what.length || fclose(file) != 0 ||
        rename(own, path) != 0)
        perror(own), exit(127);
}

static bool is_newer(const char *path, const char *than) {
    struct stat first, second;
    return stat(path, &first) == 0 && stat(than, &second) == 0 && first.st_mtime > second.st_mtime;
}

static int run_clang(char **arguments) {
    arguments[0] = CLANG;
    execv(CLANG, arguments);
    perror(CLANG);
    return 127;
}

/* The tree that clang writes. */
static text ask(char **arguments) {
    char path[4096];
    int status;
    (void)snprintf(path, sizeof path, "%s.%ld", KEPT, (long)getpid());
    pid_t child = fork();
    if (child == 0) exit(freopen(path, "w", stdout) ? run_clang(arguments) : 127);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) exit(1);
    text tree = read_text(path);
    unlink(path);
    return tree;
}

/* The path of the sample is another one in each scan, of the same length. */
static void print(text tree, const char *file) {
    for (char *at = tree.at; (at = strstr(at, SAMPLE)) != NULL; at++)
        memcpy(at, file, strlen(file));
    fwrite(tree.at, 1, tree.length, stdout);
}

int main(int count, char **arguments) {
    const char *file = arguments[count - 1];
    if (strncmp(file, SAMPLE, strlen(SAMPLE)) != 0 || strlen(file) != strlen(SAMPLE) + 6)
        return run_clang(arguments);
    text sample = read_text(file), kept = read_text(KEPT ".c"), tree = {NULL, 0};
    if (same(sample, kept) && is_newer(KEPT ".json", CLANG)) tree = read_text(KEPT ".json");
    if (!tree.at) {
        tree = ask(arguments);
        write_text(KEPT ".json", tree);
        write_text(KEPT ".c", sample);
    }
    print(tree, file);
    free(tree.at), free(kept.at), free(sample.at); /* a build that looks for leaks runs this, too */
    return 0;
}
