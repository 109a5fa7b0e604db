#include "scan/front/commands.h"
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

typedef SCAN_LIST(const char) words;

/* Splits a command into words, as a shell does. */
static void split(const char *command, words *into) {
    char *word = scan_take(scan_memory(), strlen(command) + 1), *to = word, quote = 0;
    bool open = false;
    for (; *command; command++) {
        if (quote ? *command == quote : *command == '"' || *command == '\'') {
            if (quote) quote = 0;
            else quote = *command;
            open = true;
        } else if (*command == '\\' && quote != '\'' && command[1]) {
            *to++ = *++command;
            open = true;
        } else if (*command == ' ' && !quote) {
            *to = 0;
            if (open) SCAN_ADD(into, scan_text("%s", word));
            to = word;
            open = false;
        } else {
            *to++ = *command;
            open = true;
        }
    }
    *to = 0;
    if (open) SCAN_ADD(into, scan_text("%s", word));
}

/* Whether a flag affects the meaning of a source. 2: it does, and its value is the next word if the
 * flag stands alone. */
static int use_of(const char *word) {
    static const char *const alone[] = {"-std=",         "-ansi",           "-m32",
                                        "-m64",          "-funsigned-char", "-fsigned-char",
                                        "-fshort-enums", "-pthread"};
    static const char *const paired[] = {"-isystem",   "-iquote", "-include", "-imacros",
                                         "-idirafter", "-I",      "-D",       "-U"};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (scan_starts(word, alone[i])) return 1;
    for (size_t i = 0; i < sizeof paired / sizeof *paired; i++)
        if (scan_starts(word, paired[i])) return scan_same(word, paired[i]) ? 2 : 1;
    return 0;
}

static bool same_file(const char *folder, const char *file, const char *wanted) {
    char a[PATH_MAX], b[PATH_MAX];
    const char *full = file[0] == '/' ? file : scan_text("%s/%s", folder, file);
    return realpath(full, a) && realpath(wanted, b) && scan_same(a, b);
}

static const json *entry_of(const json *commands, const char *file) {
    for (const json *entry = commands->first; entry; entry = entry->next) {
        const char *folder = json_text(entry, "directory"), *name = json_text(entry, "file");
        if (folder && name && same_file(folder, name, file)) return entry;
    }
    return NULL;
}

static void take_flags(const json *entry, words *flags) {
    const json *arguments = json_get(entry, "arguments");
    const char *command = json_text(entry, "command");
    words all = {0};
    if (command) split(command, &all);
    for (const json *word = arguments ? arguments->first : NULL; word; word = word->next)
        SCAN_ADD(&all, word->text);
    for (size_t i = 1; i < all.count; i++) {
        int use = use_of(all.at[i]);
        if (use) SCAN_ADD(flags, all.at[i]);
        if (use == 2 && i + 1 < all.count) SCAN_ADD(flags, all.at[++i]);
    }
}

/* Copies a text into memory that lasts to the end of the program. */
static char *keep(char *text, size_t length) {
    char *kept = memcpy(scan_take(scan_memory(), length + 1), text, length);
    free(text);
    return kept;
}

const char *commands_flags(const char *build, const char *file, clang_options *options) {
    static scan_arena arena;
    const char *path = scan_text("%s/compile_commands.json", build);
    char whole[PATH_MAX];
    size_t length, at;
    const json *commands, *entry;
    char *text; /* the flags point into it */
    words flags = {0};
    if (access(path, R_OK) != 0)
        scan_fail("cannot read %s: let cmake write it, with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                  path);
    text = scan_read(path, &length);
    text = keep(text, length);
    commands = json_read(&arena, text, length, &at);
    if (!commands) scan_fail("%s is no JSON (byte %zu): configure the build again", path, at);
    entry = entry_of(commands, file);
    if (!entry) scan_fail("%s does not compile %s: give its flags after --", path, file);
    take_flags(entry, &flags);
    for (size_t i = 0; i < options->flag_count; i++) SCAN_ADD(&flags, options->flags[i]);
    options->flags = flags.at;
    options->flag_count = flags.count;
    options->folder = json_text(entry, "directory");
    return realpath(file, whole) ? scan_name(whole) : file;
}
