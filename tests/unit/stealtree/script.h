/* Traces that are written by hand, byte by byte, as docs/trace-format.md has it: so that what the
 * library writes and reads is held against something other than itself, and so that traces can say
 * what no run would. */
#ifndef SVS_TESTS_STEALTREE_SCRIPT_H
#define SVS_TESTS_STEALTREE_SCRIPT_H

#include "stealtree/file.h"
#include <string.h>

#define SCRIPT_BYTES 4096

typedef struct script {
    unsigned char bytes[SCRIPT_BYTES];
    size_t size;
} script;

static inline void script_byte(script *s, unsigned byte) {
    s->bytes[s->size++] = (unsigned char)byte;
}

/* Little-endian, of a fixed length. */
static inline void script_fixed_at(script *s, size_t at, uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) s->bytes[at + i] = (unsigned char)(number >> 8 * i);
}

/* Groups of seven bits. */
static inline void script_number(script *s, uint64_t number) {
    while (number > 127) {
        script_byte(s, 128u + (unsigned)(number & 127));
        number >>= 7;
    }
    script_byte(s, (unsigned)number);
}

static inline void script_head(script *s, uint32_t policy, uint32_t workers, uint64_t duration) {
    static const unsigned char magic[] = {0x89, 0x53, 0x56, 0x53, 0x54, 0x0d, 0x0a, 0x1a};
    memset(s, 0, sizeof *s);
    memcpy(s->bytes, magic, sizeof magic);
    script_fixed_at(s, 8, 2, 4);
    script_fixed_at(s, 12, policy, 4);
    script_fixed_at(s, 16, workers, 4);
    script_fixed_at(s, 20, 1, 4);
    script_fixed_at(s, 32, duration, 8);
    script_fixed_at(s, 72, 4, 4); /* CPUs */
    s->size = 76;
}

static inline void script_measure(script *s, uint64_t work, uint64_t span, uint64_t asyncs,
                                  uint64_t clock) {
    script_fixed_at(s, 40, work, 8);
    script_fixed_at(s, 48, span, 8);
    script_fixed_at(s, 56, asyncs, 8);
    script_fixed_at(s, 64, clock, 8);
}

/* The length and the checksum. */
static inline void script_seal(script *s) {
    script_fixed_at(s, 24, s->size + 8, 8);
    script_fixed_at(s, s->size, svs__file_sum(s->bytes, s->size), 8);
    s->size += 8;
}

/* An event; without a `victim` (-1), it names none, and has no fourth number. */
static inline void script_event(script *s, unsigned tag, int victim, uint64_t asyncs, uint64_t ns,
                                uint64_t at) {
    script_number(s, tag + (victim < 0 ? 0 : (uint64_t)victim * 8));
    script_number(s, asyncs);
    script_number(s, ns);
    if (victim >= 0) script_number(s, at);
}

enum { END, SUSPENDED, ROOT, STOLEN, RESUMED, WAITED };

/* A worker's part: its numbers, and then the events of `events`. */
static inline void script_worker(script *s, const script *events, uint64_t phases, uint64_t lost) {
    script_number(s, 0);
    script_number(s, 0);
    script_number(s, phases);
    script_number(s, lost);
    script_number(s, events->size);
    memcpy(s->bytes + s->size, events->bytes, events->size);
    s->size += events->size;
}

#endif
