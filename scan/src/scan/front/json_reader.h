/* The inside of json.h: a reader that takes a text piece by piece, and may leave members out. */
#ifndef SCAN_FRONT_JSON_READER_H
#define SCAN_FRONT_JSON_READER_H

#include "scan/front/json.h"

/* What becomes of a member. The caller gives a meaning to the numbers from JSON_OTHER upwards. */
typedef enum json_use { JSON_KEEP, JSON_SKIP, JSON_OTHER } json_use;

typedef struct json_reader {
    scan_arena *arena; /* the arena of the tree */
    char *at, *end;    /* the part of the text that is in memory and not read yet */
    int depth;
    /* memory from malloc() with bytes of the file `from`; NULL: the whole text is in memory */
    char *piece;
    size_t room, passed; /* size of `piece`; number of bytes of the text before it */
    int from;
    int (*use)(const char *key);
    /* reads the value of a member with such a number */
    bool (*other)(struct json_reader *r, json *object, int use);
} json_reader;

/* Begins to read the file `from`, in pieces. */
void json_begin(json_reader *r, scan_arena *arena, int from);
/* Reads the rest of the text, and releases the piece. @return the size of the whole text in
 * bytes. */
size_t json_end(json_reader *r);
/* The number of bytes that are read so far. */
size_t json_offset(const json_reader *r, const char *text);

/* Each returns NULL or false when the text ends, or is no JSON. Texts last until the next call. */
json *json_value(json_reader *r);
json *json_only(json_reader *r); /* reads the value that is the whole text */
bool json_skip(json_reader *r);
bool json_take(json_reader *r, char wanted);
const char *json_string(json_reader *r);
bool json_unsigned(json_reader *r, unsigned *number);
/* Reads the next key of an object; `*key` is NULL at its end. */
bool json_key(json_reader *r, bool first, const char **key);

#endif
