/* A large buffer over MPI does not hold up those of other ranks. Rank 0 sends large and short
 * buffers in turn to rank 2, and then does not help MPI until rank 2 has made a file. Rank 2 makes
 * it when the buffers of rank 1 are there, which rank 1 sends later. So they pass the large one;
 * those of rank 0 keep their order (transport.T1, transport.M3).
 *
 *     ranks/ranks.sh openmpi 3 build/dev/tests/bin/ranks_mpi_large_openmpi FILE */
#include "transport/transport.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/ranks.h>
#include <time.h>
#include <unistd.h>

enum { SHORT = 8, LARGE = 3000000, PAIRS = 3, OTHERS = 20, WAIT_S = 30 };

static const svs_transport *own;
static uint32_t sent, faults;

static void send(uint32_t to, uint32_t bytes, uint32_t number) {
    svs__buffer *buffer = svs__buffer_new(&svs__allocator_libc, bytes);
    if (buffer == NULL) exit(2);
    memset(buffer->data, (int)number, bytes);
    buffer->bytes = bytes;
    if (own->type->send(own->endpoint, to, buffer) != SVS__SENT) exit(2);
    sent++;
}

/* Drops what is sent. */
static void complete(void) {
    svs__buffer *buffer;
    while ((buffer = own->type->completed(own->endpoint)) != NULL) {
        svs__buffer_free(&svs__allocator_libc, buffer);
        sent--;
    }
}

/* Waits for the next buffer, and counts a fault unless it has this size and number. @return its
 * sender. */
static uint32_t receive(uint32_t bytes, uint32_t number) {
    svs__buffer *buffer = NULL;
    uint32_t from = 0;
    while (own->type->receive(own->endpoint, &buffer, &from) == SVS__NOTHING) {
        complete();
        (void)own->type->idle(own->endpoint, own->type->now(own->endpoint) + 1000000, 100);
    }
    if (bytes != 0)
        faults += buffer->bytes != bytes || buffer->data[0] != number ||
                  buffer->data[bytes - 1] != number;
    own->type->release(own->endpoint, buffer);
    return from;
}

/* Sends, and then makes no call of MPI. @return whether the file came. */
static bool send_and_stay_away(const char *path) {
    struct timespec pause = {0, 1000000};
    (void)receive(SHORT, 0);
    send(2, SHORT, 1);
    for (uint32_t i = 0; i < PAIRS; i++) {
        send(2, LARGE, 2 * i + 2);
        send(2, SHORT, 2 * i + 3);
    }
    for (int i = 0; i < WAIT_S * 1000 && access(path, F_OK) != 0; i++)
        (void)nanosleep(&pause, NULL);
    return unlink(path) == 0; /* by this rank: it may see the file after rank 2 has ended */
}

/* Buffers of rank 1 come in any place between those of rank 0, whose first pair is not complete
 * before the file is there. */
static void receive_both(const char *path) {
    uint32_t zero = 0, one = 0;
    (void)unlink(path);
    send(0, SHORT, 0);
    if (receive(SHORT, 1) != 0) faults++;
    send(1, SHORT, 0);
    while (zero < 2 * PAIRS || one < OTHERS) {
        svs__buffer *buffer;
        uint32_t from, number;
        if (own->type->receive(own->endpoint, &buffer, &from) == SVS__NOTHING) {
            complete();
            (void)own->type->idle(own->endpoint, own->type->now(own->endpoint) + 1000000, 100);
            continue;
        }
        number = from == 0 ? zero++ + 2 : one++;
        faults += buffer->bytes != (from == 0 && number % 2 == 0 ? LARGE : SHORT) ||
                  buffer->data[buffer->bytes - 1] != number;
        own->type->release(own->endpoint, buffer);
        if (from == 1 && one == OTHERS) (void)fclose(fopen(path, "w"));
    }
}

static int program(const svs_transport *transport, int argc, char **argv) {
    svs__buffer *left;
    uint32_t from;
    if (argc < 2 || transport->count != 3) return 2;
    own = transport;
    if (!own->type->open(own->endpoint)) return 3;
    if (own->rank == 0) {
        faults += !send_and_stay_away(argv[1]);
    } else if (own->rank == 1) {
        (void)receive(SHORT, 0);
        for (uint32_t i = 0; i < OTHERS; i++) send(2, SHORT, i);
    } else {
        receive_both(argv[1]);
    }
    while (sent != 0) {
        complete();
        (void)own->type->receive(own->endpoint, &left, &from);
    }
    own->type->close(own->endpoint);
    printf("rank %u: %u faults\n", own->rank, faults);
    return faults != 0;
}

int main(int argc, char **argv) { return svs_ranks_main(svs_transport_mpi(), program, argc, argv); }
