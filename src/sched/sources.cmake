# Scheduling: task graphs, admission, domains and their algorithms.
target_sources(svs PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/admission.c
    ${CMAKE_CURRENT_LIST_DIR}/arrivals.c
    ${CMAKE_CURRENT_LIST_DIR}/context.c
    ${CMAKE_CURRENT_LIST_DIR}/deferred.c
    ${CMAKE_CURRENT_LIST_DIR}/domain.c
    ${CMAKE_CURRENT_LIST_DIR}/explain.c
    ${CMAKE_CURRENT_LIST_DIR}/for_each.c
    ${CMAKE_CURRENT_LIST_DIR}/fresh.c
    ${CMAKE_CURRENT_LIST_DIR}/graph.c
    ${CMAKE_CURRENT_LIST_DIR}/held.c
    ${CMAKE_CURRENT_LIST_DIR}/instance.c
    ${CMAKE_CURRENT_LIST_DIR}/making.c
    ${CMAKE_CURRENT_LIST_DIR}/meets.c
    ${CMAKE_CURRENT_LIST_DIR}/note.c
    ${CMAKE_CURRENT_LIST_DIR}/pending.c
    ${CMAKE_CURRENT_LIST_DIR}/prepare.c
    ${CMAKE_CURRENT_LIST_DIR}/progressive.c
    ${CMAKE_CURRENT_LIST_DIR}/record.c
    ${CMAKE_CURRENT_LIST_DIR}/refine.c
    ${CMAKE_CURRENT_LIST_DIR}/run.c
    ${CMAKE_CURRENT_LIST_DIR}/send.c
    ${CMAKE_CURRENT_LIST_DIR}/staged.c
    ${CMAKE_CURRENT_LIST_DIR}/tables.c
    ${CMAKE_CURRENT_LIST_DIR}/watch.c)
