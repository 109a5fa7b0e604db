/* Deferring: a refused record waits in the bucket of its conflict, and may get a reservation. */
#include "sched/domain/domain.h"
#include "sched/domain/observe/explain.h"

/* Counts a deferral for the bucket of its conflict. @return whether the caller must look up the
 * element that the bucket blames: yes, whenever the count is a power of two. */
static bool blame(const svs__domain_env *env, svs__blame *b) {
    /* relaxed is enough, and a separate load and store: losing an increment of another domain does
     * not matter. */
    uint64_t was = svs__load_relaxed(&b->count);
    uint32_t count = was >> 32 == env->blame_run ? (uint32_t)was + 1 : 1;
    if (count == 1) svs__store_relaxed(&b->what, 0);
    svs__store_relaxed(&b->count, (uint64_t)env->blame_run << 32 | count);
    return !(count & (count - 1));
}

/* The reserver of a reservation (sched.A5). */
static const void *reserver_of(const svs__domain *domain, const svs__record *record) {
    return domain->algorithm->in_stages ? (const void *)&domain->stage.hold : record;
}

/* Whether a refused record gets the reservation: it was refused often, and the domain has no
 * reservation for another record. */
static bool reserves(svs__domain *domain, const svs__record *record) {
    const svs__record *reserver = svs__domain_reserver(domain);
    return reserver ? reserver == record : record->tries > SVS__TRIES_BEFORE_RESERVING;
}

static void reserve(svs__domain *domain, const svs__set *set, svs__record *record) {
    domain->reservation.reserver = reserver_of(domain, record);
    svs__store_relaxed(&domain->reserver, record);
    (void)svs__admission_reserve(domain->env->admission, set, &domain->reservation);
}

/* The kind of an identity. The accesses of the footprint tell indices and addresses apart; what
 * none of them names is an object. */
static uint32_t kind_of(const svs__set *set, const svs__identity *identity) {
    for (uint32_t i = 0; i < set->footprint.count; i++) {
        const svs_access *access = &set->footprint.accesses[i];
        if (access->what == identity->what && access->kind != SVS_KIND_OBJECT) return access->kind;
    }
    return SVS_KIND_OBJECT;
}

static void name_blamed(svs__blame *b, const svs__set *set, uint32_t key) {
    uint32_t i = 0;
    while (i < set->count && set->elements[i].key != key) i++;
    /* relaxed is enough for all: they only serve to name the cause in a warning. */
    if (i == set->count) {
        svs__store_relaxed(&b->kind, set->dense ? SVS_KIND_OBJECT : SVS_KIND_EVERYTHING);
        return;
    }
    svs__store_relaxed(&b->what, (uintptr_t)set->identities[i].what);
    svs__store_relaxed(&b->index, set->identities[i].index);
    svs__store_relaxed(&b->kind, kind_of(set, &set->identities[i]));
}

static void defer_with_set(svs__domain *domain, svs_context *context, svs__record *record,
                           const svs__conflict *met, svs__blame *b) {
    svs__explain(context, domain, record);
    name_blamed(b, &context->set, met->key);
    if (reserves(domain, record)) reserve(domain, &context->set, record);
}

/* Keeps the elements of a deferred record in a note, if they will stay the same. The reserver gets
 * no note, because its set is made again at each try. */
static void keep_note(svs__domain *domain, const svs_context *context, svs__record *record) {
    const svs__set *set = &context->set;
    if (svs__domain_reserver(domain) != record && svs__set_is_lasting(set))
        record->note =
            svs__note_keep(&domain->pending.notes, domain->env->world, set->elements, set->count);
}

void svs__domain_blame(const svs__domain *domain, const svs_context *context, uint32_t key) {
    svs__blame *b = &domain->env->blame[key >> (32 - SVS__BUCKET_BITS_MAX)];
    if (blame(domain->env, b)) name_blamed(b, &context->set, key);
}

void svs__domain_defer(svs__domain *domain, svs_context *context, svs__record *record,
                       const svs__conflict *met, bool front, bool expanded) {
    svs__blame *b = &domain->env->blame[met->key >> (32 - SVS__BUCKET_BITS_MAX)];
    bool needs_set = domain->stage.count < SVS__WIDE_ENOUGH && blame(domain->env, b);
    context->statistics.deferrals++;
    svs__record_tire(record);
    if (met->met == SVS__MET_LEASE) svs__record_tire_out(record);
    needs_set |= svs__explain_is_due(context, domain) || reserves(domain, record);
    if (needs_set && (expanded || !svs__instance_expand(context, svs__record_task(record),
                                                        svs__record_item(record))))
        defer_with_set(domain, context, record, met, b);
    if (expanded) keep_note(domain, context, record);
    /* The reserver waits at the front of the bucket: otherwise the records that it blocks would
     * block it. */
    svs__pending_put(&domain->pending, record, met,
                     front || svs__domain_reserver(domain) == record);
}
