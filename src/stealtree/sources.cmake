# The steal tree: what was stolen, recorded, kept, read back and checked.
target_sources(svs PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/file.c
    ${CMAKE_CURRENT_LIST_DIR}/follow.c
    ${CMAKE_CURRENT_LIST_DIR}/kept.c
    ${CMAKE_CURRENT_LIST_DIR}/mailbox.c
    ${CMAKE_CURRENT_LIST_DIR}/message.c
    ${CMAKE_CURRENT_LIST_DIR}/pack.c
    ${CMAKE_CURRENT_LIST_DIR}/rebuild.c
    ${CMAKE_CURRENT_LIST_DIR}/record.c
    ${CMAKE_CURRENT_LIST_DIR}/replay.c
    ${CMAKE_CURRENT_LIST_DIR}/retain.c
    ${CMAKE_CURRENT_LIST_DIR}/seats.c
    ${CMAKE_CURRENT_LIST_DIR}/statistics.c
    ${CMAKE_CURRENT_LIST_DIR}/stream.c
    ${CMAKE_CURRENT_LIST_DIR}/trace.c
    ${CMAKE_CURRENT_LIST_DIR}/tree.c
    ${CMAKE_CURRENT_LIST_DIR}/unpack.c
    ${CMAKE_CURRENT_LIST_DIR}/verify.c)
