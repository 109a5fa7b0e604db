/* What all parts of the scan use: memory that lasts until the program ends, texts, arrays, places
 * in sources, and messages. */
#ifndef SCAN_BASE_H
#define SCAN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Memory that is released as a whole. The arena of scan_memory() lasts until the program ends. */
typedef struct scan_arena {
    struct scan_block *block;
} scan_arena;
scan_arena *scan_memory(void);

/* Zeroed bytes, aligned to 8. A failed allocation ends the program with a message. */
void *scan_take(scan_arena *arena, size_t size);
void scan_arena_clear(scan_arena *arena);
#define SCAN_NEW(T) ((T *)scan_take(scan_memory(), sizeof(T)))

/* @return a text in memory that lasts until the program ends. scan_name() returns the same address
 * for equal texts. */
const char *scan_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *scan_name(const char *text);
static inline bool scan_same(const char *a, const char *b) {
    return *a == *b && strcmp(a, b) == 0; /* most texts differ in the first character */
}
/* The characters of names. */
#define SCAN_WORD "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static inline bool scan_starts(const char *text, const char *begin) {
    return strncmp(text, begin, strlen(begin)) == 0;
}
static inline bool scan_ends(const char *text, const char *end) {
    size_t length = strlen(text), less = strlen(end);
    return length > less && scan_same(text + length - less, end);
}

/* SCAN_LIST(T) declares an array of pointers that grows: struct { T **at; size_t count, room; }.
 * SCAN_ADD(list, item) appends. */
#define SCAN_LIST(T)                                                                               \
    struct {                                                                                       \
        T **at;                                                                                    \
        size_t count, room;                                                                        \
    }
#define SCAN_ADD(list, item)                                                                       \
    (scan_grow((void *)&(list)->at, &(list)->count, &(list)->room),                                \
     (list)->at[(list)->count - 1] = (item))
void scan_grow(void *at, size_t *count, size_t *room);

/* A table from texts to pointers. */
typedef struct scan_table {
    struct scan_entry *entries;
    size_t count, room;
} scan_table;
/* The slot for the value of a key, which is added if it is new; its value is NULL then. Valid until
 * the next key is added. */
void **scan_table_at(scan_table *table, const char *key);
/* The value of a key, or NULL. */
void *scan_table_get(const scan_table *table, const char *key);
/* The value of entry number `at`, 0 to room - 1; NULL if the entry is free. */
void *scan_table_value(const scan_table *table, size_t at);

/* A place in a source. */
typedef struct scan_place {
    const char *file;
    unsigned line, column;
} scan_place;

/* The place as FILE:LINE. */
const char *scan_at(scan_place place);

/* Prints `file:line:column: error: ...` once for each text and counts it; the program goes on, and
 * ends with TOOL_INCONSISTENT. */
void scan_error(scan_place place, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t scan_error_count(void);
/* After a call with true, errors are kept instead of printed; after a call with false, they are
 * printed again. @return the first error that was kept, or NULL. */
const char *scan_errors_hold(bool hold);
/* Prints `svs: ...` and ends the program with TOOL_ERROR. */
_Noreturn void scan_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The text of a file, in memory from malloc(). A file that cannot be read ends the program with a
 * message. */
char *scan_read(const char *path, size_t *length);
char *scan_read_all(FILE *file, size_t *length);

#endif
