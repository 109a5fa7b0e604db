/* A text file that may be compressed: a path that ends in .xz is read through `xz -dc`. */
#ifndef EXAMPLES_COMMON_INPUT_H
#define EXAMPLES_COMMON_INPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct input {
    FILE *file;
    pid_t child; /* 0: none */
} input;

/* @return 0 or an errno. */
int input_open(input *in, const char *path);

/* @return whether all of the file could be read: false when xz failed after the end was reached. */
bool input_close(input *in);

#endif
