/* A target for libFuzzer: the reader refuses any bytes with a message, or reads a fluid, and writes
 * its particles as the same bytes. */
#include "as_file.h"
#include "fluidanimate/file.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_written(const fluid *f, const uint8_t *data, size_t size) {
    char path[AS_FILE_PATH], error[FLUID_FILE_ERROR];
    int file = as_file(data, 0, path);
    uint8_t *again = malloc(size + 1);
    SVS__CHECK(again != NULL && fluid_write(f, path, error));
    SVS__CHECK(pread(file, again, size + 1, 0) == (ssize_t)size);
    SVS__CHECK(memcmp(again, data, size) == 0);
    free(again);
    (void)close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[AS_FILE_PATH], error[FLUID_FILE_ERROR] = "";
    fluid f;
    int file = as_file(data, size, path);
    if (fluid_read(&f, path, error)) check_written(&f, data, size);
    else SVS__CHECK(error[0] != '\0' && memchr(error, '\0', sizeof error) != NULL);
    fluid_clean_up(&f);
    (void)close(file);
    return 0;
}
