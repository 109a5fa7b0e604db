# Memory objects: identities, links, reachability, and the sets that instances may touch.
target_sources(svs PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/addresses.c
    ${CMAKE_CURRENT_LIST_DIR}/assign.c
    ${CMAKE_CURRENT_LIST_DIR}/list.c
    ${CMAKE_CURRENT_LIST_DIR}/notify.c
    ${CMAKE_CURRENT_LIST_DIR}/object.c
    ${CMAKE_CURRENT_LIST_DIR}/part.c
    ${CMAKE_CURRENT_LIST_DIR}/reach.c
    ${CMAKE_CURRENT_LIST_DIR}/refresh.c
    ${CMAKE_CURRENT_LIST_DIR}/set.c
    ${CMAKE_CURRENT_LIST_DIR}/signature.c
    ${CMAKE_CURRENT_LIST_DIR}/start.c
    ${CMAKE_CURRENT_LIST_DIR}/storage.c
    ${CMAKE_CURRENT_LIST_DIR}/traverse.c
    ${CMAKE_CURRENT_LIST_DIR}/type.c
    ${CMAKE_CURRENT_LIST_DIR}/valid.c
    ${CMAKE_CURRENT_LIST_DIR}/watch.c
    ${CMAKE_CURRENT_LIST_DIR}/world.c)
