/* Handlers of signals. Their accesses do not belong to the interrupted task, which may be at any
 * place, even inside the checker. Therefore a handler of the checker sets the task aside, calls the
 * program's handler, and restores the task when that has returned. A handler that is left by a jump
 * also restores the task.
 *
 * Threads: any. While another thread still runs the old handler, a newly installed one may already
 * be called in its place. */
#include "base/atomic.h"
#include "dpst/report/self.h"
#include "dpst/report/start.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIGNALS 128

ssize_t svs__real_write(int file, const void *from, size_t bytes) __asm__("__real_write");

/* The program's own handlers: address << 1 | whether it takes three arguments; 0: none. */
static _Atomic(uint64_t) handlers[SIGNALS];

typedef void with_number(int number);
typedef void with_all(int number, siginfo_t *info, void *context);

typedef union function {
    with_number *few;
    with_all *all;
    uintptr_t address;
} function;

static uint64_t pack(function f, bool takes_all) { return (uint64_t)f.address << 1 | takes_all; }
static function unpack(uint64_t packed) { return (function){.address = (uintptr_t)(packed >> 1)}; }

/* ---- while a handler runs ---- */

/* The thread's state of the interrupted task. */
typedef struct interrupted {
    /* the record of the handler that this one has interrupted, or NULL */
    struct interrupted *outer;
    struct svs__check_task *task;
    struct svs__instance *instance;
    const char *stack_low;
    uint32_t step, ignored, frame, frames_lost;
} interrupted;

static _Thread_local interrupted *innermost SVS__TLS_NEAR;

static void put_aside(svs__check_thread *self, interrupted *was) {
    *was = (interrupted){innermost,  self->task,    self->instance, self->stack_low,
                         self->step, self->ignored, self->frame,    self->frames_lost};
    self->step = 0; /* comes first: accesses after this line are not checked */
    self->task = NULL;
    self->instance = NULL;
    self->stack_low = NULL;
    self->ignored = self->frame = self->frames_lost = 0;
    innermost = was;
}

static void take_back(svs__check_thread *self, const interrupted *was) {
    innermost = was->outer;
    self->task = was->task;
    self->instance = was->instance;
    self->stack_low = was->stack_low;
    self->ignored = was->ignored;
    self->frame = was->frame;
    self->frames_lost = was->frames_lost;
    self->step = was->step;
}

static void handle(int number, siginfo_t *info, void *context) {
    interrupted was;
    uint64_t packed;
    function f;
    svs__check_attach(); /* the state that is put aside needs a block */
    put_aside(svs__check_self, &was);
    /* relaxed: the handler's code existed before its address was stored. */
    packed = svs__load_relaxed(&handlers[number]);
    f = unpack(packed);
    if (packed & 1) f.all(number, info, context);
    else f.few(number);
    take_back(svs__check_self, &was);
}

static void handle_number(int number) { handle(number, NULL, NULL); }

/* ---- how handlers are installed ---- */

static bool is_code(function f) { return f.few != SIG_DFL && f.few != SIG_IGN && f.few != SIG_ERR; }

static bool is_ours(function f) { return f.all == handle || f.few == handle_number; }

static bool is_known(int number) { return number > 0 && number < SIGNALS; }

/* Replaces our handler by the program's own one in what the program sees. */
static void show_own(struct sigaction *old, uint64_t packed) {
    function f = {.all = old->sa_sigaction};
    if (!is_ours(f)) return;
    if (packed & 1) old->sa_sigaction = unpack(packed).all;
    else {
        old->sa_flags &= ~SA_SIGINFO;
        old->sa_handler = unpack(packed).few;
    }
}

WRAP(int, sigaction, (int number, const struct sigaction *action, struct sigaction *old)) {
    struct sigaction ours;
    uint64_t before;
    function f;
    int failed;
    if (!is_known(number)) return svs__real_sigaction(number, action, old);
    before = svs__load_relaxed(&handlers[number]); /* relaxed: as above. */
    if (action != NULL) {
        ours = *action;
        f.all = ours.sa_sigaction;
        if (is_code(f)) {
            svs__store_relaxed(&handlers[number], pack(f, (ours.sa_flags & SA_SIGINFO) != 0));
            ours.sa_sigaction = handle;
            ours.sa_flags |= SA_SIGINFO;
        }
    }
    failed = svs__real_sigaction(number, action != NULL ? &ours : NULL, old);
    if (failed) svs__store_relaxed(&handlers[number], before);
    else if (old != NULL) show_own(old, before);
    return failed;
}

/* signal() and its variants, with the flags of BSD or of System V. */
#define SIMPLE(name)                                                                               \
    WRAP(with_number *, name, (int number, with_number *handler)) {                                \
        uint64_t before;                                                                           \
        function f = {.few = handler};                                                             \
        if (!is_known(number) || handler == SIG_ERR) return svs__real_##name(number, handler);     \
        before = svs__load_relaxed(&handlers[number]);                                             \
        if (is_code(f)) svs__store_relaxed(&handlers[number], pack(f, false));                     \
        f.few = svs__real_##name(number, is_code(f) ? handle_number : handler);                    \
        if (f.few == SIG_ERR) svs__store_relaxed(&handlers[number], before);                       \
        return is_ours(f) ? unpack(before).few : f.few;                                            \
    }
SIMPLE(signal)
SIMPLE(__sysv_signal)

/* ---- how they are left ---- */

static void leave_handlers(void) {
    while (innermost != NULL) take_back(svs__check_self, innermost);
}

#define JUMP(name)                                                                                 \
    WRAP(_Noreturn void, name, (struct __jmp_buf_tag * to, int value)) {                           \
        leave_handlers();                                                                          \
        svs__real_##name(to, value);                                                               \
    }
JUMP(longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

/* ---- the end of the process ---- */

#define REPORT_SECONDS 20u /* a report takes far less, unless the thread waits for itself */

static void give_up(int number) {
    static const char text[] = "svs check: no report: a handler of a signal has ended the process, "
                               "and the signal had come amid the check\n";
    (void)number;
    (void)!svs__real_write(STDERR_FILENO, text, sizeof text - 1);
    _Exit(1);
}

void svs__signals_report_begins(void) {
    struct sigaction action;
    sigset_t alarms;
    if (innermost == NULL) return;
    memset(&action, 0, sizeof action);
    action.sa_handler = give_up;
    (void)svs__real_sigaction(SIGALRM, &action, NULL);
    (void)sigemptyset(&alarms);
    (void)sigaddset(&alarms, SIGALRM);
    (void)pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    (void)alarm(REPORT_SECONDS);
}

void svs__signals_report_ends(void) {
    if (innermost != NULL) (void)alarm(0);
}
