#include "dpst/site.h"
#include "base/pages.h"

/* pc << 16 | check; step << 32 | frame. */
typedef struct site {
    _Atomic(uint64_t) where, who;
} site;

#define SITES ((size_t)1 << 18)

static site *sites;

bool svs__sites_init(void) {
    sites = svs__pages_map(SITES * sizeof *sites);
    return sites != NULL;
}

void svs__sites_clean_up(void) {
    svs__pages_unmap(sites, SITES * sizeof *sites);
    sites = NULL;
}

void svs__sites_reset(void) { svs__pages_forget(sites, SITES * sizeof *sites); }

size_t svs__sites_bytes(void) {
    return sites == NULL ? 0 : svs__pages_touched(sites, SITES * sizeof *sites);
}

/* Neighbours stand beside each other. What is noted for a line, a half or a byte has a place apart:
 * a step that divides what another one has accessed whole replaces none of its notes. */
static site *at(uintptr_t address, size_t bytes, bool write) {
    uintptr_t apart = bytes == 8 ? 0 : (bytes + address % 8 * 3) * 0x9E3B;
    return &sites[((address / 8 + apart) * 2 + write) % SITES];
}

/* Sixteen bits that tell whether both words belong together, and to this address. */
static uint64_t check_of(uintptr_t address, uint64_t who) {
    return (((uint64_t)address ^ who << 1) * 0x9E3779B97F4A7C15u) >> 48;
}

void svs__site_note(uintptr_t address, size_t bytes, uint32_t step, bool write, const void *pc,
                    uint32_t frame) {
    site *s = at(address, bytes, write);
    uint64_t who = (uint64_t)step << 32 | frame;
    /* relaxed, both: find() sees whether they belong together. */
    svs__store_relaxed(&s->where, (uint64_t)(uintptr_t)pc << 16 | check_of(address, who));
    svs__store_relaxed(&s->who, who);
}

static bool find_at(uintptr_t address, size_t bytes, uint32_t step, bool write, const void **pc,
                    uint32_t *frame) {
    site *s = at(address & ~(uintptr_t)(bytes - 1), bytes, write);
    /* relaxed, both: as above. */
    uint64_t who = svs__load_relaxed(&s->who), where = svs__load_relaxed(&s->where);
    if (who >> 32 != step || (where & 0xffff) != check_of(address & ~(uintptr_t)(bytes - 1), who))
        return false;
    *pc = (const void *)(uintptr_t)(where >> 16);
    *frame = (uint32_t)who;
    return true;
}

/* Noted when the cell was that of the byte, of a half, of the block or of the line. */
bool svs__site_find(uintptr_t address, uint32_t step, bool write, const void **pc,
                    uint32_t *frame) {
    return find_at(address, 1, step, write, pc, frame) ||
           find_at(address, 4, step, write, pc, frame) ||
           find_at(address, 8, step, write, pc, frame) ||
           find_at(address, 64, step, write, pc, frame);
}
