/* A target for libFuzzer: whatever words a program is started with, they are refused, or are inside
 * of the limits that its --help states. The first byte says which program: QuakeSquad, the command
 * svs, or the numbers that the others read. The words are parted by zeros. */
#include "words.h"

#include "quakesquad/options.c"

#include "command.h"

#include <math.h>

/* QuakeSquad's table of engines, of which only the names matter here. */
const engine engine_serial;
static const team_kind team;
const engine_choice engine_choices[] = {{"svs", NULL, NULL, LOCKS_BEST, NULL},
                                        {"serial", &engine_serial, NULL, LOCKS_BEST, NULL},
                                        {"mutex", NULL, &team, LOCKS_SPIN, NULL},
                                        {NULL, NULL, NULL, LOCKS_BEST, NULL}};

static void try_quakesquad(int count, char **words) {
    settings s;
    const svs_world_options *objects = &s.objects;
    options_parse(&s, count, words);
    if (refused) return;
    SVS_CHECK(s.engine >= engine_choices && s.engine->name != NULL);
    SVS_CHECK(is_within(s.threads, 1, 1024) && s.world.workers == s.threads);
    SVS_CHECK(is_within(s.frames, 1, 10000000) && is_within(s.settle, 0, 10000000));
    SVS_CHECK(is_within(s.world.size, 64, 16384) && s.world.walls <= 1000000);
    SVS_CHECK(is_within(objects->signature_bits, 64, 4096) && objects->cell_bits <= 20);
    SVS_CHECK((objects->signature_bits & (objects->signature_bits - 1)) == 0);
    SVS_CHECK(objects->cell_bits == 0 || objects->signature_bits <= 1u << objects->cell_bits);
    SVS_CHECK(is_within(s.chunk_bombs, 1, 1000000) && is_within(s.chunk_steps, 1, 1000000));
    SVS_CHECK(s.spin_us <= 1000000);
}

/* ---- the command svs ---- */

static int given;

static int run_command(const tool_arguments *arguments) {
    SVS_CHECK(is_within(arguments->file_count, 1, 3));
    for (size_t i = 0; i < arguments->file_count; i++) SVS_CHECK(arguments->files[i] != NULL);
    for (size_t i = 2; i < TOOL_OPTIONS_MAX; i++) SVS_CHECK(arguments->values[i] == NULL);
    SVS_CHECK(arguments->values[1] == NULL || tool_same(arguments->values[1], "--flag"));
    given++;
    return TOOL_OK;
}

static const tool_command command = {
    "info", "", "", 3, {{"--value", "NUMBER"}, {"--flag", NULL}}, run_command};

static void try_command(int count, char **words) {
    int status;
    count--, words++;               /* without the program's name */
    for (int i = 0; i < count; i++) /* it would be printed each time */
        if (tool_same(words[i], "--help") || tool_same(words[i], "-h")) return;
    given = 0;
    status = tool_command_run(&command, count, words);
    SVS_CHECK(status == (given == 1 ? TOOL_OK : TOOL_ERROR));
}

/* ---- numbers ---- */

/* What is accepted is what the digits say. */
static void try_numbers(int count, char **words) {
    for (int i = 1; i < count; i++) {
        char error[NUMBER_ERROR] = "", again[32];
        uint64_t value;
        double real;
        if (number_unsigned(words[i], 3, UINT64_MAX - 3, &value, error)) {
            const char *digits = words[i] + strspn(words[i], "0");
            (void)snprintf(again, sizeof again, "%llu", (unsigned long long)value);
            SVS_CHECK(strcmp(digits, again) == 0 && is_within(value, 3, UINT64_MAX - 3));
        } else SVS_CHECK(error[0] != '\0');
        error[0] = '\0';
        if (number_double(words[i], -1e3, 1e3, &real, error))
            SVS_CHECK(isfinite(real) && real >= -1e3 && real <= 1e3);
        else SVS_CHECK(error[0] != '\0');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static words_user *const users[] = {try_quakesquad, try_command, try_numbers};
    if (size != 0) words_try(users[data[0] % 3], data + 1, size - 1);
    return 0;
}
