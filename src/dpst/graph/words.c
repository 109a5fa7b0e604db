/* Puts verdicts on instances of graphs into words: what was declared, and what would cure it. */
#include "dpst/graph/report.h"
#include <stdio.h>
#include <string.h>

/* ---- what was declared ---- */

static void append(char *text, const char *more) {
    size_t used = strlen(text);
    (void)snprintf(text + used, SVS__GRAPH_TEXT - used, "%s", more);
}

#define LISTED 8u

/* The name of the object, found in the page in which it begins. */
static const char *name_at(const void *what) {
    svs__page *page = svs__page_lock((uintptr_t)what, false);
    const char *name = NULL;
    if (page == NULL) return NULL;
    for (uint32_t i = 0; i < page->owner_count; i++)
        if (page->owners[i]->what == what) name = page->owners[i]->name;
    svs__lock_release(&page->lock);
    return name;
}

const char *svs__graph_name_of(const svs__declared *d) {
    return d->is_index ? NULL : name_at(d->what); /* a space may be gone when the text is printed */
}

static void list_one(const svs__declared *d, bool first, char *text) {
    const char *name = d->is_index ? ((const svs_space *)d->what)->name : name_at(d->what);
    char item[160];
    (void)snprintf(item, sizeof item, "%s %s of ", first ? "" : ",",
                   d->mode == 2 ? "writes" : "reads");
    append(text, item);
    if (name != NULL) append(text, name);
    if (d->is_index) (void)snprintf(item, sizeof item, "[%llu]", (unsigned long long)d->index);
    else (void)snprintf(item, sizeof item, "%s%p", name != NULL ? " " : "", d->what);
    append(text, item);
}

/* Writes what an instance has declared. Numbers of instances begin anew in each run and iteration,
 * so the text names these, too. */
static void list(const svs__instance *t, char *text) {
    const svs__graph_run *run = t->run;
    char item[160];
    (void)snprintf(item, sizeof item, "%s (%016llx, run %u%s%s", svs__instance_task(t),
                   (unsigned long long)t->order, run->number, run->graph[0] != '\0' ? " of " : "",
                   run->graph);
    append(text, item);
    (void)snprintf(item, sizeof item, ", iteration %u", t->iteration);
    if (t->iteration != 0) append(text, item);
    (void)snprintf(item, sizeof item, ") had declared");
    append(text, item);
    if (t->unknown) append(text, " what could not be looked up");
    else if (t->everything) append(text, " everything");
    else if (t->count == 0) append(text, " nothing");
    for (uint32_t i = 0; i < t->count && i < LISTED; i++) list_one(&t->declared[i], i == 0, text);
    if (t->count > LISTED) {
        (void)snprintf(item, sizeof item, ", and %u more", t->count - LISTED);
        append(text, item);
    }
}

void svs__graph_tell_declared(const svs__instance *t, const svs__instance *other,
                              char text[SVS__GRAPH_TEXT]) {
    text[0] = '\0';
    list(t, text);
    if (other == NULL) return;
    append(text, "; ");
    list(other, text);
}

/* ---- what would cure it ---- */

/* Is the access undeclared only because a link has changed since the set was made? The instance's
 * lock permits to look up its set again. */
static bool is_stale(svs__instance *t, const svs__graph_finding *f) {
    uint64_t index = svs__finding_index(f);
    bool stale = false;
    svs__lock_acquire(&t->set_lock);
    if (t->set != NULL && !svs__set_expand(t->set))
        for (uint32_t i = 0; i < t->set->count && !stale; i++)
            stale =
                t->set->identities[i].what == f->owner.what && t->set->identities[i].index == index;
    svs__lock_release(&t->set_lock);
    return stale;
}

static const char *call_of(const svs__owner *owner, bool write) {
    switch (owner->kind) {
    case SVS__OWNER_OBJECT: return write ? "svs_writes_object" : "svs_reads_object";
    case SVS__OWNER_INDEX: return write ? "svs_writes_at" : "svs_reads_at";
    default: return write ? "svs_writes" : "svs_reads";
    }
}

/* The name of an owner, or its address; for bytes without an owner their address, because the
 * program's callback may know a variable there. */
static const char *name_of(const svs__graph_finding *f, char room[32]) {
    uintptr_t at = f->owned ? f->owner.begin : f->address;
    if (f->owned && f->owner.name != NULL) return f->owner.name;
    (void)snprintf(room, 32, "%p", (const void *)at);
    return room;
}

static void cure_alone(svs__instance *t, const svs__graph_finding *f, bool write, char *text) {
    char room[32];
    const char *task = svs__instance_task(t), *name = name_of(f, room);
    switch (f->why) {
    case SVS__WHY_RAW_LINK:
        (void)snprintf(text, SVS__GRAPH_TEXT, "write links of %s with svs_link() only", name);
        break;
    case SVS__WHY_IMMUTABLE:
        (void)snprintf(text, SVS__GRAPH_TEXT, "%s was told to be immutable: no task may write it",
                       name);
        break;
    case SVS__WHY_WORKER:
        (void)snprintf(text, SVS__GRAPH_TEXT,
                       "%s is another worker's: use that of svs_worker_index()", name);
        break;
    case SVS__WHY_READ_ONLY:
        (void)snprintf(text, SVS__GRAPH_TEXT, "the touch function of %s reads %s: say %s()", task,
                       name, call_of(&f->owner, true));
        break;
    default:
        if (is_stale(t, f))
            (void)snprintf(text, SVS__GRAPH_TEXT,
                           "stale footprint: a link has changed since the footprint of %s was "
                           "looked up, or it would have %s in it",
                           task, name);
        else
            (void)snprintf(text, SVS__GRAPH_TEXT, "add %s() for %s to the touch function of %s",
                           call_of(&f->owner, write), name, task);
    }
}

/* May svs_graph_add_order() order the two tasks? */
static bool may_be_ordered(const svs__instance *t, const svs__instance *u) {
    return t->run == u->run && t->run->cycles[t->task] != u->run->cycles[u->task];
}

static void cure_order(const svs__instance *t, const svs__instance *u, const svs__graph_finding *f,
                       char *text) {
    append(text, "the schedule chooses which is first: ");
    if (may_be_ordered(t, u)) {
        append(text, "svs_graph_add_order() of ");
        append(text, svs__instance_task(u));
        append(text, " and ");
        append(text, svs__instance_task(t));
        append(text, ", or ");
    }
    if (!f->owned)
        append(text, "register what both declare (svs_check_object_range(), or for an index its "
                     "bytes, svs_check_index_range()) and call ");
    append(text, "svs_check_commutative() if it does not matter");
}

static void cure_touch(const svs__instance *t, const svs__instance *u, const svs__graph_finding *f,
                       char *text) {
    const char *touches = svs__instance_task(f->touch == SVS__TOUCH_NOW ? t : u);
    const char *runs = svs__instance_task(f->touch == SVS__TOUCH_NOW ? u : t);
    (void)snprintf(text, SVS__GRAPH_TEXT,
                   "the touch function of %s is called while %s may run: put what it reads into "
                   "the item",
                   touches, runs);
    if (may_be_ordered(t, u)) append(text, ", or svs_graph_add_order() them");
}

static void cure_one(const svs__instance *t, const svs__graph_finding *f, bool write, char *text) {
    const svs__owner *owner = f->owned ? &f->owner : &(svs__owner){.kind = SVS__OWNER_ADDRESS};
    char room[32], one[160];
    (void)snprintf(one, sizeof one, "%s%s() for %s to the touch function of %s",
                   text[0] == '\0' ? "add " : ", and ", call_of(owner, write), name_of(f, room),
                   svs__instance_task(t));
    append(text, one);
}

/* Writes the calls that are missing. */
static void cure_race(const svs__instance *t, const svs__instance *u, const svs__graph_finding *f,
                      bool write, char *text) {
    bool same = strcmp(svs__instance_task(t), svs__instance_task(u)) == 0;
    if (t->run->world != u->run->world) {
        append(text, "instances of two worlds may run at once: run one graph after the other");
        return;
    }
    if (same || f->other_mode < (f->other.write ? 2 : 1))
        cure_one(u, f, same || f->other.write, text);
    if (!same && f->mode < (write ? 2 : 1)) cure_one(t, f, write, text);
    if (may_be_ordered(t, u)) append(text, ", or svs_graph_add_order() them");
    if (!f->owned)
        append(text, "; or svs_check_worker_range(), if each worker has an element of its own");
}

static void cure_pair(const svs__instance *t, const svs__instance *u, const svs__graph_finding *f,
                      bool write, char *text) {
    text[0] = '\0';
    if (f->verdict == SVS_CHECK_VERDICT_ORDER) cure_order(t, u, f, text);
    else if (f->touch != SVS__TOUCH_NONE) cure_touch(t, u, f, text);
    else cure_race(t, u, f, write, text);
}

void svs__graph_tell_cure(svs__instance *t, const svs__graph_finding *f, bool write,
                          char text[SVS__GRAPH_TEXT]) {
    if (f->other.instance == NULL) cure_alone(t, f, write, text);
    else cure_pair(t, f->other.instance, f, write, text);
}
