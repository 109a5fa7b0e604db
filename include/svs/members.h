/* Types of memory objects that embed other memory objects, their members (Best et al.). For the
 * thesis' experiments: a traversal that reaches an object has its members, too, without a hop.
 *
 *     SVS_MEMBERS(pair, {"inner", offsetof(pair, inner), &cell_type})
 *     SVS_TYPE_MEMBERS(pair, svs, next)
 *
 * SVS_MEMBERS comes first, then SVS_TYPE_MEMBERS in place of SVS_TYPE, or SVS_TYPE_DEFINE_MEMBERS
 * in place of SVS_TYPE_DEFINE. Links may be left out: SVS_TYPE_MEMBERS(pair, svs). */
#ifndef SVS_MEMBERS_H
#define SVS_MEMBERS_H

#include <svs/object.h>

/* SVS_MEMBERS(type, {"name", offset, &member_type}, ...) */
#define SVS_MEMBERS(T, ...) static const svs_member_type T##_members_[] = {__VA_ARGS__};
#define SVS_TYPE_MEMBERS(...)                                                                      \
    SVS__TYPE_MEMBERS_COUNTED(SVS__HAS_THIRD(__VA_ARGS__), SVS__OWN_TYPE, __VA_ARGS__)             \
    SVS__TYPE_MAKER(SVS__FIRST_OF(__VA_ARGS__, ))
#define SVS_TYPE_DEFINE_MEMBERS(...)                                                               \
    SVS__TYPE_MEMBERS_COUNTED(SVS__HAS_THIRD(__VA_ARGS__), SVS__SHARED_TYPE_DEFINED, __VA_ARGS__)

#define SVS__TYPE_MEMBERS_COUNTED(many, ...) SVS__CONCATENATE(SVS__TYPE_MEMBERS_, many)(__VA_ARGS__)
#define SVS__TYPE_MEMBERS_0(storage_, T, header_)                                                  \
    SVS__TYPE_VALUE(storage_, T, header_, NULL, 0, T##_members_, SVS__MEMBER_COUNT(T))
#define SVS__TYPE_MEMBERS_1(storage_, T, header_, ...)                                             \
    SVS__TYPE_LINKS(T, header_, __VA_ARGS__)                                                       \
    SVS__TYPE_VALUE(storage_, T, header_, T##_links_, sizeof T##_links_ / sizeof T##_links_[0],    \
                    T##_members_, SVS__MEMBER_COUNT(T))
#define SVS__MEMBER_COUNT(T) (sizeof T##_members_ / sizeof T##_members_[0])

#endif
