#include "scan/program/records.h"

static bool find_union(const scan_program *program, scan_record *record, bool *deep) {
    bool found = false;
    for (size_t i = 0; i < program->record_list.count; i++) {
        scan_record *outer = program->record_list.at[i];
        for (size_t k = 0; k < outer->fields.count; k++) {
            const char *shape = outer->fields.at[k]->shape, *inner = shape_element(shape);
            bool ignored = false;
            if (shape_record(program, inner) != record || outer == record) continue;
            if (outer->is_union) {
                found = true;
                *deep |= inner != shape;
            } else if (record_in_union(program, outer, &ignored)) {
                found = *deep = true;
            }
        }
    }
    return found;
}

bool record_in_union(const scan_program *program, scan_record *record, bool *deep) {
    if (!record->union_known) {
        record->in_union = find_union(program, record, &record->deep_in_union);
        record->union_known = true;
    }
    *deep |= record->deep_in_union;
    return record->in_union;
}

/* Whether an address inside of a struct is taken; `first`: other than that of its beginning. */
static bool has_addresses(const scan_program *program, const scan_record *record, bool first) {
    for (size_t i = 0; i < record->fields.count; i++) {
        const scan_decl *field = record->fields.at[i];
        const scan_record *inner = record_inside(program, field->shape);
        if (field->addressed && !(first && !shape_is_array(field->shape))) return true;
        if (inner && inner != record && has_addresses(program, inner, false)) return true;
    }
    return false;
}

bool record_is_punned(const scan_program *program, scan_record *record) {
    if (!record->punned_known)
        record->punned = record->is_union && has_addresses(program, record, true);
    record->punned_known = true;
    return record->punned;
}

static bool is_owned(const scan_program *program, const scan_record *record, int depth) {
    if (record->header || record->parts) return true;
    for (size_t i = 0; i < program->record_list.count && depth < 8; i++) {
        scan_record *outer = program->record_list.at[i];
        for (size_t k = 0; k < outer->fields.count; k++) {
            const char *shape = shape_element(outer->fields.at[k]->shape);
            if (outer != record && shape_record(program, shape) == record &&
                is_owned(program, outer, depth + 1))
                return true;
        }
    }
    return false;
}

static bool may_own(const scan_program *program, const char *shape) {
    shape = shape_element(shape);
    for (size_t i = 0; i < program->record_list.count; i++) {
        const scan_record *record = program->record_list.at[i];
        for (size_t k = 0; k < record->fields.count; k++) {
            const scan_decl *field = record->fields.at[k];
            if (field->addressed && scan_same(shape_element(field->shape), shape) &&
                is_owned(program, record, 0))
                return true;
        }
    }
    return false;
}

bool record_may_own(scan_program *program, const char *shape) {
    void **slot = scan_table_at(&program->may_own, shape);
    if (!*slot) *slot = may_own(program, shape) ? (void *)program : (void *)&program->may_own;
    return *slot == program;
}

bool record_is_owned(const scan_program *program, const scan_record *record) {
    return is_owned(program, record, 0);
}

scan_record *record_inside(const scan_program *program, const char *shape) {
    return shape_record(program, shape_element(shape));
}
