/* Task types with a footprint of a fixed shape: the accesses are a list in place of a touch
 * function (thesis, Algorithm 3).
 *
 *     typedef struct transfer {
 *         account *from, *to;
 *         rate *fee;
 *     } transfer;
 *     SVS_TASK_SHAPE(transfer, transfer, transfer_run,
 *                    SVS_WRITES(from), SVS_WRITES(to), SVS_READS(fee))
 *
 * Each entry names one field of the item, and declares one access:
 *
 *     SVS_READS(field), SVS_WRITES(field)
 *         a pointer to a header, `svs_object *`, names the memory object; any other pointer names
 *         an address, as in svs_writes()
 *     SVS_READS_OBJECT(field, header), SVS_WRITES_OBJECT(field, header)
 *         a pointer to a struct with the header field `header`, or NULL, which adds nothing
 *     SVS_READS_AT(space, field), SVS_WRITES_AT(space, field)
 *         an index of the space, an expression of type `svs_space *` that no body changes
 *
 * A list may have as many entries as a macro may have arguments. A field that the item does not
 * have is an error of the compiler, which names the field. An instance costs the same as with a
 * touch function that makes these calls. */
#ifndef SVS_SHAPE_H
#define SVS_SHAPE_H

#include <svs/task.h>

/* SVS_TASK_SHAPE(name, item, run, accesses...) */
#define SVS_TASK_SHAPE(name_, item_, run_, ...)                                                    \
    static inline void name_##_shape_(svs_footprint *svs_shape_, const item_ *svs_of_) {           \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    SVS__TASK_4(name_, item_, run_, name_##_shape_)

#define SVS_READS(field_) svs_reads(svs_shape_, svs_of_->field_)
#define SVS_WRITES(field_) svs_writes(svs_shape_, svs_of_->field_)
#define SVS_READS_OBJECT(field_, header_)                                                          \
    svs_reads_object(svs_shape_, svs_of_->field_ ? &svs_of_->field_->header_ : NULL)
#define SVS_WRITES_OBJECT(field_, header_)                                                         \
    svs_writes_object(svs_shape_, svs_of_->field_ ? &svs_of_->field_->header_ : NULL)
#define SVS_READS_AT(space_, field_)                                                               \
    svs_reads_at(svs_shape_, space_, SVS__CAST(uint64_t, svs_of_->field_))
#define SVS_WRITES_AT(space_, field_)                                                              \
    svs_writes_at(svs_shape_, space_, SVS__CAST(uint64_t, svs_of_->field_))

#endif
