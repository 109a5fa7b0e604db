#include "scan/points/meets.h"
#include "scan/program/records.h"
#include <stdlib.h>

/* ---- scan.M1 to M3: do two accesses meet? ---- */

/* Whether a struct is another one, or contains it. */
static bool holds(const memory *m, const scan_record *outer, const scan_record *inner, int depth) {
    if (outer == inner) return true;
    for (size_t i = 0; i < outer->fields.count && depth < MEMORY_PATH; i++) {
        const scan_record *field = record_inside(m->program, outer->fields.at[i]->shape);
        if (field && holds(m, field, inner, depth + 1)) return true;
    }
    return false;
}

static bool in_union(const memory *m, scan_record *record) {
    bool deep = false;
    return record->is_union || record_in_union(m->program, record, &deep);
}

/* M2: whether two fields of one struct are apart, at the same step of two paths. */
static bool are_apart(const scan_decl *a, const scan_decl *b) {
    if (a == b || (a->of && a->of->is_union)) return false;
    return !(a->bits && b->bits);
}

/* Whether two paths from the same struct meet. */
static bool paths_meet(const memory_path *a, size_t from_a, const memory_path *b, size_t from_b) {
    for (; from_a < a->length && from_b < b->length; from_a++, from_b++) {
        const scan_decl *x = a->fields[from_a], *y = b->fields[from_b];
        if (x == y) continue;
        return x->of != y->of || !are_apart(x, y);
    }
    return true;
}

/* The index of the first step of the path that is a field of the struct; without one, the path's
 * length. */
static size_t step_into(const memory_path *path, const scan_record *record) {
    size_t at = 0;
    while (at < path->length && path->fields[at]->of != record) at++;
    return at;
}

/* May two paths from different structs reach one field? One of them may lead through the struct of
 * the other. */
static bool fields_meet(const memory *m, const memory_path *a, const memory_path *b) {
    scan_record *of_a = a->fields[0]->of, *of_b = b->fields[0]->of;
    size_t in_a = step_into(a, of_b), in_b = step_into(b, of_a);
    const scan_record *end_a = record_inside(m->program, a->fields[a->length - 1]->shape);
    const scan_record *end_b = record_inside(m->program, b->fields[b->length - 1]->shape);
    if (of_a == of_b) return paths_meet(a, 0, b, 0);
    if (in_a < a->length) return paths_meet(a, in_a, b, 0);
    if (in_b < b->length) return paths_meet(a, 0, b, in_b);
    if ((end_a && holds(m, end_a, of_b, 0)) || (end_b && holds(m, end_b, of_a, 0))) return true;
    return in_union(m, of_a) && in_union(m, of_b);
}

/* Whether an access with a path meets one without. `shape` is all that the latter accesses. */
static bool whole_meets(const memory *m, const memory_path *path, const char *shape) {
    const scan_record *record = record_inside(m->program, shape);
    const scan_decl *last = path->fields[path->length - 1];
    if (record)
        return step_into(path, record) < path->length || holds(m, record, path->fields[0]->of, 0) ||
               (record_inside(m->program, last->shape) &&
                holds(m, record_inside(m->program, last->shape), record, 0));
    return scan_same(shape_element(last->shape), shape_element(shape)) &&
           (last->addressed || shape_is_array(last->shape));
}

/* M3: whether bytes may be those of any type: they are an array, or at the end of a pointer. A
 * single byte with a name is a field like any other. */
static bool is_of_any_type(const meets_class *access) {
    const memory_path *path = &access->path;
    if (!scan_same(access->shape, "char") && !scan_same(access->shape, "void")) return false;
    return !path->length || shape_is_array(path->fields[path->length - 1]->shape);
}

/* M3: whether two accesses meet by their types, when one of them may lead anywhere. */
static bool types_meet(const memory *m, const memory_path *a, const char *shape_a,
                       const memory_path *b, const char *shape_b) {
    if (a->length && b->length) return fields_meet(m, a, b);
    if (a->length) return whole_meets(m, a, shape_b);
    if (b->length) return whole_meets(m, b, shape_a);
    const scan_record *x = record_inside(m->program, shape_a),
                      *y = record_inside(m->program, shape_b);
    if (x && y) return holds(m, x, y, 0) || holds(m, y, x, 0);
    return !x && !y && scan_same(shape_element(shape_a), shape_element(shape_b));
}

/* The fields of an access at one of the sites that it leads to. */
static memory_path path_at(const memory *m, const memory_path *of, points_id site) {
    memory_path path = *of;
    points_id part = points_part(m->points, site);
    if (!path.length && part) path.fields[path.length++] = m->fields.at[part - 1];
    return path;
}

/* M3: whether no pointer leads to a root: it is a variable whose address is not taken. */
static bool is_hidden(const memory_root *root) { return root->decl && !root->decl->addressed; }

static bool sites_meet(const memory *m, const meets_class *a, points_id at_a, const meets_class *b,
                       points_id at_b, meets_place *found) {
    memory_path path_a = path_at(m, &a->path, at_a), path_b = path_at(m, &b->path, at_b);
    const memory_root *x = memory_root_of(m, at_a), *y = memory_root_of(m, at_b);
    bool outside = x == m->outside || y == m->outside;
    if (x != y && (!outside || is_hidden(x) || is_hidden(y))) return false;
    if (outside ? !is_of_any_type(a) && !is_of_any_type(b) &&
                      !types_meet(m, &path_a, a->shape, &path_b, b->shape)
                : path_a.length && path_b.length && !fields_meet(m, &path_a, &path_b))
        return false;
    found->root = x == m->outside ? y : x;
    found->field = path_a.length ? path_a.fields[path_a.length - 1] : NULL;
    if (path_b.length > path_a.length) found->field = path_b.fields[path_b.length - 1];
    return true;
}

/* ---- classes ---- */

static bool is_shared(const memory *m, points_id site) {
    root_kind kind = memory_root_of(m, site)->kind;
    return kind != ROOT_OWN && kind != ROOT_TEXT;
}

static size_t collect(meets *all, const memory_access *access) {
    size_t count = 0;
    for (points_id site = 0; (site = memory_next_site(all->m, access, site)) != 0;) {
        if (!is_shared(all->m, site)) continue;
        if (count == all->room) {
            all->room = all->room ? 2 * all->room : 64;
            all->sites = realloc(all->sites, all->room * sizeof *all->sites);
            if (!all->sites) scan_fail("out of memory: scan fewer files at once");
        }
        all->sites[count++] = site;
    }
    return count;
}

/* The key of an access. Accesses have the same key if they are of one class, and otherwise only if
 * their sites have the same hash. */
static const char *key_of(const meets *all, const memory_access *access, size_t count) {
    uint64_t hash = count;
    const char *key;
    for (size_t i = 0; i < count; i++) hash = (hash ^ all->sites[i]) * UINT64_C(1099511628211);
    key = scan_text("%d %p %llx", access->write, (const void *)access->shape,
                    (unsigned long long)hash);
    for (size_t i = 0; i < access->path.length; i++)
        key = scan_text("%s %p", key, (const void *)access->path.fields[i]);
    return key;
}

static bool is_per_item(const memory_access *access) {
    for (size_t i = 0; i < access->path.length; i++)
        if (access->path.fields[i]->of->per_item) return true;
    return false;
}

const meets_class *meets_class_of(meets *all, const memory_access *access) {
    const size_t count = collect(all, access), bytes = count * sizeof *all->sites;
    meets_class *made;
    if (!count) return NULL;
    for (const char *key = key_of(all, access, count);; key = scan_text("%s.", key)) {
        void **slot = scan_table_at(&all->by_key, key);
        made = *slot;
        if (made && (made->count != count || memcmp(made->sites, all->sites, bytes) != 0)) continue;
        if (made) return made;
        *slot = made = SCAN_NEW(meets_class);
        break;
    }
    *made = (meets_class){.number = all->classes.count,
                          .write = access->write,
                          .per_item = is_per_item(access),
                          .path = access->path,
                          .shape = access->shape,
                          .sites = scan_take(scan_memory(), bytes),
                          .count = count};
    memcpy(made->sites, all->sites, bytes);
    SCAN_ADD(&all->classes, made);
    return made;
}

/* ---- classes that meet ---- */

meets_place meets_find(const meets *all, const meets_class *a, const meets_class *b) {
    meets_place best = {0}, found = {0};
    if (!a->write && !b->write) return best;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++) {
            if (!sites_meet(all->m, a, a->sites[i], b, b->sites[k], &found)) continue;
            if (!best.root || found.root != all->m->outside) best = found;
            if (best.root != all->m->outside) return best;
        }
    return best;
}

meets_how meets_do(meets *all, const meets_class *a, const meets_class *b) {
    meets_class *of = all->classes.at[a->number];
    if (!of->known) of->known = scan_take(scan_memory(), all->classes.count);
    if (of->known[b->number] == MEETS_UNKNOWN) {
        const memory_root *root = meets_find(all, a, b).root;
        of->known[b->number] = !root                     ? MEETS_NEVER
                               : root == all->m->outside ? MEETS_PERHAPS
                                                         : MEETS_SURELY;
    }
    return (meets_how)of->known[b->number];
}
