/* A target for libFuzzer: any bytes at all are refused with a sentence, or are a netlist that hangs
 * together: each wire is known from both of its ends. */
#include "as_file.h"
#include "canneal/netlist.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Grids beyond this are refused for their size alone elsewhere; here they would only be slow. */
#define SIDE_MAX 400u

static bool is_small(const uint8_t *data, size_t size) {
    char head[64];
    unsigned long elements, x, y;
    size_t count = size < sizeof head - 1 ? size : sizeof head - 1;
    memcpy(head, data, count);
    head[count] = '\0';
    if (sscanf(head, "%20lu %20lu %20lu", &elements, &x, &y) != 3) return true;
    return elements <= 100000 && x <= SIDE_MAX && y <= SIDE_MAX;
}

static uint32_t count_of(const netlist *nets, uint32_t from, uint32_t to) {
    uint32_t count = 0;
    for (uint32_t i = nets->first[from]; i < nets->first[from + 1]; i++)
        count += nets->neighbours[i] == to;
    return count;
}

static void check_netlist(const netlist *nets) {
    SVS__CHECK(nets->locations == nets->max_x * nets->max_y);
    SVS__CHECK(nets->locations >= nets->elements && nets->locations >= 2);
    SVS__CHECK(nets->first[0] == 0 && nets->first[nets->locations] == 2 * nets->wires);
    for (uint32_t e = 0; e < nets->locations; e++) {
        SVS__CHECK(nets->first[e] <= nets->first[e + 1]);
        SVS__CHECK(e < nets->elements || nets->first[e] == nets->first[e + 1]);
        for (uint32_t i = nets->first[e]; i < nets->first[e + 1]; i++) {
            uint32_t other = nets->neighbours[i];
            SVS__CHECK(other < nets->elements);
            if (nets->wires < 200) SVS__CHECK(count_of(nets, e, other) == count_of(nets, other, e));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[AS_FILE_PATH], error[NETLIST_ERROR] = "";
    netlist nets = {0};
    int file;
    if (!is_small(data, size)) return 0;
    file = as_file(data, size, path);
    if (netlist_read(&nets, path, error)) check_netlist(&nets);
    else SVS__CHECK(error[0] != '\0' && memchr(error, '\0', sizeof error) != NULL);
    netlist_clean_up(&nets);
    (void)close(file);
    return 0;
}
