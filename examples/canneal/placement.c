#include "placement.h"

#include <stdlib.h>

#include "swap_cost.h"

bool placement_init(placement *p, const netlist *nets) {
    *p = (placement){.nets = nets, .at = malloc(nets->locations * sizeof *p->at)};
    if (!p->at) return false;
    for (uint32_t e = 0; e < nets->locations; e++)
        svs_relaxed_store_u32(&p->at[e], e / nets->max_y << 16 | e % nets->max_y);
    return true;
}

void placement_clean_up(placement *p) {
    free(p->at);
    *p = (placement){0};
}

int64_t placement_cost(const placement *p) {
    const netlist *nets = p->nets;
    int64_t twice = 0; /* each wire is counted from both of its ends */
    for (uint32_t e = 0; e < nets->elements; e++) {
        uint32_t here = svs_relaxed_load_u32(&p->at[e]);
        for (uint32_t i = nets->first[e]; i < nets->first[e + 1]; i++)
            twice += location_distance(here, svs_relaxed_load_u32(&p->at[nets->neighbours[i]]));
    }
    return twice / 2;
}

int64_t placement_swap_cost(const placement *p, uint32_t a, uint32_t b) {
    return swap_cost(p, a, b, svs_relaxed_load_u32(&p->at[a]), svs_relaxed_load_u32(&p->at[b]));
}

void placement_swap(placement *p, uint32_t a, uint32_t b) {
    uint32_t at_a = svs_relaxed_load_u32(&p->at[a]);
    svs_relaxed_store_u32(&p->at[a], svs_relaxed_load_u32(&p->at[b]));
    svs_relaxed_store_u32(&p->at[b], at_a);
}

const char *placement_check(const placement *p) {
    const netlist *nets = p->nets;
    const char *wrong = NULL;
    unsigned char *used = calloc(nets->locations, 1);
    if (!used) return "out of memory";
    for (uint32_t e = 0; e < nets->locations && !wrong; e++) {
        uint32_t here = svs_relaxed_load_u32(&p->at[e]), x = location_x(here), y = location_y(here);
        if (x >= nets->max_x || y >= nets->max_y) wrong = "an element is outside of the grid";
        else if (used[(size_t)x * nets->max_y + y]++) wrong = "two elements are at one location";
    }
    free(used);
    return wrong;
}
