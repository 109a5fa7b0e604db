/* svs scan: touch functions made of the bodies of tasks. */
#include "scan/scan.h"
#include "command.h"
#include "scan/effects/effects.h"
#include "scan/emit/emit.h"
#include "scan/front/clang.h"
#include "scan/front/files.h"
#include "scan/hold/hold.h"
#include "scan/points/pairs.h"
#include "scan/program/model.h"
#include <errno.h>
#include <stdlib.h>

static const char usage[] =
    "usage: svs scan [OPTIONS] FILE... [-- COMPILER FLAGS]\n"
    "       svs scan --facts OUTPUT [OPTIONS] FILE [-- COMPILER FLAGS]\n"
    "       svs scan --link [OPTIONS] NAME.facts...\n"
    "\n"
    "Makes the touch function of each scanned task (<svs/scan.h>) from the task's body. For the\n"
    "source FILE it writes FILE.svs.h, which the last line of the source, #include SVS_SCANNED,\n"
    "brings in: compile with -DSVS_SCANNED='\"FILE.svs.h\"'. All sources of a program are scanned\n"
    "together, in one step or with --facts and --link. It needs the program clang, 14 or newer.\n"
    "\n"
    "  -p FOLDER         takes the compiler's flags from compile_commands.json in the folder\n"
    "  -o FOLDER         where the headers go (default: the folder of each source)\n"
    "  --facts OUTPUT    reads one source and writes what the link needs to know of it\n"
    "  --depfile FILE    with --facts: also writes a make rule\n"
    "  --link            makes NAME.svs.h from each NAME.facts\n"
    "  --clang PROGRAM   which clang\n"
    "  --pairs           also prints for each two tasks that they are independent, or why not\n"
    "  --dot FILE        also draws the pairs that are not, for graphviz\n"
    "  --notes           also prints each address that could not be worked out, and why\n"
    "  --compare         also makes what a build compares hand-written touch functions with\n"
    "  --instead         also makes touch functions in place of hand-written ones\n"
    "\n"
    "Exit status: 0; 1 when a body cannot be followed; 2 for wrong arguments, for a missing "
    "clang,\n"
    "and for files that cannot be read or written.\n";

typedef struct scan_options {
    clang_options clang;
    const char *folder, *facts, *commands, *dot;
    bool link, notes, pairs;
    emit_what what;
    scan_files files;
} scan_options;

/* Writes a file only if that changes it, so that a build compiles nothing again. */
static void write_changed(const char *path, const char *text) {
    FILE *file = fopen(path, "r");
    if (file) {
        size_t length;
        fclose(file);
        char *old = scan_read(path, &length);
        bool same = scan_same(old, text);
        free(old);
        if (same) return;
    }
    file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) scan_fail("cannot write %s", path);
}

/* The header of a source: FILE.svs.h, in the folder of -o; of facts: NAME.svs.h for NAME.facts. */
static const char *header_path(const scan_options *options, const char *file) {
    const char *base = strrchr(file, '/');
    size_t length = strlen(file);
    if (options->link && length > 6 && scan_same(file + length - 6, ".facts"))
        return scan_text("%.*s.svs.h", (int)length - 6, file);
    if (!options->folder || options->link) return scan_text("%s.svs.h", file);
    return scan_text("%s/%s.svs.h", options->folder, base ? base + 1 : file);
}

static void print_notes(const scan_program *program, const slice_result *results) {
    for (size_t i = 0; i < program->tasks.count; i++)
        for (size_t k = 0; k < results[i].notes.count; k++) {
            const slice_note *note = results[i].notes.at[k];
            printf("%s:%u:%u: note: %s: %s\n", note->place.file, note->place.line,
                   note->place.column, program->tasks.at[i]->name, note->text);
        }
}

static slice_result *slice_all(scan_program *program, emit_what what) {
    slice_result *results = scan_take(scan_memory(), (program->tasks.count + 1) * sizeof *results);
    bool again;
    do {
        again = false;
        for (size_t i = 0; i < program->tasks.count; i++)
            if (program->tasks.at[i]->scanned ||
                (what != EMIT_SCANNED && program->tasks.at[i]->by_hand))
                results[i] = slice_task(program, program->tasks.at[i], &again);
    } while (again);
    return results;
}

/* Prints what the options request about pairs of tasks. */
static const pairs *look_at_pairs(scan_program *program, const scan_options *options) {
    const pairs *found = pairs_of(program);
    pairs_expect(found);
    if (options->pairs) pairs_print(found, stdout);
    if (options->dot) {
        FILE *file = fopen(options->dot, "w");
        if (file) pairs_dot(found, file);
        if (!file || fclose(file) != 0) scan_fail("cannot write %s", options->dot);
    }
    return found;
}

static bool includes_header(const scan_program *program, const scan_unit *unit) {
    for (size_t i = 0; i < program->annotations.count; i++)
        if (program->annotations.at[i]->unit == unit &&
            scan_same(program->annotations.at[i]->name, "svs_scan_included"))
            return true;
    return false;
}

/* Reports sources without the line that includes their touch functions, which would be missing when
 * the source is compiled or linked. */
static void expect_includes(const scan_program *program) {
    for (size_t i = 0; i < program->tasks.count; i++) {
        const scan_task *task = program->tasks.at[i];
        if (task->scanned && !includes_header(program, task->unit))
            scan_error(task->place,
                       "the file has no #include SVS_SCANNED for the touch function of %s: end "
                       "the file with this line",
                       task->name);
    }
}

static int make_headers(scan_program *program, const scan_options *options) {
    slice_result *results;
    const pairs *found;
    model_find(program);
    if (options->what == EMIT_SCANNED) expect_includes(program);
    effects_find(program);
    fields_split(program);
    found = look_at_pairs(program, options);
    results = slice_all(program, options->what);
    for (size_t i = 0; i < program->tasks.count; i++)
        if (program->tasks.at[i]->by_hand && options->what != EMIT_INSTEAD)
            hold_touch(found->m, found->m->tasks.at[i], options->notes);
    if (scan_error_count()) return TOOL_INCONSISTENT;
    if (options->notes) print_notes(program, results);
    for (size_t i = 0; i < program->units.count; i++) {
        const char *path = header_path(options, options->files.at[i]);
        write_changed(
            path, emit_header(program, program->units.at[i], results, found, path, options->what));
    }
    return TOOL_OK;
}

static int write_facts(const scan_options *options) {
    FILE *file;
    if (options->files.count != 1) scan_fail("--facts takes one source");
    json *facts = clang_facts(&options->clang, options->files.at[0]);
    file = fopen(options->facts, "w");
    if (!file) scan_fail("cannot write %s", options->facts);
    json_write(file, facts);
    fputc('\n', file);
    if (fclose(file) != 0) scan_fail("cannot write %s", options->facts);
    return TOOL_OK;
}

static int scan_all(const scan_options *options) {
    scan_program *program = ast_program();
    if (options->link) files_link(program, &options->files);
    else files_scan(program, &options->files, &options->clang, options->commands);
    return make_headers(program, options);
}

static const char *value_of(int *i, int count, char **arguments) {
    if (*i + 1 >= count) scan_fail("%s needs a value after it", arguments[*i]);
    return arguments[++*i];
}

static void parse_option(scan_options *o, int *i, int count, char **arguments) {
    const char *name = arguments[*i];
    if (tool_same(name, "-o")) o->folder = value_of(i, count, arguments);
    else if (tool_same(name, "-p")) o->commands = value_of(i, count, arguments);
    else if (tool_same(name, "--facts")) o->facts = value_of(i, count, arguments);
    else if (tool_same(name, "--depfile")) o->clang.depfile = value_of(i, count, arguments);
    else if (tool_same(name, "--clang")) o->clang.program = value_of(i, count, arguments);
    else if (tool_same(name, "--link")) o->link = true;
    else if (tool_same(name, "--notes")) o->notes = true;
    else if (tool_same(name, "--pairs")) o->pairs = true;
    else if (tool_same(name, "--dot")) o->dot = value_of(i, count, arguments);
    else if (tool_same(name, "--compare")) o->what = EMIT_COMPARE;
    else if (tool_same(name, "--instead")) o->what = EMIT_INSTEAD;
    else scan_fail("svs scan has no option '%s'; `svs scan --help` lists them", name);
}

int scan_main(int count, char **arguments) {
    scan_options options = {{0}, .folder = NULL};
    for (int i = 0; i < count; i++) {
        if (tool_same(arguments[i], "--help") || tool_same(arguments[i], "-h"))
            return fputs(usage, stdout) < 0;
        if (tool_same(arguments[i], "--")) {
            options.clang.flags = (const char **)&arguments[i + 1];
            options.clang.flag_count = (size_t)(count - i - 1);
            break;
        }
        if (arguments[i][0] == '-') parse_option(&options, &i, count, arguments);
        else SCAN_ADD(&options.files, arguments[i]);
    }
    if (!options.files.count) scan_fail("svs scan needs sources; `svs scan --help` says more");
    options.clang.deptarget = options.facts;
    if (options.clang.depfile && !options.facts) scan_fail("--depfile goes with --facts");
    return options.facts ? write_facts(&options) : scan_all(&options);
}
