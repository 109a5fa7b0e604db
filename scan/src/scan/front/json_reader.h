/* The inside of json.h: a reader that takes a text piece by piece, and may leave members out. */
#ifndef SCAN_FRONT_JSON_READER_H
#define SCAN_FRONT_JSON_READER_H

#include "scan/front/json.h"

/* What becomes of a member. Numbers from JSON_OTHER on are the user's own. */
typedef enum json_use { JSON_KEEP, JSON_SKIP, JSON_OTHER } json_use;

typedef struct json_reader {
    scan_arena *arena; /* the arena of the tree */
    char *at, *end;    /* what is there of the text, and not read */
    int depth;
    /* memory from malloc() with bytes of the file `from`; NULL: the whole text is in memory */
    char *piece;
    size_t room, passed; /* bytes of the text in front of `piece` */
    int from;
    int (*use)(const char *key);
    bool (*other)(struct json_reader *r, json *object, int use); /* reads that member's value */
} json_reader;

/* For `from`, in pieces. */
void json_begin(json_reader *r, scan_arena *arena, int from);
/* Reads what is left, and gives the piece back. @return the bytes of the whole text. */
size_t json_end(json_reader *r);
/* The bytes that are read so far. */
size_t json_offset(const json_reader *r, const char *text);

/* Each is NULL or false when the text ends, or is no JSON. Texts last until the next call. */
json *json_value(json_reader *r);
json *json_only(json_reader *r); /* reads the value that is the whole text */
bool json_skip(json_reader *r);
bool json_take(json_reader *r, char wanted);
const char *json_string(json_reader *r);
bool json_unsigned(json_reader *r, unsigned *number);
/* The next key of an object; `*key` is NULL at its end. */
bool json_key(json_reader *r, bool first, const char **key);

#endif
