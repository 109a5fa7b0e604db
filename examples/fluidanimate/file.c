#include "file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/input.h"

#define HEADER_BYTES 8u
#define FIELDS 9u
#define PARTICLE_BYTES (FIELDS * 4u)
#define COUNT_MAX 100000000u
#define CHUNK 4096u /* particles */

static const char *const field_names[FIELDS] = {"px",  "py", "pz", "hvx", "hvy",
                                                "hvz", "vx", "vy", "vz"};

typedef struct reader {
    const char *path;
    input in;
    uint64_t offset; /* offset of the next byte */
    char *error;
} reader;

__attribute__((format(printf, 3, 4))) static bool fail(const reader *r, uint64_t offset,
                                                       const char *format, ...) {
    int length =
        snprintf(r->error, FLUID_FILE_ERROR, "%.200s: at byte %" PRIu64 ": ", r->path, offset);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error + length, FLUID_FILE_ERROR - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

static uint32_t word_of(const unsigned char *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static float float_of(const unsigned char *bytes) {
    uint32_t word = word_of(bytes);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static void put_word(unsigned char *bytes, uint32_t word) {
    for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(word >> 8 * i);
}

static void put_float(unsigned char *bytes, float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    put_word(bytes, word);
}

/* Reports whether the file cannot be read or was cut off. */
static bool fail_short(reader *r, size_t got, const char *what) {
    uint64_t end = r->offset + got;
    if (ferror(r->in.file)) return fail(r, end, "cannot read: %s", strerror(errno));
    return fail(r, end, "expected %s, found the end of the file", what);
}

static bool read_header(reader *r, float *rest, uint32_t *count) {
    unsigned char bytes[HEADER_BYTES];
    size_t got = fread(bytes, 1, sizeof bytes, r->in.file);
    if (got < 4) return fail_short(r, got, "the particles in a metre (a float)");
    if (got < 8) return fail_short(r, got, "the number of particles (an int)");
    *rest = float_of(bytes);
    if (!(*rest >= FLUID_REST_MIN && *rest <= FLUID_REST_MAX))
        return fail(r, 0, "expected the particles in a metre, from %g to %g, found %g",
                    (double)FLUID_REST_MIN, (double)FLUID_REST_MAX, (double)*rest);
    *count = word_of(bytes + 4);
    if (*count < 1 || *count > COUNT_MAX)
        return fail(r, 4, "expected the number of particles, from 1 to %u, found %" PRId32,
                    COUNT_MAX, (int32_t)*count);
    r->offset = HEADER_BYTES;
    return true;
}

/* Reads the bytes of all particles. It allocates memory as they arrive, so that a wrong count does
 * not ask for more than there is. */
static unsigned char *read_body(reader *r, uint32_t count) {
    unsigned char *bytes = NULL;
    for (size_t have = 0, room = 0; have < count;) {
        if (have == room) {
            room = room ? 2 * room : CHUNK;
            if (room > count) room = count;
            unsigned char *more = realloc(bytes, room * PARTICLE_BYTES);
            if (!more) return fail(r, r->offset, "out of memory"), free(bytes), NULL;
            bytes = more;
        }
        size_t wanted = (room - have) * PARTICLE_BYTES;
        size_t got = fread(bytes + have * PARTICLE_BYTES, 1, wanted, r->in.file);
        if (got < wanted) {
            char what[80];
            size_t particle = have + got / PARTICLE_BYTES;
            snprintf(what, sizeof what, "%s of particle %zu of %" PRIu32,
                     field_names[got % PARTICLE_BYTES / 4], particle, count);
            return fail_short(r, got, what), free(bytes), NULL;
        }
        r->offset += got;
        have = room;
    }
    return bytes;
}

static vec3 vector_of(const unsigned char *bytes) {
    return (vec3){float_of(bytes), float_of(bytes + 4), float_of(bytes + 8)};
}

static bool fill(const reader *r, fluid *f, const unsigned char *bytes) {
    for (uint32_t i = 0; i < f->count; i++) {
        const unsigned char *from = bytes + (size_t)i * PARTICLE_BYTES;
        for (uint32_t k = 0; k < FIELDS; k++)
            if (!isfinite(float_of(from + k * 4)))
                return fail(r, HEADER_BYTES + (uint64_t)i * PARTICLE_BYTES + k * 4,
                            "expected %s of particle %" PRIu32 ", found %g", field_names[k], i,
                            (double)float_of(from + k * 4));
        f->now.p[i] = vector_of(from);
        f->now.hv[i] = vector_of(from + 12);
        f->now.v[i] = vector_of(from + 24);
    }
    return true;
}

static bool read_particles(reader *r, fluid *f, float rest, uint32_t count) {
    unsigned char *bytes = read_body(r, count);
    if (!bytes) return false;
    const char *wrong = fluid_init(f, rest, count);
    bool good = wrong ? fail(r, r->offset, "%s", wrong) : fill(r, f, bytes);
    free(bytes);
    if (good && fgetc(r->in.file) != EOF)
        return fail(r, r->offset, "expected the end of the file after %" PRIu32 " particles",
                    count);
    return good;
}

bool fluid_read(fluid *f, const char *path, char *error) {
    reader r = {.path = path, .error = error};
    float rest = 0;
    uint32_t count = 0;
    *f = (fluid){0};
    int status = input_open(&r.in, path);
    if (status) {
        snprintf(error, FLUID_FILE_ERROR, "%.200s: cannot open: %s", path, strerror(status));
        return false;
    }
    bool good = read_header(&r, &rest, &count) && read_particles(&r, f, rest, count);
    bool whole = input_close(&r.in);
    if (good && !whole) return fail(&r, r.offset, "cannot read: xz failed");
    return good;
}

static bool write_all(const fluid *f, FILE *file) {
    unsigned char bytes[PARTICLE_BYTES];
    put_float(bytes, f->rest);
    put_word(bytes + 4, f->count);
    bool good = fwrite(bytes, HEADER_BYTES, 1, file) == 1;
    for (uint32_t i = 0; i < f->count && good; i++) {
        const vec3 fields[3] = {f->now.p[i], f->now.hv[i], f->now.v[i]};
        for (int k = 0; k < 3; k++) {
            put_float(bytes + 12 * k, fields[k].x);
            put_float(bytes + 12 * k + 4, fields[k].y);
            put_float(bytes + 12 * k + 8, fields[k].z);
        }
        good = fwrite(bytes, sizeof bytes, 1, file) == 1;
    }
    return good;
}

bool fluid_write(const fluid *f, const char *path, char *error) {
    FILE *file = fopen(path, "wbe");
    bool good = file && write_all(f, file);
    int status = errno;
    if (file && fclose(file)) {
        if (good) status = errno;
        good = false;
    }
    if (!good)
        snprintf(error, FLUID_FILE_ERROR, "%.200s: cannot write: %s", path, strerror(status));
    return good;
}
