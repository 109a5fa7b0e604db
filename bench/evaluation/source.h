/* What a port costs a programmer, counted in source text. */
#ifndef EVALUATION_SOURCE_H
#define EVALUATION_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

/* Lines of code: without comments and blank lines, without the spaces around them. */
typedef struct source {
    char **lines;
    size_t count;
} source;

/* All of a file, to be freed; NULL: it cannot be read. */
char *source_read_file(const char *path);

/* Adds a file's lines. @return false when it cannot be read. */
bool source_add(source *s, const char *path);
void source_clean_up(source *s);

/* How many lines of `to` are not among those of `from`, in order, and the other way round: what
 * diff calls added and removed. */
typedef struct source_changes {
    size_t added, removed;
} source_changes;
source_changes source_compare(const source *from, const source *to);

/* How often one of the words, each of which '|' ends, is called, or has a block behind it: a word's
 * end may be a star for any letters. "svs_writes*|svs_set|" */
size_t source_calls(const source *s, const char *words);

#endif
