/* An open-addressing table with linear probing; a removal shifts the followers back. Its memory
 * comes from libc, so that each build makes the same requests to the program's allocator. */
#include "memobj/addresses.h"

#include "base/memory.h"
#include "memobj/core/world_state.h"

#if defined(SVS__ADDRESSES_KNOWN)

#define CAPACITY_FIRST 64u

static uint32_t home(const svs__addresses *table, uintptr_t address) {
    return (uint32_t)((uint64_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 32) &
           (table->capacity - 1);
}

static uint32_t next(const svs__addresses *table, uint32_t slot) {
    return (slot + 1) & (table->capacity - 1);
}

/* The slot of the address, or the empty slot where it belongs. */
static uint32_t find(const svs__addresses *table, uintptr_t address) {
    uint32_t slot = home(table, address);
    while (table->slots[slot] && table->slots[slot] != address) slot = next(table, slot);
    return slot;
}

static bool grow(svs__addresses *table) {
    svs__addresses larger = {.capacity = table->capacity ? 2 * table->capacity : CAPACITY_FIRST,
                             .count = table->count};
    larger.slots =
        svs__allocate_zeroed(&svs__allocator_libc, (size_t)larger.capacity * sizeof(uintptr_t), 8);
    if (!larger.slots) return false;
    for (uint32_t i = 0; i < table->capacity; i++)
        if (table->slots[i]) larger.slots[find(&larger, table->slots[i])] = table->slots[i];
    svs__release(&svs__allocator_libc, table->slots, (size_t)table->capacity * sizeof(uintptr_t),
                 8);
    table->slots = larger.slots;
    table->capacity = larger.capacity;
    return true;
}

static void add(svs__addresses *table, uintptr_t address) {
    uint32_t slot;
    if (2 * (table->count + 1) > table->capacity && !grow(table)) return;
    slot = find(table, address);
    if (table->slots[slot]) return;
    table->slots[slot] = address;
    table->count++;
}

static void remove_one(svs__addresses *table, uintptr_t address) {
    uint32_t hole, slot;
    if (!table->count) return;
    hole = find(table, address);
    if (!table->slots[hole]) return;
    table->count--;
    for (slot = next(table, hole); table->slots[slot]; slot = next(table, slot)) {
        uint32_t wanted = home(table, table->slots[slot]);
        /* Moves the address into the hole, unless its home slot lies after the hole. */
        if (((slot - wanted) & (table->capacity - 1)) < ((slot - hole) & (table->capacity - 1)))
            continue;
        table->slots[hole] = table->slots[slot];
        hole = slot;
    }
    table->slots[hole] = 0;
}

void svs__addresses_add(svs_world *world, const svs_object *object, const void *first) {
    svs__lock_acquire(&world->addresses_lock);
    add(&world->addresses, (uintptr_t)object);
    add(&world->addresses, (uintptr_t)first);
    svs__lock_release(&world->addresses_lock);
}

void svs__addresses_remove(svs_world *world, const svs_object *object, const void *first) {
    svs__lock_acquire(&world->addresses_lock);
    remove_one(&world->addresses, (uintptr_t)object);
    remove_one(&world->addresses, (uintptr_t)first);
    svs__lock_release(&world->addresses_lock);
}

bool svs__addresses_have(svs_world *world, const void *address) {
    const svs__addresses *table = &world->addresses;
    bool found;
    svs__lock_acquire(&world->addresses_lock);
    found = address && table->count && table->slots[find(table, (uintptr_t)address)];
    svs__lock_release(&world->addresses_lock);
    return found;
}

void svs__addresses_clean_up(svs_world *world) {
    svs__addresses *table = &world->addresses;
    svs__release(&svs__allocator_libc, table->slots, (size_t)table->capacity * sizeof(uintptr_t),
                 8);
    *table = (svs__addresses){0};
}

#else
typedef int svs__addresses_are_unknown; /* a translation unit is not empty */
#endif
