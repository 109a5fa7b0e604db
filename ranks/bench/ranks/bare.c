/* The streams on plain MPI: an aggregator with the format of SvS' packets and no other part of SvS.
 * It has a buffer for each rank, up to eight buffers in flight, and eight receives posted in a
 * ring. There are no credits: a slow receiver is protected by MPI's rendezvous alone. */
#include "works.h"

#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { CREDITS = 8, RECEIVES = 8, HEADERS = 32, TAG = 7 };

typedef enum kind { DATA, REPLIES, DONE } kind;

typedef struct header { /* of a packet and of its only run */
    uint32_t bytes, kind;
    uint32_t rest[6];
} header;
static_assert(sizeof(header) == HEADERS, "as SvS' packets");

typedef struct channel {
    char *buffers[CREDITS];
    MPI_Request requests[CREDITS];
    uint32_t at, fill;
} channel;

/* A packet that came while another one was being handled. */
typedef struct kept {
    struct kept *next;
    char data[];
} kept;

typedef void take_function(part *mine, const record *records, uint32_t many);

static struct {
    MPI_Comm world;
    uint32_t rank, ranks, bytes;
    channel *channels[2]; /* of DATA and of REPLIES */
    char *arrivals[RECEIVES], *spare;
    MPI_Request receives[RECEIVES];
    uint32_t next;
    kept *first, **last;
    take_function *take;
    part *mine;
    uint32_t done, depth;
} bare;

static void start(uint64_t bytes) {
    int rank, ranks;
    if (bare.ranks != 0) return;
    MPI_Comm_dup(MPI_COMM_WORLD, &bare.world);
    MPI_Comm_rank(bare.world, &rank);
    MPI_Comm_size(bare.world, &ranks);
    bare.rank = (uint32_t)rank;
    bare.ranks = (uint32_t)ranks;
    bare.bytes = bytes < HEADERS + sizeof(record) ? HEADERS + sizeof(record) : (uint32_t)bytes;
    bare.last = &bare.first;
    for (uint32_t k = 0; k < 2; k++) {
        bare.channels[k] = bench_allocate(bare.ranks, sizeof(channel));
        for (uint32_t i = 0; i < bare.ranks * CREDITS; i++) {
            bare.channels[k][i / CREDITS].buffers[i % CREDITS] = bench_allocate(1, bare.bytes);
            bare.channels[k][i / CREDITS].requests[i % CREDITS] = MPI_REQUEST_NULL;
            bare.channels[k][i / CREDITS].fill = HEADERS;
        }
    }
    bare.spare = bench_allocate(1, bare.bytes);
    for (uint32_t i = 0; i < RECEIVES; i++) {
        bare.arrivals[i] = bench_allocate(1, bare.bytes);
        MPI_Irecv(bare.arrivals[i], (int)bare.bytes, MPI_BYTE, MPI_ANY_SOURCE, TAG, bare.world,
                  &bare.receives[i]);
    }
}

static bool is_complete(MPI_Request *request) {
    int complete;
    MPI_Test(request, &complete, MPI_STATUS_IGNORE);
    return complete != 0;
}

/* ---- arrivals ---- */

static void add(part *mine, const record *records, uint32_t many) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < many; i++) sum += records[i].value;
    mine->sum += sum;
    mine->received += many;
}

static void handle(const char *packet) {
    const header *head = (const header *)(const void *)packet;
    const record *records = (const record *)(const void *)(packet + HEADERS);
    uint32_t many = (head->bytes - HEADERS) / (uint32_t)sizeof *records;
    bare.depth++;
    if (head->kind == DONE) bare.done++;
    else (head->kind == REPLIES ? add : bare.take)(bare.mine, records, many);
    bare.depth--;
}

static void keep(const char *packet, uint32_t bytes) {
    kept *one = malloc(sizeof *one + bytes);
    if (one == NULL) bench_fail("no memory for a packet");
    memcpy(one->data, packet, bytes);
    one->next = NULL;
    *bare.last = one;
    bare.last = &one->next;
}

/* A handler may call it: so the packet's place is taken by the spare one, and received into again,
 * before it is handled. */
static void progress(void) {
    char *packet;
    while (bare.depth == 0 && bare.first != NULL) {
        kept *one = bare.first;
        bare.first = one->next;
        if (bare.first == NULL) bare.last = &bare.first;
        handle(one->data);
        free(one);
    }
    if (!is_complete(&bare.receives[bare.next])) return;
    packet = bare.arrivals[bare.next];
    if (bare.depth != 0) keep(packet, ((const header *)(const void *)packet)->bytes);
    else bare.arrivals[bare.next] = bare.spare;
    MPI_Irecv(bare.arrivals[bare.next], (int)bare.bytes, MPI_BYTE, MPI_ANY_SOURCE, TAG, bare.world,
              &bare.receives[bare.next]);
    bare.next = (bare.next + 1) % RECEIVES;
    if (bare.depth != 0) return;
    handle(packet);
    bare.spare = packet;
}

/* ---- posts ---- */

static void send(uint32_t to, kind what) {
    channel *one = &bare.channels[what == REPLIES][to];
    header *head = (header *)(void *)one->buffers[one->at];
    head->bytes = one->fill;
    head->kind = what;
    MPI_Isend(head, (int)one->fill, MPI_BYTE, (int)to, TAG, bare.world, &one->requests[one->at]);
    one->at = (one->at + 1) % CREDITS;
    one->fill = HEADERS;
    /* Meanwhile no reply may be written into the buffer, so that requests are kept. */
    bare.depth += what == REPLIES;
    while (!is_complete(&one->requests[one->at])) progress();
    bare.depth -= what == REPLIES;
}

static inline void post(uint32_t to, kind what, const record *posted) {
    channel *one = &bare.channels[what == REPLIES][to];
    memcpy(one->buffers[one->at] + one->fill, posted, sizeof *posted);
    one->fill += (uint32_t)sizeof *posted;
    if (one->fill + sizeof *posted > bare.bytes) send(to, what);
}

static void flush(kind what) {
    for (uint32_t i = 0; i < bare.ranks; i++)
        if (bare.channels[what == REPLIES][i].fill > HEADERS) send(i, what);
}

static bool all_sent(void) {
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < bare.ranks * CREDITS; i++)
            if (!is_complete(&bare.channels[k][i / CREDITS].requests[i % CREDITS])) return false;
    return true;
}

/* ---- works ---- */

static void count(part *mine, const record *records, uint32_t many) {
    for (uint32_t i = 0; i < many; i++) mine->counts[records[i].key & (COUNTS - 1)]++;
    mine->received += many;
}

static void insert(part *mine, const record *records, uint32_t many) {
    for (uint32_t i = 0; i < many; i++) insert_one(mine, &records[i]);
    mine->received += many;
}

static void insert_slowly(part *mine, const record *records, uint32_t many) {
    for (uint32_t i = 0; i < many; i++) bench_spin(mine->spin);
    insert(mine, records, many);
}

static void answer(part *mine, const record *records, uint32_t many) {
    for (uint32_t i = 0; i < many; i++) {
        record reply = {records[i].key, mine->counts[records[i].key & (COUNTS - 1)]};
        uint32_t to = (uint32_t)records[i].value;
        if (to == bare.rank) add(mine, &reply, 1);
        else post(to, REPLIES, &reply);
    }
}

/* Sends what is left, and receives until all ranks have done the same. */
static void finish(part *mine, bool replied, uint64_t records) {
    flush(DATA);
    while (replied && mine->received < records) {
        progress();
        flush(REPLIES);
    }
    for (uint32_t i = 0; i < bare.ranks; i++)
        if (i != bare.rank) send(i, DONE);
    while (bare.done + 1 < bare.ranks || bare.first != NULL || !all_sent()) {
        progress();
        flush(REPLIES);
    }
}

static double stream(const settings *chosen, take_function *take, uint64_t records, bool to_0) {
    part mine;
    uint64_t begin, posted = records;
    bool replied = take == answer;
    start(chosen->bytes);
    part_new(&mine, records, bare.rank);
    if (to_0) mine.spin = bench_rounds(100);
    bare.take = take;
    bare.mine = &mine;
    bare.done = 0;
    MPI_Barrier(bare.world);
    begin = bench_wall_ns();
    if (to_0 && bare.rank == 0) posted = 0;
    for (uint64_t i = 0; i < posted; i++) {
        uint32_t to;
        record one = part_next(&mine, bare.ranks, &to);
        if (to_0) to = 0;
        if (take == add) to = other_than(bare.rank, to, bare.ranks);
        if (replied) one.value = bare.rank;
        if (to == bare.rank) take(&mine, &one, 1);
        else post(to, DATA, &one);
        if (bare.first != NULL || (i & 255) == 0) progress();
    }
    finish(&mine, replied, records);
    MPI_Barrier(bare.world);
    begin = bench_wall_ns() - begin;
    part_free(&mine);
    return (double)begin;
}

double bare_histogram(const settings *chosen, uint64_t records) {
    return stream(chosen, count, records, false);
}
double bare_insert(const settings *chosen, uint64_t records) {
    return stream(chosen, insert, records, false);
}
double bare_gather(const settings *chosen, uint64_t records) {
    return stream(chosen, answer, records, false);
}
double bare_aggregate(const settings *chosen, uint64_t records) {
    return stream(chosen, add, records, false);
}
double bare_slow(const settings *chosen, uint64_t records) {
    return stream(chosen, insert_slowly, records, true);
}

void bare_end(void) {
    if (bare.ranks == 0) return;
    for (uint32_t i = 0; i < RECEIVES; i++) {
        MPI_Cancel(&bare.receives[i]);
        MPI_Wait(&bare.receives[i], MPI_STATUS_IGNORE);
    }
}
