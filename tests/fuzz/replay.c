/* Runs a fuzz target on each file of a folder, as a test: each past finding stays covered.
 * `replay FOLDER` */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every input is small: a file that does not fit is an error. */
#define INPUT_MAX 65536

static int run_file(const char *path) {
    static uint8_t room[INPUT_MAX];
    FILE *file = fopen(path, "rb");
    uint8_t *input;
    size_t size;
    if (file == NULL) {
        perror(path);
        return 1;
    }
    size = fread(room, 1, sizeof room, file);
    (void)fclose(file);
    /* Of its own size, so that a sanitizer sees what lies beyond. */
    input = malloc(size + (size == 0));
    memcpy(input, room, size);
    (void)LLVMFuzzerTestOneInput(input, size);
    free(input);
    return 0;
}

int main(int argc, char **argv) {
    const struct dirent *entry;
    int failed = 0, inputs = 0;
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (folder == NULL) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    while ((entry = readdir(folder)) != NULL) {
        char path[1024];
        if (entry->d_name[0] == '.') continue;
        (void)snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        failed += run_file(path);
        inputs++;
    }
    (void)closedir(folder);
    printf("%d inputs\n", inputs);
    return failed != 0 || inputs == 0;
}
