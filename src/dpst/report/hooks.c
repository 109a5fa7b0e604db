/* Code compiled with -fsanitize=thread calls these at plain accesses and at the begin and end of
 * functions: gcc 12 and clang 14, with nearly the same names at every level of optimisation. */
#include "base/check.h"
#include "dpst/report/frames.h"
#include "dpst/report/self.h"
#include "dpst/report/start.h"

/* An access that continues a stream takes one cache line of code on x86-64. With two lines it takes
 * a tenth longer, so all other cases are in a separate function, which needs more registers. */
#define APART __attribute__((noinline))
#define ONE_LINE __attribute__((aligned(SVS__CACHE_LINE)))
#define ACCESS(name, bytes, write)                                                                 \
    APART static void name##_alone(const void *address, const void *pc) {                          \
        svs__check_alone(svs__check_self, address, bytes, write, pc);                              \
    }                                                                                              \
    ONE_LINE HOOK(void, name, (const void *address)) {                                             \
        const void *pc = SVS__CALLER();                                                            \
        if (!svs__check_streams(svs__check_self, address, bytes, write, pc))                       \
            name##_alone(address, pc);                                                             \
    }

#define ACCESSES(prefix, write)                                                                    \
    ACCESS(prefix##2, 2, write)                                                                    \
    ACCESS(prefix##4, 4, write)                                                                    \
    ACCESS(prefix##8, 8, write)                                                                    \
    ACCESS(prefix##16, 16, write)

ACCESS(read1, 1, false)
ACCESS(write1, 1, true)
ACCESSES(read, false)
ACCESSES(write, true)
ACCESSES(unaligned_read, false)
ACCESSES(unaligned_write, true)

/* Hooks that the compilers call only with an option: for volatile accesses, and clang's for a read
 * and a write of the same place. */
ACCESS(volatile_read1, 1, false)
ACCESS(volatile_write1, 1, true)
ACCESSES(volatile_read, false)
ACCESSES(volatile_write, true)
ACCESSES(unaligned_volatile_read, false)
ACCESSES(unaligned_volatile_write, true)
ACCESS(read_write1, 1, true)
ACCESSES(read_write, true)
ACCESSES(unaligned_read_write, true)

HOOK(void, read_range, (const void *address, size_t bytes)) {
    svs__check_access(address, bytes, false, SVS__CALLER());
}

HOOK(void, write_range, (const void *address, size_t bytes)) {
    svs__check_access(address, bytes, true, SVS__CALLER());
}

/* A destructor stores the pointer to its own class' table. Mostly this is the value already there.
 * Such a store is no write, because it cannot be told from the absence of one. */
HOOK(void, vptr_update, (const void *const *address, const void *value)) {
    if (*address != value) svs__check_access(address, sizeof *address, true, SVS__CALLER());
}

HOOK(void, vptr_read, (const void *const *address)) {
    svs__check_access(address, sizeof *address, false, SVS__CALLER());
}

/* ---- functions ---- */

/* `frame` of the thread is the call stack at this point; `frames_lost` counts the innermost calls
 * that the full depot could not take. A thread without a block (thread.h, dpst.C6) also goes to
 * enter_slowly(). */
static _Thread_local svs__check_thread own;

void svs__check_attach(void) {
    if (svs__check_is_absent(svs__check_self)) svs__check_self = &own;
}

APART static void enter_slowly(const void *pc) {
    svs__check_thread *self = svs__check_self;
    uint32_t frame = 0;
    if (svs__check_is_absent(self)) {
        svs__check_attach();
        self = svs__check_self;
        frame = svs__frame_child(self->frame, (uintptr_t)pc);
    }
    if (frame != 0) self->frame = frame;
    else self->frames_lost++;
}

HOOK(void, func_entry, (const void *pc)) {
    svs__check_thread *self = svs__check_self;
    uint32_t frame = self->frames_lost != 0 ? 0 : svs__frame_child(self->frame, (uintptr_t)pc);
    svs__check_stack_low(__builtin_frame_address(0));
    if (SVS__LIKELY(frame != 0)) self->frame = frame;
    else enter_slowly(pc);
}

APART static void leave_slowly(svs__check_thread *self) {
    if (!svs__check_is_absent(self)) self->frames_lost--;
}

HOOK(void, func_exit, (void)) {
    svs__check_thread *self = svs__check_self;
    if (SVS__UNLIKELY(self->frames_lost != 0)) leave_slowly(self);
    else self->frame = svs__frame_parent(self->frame);
}

/* Called by a constructor of each object file. */
HOOK(void, init, (void)) { svs__check_begin(); }
