/* Runs the bodies of drawn programs, compiled with the compiler's hooks at accesses
 * (-fsanitize=thread, with these functions in the place of its library), and checks their
 * footprints.
 *
 * usage: drawn [NUMBER]      runs all programs, or one
 *
 * A child runs one program after the other. It dies of a fault, and the next child goes on.
 *
 * A byte that an instance writes and another, or a second one with the same item, accesses must
 * have a name that the footprints of both have in common: an address in the variable of the byte
 * and not behind the byte, in the modes of the accesses. Touch functions run on a thread of their
 * own, write no variable, read no byte that a body of their program writes, and name the same after
 * all bodies. */
#include "drawn.h"
#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    VARIABLES_MAX = 64, /* of a program */
    LISTED_MAX = 1 << 16,
    BYTES_MAX = 1 << 15,
    ITEMS = 14, /* of each task */
    INSTANCES_MAX = 4 * ITEMS,
    NAMES_MAX = 1 << 14,
    ROUNDS = 2
};

typedef struct variable {
    uintptr_t from, to;
    size_t at; /* of its first byte in the logs */
    unsigned program;
    char name[48];
} variable;

typedef struct instance {
    const drawn_task *task;
    _Alignas(16) unsigned char item[256], before[256];
    bool everything;
    svs_footprint names;
    svs_access room[NAMES_MAX];
    unsigned char log[BYTES_MAX]; /* 1: read, 2: written */
} instance;

static variable listed[LISTED_MAX], variables[VARIABLES_MAX]; /* of all programs; of one */
static unsigned listed_count, variable_count;
static size_t byte_count;
static instance *all;
static unsigned count, seed;
static unsigned char touched[BYTES_MAX], kept[BYTES_MAX]; /* by touch functions; the first values */
static unsigned char *log_to;                             /* NULL: nothing is logged */
static const drawn_program *now;
static const char *doing = "";
static const instance *doing_of;

/* ---- the log ---- */

static const variable *variable_at(uintptr_t at) {
    for (unsigned i = 0; i < variable_count; i++)
        if (at >= variables[i].from && at < variables[i].to) return &variables[i];
    return NULL;
}

static void note(const volatile void *address, size_t bytes, int write) {
    const uintptr_t at = (uintptr_t)address;
    const variable *v = log_to ? variable_at(at) : NULL;
    for (size_t i = 0; v && i < bytes && at + i < v->to; i++)
        log_to[v->at + (at + i - v->from)] |= (unsigned char)(1 << write);
}

#define ACCESS(name, bytes, write)                                                                 \
    void __tsan_##name(void *at) { note(at, bytes, write); }
#define ACCESSES(bytes)                                                                            \
    ACCESS(read##bytes, bytes, 0)                                                                  \
    ACCESS(write##bytes, bytes, 1)                                                                 \
    ACCESS(unaligned_read##bytes, bytes, 0)                                                        \
    ACCESS(unaligned_write##bytes, bytes, 1)                                                       \
    ACCESS(volatile_read##bytes, bytes, 0)                                                         \
    ACCESS(volatile_write##bytes, bytes, 1)                                                        \
    ACCESS(unaligned_volatile_read##bytes, bytes, 0)                                               \
    ACCESS(unaligned_volatile_write##bytes, bytes, 1)                                              \
    ACCESS(read_write##bytes, bytes, 1) ACCESS(unaligned_read_write##bytes, bytes, 1)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *at, size_t bytes) { note(at, bytes, 0); }
void __tsan_write_range(void *at, size_t bytes) { note(at, bytes, 1); }
void __tsan_init(void) {}
void __tsan_func_entry(void *pc) { (void)pc; }
void __tsan_func_exit(void) {}

/* Loads are no accesses of a footprint. */
#define CHANGE(bits, type, name)                                                                   \
    type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) {                  \
        (void)order;                                                                               \
        note(at, sizeof *at, 1);                                                                   \
        return __atomic_##name(at, value, __ATOMIC_SEQ_CST);                                       \
    }
#define ATOMIC(bits, type)                                                                         \
    CHANGE(bits, type, fetch_add)                                                                  \
    CHANGE(bits, type, fetch_sub)                                                                  \
    CHANGE(bits, type, fetch_and)                                                                  \
    CHANGE(bits, type, fetch_or)                                                                   \
    CHANGE(bits, type, fetch_xor)                                                                  \
    CHANGE(bits, type, fetch_nand)                                                                 \
    type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order) {                \
        (void)order;                                                                               \
        note(at, sizeof *at, 1);                                                                   \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                   \
    }                                                                                              \
    type __tsan_atomic##bits##_load(const volatile type *at, int order) {                          \
        (void)order;                                                                               \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order) {                   \
        (void)order;                                                                               \
        note(at, sizeof *at, 1);                                                                   \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                             \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *old, type value,    \
                                                      int order, int failed) {                     \
        (void)order, (void)failed;                                                                 \
        note(at, sizeof *at, 1);                                                                   \
        return __atomic_compare_exchange_n(at, old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *old, type value,      \
                                                    int order, int failed) {                       \
        return __tsan_atomic##bits##_compare_exchange_strong(at, old, value, order, failed);       \
    }                                                                                              \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type old, type value,       \
                                                    int order, int failed) {                       \
        (void)__tsan_atomic##bits##_compare_exchange_strong(at, &old, value, order, failed);       \
        return old;                                                                                \
    }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t) ATOMIC(64, uint64_t) void __tsan_atomic_thread_fence(int order) {
    (void)order;
}
void __tsan_atomic_signal_fence(int order) { (void)order; }

/* clang 14 calls the functions of the C library, newer ones these. */
void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__real_memmove(void *to, const void *from, size_t bytes);
void *__real_memset(void *to, int byte, size_t bytes);
#define COPY(name, real)                                                                           \
    void *name(void *to, const void *from, size_t bytes) {                                         \
        note(from, bytes, 0);                                                                      \
        note(to, bytes, 1);                                                                        \
        return real(to, from, bytes);                                                              \
    }
#define SET(name)                                                                                  \
    void *name(void *to, int byte, size_t bytes) {                                                 \
        note(to, bytes, 1);                                                                        \
        return __real_memset(to, byte, bytes);                                                     \
    }
COPY(__wrap_memcpy, __real_memcpy)
COPY(__tsan_memcpy, __real_memcpy)
COPY(__wrap_memmove, __real_memmove)
COPY(__tsan_memmove, __real_memmove)
SET(__wrap_memset)
SET(__tsan_memset)

int __real_memcmp(const void *a, const void *b, size_t bytes);
int __wrap_memcmp(const void *a, const void *b, size_t bytes) {
    note(a, bytes, 0);
    note(b, bytes, 0);
    return __real_memcmp(a, b, bytes);
}

/* ---- chance ---- */

int drawn_below(int n) {
    seed = seed * 1103515245u + 12345u;
    return (int)((seed >> 16) % (unsigned)n);
}

int drawn_edge(void) {
    static const int edges[] = {-1, -128, 127, 128, 255, 10, 11, -2, 20, 254, 100, -100};
    const int which = drawn_below(20);
    return which < 12 ? edges[which] : which - 12;
}

/* ---- what is wrong ---- */

static void say(const char *what, const instance *a, const instance *b, size_t byte) {
    const variable *v = variables;
    while (v < variables + variable_count && byte >= v->at + (v->to - v->from)) v++;
    printf("%u: %s: %s", now->number, what, a ? a->task->type->name : "");
    if (b) printf(" and %s", b->task->type->name);
    if (v < variables + variable_count) {
        printf(": byte %zu of %s", byte - v->at, v->name);
        for (int k = 0; k < 2 && b; k++) {
            const instance *one = k ? b : a;
            printf("%s %s names", k ? ";" : ":", one->log[byte] & 2 ? "written;" : "read;");
            for (uint32_t i = 0; i < one->names.count; i++) {
                const uintptr_t at = (uintptr_t)one->room[i].what;
                if (at >= v->from && at < v->to)
                    printf(" %s%zu", one->room[i].mode ? "w" : "r", (size_t)(at - v->from));
            }
        }
    }
    printf("\n");
    fflush(stdout);
    _exit(1);
}

static void on_signal(int number) {
    char text[200];
    const int length = snprintf(text, sizeof text, "%u: %s: %s in %s\n", now->number,
                                number == SIGPROF  ? "does not end"
                                : number == SIGILL ? "undefined" /* as UBSan traps */
                                                   : "faults",
                                doing_of ? doing_of->task->type->name : "", doing);
    if (write(1, text, (size_t)length) < 0) _exit(3);
    _exit(2);
}

/* ---- touch functions ---- */

static void touch(instance *one, svs_footprint *names, svs_access *room) {
    doing = "the touch function", doing_of = one;
    svs_footprint_init(names, room, NAMES_MAX);
    one->task->type->touch(names, one->item);
    if (names->status == SVS_E_LIMIT) say("more names than there is room for", one, NULL, SIZE_MAX);
    doing_of = NULL;
}

static void *touch_all(void *argument) {
    (void)argument;
    log_to = touched;
    for (unsigned i = 0; i < count; i++) touch(&all[i], &all[i].names, all[i].room);
    log_to = NULL;
    return NULL;
}

static void *touch_again(void *argument) {
    static svs_access room[NAMES_MAX];
    svs_footprint names;
    (void)argument;
    for (unsigned i = 0; i < count; i++) {
        unsigned char now_[sizeof all->item];
        memcpy(now_, all[i].item, sizeof now_);
        memcpy(all[i].item, all[i].before, sizeof now_);
        touch(&all[i], &names, room);
        memcpy(all[i].item, now_, sizeof now_);
        if (names.count != all[i].names.count ||
            memcmp(room, all[i].room, names.count * sizeof *room) != 0)
            say("the touch function depends on what bodies write", &all[i], NULL, SIZE_MAX);
    }
    return NULL;
}

static void on_a_thread(void *(*run)(void *)) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, NULL) || pthread_join(thread, NULL)) abort();
}

/* ---- the comparison ---- */

static bool has(const instance *one, uintptr_t what, int write) {
    for (uint32_t i = 0; i < one->names.count; i++)
        if ((uintptr_t)one->room[i].what == what && one->room[i].mode >= write) return true;
    return false;
}

/* Whether two instances that access the byte have a name in common. */
static bool meet(const instance *a, const instance *b, const variable *v, size_t byte) {
    const uintptr_t at = v->from + (byte - v->at);
    if (a->everything || b->everything) return true;
    for (uint32_t i = 0; i < a->names.count; i++) {
        const uintptr_t what = (uintptr_t)a->room[i].what;
        if (what >= v->from && what <= at && a->room[i].mode >= (a->log[byte] >> 1) &&
            has(b, what, b->log[byte] >> 1))
            return true;
    }
    return false;
}

static void check_byte(const variable *v, size_t byte) {
    int written = 0;
    for (unsigned i = 0; i < count; i++) written |= all[i].log[byte];
    if (!(written & 2)) return;
    if (touched[byte] & 1) say("a touch function reads what bodies write", NULL, NULL, byte);
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; (all[i].log[byte] & 2) && k < count; k++)
            if (all[k].log[byte] && !meet(&all[i], &all[k], v, byte))
                say("no name in common", &all[i], &all[k], byte);
}

static void check(void) {
    for (unsigned i = 0; i < variable_count; i++) {
        const variable *v = &variables[i];
        for (size_t byte = v->at; byte < v->at + (v->to - v->from); byte++) {
            if (touched[byte] & 2) say("a touch function writes", NULL, NULL, byte);
            check_byte(v, byte);
        }
    }
}

/* ---- variables ---- */

/* A variable NAME_NUMBER, or one of a function: NAME_NUMBER.MORE. */
static void list_variable(const char *name, const Elf64_Sym *symbol) {
    const int length = (int)strcspn(name, ".");
    const char *number = name + length;
    while (number > name && number[-1] >= '0' && number[-1] <= '9') number--;
    if (number == name || number[-1] != '_' || number == name + length) return;
    if (listed_count == LISTED_MAX) abort();
    variable *v = &listed[listed_count++];
    *v = (variable){.from = symbol->st_value, .to = symbol->st_value + symbol->st_size};
    v->program = (unsigned)atoi(number);
    snprintf(v->name, sizeof v->name, "%.*s", length < 47 ? length : 47, name);
}

/* The variables of all programs, from the table of symbols of this one. */
static void list_variables(const char *path) {
    const int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status)) abort();
    const char *at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (at == MAP_FAILED) abort();
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)at;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(at + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(at + sections[i].sh_offset);
        const char *names = at + sections[sections[i].sh_link].sh_offset;
        for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++)
            if (ELF64_ST_TYPE(symbols[k].st_info) == STT_OBJECT)
                list_variable(names + symbols[k].st_name, &symbols[k]);
    }
    close(file);
}

/* The variables of the program. */
static void choose(void) {
    variable_count = 0, byte_count = 0;
    for (unsigned i = 0; i < listed_count; i++) {
        if (listed[i].program != now->number) continue;
        if (variable_count == VARIABLES_MAX) abort();
        variable *v = &variables[variable_count++];
        *v = listed[i];
        v->at = byte_count;
        byte_count += v->to - v->from;
        if (byte_count >= BYTES_MAX) abort();
    }
}

/* ---- a program ---- */

static void copy_values(bool back) {
    for (unsigned i = 0; i < variable_count; i++) {
        const variable *v = &variables[i];
        unsigned char *memory = (unsigned char *)v->from;
        for (size_t k = 0; k < v->to - v->from; k++)
            if (!back) kept[v->at + k] = memory[k];
            else if (memory[k] != kept[v->at + k])
                memory[k] = kept[v->at + k]; /* not of constants */
    }
}

static void make(unsigned task) {
    instance *one = &all[count++];
    memset(one, 0, offsetof(instance, room));
    memset(one->log, 0, byte_count);
    one->task = &now->tasks[task];
    one->task->fill(one->item);
    memcpy(one->before, one->item, sizeof one->item);
}

static void run_bodies(void) {
    if (now->set) now->set();
    for (unsigned i = 0; i < count; i++) {
        instance *one = &all[i];
        doing = "the body", doing_of = one;
        log_to = one->log;
        (void)one->task->type->run(NULL, one->item);
        log_to = NULL;
    }
    doing_of = NULL;
}

/* With `bodies`, no touch function: what is undefined then is the program itself. */
static void run(bool bodies) {
    unsigned long names = 0, everything = 0, instances = 0;
    const struct itimerval timer = {.it_value.tv_sec = 2};
    setitimer(ITIMER_PROF, &timer, NULL);
    alarm(60);
    choose();
    copy_values(false);
    for (unsigned round = 0; round < ROUNDS; round++) {
        copy_values(true);
        memset(touched, 0, byte_count);
        seed = now->number * 2654435761u + round;
        count = 0;
        for (unsigned i = 0; i < ITEMS; i++)
            for (unsigned t = 0; t < now->task_count; t++) make(t);
        if (!bodies) on_a_thread(touch_all);
        run_bodies();
        if (bodies) continue;
        on_a_thread(touch_again);
        for (unsigned i = 0; i < count; i++) {
            for (uint32_t k = 0; k < all[i].names.count; k++)
                all[i].everything |= all[i].room[k].kind == SVS_KIND_EVERYTHING;
            everything += all[i].everything, names += all[i].names.count, instances++;
        }
        check();
    }
    if (!bodies) printf("%u: right: %lu %lu %lu\n", now->number, instances, everything, names);
    fflush(stdout); /* a fault of the next program ends the child */
}

/* Runs the programs from *next on to `end` in a child; *next is the one in which it died. */
static int run_apart(volatile unsigned *next, unsigned end, bool bodies) {
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF, SIGTRAP};
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
            signal(signals[i], on_signal);
        for (; *next < end; ++*next) {
            now = drawn_programs[*next];
            run(bodies);
        }
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child) abort();
    if (WIFSIGNALED(status))
        printf("%u: faults: signal %d\n", drawn_programs[*next]->number, WTERMSIG(status));
    return status;
}

int main(int argc, char **argv) {
    volatile unsigned *next =
        mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned begin = 0, end = drawn_count;
    all = calloc(INSTANCES_MAX, sizeof *all);
    if (next == MAP_FAILED || !all) return 2;
    list_variables("/proc/self/exe");
    if (argc > 1) {
        while (begin < end && drawn_programs[begin]->number != (unsigned)atoi(argv[1])) begin++;
        end = begin < end ? begin + 1 : end;
    }
    for (*next = begin; *next < end && run_apart(next, end, false); ++*next) {
        const unsigned at = *next;
        if (run_apart(next, at + 1, true))
            printf("%u: the program itself is wrong\n", drawn_programs[at]->number);
        *next = at;
    }
    free(all);
    return 0;
}
