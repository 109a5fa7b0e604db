/* Places in variables by their types: elements, members, and debug information that is broken. */
#include "dpst/report/types.h"
#include "base/random.h"
#include "case.h"
#include "dpst/report/dwarf.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct account {
    long number;
    double balance;
    struct {
        int a, b[3];
    } inner;
} account;

/* Seen from outside, so that they stay. */
account accounts[64];
const volatile account matrix[4][5] = {{{1, 0, {0, {0}}}}};
extern account declared_before[10];
account declared_before[10];
union {
    int number;
    char bytes[8];
} unions[3];
account *pointers[7];
int single;
account one;

#define SIZE sizeof(account)

static void expect(const volatile void *variable, size_t offset, const char *path) {
    char text[256] = "";
    bool found = svs__types_path((uintptr_t)variable, offset, text, sizeof text);
    if (path == NULL) assert_false(found);
    else assert_string_equal(text, path);
}

TEST_CASE(elements_are_named_by_their_index) {
    static account local[3];
    expect(accounts, 0, "[0]");
    expect(accounts, 12 * SIZE, "[12]");
    expect(declared_before, 3 * SIZE, "[3]");
    expect(local, 2 * SIZE, "[2]");
    expect(matrix, (2 * 5 + 3) * SIZE, "[2][3]");
    expect(pointers, 3 * sizeof *pointers, "[3]");
}

TEST_CASE(members_are_named_inside_of_elements) {
    expect(accounts, 12 * SIZE + offsetof(account, balance), "[12].balance");
    expect(accounts, 12 * SIZE + offsetof(account, inner), "[12].inner");
    expect(accounts, 12 * SIZE + offsetof(account, inner.b[1]), "[12].inner.b[1]");
    expect(matrix, SIZE + offsetof(account, balance), "[0][1].balance");
    expect(&one, offsetof(account, balance), ".balance");
}

TEST_CASE(what_has_no_name_is_counted_in_bytes) {
    expect(accounts, 12 * SIZE + offsetof(account, balance) + 2, "[12].balance + 2 bytes");
    expect(unions, 13, "[1] + 5 bytes");
}

TEST_CASE(what_has_no_parts_has_no_path) {
    char text[8];
    expect(&single, 2, NULL);
    expect((char *)accounts + 1, 5, NULL); /* no variable begins there */
    assert_false(svs__types_path_in("/no/such/file", 16, 0, text, sizeof text));
    assert_false(svs__types_path_in("/dev/null", 16, 0, text, sizeof text));
}

TEST_CASE(a_long_path_is_cut) {
    char text[6] = "";
    assert_true(svs__types_path((uintptr_t)accounts, 12 * SIZE + 8, text, sizeof text));
    assert_string_equal(text, "[12].");
}

/* ---- broken files ---- */

enum { CHANGES = 200 };

static unsigned char *own;
static size_t own_bytes;

static void read_own(void) {
    FILE *file = fopen("/proc/self/exe", "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    own_bytes = (size_t)ftell(file);
    rewind(file);
    own = malloc(own_bytes);
    assert_int_equal(fread(own, 1, own_bytes, file), own_bytes);
    assert_int_equal(fclose(file), 0);
}

static void try_broken(const char *path, const unsigned char *bytes, size_t size) {
    char text[64];
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    /* Some address that a unit may have: all units are read. */
    (void)svs__types_path_in(path, 1, 100, text, sizeof text);
}

/* The first units are changed: reading ends with an answer, and within the file. */
TEST_CASE(broken_debug_information_is_read_to_an_end) {
    char path[64];
    svs__random random = {11};
    svs__dwarf module;
    size_t info, abbrev;
    snprintf(path, sizeof path, "/tmp/svs-types-%d", (int)getpid());
    read_own();
    assert_true(svs__dwarf_open(&module, "/proc/self/exe"));
    info = (size_t)(module.part[SVS__DWARF_INFO].bytes - module.file);
    abbrev = (size_t)(module.part[SVS__DWARF_ABBREV].bytes - module.file);
    for (int i = 0; i < CHANGES; i++) {
        size_t at = (i % 2 ? info : abbrev) + svs__random_below(&random, 400);
        unsigned char was = own[at];
        own[at] = (unsigned char)svs__random_below(&random, 256);
        try_broken(path, own, own_bytes);
        own[at] = was;
    }
    for (size_t i = 0; i < 20; i++) try_broken(path, own, own_bytes * i / 20);
    svs__dwarf_close(&module);
    assert_int_equal(unlink(path), 0);
    free(own);
}

int main(void) { return run_cases(NULL, NULL); }
