#include "scan/program/calls.h"

static const known_call known[] = {
#define WRAPPED(name, arguments, result) {#name, arguments, result, false},
#define PLAIN(name, arguments, result) {#name, arguments, result, false},
#include "base/c_library.def"
    {"svs__assign", "w-", 'n', false},
    {"svs_context_argument", "-", 'n', false},
    {"svs_context_async", "-", 'n', false},
    {"svs_context_cancelled", "-", 'n', false},
    {"svs_context_iteration", "-", 'n', false},
    {"svs_instance_id", "-", 'n', false},
    {"svs_object_clean_up", "w", 'n', true},
    {"svs_object_free", "w", 'n', true},
    {"svs_publish", "--", 'n', true},
    {"svs_relaxed_load_u32", "-", 'n', false},
    {"svs_relaxed_load_u64", "-", 'n', false},
    {"svs_relaxed_store_u32", "w-", 'n', false},
    {"svs_relaxed_store_u64", "w-", 'n', false},
    {"svs_send", "--r--", 'n', false},
    {"svs_status_name", "-", 'p', false},
    {"svs_status_text", "-", 'p', false},
    {"svs_worker_index", "", 'n', false},
};

const known_call *call_known(const char *name) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (scan_same(known[i].name, name)) return &known[i];
    return NULL;
}

/* Has a format a conversion %n, or is the format unknown? Then memory that its arguments lead to
 * may be written. */
static bool may_count(const ast_node *format) {
    while ((format->kind == AST_CAST || format->kind == AST_DECAY) && format->kids.count)
        format = format->kids.at[0];
    if (format->kind != AST_LITERAL) return true;
    for (const char *at = strchr(format->text, '%'); at; at = strchr(at, '%')) {
        at += 1 + strspn(at + 1, "0123456789.*$#-+' hljztLqI");
        if (*at == 'n') return true;
        if (*at == '%') at++;
    }
    return false;
}

char call_argument(const known_call *callee, const ast_node *call, size_t i) {
    size_t count = strlen(callee->arguments);
    if (!count) return '-';
    if (i > count && strstr(callee->name, "printf") && may_count(call->kids.at[count])) return 'w';
    return callee->arguments[i <= count ? i - 1 : count - 1];
}

bool call_is_whole(const ast_node *call, const known_call *callee, const char *shape) {
    const ast_node *last = call->kids.at[call->kids.count - 1];
    if (!callee || callee->object || scan_starts(callee->name, "svs_relaxed")) return true;
    while (last->kind == AST_CAST) last = last->kids.at[0];
    if (!shape_ends(callee->arguments, 's') || last->kind != AST_SIZE) return false;
    const char *measured = last->of || !last->kids.count ? last->of : last->kids.at[0]->shape;
    return measured && scan_same(measured, shape);
}

bool call_stores_through(const ast_node *atomic, size_t i) {
    return i < atomic->kids.count && shape_is_pointer(atomic->kids.at[0]->shape) &&
           scan_same(atomic->kids.at[i]->shape, atomic->kids.at[0]->shape);
}

/* Does the program define the function itself? Inline functions in headers of the C library and of
 * this library do not count. */
static bool is_own(const scan_decl *decl) {
    return decl && decl->body && !scan_starts(decl->name, "svs_") &&
           (decl->is_static || !decl->is_inline);
}

call_targets call_targets_of(const scan_program *program, const ast_node *callee) {
    call_targets targets = {0};
    if (callee->kind == AST_NAME && (!callee->decl || callee->decl->kind == DECL_FUNCTION)) {
        targets.name = callee->text;
        if (!is_own(callee->decl)) targets.known = call_known(callee->text);
        if (!targets.known && callee->decl && callee->decl->body)
            SCAN_ADD(&targets.functions, callee->decl);
        return targets;
    }
    const char *shape =
        shape_is_pointer(callee->shape) ? shape_inner(callee->shape) : callee->shape;
    for (size_t i = 0; i < program->functions.count; i++) {
        scan_decl *function = program->functions.at[i];
        if (function->stored && function->shape == shape) SCAN_ADD(&targets.functions, function);
    }
    return targets;
}

bool call_makes_object(const ast_node *call) {
    const char *name = call->kids.at[0]->kind == AST_NAME ? call->kids.at[0]->text : "";
    size_t length = strlen(name);
    return scan_same(name, "svs_object_new") ||
           (length > 9 && scan_same(name + length - 9, "_svs_new_"));
}

bool call_is_link(const ast_node *call) {
    return call->kids.count > 3 && call->kids.at[0]->kind == AST_NAME &&
           scan_same(call->kids.at[0]->text, "svs_link_assign");
}

bool call_marks_stable(const ast_node *call) {
    return call->kind == AST_CALL && call->kids.at[0]->kind == AST_NAME &&
           scan_same(call->kids.at[0]->text, "svs__scan_stable");
}

bool call_is_async(const ast_node *call) {
    const char *name = call->kids.at[0]->kind == AST_NAME ? call->kids.at[0]->text : "";
    return call->kids.count > 3 && (scan_same(name, "svs_async") || scan_same(name, "svs_finish"));
}

static named_kind kind_of_name(const char *end) {
    static const struct {
        const char *end;
        named_kind kind;
    } all[] = {{"_address", NAMED_PLACE}, {"_bytes", NAMED_PLACE},
               {"_object", NAMED_OBJECT}, {"_at", NAMED_INDEX},
               {"_span", NAMED_INDEX},    {"_reach", NAMED_REACH},
               {"_hops", NAMED_REACH},    {"_along", NAMED_ALONG},
               {"_path", NAMED_PATH},     {"_everything", NAMED_EVERYTHING}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (scan_same(all[i].end, end)) return all[i].kind;
    return NAMED_NOTHING;
}

/* The struct or type that a pointer leads to; of a header, the struct that has it. */
static const char *shape_of_named(const ast_node *what) {
    const ast_node *of = what->kind == AST_UNARY && what->kids.count ? what->kids.at[0] : what;
    if (of->kind == AST_MEMBER && of->decl && of->decl->of &&
        scan_same(of->shape, "struct svs_object"))
        return of->decl->of->name;
    return shape_is_pointer(what->shape) ? shape_inner(what->shape) : "void";
}

call_named call_names(const ast_node *call) {
    const char *name = call->kids.at[0]->kind == AST_NAME ? call->kids.at[0]->text : "";
    call_named named = {.write = scan_starts(name, "svs_writes")};
    if (!named.write && !scan_starts(name, "svs_reads")) return named;
    named.kind = kind_of_name(name + strlen(named.write ? "svs_writes" : "svs_reads"));
    if (named.kind != NAMED_EVERYTHING && call->kids.count < 3) named.kind = NAMED_NOTHING;
    if (named.kind == NAMED_NOTHING || named.kind == NAMED_EVERYTHING) return named;
    named.what = call_plain(call->kids.at[2]);
    named.shape = shape_of_named(named.what);
    return named;
}

const ast_node *call_plain(const ast_node *argument) {
    while (argument->kind == AST_CAST && argument->kids.count &&
           scan_same(argument->shape, "void*") && shape_is_pointer(argument->kids.at[0]->shape))
        argument = argument->kids.at[0];
    return argument;
}
