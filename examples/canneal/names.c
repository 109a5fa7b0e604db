#include "names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"

static uint64_t hash_of(const char *text) {
    uint64_t hash = 0;
    for (const char *p = text; *p; p++) hash = random_mix(hash + (unsigned char)*p + RANDOM_STRIDE);
    return hash;
}

/* Slots stay a power of two and at most half full. */
static bool grow(name_table *names) {
    uint32_t capacity = names->capacity ? names->capacity * 2 : 64;
    if (names->capacity > UINT32_MAX / 8) return false;
    name_entry *entries = realloc(names->entries, capacity * sizeof *entries);
    if (!entries) return false;
    names->entries = entries;
    uint32_t *slots = calloc((size_t)capacity * 2, sizeof *slots);
    if (!slots) return false;
    free(names->slots);
    names->slots = slots;
    names->slot_count = capacity * 2;
    names->capacity = capacity;
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t at = (uint32_t)entries[i].hash & (names->slot_count - 1);
        while (slots[at]) at = (at + 1) & (names->slot_count - 1);
        slots[at] = i + 1;
    }
    return true;
}

uint32_t names_number(name_table *names, const char *text, uint64_t line) {
    if (names->count == names->capacity && !grow(names)) return NAMES_NONE;
    uint64_t hash = hash_of(text);
    uint32_t at = (uint32_t)hash & (names->slot_count - 1);
    for (; names->slots[at]; at = (at + 1) & (names->slot_count - 1)) {
        const name_entry *entry = &names->entries[names->slots[at] - 1];
        if (entry->hash == hash && !strcmp(entry->text, text)) return names->slots[at] - 1;
    }
    char *copy = strdup(text);
    if (!copy) return NAMES_NONE;
    names->entries[names->count] = (name_entry){.text = copy, .hash = hash, .mentioned = line};
    names->slots[at] = ++names->count;
    return names->count - 1;
}

void names_clean_up(name_table *names) {
    for (uint32_t i = 0; i < names->count; i++) free(names->entries[i].text);
    free(names->entries);
    free(names->slots);
    *names = (name_table){0};
}
