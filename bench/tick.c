/* The tick of a game: entities in a grid that move, meet, trade, die and are born.
 *
 *     bench_tick [--entities 20000] [--side 64] [--ticks 60] [--work 0,200] [--threads 1,2]
 *
 * An iteration is all ticks; each tick is a run of one item an entity. An entity moves to a cell
 * next to its own. If another one waits there, both are linked as partners; else it waits. Partners
 * trade at each tick of one of them, and part after a while. An old entity is freed, and a new one
 * is made in its place. The footprint of an item is its entity and the cells, each with what it
 * links to.
 *
 * Figures are nanoseconds of an entity in a tick; tick_p50_us and tick_p99_us are of whole ticks,
 * p99_ratio is the second divided by the first. The gold of all entities and cells is added up at
 * the end, and each partner's partner is compared. */
#include "shim.h"

#include <stdlib.h>
#include <string.h>

enum { GOLD = 100, AGE_MAX = 200, TRADES_MAX = 5 };

typedef struct entity entity;
struct entity {
    svs_object svs;
    entity *partner;
    uint64_t seed;
    int64_t gold;
    uint32_t cell, age, trades;
};
SVS_TYPE(entity, svs, partner)

typedef struct cell {
    svs_object svs;
    entity *waits;
    int64_t gold; /* of the dead */
} cell;
SVS_TYPE(cell, svs, waits)

typedef struct settings {
    uint64_t entities, side, ticks;
    bench_list work, threads;
} settings;
static settings s = {.entities = 20000, .side = 64, .ticks = 60};

typedef struct contender {
    uint32_t threads, work; /* threads: 0 for the serial loop */
    bench_case *measured;
} contender;
static contender contenders[BENCH_LIST_MAX][BENCH_LIST_MAX + 1];

/* The game; the serial loop has no world. */
typedef struct game {
    svs_world *world;
    cell **cells;
    entity **entities;
    uint32_t rounds;
} game;

typedef struct turn {
    entity **place; /* of the entity, in game.entities */
    entity *self;
    cell *from, *to;
    uint32_t to_cell;
} turn;

/* ---- a turn, with links of SvS or plain ones ---- */

static inline svs_status link_partner(const game *g, entity *from, entity *to) {
    if (g->world) return svs_link(from, partner, to);
    from->partner = to;
    return SVS_OK;
}

static inline svs_status link_waits(const game *g, cell *at, entity *who) {
    if (g->world) return svs_link(at, waits, who);
    at->waits = who;
    return SVS_OK;
}

static entity *entity_new(const game *g, uint32_t at, uint64_t seed) {
    entity *made;
    if (g->world) BENCH_OK(SVS_NEW(g->world, entity, &made));
    else made = bench_allocate(1, sizeof *made);
    made->cell = at;
    made->seed = seed;
    made->age = (uint32_t)(seed >> 33) % AGE_MAX;
    return made;
}

static svs_status entity_free(const game *g, entity *e) {
    if (g->world) return svs_object_free(&e->svs);
    free(e);
    return SVS_OK;
}

static svs_status part(const game *g, entity *e) {
    entity *other = e->partner;
    svs_status status = link_partner(g, other, NULL);
    other->trades = e->trades = 0;
    return status ? status : link_partner(g, e, NULL);
}

static svs_status trade(const game *g, entity *e) {
    int64_t amount = (e->gold - e->partner->gold) / 2;
    e->gold -= amount;
    e->partner->gold += amount;
    return ++e->trades < TRADES_MAX ? SVS_OK : part(g, e);
}

static svs_status meet(const game *g, entity *e, cell *at) {
    entity *other = at->waits;
    svs_status status;
    if (!other) return link_waits(g, at, e);
    status = link_waits(g, at, NULL);
    if (!status) status = link_partner(g, e, other);
    return status ? status : link_partner(g, other, e);
}

/* It waits nowhere. */
static svs_status die(const game *g, const turn *t) {
    entity *e = t->self;
    svs_status status = e->partner ? part(g, e) : SVS_OK;
    t->to->gold += e->gold;
    *t->place = entity_new(g, t->to_cell, e->seed * 31 + 7);
    return status ? status : entity_free(g, e);
}

static inline svs_status take_turn(const game *g, const turn *t) {
    entity *e = t->self;
    svs_status status = SVS_OK;
    bench_spin(g->rounds);
    e->seed = e->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    e->cell = t->to_cell;
    if (t->from->waits == e) status = link_waits(g, t->from, NULL);
    if (status) return status;
    if (++e->age > AGE_MAX) return die(g, t);
    return e->partner ? trade(g, e) : meet(g, e, t->to);
}

/* ---- the task ---- */

static void turn_touch(svs_footprint *f, const turn *t) {
    svs_writes_hops(f, &t->self->svs, 1);
    svs_writes_hops(f, &t->from->svs, 1);
    svs_writes_hops(f, &t->to->svs, 1);
}
static svs_status turn_run(svs_context *x, turn *t) {
    return take_turn(svs_context_argument(x), t);
}
SVS_TASK(turn, turn_run, turn_touch)

/* ---- a game ---- */

static game game_new(svs_world *world, uint32_t rounds) {
    uint64_t count = s.side * s.side;
    game g = {world, bench_allocate(count, sizeof *g.cells),
              bench_allocate(s.entities, sizeof *g.entities), rounds};
    for (uint64_t i = 0; i < count; i++) {
        if (world) BENCH_OK(SVS_NEW(world, cell, &g.cells[i]));
        else g.cells[i] = bench_allocate(1, sizeof(cell));
    }
    for (uint64_t i = 0; i < s.entities; i++) {
        uint64_t seed = (i + 1) * UINT64_C(6364136223846793005);
        g.entities[i] = entity_new(&g, (uint32_t)((seed >> 40) % count), seed);
        g.entities[i]->gold = GOLD;
    }
    return g;
}

static void check(const game *g) {
    int64_t gold = 0;
    for (uint64_t i = 0; i < s.side * s.side; i++) gold += g->cells[i]->gold;
    for (uint64_t i = 0; i < s.entities; i++) {
        const entity *e = g->entities[i];
        gold += e->gold;
        if (e->partner && e->partner->partner != e) bench_fail("a partner has another partner");
    }
    if (gold != (int64_t)s.entities * GOLD) bench_fail("%lld gold", (long long)gold);
}

static void game_free(game *g) {
    for (uint64_t i = 0; !g->world && i < s.side * s.side; i++) free(g->cells[i]);
    for (uint64_t i = 0; !g->world && i < s.entities; i++) free(g->entities[i]);
    free(g->cells);
    free(g->entities);
}

static turn turn_of(const game *g, uint64_t number) {
    entity *e = g->entities[number];
    uint32_t side = (uint32_t)s.side, x = e->cell % side, y = e->cell / side, to;
    if (e->seed >> 63) x = (x + (e->seed >> 62 & 1 ? 1 : side - 1)) % side;
    else y = (y + (e->seed >> 62 & 1 ? 1 : side - 1)) % side;
    to = y * side + x;
    return (turn){&g->entities[number], e, g->cells[e->cell], g->cells[to], to};
}

/* ---- measuring ---- */

enum { TICKS_MAX = 100000 };
typedef struct ticks {
    double ns[TICKS_MAX];
    size_t count;
} ticks;

static void tick_serially(const game *g) {
    for (uint64_t i = 0; i < s.entities; i++) {
        turn t = turn_of(g, i);
        (void)take_turn(g, &t);
    }
}

/* What it reads of an entity is written by the entity's own turn alone. */
static void make_turns(void *items, uint32_t first, uint32_t count, void *argument) {
    turn *turns = items;
    for (uint32_t i = 0; i < count; i++) turns[i] = turn_of(argument, first + i);
}

static void tick_graph(game *g, svs_graph *graph, svs_task *task) {
    BENCH_OK(svs_graph_generate(graph, task, make_turns, g, s.entities, sizeof(turn)));
    BENCH_OK(svs_graph_run(graph, 1, NULL));
}

static void run_ticks(const contender *c, ticks *all) {
    svs_graph *graph = NULL;
    svs_task *task = NULL;
    svs_world *world = NULL;
    game g;
    if (c->threads) BENCH_OK(svs_world_new(bench_runtime_of(c->threads), NULL, &world));
    g = game_new(world, bench_rounds(c->work));
    if (world) {
        BENCH_OK(svs_graph_new(world, NULL, &graph));
        BENCH_OK(svs_graph_add_itemizer(graph, &turn_task, &g, &task));
    }
    for (uint64_t i = 0; i < s.ticks; i++) {
        uint64_t begin = bench_wall_ns();
        if (world) tick_graph(&g, graph, task);
        else tick_serially(&g);
        if (all->count < TICKS_MAX) all->ns[all->count++] = (double)(bench_wall_ns() - begin);
    }
    check(&g);
    if (world) {
        BENCH_OK(svs_graph_free(graph));
        BENCH_OK(svs_world_free(world));
    }
    game_free(&g);
}

/* Timed by its ticks: without the making of the game. */
static void measure(bench_state *state, const void *argument) {
    ticks *all = bench_allocate(1, sizeof *all);
    double p50;
    while (bench_loop(state)) {
        size_t before = all->count;
        double sum = 0;
        run_ticks(argument, all);
        for (size_t i = before; i < all->count; i++) sum += all->ns[i];
        bench_time(state, (uint64_t)sum);
    }
    p50 = bench_percentile(all->ns, all->count, 50);
    bench_counter(state, "p50", p50 / 1000);
    bench_counter(state, "p99", bench_percentile(all->ns, all->count, 99) / 1000);
    free(all);
}

/* ---- rows ---- */

static void report_one(const contender *c, const contender *serial) {
    bench_figure wall = bench_figure_of(c->measured, BENCH_WALL);
    double p50 = bench_figure_of(c->measured, "p50").median;
    double p99 = bench_figure_of(c->measured, "p99").median;
    bench_case_row(c->measured,
                   "wall_ns=%.1f wall_spread_pct=%.1f tick_p50_us=%.1f tick_p99_us=%.1f "
                   "p99_ratio=%.3f ratio_serial=%.3f",
                   wall.median, wall.spread_pct, p50, p99, p99 / p50,
                   wall.median / bench_figure_of(serial->measured, BENCH_WALL).median);
}

static void report(void) {
    for (size_t w = 0; w < s.work.count; w++)
        for (size_t t = 0; t <= s.threads.count; t++)
            report_one(&contenders[w][t], &contenders[w][0]);
}

static void add(contender *c, uint64_t work, uint64_t threads) {
    *c = (contender){(uint32_t)threads, (uint32_t)work, NULL};
    c->measured = bench_case_new(measure, c, (double)(s.entities * s.ticks),
                                 "tick engine=%s entities=%llu work=%u threads=%u",
                                 threads ? "svs" : "serial", (unsigned long long)s.entities,
                                 c->work, threads ? c->threads : 1);
    c->measured->timed = true;
    c->measured->counted = threads < 2;
}

static const option_row rows[] = {
    {"entities", 'e', "N", "Entities (20000)", 0, OPTION_NUMBER(settings, entities, 1, 1000000)},
    {"side", 's', "N", "Cells of a side of the grid (64)", 0,
     OPTION_NUMBER(settings, side, 2, 1000)},
    {"ticks", 'k', "N", "Ticks (60)", 0, OPTION_NUMBER(settings, ticks, 1, 10000)},
    {"work", 'w', "LIST", "Work of an entity beside its links, ns (0,200)", 0,
     BENCH_OPTION_LIST(settings, work, 0, 1000000)},
    {"threads", 't', "LIST", "Threads (1 and all)", 0,
     BENCH_OPTION_LIST(settings, threads, 1, SVS_THREADS_MAX)},
    BENCH_OPTION_INSTRUCTIONS,
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows,
                                           .text = "Entities that move, meet, trade and die."};
    s.work = bench_list_of(2, (uint64_t[]){0, 200});
    s.threads = bench_threads_default();
    bench_options(&program, argc, argv, &s);
    for (size_t w = 0; w < s.work.count; w++)
        for (size_t t = 0; t <= s.threads.count; t++)
            add(&contenders[w][t], s.work.values[w], t ? s.threads.values[t - 1] : 0);
    return bench_run(report);
}
