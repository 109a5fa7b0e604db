target_sources(svs PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/deque.c
    ${CMAKE_CURRENT_LIST_DIR}/finish.c
    ${CMAKE_CURRENT_LIST_DIR}/parking.c
    ${CMAKE_CURRENT_LIST_DIR}/participate.c
    ${CMAKE_CURRENT_LIST_DIR}/runtime.c
    ${CMAKE_CURRENT_LIST_DIR}/source.c
    ${CMAKE_CURRENT_LIST_DIR}/worker.c)
