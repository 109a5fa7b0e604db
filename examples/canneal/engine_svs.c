/* Engine svs: the tasks of engine_tasks.h with touch functions that are written by hand. With
 * --exact a swap also declares reads of the elements at the other ends of the wires: then no
 * neighbour moves during a swap, the result is serializable, and it is the same with any number of
 * workers. */
#include <svs/task.h>

#define ENGINE engine_svs
#define TASK(name_, item_)                                                                         \
    static void name_##_touch(svs_footprint *f, const item_ *it);                                  \
    SVS_TASK(name_, item_, name_##_run, name_##_touch)
#include "engine_tasks.h"

static void swap_touch(svs_footprint *f, const swap_item *it) {
    svs_writes_at(f, it->elements, it->pair.a);
    svs_writes_at(f, it->elements, it->pair.b);
}

static void exact_swap_touch(svs_footprint *f, const swap_item *it) {
    const netlist *nets = SVS_STABLE(it->anneal->place.nets);
    const uint32_t ends[] = {it->pair.a, it->pair.b};
    swap_touch(f, it);
    for (int end = 0; end < 2; end++)
        for (uint32_t i = nets->first[ends[end]]; i < nets->first[ends[end] + 1]; i++)
            svs_reads_at(f, it->elements, nets->neighbours[i]);
}

SVS_TASK(exact_swap, swap_item, swap_run, exact_swap_touch)

static const svs_task_type *type_for(const annealing_options *options) {
    return options->exact ? &exact_swap_task : &swap_task;
}

static svs_status tell_check(const annealing *anneal, const svs_space *elements) {
    const placement *place = &anneal->place;
    svs_status status = svs_check_index_range(elements, 0, place->at, sizeof *place->at,
                                              place->nets->locations, "location");
    if (status) return status;
    return svs_check_worker_range(anneal->tallies, sizeof *anneal->tallies, anneal->options.threads,
                                  "tally");
}
