include("${CMAKE_CURRENT_LIST_DIR}/../../explore/mutants/sets_are_not_confirmed.cmake")
set(DIFFERENTIAL relink)
