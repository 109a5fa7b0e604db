#include "misuse.h"

static svs_world_options defaults(void) {
    svs_world_options options;
    svs_world_options_init(&options);
    return options;
}
static svs_status try_options(setting *s, svs_world_options options) {
    svs_world *world = s->world;
    svs_status status = svs_world_new(s->runtime, &options, &world);
    return world ? STAGE_WRONG : status;
}
/* Options with one wrong member. */
#define WRONG_OPTIONS(name, wrong)                                                                 \
    static svs_status name(setting *s) {                                                           \
        svs_world_options options = defaults();                                                    \
        options.wrong;                                                                             \
        return try_options(s, options);                                                            \
    }
WRONG_OPTIONS(unfilled, size = 0)
static svs_status odd_signature(setting *s) {
    static const uint32_t bits[] = {500, 32, 8192, 0};
    svs_world_options options = defaults();
    svs_status status = SVS_E_INVALID;
    for (size_t i = 0; i < 4 && status == SVS_E_INVALID; i++) {
        options.signature_bits = bits[i];
        status = try_options(s, options);
    }
    return status;
}
static svs_status few_cells(setting *s) {
    static const uint32_t bits[] = {3, 8, 21}; /* a signature has 2^9 */
    svs_world_options options = defaults();
    svs_status status = SVS_E_INVALID;
    for (size_t i = 0; i < 3 && status == SVS_E_INVALID; i++) {
        options.cell_bits = bits[i];
        status = try_options(s, options);
    }
    return status;
}
WRONG_OPTIONS(large_neighbourhood, neighbourhood = 4097)
WRONG_OPTIONS(large_budget, examine_budget = 65537)
static svs_status unknown_refresh(setting *s) {
    svs_world_options options = defaults();
    options.refresh = (svs_refresh_mode)-1;
    if (try_options(s, options) != SVS_E_INVALID) return STAGE_WRONG;
    options.refresh = (svs_refresh_mode)9;
    return try_options(s, options);
}

static svs_status free_used(setting *s) { return svs_world_free(s->world); }
static svs_status free_running(setting *s) { return stage_running(s, free_used); }
static svs_status refresh(setting *s) { return svs_world_refresh(s->world); }
static svs_status refresh_running(setting *s) { return stage_running(s, refresh); }

const misuse misuses_of_worlds[] = {
    {"svs_world_new: options that svs_world_options_init() has not filled", SVS_E_VERSION,
     "svs_world_new: options of another version: fill them with svs_world_options_init()", unfilled,
     false},
    {"svs_world_new: signature_bits that are no power of two", SVS_E_INVALID,
     "signature_bits must be a power of two from 64 to 4096", odd_signature, false},
    {"svs_world_new: too few or too many cells", SVS_E_INVALID,
     "cell_bits must be 0, or at most 20 with 2^cell_bits at least signature_bits", few_cells,
     false},
    {"svs_world_new: a neighbourhood that is too large", SVS_E_INVALID,
     "neighbourhood must be at most 4096", large_neighbourhood, false},
    {"svs_world_new: a budget that is too large", SVS_E_INVALID,
     "examine_budget must be at most 65536", large_budget, false},
    {"svs_world_new: an unknown way to refresh", SVS_E_INVALID,
     "refresh must be one of svs_refresh_mode", unknown_refresh, false},
    {"svs_world_free: graphs of it are left", SVS_E_BUSY,
     "svs_world_free: 2 graphs of it are left: free them first", free_used, false},
    {"svs_world_free: while a graph runs in it", SVS_E_BUSY,
     "svs_world_free: 1 graphs run in it: wait for the end of all runs", free_running, false},
    {"svs_world_refresh: while a graph runs in it", SVS_E_BUSY,
     "a graph runs in the world: refresh after the run", refresh_running, false},
    {NULL, 0, NULL, NULL, false}};
