/* Races as they are gathered, merged, named and printed, for people and as JSON: told by hand, so
 * that what is to be read is known. The reports grow from test to test: they are the process'. */
#include "../../base/helpers.h"
#include "dpst/report/options.h"
#include "dpst/report/report.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char shared[256], sparse[4096]; /* variables of the program's */
static svs__report_list reports;
static char printed[1 << 16];

/* Places in the program. */
static void one(void) { shared[0] = 1; }
static void other(void) { shared[1] = 1; }

static const void *place(void (*function)(void), size_t offset) {
    union {
        void (*function)(void);
        const char *code;
    } of = {function};
    return of.code + offset;
}

static svs_check_race race_at(const void *address, size_t bytes, bool before, bool now) {
    svs_check_race race;
    memset(&race, 0, sizeof race);
    race.address = address;
    race.bytes = bytes;
    race.before = (svs_check_access){0, before, place(one, 4), 0, NULL, 0, 0, 0};
    race.now = (svs_check_access){0, now, place(other, 4), 0, NULL, 0, 0, 0};
    return race;
}

static void tell(const void *address, size_t bytes, bool before, bool now) {
    svs_check_race race = race_at(address, bytes, before, now);
    svs__found_add(&race, NULL);
}

static void print(uint32_t most, bool as_json) {
    static const svs_check_summary summary;
    FILE *to = fmemopen(printed, sizeof printed, "w");
    assert_non_null(to);
    if (as_json) assert_true(svs__reports_print_json(&reports, &summary, to));
    else svs__reports_print(&reports, most, to);
    assert_int_equal(fclose(to), 0);
}

/* The report on an object of that kind, the newest made. */
static const svs__report_entry *report_on(svs__object_kind kind) {
    for (uint32_t i = 0; i < reports.count; i++)
        if (reports.items[i].example->object.kind == kind) return &reports.items[i];
    fail_msg("no report on %d", (int)kind);
    return NULL;
}

static void says(const char *text) {
    if (strstr(printed, text) == NULL) fail_msg("'%s' is not in:\n%s", text, printed);
}

TEST_CASE(nothing_found_is_nothing_to_report) {
    svs__reports_make(&reports, 4);
    assert_int_equal(reports.count, 0);
    print(10, false);
    assert_string_equal(printed, "");
    print(10, true);
    says("\"races\": []");
}

TEST_CASE(bytes_of_one_object_are_one_report) {
    const svs__report_entry *r;
    tell(&shared[70], 1, true, true);
    tell(&shared[3], 1, true, true); /* the lowest is the example */
    tell(&shared[3], 1, true, true); /* again: nothing new */
    tell(&shared[60], 10, true, true);
    tell(&shared[5], 2, true, true);
    tell(&shared[128], 64, true, true);
    svs__reports_make(&reports, 4);
    assert_int_equal(reports.count, 1);
    r = report_on(SVS__IN_VARIABLE);
    assert_string_equal(r->example->object.name, "shared");
    assert_ptr_equal((void *)r->example->address, &shared[3]);
    assert_int_equal(r->racy_bytes, 1 + 2 + 11 + 64);
    assert_int_equal(r->range_count, 4);
    print(10, false);
    says("race 1 of 1: two writes of shared, in no order");
    says("On bytes 3, 5 to 6, 60 to 70, 128 to 191 of the variable shared (256 bytes)");
    says("One writes");
    says(" one ");
    says(" other ");
}

TEST_CASE(reads_and_writes_of_the_same_lines_are_one_report) {
    tell(&shared[3], 1, true, false);
    tell(&shared[3], 1, false, true);
    svs__reports_make(&reports, 4);
    assert_int_equal(reports.count, 1); /* the example writes most */
    assert_true(reports.items[0].sides[0]->write && reports.items[0].sides[1]->write);
}

TEST_CASE(a_block_is_known_by_where_it_was_allocated) {
    char *blocks[2];
    const svs__report_entry *r;
    for (int i = 0; i < 2; i++) {
        blocks[i] = malloc(200);
        tell(blocks[i] + 8 * i, 8, true, false);
        tell(blocks[i] + 8 * i, 8, true, false);
    }
    svs__reports_make(&reports, 4);
    r = report_on(SVS__IN_BLOCK);
    assert_int_equal(r->racy_bytes, 16); /* of the one place */
    assert_true(r->allocation.count >= 1);
    print(10, false);
    says("a write and a read of a block of 200 bytes");
    says("of a block of 200 bytes, allocated at:");
    says("a_block_is_known_by_where_it_was_allocated");
    for (int i = 0; i < 2; i++) free(blocks[i]);
    tell(blocks[0], 1, true, true); /* the heap's, in no live block: elsewhere */
    svs__reports_make(&reports, 4);
    (void)report_on(SVS__ELSEWHERE);
    print(10, false);
    says("a local variable, or of memory from the system");
    says("  On 1 bytes");
}

static uint32_t reports_on(svs__object_kind kind) {
    uint32_t count = 0;
    svs__reports_make(&reports, 4);
    for (uint32_t i = 0; i < reports.count; i++)
        count += reports.items[i].example->object.kind == kind;
    return count;
}

/* A finding in a block is not attributed to the next block at its address. */
TEST_CASE(a_block_in_anothers_place_is_another) {
    uint32_t before = reports_on(SVS__IN_BLOCK);
    char *block = malloc(3000);
    tell(block, 4, true, true);
    tell(block + 100, 4, true, true);
    assert_int_equal(reports_on(SVS__IN_BLOCK), before + 1);
    free(block);
    block = malloc(3000);
    tell(block, 8, true, true);
    tell(block + 200, 8, true, true);
    assert_int_equal(reports_on(SVS__IN_BLOCK), before + 2);
    free(block);
}

TEST_CASE(what_graphs_say_of_it_is_said) {
    static const char again[] = "other"; /* a name is its letters, wherever they stand */
    svs_check_race race = race_at(&shared[200], 1, false, true);
    const svs__report_entry *r;
    char text[] = "a \"cure\"\\ \n"; /* told in memory that does not stay */
    race.object = &shared[192];
    race.object_bytes = 16;
    race.type = "thing";
    race.field = "next";
    race.verdict = SVS_CHECK_VERDICT_UNDECLARED;
    race.before.pc = NULL;
    race.now.task = "ann";
    race.now.instance = 0xabc;
    race.now.run = 3;
    race.declared = "ann had declared nothing";
    race.cure = text;
    svs__found_add(&race, NULL);
    text[0] = 'X';
    race.now.task = NULL;
    race.type = race.field = race.cure = race.declared = NULL;
    race.verdict = SVS_CHECK_VERDICT_ORDER;
    race.before.pc = place(one, 4);
    svs__found_add(&race, NULL);
    race.field = "other";
    race.address = &shared[201];
    svs__found_add(&race, NULL); /* another field is another object */
    assert_int_equal(reports_on(SVS__IN_OBJECT), 3);
    race.field = again;
    race.address = &shared[202];
    svs__found_add(&race, NULL);
    assert_int_equal(reports_on(SVS__IN_OBJECT), 3);
    r = report_on(SVS__IN_OBJECT);
    assert_int_equal(r->example->object.bytes, 16);
    print(20, false);
    says("undeclared access");
    says(": a write of thing\n");
    says("Task ann, instance 0000000000000abc of run 3, writes");
    says("On byte 8 of thing.next (16 bytes)");
    says("Declared: ann had declared nothing");
    says("Cure: a \"cure\"");
    says(": order ");
    says("of an object (16 bytes)");
    says("of an object.other (16 bytes)");
    print(20, true);
    says("\"verdict\": \"undeclared access\"");
    says("\"cure\": \"a \\\"cure\\\"\\\\ \\u000a\"");
    says("\"name\": \"thing\", \"field\": \"next\"");
    says("\"task\": null");
    says("{\"offset\": 8, \"bytes\": 1}");
    print(1, false);
    says("more are not shown (reports=1)");
}

/* Of a type that no other case has. */
static svs_check_race race_of_bob(const char *type, size_t at, int verdict) {
    svs_check_race race = race_at(&shared[at], 4, true, true);
    race.object = &shared[at];
    race.object_bytes = 4;
    race.type = type;
    race.verdict = verdict;
    race.now.task = race.before.task = "bob";
    race.before.declared = 2;
    return race;
}

static const svs__report_entry *report_with(const char *type, int verdict) {
    for (uint32_t i = 0; i < reports.count; i++) {
        const svs__finding *f = reports.items[i].example;
        if (f->verdict == verdict && f->object.kind == SVS__IN_OBJECT && f->object.name != NULL &&
            strcmp(f->object.name, type) == 0)
            return &reports.items[i];
    }
    return NULL;
}

TEST_CASE(a_race_that_follows_from_an_undeclared_access_is_counted_there) {
    svs_check_race race = race_of_bob("followed", 224, SVS_CHECK_VERDICT_RACE);
    uint32_t folded;
    svs__found_add(&race, NULL);
    svs__reports_make(&reports, 4);
    folded = reports.folded;
    assert_false(report_with("followed", SVS_CHECK_VERDICT_RACE)->folded);
    race = race_of_bob("followed", 224, SVS_CHECK_VERDICT_UNDECLARED);
    svs__found_add(&race, NULL);
    svs__reports_make(&reports, 4);
    assert_int_equal(reports.folded, folded + 1);
    assert_true(report_with("followed", SVS_CHECK_VERDICT_RACE)->folded);
    assert_int_equal(report_with("followed", SVS_CHECK_VERDICT_UNDECLARED)->follows, 1);
    print(100, false);
    says("Follow from it: 1 races");
    assert_null(strstr(printed, "two writes of followed"));
}

TEST_CASE(a_race_of_another_task_does_not_follow) {
    svs_check_race race = race_of_bob("separate", 228, SVS_CHECK_VERDICT_UNDECLARED);
    svs__found_add(&race, NULL);
    race = race_of_bob("separate", 228, SVS_CHECK_VERDICT_RACE);
    race.now.task = "ann";
    svs__found_add(&race, NULL);
    svs__reports_make(&reports, 4);
    assert_false(report_with("separate", SVS_CHECK_VERDICT_RACE)->folded);
}

TEST_CASE(addresses_that_were_declared_are_named) {
    svs_check_race race = race_of_bob("named", 232, SVS_CHECK_VERDICT_UNDECLARED);
    const char *declared;
    char text[200];
    void *block = malloc(24);
    assert_non_null(block);
    (void)snprintf(text, sizeof text, "writes of %p, reads of %p, writes of node %p",
                   (void *)&shared[16], block, block);
    race.declared = text;
    svs__found_add(&race, NULL);
    free(block);
    svs__reports_make(&reports, 4);
    declared = report_with("named", SVS_CHECK_VERDICT_UNDECLARED)->example->declared;
    assert_non_null(strstr(declared, "writes of shared[16], "));
    assert_non_null(strstr(declared, "reads of a block of reports.c:"));
    assert_non_null(strstr(declared, "writes of node of reports.c:"));
}

TEST_CASE(an_access_at_an_unknown_place_is_reported_without_one) {
    svs_check_race race = race_at(&shared[220], 4, true, true);
    race.before.pc = NULL;
    svs__found_add(&race, NULL);
    svs__reports_make(&reports, 0); /* one frame at least */
    print(20, false);
    says("where is not known any more");
}

TEST_CASE(many_ranges_are_shown_in_part) {
    for (size_t i = 0; i < sizeof sparse; i += 16) tell(&sparse[i], 4, true, true);
    svs__reports_make(&reports, 4);
    print(20, false);
    says("of the variable sparse (4096 bytes)");
    says("0 to 3, 16 to 19, 32 to 35");
    says(", and 248 more ranges of the variable sparse");
}

/* As many pairs of places as are kept, and more. */
TEST_CASE(what_is_too_much_is_counted) {
    for (uintptr_t i = 0; i < 5000; i++) {
        svs_check_race race = race_at(&shared[0], 1, true, true);
        race.now.pc = (const void *)(uintptr_t)(0x100000 + i); /* of no module */
        svs__found_add(&race, NULL);
    }
    svs__reports_make(&reports, 2);
    assert_true(reports.count >= 4000 && reports.count <= 4096);
    assert_true(reports.dropped >= 904);
    print(3, false);
    says(" 3 of ");
}

TEST_CASE(what_is_known_is_left_out) {
    char path[] = "/tmp/svs_suppress_XXXXXX", error[256];
    uint32_t before = reports.count;
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "object:sparse\nfunction:other\n", 29), 29);
    assert_int_equal(close(file), 0);
    assert_true(svs__suppress_read(path, error, sizeof error));
    (void)unlink(path);
    svs__reports_make(&reports, 4);
    assert_true(reports.suppressed >= 5);
    assert_int_equal(reports.suppressed + reports.count, before);
    for (uint32_t i = 0; i < reports.count; i++)
        assert_ptr_not_equal(reports.items[i].sides[1]->pc, place(other, 4));
}

int main(void) {
    one();
    other();
    return run_cases(NULL, NULL);
}
