#include "scan/program/ast_maker.h"
#include "scan/program/kinds.h"
#include "scan/program/shape.h"

/* Marks a node that the table of constructs does not let pass. Its kids still count. */
static ast_node *refuse(ast_node *node, const char *complaint) {
    node->kind = AST_UNKNOWN;
    node->text = complaint;
    return node;
}

/* Whether a node has all its parts. A node that lacks one, or that has a declaration of another
 * kind, comes from damaged facts or a strange clang, and becomes unknown: code that walks over the
 * nodes need not check. */
static bool is_whole(const ast_node *node, size_t kids) {
    const bool is_field = node->decl && node->decl->kind == DECL_FIELD;
    return node->kids.count >= kids && is_field == (node->kind == AST_MEMBER);
}

static ast_node *new_node(maker *m, const json *node, ast_kind kind) {
    ast_node *made = SCAN_NEW(ast_node);
    made->kind = kind;
    made->place = maker_place(m, node);
    made->type = scan_name(maker_type(m, node));
    made->shape = shape_of(m->unit, made->type);
    made->is_volatile = maker_is_volatile(node);
    return made;
}

void maker_convert_inner(maker *m, const json *node, ast_node *into) {
    for (const json *child = maker_first(node); child; child = child->next)
        SCAN_ADD(&into->kids, maker_convert(m, child));
}

/* Converts a declaration inside of a function. @return NULL: it has no effect. */
static ast_node *convert_declaration(maker *m, const json *node) {
    const char *kind = maker_text(node, "kind", "");
    ast_node *made;
    if (!kind_is_known(KIND_DECLARATION, kind))
        return refuse(new_node(m, node, AST_UNKNOWN), kind_complaint(KIND_DECLARATION, kind));
    if (!scan_same(kind, "VarDecl")) {
        const char *length =
            scan_same(kind, "TypedefDecl") ? maker_length_refusal(m, maker_type(m, node)) : NULL;
        maker_own_type(m, node);
        return length ? refuse(new_node(m, node, AST_UNKNOWN), length) : NULL;
    }
    if (kind_find(KIND_STORAGE, maker_text(node, "storageClass", "auto"))->use == KIND_MADE) {
        maker_global(m, node, json_is(node, "storageClass", "static"));
        return NULL;
    }
    made = new_node(m, node, AST_DECLARE);
    made->decl = maker_declare(m, node, DECL_LOCAL);
    maker_convert_inner(m, node, made);
    if (strstr(made->type, "typeof") && made->kids.count) /* the type is that of the value */
        made->shape = made->decl->shape = made->kids.at[0]->shape;
    return made->decl->refused ? refuse(made, made->decl->refused) : made;
}

static ast_node *convert_declarations(maker *m, const json *node) {
    ast_node *block = new_node(m, node, AST_BLOCK);
    block->text = "declarations"; /* a block without a scope: its names are visible after it */
    for (const json *child = maker_first(node); child; child = child->next) {
        ast_node *one = convert_declaration(m, child);
        if (one) SCAN_ADD(&block->kids, one);
    }
    return block->kids.count == 1 ? block->kids.at[0] : block;
}

/* Converts _Generic to the selected branch. */
static ast_node *convert_generic(maker *m, const json *node) {
    for (const json *branch = maker_first(node); branch; branch = branch->next) {
        const json *last = NULL;
        if (!json_is(branch, "selected", "true")) continue;
        for (const json *child = maker_first(branch); child; child = child->next) last = child;
        if (last) return maker_convert(m, last);
    }
    return refuse(new_node(m, node, AST_UNKNOWN), scan_name("GenericSelectionExpr"));
}

static ast_node *convert_cast(maker *m, const json *node, bool written) {
    const char *cast = scan_name(maker_text(node, "castKind", ""));
    const json *child = maker_first(node);
    while (child && child->next) child = child->next;
    if (!child) return refuse(new_node(m, node, AST_UNKNOWN), scan_name("a cast of nothing"));
    const bool known = kind_is_known(KIND_CAST, cast);
    if (kind_find(KIND_CAST, cast)->use == KIND_KEPT && !(written && scan_same(cast, "NoOp")))
        return maker_convert(m, child);
    ast_node *made = new_node(m, node, AST_CAST);
    if (scan_same(cast, "LValueToRValue")) made->kind = AST_LOAD;
    if (scan_same(cast, "ArrayToPointerDecay")) made->kind = AST_DECAY;
    made->text = cast;
    made->written = written;
    SCAN_ADD(&made->kids, maker_convert(m, child));
    if (!known) return refuse(made, kind_complaint(KIND_CAST, cast));
    const char *length = written ? maker_length_refusal(m, made->type) : NULL;
    return length ? refuse(made, length) : made;
}

/* clang writes a missing part of a `for` as {}, and adds a fifth part for a declaration in the
 * condition, which C does not have. */
static ast_node *convert_for(maker *m, const json *node) {
    ast_node *made = new_node(m, node, AST_FOR);
    int part = 0;
    for (const json *child = maker_first(node); child; child = child->next, part++)
        if (part != 1) SCAN_ADD(&made->kids, maker_convert(m, child));
    return made->kids.count == 4 ? made : refuse(made, scan_name("ForStmt"));
}

static void fill_name(maker *m, const json *node, ast_node *made) {
    const json *to = json_get(node, "referencedDecl");
    const char *id = json_text(to, "id");
    made->decl = id ? scan_table_get(&m->unit->ids, id) : NULL;
    made->text = scan_name(maker_text(to, "name", "?"));
}

static void fill_size(maker *m, const json *node, ast_node *made) {
    const json *argument = json_get(node, "argType");
    const char *type = argument ? maker_type_of(m, argument) : NULL;
    made->text = scan_name(type ? type : "");
    made->type = scan_name(maker_text(node, "name", "sizeof"));
    made->of = type ? shape_of(m->unit, type) : NULL;
}

static ast_node *convert_plain(maker *m, const json *node, const kind_row *row) {
    const ast_kind kind = row->kind;
    ast_node *made = new_node(m, node, kind);
    const char *member = json_text(node, "referencedMemberDecl"), *token = json_text(node, "token");
    made->text = scan_name(maker_text(node, "opcode", maker_text(node, "value", "")));
    made->token = token ? scan_name(token) : NULL;
    made->arrow = json_is(node, "isArrow", "true");
    made->postfix = json_is(node, "isPostfix", "true");
    if (kind == AST_MEMBER && member) made->decl = scan_table_get(&m->unit->ids, member);
    if (kind == AST_NAME) fill_name(m, node, made);
    if (kind == AST_BINARY && scan_same(made->text, "=")) made->kind = AST_ASSIGN;
    maker_convert_inner(m, node, made);
    if (kind == AST_SIZE) fill_size(m, node, made);
    if (kind == AST_MEMBER && !made->decl)
        return refuse(made, scan_name("MemberExpr: declare the struct at file scope"));
    return is_whole(made, row->kids) ? made : refuse(made, scan_name(row->name));
}

/* ---- scan.I1: one form for lvalues that are one place ---- */

/* @return the kid with this number; NULL: the node has fewer. */
static ast_node *kid(const ast_node *node, size_t number) {
    return node && number < node->kids.count ? node->kids.at[number] : NULL;
}

static bool is_operator(const ast_node *node, ast_kind kind, const char *text) {
    return node && node->kind == kind && scan_same(node->text, text);
}

static bool is_zero(const ast_node *node) {
    return node && node->kind == AST_LITERAL && scan_same(node->text, "0");
}

/* pointer[number], from either order. */
static ast_node *indexed(ast_node *node, ast_node *pointer, ast_node *number) {
    const bool swapped = !shape_is_pointer(pointer->shape) && shape_is_pointer(number->shape);
    node->kind = AST_INDEX;
    node->kids.count = 0;
    SCAN_ADD(&node->kids, swapped ? number : pointer);
    SCAN_ADD(&node->kids, swapped ? pointer : number);
    return node;
}

static ast_node *zero_at(const ast_node *node) {
    ast_node *zero = SCAN_NEW(ast_node);
    *zero = (ast_node){.kind = AST_LITERAL, .place = node->place, .text = "0"};
    zero->type = zero->shape = scan_name("int");
    return zero;
}

/* *&x is x, *(p + i) is p[i], and *array is array[0]. */
static ast_node *normal_target(ast_node *node, ast_node *pointer) {
    ast_node *one = kid(pointer, 0), *other = kid(pointer, 1);
    if (one && is_operator(pointer, AST_UNARY, "&")) return one;
    if (pointer->kind == AST_DECAY) return indexed(node, pointer, zero_at(node));
    return one && other && is_operator(pointer, AST_BINARY, "+") ? indexed(node, one, other) : node;
}

/* (&x)[0] is x, and i[p] is p[i]. */
static ast_node *normal_element(ast_node *node, ast_node *pointer, ast_node *number) {
    ast_node *object;
    node = indexed(node, pointer, number);
    object = kid(kid(node, 0), 0);
    return object && is_operator(kid(node, 0), AST_UNARY, "&") && is_zero(kid(node, 1)) ? object
                                                                                        : node;
}

/* (&x)->a is x.a, and array->a is array[0].a. */
static ast_node *normal_member(ast_node *node, ast_node *pointer) {
    ast_node *object = kid(pointer, 0);
    if (object && is_operator(pointer, AST_UNARY, "&")) {
        node->kids.at[0] = object;
        node->arrow = false;
    } else if (pointer->kind == AST_DECAY) {
        ast_node *element = SCAN_NEW(ast_node);
        *element = (ast_node){.place = node->place, .shape = shape_inner(pointer->shape)};
        element->type = element->shape;
        node->kids.at[0] = indexed(element, pointer, zero_at(node));
        node->arrow = false;
    }
    return node;
}

/* &*p is p; and the forms above. */
static ast_node *normal(ast_node *node) {
    ast_node *first = kid(node, 0), *second = kid(node, 1);
    if (!first) return node;
    if (is_operator(node, AST_UNARY, "*")) return normal_target(node, first);
    if (node->kind == AST_INDEX && second) return normal_element(node, first, second);
    if (node->kind == AST_MEMBER && node->arrow) return normal_member(node, first);
    if (is_operator(node, AST_UNARY, "&") && is_operator(first, AST_UNARY, "*") && kid(first, 0))
        return kid(first, 0);
    return node;
}

/* ---- all nodes ---- */

static ast_node *convert_known(maker *m, const json *node, const kind_row *row) {
    switch ((int)row->kind) {
    case AST_INSIDE:
        return maker_first(node) ? maker_convert(m, maker_first(node))
                                 : new_node(m, node, AST_NONE);
    case AST_DECLARATIONS: return convert_declarations(m, node);
    case AST_GENERIC: return convert_generic(m, node);
    case AST_CAST: return convert_cast(m, node, scan_same(row->name, "CStyleCastExpr"));
    case AST_FOR: return convert_for(m, node);
    default: return convert_plain(m, node, row);
    }
}

/* The shape of a node whose type in clang's text is only described by an expression: it follows
 * from the kids. NULL: it does not. */
static const char *shape_of_kids(const ast_node *node) {
    const char *first = node->kids.count ? node->kids.at[0]->shape : NULL;
    switch (node->kind) {
    case AST_NAME:
    case AST_MEMBER: return node->decl ? node->decl->shape : NULL;
    case AST_LOAD:
    case AST_ASSIGN: return first;
    case AST_DECAY: return scan_name(scan_text("%s*", shape_inner(first)));
    case AST_INDEX: return shape_inner(first);
    case AST_BLOCK_VALUE: {
        const ast_node *block = node->kids.at[0];
        return block->kids.count ? block->kids.at[block->kids.count - 1]->shape : NULL;
    }
    case AST_UNARY:
        if (scan_same(node->text, "&")) return scan_name(scan_text("%s*", first));
        return scan_same(node->text, "*") ? shape_inner(first) : first;
    default: return NULL;
    }
}

/* What the table does not let pass of a node's operator and type; NULL: it lets both pass. */
static const char *complaint_of(const ast_node *node) {
    const char *type = *node->type == '<' ? NULL : strchr(node->shape, '?'); /* <builtin fn type> */
    if (node->kind == AST_UNARY || node->kind == AST_BINARY || node->kind == AST_ASSIGN)
        if (!kind_is_known(KIND_OPERATOR, node->text))
            return kind_complaint(KIND_OPERATOR, node->text);
    return type ? scan_name(scan_text("%.*s", (int)strcspn(type + 1, "*[("), type + 1)) : NULL;
}

ast_node *maker_convert(maker *m, const json *node) {
    const char *kind = json_text(node, "kind"), *before = m->file, *file = json_text(node, "file");
    if (!kind) return new_node(m, node, AST_NONE);
    const kind_row *row = kind_find(KIND_NODE, kind);
    if (file) m->file = scan_name(file);
    ast_node *made = convert_known(m, node, row);
    if (strstr(made->type, "typeof") && shape_of_kids(made)) made->shape = shape_of_kids(made);
    const char *complaint = complaint_of(made);
    if (row->use >= KIND_REFUSED) refuse(made, kind_complaint(KIND_NODE, kind));
    else if (made->kind != AST_UNKNOWN && complaint) refuse(made, complaint);
    m->file = before;
    return made->kind == AST_UNKNOWN ? made : normal(made);
}
