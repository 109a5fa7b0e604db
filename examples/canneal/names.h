/* Names and their numbers: 0, 1, 2 ... as they come. */
#ifndef CANNEAL_NAMES_H
#define CANNEAL_NAMES_H

#include <stdint.h>

typedef struct name_entry {
    char *text;
    uint64_t hash;
    uint64_t mentioned; /* the line of the name's first occurrence */
    uint64_t defined;   /* the line that defines it; 0: none yet */
} name_entry;

typedef struct name_table {
    name_entry *entries; /* entries by number */
    uint32_t count, capacity;
    uint32_t *slots; /* open addressing: number + 1, or 0 */
    uint32_t slot_count;
} name_table;

#define NAMES_NONE UINT32_MAX

/* @return the number of `text`, a new one for a new name; NAMES_NONE: no memory. */
uint32_t names_number(name_table *names, const char *text, uint64_t line);

void names_clean_up(name_table *names);

#endif
