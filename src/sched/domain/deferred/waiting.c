#include "sched/domain/deferred/waiting.h"

#include <string.h>

#include "base/memory.h"

/* Takes a free number of a note. @return the number; 0: there is none. */
static uint32_t take_number(svs__notes *notes, const svs_world *world) {
    uint32_t number = notes->free;
    void *grown = notes->notes;
    if (number) {
        notes->free = notes->notes[number - 1].next_free;
        return number;
    }
    if (notes->made == SVS__NOTES_MAX) return 0;
    if (notes->made == notes->capacity) {
        if (!svs__grow(world->allocator, &grown, &notes->capacity, notes->made + 1,
                       sizeof(svs__note)))
            return 0;
        notes->notes = grown;
    }
    return ++notes->made;
}

uint16_t svs__note_keep(svs__notes *notes, const svs_world *world, const svs__element *elements,
                        uint32_t count) {
    uint32_t number;
    svs__note *note;
    if (!count || count > SVS__NOTE_ELEMENTS) return 0;
    number = take_number(notes, world);
    if (!number) return 0;
    note = &notes->notes[number - 1];
    note->count = count;
    memcpy(note->elements, elements, count * sizeof *elements);
    return (uint16_t)number;
}

void svs__notes_clean_up(svs__notes *notes, const svs_world *world) {
    svs__array_release(world->allocator, notes->notes, notes->capacity, sizeof(svs__note));
    memset(notes, 0, sizeof *notes);
}
