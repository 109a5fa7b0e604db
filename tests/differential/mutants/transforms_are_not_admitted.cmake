include("${CMAKE_CURRENT_LIST_DIR}/../../explore/mutants/transforms_are_not_admitted.cmake")
set(DIFFERENTIAL relink)
