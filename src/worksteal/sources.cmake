target_sources(svs PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/async.c
    ${CMAKE_CURRENT_LIST_DIR}/deque.c
    ${CMAKE_CURRENT_LIST_DIR}/finish.c
    ${CMAKE_CURRENT_LIST_DIR}/loop.c
    ${CMAKE_CURRENT_LIST_DIR}/meter.c
    ${CMAKE_CURRENT_LIST_DIR}/parking.c
    ${CMAKE_CURRENT_LIST_DIR}/participate.c
    ${CMAKE_CURRENT_LIST_DIR}/place.c
    ${CMAKE_CURRENT_LIST_DIR}/root.c
    ${CMAKE_CURRENT_LIST_DIR}/runtime.c
    ${CMAKE_CURRENT_LIST_DIR}/source.c
    ${CMAKE_CURRENT_LIST_DIR}/stack.c
    ${CMAKE_CURRENT_LIST_DIR}/switch_aarch64.S
    ${CMAKE_CURRENT_LIST_DIR}/switch_ucontext.c
    ${CMAKE_CURRENT_LIST_DIR}/switch_x86_64.S
    ${CMAKE_CURRENT_LIST_DIR}/worker.c
    ${CMAKE_CURRENT_LIST_DIR}/workfirst.c)
