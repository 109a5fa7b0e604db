#include "worksteal/finish.h"
#include "worksteal/runtime.h"

/* A finish's word counts in twos, beside the sleeper's bit (F3). */
#define CHILD 2u
#define SLEEPER 1u

/* How often the owner looks for work of its thieves before it gives the CPU away, and then before
 * it sleeps. */
#define SPINS 200
#define YIELDS 20

void svs__finish_child_ended(svs__finish *finish) {
    /* [F2] release: what the child wrote; pairs with the acquires in wait_for_thieves(). */
    uint32_t before = svs__fetch_sub_release(&finish->word, CHILD);
    /* [F3] The scope may be gone already; a wake-up takes its address only. */
    if (before == (CHILD | SLEEPER)) svs__futex_wake(&finish->word, 1);
}

/* Runs a child of one of the thieves that have our children: a descendant of ours (D7). */
static bool leapfrog(svs__worker *worker, const svs__finish *finish) {
    svs__deque *own = &worker->deque;
    for (uint32_t i = own->head; i-- > finish->base;) {
        _Atomic(svs__worker *) *running = &own->slots[i].thief;
        /* acquire: the thief has begun with our child; pairs with the release in
         * svs__worker_run_stolen(). */
        svs__worker *thief = svs__load_acquire(running);
        uint64_t seen = thief == NULL ? 0 : svs__deque_look(&thief->deque);
        svs__child *child;
        /* [D7] relaxed: the look's acquire orders it. */
        if (seen == 0 || svs__load_relaxed(running) != thief) continue;
        child = svs__deque_take(&thief->deque, seen);
        if (child == NULL) continue;
        svs__worker_run_stolen(worker, child);
        return true;
    }
    return false;
}

static void sleep_on(svs__finish *finish) {
    /* acquire: as in wait_for_thieves(), when the last child has just ended. */
    uint32_t word = svs__fetch_or_acquire(&finish->word, SLEEPER) | SLEEPER;
    /* A child that ends in between changes the word, and the futex does not sleep: no wake-up is
     * lost. */
    if (word >= CHILD) svs__futex_wait(&finish->word, word);
}

/* All that is left of the scope is stolen. */
static void wait_for_thieves(svs__worker *worker, svs__finish *finish) {
    uint32_t stolen = (worker->deque.head - finish->base) * CHILD;
    uint32_t tries = 0;
    /* [F2] acquire: sees what the children wrote that have ended; pairs with
     * svs__finish_child_ended(). */
    uint32_t word = svs__fetch_add_acquire(&finish->word, stolen) + stolen;
    while (word >= CHILD) {
        if (leapfrog(worker, finish)) tries = 0;
        else if (++tries < SPINS) svs__relax();
        else if (tries < SPINS + YIELDS) svs__yield();
        else sleep_on(finish);
        word = svs__load_acquire(&finish->word);
    }
    svs__deque_drop(&worker->deque, finish->base);
}

void svs__finish_drain(svs__worker *worker, svs__finish *finish) {
    svs__deque *deque = &worker->deque;
    while (deque->head != finish->base) {
        svs__child *child;
        svs__child_function *run;
        void *argument;
        if (svs__deque_wanted(deque) && deque->head - deque->split > 1) svs__worker_share(worker);
        child = svs__deque_pop(deque);
        if (child == NULL) {
            wait_for_thieves(worker, finish);
            return;
        }
        /* Its slot is free for what it spawns. */
        run = child->run;
        argument = child->argument;
        run(worker, argument);
    }
}

typedef struct loop {
    void (*body)(size_t begin, size_t end, void *argument);
    void *argument;
    size_t grain;
} loop;

typedef struct piece {
    const loop *of;
    size_t begin, end;
} piece;

/* Spawns the upper half until what is left is one grain: at most one piece for each bit of a
 * size_t. */
static void run_piece(svs__worker *worker, void *argument) {
    const piece *whole = argument;
    const loop *of = whole->of;
    size_t begin = whole->begin, end = whole->end;
    piece pieces[sizeof(size_t) * 8];
    uint32_t count = 0;
    svs__finish finish;
    svs__finish_init(&finish, worker);
    while (end - begin > of->grain) {
        size_t middle = begin + (end - begin) / 2;
        pieces[count] = (piece){of, middle, end};
        svs__spawn(worker, &finish, run_piece, &pieces[count++]);
        end = middle;
    }
    of->body(begin, end, of->argument);
    svs__finish_wait(worker, &finish);
}

void svs__parallel_for(svs__worker *worker, size_t count, size_t grain,
                       void (*body)(size_t begin, size_t end, void *argument), void *argument) {
    loop all = {body, argument, grain == 0 ? 1 : grain};
    piece whole = {&all, 0, count};
    if (worker != NULL) {
        if (count != 0) run_piece(worker, &whole);
        return;
    }
    while (whole.begin != count) {
        whole.end = count - whole.begin > all.grain ? whole.begin + all.grain : count;
        body(whole.begin, whole.end, argument);
        whole.begin = whole.end;
    }
}
