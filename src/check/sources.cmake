# The check for programs: what the compiler's instrumentation calls, and reports.
target_sources(svs_check PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/atomics.c
    ${CMAKE_CURRENT_LIST_DIR}/blocks.c
    ${CMAKE_CURRENT_LIST_DIR}/found.c
    ${CMAKE_CURRENT_LIST_DIR}/frames.c
    ${CMAKE_CURRENT_LIST_DIR}/heap.c
    ${CMAKE_CURRENT_LIST_DIR}/hooks.c
    ${CMAKE_CURRENT_LIST_DIR}/json.c
    ${CMAKE_CURRENT_LIST_DIR}/new.c
    ${CMAKE_CURRENT_LIST_DIR}/options.c
    ${CMAKE_CURRENT_LIST_DIR}/print.c
    ${CMAKE_CURRENT_LIST_DIR}/report.c
    ${CMAKE_CURRENT_LIST_DIR}/start.c
    ${CMAKE_CURRENT_LIST_DIR}/suppress.c
    ${CMAKE_CURRENT_LIST_DIR}/symbols.c
    ${CMAKE_CURRENT_LIST_DIR}/text.c
    ${CMAKE_CURRENT_LIST_DIR}/wraps_array.c
    ${CMAKE_CURRENT_LIST_DIR}/wraps_end.c
    ${CMAKE_CURRENT_LIST_DIR}/wraps_lock.c
    ${CMAKE_CURRENT_LIST_DIR}/wraps_map.c
    ${CMAKE_CURRENT_LIST_DIR}/wraps_memory.c
    ${CMAKE_CURRENT_LIST_DIR}/wraps_once.c
    ${CMAKE_CURRENT_LIST_DIR}/wraps_print.c
    ${CMAKE_CURRENT_LIST_DIR}/wraps_signal.c
    ${CMAKE_CURRENT_LIST_DIR}/wraps_string.c)
# What the program's own code throws passes through these.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/new.c ${CMAKE_CURRENT_LIST_DIR}/wraps_once.c
    PROPERTIES COMPILE_OPTIONS -fexceptions)
# An access is some fifteen instructions: a frame of its own would be three of them.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/hooks.c PROPERTIES COMPILE_OPTIONS -fomit-frame-pointer)
