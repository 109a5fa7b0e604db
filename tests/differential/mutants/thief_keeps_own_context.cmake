include("${CMAKE_CURRENT_LIST_DIR}/../../explore/mutants/thief_keeps_own_context.cmake")
set(DIFFERENTIAL async)
