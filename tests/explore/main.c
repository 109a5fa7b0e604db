/* The explorer's program.
 *
 *     explore [SCENARIO ...] [--schedules N] [--seed N] [--trace]
 *             [--strategy random|pct|exhaustive|replay] [--memory sc|tso|weak] [--runs N]
 *             [--bound N] [--length N] [--choices LIST]
 *     explore --list
 *
 * --schedules is of all scenarios together, --runs of each under each strategy; without either,
 * each scenario says how many are usual.
 * Without a strategy, scenarios are run under random, pct and, if small, exhaustive; without a
 * memory, each random or pct run has one by its seed, and exhaustive takes tso and weak in turn.
 * A failing run prints the options that repeat it; with --trace they show each step. */
#include "explore/report.h"
#include "explore/strategy.h"
#include "scale.h"
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#define EXPLORE_SCENARIO(name) extern const explore_scenario explore_##name;
#include "explore/scenarios.h"
#undef EXPLORE_SCENARIO
#define EXPLORE_SCENARIO(name) &explore_##name,
static const explore_scenario *const scenarios[] = {
#include "explore/scenarios.h"
};
#define SCENARIOS (sizeof scenarios / sizeof *scenarios)

static const char *const strategy_names[] = {"random", "pct", "exhaustive", "replay"};
static const char *const memory_names[] = {"sc", "tso", "weak"};

/* The most schedules that are tried in turn, under each memory model: ./dev explore tries more. */
#define EXHAUSTIVE_MAX 200000u
#define EXHAUSTIVE_FEW 2000u /* in short runs */

/* The most steps that one run may take. */
#define STEPS_MAX 100000u

static struct {
    const char *program, *choices;
    int strategy, memory; /* -1: each */
    uint64_t runs, seed, length, schedules;
    uint32_t bound;
    bool chosen[SCENARIOS];
    uint64_t chosen_count;
} options = {.strategy = -1, .memory = -1, .seed = 1};

/* The run that is on. */
static const explore_scenario *scenario;
static uint64_t seed, run_count;

void explore_fail(const char *format, ...) {
    const char *mutant = getenv("SVS_MUTANT");
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, "\nexplore: %s fails in run %llu: ", scenario->name,
            (unsigned long long)run_count);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n  again: %s%s%s%s %s --memory %s", mutant ? "SVS_MUTANT=" : "",
            mutant ? mutant : "", mutant ? " " : "", options.program, scenario->name,
            memory_names[explore.memory]);
    strategy_print(seed);
    fprintf(stderr, " --trace\n");
    _Exit(1);
}

static void fail_by_signal(int number) { explore_fail("signal %d", number); }

static void catch_signals(void) {
    static char stack[65536];
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = fail_by_signal, .sa_flags = SA_ONSTACK};
    (void)sigaltstack(&alternative, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        (void)sigaction(numbers[i], &action, NULL);
}

static bool run_once(void) {
    run_count++;
    strategy_begin(seed);
    explore_run(scenario);
    return strategy_end();
}

/* Steps of a run, for pct's choice of points. */
static uint64_t length_of_run(explore_strategy strategy) {
    if (options.length != 0 || strategy != EXPLORE_PCT) return options.length;
    explore.memory = EXPLORE_SC;
    strategy_set(EXPLORE_RANDOM, 0, 0);
    seed = options.seed;
    (void)run_once();
    return explore.steps;
}

static void explore_with(explore_strategy strategy, explore_memory memory, bool each_memory,
                         uint64_t runs) {
    uint64_t length = length_of_run(strategy);
    bool more = true;
    strategy_set(strategy, options.bound != 0 ? options.bound : scenario->bound, length);
    report_begin();
    for (run_count = 0; run_count < runs && more;) {
        seed = options.seed + run_count;
        explore.memory = each_memory ? (explore_memory)(seed % 3) : memory;
        more = run_once();
        report_run(strategy_hash());
    }
    report_end(scenario->name, strategy_names[strategy],
               each_memory ? "each" : memory_names[memory], !more);
}

static void explore_in_turn(explore_strategy strategy, uint64_t runs) {
    static const explore_memory both[] = {EXPLORE_TSO, EXPLORE_WEAK};
    if (options.memory >= 0) {
        explore_with(strategy, (explore_memory)options.memory, false, runs);
        return;
    }
    for (int i = 0; i < 2; i++) explore_with(strategy, both[i], false, runs);
}

/* One-time work of a process (types get their numbers) is done before the first run that counts, so
 * that each run can be repeated alone. */
static void warm_up(void) {
    explore.memory = EXPLORE_SC;
    strategy_set(EXPLORE_RANDOM, 0, 0);
    seed = 0;
    (void)run_once();
}

static uint64_t at_most(uint64_t runs, uint64_t most) { return runs < most ? runs : most; }

/* How many runs the strategy gets: all schedules that are asked for are drawn by chance,
 * half of them by priorities; some more are tried in turn. Runs are cheap: a short run has three
 * times its share. */
static uint64_t runs_of(explore_strategy strategy) {
    bool in_turn = strategy == EXPLORE_EXHAUSTIVE;
    uint64_t share = options.schedules / options.chosen_count;
    if (strategy == EXPLORE_REPLAY) return 1;
    if (options.runs != 0) return options.runs;
    if (options.schedules == 0 && in_turn)
        return scaled(100, 1) < 100 ? EXHAUSTIVE_FEW : EXHAUSTIVE_MAX;
    if (options.schedules == 0)
        return at_most(scaled(3 * (uint64_t)scenario->runs, 1), scenario->runs);
    return in_turn ? 1 + share / 20 : 1 + share / 2;
}

static void explore_scenario_of(const explore_scenario *of) {
    scenario = of;
    warm_up();
    for (int i = EXPLORE_RANDOM; i <= EXPLORE_REPLAY; i++) {
        explore_strategy strategy = (explore_strategy)i;
        if (options.strategy >= 0 ? i != options.strategy : i == EXPLORE_REPLAY) continue;
        if (options.strategy < 0 && i == EXPLORE_EXHAUSTIVE && of->bound == 0) continue;
        if (strategy == EXPLORE_EXHAUSTIVE) explore_in_turn(strategy, runs_of(strategy));
        else
            explore_with(strategy, (explore_memory)options.memory, options.memory < 0,
                         runs_of(strategy));
    }
}

static _Noreturn void complain(const char *what) {
    fprintf(stderr, "explore: '%s' was not understood; scenarios:\n", what);
    for (size_t i = 0; i < SCENARIOS; i++)
        fprintf(stderr, "  %-16s %s\n", scenarios[i]->name, scenarios[i]->about);
    exit(2);
}

static int name_among(const char *name, const char *const *names, int count) {
    for (int i = 0; i < count; i++)
        if (name != NULL && strcmp(name, names[i]) == 0) return i;
    complain(name == NULL ? "" : name);
}

static uint64_t number_of(const char *text) {
    char *end;
    uint64_t number;
    if (text == NULL) complain("");
    number = strtoull(text, &end, 10);
    if (*end != '\0' || end == text) complain(text);
    return number;
}

static void choose(const char *name) {
    for (size_t i = 0; i < SCENARIOS; i++) {
        if (strcmp(scenarios[i]->name, name) != 0) continue;
        options.chosen[i] = true;
        return;
    }
    complain(name);
}

/* @return how many words it took. */
static int read_option(char **words) {
    const char *name = words[0], *value = words[1];
    if (strcmp(name, "--trace") == 0) {
        explore.tracing = true;
        return 1;
    }
    if (strcmp(name, "--strategy") == 0) options.strategy = name_among(value, strategy_names, 4);
    else if (strcmp(name, "--memory") == 0) options.memory = name_among(value, memory_names, 3);
    else if (strcmp(name, "--runs") == 0) options.runs = number_of(value);
    else if (strcmp(name, "--schedules") == 0) options.schedules = number_of(value);
    else if (strcmp(name, "--seed") == 0) options.seed = number_of(value);
    else if (strcmp(name, "--length") == 0) options.length = number_of(value);
    else if (strcmp(name, "--bound") == 0) options.bound = (uint32_t)number_of(value);
    else if (strcmp(name, "--choices") == 0 && value != NULL) options.choices = value;
    else complain(name);
    return 2;
}

/* Addresses decide which memory objects collide: they are the same in each process, so that a run
 * can be repeated in another. Where the system does not allow that, most can all the same. */
static void fix_addresses(char **words) {
    int now = personality(0xffffffff);
    if (now < 0 || (now & ADDR_NO_RANDOMIZE) != 0) return;
    if (personality((unsigned long)now | ADDR_NO_RANDOMIZE) < 0) return;
    (void)execv("/proc/self/exe", words);
}

static void list(void) {
    for (size_t i = 0; i < SCENARIOS; i++) printf("%s\n", scenarios[i]->name);
}

static void read_words(int count, char **words) {
    bool any = false;
    options.program = words[0];
    for (int i = 1; i < count;) {
        if (words[i][0] == '-') i += read_option(&words[i]);
        else choose(words[i++]);
    }
    if (options.strategy == EXPLORE_REPLAY &&
        (options.memory < 0 || options.choices == NULL || !strategy_read(options.choices)))
        complain("--strategy replay without --memory and --choices");
    for (size_t i = 0; i < SCENARIOS; i++) any = any || options.chosen[i];
    for (size_t i = 0; i < SCENARIOS; i++) {
        options.chosen[i] = options.chosen[i] || !any;
        options.chosen_count += options.chosen[i];
    }
}

int main(int count, char **words) {
    if (count == 2 && strcmp(words[1], "--list") == 0) {
        list();
        return 0;
    }
    fix_addresses(words);
    explore.steps_max = STEPS_MAX;
    read_words(count, words);
    catch_signals();
    for (size_t i = 0; i < SCENARIOS; i++)
        if (options.chosen[i]) explore_scenario_of(scenarios[i]);
    report_total();
    return 0;
}
