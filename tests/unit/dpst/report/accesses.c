/* The functions that compilers call at plain accesses, some of them by option only: the check sees
 * exactly the bytes of each access, as the read or the write that it is. */
#include "../../worksteal/running.h"
#include <string.h>
#include <svs/async.h>
#include <svs/check.h>

#define SIZES(X, prefix, writes)                                                                   \
    X(prefix##2, 2, writes)                                                                        \
    X(prefix##4, 4, writes)                                                                        \
    X(prefix##8, 8, writes)                                                                        \
    X(prefix##16, 16, writes)

#define HOOKS(X)                                                                                   \
    X(read1, 1, false)                                                                             \
    X(write1, 1, true)                                                                             \
    X(volatile_read1, 1, false)                                                                    \
    X(volatile_write1, 1, true)                                                                    \
    X(read_write1, 1, true)                                                                        \
    SIZES(X, read, false)                                                                          \
    SIZES(X, write, true)                                                                          \
    SIZES(X, unaligned_read, false)                                                                \
    SIZES(X, unaligned_write, true)                                                                \
    SIZES(X, volatile_read, false)                                                                 \
    SIZES(X, volatile_write, true)                                                                 \
    SIZES(X, unaligned_volatile_read, false)                                                       \
    SIZES(X, unaligned_volatile_write, true)                                                       \
    SIZES(X, read_write, true)                                                                     \
    SIZES(X, unaligned_read_write, true)

#define DECLARE(name, bytes, writes) void __tsan_##name(const void *);
HOOKS(DECLARE)

typedef struct hook {
    const char *name;
    void (*call)(const void *address);
    int bytes;
    bool writes;
} hook;

#define ENTRY(name, bytes, writes) {#name, __tsan_##name, bytes, writes},
static const hook hooks[] = {HOOKS(ENTRY)};

static _Alignas(64) const char memory[256];

/* Two accesses, one behind the other; and beside them, in no order, one of one byte. */
typedef struct meeting {
    const hook *hook;
    void (*other)(const void *address);
    const char *at, *other_at;
} meeting;

static void go_over(svs_async_context *async, void *argument) {
    const meeting *m = *(meeting **)argument;
    for (int i = 0; i < 2; i++) m->hook->call(m->at + i * m->hook->bytes);
}

static void touch_one(svs_async_context *async, void *argument) {
    const meeting *m = *(meeting **)argument;
    m->other(m->other_at);
}

static void meet(svs_async_context *async, void *argument) {
    meeting *m = argument;
    svs_async(async, go_over, &m, sizeof m);
    svs_async(async, touch_one, &m, sizeof m);
}

static bool race(svs_runtime *runtime, const hook *h, bool other_writes, int offset) {
    meeting m = {h, other_writes ? __tsan_write1 : __tsan_read1, memory + 64, NULL};
    svs_check_summary before, after;
    if (strncmp(h->name, "unaligned", 9) == 0) m.at++;
    m.other_at = m.at + offset;
    assert_int_equal(svs_check_summary_get(runtime, &before), SVS_OK);
    assert_int_equal(svs_async_run(runtime, meet, &m), SVS_OK);
    assert_int_equal(svs_check_summary_get(runtime, &after), SVS_OK);
    return after.races != before.races;
}

TEST_CASE(each_is_seen_from_its_first_byte_to_its_last) {
    svs_runtime *runtime = started(1, 0); /* the answer is that for any schedule */
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        const hook *h = &hooks[i];
        const int offsets[] = {-1, 0, h->bytes - 1, h->bytes, 2 * h->bytes - 1, 2 * h->bytes};
        for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++) {
            int offset = offsets[k];
            bool inside = offset >= 0 && offset < 2 * h->bytes;
            if (race(runtime, h, true, offset) != inside)
                fail_msg("%s and a write of its byte %d", h->name, offset);
            if (race(runtime, h, false, offset) != (inside && h->writes))
                fail_msg("%s and a read of its byte %d", h->name, offset);
        }
    }
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
