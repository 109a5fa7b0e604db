#include "scan/base.h"
#include "command.h"
#include <stdarg.h>
#include <stdlib.h>

enum { BLOCK_BYTES = 1 << 18, SMALL_BYTES = 512 };

typedef struct scan_block {
    struct scan_block *next;
    size_t used, size;
    _Alignas(16) char data[];
} scan_block;

typedef struct scan_entry {
    const char *key;
    void *value;
} scan_entry;

scan_arena *scan_memory(void) {
    static scan_arena memory;
    return &memory;
}

static void *must(void *memory) {
    if (!memory) scan_fail("out of memory: scan fewer files at once");
    return memory;
}

void *scan_take(scan_arena *arena, size_t size) {
    scan_block *block = arena->block;
    void *taken;
    size = (size + 7) & ~(size_t)7;
    if (!block || block->size - block->used < size) {
        size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
        block = must(malloc(sizeof *block + room));
        *block = (scan_block){.next = arena->block, .size = room};
        arena->block = block;
    }
    taken = block->data + block->used;
    block->used += size;
    return memset(taken, 0, size);
}

void scan_arena_clear(scan_arena *arena) {
    while (arena->block) {
        scan_block *next = arena->block->next;
        free(arena->block);
        arena->block = next;
    }
}

static char *copied(const char *text, size_t length) {
    char *copy = scan_take(scan_memory(), length + 1);
    return memcpy(copy, text, length);
}

const char *scan_text(const char *format, ...) {
    char small[SMALL_BYTES], *text;
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start() is above */
    size_t length = (size_t)vsnprintf(small, sizeof small, format, values);
    if (length < sizeof small) {
        text = copied(small, length);
    } else {
        text = scan_take(scan_memory(), length + 1);
        vsnprintf(text, length + 1, format, again);
    }
    va_end(again);
    va_end(values);
    return text;
}

const char *scan_name(const char *text) {
    static scan_table names;
    void **slot = scan_table_at(&names, text);
    if (!*slot) *slot = copied(text, strlen(text));
    return *slot;
}

void scan_grow(void *at, size_t *count, size_t *room) {
    if (*count == *room) {
        size_t more = *room ? 2 * *room : 8;
        void *grown = scan_take(scan_memory(), more * sizeof(void *)), *old;
        memcpy(&old, at, sizeof old);
        if (*count) memcpy(grown, old, *count * sizeof(void *));
        memcpy(at, &grown, sizeof grown);
        *room = more;
    }
    ++*count;
}

static size_t hash_of(const char *key) {
    uint64_t hash = 1469598103934665603u;
    for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 1099511628211u;
    return (size_t)(hash ^ hash >> 29);
}

/* The entry of a key, or the free entry for it. */
static scan_entry *find(const scan_table *table, const char *key) {
    size_t at = hash_of(key) & (table->room - 1);
    while (table->entries[at].key && !scan_same(table->entries[at].key, key))
        at = (at + 1) & (table->room - 1);
    return &table->entries[at];
}

static void enlarge(scan_table *table) {
    scan_table old = *table;
    table->room = old.room ? 2 * old.room : 64;
    table->entries = scan_take(scan_memory(), table->room * sizeof *table->entries);
    for (size_t i = 0; i < old.room; i++)
        if (old.entries[i].key) *find(table, old.entries[i].key) = old.entries[i];
}

void **scan_table_at(scan_table *table, const char *key) {
    scan_entry *entry;
    if (2 * table->count >= table->room) enlarge(table);
    entry = find(table, key);
    if (!entry->key) {
        entry->key = copied(key, strlen(key));
        table->count++;
    }
    return &entry->value;
}

void *scan_table_get(const scan_table *table, const char *key) {
    return table->room ? find(table, key)->value : NULL;
}

void *scan_table_value(const scan_table *table, size_t at) { return table->entries[at].value; }

const char *scan_at(scan_place place) {
    return scan_text("%s:%u", place.file ? place.file : "?", place.line);
}

static size_t errors;

size_t scan_error_count(void) { return errors; }

static bool holds_errors;
static const char *first_held;

const char *scan_errors_hold(bool hold) {
    const char *found = first_held;
    holds_errors = hold;
    first_held = NULL;
    return found;
}

void scan_error(scan_place place, const char *format, ...) {
    static scan_table told;
    char text[1024];
    va_list values;
    va_start(values, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start() is above */
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (holds_errors) {
        if (!first_held) first_held = scan_text("%s", text);
        return;
    }
    const char *line = scan_text("%s:%u:%u: error: %s", place.file ? place.file : "?", place.line,
                                 place.column, text);
    void **slot = scan_table_at(&told, line);
    if (*slot) return;
    *slot = told.entries;
    errors++;
    fprintf(stderr, "%s\n", line);
}

void scan_fail(const char *format, ...) {
    va_list values;
    fputs("svs: ", stderr);
    va_start(values, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start() is above */
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(TOOL_ERROR); /* NOLINT(concurrency-mt-unsafe): there is one thread */
}

char *scan_read_all(FILE *file, size_t *length) {
    size_t room = 1 << 16, got;
    char *text = malloc(room);
    *length = 0;
    if (!text) scan_fail("out of memory");
    while ((got = fread(text + *length, 1, room - *length - 1, file)) > 0) {
        char *grown;
        *length += got;
        if (room - *length > 1) continue;
        grown = realloc(text, room *= 2);
        if (!grown) scan_fail("out of memory");
        text = grown;
    }
    text[*length] = 0;
    return text;
}

char *scan_read(const char *path, size_t *length) {
    FILE *file = fopen(path, "r");
    if (!file) scan_fail("cannot read %s", path);
    char *text = scan_read_all(file, length);
    fclose(file);
    return text;
}
