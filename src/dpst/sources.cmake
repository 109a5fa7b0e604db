# The race check's core: the tree of asyncs and finishes, the shadow of memory, the comparison of accesses.
target_sources(svs PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/atomics.c
    ${CMAKE_CURRENT_LIST_DIR}/check.c
    ${CMAKE_CURRENT_LIST_DIR}/checker.c
    ${CMAKE_CURRENT_LIST_DIR}/draw.c
    ${CMAKE_CURRENT_LIST_DIR}/forked.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_access.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_count.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_declared.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_entry.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_instance.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_judge.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_memory.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_object.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_order.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_owner.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_page.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_ranges.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_report.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_run.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_sends.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_watch.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_words.c
    ${CMAKE_CURRENT_LIST_DIR}/join.c
    ${CMAKE_CURRENT_LIST_DIR}/lca.c
    ${CMAKE_CURRENT_LIST_DIR}/library.c
    ${CMAKE_CURRENT_LIST_DIR}/node.c
    ${CMAKE_CURRENT_LIST_DIR}/path.c
    ${CMAKE_CURRENT_LIST_DIR}/root.c
    ${CMAKE_CURRENT_LIST_DIR}/shadow.c
    ${CMAKE_CURRENT_LIST_DIR}/site.c
    ${CMAKE_CURRENT_LIST_DIR}/spd3.c
    ${CMAKE_CURRENT_LIST_DIR}/streams.c
    ${CMAKE_CURRENT_LIST_DIR}/sweep.c
    ${CMAKE_CURRENT_LIST_DIR}/task.c
    ${CMAKE_CURRENT_LIST_DIR}/visit.c)
# Every x86-64 that has been made since 2006 has the instruction of base/wide.h.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/join.c ${CMAKE_CURRENT_LIST_DIR}/shadow.c
        ${CMAKE_CURRENT_LIST_DIR}/spd3.c PROPERTIES COMPILE_OPTIONS -mcx16)
endif()
