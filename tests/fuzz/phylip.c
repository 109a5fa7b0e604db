/* A target for libFuzzer: any bytes at all are refused with line and column, or are species that
 * are read again from a file with the same states; each species has one state of each character. */
#include "as_file.h"
#include "multipol/phylogeny/phylogeny.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_species(const taxa *all) {
    uint64_t each = all->count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << all->count) - 1;
    SVS__CHECK(all->count >= 2 && all->count <= SPECIES_MAX);
    SVS__CHECK(all->characters >= 1 && all->characters <= CHARACTERS_MAX);
    for (uint32_t i = 0; i < all->count; i++) {
        SVS__CHECK(all->names[i][0] != '\0' && memchr(all->names[i], '\0', NAME_BYTES) != NULL);
        for (uint32_t k = 0; k < i; k++) SVS__CHECK(strcmp(all->names[i], all->names[k]) != 0);
    }
    for (uint32_t c = 0; c < all->characters; c++) {
        uint64_t before = 0;
        for (int s = 0; s < STATES_MAX; s++) {
            uint64_t has = all->states[c].of[s], rest = each & ~before;
            SVS__CHECK((has & ~rest) == 0);
            SVS__CHECK(has == 0 || (has & -has) == (rest & -rest)); /* by first appearance */
            before |= has;
        }
        SVS__CHECK(before == each);
    }
}

/* One block, with digits as states. @return its bytes. */
static size_t write_species(const taxa *all, char *to) {
    size_t length = (size_t)sprintf(to, "%u %u\n", all->count, all->characters);
    for (uint32_t i = 0; i < all->count; i++) {
        length += (size_t)sprintf(to + length, "%-10s", all->names[i]);
        for (uint32_t c = 0; c < all->characters; c++)
            for (int s = 0; s < STATES_MAX; s++)
                if (all->states[c].of[s] >> i & 1) to[length++] = (char)('0' + s);
        to[length++] = '\n';
    }
    return length;
}

static void check_again(const taxa *all) {
    char path[AS_FILE_PATH], *text = malloc((all->count + 1) * (size_t)(all->characters + 32));
    taxa again;
    int file;
    SVS__CHECK(text != NULL);
    file = as_file((const uint8_t *)text, write_species(all, text), path);
    SVS__CHECK(taxa_read(&again, path) == NULL);
    SVS__CHECK(again.count == all->count && again.characters == all->characters);
    SVS__CHECK(memcmp(again.names, all->names, sizeof again.names) == 0);
    SVS__CHECK(memcmp(again.states, all->states, all->characters * sizeof *all->states) == 0);
    taxa_free(&again);
    free(text);
    (void)close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[AS_FILE_PATH];
    unsigned line = 0, column = 0;
    const char *failed;
    taxa all;
    int file = as_file(data, size, path);
    failed = taxa_read(&all, path);
    if (failed == NULL) {
        check_species(&all);
        check_again(&all);
    } else {
        SVS__CHECK(strncmp(failed, path, strlen(path)) == 0);
        SVS__CHECK(sscanf(failed + strlen(path), ":%u: column %u: ", &line, &column) == 2);
        SVS__CHECK(line >= 1 && column >= 1 && all.states == NULL);
    }
    taxa_free(&all);
    (void)close(file);
    return 0;
}
