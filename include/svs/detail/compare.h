/* Internal: a hand-written touch function beside the slice of its body, in headers that
 * `svs scan --compare` makes (svs_add_tasks(... COMPARE)). In each instance, what only the slice
 * names is reported on stderr, once for each line of a body.
 *
 * A place that the touch function names by an index of a space has no address to compare. It is
 * reported when no index is named in all instances in which the slice names the place.
 *
 * With SVS_COMPARE_COUNTS in the environment, the program says at its end for each task how many
 * accesses a footprint has by hand and by the slice, and how many of these are wide: they follow
 * links, or are everything. */
#ifndef SVS_DETAIL_COMPARE_H
#define SVS_DETAIL_COMPARE_H

#if !defined(__cplusplus) /* generated headers are C */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/task.h>

#define SVS__COMPARE_ACCESSES 512u
#define SVS__COMPARE_INDICES 16u
#define SVS__COMPARE_PLACES 4096u
#define SVS__COMPARE_LINES 64u
#define SVS__COMPARE_TASKS 64u

/* Of a body, or of what it calls. */
typedef struct svs__compare_line {
    const char *file; /* NULL: none */
    unsigned line;
} svs__compare_line;

/* One of an instance. */
typedef struct svs__compare {
    svs_footprint sliced, written;
    svs_access room[2][SVS__COMPARE_ACCESSES];
    svs__compare_line lines[SVS__COMPARE_ACCESSES]; /* of `sliced` */
} svs__compare;

/* The indices that all instances so far have named together with a place. */
typedef struct svs__compare_place {
    const void *what;
    unsigned mode, count;
    svs_access indices[SVS__COMPARE_INDICES];
} svs__compare_place;

static svs__compare_place svs__compare_places[SVS__COMPARE_PLACES];
/* Sums over the footprints of a task: by hand, and by the slice. */
static struct svs__compare_count {
    const char *task;
    unsigned long footprints, accesses[2], follow[2];
} svs__compare_counts[SVS__COMPARE_TASKS];

static svs__compare_line svs__compare_told[SVS__COMPARE_LINES];
static unsigned char svs__compare_lock;

static inline void svs__compare_begin(svs__compare *svs_c_) {
    svs_footprint_init(&svs_c_->sliced, svs_c_->room[0], SVS__COMPARE_ACCESSES);
    svs_footprint_init(&svs_c_->written, svs_c_->room[1], SVS__COMPARE_ACCESSES);
    memset(svs_c_->lines, 0, sizeof svs_c_->lines);
}

/* The accesses since the last call stand in this line. */
static inline void svs__compare_at_line(svs_footprint *svs_f_, const char *svs_file_,
                                        unsigned svs_line_) {
    svs__compare *svs_c_ = (svs__compare *)(void *)svs_f_;
    for (uint32_t svs_i_ = svs_f_->count; svs_i_-- && !svs_c_->lines[svs_i_].file;) {
        svs_c_->lines[svs_i_].file = svs_file_;
        svs_c_->lines[svs_i_].line = svs_line_;
    }
}

static inline int svs__compare_names(const svs_access *svs_w_, const svs_access *svs_a_) {
    if (svs_w_->mode < svs_a_->mode) return 0;
    if (svs_w_->kind == SVS_KIND_EVERYTHING) return 1;
    if (svs_w_->kind != svs_a_->kind || svs_w_->what != svs_a_->what) return 0;
    if (svs_w_->extent == SVS_EXTENT_REACH) return 1;
    if (svs_a_->extent == SVS_EXTENT_OWN) return svs_w_->extent != SVS_EXTENT_PATH;
    return svs_w_->extent == svs_a_->extent && svs_w_->index == svs_a_->index &&
           svs_w_->limit == svs_a_->limit;
}

/* Whether an access says nothing of another object than its own. */
static inline int svs__compare_is_exact(const svs_access *svs_w_) {
    return svs_w_->kind == SVS_KIND_ADDRESS || svs_w_->extent == SVS_EXTENT_OWN;
}

static inline svs__compare_place *svs__compare_at(const svs_access *svs_a_) {
    unsigned svs_i_ = (unsigned)((uintptr_t)svs_a_->what >> 2) % SVS__COMPARE_PLACES;
    for (unsigned svs_k_ = 0; svs_k_ < SVS__COMPARE_PLACES; svs_k_++) {
        svs__compare_place *svs_p_ = &svs__compare_places[svs_i_++ % SVS__COMPARE_PLACES];
        if (!svs_p_->what || (svs_p_->what == svs_a_->what && svs_p_->mode == svs_a_->mode))
            return svs_p_;
    }
    return NULL;
}

static inline int svs__compare_has(const svs_access *svs_all_, uint32_t svs_count_,
                                   const svs_access *svs_one_, unsigned svs_mode_) {
    for (uint32_t svs_i_ = 0; svs_i_ < svs_count_; svs_i_++)
        if (svs_all_[svs_i_].kind == SVS_KIND_INDEX && svs_all_[svs_i_].what == svs_one_->what &&
            svs_all_[svs_i_].index == svs_one_->index && svs_all_[svs_i_].mode >= svs_mode_)
            return 1;
    return 0;
}

/* Whether an index may still stand for a place. */
static inline int svs__compare_index(const svs_footprint *svs_w_, const svs_access *svs_a_) {
    svs__compare_place *svs_p_ = svs__compare_at(svs_a_);
    unsigned svs_kept_ = 0;
    if (!svs_p_) return 1;
    if (!svs_p_->what) {
        svs_p_->what = svs_a_->what;
        svs_p_->mode = svs_a_->mode;
        for (uint32_t svs_i_ = 0; svs_i_ < svs_w_->count; svs_i_++)
            if (svs_w_->accesses[svs_i_].kind == SVS_KIND_INDEX &&
                svs_w_->accesses[svs_i_].mode >= svs_a_->mode &&
                svs_p_->count < SVS__COMPARE_INDICES)
                svs_p_->indices[svs_p_->count++] = svs_w_->accesses[svs_i_];
    }
    for (unsigned svs_i_ = 0; svs_i_ < svs_p_->count; svs_i_++)
        if (svs__compare_has(svs_w_->accesses, svs_w_->count, &svs_p_->indices[svs_i_],
                             svs_a_->mode))
            svs_p_->indices[svs_kept_++] = svs_p_->indices[svs_i_];
    svs_p_->count = svs_kept_;
    return svs_kept_ != 0;
}

static inline int svs__compare_is_named(const svs_footprint *svs_w_, const svs_access *svs_a_) {
    int svs_index_ = 0;
    for (uint32_t svs_i_ = 0; svs_i_ < svs_w_->count; svs_i_++) {
        const svs_access *svs_one_ = &svs_w_->accesses[svs_i_];
        if (svs__compare_names(svs_one_, svs_a_)) return 1;
        if (svs_one_->kind == SVS_KIND_INDEX) svs_index_ = 1;
        else if (!svs__compare_is_exact(svs_one_) && svs_a_->kind == SVS_KIND_OBJECT &&
                 svs_one_->mode >= svs_a_->mode)
            return 1; /* it may reach the object */
    }
    return svs_index_ && svs__compare_index(svs_w_, svs_a_);
}

static inline void svs__compare_tell(const char *svs_task_, const svs_access *svs_a_,
                                     const svs__compare_line *svs_at_) {
    unsigned svs_i_ = 0;
    while (svs_i_ < SVS__COMPARE_LINES && svs__compare_told[svs_i_].file) {
        const svs__compare_line *svs_old_ = &svs__compare_told[svs_i_];
        if (svs_old_->line == svs_at_->line && !strcmp(svs_old_->file, svs_at_->file)) return;
        svs_i_++;
    }
    if (svs_i_ < SVS__COMPARE_LINES) svs__compare_told[svs_i_] = *svs_at_;
    fprintf(stderr,
            "%s:%u: %s: the body may %s %p here, and its touch function does not name it: name "
            "it, or let SVS_TASK_SCANNED make the touch function\n",
            svs_at_->file, svs_at_->line, svs_task_,
            svs_a_->mode == SVS_MODE_WRITE ? "write" : "read", svs_a_->what);
}

static inline void svs__compare_print(void) {
    struct svs__compare_count *svs_c_ = svs__compare_counts;
    for (; svs_c_ < svs__compare_counts + SVS__COMPARE_TASKS && svs_c_->task; svs_c_++) {
        double svs_n_ = (double)svs_c_->footprints;
        fprintf(stderr, "%s: accesses by hand %.2f, by the slice %.2f; wide %.2f, %.2f\n",
                svs_c_->task, (double)svs_c_->accesses[0] / svs_n_,
                (double)svs_c_->accesses[1] / svs_n_, (double)svs_c_->follow[0] / svs_n_,
                (double)svs_c_->follow[1] / svs_n_);
    }
}

static inline void svs__compare_sum(struct svs__compare_count *svs_c_, int svs_which_,
                                    const svs_footprint *svs_f_) {
    for (uint32_t svs_i_ = 0; svs_i_ < svs_f_->count; svs_i_++) {
        const svs_access *svs_a_ = &svs_f_->accesses[svs_i_];
        uint32_t svs_k_ = 0;
        while (svs_k_ < svs_i_ && (svs_f_->accesses[svs_k_].what != svs_a_->what ||
                                   svs_f_->accesses[svs_k_].index != svs_a_->index ||
                                   svs_f_->accesses[svs_k_].extent != svs_a_->extent))
            svs_k_++;
        int svs_all_ = svs_a_->kind == SVS_KIND_EVERYTHING;
        if (svs_k_ < svs_i_ || (!svs_a_->what && !svs_all_)) continue; /* a place once */
        svs_c_->accesses[svs_which_]++;
        svs_c_->follow[svs_which_] += svs_all_ || svs_a_->extent != SVS_EXTENT_OWN;
    }
}

/* Under the lock. */
static inline void svs__compare_count(const svs__compare *svs_both_, const char *svs_task_) {
    static int svs_asked_;
    struct svs__compare_count *svs_c_ = svs__compare_counts;
    if (!svs_asked_)
        svs_asked_ = getenv("SVS_COMPARE_COUNTS") && !atexit(svs__compare_print) ? 1 : -1;
    if (svs_asked_ < 0) return;
    while (svs_c_ < svs__compare_counts + SVS__COMPARE_TASKS && svs_c_->task &&
           strcmp(svs_c_->task, svs_task_) != 0)
        svs_c_++;
    if (svs_c_ == svs__compare_counts + SVS__COMPARE_TASKS) return;
    svs_c_->task = svs_task_;
    svs_c_->footprints++;
    svs__compare_sum(svs_c_, 0, &svs_both_->written);
    svs__compare_sum(svs_c_, 1, &svs_both_->sliced);
}

/* Reports, and gives `f` what the touch function names. */
static inline void svs__compare_end(svs__compare *svs_c_, svs_footprint *svs_f_,
                                    const char *svs_task_) {
    for (uint32_t svs_i_ = 0; svs_i_ < svs_c_->written.count; svs_i_++) {
        const svs_access *svs_w_ = &svs_c_->written.accesses[svs_i_];
        svs_footprint_add(svs_f_, svs_w_->what, svs_w_->index, svs_w_->limit,
                          (svs_access_kind)svs_w_->kind, (svs_access_mode)svs_w_->mode,
                          (svs_access_extent)svs_w_->extent);
    }
    /* More than there is room for: the instance runs alone. */
    if (svs_c_->written.status == SVS_E_LIMIT) svs_writes_everything(svs_f_);
    else if (svs_c_->written.status) svs_f_->status = svs_c_->written.status;
    /* acquire and release: of the holder before and behind; it orders the tables. */
    while (__atomic_test_and_set(&svs__compare_lock, __ATOMIC_ACQUIRE)) continue;
    for (uint32_t svs_i_ = 0; svs_i_ < svs_c_->sliced.count; svs_i_++) {
        const svs_access *svs_a_ = &svs_c_->sliced.accesses[svs_i_];
        if (svs_a_->kind != SVS_KIND_EVERYTHING && svs_a_->what &&
            !svs__compare_is_named(&svs_c_->written, svs_a_))
            svs__compare_tell(svs_task_, svs_a_, &svs_c_->lines[svs_i_]);
    }
    svs__compare_count(svs_c_, svs_task_);
    __atomic_clear(&svs__compare_lock, __ATOMIC_RELEASE);
}

#endif
#endif
