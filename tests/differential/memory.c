/* Memory that is counted, and what ends a case that fails: a violation, a signal, a hang. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>
#include <time.h>
#include <unistd.h>

#include "differential.h"

/* A race check has the accesses of ThreadSanitizer, and no sanitizer (cmake/check_mode.cmake). */
#if !defined(SVS_CHECKED) && (defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__))
#define SANITIZED 1
#include <sanitizer/common_interface_defs.h>
#endif

choices chosen;
_Atomic(uint64_t) progress, instances_total;

/* ---- failures ---- */

static void report(const char *what, const char *text) {
    const char *mutant = getenv("SVS_MUTANT"); /* tests/mutants */
    char line[512], again[256], only[160] = "";
    describe_plan(&the.plan, line, sizeof line);
    for (uint32_t i = 0; i < FEATURE_COUNT; i++) {
        const char *name;
        (void)feature_text(i, &name);
        if (!(chosen.only >> i & 1)) continue;
        strcat(only, " --only ");
        strcat(only, name);
    }
    (void)snprintf(again, sizeof again, "%s%s%sdifferential --seed %llu%s%s --times 100",
                   mutant ? "SVS_MUTANT=" : "", mutant ? mutant : "", mutant ? " " : "",
                   (unsigned long long)the.plan.seed, only, chosen.oom ? " --oom" : "");
    (void)fprintf(stderr, "differential: seed %llu: %s: %s\n  case: %s\n  again: %s\n",
                  (unsigned long long)the.plan.seed, what, text, line, again);
    (void)fflush(NULL);
}

void violated(const char *what, const char *format, ...) {
    static atomic_flag first = ATOMIC_FLAG_INIT;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    while (atomic_flag_test_and_set(&first)) (void)pause(); /* one report is enough */
    report(what, text);
    _exit(1);
}

void must(svs_status status, const char *call) {
    if (status) violated("a call", "%s answered %s", call, svs_status_name(status));
}

/* Ends the process, with --verbose by the signal, which leaves a core. */
static void end_by(int number) {
    if (!chosen.verbose) _exit(1);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void crashed(int number) {
    report("crashed", strsignal(number));
    end_by(number);
}

static void *watch(void *unused) {
    uint64_t last = atomic_load(&progress);
    for (uint32_t quiet = 0; quiet < chosen.hang; quiet++) {
        (void)sleep(1);
        if (atomic_load(&progress) != last) quiet = 0;
        last = atomic_load(&progress);
    }
    report("hangs", "no instance and no case has begun since the watchdog's time");
    end_by(SIGABRT);
    return NULL;
}

#ifdef SANITIZED
static void died(void) { report("a sanitizer", "its report stands above"); }
static void catch_crashes(void) {
    (void)crashed;
    __sanitizer_set_death_callback(died);
}
#else
static void catch_crashes(void) {
    (void)signal(SIGSEGV, crashed);
    (void)signal(SIGBUS, crashed);
    (void)signal(SIGABRT, crashed);
}
#endif

void watch_begin(void) {
    pthread_t thread;
    catch_crashes();
    if (chosen.hang && pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
}

/* ---- memory ---- */

/* Before each block, within what aligns it: its size, its alignment, and a word that is gone when
 * the block is. Behind it eight bytes that nothing writes. Freed blocks are filled. */
typedef struct block {
    size_t size, alignment;
    uint64_t word;
    uint64_t pad;
} block;
#define WORD UINT64_C(0x5a17ab1e0ddba11d)
#define FREED 0xdd

static _Atomic(int64_t) bytes, blocks;
static _Atomic(uint32_t) fails;
static _Atomic(uint64_t) asked;

void memory_fails(uint32_t one_in) { atomic_store(&fails, one_in); }

static bool refuses(void) {
    uint32_t one_in = atomic_load_explicit(&fails, memory_order_relaxed);
    uint64_t state;
    if (!one_in) return false;
    state = the.plan.seed * 1000003u + atomic_fetch_add(&asked, 1);
    return below(&state, one_in) == 0;
}

static size_t room_before(size_t alignment) {
    return alignment > sizeof(block) ? alignment : sizeof(block);
}

static void *allocate_counted(size_t size, size_t alignment) {
    size_t before = room_before(alignment), whole;
    const uint64_t word = WORD;
    char *memory;
    block *b;
    if (!size || alignment < sizeof(void *) || (alignment & (alignment - 1)))
        violated("memory", "asked for %zu bytes aligned to %zu", size, alignment);
    if (refuses()) return NULL;
    whole = (before + size + sizeof word + before - 1) / before * before;
    memory = aligned_alloc(before, whole);
    if (!memory) return NULL;
    memory += before;
    b = (block *)(void *)memory - 1;
    *b = (block){size, alignment, WORD, 0};
    memcpy(memory + size, &word, sizeof word);
    (void)atomic_fetch_add_explicit(&bytes, (int64_t)size, memory_order_relaxed);
    (void)atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
    return memory;
}

static void release_counted(void *memory, size_t size, size_t alignment) {
    block *b = (block *)memory - 1;
    uint64_t word;
    if (b->word != WORD) violated("memory", "freed twice, or never allocated: %p", memory);
    if (b->size != size || b->alignment != alignment)
        violated("memory", "%zu bytes aligned to %zu are given back as %zu aligned to %zu", b->size,
                 b->alignment, size, alignment);
    memcpy(&word, (char *)memory + size, sizeof word);
    if (word != WORD) violated("memory", "written behind a block of %zu bytes", size);
    b->word = 0;
    memset(memory, FREED, size < 4096 ? size : 4096);
    (void)atomic_fetch_sub_explicit(&bytes, (int64_t)size, memory_order_relaxed);
    (void)atomic_fetch_sub_explicit(&blocks, 1, memory_order_relaxed);
    free((char *)memory - room_before(alignment));
}

/* A race check looks at what bodies do with the memory. */
static void *allocate(size_t size, size_t alignment, uint32_t worker, void *unused) {
    void *memory;
    svs_check_ignore_begin();
    memory = allocate_counted(size, alignment);
    svs_check_ignore_end();
    return memory;
}

static void release(void *memory, size_t size, size_t alignment, uint32_t worker, void *unused) {
    svs_check_ignore_begin();
    release_counted(memory, size, alignment);
    svs_check_ignore_end();
}

const svs_allocator counted = {allocate, release, NULL};

void memory_check(void) {
    if (atomic_load(&bytes) || atomic_load(&blocks))
        violated("memory", "%lld bytes in %lld blocks were not given back",
                 (long long)atomic_load(&bytes), (long long)atomic_load(&blocks));
}
