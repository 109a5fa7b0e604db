/* JSON, to the extent that clang uses it: reads a text into a tree, and writes a tree. */
#ifndef SCAN_FRONT_JSON_H
#define SCAN_FRONT_JSON_H

#include "scan/base.h"

typedef enum json_kind { JSON_NULL, JSON_TEXT, JSON_PLAIN, JSON_ARRAY, JSON_OBJECT } json_kind;

/* JSON_PLAIN is a number, true or false. The members of an object and the elements of an array are
 * in the order of the file. */
typedef struct json {
    json_kind kind;
    const char *key;  /* the key of a member, else NULL */
    const char *text; /* JSON_TEXT, JSON_PLAIN */
    struct json *first, *next;
    scan_place place; /* the place of a node of clang's tree (tree.h) */
} json;

/* Reads one value from `text`, which may be changed. The tree lasts as long as `arena` and `text`.
 * @return NULL when the text is not JSON or ends early; `*at` is then the offset. */
json *json_read(scan_arena *arena, char *text, size_t length, size_t *at);
void json_write(FILE *output, const json *value);

/* json_get(): a member of an object, or NULL. json_text(): the text of a member, or NULL. */
const json *json_get(const json *object, const char *key);
const char *json_text(const json *object, const char *key);
static inline bool json_is(const json *object, const char *key, const char *text) {
    const char *found = json_text(object, key);
    return found && scan_same(found, text);
}

#endif
