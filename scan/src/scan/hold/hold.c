#include "scan/hold/hold.h"
#include "scan/hold/leads.h"

/* ---- the comparison ---- */

static bool same_place(const hold_entry *written, const hold_entry *sliced) {
    const residue_step *w = written->step, *s = sliced->step;
    if (w->access == ACCESS_EVERYTHING) return true;
    if (!written->text || !sliced->text || !scan_same(written->text, sliced->text)) return false;
    if (w->access == ACCESS_REACH) return s->access != ACCESS_PLACE;
    return w->access == s->access && residue_same_links(&w->links, &s->links);
}

/* Whether an access of the touch function may be to the place of the slice under another name: the
 * body has no other use for it. */
static bool may_be(const hold_entry *written, const hold_entry *sliced) {
    const residue_step *w = written->step, *s = sliced->step;
    if (!written->text || w->access == ACCESS_INDEX) return true;
    if (w->access == ACCESS_REACH || w->access == ACCESS_ALONG || w->access == ACCESS_PATH)
        return s->access != ACCESS_PLACE;
    return !written->used && (!w->shape || !s->shape || scan_same(w->shape, s->shape));
}

typedef struct holder {
    const memory *m;
    const memory_task *of;
    const scan_task *task;
    hold_entries written, sliced;
    hold_entries unknown; /* the slice, with the accesses that others cover */
    scan_table told;      /* notes that were printed */
    bool notes;
    size_t proved;
} holder;

static void note(holder *h, scan_place at, const char *text) {
    const char *line =
        scan_text("%s:%u: note: %s: %s", scan_at(at), at.column, h->task->name, text);
    void **slot = scan_table_at(&h->told, line);
    if (h->notes && !*slot) printf("%s\n", line);
    *slot = h;
}

static const char *name_of(const hold_entry *e) {
    return e->text ? e->text : e->step->access == ACCESS_EVERYTHING ? "everything" : "memory";
}

static void note_condition(holder *h, scan_place at, const char *what, const char *how,
                           const char *condition) {
    note(h, at,
         scan_text("not proved: the body has %s %s, and the touch function names it only if %s",
                   what, how, condition));
}

static void note_unproved(holder *h, scan_place at, const char *what, const char *how) {
    note(h, at,
         scan_text("not proved: that the touch function names %s, which is %s here", what, how));
}

static void tell_missing(const holder *h, scan_place at, const char *what, const char *how,
                         bool read_only) {
    scan_error(at,
               read_only ? "%s: %s is %s here, and its touch function names it as read: name "
                           "it with svs_writes()"
                         : "%s: %s is %s here, and its touch function does not name it: name "
                           "it, or let SVS_TASK_SCANNED make the touch function",
               h->task->name, what, how);
}

/* H2: reports an access that the touch function does not name. */
static void judge(holder *h, const hold_entry *sliced, bool read_only, const char *condition) {
    const char *how = sliced->step->write ? "written" : "read", *what = name_of(sliced);
    const scan_place at = sliced->step->place;
    bool other = false;
    for (size_t i = 0; i < h->written.all.count; i++) other |= may_be(h->written.all.at[i], sliced);
    if (condition) note_condition(h, at, what, how, condition);
    else if (!sliced->text || sliced->step->perhaps || other) note_unproved(h, at, what, how);
    else tell_missing(h, at, what, how, read_only);
}

/* H1 */
static void hold_one(holder *h, const hold_entry *sliced) {
    bool read_only = false;
    const char *condition = NULL;
    for (size_t i = 0; i < h->written.all.count; i++) {
        const hold_entry *written = h->written.all.at[i];
        if (!same_place(written, sliced)) continue;
        const char *extra = hold_extra_condition(written, sliced, true);
        if (written->step->write < sliced->step->write) {
            read_only = true;
        } else if (extra) {
            condition = extra;
        } else {
            h->proved++;
            return;
        }
    }
    judge(h, sliced, read_only, condition);
}

/* H3 */
static void hold_unknown(holder *h, const hold_entry *sliced) {
    const hold_lead lead = hold_leads(h->m, h->of, sliced, &h->written);
    const scan_place at = sliced->step->place;
    if (lead.verdict == LEAD_NAMED) return;
    const char *how =
        scan_text("%s through %s", lead.access->write ? "written" : "read", lead.access->text);
    if (lead.verdict == LEAD_NARROWER) note_condition(h, at, lead.what, how, lead.condition);
    else if (lead.verdict == LEAD_PERHAPS || !lead.sure) note_unproved(h, at, lead.what, how);
    else tell_missing(h, at, lead.what, how, lead.verdict == LEAD_READ_ONLY);
}

/* Notes what the touch function names and the slice does not. */
static void note_needless(holder *h, const hold_entry *written) {
    const char *cost = "one element an instance";
    if (written->step->access == ACCESS_EVERYTHING) cost = "the instance runs alone";
    else if (written->step->access == ACCESS_REACH || written->step->access == ACCESS_ALONG)
        cost = "an element for each object that is reached";
    else if (written->conditions.count &&
             hold_is_in_loop(written->conditions.at[written->conditions.count - 1]))
        cost = "an element a round";
    if (!written->used)
        note(h, written->step->place,
             scan_text("more than the body needs, or by another name: %s, which costs %s",
                       name_of(written), cost));
}

static void hold_all(holder *h) {
    for (size_t i = 0; i < h->written.all.count; i++)
        for (size_t k = 0; k < h->sliced.all.count; k++)
            h->written.all.at[i]->used |= same_place(h->written.all.at[i], h->sliced.all.at[k]);
    for (size_t i = 0; i < h->sliced.all.count; i++) hold_one(h, h->sliced.all.at[i]);
    for (size_t i = 0; i < h->unknown.all.count; i++)
        if (h->unknown.all.at[i]->step->node) hold_unknown(h, h->unknown.all.at[i]);
    for (size_t i = 0; i < h->written.all.count; i++) note_needless(h, h->written.all.at[i]);
    if (h->proved == h->sliced.all.count)
        note(h, h->task->place,
             scan_text("proved: its touch function names each of %zu accesses", h->proved));
}

void hold_touch(const memory *m, const memory_task *of, bool notes) {
    holder h = {.m = m, .of = of, .task = of->task, .notes = notes};
    bool again = false;
    scan_errors_hold(true);
    slice_result body = slice_whole(m->program, of->task, &again);
    slice_result touch = slice_touch(m->program, of->task);
    const char *failed = scan_errors_hold(false);
    if (failed) {
        note(&h, h.task->place, scan_text("not proved: %s", failed));
        return;
    }
    h.written = hold_entries_of(&touch.body, true);
    h.unknown = hold_entries_of(&body.body, false);
    residue_tidy(&body.body);
    h.sliced = hold_entries_of(&body.body, false);
    hold_all(&h);
}
