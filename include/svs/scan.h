/* Scanned tasks: `svs scan` makes the touch function of a task from the task's body.
 *
 *     #include <svs/scan.h>
 *     typedef struct { long *from, *to, amount; } transfer;
 *     static svs_status transfer_run(svs_context *x, transfer *t) {
 *         (void)x;
 *         *t->from -= t->amount;
 *         *t->to += t->amount;
 *         return SVS_OK;
 *     }
 *     SVS_TASK_SCANNED(transfer, transfer_run)   // defines transfer_task and transfer_send()
 *     ...
 *     #include SVS_SCANNED                       // the last line of the file
 *
 * A build that uses the tool (svs_add_tasks() of find_package(svs), or `svs scan`) defines
 * SVS_SCANNED as the name of a generated header, which holds the touch functions. Without the tool,
 * a scanned task is a task of SVS_TASK_ALONE: correct, but each instance runs alone.
 *
 * All annotations are plain C11. They are used at file scope, except for SVS_STABLE and SVS_ALWAYS,
 * which are used in expressions. scan/docs/scan.md describes what the tool can follow, and its
 * messages. */
#ifndef SVS_SCAN_H
#define SVS_SCAN_H

#include <svs/task.h>

/* SVS_TASK_SCANNED(item, run): a task type with the name of its item's type, as SVS_TASK. To give
 * the task type another name: SVS_TASK_SCANNED(name, item, run). */
#define SVS_TASK_SCANNED(...)                                                                      \
    SVS__CONCATENATE(SVS__TASK_SCANNED_, SVS__NINTH(__VA_ARGS__, 3, 3, 3, 3, 3, 3, 2, 2, 0))       \
    (__VA_ARGS__)
#define SVS__TASK_SCANNED_2(item_, run_) SVS__TASK_SCANNED_3(item_, item_, run_)
#if defined(SVS_SCANNED)
#define SVS__TASK_SCANNED_3(name_, item_, run_)                                                    \
    static void name_##_scanned_touch(svs_footprint *svs_footprint_, const item_ *svs_item_);      \
    SVS__TASK_4(name_, item_, run_, name_##_scanned_touch)
#else
#define SVS_SCANNED <svs/detail/not_scanned.h>
#define SVS__TASK_SCANNED_3(name_, item_, run_) SVS_TASK_ALONE(name_, item_, run_)
#endif

/* Tasks in two kinds of builds. With svs_add_tasks(... COMPARE), the slice of the body runs
 * alongside each hand-written touch function, and accesses that only the slice names are reported.
 * With svs_add_tasks(... INSTEAD), the slice replaces the hand-written touch function. Both compile
 * a source with this header before it and with SVS_SCANNED after it. */
#if defined(SVS_COMPARED) || defined(SVS_INSTEAD)
#undef SVS__TASK_SCANNED_3
#undef SVS__TASK_4
#undef SVS__TASK_DEFINE_4
#define SVS__TASK_SCANNED_3(name_, item_, run_)                                                    \
    SVS__TOUCHED(name_, item_, run_, name_##_scanned_touch)                                        \
    SVS__TASK_DEFINE(name_, item_, run_, name_##_touch_, NULL, 0, 0, NULL)
#define SVS__TASK_4(name_, item_, run_, touch_)                                                    \
    SVS__WRITTEN(name_, item_, touch_)                                                             \
    SVS__TOUCHED(name_, item_, run_, SVS__CHOSEN(name_))                                           \
    SVS__TASK_DEFINE(name_, item_, run_, name_##_touch_, NULL, 0, 0, NULL)
#define SVS__TASK_DEFINE_4(name_, item_, run_, touch_)                                             \
    SVS__WRITTEN(name_, item_, touch_)                                                             \
    SVS__TOUCHED(name_, item_, run_, SVS__CHOSEN(name_))                                           \
    SVS__TASK_VALUE(name_, item_, run_, name_##_touch_, NULL, 0, 0, NULL)
#define SVS__TOUCHED(name_, item_, run_, chosen_)                                                  \
    static void chosen_(svs_footprint *svs_footprint_, const item_ *svs_item_);                    \
    static void name_##_touch_(svs_footprint *svs_footprint_, const void *svs_item_) {             \
        chosen_(svs_footprint_, SVS__CAST(const item_ *, svs_item_));                              \
    }                                                                                              \
    SVS__TASK_RUN(name_, item_, run_)
#define SVS__WRITTEN(name_, item_, touch_)                                                         \
    SVS_MAYBE_UNUSED static inline void name_##_written_touch(svs_footprint *svs_footprint_,       \
                                                              const item_ *svs_item_) {            \
        touch_(svs_footprint_, svs_item_);                                                         \
    }
#if defined(SVS_INSTEAD)
#define SVS__CHOSEN(name_) name_##_scanned_touch
#else
#define SVS__CHOSEN(name_) name_##_compared_touch
#endif
#endif

/* SVS_PARTS(type, fields...): the memory that these pointers of a struct point to belongs to the
 * struct. In all tasks, an access to such memory counts as an access to the struct. */
#define SVS_PARTS(type_, ...) enum { SVS__EACH(SVS__SCAN_PART, type_, , __VA_ARGS__) };
#define SVS__SCAN_PART(type_, b_, field_)                                                          \
    svs_scan_parts_##type_##_##field_ = sizeof(((type_ *)0)->field_),

/* SVS_PER_WORKER(type): each worker has its own objects of this struct, so that accesses to them
 * need no declaration. */
#define SVS_PER_WORKER(type_) enum { svs_scan_per_worker_##type_ = sizeof(type_) };

/* SVS_PER_ITEM(types...): each item has its own objects of these structs. Two instances that are
 * open at once may both read one, but not write it, so that accesses need no footprint. The tool
 * trusts the annotation; the race check reports a wrong one. */
#define SVS_PER_ITEM(...) enum { SVS__EACH(SVS__SCAN_PER_ITEM, , , __VA_ARGS__) };
#define SVS__SCAN_PER_ITEM(a_, b_, type_) svs_scan_per_item_##type_ = sizeof(type_),

/* SVS_TOUCHES_NOTHING(function): a call of the function accesses no memory that tasks share, or
 * only memory that it synchronizes itself (locks, counters). */
#define SVS_TOUCHES_NOTHING(function_)                                                             \
    enum { svs_scan_touches_nothing_##function_ = sizeof(&(function_)) };

/* SVS_TOUCH_OF(function, touch): declares what a call of the function accesses, for a function
 * whose body the tool does not see, or whose accesses you know better. `touch` takes an
 * svs_footprint * and then the function's parameters, and declares accesses by address or object as
 * a touch function does, with ifs, loops and helpers. It is never called: the tool follows it
 * instead of the function's body, and widens addresses that are unknown before the instance runs.
 * The function's result counts as unknown. The tool trusts the declaration; the race check reports
 * a wrong one. */
#define SVS_TOUCH_OF(function_, touch_)                                                            \
    enum { svs_scan_touch_of_##function_ = sizeof(&(function_)) + sizeof(&(touch_)) };             \
    SVS_MAYBE_UNUSED static inline void svs_scan_touch_of_##function_##_(void) { (void)(touch_); }

/* SVS_EXPECT_INDEPENDENT(a, b): the tasks of these names access no memory in common, unless both
 * only read it. `svs scan` reports an error, with the lines of both accesses, if it finds that they
 * may. Both task types must be declared before. */
#define SVS_EXPECT_INDEPENDENT(a_, b_)                                                             \
    enum { svs_scan_independent_##a_##_##b_ = sizeof(&(a_##_task)) + sizeof(&(b_##_task)) };

/* SVS_STABLE(pointer): no task writes the memory that the pointer points to, directly or through
 * SVS_PARTS, although tasks write other memory of the same types. The value of the expression is
 * the pointer. The tool trusts the annotation; the race check reports a wrong one. */
#if defined(SVS_SCAN)
void svs__scan_stable(void);
#define SVS_STABLE(pointer_) (svs__scan_stable(), (pointer_))
#else
#define SVS_STABLE(pointer_) (pointer_)
#endif

/* SVS_ALWAYS(condition): the condition holds in all tasks. So the tool skips the code that runs
 * only when the condition is false, for other callers. */
#if defined(SVS_SCAN)
#define SVS_ALWAYS(condition_) 1
#else
#define SVS_ALWAYS(condition_) (condition_)
#endif

#endif
