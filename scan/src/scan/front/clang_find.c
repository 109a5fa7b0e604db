#include "scan/front/clang.h"
#include <stdlib.h>
#include <unistd.h>

enum { OLDEST = 14, NEWEST = 30 };

/* ---- the self-test: clang does not promise its form, so it is compared with what is read ---- */

static const char sample[] =
    "typedef struct { int *to; } item;\n"
    "static void set(item *t) {\n"
    "    for (int i = 0; i < 3; i++) t->to[i] += 2;\n"
    "}\n"
    "void (*use)(item *) = set;\n"
    "int version = __clang_major__;\n"
    "#define PART 0.5f\n"
    "enum { TOP = 0x80000000 };\n"
    "static union { int i[4]; float f; } un;\n"
    "extern _Thread_local int own;\n"
    "void clean(int *);\n"
    "static int all(int k, int (*row)[8]) {\n"
    "    __attribute__((cleanup(clean))) int x = (int)(k * PART);\n"
    "    switch (k) { case 1: return (*row)[k]; default: k = sizeof(int[4]); }\n"
    "    return k && un.f > 1 ? '\\xff' : (short)x + sizeof(int[k]);\n"
    "}\n"
    "int (*use_all)(int, int (*)[8]) = all;\n";

typedef enum trial {
    TRIAL_GOOD,
    TRIAL_MISSING, /* the program cannot be run */
    TRIAL_OLD,
    TRIAL_OTHER /* this clang's output has another form */
} trial;

/* Goes from `node` to its inner nodes by their numbers and kinds: "2 CompoundStmt 0 ForStmt". */
static const json *inner_at(const json *node, int number, const char *kind) {
    const json *inner = json_get(node, "inner");
    const json *child = inner ? inner->first : NULL;
    for (; child && number > 0; number--) child = child->next;
    return child && (!*kind || json_is(child, "kind", kind)) ? child : NULL;
}

static const json *declared(const json *facts, const char *kind, const char *name) {
    const json *inner = json_get(facts, "inner"), *found = NULL;
    for (const json *decl = inner ? inner->first : NULL; decl; decl = decl->next)
        if (json_is(decl, "kind", kind) && json_is(decl, "name", name)) found = decl;
    return found;
}

/* The first node of a kind that has a member with this text. The search reads all nodes before
 * it. */
static const json *found_in(const json *node, const char *kind, const char *key, const char *text) {
    const json *inner = json_get(node, "inner"), *found = NULL;
    if (json_is(node, "kind", kind) && json_is(node, key, text)) return node;
    for (const json *child = inner ? inner->first : NULL; child && !found; child = child->next)
        found = found_in(child, kind, key, text);
    return found;
}

static bool has_type(const json *node, const char *text) {
    return json_is(json_get(node, "type"), "qualType", text);
}

static bool loop_is_read(const json *facts) {
    const json *function = declared(facts, "FunctionDecl", "set"), *loop, *store, *index;
    loop = inner_at(inner_at(function, 1, "CompoundStmt"), 0, "ForStmt");
    store = inner_at(loop, 4, "CompoundAssignOperator");
    index = inner_at(store, 0, "ArraySubscriptExpr");
    return json_is(function, "storageClass", "static") && json_is(store, "opcode", "+=") &&
           json_is(store, "at", "3:33") && inner_at(loop, 0, "DeclStmt") &&
           json_is(inner_at(loop, 3, "UnaryOperator"), "isPostfix", "true") &&
           json_is(inner_at(index, 0, "ImplicitCastExpr"), "castKind", "LValueToRValue") &&
           json_is(inner_at(inner_at(index, 0, "ImplicitCastExpr"), 0, "MemberExpr"), "isArrow",
                   "true") &&
           json_get(inner_at(inner_at(index, 0, "ImplicitCastExpr"), 0, "MemberExpr"),
                    "referencedMemberDecl") &&
           json_is(inner_at(store, 1, "IntegerLiteral"), "value", "2") &&
           json_is(inner_at(store, 1, "IntegerLiteral"), "token", "2");
}

/* Whether facts have the form on which the table of constructs and the types rely (kinds.def,
 * shape.h). */
static bool kinds_are_read(const json *facts) {
    const json *all = declared(facts, "FunctionDecl", "all");
    const json *sizes = found_in(all, "UnaryExprOrTypeTraitExpr", "name", "sizeof");
    return json_get(declared(facts, "VarDecl", "own"), "tls") &&
           found_in(all, "FloatingLiteral", "token", "0.5f") &&
           found_in(all, "CharacterLiteral", "token", "'\\xff'") &&
           inner_at(found_in(all, "VarDecl", "name", "x"), 1, "CleanupAttr") &&
           json_get(found_in(all, "CStyleCastExpr", "castKind", "FloatingToIntegral"), "inner") &&
           has_type(found_in(all, "UnaryOperator", "opcode", "*"), "int[8]") &&
           has_type(found_in(all, "ParmVarDecl", "name", "row"), "int (*)[8]") &&
           found_in(facts, "EnumConstantDecl", "name", "TOP") &&
           json_is(json_get(sizes, "argType"), "qualType", "int[4]") &&
           found_in(all, "BinaryOperator", "opcode", "&&") &&
           found_in(all, "MemberExpr", "isArrow", "false") &&
           found_in(found_in(all, "CaseStmt", "kind", "CaseStmt"), "ConstantExpr", "kind",
                    "ConstantExpr") &&
           found_in(all, "DefaultStmt", "kind", "DefaultStmt") &&
           found_in(all, "ConditionalOperator", "kind", "ConditionalOperator");
}

static bool sample_is_read(const json *facts) {
    return loop_is_read(facts) && kinds_are_read(facts);
}

/* The major version of a clang that cannot read the sample; 0: the program is no clang. */
static int version_of(const char *program) {
    const char *arguments[] = {program, "-dumpversion", NULL};
    char text[32];
    const clang_process clang = clang_begin(arguments, NULL, true);
    const ssize_t got = read(clang.output, text, sizeof text - 1);
    text[got > 0 ? got : 0] = 0;
    return clang_end(clang) == 0 ? (int)strtol(text, NULL, 10) : 0;
}

/* Reads the sample, and then deletes it. */
static trial read_sample(const char *program, const char *path, int *version) {
    scan_arena arena = {NULL};
    const clang_options options = {.program = program};
    tree sample_tree;
    trial found = TRIAL_OTHER;
    bool runs = clang_tree(&arena, program, &options, path, true, &sample_tree);
    unlink(path);
    json *facts = runs ? clang_boil(&arena, &sample_tree, path) : NULL;
    const char *major = json_text(inner_at(declared(facts, "VarDecl", "version"), 0, ""), "value");
    *version = major ? (int)strtol(major, NULL, 10) : version_of(program);
    if (*version == 0) found = TRIAL_MISSING;
    else if (*version < OLDEST) found = TRIAL_OLD;
    else if (facts && sample_is_read(facts)) found = TRIAL_GOOD;
    scan_arena_clear(&arena);
    return found;
}

static trial try(const char *program, int *version) {
    char path[] = "/tmp/svs-scan-XXXXXX";
    int file = mkstemp(path);
    if (file < 0 || write(file, sample, sizeof sample - 1) != (ssize_t)sizeof sample - 1)
        scan_fail("cannot make a temporary file for the self-test in /tmp");
    close(file);
    return read_sample(program, path, version);
}

/* ---- the clang to use ---- */

/* `clang`, unless it is missing or too old; then the newest clang-N. */
static const char *find_newest(trial *found, int *version) {
    int newer;
    *found = try("clang", version);
    if (*found == TRIAL_GOOD || *found == TRIAL_OTHER) return "clang";
    for (int i = NEWEST; i >= OLDEST; i--) {
        const char *name = scan_text("clang-%d", i);
        trial one = try(name, &newer);
        if (one == TRIAL_MISSING || one == TRIAL_OLD) continue;
        *found = one;
        return name;
    }
    return "clang";
}

const char *clang_find(const clang_options *options) {
    static const char *found;
    const char *program = options->program;
    trial is;
    int version;
    if (found) return found;
    if (program) is = try(program, &version);
    else program = find_newest(&is, &version);
    if (is == TRIAL_MISSING && options->program)
        scan_fail("%s cannot be run: install clang %d or newer, or name another with --clang",
                  program, OLDEST);
    if (is == TRIAL_MISSING)
        scan_fail("there is no clang: install clang %d or newer (Debian: apt install clang), or "
                  "build without scanning; scanned tasks then run alone",
                  OLDEST);
    if (is == TRIAL_OLD)
        scan_fail("clang %d is too old: svs scan reads the form of %d and newer", version, OLDEST);
    if (is == TRIAL_OTHER)
        scan_fail("%s writes syntax trees in another form than svs scan reads: use clang 14 to 22",
                  program);
    return found = program;
}
