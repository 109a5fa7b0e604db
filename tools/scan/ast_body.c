#include "ast_maker.h"
#include "shape.h"

typedef struct kind_name {
    const char *name;
    ast_kind kind;
} kind_name;

/* Kinds without an entry are unknown, and an error where a task comes to them. */
static const kind_name kinds[] = {
    {"ArraySubscriptExpr", AST_INDEX},
    {"AtomicExpr", AST_ATOMIC},
    {"BinaryOperator", AST_BINARY},
    {"BreakStmt", AST_BREAK},
    {"CStyleCastExpr", AST_CAST},
    {"CallExpr", AST_CALL},
    {"CaseStmt", AST_CASE},
    {"CharacterLiteral", AST_LITERAL},
    {"CompoundAssignOperator", AST_ASSIGN},
    {"CompoundLiteralExpr", AST_COMPOUND_LITERAL},
    {"CompoundStmt", AST_BLOCK},
    {"ConditionalOperator", AST_CHOICE},
    {"ContinueStmt", AST_CONTINUE},
    {"DeclRefExpr", AST_NAME},
    {"DefaultStmt", AST_DEFAULT},
    {"DoStmt", AST_DO},
    {"FloatingLiteral", AST_LITERAL},
    {"ForStmt", AST_FOR},
    {"IfStmt", AST_IF},
    {"ImplicitCastExpr", AST_CAST},
    {"ImplicitValueInitExpr", AST_LIST},
    {"InitListExpr", AST_LIST},
    {"IntegerLiteral", AST_LITERAL},
    {"MemberExpr", AST_MEMBER},
    {"NullStmt", AST_NONE},
    {"OffsetOfExpr", AST_OFFSET},
    {"PredefinedExpr", AST_LITERAL},
    {"ReturnStmt", AST_RETURN},
    {"StmtExpr", AST_BLOCK_VALUE},
    {"StringLiteral", AST_LITERAL},
    {"SwitchStmt", AST_SWITCH},
    {"UnaryExprOrTypeTraitExpr", AST_SIZE},
    {"UnaryOperator", AST_UNARY},
    {"WhileStmt", AST_WHILE},
};

/* How many kids a node has at least. */
static const size_t kids_of[AST_RETURN + 1] = {
    [AST_LOAD] = 1,   [AST_DECAY] = 1,   [AST_CAST] = 1,        [AST_MEMBER] = 1,
    [AST_INDEX] = 2,  [AST_UNARY] = 1,   [AST_BINARY] = 2,      [AST_ASSIGN] = 2,
    [AST_CHOICE] = 3, [AST_CALL] = 1,    [AST_BLOCK_VALUE] = 1, [AST_COMPOUND_LITERAL] = 1,
    [AST_IF] = 2,     [AST_WHILE] = 2,   [AST_DO] = 2,          [AST_SWITCH] = 2,
    [AST_CASE] = 2,   [AST_DEFAULT] = 1,
};

/* A node without one of its parts, or with a declaration of another kind, of damaged facts or of a
 * strange clang, is unknown: what walks over the nodes need not look. */
static bool is_whole(const ast_node *node) {
    const bool is_field = node->decl && node->decl->kind == DECL_FIELD;
    return node->kids.count >= kids_of[node->kind] && is_field == (node->kind == AST_MEMBER);
}

static ast_kind kind_of(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (scan_same(kinds[i].name, name)) return kinds[i].kind;
    return AST_UNKNOWN;
}

static ast_node *new_node(maker *m, const json *node, ast_kind kind) {
    ast_node *made = SCAN_NEW(ast_node);
    made->kind = kind;
    made->place = maker_place(m, node);
    made->type = scan_name(maker_type(m, node));
    made->shape = shape_of(m->unit, made->type);
    return made;
}

void maker_convert_inner(maker *m, const json *node, ast_node *into) {
    for (const json *child = maker_first(node); child; child = child->next)
        SCAN_ADD(&into->kids, maker_convert(m, child));
}

/* A declaration inside of a function; NULL: it has no effect. */
static ast_node *convert_declaration(maker *m, const json *node) {
    const char *kind = maker_text(node, "kind", "");
    ast_node *made;
    if (scan_same(kind, "RecordDecl")) maker_record(m, node);
    if (scan_same(kind, "EnumDecl")) maker_enum(m, node);
    if (scan_same(kind, "TypedefDecl")) maker_typedef(m, node);
    if (!scan_same(kind, "VarDecl")) return NULL;
    if (json_text(node, "storageClass") && !json_is(node, "storageClass", "register") &&
        !json_is(node, "storageClass", "auto")) {
        maker_global(m, node, json_is(node, "storageClass", "static"));
        return NULL;
    }
    made = new_node(m, node, AST_DECLARE);
    made->decl = maker_declare(m, node, DECL_LOCAL);
    maker_convert_inner(m, node, made);
    return made;
}

static ast_node *convert_declarations(maker *m, const json *node) {
    ast_node *block = new_node(m, node, AST_BLOCK);
    block->text = "declarations"; /* names live on behind it */
    for (const json *child = maker_first(node); child; child = child->next) {
        ast_node *one = convert_declaration(m, child);
        if (one) SCAN_ADD(&block->kids, one);
    }
    return block->kids.count == 1 ? block->kids.at[0] : block;
}

/* _Generic: the branch that is taken. */
static ast_node *convert_generic(maker *m, const json *node) {
    for (const json *branch = maker_first(node); branch; branch = branch->next) {
        const json *last = NULL;
        if (!json_is(branch, "selected", "true")) continue;
        for (const json *child = maker_first(branch); child; child = child->next) last = child;
        if (last) return maker_convert(m, last);
    }
    return new_node(m, node, AST_UNKNOWN);
}

static ast_node *convert_cast(maker *m, const json *node, bool written) {
    const char *cast = scan_name(maker_text(node, "castKind", ""));
    const json *child = maker_first(node);
    while (child && child->next) child = child->next;
    if (!child) return new_node(m, node, AST_UNKNOWN);
    if (scan_same(cast, "FunctionToPointerDecay") || scan_same(cast, "BuiltinFnToFnPtr") ||
        (!written && (scan_same(cast, "NoOp") || scan_same(cast, "LValueBitCast"))))
        return maker_convert(m, child);
    ast_node *made = new_node(m, node, AST_CAST);
    if (scan_same(cast, "LValueToRValue")) made->kind = AST_LOAD;
    if (scan_same(cast, "ArrayToPointerDecay")) made->kind = AST_DECAY;
    made->text = cast;
    made->written = written;
    SCAN_ADD(&made->kids, maker_convert(m, child));
    return made;
}

/* clang leaves out the parts of a for that are not there, as {}; and adds one for a declaration in
 * the condition, which C has not. */
static ast_node *convert_for(maker *m, const json *node) {
    ast_node *made = new_node(m, node, AST_FOR);
    int part = 0;
    for (const json *child = maker_first(node); child; child = child->next, part++)
        if (part != 1) SCAN_ADD(&made->kids, maker_convert(m, child));
    if (made->kids.count != 4) made->kind = AST_UNKNOWN;
    return made;
}

static void fill_name(maker *m, const json *node, ast_node *made) {
    const json *to = json_get(node, "referencedDecl");
    const char *id = json_text(to, "id");
    made->decl = id ? scan_table_get(&m->unit->ids, id) : NULL;
    made->text = scan_name(maker_text(to, "name", "?"));
}

static void fill_size(const json *node, ast_node *made) {
    const char *type = json_text(json_get(node, "argType"), "qualType");
    made->text = scan_name(type ? type : "");
    made->type = scan_name(maker_text(node, "name", "sizeof"));
}

static ast_node *convert_plain(maker *m, const json *node, ast_kind kind) {
    ast_node *made = new_node(m, node, kind);
    const char *member = json_text(node, "referencedMemberDecl");
    if (kind != AST_UNKNOWN)
        made->text = scan_name(maker_text(node, "opcode", maker_text(node, "value", "")));
    made->arrow = json_is(node, "isArrow", "true");
    made->postfix = json_is(node, "isPostfix", "true");
    if (kind == AST_MEMBER && member) made->decl = scan_table_get(&m->unit->ids, member);
    if (kind == AST_NAME) fill_name(m, node, made);
    if (kind == AST_SIZE) fill_size(node, made);
    if (kind == AST_BINARY && scan_same(made->text, "=")) made->kind = AST_ASSIGN;
    maker_convert_inner(m, node, made);
    return made;
}

static ast_node *convert_known(maker *m, const json *node, const char *kind) {
    if (scan_same(kind, "ParenExpr") || scan_same(kind, "ConstantExpr") ||
        scan_same(kind, "AttributedStmt") || scan_same(kind, "OpaqueValueExpr"))
        return maker_first(node) ? maker_convert(m, maker_first(node))
                                 : new_node(m, node, AST_NONE);
    if (scan_same(kind, "DeclStmt")) return convert_declarations(m, node);
    if (scan_same(kind, "GenericSelectionExpr")) return convert_generic(m, node);
    if (scan_same(kind, "ImplicitCastExpr") || scan_same(kind, "CStyleCastExpr"))
        return convert_cast(m, node, scan_same(kind, "CStyleCastExpr"));
    if (scan_same(kind, "ForStmt")) return convert_for(m, node);
    return convert_plain(m, node, kind_of(kind));
}

ast_node *maker_convert(maker *m, const json *node) {
    const char *kind = json_text(node, "kind"), *before = m->file, *file = json_text(node, "file");
    ast_node *made;
    if (!kind) return new_node(m, node, AST_NONE);
    if (file) m->file = scan_name(file);
    made = convert_known(m, node, kind);
    if (!is_whole(made)) made->kind = AST_UNKNOWN, made->text = NULL;
    if (made->kind == AST_UNKNOWN && !made->text) made->text = scan_name(kind);
    m->file = before;
    return made;
}
