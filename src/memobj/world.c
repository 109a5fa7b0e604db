#include "memobj/world.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/sized.h"
#include "hooks/object_hooks.h"
#include "memobj/adapt.h"
#include "memobj/addresses.h"
#include "memobj/core/storage.h"
#include "memobj/reach/reach.h"

static const svs_world_options defaults = {.size = sizeof defaults,
                                           .signature_bits = 512,
                                           .cell_bits = 16,
                                           .neighbourhood = 8,
                                           .examine_budget = 64,
                                           .refresh = SVS_REFRESH_AUTO,
                                           .refresh_percent = 10,
                                           .adapt = true};

void svs_world_options_init_sized(svs_world_options *options, size_t size) {
    if (options) svs__options_init(options, size, &defaults, sizeof defaults);
    else
        (void)svs__refuse(NULL, SVS_E_NULL,
                          "svs_world_options_init: no options: pass the address of a struct");
}

static bool is_power_of_two(uint32_t n) { return n && !(n & (n - 1)); }

static const char *options_mistake(const svs_world_options *o) {
    if (!is_power_of_two(o->signature_bits) || o->signature_bits < SVS__SIGNATURE_BITS_MIN ||
        o->signature_bits > SVS__SIGNATURE_BITS_MAX)
        return "signature_bits must be a power of two from 64 to 4096";
    if (o->cell_bits && (o->cell_bits > 20 || UINT32_C(1) << o->cell_bits < o->signature_bits))
        return "cell_bits must be 0, or at most 20 with 2^cell_bits at least signature_bits";
    if (o->neighbourhood > 4096) return "neighbourhood must be at most 4096";
    if (o->examine_budget > 65536) return "examine_budget must be at most 65536";
    if ((int)o->refresh < SVS_REFRESH_AUTO || o->refresh > SVS_REFRESH_MANUAL)
        return "refresh must be one of svs_refresh_mode";
    return NULL;
}

static svs_status take_options(svs_world_options *chosen, const svs_world_options *options,
                               const svs__log *log) {
    const char *mistake;
    if (options && svs__options_take(chosen, sizeof *chosen, options))
        return svs__refuse(log, SVS_E_VERSION,
                           "svs_world_new: options of another version: fill them with "
                           "svs_world_options_init()");
    mistake = options_mistake(chosen);
    return mistake ? svs__refuse(log, SVS_E_INVALID, "svs_world_new: %s", mistake) : SVS_OK;
}

static uint32_t log2_of(uint32_t power) { return (uint32_t)__builtin_ctz(power); }

static size_t counts_bytes(const svs_world *world) {
    return world->count_lines * sizeof(svs__link_counts);
}

static void release_world(svs_world *world) {
    svs__release(world->allocator, world->counts, counts_bytes(world), SVS__CACHE_LINE);
    svs__pools_free(world);
    svs__release(world->allocator, world, sizeof *world, _Alignof(svs_world));
}

svs_status svs_world_new(svs_runtime *runtime, const svs_world_options *options,
                         svs_world **world) {
    svs_world_options chosen = defaults;
    svs_world *made;
    svs_status status;
    if (world) *world = NULL;
    if (!runtime || !world)
        return svs__refuse(runtime ? svs__runtime_log(runtime) : NULL, SVS_E_NULL,
                           "svs_world_new: %s",
                           runtime ? "no place for the world: pass a pointer's address"
                                   : "no runtime: did svs_runtime_new() fail?");
    if (svs__runtime_is_forked(runtime))
        return svs__refuse(svs__runtime_log(runtime), SVS_E_FORKED, "svs_world_new: %s",
                           svs_status_text(SVS_E_FORKED));
    status = take_options(&chosen, options, svs__runtime_log(runtime));
    if (status) return status;
    made = svs__allocate_zeroed(svs__runtime_allocator(runtime), sizeof *made, _Alignof(svs_world));
    if (!made) return SVS_E_NO_MEMORY;
    made->runtime = runtime;
    made->allocator = svs__runtime_allocator(runtime);
    made->log = svs__runtime_log(runtime);
    made->options = chosen;
    made->words = chosen.signature_bits / 64;
    made->bit_shift = 32 - log2_of(chosen.signature_bits);
    made->adaptation.cells_stay = !chosen.cell_bits;
    if (!chosen.cell_bits) made->options.cell_bits = log2_of(chosen.signature_bits);
    made->cell_bits = made->options.cell_bits;
    made->cell_shift = 32 - made->cell_bits;
    /* relaxed is enough: the world is not shared yet */
    svs__store_relaxed(&made->neighbourhood, chosen.neighbourhood);
    /* With a budget of 0, and with SVS_REFRESH_ALWAYS, signatures are kept from the start. */
    if (!chosen.examine_budget || chosen.refresh == SVS_REFRESH_ALWAYS)
        svs__store_relaxed(&made->upkeep, SVS__UPKEEP_ON);
    made->count_lines = svs_runtime_threads(runtime) + 2;
    made->made_by = svs__thread_id();
    made->counts = svs__allocate_zeroed(made->allocator, counts_bytes(made), SVS__CACHE_LINE);
    status = made->counts ? svs__pools_new(made) : SVS_E_NO_MEMORY;
    if (!status) status = svs__world_register(made);
    if (status) release_world(made);
    if (status == SVS_E_LIMIT) /* LCOV_EXCL_BR_LINE: 65,535 worlds */
        return svs__refuse(svs__runtime_log(runtime), status,
                           "svs_world_new: the process has 65,535 worlds, which is the limit: free "
                           "one first");
    if (status) return status;
    svs__runtime_hold(runtime);
    *world = made;
    return SVS_OK;
}

static void release_masters(svs_world *world) {
    svs__master *m = svs__load_acquire(&world->masters);
    while (m) {
        svs__master *next = svs__load_relaxed(&m->next);
        svs__master_release(world, m);
        m = next;
    }
}

static svs_status refuse_forked(const svs_world *world, const char *call) {
    return svs__refuse(world->log, SVS_E_FORKED, "%s: %s", call, svs_status_text(SVS_E_FORKED));
}

static void free_kept(svs_world *world) {
    /* acquire: pairs with the release in the call that stored the kept graph. */
    struct svs_graph *kept = svs__exchange_acq_rel(&world->kept, NULL);
    svs_status refused = kept ? world->kept_free(kept) : SVS_OK;
    SVS__ASSERT(!refused); /* sched.T9: the kept graph does not run */
    (void)refused;
}

svs_status svs_world_free(svs_world *world) {
    uint32_t runs, graphs;
    if (!world) return SVS_OK;
    if (svs__world_is_forked(world)) return refuse_forked(world, "svs_world_free");
    free_kept(world);
    svs__lock_acquire(&world->entry);
    runs = svs__load_relaxed(&world->runs);
    graphs = world->graphs;
    if (runs || graphs) {
        svs__lock_release(&world->entry);
        return svs__refuse(
            world->log, SVS_E_BUSY, "svs_world_free: %u graphs %s", runs ? runs : graphs,
            runs ? "run in it: wait for the end of all runs" : "of it are left: free them first");
    }
    svs__world_unregister(world);
    svs__lock_release(&world->entry);
    if (SVS__UNLIKELY(svs__watching() != NULL)) svs__watching()->world_gone(world);
    release_masters(world);
    svs__storage_free_all(world);
    svs__addresses_clean_up(world);
    if (svs__load_relaxed(&world->common)) /* relaxed is enough: no other thread uses the world */
        world->common_release(svs__load_relaxed(&world->common));
    if (world->admission) world->admission_release(world->admission);
    svs__runtime_unhold(world->runtime);
    release_world(world);
    return SVS_OK;
}

void svs__world_tidy(svs_world *world, svs__worker *worker) {
    SVS__ASSERT(svs__lock_is_held(&world->entry)); /* memobj.W2 */
    /* relaxed is enough: the world is quiescent. Without memory, the next set that needs a
     * signature requests upkeep again. */
    if (svs__load_relaxed(&world->upkeep_wanted)) (void)svs__reach_begin_upkeep(world);
    svs__adapt_masters(world);
    if (svs__reach_refresh_due(world) && svs__reach_refresh(world, worker))
        svs__log_write(world->log, SVS_LOG_WARNING,
                       "a refresh found no memory: signatures stay sound and may cover more than "
                       "is reached: free memory, or call svs_world_refresh() later");
    svs__storage_release_freed(world);
}

void svs__world_quiesce(svs_world *world, svs__worker *worker) {
    uint32_t runs;
    svs__lock_acquire(&world->entry);
    runs = svs__load_seq(&world->runs);
    if (!runs) svs__adapt_cells(world);
    if (runs <= (worker ? 1u : 0u)) svs__world_tidy(world, worker);
    svs__lock_release(&world->entry);
}

svs_status svs_world_refresh(svs_world *world) {
    svs_status status = SVS_E_BUSY;
    if (!world) return svs__refuse(NULL, SVS_E_NULL, "svs_world_refresh: no world: pass one");
    if (svs__world_is_forked(world)) return refuse_forked(world, "svs_world_refresh");
    svs__lock_acquire(&world->entry);
    if (!svs__load_seq(&world->runs)) {
        status = svs__reach_begin_upkeep(world);
        if (!status) status = svs__reach_refresh(world, NULL);
        svs__storage_release_freed(world);
    }
    svs__lock_release(&world->entry);
    if (status == SVS_E_BUSY)
        return svs__refuse(world->log, status,
                           "svs_world_refresh: a graph runs in the world: refresh after the run");
    return status;
}

svs_status svs_world_statistics_get_sized(const svs_world *world, svs_world_statistics *statistics,
                                          size_t size) {
    svs_world *w = (svs_world *)(uintptr_t)world;
    svs_world_statistics counted;
    if (!world || !statistics)
        return svs__refuse(world ? world->log : NULL, SVS_E_NULL,
                           "svs_world_statistics_get: the %s missing: pass one",
                           world ? "place for the statistics is" : "world is");
    /* relaxed is enough: these are statistics, read one by one while others change. */
    counted = (svs_world_statistics){
        .link_assignments = svs__world_assigned(w),
        .refreshes = svs__load_relaxed(&w->refreshes),
        .masters = svs__load_relaxed(&w->master_count),
        .masters_dirty = svs__load_relaxed(&w->masters_dirty),
        .quarantined = svs__world_quarantined(w),
        .metadata_bytes = svs__load_relaxed(&w->metadata_bytes),
    };
    svs__output_put(statistics, size, &counted, sizeof counted);
    return SVS_OK;
}

svs_status svs_space_new(svs_world *world, const char *name, uint64_t count, svs_space **space) {
    svs_space *made;
    if (space) *space = NULL;
    if (!world || !space)
        return svs__refuse(world ? world->log : NULL, SVS_E_NULL, "svs_space_new: %s",
                           world ? "no place for the space: pass a pointer's address"
                                 : "no world: did svs_world_new() fail?");
    if (svs__world_is_forked(world)) return refuse_forked(world, "svs_space_new");
    made = svs__allocate_zeroed(world->allocator, sizeof *made, _Alignof(svs_space));
    if (!made) return SVS_E_NO_MEMORY;
    made->world = world;
    /* relaxed is enough: only the number matters. The top bit separates the numbers of spaces from
     * the orders of bodies. */
    made->key = svs__fetch_add_relaxed(&world->next_space, 1) | UINT64_C(1) << 63;
    made->key = (uint64_t)svs__key(made->key, 0) << 32;
    made->count = count;
    strncpy(made->name, name ? name : "", sizeof made->name - 1);
    *space = made;
    return SVS_OK;
}

svs_status svs_space_free(svs_space *space) {
    svs_world *world;
    if (!space) return SVS_OK;
    world = space->world;
    if (svs__world_is_forked(world)) return refuse_forked(world, "svs_space_free");
    if (svs__load_acquire(&world->runs))
        return svs__refuse(world->log, SVS_E_BUSY,
                           "svs_space_free: a graph runs in the world: free it after the run");
    svs__release(world->allocator, space, sizeof *space, _Alignof(svs_space));
    return SVS_OK;
}
