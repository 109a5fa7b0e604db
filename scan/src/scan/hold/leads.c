#include "scan/hold/leads.h"

static const memory_access *access_at(const memory_accesses *list, const ast_node *node) {
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i]->node == node) return list->at[i];
    return NULL;
}

static bool can_name(const scan_task *task, const memory_root *root) {
    const scan_decl *decl = root->decl;
    return root->kind == ROOT_GLOBAL && !decl->inner &&
           (!decl->is_static || decl->unit == task->unit);
}

/* Finds the roots that an access leads to. `lead->what` is NULL when they are not known. */
static void find_roots(const memory *m, const scan_task *task, hold_lead *lead) {
    const memory_root *first = NULL;
    bool others = false;
    for (points_id site = 0; (site = memory_next_site(m, lead->access, site)) != 0;) {
        const memory_root *root = memory_root_of(m, site);
        if (root->kind == ROOT_OUTSIDE) return;
        if (!can_name(task, root)) lead->sure = false;
        if (root->kind == ROOT_OWN || root->kind == ROOT_TEXT) continue;
        others |= first && first != root;
        if (!first) first = root;
    }
    if (!first) return;
    lead->what = memory_root_text(first);
    if (others) lead->what = scan_text("%s, or other memory,", lead->what);
}

typedef enum fit { FIT_NEVER, FIT_PERHAPS, FIT_SURELY } fit;

/* Whether a named place may be among those that an access leads to, of which only the roots are
 * known. */
static fit fit_of(const memory *m, const memory_access *named, const memory_access *access) {
    fit best = FIT_NEVER;
    if (!named) return FIT_PERHAPS;
    for (points_id n = 0; (n = memory_next_site(m, named, n)) != 0;) {
        root_kind kind = memory_root_of(m, n)->kind;
        if (kind == ROOT_OUTSIDE || kind == ROOT_OWN) best = FIT_PERHAPS;
    }
    for (points_id n = 0; (n = memory_next_site(m, named, n)) != 0;)
        for (points_id a = 0; (a = memory_next_site(m, access, a)) != 0;)
            if (memory_root_of(m, n) == memory_root_of(m, a)) return FIT_SURELY;
    return best;
}

/* Compares one name of the touch function with the access. M4: elements of an array are one place,
 * so a loop over them is no condition. */
static void hold_name(const memory *m, const memory_access *named, const hold_entry *written,
                      const hold_entry *sliced, hold_lead *lead) {
    const bool everything = written->step->access == ACCESS_EVERYTHING;
    const fit how = everything ? FIT_SURELY : fit_of(m, named, lead->access);
    lead_verdict verdict = LEAD_NAMED;
    const char *condition = hold_extra_condition(written, sliced, false);
    const bool weaker = written->step->write < lead->access->write;
    if (how == FIT_NEVER || (how == FIT_PERHAPS && weaker)) return;
    if (weaker) verdict = LEAD_READ_ONLY;
    else if (how == FIT_PERHAPS) verdict = LEAD_PERHAPS;
    else if (condition) verdict = LEAD_NARROWER;
    if (verdict > lead->verdict) return;
    lead->verdict = verdict;
    lead->condition = condition;
}

hold_lead hold_leads(const memory *m, const memory_task *of, const hold_entry *sliced,
                     const hold_entries *written) {
    hold_lead lead = {.verdict = LEAD_NAMED, .sure = !sliced->step->doubtful};
    lead.access = access_at(&of->body, sliced->step->node);
    if (!lead.access) return lead;
    find_roots(m, of->task, &lead);
    if (!lead.what) return lead;
    lead.verdict = LEAD_MISSING;
    for (size_t i = 0; i < written->all.count; i++) {
        const hold_entry *one = written->all.at[i];
        hold_name(m, access_at(&of->named, one->step->node), one, sliced, &lead);
    }
    return lead;
}
