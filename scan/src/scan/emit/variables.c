#include "scan/emit/variables.h"

static size_t mentions(const residue_block *block, const residue_slot *slot) {
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        const residue_step *step = block->at[i];
        count += residue_mentions(step->expr, slot);
        count += step->kind == STEP_SET && step->slot == slot;
        count += mentions(&step->inner[0], slot) + mentions(&step->inner[1], slot) +
                 mentions(&step->pre, slot);
    }
    return count;
}

static void choose(const residue_block *all, residue_block *block) {
    for (size_t i = 0; i < block->count; i++) {
        residue_step *step = block->at[i];
        if (step->kind == STEP_SET && step->declares) {
            residue_block rest = {.at = block->at + i, .count = block->count - i};
            if (!step->slot->declared && mentions(&rest, step->slot) == mentions(all, step->slot))
                step->slot->declared = true;
            else step->declares = false;
        }
        choose(all, &step->inner[0]);
        choose(all, &step->inner[1]);
        choose(all, &step->pre);
    }
}

/* The type without a const of the variable itself. */
static const char *variable_type(const char *type) {
    size_t length = strlen(type);
    if (!strchr(type, '*')) {
        if (scan_starts(type, "const ")) type += 6;
        return type;
    }
    while (length > 6 && scan_same(type + length - 6, " const")) length -= 6;
    if (length > 6 && scan_same(type + length - 6, "*const")) length -= 5;
    return scan_text("%.*s", (int)length, type);
}

const char *emit_declaration(const residue_slot *slot) {
    const char *type = variable_type(slot->type);
    size_t length = strlen(type);
    const char *inner = strstr(type, "(*"); /* int (*name)[4], without its qualifiers */
    if (inner)
        return scan_text("%.*s%s%s", (int)(inner + 2 - type), type, slot->name,
                         inner + 2 + strspn(inner + 2, " abcdefghijklmnopqrstuvwxyz_"));
    return scan_text("%s%s%s", type, length && type[length - 1] == '*' ? "" : " ", slot->name);
}

static const char *start_of(const residue_slot *slot) {
    if (slot->record) return "{0}";
    return strchr(slot->type, '*') ? "NULL" : "0";
}

static void declare_rest(const residue_block *block, emit_lines *lines) {
    for (size_t i = 0; i < block->count; i++) {
        const residue_step *step = block->at[i];
        if (step->kind == STEP_SET && !step->slot->declared) {
            step->slot->declared = true;
            SCAN_ADD(lines,
                     scan_text("%s = %s;", emit_declaration(step->slot), start_of(step->slot)));
        }
        declare_rest(&step->inner[0], lines);
        declare_rest(&step->inner[1], lines);
        declare_rest(&step->pre, lines);
    }
}

emit_lines emit_variables(residue_block *body) {
    emit_lines lines = {0};
    choose(body, body);
    declare_rest(body, &lines);
    return lines;
}
