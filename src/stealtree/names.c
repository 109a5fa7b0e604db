#include "stealtree/names.h"
#include "base/check.h"
#include <string.h>

const char *svs__names_next(const svs__names *names, uint32_t *at, svs__name_kind *kind) {
    const char *name;
    if (*at >= names->size) return NULL;
    *kind = (svs__name_kind)names->text[*at];
    name = names->text + *at + 1;
    *at += (uint32_t)strlen(name) + 2;
    return name;
}

/* Is the name that was just read the graph's, and do the names of the graph's tasks follow it? */
static bool is_graph(const svs__names *names, uint32_t at, const svs__seen_graph *graph) {
    svs__name_kind kind;
    const char *name;
    for (uint32_t i = 0; i < graph->count; i++) {
        name = svs__names_next(names, &at, &kind);
        if (name == NULL || kind != SVS__NAME_TASK || strcmp(name, graph->tasks[i]) != 0)
            return false;
    }
    name = svs__names_next(names, &at, &kind);
    return name == NULL || kind != SVS__NAME_TASK;
}

/* Adds a name. @return false when there is no room, or no memory. */
static bool add(svs__names *names, const svs_allocator *allocator, svs__name_kind kind,
                const char *name) {
    size_t length = strlen(name);
    if (length > SVS__NAMES_MAX || names->size + length + 2 > SVS__NAMES_MAX ||
        !svs__grow(allocator, (void **)&names->text, &names->capacity,
                   names->size + (uint32_t)length + 2, 1))
        return false;
    names->text[names->size] = (char)kind;
    memcpy(names->text + names->size + 1, name, length + 1);
    names->size += (uint32_t)length + 2;
    names->tasks += kind == SVS__NAME_TASK;
    names->places += kind == SVS__NAME_PLACE;
    return true;
}

uint32_t svs__names_graph(svs__names *names, const svs_allocator *allocator,
                          const svs__seen_graph *graph) {
    svs__names before = *names;
    svs__name_kind kind;
    uint32_t at = 0, first = 0;
    const char *name;
    while ((name = svs__names_next(names, &at, &kind)) != NULL) {
        if (kind == SVS__NAME_GRAPH && strcmp(name, graph->name) == 0 && is_graph(names, at, graph))
            return first;
        first += kind == SVS__NAME_TASK;
    }
    SVS__ASSERT(first == names->tasks); /* stealtree.N1 */
    if (!add(names, allocator, SVS__NAME_GRAPH, graph->name)) return UINT32_MAX;
    for (uint32_t i = 0; i < graph->count; i++) {
        if (add(names, allocator, SVS__NAME_TASK, graph->tasks[i])) continue;
        names->size = before.size;
        names->tasks = before.tasks;
        return UINT32_MAX;
    }
    return first;
}

uint32_t svs__names_place(svs__names *names, const svs_allocator *allocator, const char *name) {
    svs__name_kind kind;
    uint32_t at = 0, number = 0;
    const char *other;
    while ((other = svs__names_next(names, &at, &kind)) != NULL) {
        number += kind == SVS__NAME_PLACE;
        if (kind == SVS__NAME_PLACE && strcmp(other, name) == 0) return number;
    }
    return add(names, allocator, SVS__NAME_PLACE, name) ? names->places : 0;
}

/* Checks one name of a text that was read. @return the number of its bytes; 0: it is no name. */
static uint32_t check_name(const char *text, uint32_t size, bool in_graph) {
    const char *end = memchr(text, '\0', size);
    bool task = text[0] == SVS__NAME_TASK;
    if (end == NULL || end == text) return 0;
    if (task ? !in_graph : text[0] != SVS__NAME_GRAPH && text[0] != SVS__NAME_PLACE) return 0;
    return (uint32_t)(end - text) + 1;
}

svs_status svs__names_take(svs__names *names, const svs_allocator *allocator, const char *text,
                           uint32_t size) {
    bool in_graph = false;
    uint32_t bytes;
    if (size == 0 || size > SVS__NAMES_MAX || text[0] != SVS__NAME_GRAPH) return SVS_E_TRACE;
    for (uint32_t at = 0; at < size; at += bytes) {
        bytes = check_name(text + at, size - at, in_graph);
        if (bytes == 0) return SVS_E_TRACE;
        in_graph = text[at] == SVS__NAME_GRAPH || text[at] == SVS__NAME_TASK;
        names->tasks += text[at] == SVS__NAME_TASK;
        names->places += text[at] == SVS__NAME_PLACE;
    }
    if (!svs__grow(allocator, (void **)&names->text, &names->capacity, size, 1))
        return SVS_E_NO_MEMORY;
    memcpy(names->text, text, size);
    names->size = size;
    return SVS_OK;
}

void svs__names_clean_up(svs__names *names, const svs_allocator *allocator) {
    svs__array_release(allocator, names->text, names->capacity, 1);
}
