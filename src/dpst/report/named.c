#include "dpst/report/named.h"
#include "dpst/report/blocks.h"
#include "dpst/report/frames.h"
#include "dpst/report/symbols.h"
#include "dpst/report/types.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 4096u

#define INLINED_MAX 16u

/* Finds the source line of the allocation at `pc`. @return false when `pc` is in the function of
 * SVS_NEW and was inlined into no other. */
static bool is_place(uintptr_t pc, svs__place_name *place) {
    svs__place_name inlined[INLINED_MAX];
    uint32_t count = pc != 0 ? svs__symbols_of_code(pc, inlined, INLINED_MAX) : 0;
    for (uint32_t i = 0; i < count; i++) {
        *place = inlined[i];
        if (place->file != NULL && !svs__symbol_is_maker(place->function)) return true;
    }
    return false;
}

/* The source line that allocated the block. */
static const char *allocation_line(const svs__heap_block *block, int *line) {
    svs__place_name place = {.file = NULL};
    uintptr_t caller = 0;
    const char *slash;
    if (!is_place(block->pc, &place) && svs__frame_list(block->frame, &caller, 1) == 1)
        (void)is_place(caller, &place);
    if (place.file == NULL) return NULL;
    *line = place.line;
    slash = strrchr(place.file, '/');
    return slash != NULL ? slash + 1 : place.file;
}

/* Writes the name of the block that contains the address. @param typed whether the text so far
 * already names the type of the object at the address. */
static size_t put_block(char *to, size_t room, uintptr_t address, bool typed) {
    svs__heap_block block;
    const char *file;
    int line = 0, used;
    if (!svs__block_around(address, &block)) return 0;
    file = allocation_line(&block, &line);
    if (file == NULL) return 0;
    if (typed) used = snprintf(to, room, "of %s:%d", file, line);
    else if (address == block.address) used = snprintf(to, room, "a block of %s:%d", file, line);
    else
        used = snprintf(to, room, "byte %zu in a block of %s:%d", (size_t)(address - block.address),
                        file, line);
    used += snprintf(to + used, room - (size_t)used, " (at %#zx)", (size_t)address);
    return (size_t)used;
}

/* Writes the name of an address. @return the number of characters; 0 if the address has no name. */
static size_t put_name(char *to, size_t room, uintptr_t address, bool typed) {
    const char *name;
    char path[256];
    uintptr_t begin;
    size_t bytes;
    if (!svs__symbols_of_data(address, &name, &begin, &bytes))
        return put_block(to, room, address, typed);
    if (address == begin) return (size_t)snprintf(to, room, "%s", name);
    if (svs__types_path(begin, address - begin, path, sizeof path))
        return (size_t)snprintf(to, room, "%s%s", name, path);
    return (size_t)snprintf(to, room, "%s + %zu bytes", name, (size_t)(address - begin));
}

const char *svs__text_named(const char *text) {
    char named[ROOM], *copy, *end;
    size_t used = 0;
    if (text == NULL) return NULL;
    while (*text != '\0' && used + 1 < sizeof named) {
        size_t room = sizeof named - used, more = 0;
        if (text[0] == '0' && text[1] == 'x') {
            uintptr_t address = (uintptr_t)strtoull(text, &end, 16);
            more = put_name(named + used, room, address,
                            used < 3 || memcmp(named + used - 3, "of ", 3) != 0);
            if (more >= room) break;
            if (more != 0) text = end;
        }
        if (more == 0) {
            named[used] = *text++;
            more = 1;
        }
        used += more;
    }
    copy = svs__real_calloc(used + 1, 1);
    if (copy != NULL) memcpy(copy, named, used);
    return copy;
}
