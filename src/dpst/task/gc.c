#include "dpst/task/gc.h"
#include "dpst/shadow/shadow.h"
#include "hooks/graph_hooks.h"

/* Number of cells that may be visited for each node made, if there are more than FEW_CELLS. */
#define CELLS_A_NODE 4u
#define FEW_CELLS ((uint64_t)1 << 17)
/* While at most PATHS_KEPT * `least` nodes are kept for the shadow alone, reports may name each
 * step. */
#define PATHS_KEPT 4u
/* Least number of dead nodes for which a part is given out again. */
#define LEAST_DEAD 16
/* A sweep is late when `least` / LATE nodes were made since its present part began to wait. */
#define LATE 8

/* The sweep. All fields but the epoch are accessed under `busy`. */
static svs__sweep *the_sweep(void) { return &svs__the_checker.sweep; }

static void begin_epoch(svs__sweep *sweep) {
    /* relaxed: `busy` is held, or no other thread is there */
    uint32_t epoch = svs__load_relaxed(&sweep->epoch) + 1;
    if (epoch >= SVS__EPOCH_COMING) epoch = SVS__EPOCH_AWAY + 1;
    /* seq_cst: comes before the search for workers that are offline (svs__sweep_back()), and
     * publishes what was found in cells. */
    svs__store_seq(&sweep->epoch, epoch);
}

void svs__sweep_init(uint32_t nodes) {
    uint32_t most = svs__the_checker.tree.max / 4;
    svs__the_checker.collect = svs__sweep_go_on;
    the_sweep()->least = nodes < most ? nodes : most;
    svs__store_relaxed(&the_sweep()->sweeps, 0); /* relaxed: no other thread is there */
    svs__sweep_reset();
}

void svs__sweep_reset(void) {
    svs__sweep *sweep = the_sweep();
    sweep->part = SVS__SWEEP_RESTS;
    sweep->dead = sweep->dead_phases = 0;
    sweep->last = sweep->kept = 0;
    svs__store_relaxed(&sweep->due, sweep->least); /* relaxed: no other thread is there */
    begin_epoch(sweep);
}

/* Has every worker of every check seen this epoch, or is it offline? */
static bool all_have_seen(svs__sweep *sweep) {
    svs__checker *checker = &svs__the_checker;
    uint32_t epoch = svs__load_relaxed(&sweep->epoch); /* relaxed: `busy` is held */
    bool all = svs__lock_try(&checker->lock);
    if (!all) return false;
    for (const svs__check *check = checker->checks; check != NULL; check = check->next)
        for (uint32_t i = 0; i < check->runtime->options.threads; i++) {
            /* seq_cst: pairs with svs__sweep_back(). acquire: the worker's reads have ended, and
             * the nodes that it has appended are visible. */
            uint32_t seen = svs__load_seq(&check->workers[i].epoch);
            all = all && (seen == epoch || seen == SVS__EPOCH_AWAY);
        }
    svs__lock_release(&checker->lock);
    return all;
}

/* ---- marking ---- */

static uint32_t part_of(uint32_t node) { return node / SVS__NODE_BLOCK; }
static uint64_t bit_of(uint32_t node) { return (uint64_t)1 << node % SVS__NODE_BLOCK; }

/* Marks the node and all its ancestors. */
static void mark(svs__dpst_tree *tree, uint32_t node) {
    while (node != 0 && (tree->parts[part_of(node)].marked & bit_of(node)) == 0) {
        tree->parts[part_of(node)].marked |= bit_of(node);
        node = tree->nodes[node].parent;
    }
}

/* Marks the nodes that are open, or were since the epoch began (dpst.X5). */
static void mark_open(svs__dpst_tree *tree, uint32_t part, uint32_t epoch) {
    for (uint32_t node = part * SVS__NODE_BLOCK; node < (part + 1) * SVS__NODE_BLOCK; node++) {
        /* acquire: the node's contents and, if the node is closed, those of the nodes below it. */
        uint8_t state = svs__load_acquire(&tree->states[node]);
        if (state == SVS__NODE_OPEN || state == svs__node_closed(epoch) ||
            state == svs__node_over(epoch))
            mark(tree, node);
    }
}

/* Marks the steps that a cell names. */
static void mark_cell(svs__cell *cell, const svs__wide *seen, void *argument) {
    svs__dpst_tree *tree = argument;
    (void)cell;
    mark(tree, svs__cell_writer(seen));
    mark(tree, svs__cell_reader(seen));
    mark(tree, svs__cell_other_reader(seen));
}

static uint32_t parts_used(const svs__dpst_tree *tree) {
    /* relaxed is enough: parts that are taken during the sweep are left out. */
    uint32_t used = svs__load_relaxed(&tree->used);
    return part_of(used < tree->max ? used : tree->max);
}

/* Marks all live nodes. @return the number of parts. */
static uint32_t mark_all(svs__sweep *sweep, svs__dpst_tree *tree) {
    uint32_t parts = parts_used(tree), epoch = svs__load_relaxed(&sweep->epoch);
    for (uint32_t i = 0; i < parts; i++) {
        tree->parts[i].marked = 0;
        /* acquire: sees the nodes of the part as they were written. */
        tree->parts[i].old = svs__load_acquire(&tree->parts[i].whole);
    }
    for (uint32_t i = 0; i < parts; i++) mark_open(tree, i, epoch);
    sweep->cells = svs__shadow_visit(mark_cell, tree);
    return parts;
}

/* ---- what is dead ---- */

static bool is_dead(const svs__dpst_tree *tree, uint32_t parts, uint32_t node) {
    const svs__tree_part *part = &tree->parts[part_of(node)];
    return part_of(node) < parts && part->old && (part->marked & bit_of(node)) == 0;
}

/* Collects the dead nodes. @return the number of other nodes. */
static uint32_t gather_nodes(svs__sweep *sweep, svs__dpst_tree *tree, uint32_t parts) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < parts; i++) {
        svs__tree_part *part = &tree->parts[i];
        int dead = part->old ? __builtin_popcountll(~part->marked) : 0;
        kept += SVS__NODE_BLOCK - (uint32_t)dead;
        if (dead < LEAST_DEAD) continue;
        part->free = ~part->marked;
        for (uint64_t left = part->free; left != 0; left &= left - 1)
            /* relaxed is enough: no other thread writes it. */
            svs__store_relaxed(&tree->states[i * SVS__NODE_BLOCK + (uint32_t)__builtin_ctzll(left)],
                               SVS__NODE_FREE);
        /* relaxed is enough: it is read only after a worker has taken numbers of the part */
        svs__store_relaxed(&part->whole, false);
        part->next = sweep->dead;
        if (sweep->dead == 0) sweep->last_dead = i;
        sweep->dead = i;
    }
    return kept;
}

/* Collects the phases whose roots are dead; a phase is needed as long as its root is. The caller
 * holds the tree's lock. */
static void gather_phases(svs__sweep *sweep, svs__dpst_tree *tree, uint32_t parts) {
    uint32_t phased = svs__load_relaxed(&tree->phased); /* relaxed: the lock is held */
    for (uint32_t i = 1; i < phased; i++) {
        svs__phase_root *phase = &tree->phases[i];
        if (phase->root == 0 || !is_dead(tree, parts, phase->root)) continue;
        phase->root = 0;
        phase->up = sweep->dead_phases;
        if (sweep->dead_phases == 0) sweep->last_dead_phase = i;
        sweep->dead_phases = i;
    }
}

static void look_for_dead(svs__cell *cell, const svs__wide *seen, void *any) {
    const svs__dpst_tree *tree = &svs__the_checker.tree;
    const uint32_t names[] = {svs__cell_writer(seen), svs__cell_reader(seen),
                              svs__cell_other_reader(seen)};
    (void)cell;
    /* relaxed is enough: a dead node stays dead until its number is given out. */
    for (int i = 0; i < 3; i++)
        if (names[i] != 0 && svs__load_relaxed(&tree->states[names[i]]) == SVS__NODE_FREE)
            *(bool *)any = true;
}

static bool is_a_dead_node_named(void) {
    bool any = false;
    (void)svs__shadow_visit(look_for_dead, &any);
    return any;
}

static void give_out(svs__sweep *sweep, svs__dpst_tree *tree) {
    SVS__ASSERT_SLOW(!is_a_dead_node_named()); /* dpst.X6 */
    svs__lock_acquire(&tree->lock);
    /* relaxed is enough, here and below: the lock is held. */
    if (sweep->dead != 0) {
        tree->parts[sweep->last_dead].next = svs__load_relaxed(&tree->spare);
        svs__store_relaxed(&tree->spare, sweep->dead);
    }
    if (sweep->dead_phases != 0) {
        tree->phases[sweep->last_dead_phase].up = tree->spare_phase;
        tree->spare_phase = sweep->dead_phases;
    }
    svs__lock_release(&tree->lock);
    sweep->dead = sweep->dead_phases = 0;
}

/* ---- the four parts ---- */

static void begin(svs__sweep *sweep, svs__dpst_tree *tree) {
    sweep->began = svs__load_relaxed(&tree->made); /* relaxed is enough: an estimate */
    sweep->part = SVS__SWEEP_BEGINS;
    begin_epoch(sweep);
}

static void find_dead(svs__sweep *sweep, svs__dpst_tree *tree) {
    uint32_t parts, kept;
    uint64_t wait;
    if (sweep->kept > (uint64_t)sweep->least * PATHS_KEPT)
        svs__sweep_join(tree, svs__load_relaxed(&sweep->epoch)); /* relaxed: `busy` is held */
    parts = mark_all(sweep, tree);
    kept = gather_nodes(sweep, tree, parts);
    wait = sweep->cells < FEW_CELLS ? 0 : sweep->cells / CELLS_A_NODE;
    svs__lock_acquire(&tree->lock);
    gather_phases(sweep, tree, parts);
    svs__lock_release(&tree->lock);
    sweep->kept = kept;
    if (wait < kept) wait = kept;
    if (wait < sweep->least) wait = sweep->least;
    /* relaxed is enough, here and below: these are estimates. */
    sweep->last = sweep->began = svs__load_relaxed(&tree->made);
    svs__store_relaxed(&sweep->due, sweep->last + wait);
    svs__worker_count(&sweep->sweeps, 1);
    sweep->part = SVS__SWEEP_ENDS;
    begin_epoch(sweep);
}

/* Is a sweep due? If the tree has no room left, it is due when a few nodes were made. relaxed is
 * enough: these are estimates. */
static bool is_due(svs__sweep *sweep, svs__dpst_tree *tree) {
    uint64_t made = svs__load_relaxed(&tree->made);
    if (made >= svs__load_relaxed(&sweep->due)) return true;
    return svs__load_relaxed(&tree->used) > tree->max - SVS__NODE_BLOCK &&
           svs__load_relaxed(&tree->spare) == 0 && made - sweep->last >= tree->max / 8;
}

/* Is the sweep late? Many nodes have been made since its present part began to wait. It may wait
 * for a worker that is not running, when there are more workers than CPUs. */
static bool is_late(svs__sweep *sweep, svs__dpst_tree *tree) {
    uint64_t made = svs__load_relaxed(&tree->made); /* relaxed is enough: an estimate */
    return made - sweep->began >= sweep->least / LATE;
}

/* Continues the sweep. Called under `busy`. @return whether other threads should run first. */
static bool go_on(svs__sweep *sweep, svs__dpst_tree *tree) {
    if (sweep->part == SVS__SWEEP_RESTS) {
        if (is_due(sweep, tree)) begin(sweep, tree);
    } else if (!all_have_seen(sweep)) return is_late(sweep, tree);
    else if (sweep->part == SVS__SWEEP_ENDS) {
        give_out(sweep, tree);
        sweep->part = SVS__SWEEP_RESTS;
    } else if (svs__graph_is_used()) sweep->part = SVS__SWEEP_RESTS;
    else find_dead(sweep, tree);
    return false;
}

void svs__sweep_go_on(svs__check_worker *worker) {
    svs__sweep *sweep = the_sweep();
    bool waits;
    worker->block.fresh = false;
    if (svs__graph_is_used() || !svs__lock_try(&sweep->busy)) return;
    waits = go_on(sweep, &svs__the_checker.tree);
    svs__lock_release(&sweep->busy);
    if (waits) svs__yield();
}
