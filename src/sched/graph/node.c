#include "sched/graph/node.h"

#include <string.h>

#include "base/memory.h"

bool svs__tasks_reserve(const svs_world *world, svs__tasks *tasks, uint32_t count) {
    void *items = tasks->items;
    if (!svs__grow(world->allocator, &items, &tasks->capacity, count, sizeof(svs_task *)))
        return false;
    tasks->items = items;
    return true;
}

bool svs__tasks_add(const svs_world *world, svs__tasks *tasks, svs_task *task) {
    if (!svs__tasks_reserve(world, tasks, tasks->count + 1)) return false;
    tasks->items[tasks->count++] = task;
    return true;
}

void svs__tasks_clean_up(const svs_world *world, svs__tasks *tasks) {
    svs__array_release(world->allocator, tasks->items, tasks->capacity, sizeof(svs_task *));
    memset(tasks, 0, sizeof *tasks);
}

void svs__implicit_clean_up(svs_task *parent) {
    svs__implicit *i = &svs__node_of(parent)->implicit;
    svs__release(parent->world->allocator, i->all, (size_t)2 * i->words * sizeof(uint64_t), 8);
    svs__release(parent->world->allocator, i->kept, i->words * sizeof(uint64_t), 8);
    memset(i, 0, sizeof *i);
}

void svs__implicit_reset(svs_task *parent) {
    const svs__implicit *i = &svs__node_of(parent)->implicit;
    if (i->all) memcpy(i->left, i->all, i->words * sizeof(uint64_t));
}
