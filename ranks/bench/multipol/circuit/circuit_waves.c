/* Waveforms: changes of signals, as text or VCD. */
#include "circuit.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void waves_add(waves *to, int64_t time, uint32_t signal, uint32_t value) {
    if (to->count == to->capacity) {
        size_t capacity = to->capacity == 0 ? 1024 : 2 * to->capacity;
        change *more = realloc(to->of, capacity * sizeof *more);
        if (more == NULL) { /* what follows is left out, and the file says so */
            to->kept = false;
            return;
        }
        to->of = more;
        to->capacity = capacity;
    }
    to->of[to->count++] = (change){time, signal, value};
}

static int by_time(const void *one, const void *other) {
    const change *a = one, *b = other;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return a->signal < b->signal ? -1 : a->signal > b->signal;
}

void waves_sort(waves *all) {
    if (all->count != 0) qsort(all->of, all->count, sizeof *all->of, by_time);
}

void vcd_head(FILE *file, const char *unit, const char *kind, const void *of, uint32_t count,
              const char *(*name)(const void *of, uint32_t signal)) {
    fprintf(file, "$timescale %s $end\n$scope module circuit $end\n", unit);
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "$var %s s%u %s $end\n", kind, i, name(of, i));
    fprintf(file, "$upscope $end\n$enddefinitions $end\n");
}

int waves_close(const waves *all, FILE *file) {
    if (!all->kept) fprintf(file, "# there was no memory for all changes\n");
    return fclose(file) != 0 || !all->kept;
}

static const char *name_of(const void *of, uint32_t signal) {
    return ((const circuit *)of)->gates[signal].name;
}

int waves_write(waves *all, const circuit *of, const char *path, bool vcd) {
    FILE *file = fopen(path, "w");
    int64_t time = -1;
    if (file == NULL) return 1;
    waves_sort(all);
    if (vcd) vcd_head(file, "1ns", "wire 1", of, of->count, name_of);
    for (size_t i = 0; i < all->count; i++) {
        const change *one = &all->of[i];
        char value = one->value == 2 ? 'x' : (char)('0' + one->value);
        if (!vcd) {
            fprintf(file, "%" PRId64 " %s %c\n", one->time, of->gates[one->signal].name, value);
            continue;
        }
        if (one->time != time) fprintf(file, "#%" PRId64 "\n", one->time);
        time = one->time;
        fprintf(file, "%cs%u\n", value, one->signal);
    }
    return waves_close(all, file);
}
