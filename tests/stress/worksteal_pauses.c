/* Put before and behind the looks and takings of thieves by the linker (--wrap): now and then a
 * worker is held up there for as long as others need to end what it saw. */
#include "base/platform.h"
#include "worksteal/deque.h"

uint64_t __real_svs__deque_look(svs__deque *deque);
uint64_t __wrap_svs__deque_look(svs__deque *deque);
bool __real_svs__deque_take(svs__deque *deque, uint64_t seen);
bool __wrap_svs__deque_take(svs__deque *deque, uint64_t seen);

static void pause_now_and_then(void) {
    static _Thread_local uint32_t count;
    if (++count % 8 != 0) return;
    for (uint32_t i = count / 8 % 16; i != 0; i--) svs__yield();
}

uint64_t __wrap_svs__deque_look(svs__deque *deque) {
    uint64_t seen;
    pause_now_and_then();
    seen = __real_svs__deque_look(deque);
    if (seen != 0) pause_now_and_then();
    return seen;
}

bool __wrap_svs__deque_take(svs__deque *deque, uint64_t seen) {
    pause_now_and_then();
    return __real_svs__deque_take(deque, seen);
}
