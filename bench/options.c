#include "common.h"
#include "common/numbers.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

bench_list bench_option_list(const struct argp_state *state, const char *option, const char *text,
                             uint64_t min, uint64_t max) {
    bench_list list = {{0}, 0};
    char *copy = strdup(text), *rest = copy, *part;
    if (!copy) bench_fail("no memory");
    while ((part = strsep(&rest, ","))) {
        if (list.count == BENCH_LIST_MAX)
            argp_error(state, "%s: at most %u values", option, BENCH_LIST_MAX);
        list.values[list.count++] = option_unsigned(state, option, part, min, max);
    }
    free(copy);
    return list;
}

bench_list bench_list_of(size_t count, const uint64_t *values) {
    bench_list list = {{0}, count};
    memcpy(list.values, values, count * sizeof *values);
    return list;
}

bench_list bench_threads_default(void) {
    uint64_t both[] = {1, bench_cpus()};
    return bench_list_of(both[1] > 1 ? 2 : 1, both);
}
