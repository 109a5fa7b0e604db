#include "ranks/object/named.h"

#define BUCKETS_MIN 16u

static void link_to(svs__named_table *names, svs__named *one) {
    uint32_t bucket = svs__named_bucket(names, one->number);
    one->next = names->buckets[bucket];
    names->buckets[bucket] = one;
}

static void release(const svs_ranks *ranks, const svs__named_table *names) {
    svs__release(&ranks->options.allocator, (void *)names->buckets, names->size * sizeof(void *),
                 sizeof(void *));
}

static bool grow(const svs_ranks *ranks, svs__named_table *names) {
    svs__named_table grown = {.size = names->size == 0 ? BUCKETS_MIN : 2 * names->size,
                              .count = names->count};
    grown.buckets = svs__allocate_zeroed(&ranks->options.allocator, grown.size * sizeof(void *),
                                         sizeof(void *));
    if (grown.buckets == NULL) return false;
    for (uint32_t i = 0; i < names->size; i++)
        for (svs__named *one = names->buckets[i], *next; one != NULL; one = next) {
            next = one->next;
            link_to(&grown, one);
        }
    release(ranks, names);
    *names = grown;
    return true;
}

bool svs__named_put(const svs_ranks *ranks, svs__named_table *names, svs__named *one) {
    SVS__ASSERT(svs__named_find(names, one->number) == NULL);
    if (names->count == names->size && !grow(ranks, names)) return false;
    names->count++;
    link_to(names, one);
    return true;
}

void svs__named_remove(svs__named_table *names, svs__named *one) {
    svs__named **at = &names->buckets[svs__named_bucket(names, one->number)];
    while (*at != one) at = &(*at)->next;
    *at = one->next;
    names->count--;
}

svs__named *svs__named_any(const svs_ranks *ranks, svs__named_table *names) {
    for (; names->swept < names->size && names->count != 0; names->swept++)
        if (names->buckets[names->swept] != NULL) return names->buckets[names->swept];
    release(ranks, names);
    *names = (svs__named_table){.size = 0};
    return NULL;
}
