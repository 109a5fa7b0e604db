/* canneal: places the elements of a netlist by simulated annealing, under one of several
 * engines. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"

/* Serial swaps, and exact ones, read exact costs: then the sum of the costs that they read is the
 * total change. */
static bool costs_agree(const arguments *all, const annealing_result *result) {
    const annealing_options *o = &all->options;
    return (o->threads > 1 && !o->exact) || result->cost == result->cost_kept;
}

static int check(const arguments *all, const annealing *anneal, const annealing_result *result) {
    const char *wrong = placement_check(&anneal->place);
    if (wrong) {
        fprintf(stderr, "canneal: check failed: %s\n", wrong);
        return EXIT_FAILURE;
    }
    if (!costs_agree(all, result)) {
        fprintf(stderr,
                "canneal: check failed: cost %" PRId64 ", but the swaps add up to %" PRId64 "\n",
                result->cost, result->cost_kept);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

static void print_line(const arguments *all, const netlist *nets, const annealing_result *result) {
    const annealing_options *o = &all->options;
    printf("engine=%s threads=%" PRIu32 " seconds=%.6f cost=%" PRId64 " accepted_good=%" PRIu64
           " accepted_bad=%" PRIu64 " elements=%" PRIu32 " locations=%" PRIu32 " wires=%" PRIu32
           " steps=%" PRId64 " swaps=%" PRIu32 " seed=%" PRIu64 " cost_before=%" PRId64
           " cost_kept=%" PRId64 " cpu_seconds=%.6f prepare_seconds=%.6f%s%s\n",
           o->engine->name, o->threads, result->seconds, result->cost, result->good, result->bad,
           nets->elements, nets->locations, nets->wires, result->steps, o->swaps, o->seed,
           result->cost_before, result->cost_kept, result->cpu_seconds, result->prepare_seconds,
           result->details, all->check ? " check=ok" : "");
}

static int anneal_and_print(const arguments *all, const netlist *nets) {
    annealing anneal = {.options = all->options};
    annealing_result result;
    if (!placement_init(&anneal.place, nets)) {
        fprintf(stderr, "canneal: out of memory\n");
        return EXIT_FAILURE;
    }
    int status = EXIT_SUCCESS;
    const char *wrong = annealing_run(&anneal, &result);
    if (wrong) {
        fprintf(stderr, "canneal: %s\n", wrong);
        status = EXIT_FAILURE;
    }
    if (!status && all->check) status = check(all, &anneal, &result);
    if (!status) print_line(all, nets, &result);
    placement_clean_up(&anneal.place);
    return status;
}

int main(int count, char **values) {
    arguments all;
    netlist nets;
    char error[NETLIST_ERROR];
    options_parse(&all, count, values);
    if (!netlist_read(&nets, all.path, error)) {
        fprintf(stderr, "canneal: %s\n", error);
        return EXIT_BAD_INPUT;
    }
    int status = anneal_and_print(&all, &nets);
    netlist_clean_up(&nets);
    return status;
}
