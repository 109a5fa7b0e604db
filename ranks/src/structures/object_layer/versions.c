/* Entries by name, their versions, and the replacement of copies. */
#include "structures/object_layer/layer.h"
#include <string.h>

/* ---- entries ---- */

static uint32_t bucket_of(const svs_object_layer *layer, svs_object_layer_name name) {
    uint64_t key = ((uint64_t)name.rank << 32 | name.number) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(key >> 32) & (layer->bucket_count - 1);
}

svs__layer_entry *svs__layer_find(const svs_object_layer *layer, svs_object_layer_name name) {
    svs__layer_entry *at;
    if (layer->bucket_count == 0) return NULL;
    for (at = layer->buckets[bucket_of(layer, name)]; at != NULL; at = at->next)
        if (at->name.rank == name.rank && at->name.number == name.number) return at;
    return NULL;
}

static void put(svs_object_layer *layer, svs__layer_entry *entry) {
    svs__layer_entry **bucket = &layer->buckets[bucket_of(layer, entry->name)];
    entry->next = *bucket;
    *bucket = entry;
}

static void free_buckets(const svs_object_layer *layer, svs__layer_entry **buckets,
                         uint32_t count) {
    svs__release(&layer->allocator, buckets, count * sizeof(svs__layer_entry *), 16);
}

/* Doubles the number of buckets, so that there is at least one for each entry. */
static bool grow(svs_object_layer *layer) {
    uint32_t before = layer->bucket_count, after = before == 0 ? 16 : 2 * before;
    svs__layer_entry **old = layer->buckets;
    svs__layer_entry **made =
        svs__allocate_zeroed(&layer->allocator, after * sizeof(svs__layer_entry *), 16);
    if (made == NULL) return false;
    layer->buckets = made;
    layer->bucket_count = after;
    for (uint32_t i = 0; i < before; i++)
        for (svs__layer_entry *at = old[i], *next; at != NULL; at = next) {
            next = at->next;
            put(layer, at);
        }
    free_buckets(layer, old, before);
    return true;
}

svs__layer_entry *svs__layer_find_or_make(svs_object_layer *layer, svs_object_layer_name name) {
    svs__layer_entry *entry = svs__layer_find(layer, name);
    if (entry != NULL) return entry;
    if (layer->entry_count == layer->bucket_count && !grow(layer)) return NULL;
    entry = svs__allocate_zeroed(&layer->allocator, sizeof *entry, _Alignof(svs__layer_entry));
    if (entry == NULL) return NULL;
    entry->name = name;
    put(layer, entry);
    layer->entry_count++;
    return entry;
}

static void free_entry(svs_object_layer *layer, svs__layer_entry *entry) {
    if (entry->holders != NULL)
        svs__release(&layer->allocator, entry->holders,
                     (layer->count + 63) / 64 * sizeof *entry->holders, 16);
    svs__release(&layer->allocator, entry, sizeof *entry, _Alignof(svs__layer_entry));
}

void svs__layer_look_if_needed(svs_object_layer *layer, svs__layer_entry *entry) {
    svs__layer_entry **at;
    if (entry->current != NULL || entry->requests != 0) return;
    at = &layer->buckets[bucket_of(layer, entry->name)];
    while (*at != entry) at = &(*at)->next;
    *at = entry->next;
    layer->entry_count--;
    free_entry(layer, entry);
}

/* ---- versions ---- */

static void put_first(svs__layer_list *list, svs__layer_version *version) {
    version->before = NULL;
    version->next = list->first;
    if (list->first != NULL) list->first->before = version;
    else list->last = version;
    list->first = version;
}

static void take_out(svs__layer_list *list, svs__layer_version *version) {
    if (version->before != NULL) version->before->next = version->next;
    else list->first = version->next;
    if (version->next != NULL) version->next->before = version->before;
    else list->last = version->before;
    version->next = version->before = NULL;
}

svs__layer_version *svs__layer_version_new(svs_object_layer *layer, uint64_t bytes) {
    svs__layer_version *made = svs__allocate(&layer->allocator, sizeof *made + bytes, 16);
    if (made != NULL) *made = (svs__layer_version){.bytes = bytes};
    return made;
}

void svs__layer_version_free(svs_object_layer *layer, svs__layer_version *version) {
    SVS__ASSERT(version->entry == NULL && version->pins == 0); /* structures.L5 */
    svs__release(&layer->allocator, version, sizeof *version + version->bytes, 16);
}

static bool is_copy(const svs_object_layer *layer, const svs__layer_version *version) {
    return version->entry != NULL && !svs__layer_is_own(layer, version->entry->name);
}

static uint64_t bytes_kept(const svs__layer_version *version) {
    return sizeof *version + version->bytes;
}

static bool is_bounded(const svs_object_layer *layer) {
    return layer->statistics.kept_bytes <= layer->cache_bytes || layer->idle.first == NULL;
}

/* Replaces copies until the others fit into the cache (structures.L4). */
static void shrink(svs_object_layer *layer) {
    while (layer->statistics.kept_bytes > layer->cache_bytes && layer->idle.last != NULL) {
        svs__layer_entry *entry = layer->idle.last->entry;
        layer->statistics.replacements++;
        svs__layer_uninstall(layer, entry);
        svs__layer_look_if_needed(layer, entry);
    }
}

void svs__layer_pin(svs_object_layer *layer, svs__layer_version *version) {
    if (version->pins++ == 0 && is_copy(layer, version)) take_out(&layer->idle, version);
}

void svs__layer_unpin(svs_object_layer *layer, svs__layer_version *version) {
    SVS__ASSERT(version->pins != 0); /* structures.L5 */
    if (--version->pins != 0) return;
    if (is_copy(layer, version)) {
        put_first(&layer->idle, version);
        shrink(layer);
    } else if (version->entry == NULL) {
        if (version->is_old) take_out(&layer->old, version);
        svs__layer_version_free(layer, version);
    }
}

void svs__layer_uninstall(svs_object_layer *layer, svs__layer_entry *entry) {
    svs__layer_version *version = entry->current;
    if (version == NULL) return;
    if (is_copy(layer, version)) {
        layer->statistics.kept_bytes -= bytes_kept(version);
        if (version->pins == 0) take_out(&layer->idle, version);
    }
    entry->current = NULL;
    version->entry = NULL;
    if (version->pins == 0) {
        svs__layer_version_free(layer, version);
    } else { /* structures.L5 */
        version->is_old = true;
        put_first(&layer->old, version);
    }
}

void svs__layer_install(svs_object_layer *layer, svs__layer_entry *entry,
                        svs__layer_version *version) {
    SVS__ASSERT(version->version > entry->least || entry->current == NULL); /* structures.L1 */
    SVS__ASSERT(version->version >= entry->least &&
                !version->is_old); /* structures.L1, structures.L5 */
    svs__layer_uninstall(layer, entry);
    entry->current = version;
    entry->least = version->version;
    version->entry = entry;
    if (!is_copy(layer, version)) return;
    layer->statistics.kept_bytes += bytes_kept(version);
    if (version->pins == 0) put_first(&layer->idle, version);
    shrink(layer);
    if (layer->statistics.kept_bytes > layer->statistics.kept_most)
        layer->statistics.kept_most = layer->statistics.kept_bytes;
    SVS__ASSERT(is_bounded(layer)); /* structures.L4 */
}

/* ---- the end ---- */

static void clear(svs_object_layer *layer, svs__layer_entry *entry) {
    if (entry->current != NULL) {
        entry->current->pins = 0;
        entry->current->entry = NULL;
        svs__layer_version_free(layer, entry->current);
    }
    free_entry(layer, entry);
}

void svs__layer_versions_clean_up(svs_object_layer *layer) {
    for (uint32_t i = 0; i < layer->bucket_count; i++)
        for (svs__layer_entry *at = layer->buckets[i], *next; at != NULL; at = next) {
            next = at->next;
            clear(layer, at);
        }
    while (layer->old.first != NULL) {
        svs__layer_version *version = layer->old.first;
        take_out(&layer->old, version);
        version->pins = 0;
        svs__layer_version_free(layer, version);
    }
    free_buckets(layer, layer->buckets, layer->bucket_count);
}
