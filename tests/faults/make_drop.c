/* Writes a small fluid to a file: an input. */
#include <stdbool.h>
#include <stdio.h>

#include "file.h"
#include "tests/drop.h"

int main(int argc, char **argv) {
    char error[FLUID_FILE_ERROR] = "a file's name is wanted";
    fluid f;
    const char *wrong = argc == 2 ? drop_make(&f, 150, 6, 3) : error;
    if (!wrong && !fluid_write(&f, argv[1], error)) wrong = error;
    if (wrong) (void)fprintf(stderr, "%s\n", wrong);
    else fluid_clean_up(&f);
    return wrong != NULL;
}
