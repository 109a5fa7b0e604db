/* The three programs: what they are told, and what the thesis tells of them. */
#include "ports.h"

const port port_fluidanimate = {
    .rank = RANK_FLUIDANIMATE,
    .name = "fluidanimate",
    .figure = "7.5",
    .title = "Figure 7.5: Fluidanimate",
    .folder = "examples/fluidanimate",
    .engines = {"svs", "serial", "mutex", "tbb", "openmp", "stm"},
    .words = {"--frames 1", "--frames 5", "--frames 20"},
    .lock_engines = {"mutex", "tbb", "openmp"},
    .chunks = {"--blocks-z 4", "--blocks-z 8", "--blocks-z 16", "--blocks-z 32"},
    .same = "--blocks-x 1 --blocks-z 16",
    .cases = {{"in_100K", NULL}},
    .input = "in_100K.fluid",
    .packed = "fluidanimate/in_100K.fluid.xz",
    .packed_tiny = "fluidanimate/in_5K.fluid.xz",
    .intro = "A fluid in a box, cut into cells: a pass over a block of cells writes cells of the "
             "blocks beside it, too. The lock engines lock those; SvS has more blocks than threads "
             "and runs none beside one that it meets. Times are of all frames of a run.",
    .thesis = "The thesis (8 cores) reports no seconds in its text: at 8 threads SvS was 81 ms "
              "faster than TBB and 51 ms faster than pthreads, all three close together.",
    .ours = {"PARSEC's in_5K.fluid, 1 frame", "PARSEC's in_100K.fluid (simmedium), 5 frames",
             "PARSEC's in_100K.fluid (simmedium), 20 frames"},
    .thesis_input = "simlarge",
    .thesis_times = {{"svs", 8, "fastest"}, {"mutex", 8, "svs + 51 ms"}, {"tbb", 8, "svs + 81 ms"}},
    .profile = {.words = "--frames 1", .alone = "number_run_", .runs = "frames", .barriers = 1},
    .frames = true};

const port port_canneal = {
    .rank = RANK_CANNEAL,
    .name = "canneal",
    .figure = "7.6",
    .title = "Figure 7.6: Canneal",
    .folder = "examples/canneal",
    .engines = {"svs", "serial", "mutex", "tbb", "openmp", "stm", "atomic"},
    .words = {"--swaps 200 --temperature 2000 --steps 2",
              "--swaps 15000 --temperature 2000 --steps 64",
              "--swaps 15000 --temperature 2000 --steps 64"},
    .lock_engines = {"mutex", "tbb", "openmp"},
    .chunks = {"--chunk 16", "--chunk 64", "--chunk 256", "--chunk 1024"},
    .same = "--chunk 64",
    .cases = {{"100000.nets", NULL}},
    .input = "100000.nets",
    .packed = "canneal/100000.nets.xz",
    .packed_tiny = "",
    .intro = "A netlist is placed by simulated annealing: a swap judges and moves two elements, "
             "some 100 ns of work. The lock engines lock the two, <i>atomic</i> is PARSEC's "
             "compare-and-swap, SvS runs no two swaps of one element together. Times are of the "
             "temperature steps, which is what the thesis calls the parallel section.",
    .thesis = "The thesis (8 cores) reports no seconds in its text: at 8 threads SvS was 230 ms "
              "faster than PARSEC's pthreads version, which swaps by compare-and-swap.",
    .ours = {"a generated netlist of 500 elements, 2 steps of 200 swaps",
             "PARSEC's 100000.nets (simsmall), 64 steps of 15000 swaps",
             "PARSEC's 100000.nets (simsmall), 64 steps of 15000 swaps"},
    .generated = "a generated netlist of 100000 elements (PARSEC's was not there), 64 steps of "
                 "15000 swaps",
    .thesis_input = "simlarge",
    .thesis_times = {{"svs", 8, "fastest"}, {"atomic", 8, "svs + 230 ms"}},
    .profile = {.words = "--swaps 15000 --temperature 2000 --steps 4",
                .senders = "draw_run_",
                .runs = "steps",
                .barriers = 1}};

const port port_quakesquad = {
    .rank = RANK_QUAKESQUAD,
    .name = "quakesquad",
    .figure = "7.7",
    .title = "Figure 7.7: QuakeSquad, frame times",
    .folder = "examples/quakesquad",
    .engines = {"svs", "serial", "mutex", "tbb", "openmp", "stm"},
    .words = {"--frames 5 --settle 10", "--frames 60 --settle 100", "--frames 200 --settle 400"},
    .lock_engines = {"mutex", "tbb", "openmp"},
    .chunks = {"--chunk-bombs 2 --chunk-steps 16", "--chunk-bombs 4 --chunk-steps 32",
               "--chunk-bombs 8 --chunk-steps 64"},
    .same = "--chunk-bombs 4 --chunk-steps 32",
    .cases = {{"none", "--quest none"},
              {"centre", "--quest centre"},
              {"quadrants", "--quest quadrants"},
              {"moving", "--quest moving"}},
    .intro = "A game's world: 2000 citizens, 200 techs and 100 bombs in cells that keep linked "
             "lists. A quest draws the crowd together, so that more of what runs side by side "
             "meets: <i>none</i> leaves it where it is, <i>centre</i> and <i>quadrants</i> draw it "
             "to one or four places, <i>moving</i> to one that wanders. Times are of a frame, in "
             "microseconds; refreshing signatures is inside them.",
    .thesis = "The thesis (its own world, 8 cores): SvS went from 1,226 us at 1 thread to 436 us "
              "at 8; TBB with fine-grained locks was about 137 us slower at 8 threads; STM scaled "
              "to 4 threads only.",
    .ours = {"a world made by seed, 5 frames after 10", "a world made by seed, 60 frames after 100",
             "a world made by seed, 200 frames after 400"},
    .thesis_input = "its own world",
    .thesis_times = {{"svs", 1, "1,226"},
                     {"svs", 8, "436"},
                     {"tbb", 8, "about 573"},
                     {"stm", 8, "more than at 4"}},
    .profile = {.words = "--frames 5 --settle 0 --quest none",
                .serial = "world_tick",
                .alone = "update_bombs_run_ update_people_run_",
                .asyncs = "make_part aim_block walk_stayers walk_others",
                .runs = "frames",
                .barriers = 4},
    .frames = true,
    .per_frame = true};
